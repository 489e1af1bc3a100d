//! Splits a prompt into text and names.

use std::ops::Range;

use promptls_resolver::{
    Engine, MAX_FRAGMENT_DEPTH, Outcome, effective_name, fragments_too_deep, lookup_name,
};
use promptls_syntax::{BlockKind, TagStatus, TokenKind, TokenRef, Tree, unescaped};

use super::conversion::Unsupported;
use super::had::declares_for_itself;
use crate::dialects::format::has_specification;
use crate::snapshot::Snapshot;

/// A part of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PromptPiece {
    /// Its range in the prompt; for text of a fragment, the range of the inclusion.
    pub source: Range<usize>,
    pub content: PieceContent,
}

/// The content of a part.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PieceContent {
    /// Text that is sent unchanged, with escapes resolved.
    Literal(String),
    /// The value of a name.
    Name { name: String, optional: bool },
}

/// The maximum number of pieces. Fragments that include others twice grow exponentially when they
/// are expanded.
const MAX_PIECES: usize = 100_000;

/// The pieces of a prompt in order, or its parts without an equivalent in another dialect.
///
/// Fragments are expanded if they cannot be kept.
pub(super) fn cut(
    snapshot: &Snapshot,
    target: Engine,
) -> Result<Vec<PromptPiece>, Vec<Unsupported>> {
    let mut cutter = Cutter {
        snapshot,
        target,
        keeps_fragments: target.dialect().spec().fragment_prefix.is_some()
            && declares_for_itself(snapshot),
        pieces: Vec::new(),
        unsupported: Vec::new(),
        open: Vec::new(),
    };
    cutter.text(&snapshot.text.whole(), &snapshot.tree, None);
    match cutter.unsupported.is_empty() {
        true => Ok(cutter.pieces),
        false => Err(cutter.unsupported),
    }
}

struct Cutter<'s> {
    snapshot: &'s Snapshot,
    target: Engine,
    keeps_fragments: bool,
    pieces: Vec<PromptPiece>,
    unsupported: Vec<Unsupported>,
    /// The fragments that are being expanded.
    open: Vec<String>,
}

impl Cutter<'_> {
    /// Splits the text of the prompt, or of a fragment that is included at a position.
    fn text(&mut self, text: &str, tree: &Tree, included_at: Option<&Range<usize>>) {
        let mut end = 0;
        for found in tree.tokens() {
            let range = found.token.range();
            let at = included_at.unwrap_or(&range).clone();
            let content = match found.token.kind {
                TokenKind::Placeholder if has_specification(self.snapshot, &found) => {
                    let title = self.target.dialect().spec().title;
                    let what = "conversions and format specifications";
                    self.add_unsupported(at.clone(), format!("{title} has no {what}"));
                    Some(String::new())
                }
                TokenKind::Placeholder | TokenKind::Optional => None,
                TokenKind::Malformed => {
                    let error = self.snapshot.engine().refused_brace(&text[range.start..]);
                    let why = error.unwrap_or_default();
                    self.add_unsupported(at.clone(), format!("its engine raises an error: {why}"));
                    Some(String::new())
                }
                TokenKind::Escape => Some(unescaped(&text[range.clone()]).to_owned()),
                TokenKind::BlockOpen(kind) if is_block(&found) => {
                    self.add_unsupported(at.clone(), self.no_block(kind));
                    Some(String::new())
                }
                TokenKind::BlockClose(_) if is_block(&found) => Some(String::new()),
                _ => continue,
            };
            self.literal(included_at, end..range.start, &text[end..range.start]);
            match content {
                Some(literal) => self.literal(Some(&at), range.clone(), &literal),
                None => self.name(&found, at),
            }
            end = range.end;
            if let Some(at) = included_at
                && self.pieces.len() > MAX_PIECES
            {
                return self.add_unsupported(
                    at.clone(),
                    "its fragments are too long to be written out".into(),
                );
            }
        }
        self.literal(included_at, end..text.len(), &text[end..]);
    }

    fn literal(&mut self, at: Option<&Range<usize>>, range: Range<usize>, text: &str) {
        if !text.is_empty() {
            let content = PieceContent::Literal(text.to_owned());
            self.pieces.push(PromptPiece { source: at.unwrap_or(&range).clone(), content });
        }
    }

    fn name(&mut self, found: &TokenRef<'_>, at: Range<usize>) {
        let engine = self.snapshot.engine();
        let name = effective_name(engine, found.name).into_owned();
        let given = self.snapshot.given();
        let meant = lookup_name(engine, &name, &given[0]).outcome;
        let Outcome::Fragment(fragment) = meant else {
            let optional = found.token.kind == TokenKind::Optional;
            let content = PieceContent::Name { name, optional };
            return self.pieces.push(PromptPiece { source: at, content });
        };
        if self.keeps_fragments {
            let content = PieceContent::Name { name, optional: false };
            return self.pieces.push(PromptPiece { source: at, content });
        }
        if self.open.iter().any(|open| **open == *fragment.name) {
            let reason = format!("the fragment `{}` includes itself", fragment.name);
            return self.add_unsupported(at, reason);
        }
        if self.open.len() == MAX_FRAGMENT_DEPTH {
            return self.add_unsupported(at, fragments_too_deep());
        }
        self.open.push(fragment.name.to_string());
        let tree = Tree::parse(engine.grammar(), &*fragment.text);
        self.text(&fragment.text, &tree, Some(&at));
        self.open.pop();
    }

    fn no_block(&self, kind: BlockKind) -> String {
        let what = match kind {
            BlockKind::If => "a condition",
            BlockKind::Each => "a loop",
        };
        format!("{} cannot express {what}", self.target.dialect().spec().title)
    }

    fn add_unsupported(&mut self, range: Range<usize>, reason: String) {
        let new = Unsupported { range, reason };
        if !self.unsupported.contains(&new) {
            self.unsupported.push(new);
        }
    }
}

/// Returns whether the engine acts on a tag; otherwise it is text.
pub(super) fn is_block(found: &TokenRef<'_>) -> bool {
    found.in_force && found.status == TagStatus::Paired
}
