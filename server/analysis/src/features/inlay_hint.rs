//! Inlay hints: the meaning of a placeholder or a block in one case.

use std::ops::Range;

use promptls_resolver::blocks::items;
use promptls_resolver::{Lookup, Outcome, Value, ValueKind, root};
use promptls_syntax::{BlockKind, TokenKind, TokenRef, UseMap};

use crate::case_values::CaseValues;
use crate::snapshot::Snapshot;

/// A hint after a placeholder or an opener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The placeholder or opener. The hint is at its end, and [`super::hover::hover`] at its start
    /// returns more.
    pub token: Range<usize>,
    /// The text, on one short line.
    pub label: String,
    /// The hint is for a block, not for a value.
    pub of_block: bool,
}

/// A value that is displayed in place of a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownValue {
    /// The range of the placeholder.
    pub token: Range<usize>,
    /// The kind of the text.
    pub kind: ShownKind,
    /// The value on one line, shortened; without a value, the reason.
    pub text: String,
}

/// The state of a placeholder's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShownKind {
    /// There is a value, or several in a loop.
    Value,
    /// There is none, or one that the engine rejects.
    Missing,
    /// The value is supplied at run time.
    Runtime,
}

impl ShownKind {
    /// The identifier in JSON output: `value`, `missing`, `runtime`.
    pub const fn id(self) -> &'static str {
        match self {
            ShownKind::Value => "value",
            ShownKind::Missing => "missing",
            ShownKind::Runtime => "runtime",
        }
    }
}

/// The default length of a value in a hint, in characters.
pub const DEFAULT_HINT_WIDTH: usize = 30;

/// The maximum length of a value in place of a placeholder, in characters.
const SHOWN_ALONE: usize = 80;

/// The maximum length of a value that explains a branch, in characters.
const SHOWN_OF_REASON: usize = 20;

/// The maximum number of shown items of a loop.
const SHOWN_ITEMS: usize = 4;

/// The hints in a range of the prompt, in order. These are the value of each placeholder, the
/// result of `{{#if}}` with its reason, and the items of `{{#each}}`. Branches that are not taken,
/// and names that the engine supplies, have none. Each value is cut after `width` characters.
///
/// `case` is an index into [`Snapshot::cases`]; without inputs, defaults are used.
///
/// Cost: the tokens in the range. For each distinct use of a name among them one lookup, or one for
/// each item of the loops around it.
///
/// ```
/// use promptls_analysis::{DEFAULT_HINT_WIDTH, Snapshot, inlay_hints};
/// use promptls_resolver::{Dialect, FileId, Format, Inputs};
///
/// let inputs = Inputs::parse(r#"{"name": "Ada"}"#, Format::Json, FileId(1)).value.unwrap();
/// let snapshot = Snapshot::new(Dialect::Adk, "Dear {name},").with_case("default", inputs);
/// let hints = inlay_hints(&snapshot, 0..12, Some(0), DEFAULT_HINT_WIDTH);
/// assert_eq!((&*hints[0].label, hints[0].token.clone()), ("= Ada", 5..11));
/// ```
pub fn inlay_hints(
    snapshot: &Snapshot,
    range: Range<usize>,
    case: Option<usize>,
    width: usize,
) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    each_meaning(snapshot, range, case, width, |token, meaning| {
        let label = match meaning {
            Meaning::Value(text) if text.is_empty() => "= empty".to_owned(),
            Meaning::Value(text) => format!("= {text}"),
            Meaning::Missing(what) => (*what).to_owned(),
            Meaning::Runtime => "at run time".to_owned(),
            Meaning::Block(words) => words.clone(),
        };
        hints.push(InlayHint { token, label, of_block: matches!(meaning, Meaning::Block(_)) });
    });
    hints
}

/// The texts to display in place of the placeholders in a range of the prompt, in order. Blocks
/// have none; otherwise as for [`inlay_hints`].
///
/// Cost: that of [`inlay_hints`].
pub fn shown_values(
    snapshot: &Snapshot,
    range: Range<usize>,
    case: Option<usize>,
) -> Vec<ShownValue> {
    let mut values = Vec::new();
    each_meaning(snapshot, range, case, SHOWN_ALONE, |token, meaning| {
        let (kind, text) = match meaning {
            Meaning::Value(text) => (ShownKind::Value, text.clone()),
            Meaning::Missing(what) => (ShownKind::Missing, (*what).to_owned()),
            Meaning::Runtime => (ShownKind::Runtime, "at run time".to_owned()),
            Meaning::Block(_) => return,
        };
        values.push(ShownValue { token, kind, text });
    });
    values
}

/// The meaning of a placeholder or an opener.
enum Meaning {
    /// The joined values; empty for a single empty one.
    Value(String),
    /// No value, with the reason.
    Missing(&'static str),
    /// The value is supplied at run time.
    Runtime,
    /// The effect of a block, as a short text.
    Block(String),
}

fn each_meaning(
    snapshot: &Snapshot,
    range: Range<usize>,
    case: Option<usize>,
    max: usize,
    mut take: impl FnMut(Range<usize>, &Meaning),
) {
    let has_case = case.is_some_and(|case| case < snapshot.cases.len());
    let has_defaults = snapshot.cases.is_empty() && snapshot.has_variables_file;
    if snapshot.foreign.is_some() || !(has_case || has_defaults) {
        return;
    }
    let case = case.filter(|_| has_case).unwrap_or(0);
    let mut values = CaseValues::new(snapshot.engine(), &snapshot.tree, snapshot.given());
    let mut meanings: UseMap<Option<Meaning>> = UseMap::default();
    for found in snapshot.tree.tokens_in(range.clone()) {
        let token = found.token.range();
        let is_literal = matches!(found.token.kind, TokenKind::BlockOpen(_)) && !found.in_force;
        if !found.token.kind.reads()
            || is_literal
            || !(range.start..=range.end).contains(&token.end)
        {
            continue;
        }
        let meaning = meanings
            .entry(found.used())
            .or_insert_with(|| meaning(snapshot, &mut values, case, &found, max));
        if let Some(meaning) = meaning {
            take(token, meaning);
        }
    }
}

fn meaning(
    snapshot: &Snapshot,
    values: &mut CaseValues<'_>,
    case: usize,
    found: &TokenRef<'_>,
    max: usize,
) -> Option<Meaning> {
    let mut all = Vec::new();
    values.each(case, found.scope, found.name, |lookup| {
        all.push(lookup);
        true
    });
    let first = all.first()?;
    if matches!(first.outcome, Outcome::Runtime) {
        return Some(Meaning::Runtime);
    }
    match found.token.kind {
        TokenKind::BlockOpen(BlockKind::If) => {
            let taken = all.iter().filter(|lookup| lookup.outcome.is_truthy()).count();
            Some(Meaning::Block(match (all.len(), reason(first)) {
                (1, None) => format!("{}", taken == 1),
                (1, Some(reason)) => format!("{} ({reason})", taken == 1),
                (count, _) => format!("true for {taken} of {count}"),
            }))
        }
        TokenKind::BlockOpen(BlockKind::Each) => {
            let count: usize = all.iter().map(|lookup| items(&lookup.outcome).len()).sum();
            Some(Meaning::Block(match (count, why_no_items(first)) {
                (0, Some(why)) => format!("no items ({why})"),
                (0, None) => "no items".to_owned(),
                (1, _) => "1 item".to_owned(),
                (count, _) => format!("{count} items"),
            }))
        }
        kind => {
            if all.iter().all(Lookup::is_missing) {
                return missing(snapshot, kind, found.name, first);
            }
            if let [only] = &all[..] {
                return Some(Meaning::Value(value(only, max)));
            }
            let shown = all.iter().take(SHOWN_ITEMS).map(|lookup| match value(lookup, max) {
                text if text.is_empty() => "empty".to_owned(),
                text => text,
            });
            let shown = shown.collect::<Vec<_>>().join(", ");
            let more = if all.len() > SHOWN_ITEMS { ", …" } else { "" };
            Some(Meaning::Value(format!("{}{more}", cut(&shown, max))))
        }
    }
}

/// The meaning of a placeholder without a value.
fn missing(
    snapshot: &Snapshot,
    kind: TokenKind,
    name: &str,
    lookup: &Lookup<'_>,
) -> Option<Meaning> {
    let root = root(snapshot.dialect(), name);
    let is_meant = snapshot.settings.literal.iter().any(|literal| literal == root)
        || snapshot.dialect().injects(root);
    match &lookup.outcome {
        _ if is_meant => None,
        Outcome::WrongType => Some(Meaning::Missing("not a text")),
        _ if kind == TokenKind::Optional => Some(Meaning::Value(String::new())),
        _ if lookup.location.is_some() => Some(Meaning::Missing("null")),
        // Without inputs, values are supplied at run time.
        _ if snapshot.cases.is_empty() => None,
        _ => Some(Meaning::Missing("missing")),
    }
}

fn value(lookup: &Lookup<'_>, max: usize) -> String {
    match &lookup.outcome {
        Outcome::Fragment(fragment) => cut(&fragment.text, max),
        Outcome::Missing | Outcome::WrongType => "missing".to_owned(),
        // One more character than is shown, at four bytes each, so that a cut is detected.
        _ => cut(&lookup.text(4 * (max + 1)).unwrap_or_default(), max),
    }
}

/// The reason for the result of a condition; `None` if it is obvious from the value.
fn reason(lookup: &Lookup<'_>) -> Option<String> {
    let text = |text: &str| match text {
        "" => "empty".to_owned(),
        text => cut(text, SHOWN_OF_REASON),
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

/// The reason why a value has no items.
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
            // Invisible characters could look like the end of the hint, or reverse it.
            _ if c.is_control() || is_direction(c) => '\u{FFFD}',
            _ => c,
        })
        .collect();
    if text.chars().nth(max).is_some() {
        shown.push('…');
    }
    shown
}

/// Returns whether a character changes the direction of the following text.
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
            runtime: crate::snapshot::test::names(["now"]),
            literal: crate::snapshot::test::names(["page"]),
            ..Settings::default()
        };
        let fixture = Fixture::new(dialect, text).cases(&cases).variables(fragments);
        let snapshot = fixture.settings(settings).build();
        expected.assert_eq(&shown(
            text,
            &inlay_hints(&snapshot, 0..text.len(), Some(1), DEFAULT_HINT_WIDTH),
        ));
    }

    fn shown(text: &str, hints: &[InlayHint]) -> String {
        hints.iter().map(|hint| format!("{} {}\n", &text[hint.token.clone()], hint.label)).collect()
    }

    #[test]
    fn shown_values_replace_placeholders() {
        let text = "{{a}}{{#each xs}}{{this}}{{/each}}{{gone}}{{now}}{{empty}}";
        let long = "x".repeat(100);
        let inputs = format!(r#"{{"a": "{long}", "xs": [1, "", 3], "empty": ""}}"#);
        let settings =
            Settings { runtime: crate::snapshot::test::names(["now"]), ..Settings::default() };
        let fixture = Fixture::new(Dialect::Agentle, text).cases(&[("default", &inputs)]);
        let snapshot = fixture.settings(settings).build();
        let values = shown_values(&snapshot, 0..text.len(), Some(0));
        let line = |value: &ShownValue| {
            let ShownValue { token, kind, text: shown } = value;
            format!("{} {} {shown:?}\n", &text[token.clone()], kind.id())
        };
        let shown: String = values.iter().map(line).collect();
        expect![[r#"
            {{a}} value "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
            {{this}} value "1, empty, 3"
            {{gone}} missing "missing"
            {{now}} runtime "at run time"
            {{empty}} value ""
        "#]].assert_eq(&shown);
    }

    #[test]
    fn invisible_characters_are_shown() {
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
    fn short_values_are_shown_on_one_line() {
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
    fn long_values_are_cut() {
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
    fn optional_runtime_and_literal_names_have_their_own_hints() {
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
    fn fragments_are_shown_and_names_supplied_by_the_engine_are_not() {
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
    fn conditions_show_their_result_and_its_reason() {
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
    fn loops_show_the_number_of_items_and_their_values() {
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
    fn hints_need_inputs_and_are_limited_to_the_range() {
        let text = "{a} {b} {c}";
        let alone = Fixture::new(Dialect::Adk, text).build();
        assert_eq!(inlay_hints(&alone, 0..text.len(), None, DEFAULT_HINT_WIDTH), []);
        let snapshot = Fixture::new(Dialect::Adk, text).cases(&[("default", "{}")]).build();
        assert_eq!(
            shown(text, &inlay_hints(&snapshot, 4..7, Some(0), DEFAULT_HINT_WIDTH)),
            "{b} missing\n"
        );
        assert_eq!(inlay_hints(&snapshot, 0..text.len(), Some(7), DEFAULT_HINT_WIDTH), []);
    }

    #[test]
    fn defaults_are_shown_without_inputs() {
        let text = "{{a}} {{b}}";
        let variables = r#"{"variables": [{"name": "a", "default": 1}, {"name": "b"}]}"#;
        let snapshot = Fixture::new(Dialect::PromptPack, text).variables(variables).build();
        assert_eq!(
            shown(text, &inlay_hints(&snapshot, 0..text.len(), None, DEFAULT_HINT_WIDTH)),
            "{{a}} = 1\n"
        );
    }
}
