//! `textDocument/semanticTokens` for a document, its changes, or a range; and `promptls/tokens`.

use std::sync::Arc;

use promptls_analysis::position::{Encoding, width};
use promptls_analysis::{SemanticKind, SemanticModifier, semantic_tokens};
use promptls_protocol::{self as wire, PromptToken, TokensParams};
use promptls_workspace::is_code;

use crate::client_capabilities::ClientCapabilities;
use crate::context::Context;
use crate::convert::{self, Uri};
use crate::errors::Result;
use crate::handlers::long_line::is_coloured;
use crate::session::Session;
use crate::session::last_tokens::RelativeToken;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The language ids of prompts and of files that may contain them, except code.
pub const LANGUAGES: [&str; 7] =
    ["prompt-file", "plaintext", "markdown", "json", "jsonc", "yaml", "toml"];

/// The token types of the protocol for each kind. A number in a response is an index into this
/// list.
pub const TYPES: [(SemanticKind, &str); 9] = [
    (SemanticKind::Mark, "operator"),
    (SemanticKind::Keyword, "keyword"),
    (SemanticKind::Prefix, "namespace"),
    (SemanticKind::Name, "variable"),
    (SemanticKind::Member, "property"),
    (SemanticKind::Index, "number"),
    (SemanticKind::Item, "parameter"),
    (SemanticKind::Fragment, "macro"),
    (SemanticKind::Escape, "string"),
];

/// The same for modifiers. In a response, each index is a bit.
pub const MODIFIERS: [(SemanticModifier, &str); 2] = [
    // "Declared without an implementation" is the closest modifier of the protocol.
    (SemanticModifier::Missing, "abstract"),
    (SemanticModifier::Supplied, "defaultLibrary"),
];

/// All tokens of a document or a range.
pub struct Tokens {
    /// Names the response for a later request of the changes; `None` if there will be none.
    pub id: Option<String>,
    pub tokens: Arc<[RelativeToken]>,
}

/// The tokens of a document, or their changes since a previous response.
pub enum ChangedTokens {
    All(Tokens),
    /// Without an edit, the tokens are the same.
    Edit {
        id: Option<String>,
        edit: Option<TokenEdit>,
    },
}

/// A replacement of tokens, in units of encoded numbers.
#[derive(Debug, PartialEq, Eq)]
pub struct TokenEdit {
    pub start: u32,
    pub deleted: u32,
    pub new: Vec<RelativeToken>,
}

fn type_of(kind: SemanticKind) -> u32 {
    (0..).zip(&TYPES).find(|(_, (ours, _))| *ours == kind).map_or(0, |(index, _)| index)
}

fn bits_of(modifier: Option<SemanticModifier>) -> u32 {
    let found = (0..).zip(&MODIFIERS).find(|(_, (ours, _))| Some(*ours) == modifier);
    found.map_or(0, |(index, _): (u32, _)| 1 << index)
}

/// All tokens of a document.
pub fn full(context: Context<Vec<PromptSnapshot>>, uri: Uri) -> Result<Option<Tokens>> {
    let Some(tokens) = of_document(&context) else { return Ok(None) };
    Ok(Some(Tokens { id: keep(&context.session, uri, &tokens), tokens }))
}

/// The changes since a previous response; all tokens if it was not the last one.
pub fn delta(
    context: Context<Vec<PromptSnapshot>>,
    (uri, previous): (Uri, String),
) -> Result<Option<ChangedTokens>> {
    let Some(tokens) = of_document(&context) else { return Ok(None) };
    let before = context.session.last_tokens.get(&uri, &previous);
    let id = keep(&context.session, uri, &tokens);
    Ok(Some(match before {
        Some(before) => ChangedTokens::Edit { id, edit: edit_between(&before, &tokens) },
        None => ChangedTokens::All(Tokens { id, tokens }),
    }))
}

/// The tokens in a range.
pub fn range(
    context: Context<Vec<PromptSnapshot>>,
    requested: wire::Range,
) -> Result<Option<Tokens>> {
    let tokens = has_them(&context).then(|| tokens(&context, Some(requested)).into());
    Ok(tokens.map(|tokens| Tokens { id: None, tokens }))
}

fn of_document(context: &Context<Vec<PromptSnapshot>>) -> Option<Arc<[RelativeToken]>> {
    has_them(context).then(|| tokens(context, None).into())
}

/// Returns whether a document has tokens of this server. Some editors show the tokens of only one
/// server, and code has its own. They send `promptls/tokens` instead.
fn has_them(context: &Context<Vec<PromptSnapshot>>) -> bool {
    let of_code = context.client().code_semantic_tokens.unwrap_or(false);
    let first = context.subject.first();
    first.is_some_and(|prompt| of_code || !is_code(prompt.path()))
}

/// The parts of placeholders in a range.
pub fn in_range(
    context: Context<Vec<PromptSnapshot>>,
    params: TokensParams,
) -> Result<Option<Vec<PromptToken>>> {
    if context.subject.is_empty() {
        return Ok(None);
    }
    let (encoding, requested) = (context.encoding(), params.range);
    let mut found = Vec::new();
    for prompt in context.subject.iter().filter(|prompt| prompt.is_written_here()) {
        let bytes = prompt.bytes_in(requested, encoding);
        for token in semantic_tokens(prompt.snapshot(), bytes, prompt.case) {
            let Some(range) = prompt.shown_range(&token.range, encoding) else { continue };
            let is_inside = requested.start <= range.end && range.start <= requested.end;
            if is_inside && is_coloured(range.start.character) {
                found.push(PromptToken {
                    range,
                    kind: TYPES[type_of(token.kind) as usize].1.to_owned(),
                    is_missing: token.modifier == Some(SemanticModifier::Missing),
                });
            }
        }
    }
    Ok(Some(found))
}

/// Stores a response and returns its id; `None` if the document was closed meanwhile.
fn keep(session: &Session, uri: Uri, tokens: &Arc<[RelativeToken]>) -> Option<String> {
    session.documents.version(&uri)?;
    Some(session.last_tokens.keep(uri, tokens.clone()))
}

/// The tokens of a document's prompts, each relative to the previous one.
fn tokens(
    context: &Context<Vec<PromptSnapshot>>,
    requested: Option<wire::Range>,
) -> Vec<RelativeToken> {
    let &ClientCapabilities { encoding, display, .. } = context.client();
    let mut encoder = Encoder::default();
    for prompt in context.subject.iter().filter(|prompt| prompt.is_written_here()) {
        let text = prompt.document_text();
        let bytes = match requested {
            Some(requested) => prompt.bytes_in(requested, encoding),
            None => 0..prompt.snapshot().text.len_bytes(),
        };
        for token in semantic_tokens(prompt.snapshot(), bytes, prompt.case) {
            let shown = prompt.prompt().is_shown_here(&token.range);
            let range = shown.then(|| prompt.in_document(&token.range));
            let Some(range) = range.flatten() else { continue };
            let wire::Range { start, end } = convert::wire_range(text, &range, encoding);
            let is_outside = |requested: wire::Range| {
                end.line < requested.start.line || start.line > requested.end.line
            };
            if requested.is_some_and(is_outside) || !is_coloured(start.character) {
                continue;
            }
            let (kind, bits) = (type_of(token.kind), bits_of(token.modifier));
            if start.line == end.line {
                encoder.push(start, end.character - start.character, kind, bits);
                continue;
            }
            let slice = text.byte_slice(range);
            if display.multiline_tokens {
                encoder.push(start, columns(&slice.to_string(), encoding), kind, bits);
                continue;
            }
            for (index, line) in (0..).zip(slice.lines()) {
                let line = line.to_string();
                let piece = line.trim_end_matches(['\r', '\n']);
                let character = if index == 0 { start.character } else { 0 };
                let at = wire::Position { line: start.line + index, character };
                encoder.push(at, columns(piece, encoding), kind, bits);
            }
        }
    }
    encoder.encoded()
}

fn columns(piece: &str, encoding: Encoding) -> u32 {
    u32::try_from(width(piece, encoding)).unwrap_or(u32::MAX)
}

/// Encodes tokens, each relative to the previous one.
#[derive(Default)]
struct Encoder {
    /// With their positions instead of distances.
    tokens: Vec<RelativeToken>,
}

impl Encoder {
    fn push(&mut self, at: wire::Position, length: u32, kind: u32, modifiers: u32) {
        if length == 0 {
            return;
        }
        let (line, start) = (at.line, at.character);
        self.tokens.push(RelativeToken { line, start, length, kind, modifiers });
    }

    /// The tokens in the order of the document. A prompt that includes constants has another one.
    fn encoded(mut self) -> Vec<RelativeToken> {
        self.tokens.sort_by_key(|token| (token.line, token.start));
        let (mut line, mut start) = (0, 0);
        for token in &mut self.tokens {
            let at = (token.line, token.start);
            token.line -= line;
            token.start -= if token.line == 0 { start } else { 0 };
            (line, start) = at;
        }
        self.tokens
    }
}

/// The single edit that turns `old` into `new`, in units of encoded numbers; `None` if they are
/// equal.
fn edit_between(old: &[RelativeToken], new: &[RelativeToken]) -> Option<TokenEdit> {
    /// Each token is encoded as this many numbers.
    const NUMBERS: usize = 5;
    let same = |(old, new): &(&RelativeToken, &RelativeToken)| old == new;
    let start = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    if old.is_empty() && new.is_empty() {
        return None;
    }
    let number = |tokens: usize| u32::try_from(tokens * NUMBERS).unwrap_or(u32::MAX);
    Some(TokenEdit { start: number(start), deleted: number(old.len()), new: new.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(lengths: &[u32]) -> Vec<RelativeToken> {
        let token = |&length| RelativeToken { length, ..RelativeToken::default() };
        lengths.iter().map(token).collect()
    }

    #[track_caller]
    fn check(old: &[u32], new: &[u32], expected: Option<(u32, u32, &[u32])>) {
        let edit = edit_between(&tokens(old), &tokens(new));
        let expected = expected.map(|(start, deleted, new)| {
            let new = tokens(new);
            TokenEdit { start, deleted, new }
        });
        assert_eq!(edit, expected);
    }

    #[test]
    fn a_token_edit_contains_only_new_tokens() {
        check(&[1, 2, 3], &[1, 2, 3], None);
        check(&[1, 2, 3], &[1, 4, 5, 3], Some((5, 5, &[4, 5])));
        check(&[1, 2, 3], &[1, 3], Some((5, 5, &[])));
        check(&[1, 1], &[1, 1, 1], Some((10, 0, &[1])));
        check(&[], &[1], Some((0, 0, &[1])));
    }
}
