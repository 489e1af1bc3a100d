//! Completions in the texts of fragments, which are written in a file of declarations.

use std::ops::Range;
use std::sync::Arc;

use promptls_resolver::Location;
use promptls_syntax::Tree;

use super::complete;
use super::proposal::{Completion, CompletionKind};
use crate::prompt_text::PromptText;
use crate::snapshot::Snapshot;

/// The completions at an offset of a file with fragments: in the text of one, those of a prompt with
/// this text. `None` outside of fragments.
///
/// Like all names in fragments, they are completed in source form: a completion with a character that
/// strings may have to escape is left out.
///
/// Cost: that of [`complete`], and the text of the fragment.
pub fn complete_fragment(
    snapshot: &Snapshot,
    text: &str,
    offset: usize,
) -> Option<Vec<Completion>> {
    let mut fragments = snapshot.declarations.fragments.iter();
    let is_inside = |range: Range<usize>| range.start < offset && offset < range.end;
    let fragment = fragments.find(|fragment| is_inside(fragment.span.range()))?;
    let range = fragment.span.range();
    let written = text.get(range.clone())?;
    let known = Location { file: snapshot.declarations.file, range: range.clone() };
    // While the file is invalid, the ranges are those of its last valid text.
    if snapshot.written_at(&known)? != written {
        return Some(Vec::new());
    }
    let of_fragment = PromptText::from(written);
    let of_fragment = Snapshot {
        tree: Arc::new(Tree::parse(snapshot.dialect(), &of_fragment)),
        text: of_fragment,
        host: None,
        ..snapshot.clone()
    };
    let is_plain = |written: &String| !written.contains(['"', '\'', '\\', '\n']);
    let is_itself =
        |it: &Completion| it.kind == CompletionKind::Fragment && *it.label == *fragment.name;
    let found = complete(&of_fragment, offset - range.start).into_iter();
    let found = found.filter(|it| is_plain(&it.inserted) && !is_itself(it));
    let found = found.map(|completion| Completion {
        replaced: range.start + completion.replaced.start..range.start + completion.replaced.end,
        snippet: completion.snippet.filter(is_plain),
        ..completion
    });
    Some(found.collect())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::{Files, with_cursor};

    #[track_caller]
    fn check(marked: &str, expected: Expect) {
        let (variables, cursor) = with_cursor(marked);
        let inputs = [r#"{"user": {"name": "Ada"}, "city": "Oslo"}"#];
        let files = Files::new(Dialect::PromptPack, "{{tone}} {{user.name}}", &inputs, &variables);
        let shown = match complete_fragment(&files.snapshot, &variables, cursor) {
            None => "nothing\n".to_owned(),
            Some(found) => found
                .into_iter()
                .map(|found| {
                    let mut after = variables.clone();
                    after.replace_range(found.replaced, &found.inserted);
                    format!("{} → {after}\n", found.label)
                })
                .collect(),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn names_are_proposed_in_a_fragment_as_in_a_prompt() {
        check(
            r#"{"fragments": {"tone": "Be\nkind to {{us$0"}}"#,
            expect![[r#"
            city → {"fragments": {"tone": "Be\nkind to {{city}}"}}
            user → {"fragments": {"tone": "Be\nkind to {{user}}"}}
        "#]],
        );
        check(
            r#"{"fragments": {"tone": "Be\nkind to {{user.$0"}}"#,
            expect![[r#"
            name → {"fragments": {"tone": "Be\nkind to {{user.name}}"}}
        "#]],
        );
    }

    #[test]
    fn other_strings_are_no_fragments() {
        check(
            r#"{"fragments": {"to$0ne": "{{"}}"#,
            expect![[r#"
            nothing
        "#]],
        );
        check(
            r#"{"variables": [{"name": "{{$0"}]}"#,
            expect![[r#"
            nothing
        "#]],
        );
    }
}
