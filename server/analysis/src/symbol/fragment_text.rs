//! The source texts of fragments in their file, and their tokens.

use promptls_resolver::{Engine, Fragment, Location};
use promptls_syntax::{Token, tokenize};

use crate::snapshot::Snapshot;

/// The tokens of a fragment, each with its text and its offset in the file.
///
/// The text is in a JSON or YAML string, and is parsed in source form. `None` if that results in
/// other tokens than the text itself has.
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

/// The tokens that the engine acts on in a text, each with its source.
pub(crate) fn tokens(engine: impl Into<Engine>, text: &str) -> Vec<(Token, String)> {
    let mut tokens = Vec::new();
    tokenize(engine.into(), text, |token| {
        if !token.kind.is_text() {
            tokens.push((token, text[token.range()].to_owned()));
        }
    });
    tokens
}
