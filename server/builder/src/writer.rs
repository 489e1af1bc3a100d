//! Writes a prompt so that its dialect parses exactly the intended placeholders.
//!
//! Pieces are concatenated, and the origin of each is recorded. Braces at the end of one piece can
//! join those at the start of the next. So the lexer of the dialect parses the finished text once,
//! and each token must match an intended one.

use std::ops::Range;

use promptls_syntax::{Dialect, TokenKind, escapes, spelled, tokenize};

use crate::error::BuildError;
use crate::text::{Text, TextPiece};

pub(crate) struct PromptWriter {
    dialect: Dialect,
    text: String,
    spans: Vec<Span>,
    /// The section that is being written, for messages.
    section: String,
}

struct Span {
    range: Range<usize>,
    origin: TextOrigin,
    section: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TextOrigin {
    /// Text between sections; no token of the dialect may touch it.
    Delimiter,
    /// Sent verbatim, so no token of the dialect may touch it.
    Literal,
    /// In the dialect, so its placeholders are intended.
    Meant,
    /// An escape within a literal text.
    Escape,
}

impl PromptWriter {
    pub fn new(dialect: Dialect) -> PromptWriter {
        PromptWriter { dialect, text: String::new(), spans: Vec::new(), section: String::new() }
    }

    /// Starts a section; the text that follows belongs to it.
    pub fn begin(&mut self, section: &str) {
        section.clone_into(&mut self.section);
    }

    pub fn delimiter(&mut self, text: &str) {
        self.push(text, TextOrigin::Delimiter);
    }

    pub fn text(&mut self, text: &Text) -> Result<(), BuildError> {
        for piece in text.pieces() {
            match piece {
                TextPiece::Template(text) => self.push(text, TextOrigin::Meant),
                TextPiece::Literal(text) => self.literal(text),
                TextPiece::Placeholder(name) => {
                    let written = placeholder(self.dialect, name)?;
                    self.push(&written, TextOrigin::Meant);
                }
            }
        }
        Ok(())
    }

    /// Writes a literal text, with the escapes that the dialect has.
    fn literal(&mut self, text: &str) {
        let mut end = 0;
        for (range, escape) in escapes(self.dialect, text) {
            self.push(&text[end..range.start], TextOrigin::Literal);
            self.push(&escape, TextOrigin::Escape);
            end = range.end;
        }
        self.push(&text[end..], TextOrigin::Literal);
    }

    fn push(&mut self, text: &str, origin: TextOrigin) {
        let start = self.text.len();
        self.text.push_str(text);
        let range = start..self.text.len();
        if !range.is_empty() {
            self.spans.push(Span { range, origin, section: self.section.clone() });
        }
    }

    /// Returns the text, or an error if its dialect parses anything that was not intended.
    pub fn finish(self) -> Result<String, BuildError> {
        let mut wrong = None;
        tokenize(self.dialect, &self.text, |token| {
            let is_read =
                token.kind.reads() || token.kind.is_block_tag() || token.kind == TokenKind::Escape;
            if !is_read || wrong.is_some() {
                return;
            }
            let first = self.spans.partition_point(|span| span.range.end <= token.start);
            let touched =
                self.spans[first..].iter().take_while(|span| span.range.start < token.end());
            let touched: Vec<&Span> = touched.collect();
            let is_meant = match touched[..] {
                [span] => match span.origin {
                    TextOrigin::Meant => true,
                    // An escape directly followed by a word is parsed wrongly.
                    TextOrigin::Escape => token.kind == TokenKind::Escape && token.flaw.is_none(),
                    TextOrigin::Delimiter | TextOrigin::Literal => false,
                },
                _ => false,
            };
            if !is_meant {
                let text = self.text[token.range()].to_owned();
                let dialect = self.dialect.spec().title;
                let is_delimiter = touched.iter().any(|span| span.origin == TextOrigin::Delimiter);
                wrong = Some(if is_delimiter {
                    BuildError::DelimitersCollide { dialect, text }
                } else {
                    let section = touched.first().map(|span| span.section.clone());
                    BuildError::WouldBeRead { section: section.unwrap_or_default(), dialect, text }
                });
            }
        });
        match wrong {
            Some(error) => Err(error),
            None => Ok(self.text),
        }
    }
}

/// A placeholder in the syntax of the dialect.
fn placeholder(dialect: Dialect, name: &str) -> Result<String, BuildError> {
    let spec = dialect.spec();
    let spelled = spelled(dialect, name).ok_or_else(|| BuildError::Name {
        dialect: spec.title,
        name: name.to_owned(),
        rule: spec.name_rule,
    })?;
    Ok(format!("{}{spelled}{}", spec.open, spec.close))
}
