//! The size of a resolved text, and the contributions to it.

use std::collections::HashMap;

use promptls_resolver::{Resolution, Run};

use crate::tokens::Tokens;
use crate::without_value::WithoutValue;

/// The size of a part of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The number of Unicode characters.
    pub characters: usize,
    /// The number of tokens. A token belongs to the part that contains its middle byte: most words
    /// are one token together with the space before them.
    pub tokens: usize,
}

/// The contribution of a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceholderSize {
    /// The name or path of the placeholder.
    pub path: String,
    /// The size of all its runs together.
    pub share: Share,
    /// The number of its runs in the text.
    pub count: usize,
}

/// The contributions to a resolved text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// The text of the prompt itself.
    pub literal: Share,
    /// The other contributions, largest first.
    pub placeholders: Vec<PlaceholderSize>,
}

/// The size of a text, by contribution. `tokens` are those of the text.
///
/// Cost: the text, and its runs.
///
/// ```
/// use promptls_analysis::{Snapshot, TokenEncoding, WithoutValue, size};
/// use promptls_resolver::{Dialect, FileId, Format, Inputs, Template};
///
/// let inputs = Inputs::parse(r#"{"name": "Ada"}"#, Format::Json, FileId(1)).value.unwrap();
/// let snapshot = Snapshot::new(Dialect::Adk, "Dear {name},").with_case("default", inputs);
/// let given = &snapshot.given()[0];
/// let resolution = Template::compile(Dialect::Adk, "Dear {name},").resolve(given);
/// let tokens = TokenEncoding::default().split(&resolution.text);
/// let size = size(&resolution, &tokens, &WithoutValue::new(&snapshot, &resolution, given));
/// assert_eq!((&*size.placeholders[0].path, size.placeholders[0].share.characters), ("name", 3));
/// ```
pub fn size(resolution: &Resolution, tokens: &Tokens, without_value: &WithoutValue<'_>) -> Size {
    let mut literal = Share::default();
    let mut by_path: HashMap<String, PlaceholderSize> = HashMap::new();
    for run in &resolution.map.runs {
        let share = match path_of(run, without_value) {
            None => &mut literal,
            Some(path) => {
                let new =
                    || PlaceholderSize { path: path.clone(), share: Share::default(), count: 0 };
                let placeholder = by_path.entry(path.clone()).or_insert_with(new);
                placeholder.count += 1;
                &mut placeholder.share
            }
        };
        let std::ops::Range { start, end } = run.output;
        share.characters += resolution.text[start..end].chars().count();
        share.tokens += tokens.middled_before(end) - tokens.middled_before(start);
    }
    let mut placeholders: Vec<PlaceholderSize> = by_path.into_values().collect();
    let order = |it: &PlaceholderSize| (it.share.tokens, it.share.characters);
    placeholders.sort_by(|a, b| order(b).cmp(&order(a)).then_with(|| a.path.cmp(&b.path)));
    Size { literal, placeholders }
}

/// The placeholder that a run belongs to; `None` for the prompt's own text.
pub(crate) fn path_of(run: &Run, without_value: &WithoutValue<'_>) -> Option<String> {
    // Of several sources, the first one with a name is used.
    let mut own = std::iter::once(run).chain(&run.parts).filter_map(|run| run.path.as_deref());
    match own.next() {
        Some(path) => Some(path.to_owned()),
        None => without_value.of(run).map(|(_, name)| name),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_resolver::Template;
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::Settings;
    use crate::snapshot::test::Fixture;
    use crate::tokens::TokenEncoding;

    #[track_caller]
    fn check(dialect: Dialect, inputs: &str, text: &str, expected: Expect) {
        let settings =
            Settings { runtime: crate::snapshot::test::names(["now"]), ..Settings::default() };
        let fixture = Fixture::new(dialect, text).cases(&[("default", inputs)]);
        let snapshot = fixture.settings(settings).build();
        let given = snapshot.given().remove(0);
        let resolution = Template::compile(dialect, text).resolve(&given);
        let tokens = TokenEncoding::default().split(&resolution.text);
        let without_value = WithoutValue::new(&snapshot, &resolution, &given);
        let Size { literal, placeholders } = size(&resolution, &tokens, &without_value);
        let line = |name: &str, Share { characters, tokens }: Share, count| {
            format!("{name}{count} {characters} characters, {tokens} tokens\n")
        };
        let own = line("literal", literal, String::new());
        let others =
            placeholders.iter().map(|it| line(&it.path, it.share, format!(" ×{}", it.count)));
        expected.assert_eq(&format!("{:?}\n{own}{}", resolution.text, others.collect::<String>()));
        let sum = placeholders.iter().map(|it| it.share.tokens).sum::<usize>() + literal.tokens;
        assert_eq!(sum, tokens.count());
    }

    #[test]
    fn the_largest_placeholder_is_first_with_its_number_of_uses() {
        check(
            Dialect::Adk,
            r#"{"a": "one", "b": "two words"}"#,
            "{a}: {b}, {a} {b}.",
            expect![[r#"
                "one: two words, one two words."
                literal 6 characters, 3 tokens
                b ×2 18 characters, 4 tokens
                a ×2 6 characters, 2 tokens
            "#]],
        );
    }

    #[test]
    fn a_token_is_attributed_to_the_part_with_its_middle() {
        check(
            Dialect::Adk,
            r#"{"a": "lo wor"}"#,
            "hel{a}ld",
            expect![[r#"
                "hello world"
                literal 5 characters, 1 tokens
                a ×1 6 characters, 1 tokens
            "#]],
        );
    }

    #[test]
    fn names_without_a_value_are_measured_as_they_are_sent() {
        check(
            Dialect::Adk,
            "{}",
            "{now} {gone} {no?} {not one}",
            expect![[r#"
                "{now} {gone}  {not one}"
                literal 12 characters, 5 tokens
                gone ×1 6 characters, 3 tokens
                now ×1 5 characters, 3 tokens
                no ×1 0 characters, 0 tokens
            "#]],
        );
    }

    #[test]
    fn each_iteration_of_a_loop_is_measured() {
        check(
            Dialect::Agentle,
            r#"{"xs": [{"t": "é"}, {"t": "😀"}]}"#,
            "{{#each xs}}- {{this.t}}\n{{/each}}",
            expect![[r#"
                "- é\n- 😀\n"
                literal 6 characters, 4 tokens
                this.t ×2 2 characters, 2 tokens
            "#]],
        );
    }

    #[test]
    fn text_from_several_placeholders_is_attributed_to_one() {
        check(
            Dialect::AgentEnsemble,
            r#"{"a": "{b", "b": "!"}"#,
            "{a}} and {b}",
            expect![[r#"
                "! and !"
                literal 5 characters, 1 tokens
                b ×2 2 characters, 2 tokens
            "#]],
        );
    }
}
