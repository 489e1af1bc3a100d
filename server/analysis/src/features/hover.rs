//! What to show when somebody points at a placeholder, a block or an escape.

use std::ops::Range;

use promptls_resolver::agentle::{is_truthy, items};
use promptls_resolver::{Lookup, Outcome, Variable, root};
use promptls_syntax::{BlockKind, Dialect, Missing, TokenKind, TokenRef};

use crate::case_values::CaseValues;
use crate::snapshot::Snapshot;

/// What to show, and for which piece of the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes it is about.
    pub range: Range<usize>,
    /// Markdown. Values stand in code spans, so that they are never taken for Markdown.
    pub contents: String,
}

/// How much of a value is shown, in characters.
const SHOWN_OF_ONE: usize = 600;
const SHOWN_OF_MANY: usize = 80;

/// How many cases are shown.
const SHOWN_CASES: usize = 20;

/// What to show at `offset`; `None` over plain text.
///
/// Cost: the cases, and for names about the item of a loop its items.
pub fn hover(snapshot: &Snapshot, offset: usize) -> Option<Hover> {
    let found = snapshot.token_at(offset)?;
    let contents = match found.token.kind {
        TokenKind::Escape => format!("**escape** — sent as `{{{}}}`", found.name),
        TokenKind::BlockClose(kind) => format!("closes `{{{{#{}}}}}`", kind.keyword()),
        _ => name(snapshot, &found),
    };
    Some(Hover { range: found.token.range(), contents })
}

fn name(snapshot: &Snapshot, found: &TokenRef<'_>) -> String {
    let dialect = snapshot.dialect();
    let declared = snapshot.declarations.variable(root(dialect, found.name));
    let mut parts = vec![headline(found, declared)];
    if let Some(description) = declared.and_then(|variable| variable.description.as_deref()) {
        parts.push(description.to_owned());
    }
    if let Some(rules) = declared.and_then(rules) {
        parts.push(rules);
    }
    parts.push(values(snapshot, found));
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// `` **`customer`** — string, required ``
fn headline(found: &TokenRef<'_>, declared: Option<&Variable>) -> String {
    let mut facts = Vec::new();
    match found.token.kind {
        TokenKind::BlockOpen(BlockKind::If) => facts.push("condition".to_owned()),
        TokenKind::BlockOpen(BlockKind::Each) => facts.push("loop".to_owned()),
        TokenKind::Optional => facts.push("optional".to_owned()),
        _ => {}
    }
    if let Some(variable) = declared {
        let mut declaration = Vec::new();
        declaration.extend(variable.declared_type.map(|kind| kind.id()));
        declaration.extend(variable.required.then_some("required"));
        // The declaration is that of the first name; a member of it has none of its own.
        match (*variable.name == *found.name, declaration.is_empty()) {
            (true, _) => facts.extend(declaration.into_iter().map(str::to_owned)),
            (false, true) => facts.push(format!("part of {}", code(&variable.name))),
            (false, false) => {
                facts.push(format!(
                    "part of {} ({})",
                    code(&variable.name),
                    declaration.join(", ")
                ));
            }
        }
    }
    let name = code(found.name);
    if facts.is_empty() {
        format!("**{name}**")
    } else {
        format!("**{name}** — {}", facts.join(", "))
    }
}

fn rules(variable: &Variable) -> Option<String> {
    let rules = &variable.rules;
    let mut facts = Vec::new();
    if let Some(default) = &variable.default {
        let shown = default.as_text().map_or_else(|| default_text(default), str::to_owned);
        facts.push(format!("default {}", code(&cut(&shown, SHOWN_OF_MANY))));
    }
    if let Some(pattern) = &rules.pattern {
        facts.push(format!("matches {}", code(pattern.value.as_str())));
    }
    let between = |what: &str, low: Option<String>, high: Option<String>| match (low, high) {
        (Some(low), Some(high)) => Some(format!("{what} {low} to {high}")),
        (Some(low), None) => Some(format!("{what} at least {low}")),
        (None, Some(high)) => Some(format!("{what} at most {high}")),
        (None, None) => None,
    };
    let number = |rule: &Option<promptls_resolver::Rule<u64>>| {
        rule.as_ref().map(|rule| rule.value.to_string())
    };
    facts.extend(between("length", number(&rules.min_length), number(&rules.max_length)));
    let text = |rule: &Option<promptls_resolver::Rule<Box<str>>>| {
        rule.as_ref().map(|rule| rule.value.to_string())
    };
    facts.extend(between("value", text(&rules.minimum), text(&rules.maximum)));
    if let Some(allowed) = &rules.allowed {
        let values: Vec<String> = allowed
            .value
            .iter()
            .take(10)
            .map(|value| code(&value.as_text().map_or_else(|| default_text(value), str::to_owned)))
            .collect();
        facts.push(format!("one of {}", values.join(", ")));
    }
    (!facts.is_empty()).then(|| facts.join(" · "))
}

fn default_text(value: &promptls_resolver::Value) -> String {
    value.to_json()
}

/// What the name means in each case, and what the engine does where it means nothing.
fn values(snapshot: &Snapshot, found: &TokenRef<'_>) -> String {
    let cases = snapshot.given();
    let count = cases.len();
    let mut values = CaseValues::new(&snapshot.tree, cases);
    let mut lines = Vec::new();
    let mut any_missing = false;
    for case in 0..count.min(SHOWN_CASES) {
        let mut all: Vec<Lookup<'_>> = Vec::new();
        values.each(case, found.scope, found.name, |lookup| {
            all.push(lookup);
            all.len() < 1000
        });
        let (shown, is_missing) =
            meaning(snapshot, found, &all, if count == 1 { SHOWN_OF_ONE } else { SHOWN_OF_MANY });
        any_missing |= is_missing;
        let origin = all
            .iter()
            .find_map(|lookup| lookup.location.as_ref())
            .map(|location| format!(" — {}", snapshot.file_name(location.file)))
            .unwrap_or_default();
        match snapshot.cases.get(case) {
            Some(case) if count > 1 => lines.push(format!("- **{}**: {shown}{origin}", case.name)),
            _ => lines.push(format!("{shown}{origin}")),
        }
    }
    if count > SHOWN_CASES {
        lines.push(format!("- … and {} more cases", count - SHOWN_CASES));
    }
    let mut text = lines.join("\n");
    if any_missing && matches!(found.token.kind, TokenKind::Placeholder) {
        text.push_str("\n\n");
        text.push_str(if_missing(snapshot));
    }
    text
}

/// One case in words; and whether a value is missing.
fn meaning(
    snapshot: &Snapshot,
    found: &TokenRef<'_>,
    all: &[Lookup<'_>],
    max: usize,
) -> (String, bool) {
    let Some(first) = all.first() else { return ("not reached".to_owned(), false) };
    match found.token.kind {
        TokenKind::BlockOpen(BlockKind::If) if found.in_force => {
            let taken = all.iter().filter(|lookup| is_truthy(&lookup.outcome)).count();
            let shown = match (taken, all.len()) {
                (0, 1) => "not entered".to_owned(),
                (1, 1) => "entered".to_owned(),
                (taken, all) => format!("entered for {taken} of {all} items"),
            };
            (format!("{shown} ({})", value_text(snapshot, first, max)), false)
        }
        TokenKind::BlockOpen(BlockKind::Each) if found.in_force => {
            let count: usize = all.iter().map(|lookup| items(&lookup.outcome).len()).sum();
            (format!("{count} items"), false)
        }
        _ => {
            let missing = all.iter().filter(|lookup| lookup.is_missing()).count();
            let is_optional = found.token.kind == TokenKind::Optional;
            let shown: Vec<String> =
                all.iter().take(5).map(|lookup| value_text(snapshot, lookup, max)).collect();
            let more =
                if all.len() > 5 { format!(", … ({} items)", all.len()) } else { String::new() };
            (format!("{}{more}", shown.join(", ")), missing > 0 && !is_optional)
        }
    }
}

fn value_text(snapshot: &Snapshot, lookup: &Lookup<'_>, max: usize) -> String {
    match &lookup.outcome {
        Outcome::Missing if lookup.location.is_some() => "null".to_owned(),
        Outcome::Missing => "no value".to_owned(),
        Outcome::WrongType => "a list or an object, which the engine does not take".to_owned(),
        Outcome::Empty => "empty".to_owned(),
        Outcome::Runtime => "supplied at run time".to_owned(),
        Outcome::Fragment(fragment) => {
            let name = snapshot.file_name(snapshot.declarations.file);
            format!("fragment {} — {name}", code(&cut(&fragment.text, max)))
        }
        _ => {
            let text = lookup.text(max * 4 + 4).unwrap_or_default();
            if text.is_empty() { "empty".to_owned() } else { code(&cut(&text, max)) }
        }
    }
}

fn if_missing(snapshot: &Snapshot) -> &'static str {
    match (snapshot.dialect().spec().missing, snapshot.dialect()) {
        (Missing::Raises, Dialect::Adk) => {
            "Without a value, ADK raises an error; `?` makes it optional."
        }
        (Missing::Raises, _) => "Without a value, the engine raises an error and sends nothing.",
        (Missing::StaysLiteral, _) => "Without a value, the placeholder is sent as it is written.",
        (Missing::StaysLiteralOrEmpty, _) => {
            let has_blocks =
                snapshot.tree.uses().any(|(used, _)| matches!(used.kind, TokenKind::BlockOpen(_)));
            if has_blocks {
                "Without a value, nothing is sent in its place, because the prompt has a block."
            } else {
                "Without a value, the placeholder is sent as it is written."
            }
        }
    }
}

/// At most `max` characters, with the size of what is cut.
fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}… ({} characters)", &text[..at], text.chars().count()),
    }
}

/// A code span that holds any text: fenced by more backticks than it has, on one line.
fn code(text: &str) -> String {
    let line = text.replace("\r\n", "⏎").replace(['\n', '\r'], "⏎");
    let longest = line.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest > 0 || line.starts_with(' ') || line.is_empty() {
        format!("{fence} {line} {fence}")
    } else {
        format!("{fence}{line}{fence}")
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::snapshot::test::{Fixture, with_cursor};

    #[track_caller]
    fn check(dialect: Dialect, inputs: &[(&str, &str)], marked: &str, expected: Expect) {
        let (text, cursor) = with_cursor(marked);
        let snapshot = Fixture::new(dialect, &text).cases(inputs).build();
        let actual = match hover(&snapshot, cursor) {
            Some(hover) => format!("{:?}\n{}\n", hover.range, hover.contents),
            None => "nothing\n".to_owned(),
        };
        expected.assert_eq(&actual);
    }

    #[test]
    fn hover_shows_the_value() {
        check(
            Dialect::AgentEnsemble,
            &[("default", r#"{"customer": "Ada"}"#)],
            "Dear {cust$0omer},",
            expect![[r#"
                5..15
                **`customer`**

                `Ada` — default.json
            "#]],
        );
    }

    #[test]
    fn hover_shows_every_case_and_what_happens_without_a_value() {
        check(
            Dialect::Adk,
            &[("default", r#"{"a": 1.50}"#), ("other", "{}"), ("none", r#"{"a": null}"#)],
            "{a$0}",
            expect![[r#"
                0..3
                **`a`**

                - **default**: `1.50` — default.json
                - **other**: no value
                - **none**: empty — none.json

                Without a value, ADK raises an error; `?` makes it optional.
            "#]],
        );
    }

    #[test]
    fn hover_counts_the_items_of_a_loop() {
        let inputs = [("default", r#"{"xs": [{"n": "a"}, {"n": "b"}]}"#)];
        check(
            Dialect::Agentle,
            &inputs,
            "{{#each x$0s}}{{this.n}}{{/each}}",
            expect![[r#"
                0..12
                **`xs`** — loop

                2 items — default.json
            "#]],
        );
        check(
            Dialect::Agentle,
            &inputs,
            "{{#each xs}}{{this.$0n}}{{/each}}",
            expect![[r#"
                12..22
                **`this.n`**

                `a`, `b` — default.json
            "#]],
        );
    }

    #[test]
    fn a_member_is_part_of_what_is_declared() {
        let (text, cursor) = with_cursor("{{user.na$0me}}");
        let snapshot = Fixture::new(Dialect::PromptPack, &text)
            .cases(&[("default", r#"{"user": {"name": "Ada"}}"#)])
            .variables(r#"{"variables": [{"name": "user", "type": "object", "required": true}]}"#)
            .build();
        let hover = hover(&snapshot, cursor).expect("a placeholder has a hover");
        expect![[r#"
            **`user.name`** — part of `user` (object, required)

            `Ada` — default.json"#]]
        .assert_eq(&hover.contents);
    }

    #[test]
    fn no_hover_on_plain_text() {
        check(
            Dialect::Adk,
            &[("default", "{}")],
            "De$0ar {a}",
            expect![[r#"
            nothing
        "#]],
        );
    }

    #[test]
    fn values_cannot_break_out_of_their_code_span() {
        check(
            Dialect::Adk,
            &[("default", r#"{"a": "`x`\n<b>"}"#)],
            "{a$0}",
            expect![[r#"
                0..3
                **`a`**

                `` `x`⏎<b> `` — default.json
            "#]],
        );
    }
}
