//! Semantic tokens: the parts of placeholders and tags, for syntax highlighting.

use std::ops::Range;

use promptls_resolver::blocks::is_of_item;
use promptls_resolver::{Outcome, root};
use promptls_syntax::{TokenKind, TokenRef, UseMap};

use crate::case_values::CaseValues;
use crate::snapshot::Snapshot;
use crate::symbol::{PathStep, pieces};

/// A part of a prompt with a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// The range in bytes; it may span several lines.
    pub range: Range<usize>,
    /// The kind of the token.
    pub kind: SemanticKind,
    /// A special property of the token.
    pub modifier: Option<SemanticModifier>,
}

/// The kinds of tokens, independent of the token types of a protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticKind {
    /// Braces, and the mark of an optional placeholder.
    Mark,
    /// The keyword of a block tag: `#if`, `/each`.
    Keyword,
    /// A prefix with a meaning in the dialect: `app:`, `artifact.`, `fragments`.
    Prefix,
    /// A name in the inputs.
    Name,
    /// A later step of a path.
    Member,
    /// An index into a list: `[0]`.
    Index,
    /// `this`, which refers to the item of a loop.
    Item,
    /// The name of a fragment.
    Fragment,
    /// Text that stands for literal braces.
    Escape,
}

/// A special property of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticModifier {
    /// It has no value in the case.
    Missing,
    /// The application or the engine supplies its value.
    Supplied,
}

/// The tokens of all placeholders, escapes and block tags that overlap a range, in order. They do
/// not overlap each other. Tags that are literal text have none.
///
/// `case` is an index into [`Snapshot::cases`]; without it, tokens have no modifiers for values.
///
/// Cost: the tokens in the range, and a lookup for each distinct use of a name among them.
///
/// ```
/// use promptls_analysis::{SemanticKind, Snapshot, semantic_tokens};
/// use promptls_resolver::{Dialect};
///
/// let snapshot = Snapshot::new(Dialect::Adk, "Dear {name},");
/// let tokens = semantic_tokens(&snapshot, 0..12, None);
/// assert_eq!((tokens[0].kind, tokens[0].range.clone()), (SemanticKind::Mark, 5..6));
/// ```
pub fn semantic_tokens(
    snapshot: &Snapshot,
    range: Range<usize>,
    case: Option<usize>,
) -> Vec<SemanticToken> {
    if snapshot.foreign.is_some() {
        return Vec::new();
    }
    let mut pieces = Pieces {
        snapshot,
        values: CaseValues::new(snapshot.engine(), &snapshot.tree, snapshot.given()),
        case: case.filter(|&case| case < snapshot.cases.len()),
        modifiers: UseMap::default(),
        found: Vec::new(),
    };
    for token in snapshot.tree.tokens_in(range) {
        pieces.add_token(&token);
    }
    pieces.found
}

struct Pieces<'a> {
    snapshot: &'a Snapshot,
    values: CaseValues<'a>,
    case: Option<usize>,
    modifiers: UseMap<Option<SemanticModifier>>,
    found: Vec<SemanticToken>,
}

impl<'a> Pieces<'a> {
    fn add(&mut self, range: Range<usize>, kind: SemanticKind) {
        if !range.is_empty() {
            self.found.push(SemanticToken { range, kind, modifier: None });
        }
    }

    fn add_token(&mut self, token: &TokenRef<'a>) {
        match token.token.kind {
            TokenKind::NearMiss | TokenKind::Foreign | TokenKind::Malformed => return,
            TokenKind::BlockOpen(_) | TokenKind::BlockClose(_) if !token.in_force => return,
            TokenKind::Escape => return self.add(token.token.range(), SemanticKind::Escape),
            _ => {}
        }
        let Range { start, end } = token.token.range();
        let text = self.snapshot.slice(start..end);
        let name = match token.token.kind {
            // A closer has no name; all text between its braces is before the position of a name.
            TokenKind::BlockClose(_) => {
                let close = text.trim_end_matches('}').len();
                start + close..start + close
            }
            _ => self.snapshot.name_range(token),
        };
        let before = text[..name.start - start].trim_end();
        let open = before.len() - before.trim_start_matches('{').len();
        self.add(start..start + open, SemanticKind::Mark);
        self.add(start + open..start + before.len(), SemanticKind::Keyword);

        if token.token.kind.reads() {
            let first = self.found.len();
            self.add_name(token, name.clone());
            let modifier = self.modifier(token);
            for piece in &mut self.found[first..] {
                piece.modifier = modifier;
            }
        }

        let after = &text[name.end - start..];
        let optional = usize::from(after.starts_with('?'));
        self.add(name.end..name.end + optional, SemanticKind::Mark);
        let close = after.find('}').unwrap_or(after.len());
        self.add(name.end + close..end, SemanticKind::Mark);
    }

    fn add_name(&mut self, token: &TokenRef<'a>, range: Range<usize>) {
        let dialect = self.snapshot.dialect();
        let name = token.name;
        let start = range.start;
        if let Some(fragment) = self.snapshot.fragment_name(name) {
            let before = name.len() - fragment.len();
            self.add(start..start + before.saturating_sub(1), SemanticKind::Prefix);
            return self.add(start + before..range.end, SemanticKind::Fragment);
        }
        let prefixes = dialect.spec().prefixes.iter();
        if let Some(prefix) = prefixes.copied().find(|prefix| name.starts_with(prefix)) {
            self.add(start..start + prefix.len(), SemanticKind::Prefix);
            return self.add(start + prefix.len()..range.end, SemanticKind::Name);
        }
        let is_item =
            is_of_item(dialect, name) && self.snapshot.tree.loop_around(token.scope).is_some();
        for (index, (step, piece)) in pieces(dialect, name).into_iter().enumerate() {
            let kind = match step {
                PathStep::Index(_) => SemanticKind::Index,
                _ if index > 0 => SemanticKind::Member,
                _ if is_item => SemanticKind::Item,
                _ => SemanticKind::Name,
            };
            self.add(start + piece.start..start + piece.end, kind);
        }
    }

    fn modifier(&mut self, token: &TokenRef<'a>) -> Option<SemanticModifier> {
        let case = self.case?;
        let used = token.used();
        let literal = &self.snapshot.settings.literal;
        if literal.contains(root(self.snapshot.dialect(), token.name)) {
            return None;
        }
        if let Some(&known) = self.modifiers.get(&used) {
            return known;
        }
        let mut modifier = None;
        self.values.each(case, token.scope, token.name, |lookup| {
            modifier = match lookup.outcome {
                Outcome::Missing if used.kind == TokenKind::Optional => None,
                Outcome::Missing => Some(SemanticModifier::Missing),
                Outcome::Runtime => Some(SemanticModifier::Supplied),
                _ => None,
            };
            modifier.is_none()
        });
        self.modifiers.insert(used, modifier);
        modifier
    }
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
        let fragments = r#"{"fragments": {"tone": "Be kind"}}"#;
        let settings =
            Settings { runtime: crate::snapshot::test::names(["now"]), ..Settings::default() };
        let fixture = Fixture::new(dialect, text).cases(&[("default", inputs)]);
        let snapshot = fixture.variables(fragments).settings(settings).build();
        let found = semantic_tokens(&snapshot, 0..text.len(), Some(0));
        let line = |SemanticToken { range, kind, modifier }: &SemanticToken| {
            let modifier = modifier.map(|modifier| format!(" {modifier:?}")).unwrap_or_default();
            format!("{:?} {kind:?}{modifier}\n", &text[range.clone()])
        };
        expected.assert_eq(&found.iter().map(line).collect::<String>());
        assert!(found.is_sorted_by(|a, b| a.range.end <= b.range.start), "{found:?}");
    }

    #[test]
    fn names_escapes_and_literals_have_tokens() {
        check(
            Dialect::AgentEnsemble,
            r#"{"a": 1}"#,
            "{a} {b} {{c}} { d }",
            expect![[r#"
                "{" Mark
                "a" Name
                "}" Mark
                "{" Mark
                "b" Name Missing
                "}" Mark
                "{{c}}" Escape
            "#]],
        );
    }

    #[test]
    fn prefixes_optional_marks_and_swallowed_braces_have_tokens() {
        check(
            Dialect::Adk,
            r#"{"user:a": 1}"#,
            "{{ user:a }} {artifact.b.txt?} {now}",
            expect![[r#"
                "{{" Mark
                "user:" Prefix
                "a" Name
                "}}" Mark
                "{" Mark
                "artifact." Prefix
                "b.txt" Name
                "?" Mark
                "}" Mark
                "{" Mark
                "now" Name Supplied
                "}" Mark
            "#]],
        );
    }

    #[test]
    fn paths_indexes_and_fragments() {
        check(
            Dialect::PromptPack,
            r#"{"a": [{"b": 1}]}"#,
            "{{a[0].b}} {{tone}} {{fragments.tone}}",
            expect![[r#"
                "{{" Mark
                "a" Name
                "[0]" Index
                "b" Member
                "}}" Mark
                "{{" Mark
                "tone" Fragment
                "}}" Mark
                "{{" Mark
                "fragments" Prefix
                "tone" Fragment
                "}}" Mark
            "#]],
        );
    }

    #[test]
    fn blocks_and_the_item_of_a_loop() {
        check(
            Dialect::Agentle,
            r#"{"xs": [{"a": 1}, {}]}"#,
            "{{#each  xs }}{{ this.a }}{{/each}} {{this}}",
            expect![[r##"
                "{{" Mark
                "#each" Keyword
                "xs" Name
                "}}" Mark
                "{{" Mark
                "this" Item Missing
                "a" Member Missing
                "}}" Mark
                "{{" Mark
                "/each" Keyword
                "}}" Mark
                "{{" Mark
                "this" Name Missing
                "}}" Mark
            "##]],
        );
    }

    #[test]
    fn tags_of_a_block_that_is_not_closed_are_literal() {
        check(Dialect::Agentle, "{}", "{{#if a}} {{/each}}", expect![""]);
    }

    #[test]
    fn outputs_of_tasks() {
        check(
            Dialect::Entaingine,
            r#"{"task_0": {"output_1": "x"}}"#,
            "{task_0.output_1}",
            expect![[r#"
                "{" Mark
                "task_0" Name
                "output_1" Member
                "}" Mark
            "#]],
        );
    }

    #[test]
    fn only_tokens_of_the_range_are_returned() {
        let text = "{a} {b} {c}";
        let snapshot = Fixture::new(Dialect::Adk, text).build();
        let found = semantic_tokens(&snapshot, 5..6, None);
        let pieces: Vec<&str> = found.into_iter().map(|token| &text[token.range]).collect();
        assert_eq!(pieces, ["{", "b", "}"]);
    }

    #[test]
    fn tokens_of_an_odd_prompt_are_sorted_and_disjoint() {
        let prompt = "{{{x}}} {{a}}{{b}} {{ a . b. }} {{.}} {{}} {{#each }}{{this..é}}{{/each}} \
            {{#each this}}{{this}}{{/each}} {{a[0][1].b}} {task_0..} {app:é?} {{fragments.}} {\n x\n}";
        for dialect in Dialect::ALL {
            let snapshot = Fixture::new(dialect, prompt).cases(&[("default", "{}")]).build();
            let found = semantic_tokens(&snapshot, 0..prompt.len(), Some(0));
            assert!(found.is_sorted_by(|a, b| a.range.end <= b.range.start), "{found:?}");
            assert!(found.iter().all(|token| prompt.get(token.range.clone()).is_some()));
        }
    }
}
