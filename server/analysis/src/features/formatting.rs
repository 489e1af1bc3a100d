//! Formats whitespace between braces and names.
//!
//! A dialect that trims names reads `{ name }` and `{name}` alike. The normal form is that of the
//! dialects' documentation and of completions: no whitespace, and one space after the keyword of a
//! block. Only spaces and tabs are removed: a name on its own line is intentional.

use std::ops::Range;

use promptls_data::replaced;
use promptls_resolver::{Engine, ErrorKind, Resolution, Run, RunKind, Template};
use promptls_syntax::{Flaw, TokenKind, TokenRef, Tree, name_range, tokenize};

use crate::prompt_text::PromptText;
use crate::snapshot::Snapshot;

/// Ranges of the prompt in bytes, each with its new text.
type Edits = Vec<(Range<usize>, String)>;

/// The edits that convert a prompt to its normal form, in order: ranges of bytes with their new
/// texts. Empty for a text that may be in another dialect or language.
///
/// The resolved text does not change by a single byte, in each case and without any values, because
/// an application may omit any value. So a placeholder that would be sent in source form without a
/// value keeps its whitespace.
///
/// Cost: resolving every case twice.
///
/// ```
/// use promptls_analysis::{Snapshot, format_prompt};
/// use promptls_resolver::Dialect;
///
/// let edits = |dialect, text| format_prompt(&Snapshot::new(dialect, text));
/// assert_eq!(edits(Dialect::Adk, "Dear { name}"), [(6..7, String::new())]);
/// assert_eq!(edits(Dialect::Langfuse, "Dear {{ name}}"), []);
/// ```
pub fn format_prompt(snapshot: &Snapshot) -> Vec<(Range<usize>, String)> {
    let is_doubtful = snapshot.fits.len() > 1 || !snapshot.alike.is_empty();
    if snapshot.foreign.is_some() || is_doubtful {
        return Vec::new();
    }
    let tokens = snapshot.tree.tokens().filter(|token| token.token.kind.reads());
    let changes = tokens.map(|token| (token.token.range(), around_name(snapshot, &token)));
    let mut changes: Vec<(Range<usize>, Edits)> =
        changes.filter(|(_, edits)| !edits.is_empty()).collect();
    if changes.is_empty() {
        return Vec::new();
    }
    let text = snapshot.text.whole();
    let sent = resolved(snapshot, &text);
    for resolution in sent.iter().filter(|resolution| resolution.error.is_none()) {
        keep_what_is_sent(&mut changes, &resolution.map.runs);
    }
    let edits: Edits = changes.into_iter().flat_map(|(_, edits)| edits).collect();
    // Edits of tokens are in order.
    let after = replaced(&text, &edits).unwrap_or_default();
    if is_same(snapshot, &sent, &after) { edits } else { Vec::new() }
}

/// The edits at both ends of a name; empty if they would change its meaning.
fn around_name(snapshot: &Snapshot, token: &TokenRef<'_>) -> Edits {
    let Range { start, end } = token.token.range();
    let text = snapshot.slice(start..end);
    let name = snapshot.name_range(token);
    let (before, behind) = (&text[..name.start - start], &text[name.end - start..]);
    let opener = before.trim_end_matches([' ', '\t']);
    // The mark of an optional name belongs to the name.
    let mark = behind.len() - behind.trim_start_matches('?').len();
    let closer = behind[mark..].trim_start_matches([' ', '\t']);
    let gap = if opener.ends_with('{') { "" } else { " " };
    let inside = &text[name.start - start..name.end - start + mark];
    let is_in_one_line = !opener.ends_with(char::is_whitespace) && closer.starts_with('}');
    let normal = format!("{opener}{gap}{inside}{closer}");
    if name.is_empty() || !is_in_one_line || !is_read_as(token, snapshot.engine(), &normal) {
        return Vec::new();
    }
    let gaps = [(start + opener.len()..name.start, gap), (name.end + mark..end - closer.len(), "")];
    let differs =
        |(gap, new): &(Range<usize>, &str)| text[gap.start - start..gap.end - start] != **new;
    gaps.into_iter().filter(differs).map(|(gap, new)| (gap, new.to_owned())).collect()
}

/// Returns whether a text is a token equivalent to another one.
fn is_read_as(expected: &TokenRef<'_>, engine: Engine, text: &str) -> bool {
    let mut is_alike = false;
    tokenize(engine, text, |token| {
        is_alike = token.range() == (0..text.len())
            && (token.kind, token.flaw) == (expected.token.kind, expected.token.flaw)
            && text[name_range(engine, token.kind, text)] == *expected.name;
    });
    is_alike
}

/// Resolves a text with the values of each case, and without any.
fn resolved(snapshot: &Snapshot, text: &str) -> Vec<Resolution> {
    let template = Template::compile(snapshot.engine(), text);
    let without = snapshot.of_case(None);
    let cases = if snapshot.cases.is_empty() { Vec::new() } else { snapshot.given() };
    cases.iter().chain(&without.given()).map(|given| template.resolve(given)).collect()
}

/// Removes placeholders that are sent in source form. Both are in the order of the prompt.
fn keep_what_is_sent<T>(changes: &mut Vec<(Range<usize>, T)>, runs: &[Run]) {
    // Loops send the same position again, and fragments have their own positions.
    let mut literal: Vec<&Range<usize>> = runs
        .iter()
        .filter(|run| run.kind == RunKind::Literal && !run.source.is_empty())
        .map(|run| &run.source)
        .collect();
    literal.sort_by_key(|source| source.start);
    let mut furthest = 0;
    let ends: Vec<usize> = literal
        .iter()
        .map(|source| {
            furthest = furthest.max(source.end);
            furthest
        })
        .collect();
    changes.retain(|(token, _)| {
        let before = literal.partition_point(|source| source.start < token.end);
        before == 0 || ends[before - 1] <= token.start
    });
}

/// Returns whether a text has the same tokens as a snapshot, and the same resolved texts.
fn is_same(snapshot: &Snapshot, sent: &[Resolution], after: &str) -> bool {
    let tree = Tree::parse(snapshot.engine(), &PromptText::from(after));
    if !tokens(&snapshot.tree).eq(tokens(&tree)) {
        return false;
    }
    let now = resolved(snapshot, after);
    now.len() == sent.len() && sent.iter().map(outcome).eq(now.iter().map(outcome))
}

/// The tokens that the engine acts on.
fn tokens(tree: &Tree) -> impl Iterator<Item = (TokenKind, Option<Flaw>, &str)> {
    let tokens = tree.tokens();
    let read = tokens.filter(|found| !found.token.kind.is_text());
    read.map(|found| (found.token.kind, found.token.flaw, found.name))
}

/// The resolved text, or the error.
fn outcome(resolution: &Resolution) -> Result<&str, (ErrorKind, &[String])> {
    match &resolution.error {
        None => Ok(&resolution.text),
        Some(error) => Err((error.kind, &error.names)),
    }
}

#[cfg(test)]
mod tests {
    use promptls_syntax::Dialect;
    use proptest::prelude::*;

    use super::*;
    use crate::snapshot::test::Fixture;

    fn formatted(dialect: Dialect, text: &str, cases: &[(&str, &str)]) -> String {
        let snapshot = Fixture::new(dialect, text).cases(cases).build();
        replaced(text, &format_prompt(&snapshot)).expect("edits are in order")
    }

    #[test]
    fn whitespace_that_the_engine_ignores_is_removed() {
        let given = [("default", r#"{"name": "Ada", "xs": [1]}"#)];
        for (dialect, text, normal) in [
            (Dialect::Adk, "{ name }, { app:x? }{\tname?}", "{name}, {app:x?}{name?}"),
            // All braces belong to the token, including unbalanced ones.
            (Dialect::Adk, "{{ name }}}", "{{name}}}"),
            // It is not a name there, or is on its own line.
            (
                Dialect::Adk,
                "{ not one } { } {\n name\n} {name ?}",
                "{ not one } { } {\n name\n} {name ?}",
            ),
            (Dialect::Agentle, "{{#if  name }}{{ name }}{{/if}}", "{{#if name}}{{name}}{{/if}}"),
            (
                Dialect::Agentle,
                "{{#each\u{20}xs}}{{ this }}{{ gone }}{{/each}}",
                "{{#each xs}}{{this}}{{gone}}{{/each}}",
            ),
            // A name without a value is sent unchanged, in a prompt without blocks.
            (Dialect::Agentle, "{{ name }}", "{{ name }}"),
            (Dialect::Langfuse, "{{ name }}", "{{ name }}"),
            // An unclosed block is not processed.
            (Dialect::Agentle, "{{#if  name }}{{ gone }}", "{{#if  name }}{{gone}}"),
            // Without the space, it would be a tag, or have another brace.
            (
                Dialect::Agentle,
                "{{#if x}}{{/if}}{{ #if x}}{{ /if }}{{ y }}",
                "{{#if x}}{{/if}}{{ #if x}}{{ /if }}{{y}}",
            ),
            (Dialect::AgentEnsemble, "{ name } {{ name }}", "{ name } {{ name }}"),
            (Dialect::PromptPack, "{{ name }}", "{{ name }}"),
            (Dialect::Entaingine, "{ NAME }", "{ NAME }"),
        ] {
            assert_eq!(formatted(dialect, text, &given), normal, "{text}");
            assert_eq!(formatted(dialect, normal, &given), normal, "{normal}");
        }
    }

    #[test]
    fn a_text_with_a_guessed_dialect_is_not_formatted() {
        let prompt = |fits| Fixture::new(Dialect::Adk, "{ name?}").fits(fits).build();
        assert_eq!(format_prompt(&prompt(&[Dialect::Adk, Dialect::Agentle])), []);
        assert_eq!(format_prompt(&prompt(&[Dialect::Adk])), [(1..2, String::new())]);
    }

    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "{",
            "}",
            "{{",
            "}}",
            " ",
            "\t",
            "\n",
            "?",
            "name",
            "app:x",
            "gone",
            "{{#if ",
            "{{#each ",
            "{{/if}}",
            "{{/each}}",
            "xs",
            "this",
            ".",
            "#",
            "/",
            "é",
            "artifact.f",
            "{ name }",
            "{{ name }}",
            "{{ #if name}}",
            "{{ /if }}",
            "{{ {name }}",
        ])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        /// For any text, the engine sends the same, and formatting twice changes nothing.
        #[test]
        fn formatting_changes_no_resolved_text_and_is_idempotent(pieces in prop::collection::vec(piece(), 0..14)) {
            let text = pieces.concat();
            let cases = [("default", r#"{"name": "{{ name }}", "app:x": 1, "xs": [{"name": 2}]}"#), ("empty", "{}")];
            for dialect in Dialect::ALL {
                let snapshot = Fixture::new(dialect, &text).cases(&cases).build();
                let after = replaced(&text, &format_prompt(&snapshot)).expect("edits are in order");
                let again = Fixture::new(dialect, &after).cases(&cases).build();
                for case in 0..cases.len() {
                    let (was, is) = (snapshot.resolve(Some(case)), again.resolve(Some(case)));
                    prop_assert_eq!(outcome(&was), outcome(&is), "{:?}", text);
                }
                prop_assert_eq!(format_prompt(&again), [], "{:?} {:?}", dialect, text);
            }
        }
    }
}
