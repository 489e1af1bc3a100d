//! A text of a prompt, put together from pieces that are treated differently.

use promptls_syntax::{Dialect, TokenKind, name_range, tokenize};
use serde::{Deserialize, Deserializer};

/// A text that becomes part of a prompt.
///
/// A `&str` or `String` is written in the dialect of the prompt, so its placeholders stay
/// placeholders. [`Text::literal`] is sent as it stands, and [`Text::placeholder`] stands for a
/// value, in whatever dialect.
///
/// In files of templates a text is of no dialect: `{{name}}` is a placeholder, or what was given
/// for an argument of this name, and all else is literal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// In the dialect of the prompt.
    Template(String),
    /// Sent as it stands.
    Literal(String),
    /// A name that has its value when the prompt is sent.
    Placeholder(String),
}

impl Text {
    /// A text that is sent as it stands. What the dialect would take for a placeholder in it is
    /// escaped, or refused where the dialect has no escape.
    pub fn literal(text: impl Into<String>) -> Text {
        Text { pieces: vec![Piece::Literal(text.into())] }
    }

    /// A name that has its value when the prompt is sent, written as the dialect writes it.
    pub fn placeholder(name: impl Into<String>) -> Text {
        Text { pieces: vec![Piece::Placeholder(name.into())] }
    }

    /// The text of a file of templates.
    fn of_no_dialect(text: &str) -> Text {
        let mut pieces = Vec::new();
        let mut end = 0;
        // Of the dialects, it is the one with a plain idea of what a name is.
        let dialect = Dialect::PromptPack;
        tokenize(dialect, text, |token| {
            if token.kind != TokenKind::Placeholder {
                return;
            }
            pieces.push(Piece::Literal(text[end..token.start].to_owned()));
            let written = &text[token.range()];
            let name = &written[name_range(dialect, token.kind, written)];
            pieces.push(Piece::Placeholder(name.to_owned()));
            end = token.end();
        });
        pieces.push(Piece::Literal(text[end..].to_owned()));
        pieces.retain(|piece| *piece != Piece::Literal(String::new()));
        Text { pieces }
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// This text with others in place of some of its names.
    pub(crate) fn filled(&self, values: &[(&str, &Text)]) -> Text {
        let given = |name: &str| values.iter().find(|(other, _)| *other == name);
        let pieces = self.pieces.iter().flat_map(|piece| match piece {
            Piece::Placeholder(name) => match given(name) {
                Some((_, text)) => text.pieces.clone(),
                None => vec![piece.clone()],
            },
            piece => vec![piece.clone()],
        });
        Text { pieces: pieces.collect() }
    }

    /// This text, and another one behind it.
    pub(crate) fn then(mut self, other: Text) -> Text {
        self.pieces.extend(other.pieces);
        self
    }

    /// This text with all lines but the first moved to the right.
    pub(crate) fn indented(&self, by: usize) -> Text {
        let line = format!("\n{}", " ".repeat(by));
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Template(text) => Piece::Template(text.replace('\n', &line)),
            Piece::Literal(text) => Piece::Literal(text.replace('\n', &line)),
            Piece::Placeholder(name) => Piece::Placeholder(name.clone()),
        });
        Text { pieces: pieces.collect() }
    }

    /// Texts one behind the other, with something between them.
    pub(crate) fn joined(texts: impl IntoIterator<Item = Text>, between: &str) -> Text {
        let mut joined = Text::default();
        for (index, text) in texts.into_iter().enumerate() {
            if index > 0 {
                joined.pieces.push(Piece::Literal(between.to_owned()));
            }
            joined.pieces.extend(text.pieces);
        }
        joined
    }

    /// The names in it that have their value when the prompt is sent, in their order.
    pub fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Placeholder(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// What was written, for messages.
    pub(crate) fn shown(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Template(text) | Piece::Literal(text) => text.clone(),
            Piece::Placeholder(name) => format!("{{{{{name}}}}}"),
        });
        pieces.collect()
    }

    /// Whether nobody would see it.
    pub fn is_blank(&self) -> bool {
        self.pieces.iter().all(|piece| match piece {
            Piece::Template(text) | Piece::Literal(text) => text.trim().is_empty(),
            Piece::Placeholder(_) => false,
        })
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::from(text.to_owned())
    }
}

/// In the dialect of the prompt: its placeholders stay placeholders.
impl From<String> for Text {
    fn from(text: String) -> Text {
        Text { pieces: vec![Piece::Template(text)] }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        Ok(Text::of_no_dialect(&String::deserialize(deserializer)?))
    }
}
