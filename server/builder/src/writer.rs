//! Writes a prompt so that its dialect reads just what was meant to be read.
//!
//! Pieces are put one behind the other, and it is remembered what each of them is. Braces at the
//! end of one can join those at the start of the next, so the finished text is read once by the
//! lexer of the dialect: whatever it finds must be what somebody meant.

use std::ops::Range;

use promptls_syntax::{Dialect, TokenKind, escaped, spelled, tokenize};

use crate::error::BuildError;
use crate::text::{Piece, Text};

pub(crate) struct Writer {
    dialect: Dialect,
    text: String,
    spans: Vec<Span>,
    /// What is being written, for messages.
    section: String,
}

struct Span {
    range: Range<usize>,
    origin: Origin,
    section: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// What tells sections apart.
    Delimiter,
    /// Sent as it stands.
    Literal,
    /// In the dialect, so placeholders in it are meant.
    Meant,
    /// An escape of something that is to be sent as it stands.
    Escape,
}

impl Writer {
    pub fn new(dialect: Dialect) -> Writer {
        Writer { dialect, text: String::new(), spans: Vec::new(), section: String::new() }
    }

    /// What follows belongs to this section.
    pub fn begin(&mut self, section: &str) {
        section.clone_into(&mut self.section);
    }

    pub fn delimiter(&mut self, text: &str) {
        self.push(text, Origin::Delimiter);
    }

    pub fn text(&mut self, text: &Text) -> Result<(), BuildError> {
        for piece in text.pieces() {
            match piece {
                Piece::Template(text) => self.push(text, Origin::Meant),
                Piece::Literal(text) => self.literal(text),
                Piece::Placeholder(name) => {
                    let written = placeholder(self.dialect, name)?;
                    self.push(&written, Origin::Meant);
                }
            }
        }
        Ok(())
    }

    /// Writes a text that is sent as it stands, with escapes where there are any.
    fn literal(&mut self, text: &str) {
        let mut end = 0;
        let dialect = self.dialect;
        tokenize(dialect, text, |token| {
            let written = &text[token.range()];
            if token.kind == TokenKind::Placeholder
                && let Some(escaped) = escaped(dialect, written)
            {
                self.push(&text[end..token.start], Origin::Literal);
                self.push(&escaped, Origin::Escape);
                end = token.end();
            }
        });
        self.push(&text[end..], Origin::Literal);
    }

    fn push(&mut self, text: &str, origin: Origin) {
        let start = self.text.len();
        self.text.push_str(text);
        let range = start..self.text.len();
        if !range.is_empty() {
            self.spans.push(Span { range, origin, section: self.section.clone() });
        }
    }

    /// The text, if its dialect reads what was meant and nothing else.
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
                    Origin::Meant => true,
                    // If a word follows at once, it comes out wrong.
                    Origin::Escape => token.kind == TokenKind::Escape && token.flaw.is_none(),
                    Origin::Delimiter | Origin::Literal => false,
                },
                _ => false,
            };
            if !is_meant {
                let text = self.text[token.range()].to_owned();
                let dialect = self.dialect.spec().title;
                let is_delimiter = touched.iter().any(|span| span.origin == Origin::Delimiter);
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

/// A placeholder as the dialect writes it.
fn placeholder(dialect: Dialect, name: &str) -> Result<String, BuildError> {
    let spec = dialect.spec();
    let spelled = spelled(dialect, name).ok_or_else(|| BuildError::Name {
        dialect: spec.title,
        name: name.to_owned(),
        rule: spec.name_rule,
    })?;
    Ok(format!("{}{spelled}{}", spec.open, spec.close))
}
