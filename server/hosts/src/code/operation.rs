//! Transformations of a text by methods, with its source map.

mod braces;
mod lines;
mod percent;
mod tagged;
mod text_argument;

use memchr::memmem;

use promptls_data::Decoded;

pub(crate) use percent::Conversions;
pub(crate) use text_argument::{TextArgument, WrittenArgument};

/// A transformation of a text at run time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    /// Changes nothing: a conversion of a text to a text.
    Keep,
    /// Joins the items of a list, before any other operation; `None` if the text between them is
    /// unknown, or if the list may change. The host of the list evaluates it.
    Join { separator: Option<String> },
    /// Removes whitespace at the start or at the end.
    Trim { blanks: Blanks, start: bool, end: bool },
    /// Empties blank lines, and removes the common indentation of all others.
    Dedent,
    /// Replaces each occurrence of a text by another, or by a hole.
    Replace { from: String, to: Option<String> },
    /// Replaces only the first occurrence.
    ReplaceFirst { from: String, to: Option<String> },
    /// Halves doubled signs, and replaces fields by arguments, or by holes.
    Format { fields: Fields, arguments: Vec<TextArgument> },
    /// Python's `inspect.cleandoc()`: removes the indentation of the first line, the common one of
    /// all others, and empty first and last lines.
    CleanDoc,
    /// Removes the first and last line if they are blank, and the common indentation.
    TrimIndent,
    /// Removes the first and last line if they are blank, and everything up to a leading `|` of a
    /// line.
    TrimMargin,
    /// Replaces each line end by a line feed.
    LineFeeds,
    /// Removes indentation as the tag `dedent` of npm does.
    ScriptDedent,
    /// Removes indentation as the tag `stripIndent` of `common-tags` does.
    StripIndent,
    /// Removes indentation as the tag of `ts-dedent` does.
    TsDedent,
}

/// The notation of the places for arguments in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fields {
    /// In braces, as `str.format` of Python reads them.
    Braces,
    /// `%s`. In Java, `%n` is a line end.
    Percent(Conversions),
}

/// The characters that a language treats as whitespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Blanks {
    /// White space, and the information separators.
    Python,
    /// As Java's `trim`: all characters up to a space.
    UpToSpace,
    /// As `Character.isWhitespace` in Java: without non-breaking spaces.
    Java,
    /// As `Character.isWhitespace`, and non-breaking spaces.
    Kotlin,
    /// As the grammar of JavaScript.
    Script,
    /// Characters with the Unicode property `White_Space`, as in Go.
    Unicode,
}

impl Operation {
    /// This operation on a text of another host, in which its arguments have no place.
    pub fn elsewhere(mut self) -> Operation {
        if let Operation::Format { arguments, .. } = &mut self {
            arguments.iter_mut().for_each(|argument| argument.written = None);
        }
        self
    }

    /// The transformed text; `None` if it cannot be determined.
    ///
    /// Cost: the length of the text.
    pub fn apply(&self, text: &Decoded) -> Option<Decoded> {
        match self {
            Operation::Keep | Operation::Join { .. } => Some(text.clone()),
            Operation::Trim { blanks, start, end } => Some(trim(text, *blanks, *start, *end)),
            Operation::Dedent => dedent(text),
            Operation::Replace { from, to } => replace(text, from, to.as_deref(), usize::MAX),
            Operation::ReplaceFirst { from, to } => replace(text, from, to.as_deref(), 1),
            Operation::Format { fields, arguments } => match fields {
                Fields::Braces => braces::format(text, arguments),
                Fields::Percent(conversions) => percent::format(text, *conversions, arguments),
            },
            Operation::CleanDoc => lines::clean_doc(text),
            Operation::TrimIndent => Some(lines::trim_indent(text)),
            Operation::TrimMargin => Some(lines::trim_margin(text)),
            Operation::LineFeeds => Some(lines::line_feeds(text)),
            Operation::ScriptDedent => Some(tagged::dedent(text)),
            Operation::StripIndent => Some(tagged::strip_indent(text)),
            Operation::TsDedent => Some(tagged::ts_dedent(text)),
        }
    }
}

impl Blanks {
    /// `true` if a character is whitespace in this definition.
    pub fn contain(self, char: char) -> bool {
        let separates = matches!(char, '\x1c'..='\x1f');
        match self {
            Blanks::Python => char.is_whitespace() || separates,
            Blanks::UpToSpace => char <= ' ',
            Blanks::Java => {
                let breaks = !matches!(char, '\u{A0}' | '\u{2007}' | '\u{202F}' | '\u{85}');
                char.is_whitespace() && breaks || separates
            }
            Blanks::Kotlin => char.is_whitespace() && char != '\u{85}' || separates,
            Blanks::Script => char.is_whitespace() && char != '\u{85}' || char == '\u{FEFF}',
            Blanks::Unicode => char.is_whitespace(),
        }
    }
}

fn trim(text: &Decoded, blanks: Blanks, start: bool, end: bool) -> Decoded {
    let all = text.text();
    let is_blank = |char| blanks.contain(char);
    let from = if start { all.len() - all.trim_start_matches(is_blank).len() } else { 0 };
    let to = if end { all.trim_end_matches(is_blank).len().max(from) } else { all.len() };
    if from == 0 && to == all.len() { text.clone() } else { text.part(from..to) }
}

fn dedent(text: &Decoded) -> Option<Decoded> {
    let all = text.text();
    if text.has_hole(0..all.len()) {
        return None;
    }
    let is_indent = |char: char| matches!(char, ' ' | '\t');
    let mut margin: Option<&str> = None;
    for line in all.split('\n') {
        let indent = &line[..line.len() - line.trim_start_matches(is_indent).len()];
        if indent.len() < line.len() {
            margin = Some(margin.map_or(indent, |margin| common_start(margin, indent)));
        }
    }
    let margin = margin.map_or(0, str::len);
    let mut dedented = Decoded::default();
    let mut at = 0;
    for line in all.split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let is_blank = content.trim_start_matches(is_indent).is_empty();
        let skipped = if is_blank { content.len() } else { margin };
        dedented.push_part(text, at + skipped..at + line.len());
        at += line.len();
    }
    Some(dedented.or_empty_at(text.source(0..0).start))
}

fn common_start<'t>(left: &'t str, right: &str) -> &'t str {
    let equal = left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right);
    &left[..equal.count()]
}

fn replace(text: &Decoded, from: &str, to: Option<&str>, most: usize) -> Option<Decoded> {
    if from.is_empty() {
        return None;
    }
    let mut replaced = Decoded::default();
    let mut at = 0;
    for found in memmem::find_iter(text.text().as_bytes(), from).take(most) {
        let range = found..found + from.len();
        if text.has_hole(range.clone()) {
            return None;
        }
        replaced.push_part(text, at..found);
        match to {
            Some(to) => replaced.push_atomic(to, text.source(range.clone())),
            None => replaced.push_hole(text.source(range.clone())),
        }
        at = range.end;
    }
    replaced.push_part(text, at..text.text().len());
    Some(replaced.or_empty_at(text.source(0..0).start))
}
