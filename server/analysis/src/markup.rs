//! Text for the user: Markdown where the editor supports it, otherwise plain text.

use promptls_resolver::Location;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkupPiece {
    /// Prose, unchanged. Text of the author may contain Markdown.
    Text(String),
    /// An emphasized word, shown in bold; it is not escaped.
    Strong(String),
    /// Text from a file; never interpreted as Markdown.
    Code(String),
    /// The same as a headline.
    Name(String),
    /// A location in one of the files of a prompt, with its label.
    Place(String, Location),
}

/// A text that consists of pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markup(pub Vec<MarkupPiece>);

impl Markup {
    /// A text with only prose.
    pub fn text(text: impl Into<String>) -> Markup {
        Markup(vec![MarkupPiece::Text(text.into())])
    }

    /// Appends prose; it is not escaped, so it may contain Markdown.
    #[must_use]
    pub fn and(mut self, text: impl Into<String>) -> Markup {
        self.0.push(MarkupPiece::Text(text.into()));
        self
    }

    /// Appends text from a file, which is never interpreted as Markdown.
    #[must_use]
    pub fn and_code(mut self, text: impl Into<String>) -> Markup {
        self.0.push(MarkupPiece::Code(text.into()));
        self
    }

    /// Returns whether it has no pieces.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Renders the text as Markdown. `address` returns the link target of a location; `None` for no
    /// link.
    pub fn markdown(&self, address: impl Fn(&Location) -> Option<String>) -> String {
        let show = |piece: &MarkupPiece| match piece {
            MarkupPiece::Text(text) => text.clone(),
            MarkupPiece::Strong(text) => format!("**{text}**"),
            MarkupPiece::Code(text) => code_span(text),
            MarkupPiece::Name(text) => format!("**{}**", code_span(text)),
            MarkupPiece::Place(name, location) => match address(location) {
                Some(address) => format!("[{}]({address})", escaped(name)),
                None => name.clone(),
            },
        };
        self.0.iter().map(show).collect()
    }

    /// Renders the text without any marks.
    pub fn plain(&self) -> String {
        let show = |piece: &MarkupPiece| match piece {
            MarkupPiece::Text(text) | MarkupPiece::Strong(text) | MarkupPiece::Name(text) => {
                text.clone()
            }
            MarkupPiece::Code(text) => format!("`{}`", on_one_line(text)),
            MarkupPiece::Place(name, _) => name.clone(),
        };
        self.0.iter().map(show).collect()
    }
}

fn on_one_line(text: &str) -> String {
    text.replace("\r\n", "⏎").replace(['\n', '\r'], "⏎")
}

/// A code span for any text: enclosed by more backticks than it contains, on one line.
pub(crate) fn code_span(text: &str) -> String {
    let line = on_one_line(text);
    let longest = line.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest > 0 || line.starts_with(' ') || line.is_empty() {
        format!("{fence} {line} {fence}")
    } else {
        format!("{fence}{line}{fence}")
    }
}

/// Escapes the text of a link.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        if "\\[]*_`<".contains(character) {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests {
    use promptls_resolver::FileId;

    use super::*;

    #[test]
    fn markdown_and_plain_text_have_the_same_content() {
        let location = Location { file: FileId::PROMPT, range: 3..4 };
        let markup = Markup(vec![
            MarkupPiece::Name("a".to_owned()),
            MarkupPiece::Text(" is ".to_owned()),
            MarkupPiece::Code("`x`\n<b>".to_owned()),
            MarkupPiece::Text(" in ".to_owned()),
            MarkupPiece::Place("a_b.json".to_owned(), location),
        ]);
        let address = |_: &Location| Some("file:///a_b.json#L1".to_owned());
        assert_eq!(
            markup.markdown(address),
            "**`a`** is `` `x`⏎<b> `` in [a\\_b.json](file:///a_b.json#L1)"
        );
        assert_eq!(markup.markdown(|_| None), "**`a`** is `` `x`⏎<b> `` in a_b.json");
        assert_eq!(markup.plain(), "a is ``x`⏎<b>` in a_b.json");
    }
}
