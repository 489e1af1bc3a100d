//! Texts of a prompt, made of pieces that are written differently.

use promptls_syntax::{Dialect, TokenKind, name_range, tokenize};
use serde::{Deserialize, Deserializer};

/// A text that becomes part of a prompt.
///
/// A `&str` or `String` is written in the dialect of the prompt, so its placeholders stay
/// placeholders. [`Text::literal`] is sent verbatim, and [`Text::placeholder`] stands for a value,
/// in any dialect.
///
/// In template files a text belongs to no dialect. `{{name}}` is a placeholder, or the argument of
/// this name; everything else is literal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    pieces: Vec<TextPiece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextPiece {
    /// In the dialect of the prompt.
    Template(String),
    /// Sent verbatim; escaped where the dialect would parse it.
    Literal(String),
    /// A name that gets its value when the prompt is sent.
    Placeholder(String),
}

impl Text {
    /// A text that is sent verbatim. What the dialect would parse as a placeholder is escaped; it
    /// is an error if the dialect has no escape.
    pub fn literal(text: impl Into<String>) -> Text {
        Text { pieces: vec![TextPiece::Literal(text.into())] }
    }

    /// A placeholder that gets its value when the prompt is sent, in the syntax of the dialect.
    pub fn placeholder(name: impl Into<String>) -> Text {
        Text { pieces: vec![TextPiece::Placeholder(name.into())] }
    }

    /// Parses a text of a template file.
    fn of_no_dialect(text: &str) -> Text {
        let mut pieces = Vec::new();
        let mut end = 0;
        // Of all dialects, PromptPack has the simplest rule for names.
        let dialect = Dialect::PromptPack;
        tokenize(dialect, text, |token| {
            if token.kind != TokenKind::Placeholder {
                return;
            }
            pieces.push(TextPiece::Literal(text[end..token.start].to_owned()));
            let written = &text[token.range()];
            let name = &written[name_range(dialect, token.kind, written)];
            pieces.push(TextPiece::Placeholder(name.to_owned()));
            end = token.end();
        });
        pieces.push(TextPiece::Literal(text[end..].to_owned()));
        pieces.retain(|piece| *piece != TextPiece::Literal(String::new()));
        Text { pieces }
    }

    pub(crate) fn pieces(&self) -> &[TextPiece] {
        &self.pieces
    }

    /// This text with some of its names replaced by other texts.
    pub(crate) fn filled(&self, values: &[(&str, &Text)]) -> Text {
        let given = |name: &str| values.iter().find(|(other, _)| *other == name);
        let pieces = self.pieces.iter().flat_map(|piece| match piece {
            TextPiece::Placeholder(name) => match given(name) {
                Some((_, text)) => text.pieces.clone(),
                None => vec![piece.clone()],
            },
            piece => vec![piece.clone()],
        });
        Text { pieces: pieces.collect() }
    }

    /// This text followed by another.
    pub(crate) fn then(mut self, other: Text) -> Text {
        self.pieces.extend(other.pieces);
        self
    }

    /// This text with all lines but the first indented.
    pub(crate) fn indented(&self, by: usize) -> Text {
        let line = format!("\n{}", " ".repeat(by));
        let pieces = self.pieces.iter().map(|piece| match piece {
            TextPiece::Template(text) => TextPiece::Template(text.replace('\n', &line)),
            TextPiece::Literal(text) => TextPiece::Literal(text.replace('\n', &line)),
            TextPiece::Placeholder(name) => TextPiece::Placeholder(name.clone()),
        });
        Text { pieces: pieces.collect() }
    }

    /// Texts joined by a separator.
    pub(crate) fn joined(texts: impl IntoIterator<Item = Text>, between: &str) -> Text {
        let mut joined = Text::default();
        for (index, text) in texts.into_iter().enumerate() {
            if index > 0 {
                joined.pieces.push(TextPiece::Literal(between.to_owned()));
            }
            joined.pieces.extend(text.pieces);
        }
        joined
    }

    /// The placeholder names in this text, in order.
    pub fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            TextPiece::Placeholder(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The source of the text, for messages.
    pub(crate) fn shown(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            TextPiece::Template(text) | TextPiece::Literal(text) => text.clone(),
            TextPiece::Placeholder(name) => format!("{{{{{name}}}}}"),
        });
        pieces.collect()
    }

    /// `true` if the text contains only whitespace and no placeholder.
    pub fn is_blank(&self) -> bool {
        self.pieces.iter().all(|piece| match piece {
            TextPiece::Template(text) | TextPiece::Literal(text) => text.trim().is_empty(),
            TextPiece::Placeholder(_) => false,
        })
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::from(text.to_owned())
    }
}

/// The text is in the dialect of the prompt: its placeholders stay placeholders.
impl From<String> for Text {
    fn from(text: String) -> Text {
        Text { pieces: vec![TextPiece::Template(text)] }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        Ok(Text::of_no_dialect(&String::deserialize(deserializer)?))
    }
}
