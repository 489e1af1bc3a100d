//! The texts of fragments as they are written in their file, and what the engine acts on there.

use promptls_resolver::{Engine, Fragment, Location};
use promptls_syntax::{Token, TokenKind, tokenize};

use crate::snapshot::Snapshot;

/// The tokens of a fragment, each with its text; their places are those in the file.
///
/// The text stands in a JSON or YAML string, so it is read as it is written there; `None` where
/// that gives other tokens than the text itself has.
pub(crate) fn tokens_as_written(
    snapshot: &Snapshot,
    fragment: &Fragment,
) -> Option<Vec<(Token, String)>> {
    let file = snapshot.declarations.file;
    let range = fragment.span.range();
    let start = range.start;
    let written = snapshot.written_at(&Location { file, range })?;
    let read = tokens(snapshot.engine(), &fragment.text);
    let mut found = tokens(snapshot.engine(), &written);
    let texts = |tokens: &[(Token, String)]| -> Vec<String> {
        tokens.iter().map(|(_, text)| text.clone()).collect()
    };
    if texts(&read) != texts(&found) {
        return None;
    }
    for (token, _) in &mut found {
        token.start += start;
    }
    Some(found)
}

/// What the engine acts on in a text, each with what is written there.
pub(crate) fn tokens(engine: impl Into<Engine>, text: &str) -> Vec<(Token, String)> {
    let mut tokens = Vec::new();
    tokenize(engine.into(), text, |token| {
        if !matches!(token.kind, TokenKind::NearMiss | TokenKind::Foreign) {
            tokens.push((token, text[token.range()].to_owned()));
        }
    });
    tokens
}
