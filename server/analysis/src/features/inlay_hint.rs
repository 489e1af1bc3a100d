//! What a placeholder or a block means in one case, in a few words behind it.

use std::collections::HashMap;
use std::ops::Range;

use promptls_resolver::agentle::{is_truthy, items};
use promptls_resolver::{Lookup, Outcome, Value, ValueKind, root};
use promptls_syntax::{BlockKind, TokenKind, TokenRef, Use};

use crate::case_values::CaseValues;
use crate::snapshot::Snapshot;

/// Words behind a placeholder or an opener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The placeholder or opener; the words stand at its end, and [`super::hover::hover`] at its
    /// start says more.
    pub token: Range<usize>,
    /// One short line.
    pub label: String,
}

/// How much of a value is shown, in characters.
const SHOWN: usize = 30;

/// How many items of a loop are shown.
const SHOWN_ITEMS: usize = 4;

/// The hints that stand in a range of the prompt, in order: the value of each placeholder, whether
/// `{{#if}}` takes its branch and why, the items of `{{#each}}`. None where no branch leads to, and
/// none for what the engine brings itself.
///
/// `case` is a position in [`Snapshot::cases`]; without inputs, defaults count.
///
/// Cost: the tokens in the range; for each distinct use of a name among them a look-up, or one for
/// each item of the loops around it.
pub fn inlay_hints(
    snapshot: &Snapshot,
    range: Range<usize>,
    case: Option<usize>,
) -> Vec<InlayHint> {
    let has_case = case.is_some_and(|case| case < snapshot.cases.len());
    let has_defaults = snapshot.cases.is_empty() && snapshot.has_variables_file;
    if snapshot.foreign || !(has_case || has_defaults) {
        return Vec::new();
    }
    let case = case.filter(|_| has_case).unwrap_or(0);
    let mut values = CaseValues::new(&snapshot.tree, snapshot.given());
    let mut labels: HashMap<Use, Option<String>> = HashMap::new();
    let mut hints = Vec::new();
    for found in snapshot.tree.tokens_in(range.clone()) {
        let token = found.token.range();
        let is_literal = matches!(found.token.kind, TokenKind::BlockOpen(_)) && !found.in_force;
        if !found.token.kind.reads()
            || is_literal
            || !(range.start..=range.end).contains(&token.end)
        {
            continue;
        }
        let label = labels
            .entry(found.used())
            .or_insert_with(|| label(snapshot, &mut values, case, &found));
        if let Some(label) = label {
            hints.push(InlayHint { token, label: label.clone() });
        }
    }
    hints
}

fn label(
    snapshot: &Snapshot,
    values: &mut CaseValues<'_>,
    case: usize,
    found: &TokenRef<'_>,
) -> Option<String> {
    let mut all = Vec::new();
    values.each(case, found.scope, found.name, |lookup| {
        all.push(lookup);
        true
    });
    let first = all.first()?;
    if matches!(first.outcome, Outcome::Runtime) {
        return Some("at run time".to_owned());
    }
    match found.token.kind {
        TokenKind::BlockOpen(BlockKind::If) => {
            let taken = all.iter().filter(|lookup| is_truthy(&lookup.outcome)).count();
            Some(match (all.len(), reason(first)) {
                (1, None) => format!("{}", taken == 1),
                (1, Some(reason)) => format!("{} ({reason})", taken == 1),
                (count, _) => format!("true for {taken} of {count}"),
            })
        }
        TokenKind::BlockOpen(BlockKind::Each) => {
            let count: usize = all.iter().map(|lookup| items(&lookup.outcome).len()).sum();
            Some(match (count, why_no_items(first)) {
                (0, Some(why)) => format!("no items ({why})"),
                (0, None) => "no items".to_owned(),
                (1, _) => "1 item".to_owned(),
                (count, _) => format!("{count} items"),
            })
        }
        kind => {
            if all.iter().all(Lookup::is_missing) {
                return missing(snapshot, kind, found.name, first);
            }
            let shown: Vec<String> = all.iter().take(SHOWN_ITEMS).map(value).collect();
            let more = if all.len() > SHOWN_ITEMS { ", …" } else { "" };
            Some(format!("= {}{more}", cut(&shown.join(", "), SHOWN)))
        }
    }
}

/// What is said of a placeholder without a value.
fn missing(
    snapshot: &Snapshot,
    kind: TokenKind,
    name: &str,
    lookup: &Lookup<'_>,
) -> Option<String> {
    let root = root(snapshot.dialect(), name);
    let is_meant = snapshot.settings.literal.iter().any(|literal| literal == root)
        || snapshot.dialect().injects(root);
    match &lookup.outcome {
        _ if is_meant => None,
        Outcome::WrongType => Some("not a text".to_owned()),
        _ if kind == TokenKind::Optional => Some("= empty".to_owned()),
        _ if lookup.location.is_some() => Some("null".to_owned()),
        // Without inputs, values come at run time.
        _ if snapshot.cases.is_empty() => None,
        _ => Some("missing".to_owned()),
    }
}

fn value(lookup: &Lookup<'_>) -> String {
    let text = match &lookup.outcome {
        Outcome::Fragment(fragment) => cut(&fragment.text, SHOWN),
        Outcome::Missing | Outcome::WrongType => return "missing".to_owned(),
        // One character more than is shown, at four bytes each, so that a cut is seen.
        _ => cut(&lookup.text(4 * (SHOWN + 1)).unwrap_or_default(), SHOWN),
    };
    if text.is_empty() { "empty".to_owned() } else { text }
}

/// Why a condition holds or not, unless its value says it itself.
fn reason(lookup: &Lookup<'_>) -> Option<String> {
    let text = |text: &str| match text {
        "" => "empty".to_owned(),
        text => cut(text, SHOWN - 10),
    };
    let count = |count: usize, one: &str, many: &str| match count {
        0 => "empty".to_owned(),
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    match &lookup.outcome {
        Outcome::Missing if lookup.location.is_some() => Some("null".to_owned()),
        Outcome::Missing => Some("missing".to_owned()),
        Outcome::Text(value) => Some(text(value)),
        Outcome::Value(Value { kind, .. }, _) => match kind {
            ValueKind::Number(number) => Some(number.to_string()),
            ValueKind::String(value) => Some(text(value)),
            ValueKind::File(file) => Some(text(file.text.as_deref().unwrap_or_default())),
            ValueKind::List(items) => Some(count(items.len(), "item", "items")),
            ValueKind::Object(object) => Some(count(object.entries().len(), "entry", "entries")),
            ValueKind::Bool(_) | ValueKind::Null => None,
        },
        _ => None,
    }
}

/// What is there instead of something with items.
fn why_no_items(lookup: &Lookup<'_>) -> Option<&'static str> {
    match &lookup.outcome {
        Outcome::Missing if lookup.location.is_some() => Some("null"),
        Outcome::Missing => Some("missing"),
        Outcome::Value(Value { kind: ValueKind::List(_) | ValueKind::Object(_), .. }, _) => None,
        Outcome::Value(value, _) => Some(value.kind_name()),
        Outcome::Text(_) => Some("a string"),
        _ => None,
    }
}

/// At most `max` characters, on one line.
fn cut(text: &str, max: usize) -> String {
    let mut shown: String = text
        .replace("\r\n", "⏎")
        .chars()
        .take(max)
        .map(|c| match c {
            '\n' | '\r' => '⏎',
            '\t' => '⇥',
            // Unseen, they could pass for the end of the hint, or turn it round.
            _ if c.is_control() || is_direction(c) => '\u{FFFD}',
            _ => c,
        })
        .collect();
    if text.chars().nth(max).is_some() {
        shown.push('…');
    }
    shown
}

/// Whether a character changes the direction of the text behind it.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::Settings;
    use crate::snapshot::test::Fixture;

    #[track_caller]
    fn check(dialect: Dialect, inputs: &str, text: &str, expected: Expect) {
        let cases = [("other", "{}"), ("chosen", inputs)];
        let fragments = r#"{"fragments": {"tone": "Be\nkind"}}"#;
        let settings = Settings {
            runtime: vec!["now".to_owned()],
            literal: vec!["page".to_owned()],
            ..Settings::default()
        };
        let fixture = Fixture::new(dialect, text).cases(&cases).variables(fragments);
        let snapshot = fixture.settings(settings).build();
        expected.assert_eq(&shown(text, &inlay_hints(&snapshot, 0..text.len(), Some(1))));
    }

    fn shown(text: &str, hints: &[InlayHint]) -> String {
        hints.iter().map(|hint| format!("{} {}\n", &text[hint.token.clone()], hint.label)).collect()
    }

    #[test]
    fn characters_that_cannot_be_seen_are_shown() {
        check(
            Dialect::Adk,
            r#"{"a": "1\t2\r\n3", "b": "4\u00005\u202e6"}"#,
            "{a} {b}",
            expect![[r#"
                {a} = 1⇥2⏎3
                {b} = 4�5�6
            "#]],
        );
    }

    #[test]
    fn values_on_one_short_line() {
        check(
            Dialect::AgentEnsemble,
            r#"{"a": "one\ntwo", "b": "0123456789012345678901234567890", "c": "", "d": null, "e": []}"#,
            "{a} {b} {c} {d} {e} {f} {{g}}",
            expect![[r#"
                {a} = one⏎two
                {b} = 012345678901234567890123456789…
                {c} = empty
                {d} = empty
                {e} not a text
                {f} missing
            "#]],
        );
    }

    #[test]
    fn the_beginning_of_a_long_value() {
        let inputs = format!(r#"{{"a": "{}"}}"#, "0123456789".repeat(100));
        check(
            Dialect::Agentle,
            &inputs,
            "{{a}}",
            expect![[r#"
                {{a}} = 012345678901234567890123456789…
            "#]],
        );
    }

    #[test]
    fn what_need_not_have_a_value() {
        check(
            Dialect::Adk,
            r#"{"a": 1}"#,
            "{a?} {b?} {now} {page}",
            expect![[r#"
                {a?} = 1
                {b?} = empty
                {now} at run time
            "#]],
        );
    }

    #[test]
    fn fragments_and_names_that_the_engine_brings() {
        check(
            Dialect::PromptPack,
            "{}",
            "{{tone}} {{input.x}} {{user.name}}",
            expect![[r#"
                {{tone}} = Be⏎kind
                {{user.name}} missing
            "#]],
        );
    }

    #[test]
    fn conditions_say_why() {
        check(
            Dialect::Agentle,
            r#"{"a": true, "b": 0, "c": "", "d": [1, 2], "e": {"x": 1}, "f": null}"#,
            "{{#if a}}1{{/if}}{{#if b}}2{{/if}}{{#if c}}3{{/if}}{{#if d}}4{{/if}}{{#if e}}5{{/if}}\
             {{#if f}}6{{/if}}{{#if g}}{{a}}{{/if}}{{#if a}}",
            expect![[r##"
                {{#if a}} true
                {{#if b}} false (0)
                {{#if c}} false (empty)
                {{#if d}} true (2 items)
                {{#if e}} true (1 entry)
                {{#if f}} false (null)
                {{#if g}} false (missing)
            "##]],
        );
    }

    #[test]
    fn loops_say_how_often_and_with_what() {
        check(
            Dialect::Agentle,
            r#"{"xs": [{"a": 1}, {"a": 2, "b": [3, 4, 5]}, {}], "s": "text"}"#,
            "{{#each xs}}{{this.a}} {{#if this.a}}{{/if}} {{#each this.b}}{{this}}{{/each}}{{/each}}\
             {{#each s}}{{this}}{{/each}}{{#each t}}{{/each}}",
            expect![[r##"
                {{#each xs}} 3 items
                {{this.a}} = 1, 2, missing
                {{#if this.a}} true for 2 of 3
                {{#each this.b}} 3 items
                {{this}} = 3, 4, 5
                {{#each s}} no items (a string)
                {{#each t}} no items (missing)
            "##]],
        );
    }

    #[test]
    fn only_the_range_counts_and_only_with_inputs() {
        let text = "{a} {b} {c}";
        let alone = Fixture::new(Dialect::Adk, text).build();
        assert_eq!(inlay_hints(&alone, 0..text.len(), None), []);
        let snapshot = Fixture::new(Dialect::Adk, text).cases(&[("default", "{}")]).build();
        assert_eq!(shown(text, &inlay_hints(&snapshot, 4..7, Some(0))), "{b} missing\n");
        assert_eq!(inlay_hints(&snapshot, 0..text.len(), Some(7)), []);
    }

    #[test]
    fn without_inputs_defaults_count() {
        let text = "{{a}} {{b}}";
        let variables = r#"{"variables": [{"name": "a", "default": 1}, {"name": "b"}]}"#;
        let snapshot = Fixture::new(Dialect::PromptPack, text).variables(variables).build();
        assert_eq!(shown(text, &inlay_hints(&snapshot, 0..text.len(), None)), "{{a}} = 1\n");
    }
}
