//! Unfinished fixes, and helpers to find their tokens.

use std::ops::Range;

use promptls_resolver::{Code, FileId, Location, Problem, root};
use promptls_syntax::{Token, TokenRef, tokenize};

use super::action::{ActionKind, Change, CodeAction};
use super::id::ActionId;
use crate::edit::TextEdit;
use crate::snapshot::Snapshot;

/// An unfinished action; its problem is added later.
pub(super) struct Fix {
    pub id: ActionId,
    pub title: String,
    pub is_preferred: bool,
    pub is_safe: bool,
    pub changes: Vec<Change>,
    pub disabled: Option<String>,
}

impl Fix {
    pub fn of(id: impl Into<ActionId>, title: impl Into<String>, change: Change) -> Fix {
        Fix::of_all(id, title, vec![change])
    }

    pub fn of_all(id: impl Into<ActionId>, title: impl Into<String>, changes: Vec<Change>) -> Fix {
        let (id, title) = (id.into(), title.into());
        Fix { id, title, is_preferred: false, is_safe: false, changes, disabled: None }
    }

    /// A disabled action with a reason, which the user may expect.
    pub fn impossible(
        id: impl Into<ActionId>,
        title: impl Into<String>,
        why: impl Into<String>,
    ) -> Fix {
        Fix { disabled: Some(why.into()), ..Fix::of_all(id, title, Vec::new()) }
    }

    pub fn preferred(self) -> Fix {
        Fix { is_preferred: true, ..self }
    }

    /// The action for a name without problems.
    pub fn refactoring(self) -> CodeAction {
        self.action(ActionKind::Refactor, None)
    }

    /// The action for a problem.
    pub fn done(self, problem: &Problem) -> CodeAction {
        let fixes = (problem.code, problem.location.clone());
        self.action(ActionKind::QuickFix, Some(fixes))
    }

    fn action(self, kind: ActionKind, fixes: Option<(Code, Location)>) -> CodeAction {
        let Fix { id, title, is_preferred, is_safe, changes, disabled } = self;
        CodeAction { id, title, kind, fixes, is_preferred, is_safe, changes, disabled }
    }
}

pub(super) fn replace(file: FileId, range: Range<usize>, text: impl Into<String>) -> Change {
    Change::Text(TextEdit { location: Location { file, range }, text: text.into() })
}

/// The token at the position of a problem in the prompt.
pub(super) fn token_of<'s>(snapshot: &'s Snapshot, problem: &Problem) -> Option<TokenRef<'s>> {
    let place = &problem.location.range;
    let covers =
        |found: &TokenRef<'_>| found.token.start <= place.start && place.end <= found.token.end();
    (problem.location.file == FileId::PROMPT)
        .then(|| snapshot.tree.tokens_in(place.clone()).find(covers))?
}

/// The first name of the path that a problem refers to.
pub(super) fn first_name<'p>(snapshot: &Snapshot, problem: &'p Problem) -> Option<&'p str> {
    let name = problem.names.first()?;
    Some(root(snapshot.dialect(), name)).filter(|first| !first.is_empty())
}

/// Marks the first available fix as preferred.
pub(super) fn preferring_first(mut fixes: Vec<Fix>) -> Vec<Fix> {
    if let Some(first) = fixes.iter_mut().find(|fix| fix.disabled.is_none()) {
        first.is_preferred = true;
    }
    fixes
}

/// The token that a range becomes if it is replaced; `None` if the new text is not one token.
pub(super) fn replaced_token(
    snapshot: &Snapshot,
    range: &Range<usize>,
    new: &str,
) -> Option<Token> {
    token_after(snapshot, range, new, &(range.start..range.start + new.len()))
}

/// The token that covers exactly `target` after a range is replaced, with all its positions in the
/// new text.
///
/// Only the text around is parsed: a token that a distant one would swallow counts as a token.
pub(super) fn token_after(
    snapshot: &Snapshot,
    range: &Range<usize>,
    new: &str,
    target: &Range<usize>,
) -> Option<Token> {
    const AROUND: usize = 256;
    let text = snapshot.text.rope();
    let boundary =
        |offset: usize| text.char_to_byte(text.byte_to_char(offset.min(text.len_bytes())));
    let start = boundary(range.start.min(target.start).saturating_sub(AROUND));
    let end = boundary(range.end + AROUND).max(range.end);
    let before = snapshot.slice(start..range.start);
    let changed = format!("{before}{new}{}", snapshot.slice(range.end..end));
    let mut found = None;
    tokenize(snapshot.engine(), &changed, |token| {
        let token = Token { start: token.start + start, ..token };
        if token.range() == *target {
            found = Some(token);
        }
    });
    found
}
