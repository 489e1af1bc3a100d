//! The source form of strings in YAML: which need quotes, and the style `|`.

use std::ops::Range;

use serde_json::Value as Json;

use crate::format::Format;
use crate::read;
use crate::tree::NodeKey;

/// Words that are no strings without quotes in some version of YAML, in lower case.
const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// `true` if a text is a boolean or `null` in some version of YAML, unless it is quoted.
pub fn is_word(text: &str) -> bool {
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// The source form of a key: without quotes if it is an ASCII name of letters, digits and `_-.`.
///
/// ```
/// use promptls_data::yaml_form::key;
///
/// assert_eq!(key("user_name"), "user_name");
/// assert_eq!(key("no"), r#""no""#);
/// ```
pub fn key(name: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
        && !is_word(name);
    if is_plain { name.to_owned() } else { Json::from(name).to_string() }
}

/// `true` if YAML reads a text without quotes as itself: as a key and as a value, in block and flow
/// style, and in its version 1.1.
///
/// Cost: parses it a few times.
pub fn is_plain(text: &str) -> bool {
    let reads_back = |written: String| {
        let tree = read(Format::Yaml, &written).ok()?;
        let root = tree.documents.first()?.root?;
        let mut members = tree.children(root);
        let (member, None) = (members.next()?, members.next()) else { return None };
        let has_key = matches!(&tree.nodes[member].key, NodeKey::Name(name) if name == text);
        (has_key && tree.text(member) == Some(text)).then_some(())
    };
    !is_word(text)
        && text.trim() == text
        && reads_back(format!("{text}: {text}")).is_some()
        && reads_back(format!("{{{text}: {text}}}")).is_some()
}

/// A text in single quotes; `None` if they cannot express it.
pub fn single_quoted(text: &str) -> Option<String> {
    (!text.contains(char::is_control)).then(|| format!("'{}'", text.replace('\'', "''")))
}

/// A text in double quotes, with the escapes of JSON, all of which YAML supports. Characters that
/// YAML does not allow in a line are escaped as well.
pub fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// A text in the style `|`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// `|` with its indicators, such as `|2-`.
    pub header: String,
    /// Its lines, each after a line end `\n`.
    pub lines: String,
}

impl Literal {
    /// Returns `None` for a text that this style cannot express. `indent` is the column of its
    /// lines, and `relative` the number of columns after that of their parent.
    pub fn of(text: &str, indent: usize, relative: usize) -> Option<Literal> {
        let is_plain = |character: char| !character.is_control() || "\n\t".contains(character);
        let (body, end) = match text.strip_suffix('\n') {
            Some(body) => (body, ""),
            None => (text, "-"),
        };
        if body.trim().is_empty() || body.ends_with('\n') || !text.chars().all(is_plain) {
            return None;
        }
        let starts_blank = body.trim_start_matches('\n').starts_with([' ', '\t']);
        let level = if starts_blank { relative.to_string() } else { String::new() };
        let blanks = " ".repeat(indent);
        let line = |line: &str| match line {
            "" => "\n".to_owned(),
            line => format!("\n{blanks}{line}"),
        };
        let lines = body.split('\n').map(line).collect();
        Some(Literal { header: format!("|{level}{end}"), lines })
    }
}

/// A value of a file.
#[derive(Clone, Debug)]
pub struct Value {
    /// The range of its key; `None` for an item of a list, and for a whole document.
    pub key: Option<Range<usize>>,
    /// Its range. That of a text in block style may begin at its `|` or at its lines.
    pub range: Range<usize>,
    /// The kind of the value.
    pub shape: Shape,
    /// The start of the list or object that contains it; `None` for a whole document.
    pub outer: Option<usize>,
}

/// The kinds of values that are written in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `null`, which may be empty text.
    Null,
    /// Any other value on its own: a string, a number, a boolean.
    Scalar,
    /// A list or an object.
    Container,
}

/// A value, with what is around it in its file.
#[derive(Debug)]
pub struct YamlContext<'t> {
    text: &'t str,
    /// `true` inside of `[…]` and `{…}`, where nothing has block style.
    pub is_in_brackets: bool,
    /// The column of its key or its dash, in characters.
    pub parent: usize,
    /// The offset directly after its colon or its dash.
    pub start: usize,
    /// Its range, from its quote, or from the `|` before its lines.
    pub old: Range<usize>,
    /// The line of its `|` or `>`.
    header: Option<&'t str>,
    /// `true` for a list or an object in block style.
    pub is_block: bool,
    is_null: bool,
}

impl<'t> YamlContext<'t> {
    /// The place of a value in the text of its file.
    pub fn new(text: &'t str, value: Value) -> YamlContext<'t> {
        let Value { key, range: mut old, shape, outer } = value;
        let is_in_brackets = outer.is_some_and(|outer| text[outer..].starts_with(['{', '[']));
        let (parent, start) = match key {
            Some(key) => {
                let colon = text[key.end..old.start].find(':');
                (key.start, key.end + colon.map_or(0, |colon| colon + 1))
            }
            None => match dash_before(text, old.start) {
                Some(dash) => (dash, dash + 1),
                None => (old.start, old.start),
            },
        };
        let start = start.min(old.start);
        let is_block = shape == Shape::Container && !text[old.clone()].starts_with(['{', '[']);
        let between = &text[start..old.start];
        let first = old.start - between.trim_start().len();
        let header = text[first..].starts_with(['|', '>']).then(|| text[first..].lines().next());
        let header = header.flatten();
        if header.is_some() {
            old.start = first;
        }
        let (parent, is_null) = (column(text, parent), shape == Shape::Null);
        YamlContext { text, is_in_brackets, parent, start, old, header, is_block, is_null }
    }

    /// The value in its source form.
    pub fn written(&self) -> &'t str {
        &self.text[self.old.clone()]
    }

    /// The comment after a `|`, with the space before it. It is kept after a replacement.
    fn comment(&self) -> &'t str {
        let header = self.header.unwrap_or_default();
        header.find(" #").map_or("", |at| header[at..].trim_end())
    }

    fn newline(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// The file with a replaced range.
    pub fn with(&self, range: Range<usize>, new: &str) -> String {
        let mut after = self.text.to_owned();
        // An empty value is null, too, directly after its colon.
        let blank = if range.is_empty() && !new.starts_with([' ', '\n']) { " " } else { "" };
        after.replace_range(range, &format!("{blank}{}", new.replace('\n', self.newline())));
        after
    }

    /// The file with a value of one line at this place.
    pub fn with_line(&self, line: &str) -> String {
        match self.is_block {
            // It may start on the next line, after comments.
            true => self.with(self.start..self.old.end, &format!(" {line}")),
            false => self.with(self.old.clone(), &format!("{line}{}", self.comment())),
        }
    }

    /// The file with another text at this place, in all ways that may be right, the best first. The
    /// last one is always right outside of block style.
    pub fn with_text(&self, new: &str) -> Vec<String> {
        let literal = || self.literal(new);
        let mut ways: Vec<String> =
            (!self.is_in_brackets).then(literal).flatten().into_iter().collect();
        ways.extend(self.quoted(new));
        ways.push(self.with_line(&double_quoted(new)));
        ways
    }

    /// The replacement with a quoted or plain text, in the style of the old one.
    fn quoted(&self, new: &str) -> Option<String> {
        if self.is_block || new.contains('\n') {
            return None;
        }
        match self.written().chars().next()? {
            '\'' => Some(self.with(self.old.clone(), &single_quoted(new)?)),
            '"' | '|' | '>' | '{' | '[' => None,
            _ if self.is_null || is_word(new) || new.trim() != new => None,
            _ => Some(self.with(self.old.clone(), new)),
        }
    }

    /// The replacement with a text in block style, if it or the old one has several lines. A
    /// comment on the line of the old one is kept.
    fn literal(&self, new: &str) -> Option<String> {
        if self.header.is_none() && !new.contains('\n') {
            return None;
        }
        let YamlContext { text, old, parent, .. } = self;
        let lines_before = self.written().lines().skip(1).find(|line| !line.trim().is_empty());
        let indent = match (lines_before, self.header) {
            // A digit in the header means that the first line is indented further than the block.
            (Some(line), Some(header)) if !header.contains(|mark: char| mark.is_ascii_digit()) => {
                (line.len() - line.trim_start_matches(' ').len()).max(parent + 1)
            }
            _ => parent + 2,
        };
        let Literal { header, lines } = Literal::of(new, indent, indent - parent)?;
        let rest = &text[old.end..];
        let rest = rest[..rest.find('\n').unwrap_or(rest.len())].trim_end();
        let is_comment = !self.is_block && rest.trim_start().starts_with('#');
        let (comment, end) = match self.header {
            Some(_) => (self.comment().trim(), old.end),
            None if is_comment => (rest.trim_start(), old.end + rest.len()),
            None => ("", old.end),
        };
        let blank = if comment.is_empty() { "" } else { " " };
        let mut after = format!("{} {header}{blank}{comment}", &text[..self.start]);
        after.push_str(&lines.replace('\n', self.newline()));
        // A final line ending is part of it.
        if text[end..].is_empty() {
            after.push_str(self.newline());
        }
        after.push_str(&text[end..]);
        Some(after)
    }
}

/// The dash of the item that starts at an offset. It is on the same line, or on an earlier one if
/// that contains nothing else. `None` for a value without a dash.
pub fn dash_before(text: &str, start: usize) -> Option<usize> {
    let mut end = start;
    loop {
        let line = line_start(text, end);
        let mut dash = None;
        for (at, character) in text[line..end].char_indices() {
            match character {
                '-' => dash = Some(line + at),
                ' ' => {}
                _ => break,
            }
        }
        let is_empty = matches!(text[line..end].trim_start().chars().next(), None | Some('#'));
        if dash.is_some() || !is_empty {
            return dash;
        }
        end = line.checked_sub(1)?;
    }
}

/// The start of the line of an offset, in bytes.
pub fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |newline| newline + 1)
}

/// The number of characters before an offset in its line.
pub fn column(text: &str, offset: usize) -> usize {
    text[line_start(text, offset)..offset].trim_start_matches('\u{feff}').chars().count()
}
