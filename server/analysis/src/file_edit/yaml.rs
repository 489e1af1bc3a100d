//! Edits YAML by the positions of values.
//!
//! Values that are added to a block are blocks, too. Their texts are in double quotes, as in JSON,
//! which is also YAML; those of several lines use `|`. A changed value keeps its quotes.

use std::ops::Range;

use promptls_resolver::{Value, ValueKind};
use serde_json::Value as Json;

use super::line::{add_in_line, one_line};
use super::place::{Found, Spot};

/// Words with another meaning without quotes, in some version of YAML.
const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// The source form of a key.
pub(super) fn key(name: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
        && !WORDS.contains(&&*name.to_ascii_lowercase());
    if is_plain { name.to_owned() } else { Json::from(name).to_string() }
}

/// Adds an entry to an object.
pub(super) fn insert(text: &str, object: &Value, name: &str, value: &Json) -> Option<String> {
    let entries = object.as_object()?.entries();
    let span = object.span.range();
    if text[span.clone()].starts_with('{') {
        let new = format!("{}: {}", key(name), one_line(value));
        return match entries.iter().map(|entry| entry.value.span.end).max() {
            Some(last) => add_in_line(text, object.span, last as usize, &new),
            None => {
                let mut after = text.to_owned();
                after.replace_range(span, &format!("{{{new}}}"));
                Some(after)
            }
        };
    }
    let Some(first) = entries.first() else { return add_lines(text, text.len(), "", name, value) };
    let end = entries.iter().map(|entry| entry.value.span.end.max(entry.key_span.end)).max()?;
    let indent = " ".repeat(column(text, first.key_span.start as usize));
    add_lines(text, end as usize, &indent, name, value)
}

/// Adds an item to a list.
pub(super) fn append(text: &str, list: &Value, item: &Json) -> Option<String> {
    let items = list.as_list()?;
    let span = list.span.range();
    if text[span.clone()].starts_with('[') {
        let new = one_line(item);
        return match items.last() {
            Some(last) => add_in_line(text, list.span, last.span.end as usize, &new),
            None => {
                let mut after = text.to_owned();
                after.replace_range(span, &format!("[{new}]"));
                Some(after)
            }
        };
    }
    let (first, last) = (items.first()?, items.last()?);
    let line_start = line_start(text, first.span.start as usize);
    let dash = text[line_start..first.span.start as usize].find('-')?;
    let lines = block(&Json::Array(vec![item.clone()]), dash);
    add_text(text, last.span.end as usize, lines.trim_start_matches('\n'))
}

fn add_lines(text: &str, end: usize, indent: &str, name: &str, value: &Json) -> Option<String> {
    let value = block(value, indent.len() + 2);
    add_text(text, end, &format!("{indent}{}:{value}", key(name)))
}

/// Adds lines after the line that ends at an offset, or that contains it.
fn add_text(text: &str, end: usize, lines: &str) -> Option<String> {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines = lines.replace('\n', newline);
    let is_line_start = text[..end].is_empty() || text[..end].ends_with('\n');
    let at = match text[end..].find('\n') {
        _ if is_line_start => end,
        Some(rest) => end + rest + 1,
        None => text.len(),
    };
    let mut after = text[..at].to_owned();
    if !after.is_empty() && !after.ends_with('\n') {
        after.push_str(newline);
    }
    after.push_str(&lines);
    after.push_str(newline);
    after.push_str(&text[at..]);
    Some(after)
}

/// The text after a colon or a dash: a space and a scalar, or separate lines. The key or the dash
/// is two columns before `indent`.
fn block(value: &Json, indent: usize) -> String {
    let blanks = " ".repeat(indent);
    match value {
        Json::Object(members) if !members.is_empty() => members
            .iter()
            .map(|(name, value)| format!("\n{blanks}{}:{}", key(name), block(value, indent + 2)))
            .collect(),
        Json::Array(items) if !items.is_empty() => items
            .iter()
            .map(|item| {
                let lines = block(item, indent + 2);
                format!("\n{blanks}- {}", lines.trim_start())
            })
            .collect(),
        Json::String(text) if text.contains('\n') => match Literal::of(text, indent, 2) {
            Some(Literal { header, lines }) => format!(" {header}{lines}"),
            None => format!(" {}", one_line(value)),
        },
        value => format!(" {}", one_line(value)),
    }
}

/// A text in block style (`|`).
struct Literal {
    /// `|` with its chomping indicator.
    header: String,
    /// Its lines, each after a line ending.
    lines: String,
}

impl Literal {
    /// `None` for a text that block style cannot represent. `indent` is that of its lines, and
    /// `relative` is the number of columns beyond their parent.
    fn of(text: &str, indent: usize, relative: usize) -> Option<Literal> {
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

/// Possible replacements of a value, best first. The caller must verify them, because some may be
/// wrong.
pub(super) fn replacements(text: &str, spot: &Spot<'_>, new: &Json) -> Vec<String> {
    let place = Place::of(text, spot);
    let is_in_brackets = text[spot.outer.span.range()].starts_with(['{', '[']);
    let mut ways = Vec::new();
    if let Json::String(new) = new {
        let literal = || place.literal(new);
        ways.extend((!is_in_brackets).then(literal).flatten());
        ways.extend(place.quoted(new));
    }
    let is_filled = match new {
        Json::Object(members) => !members.is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => false,
    };
    if is_filled && !is_in_brackets && !place.written().starts_with(['{', '[']) {
        ways.push(match spot.key {
            Some(_) => {
                let indent = dashes(text, spot.value).unwrap_or(place.parent + 2);
                place.with(place.start..place.old.end, &block(new, indent))
            }
            None => {
                let lines = block(new, column(text, place.old.start));
                place.with(place.old.clone(), lines.trim_start())
            }
        });
    }
    let line = one_line(new);
    ways.push(match place.is_block {
        // It may start on the next line, after comments.
        true => place.with(place.start..place.old.end, &format!(" {line}")),
        false => place.with(place.old.clone(), &format!("{line}{}", place.comment())),
    });
    ways
}

/// The position of a value to be replaced.
struct Place<'t> {
    text: &'t str,
    /// The column of its key or its dash.
    parent: usize,
    /// The offset directly after its colon or its dash.
    start: usize,
    /// Its range, from its quote, or from the `|` before its lines.
    old: Range<usize>,
    /// The line of its `|` or `>`.
    header: Option<&'t str>,
    /// It is a list or an object in block style.
    is_block: bool,
    is_null: bool,
}

impl<'t> Place<'t> {
    fn of(text: &'t str, spot: &Spot<'_>) -> Place<'t> {
        let mut old = spot.value.span.range();
        let (parent, start) = match spot.key {
            Some(key) => {
                let colon = text[key.end as usize..old.start].find(':');
                (key.start as usize, key.end as usize + colon.map_or(0, |colon| colon + 1))
            }
            None => match dash_before(text, old.start) {
                Some(dash) => (dash, dash + 1),
                None => (old.start, old.start),
            },
        };
        let start = start.min(old.start);
        // The span of a text in block style is that of its lines, if it has any.
        let between = &text[start..old.start];
        let first = old.start - between.trim_start().len();
        let header = text[first..].starts_with(['|', '>']).then(|| text[first..].lines().next());
        let header = header.flatten();
        if header.is_some() {
            old.start = first;
        }
        let is_block = is_block(text, spot.value);
        let is_null = spot.value.is_null();
        Place { text, parent: column(text, parent), start, old, header, is_block, is_null }
    }

    fn written(&self) -> &'t str {
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

    /// The text with a replaced range.
    fn with(&self, range: Range<usize>, new: &str) -> String {
        let mut after = self.text.to_owned();
        // An empty value is null, too, directly after its colon.
        let blank = if range.is_empty() && !new.starts_with([' ', '\n']) { " " } else { "" };
        after.replace_range(range, &format!("{blank}{}", new.replace('\n', self.newline())));
        after
    }

    /// The replacement with a quoted or plain text, in the style of the old one.
    fn quoted(&self, new: &str) -> Option<String> {
        if self.is_block || new.contains('\n') {
            return None;
        }
        let is_word = WORDS.contains(&&*new.to_ascii_lowercase());
        match self.written().chars().next()? {
            '\'' => Some(self.with(self.old.clone(), &format!("'{}'", new.replace('\'', "''")))),
            '"' | '|' | '>' | '{' | '[' => None,
            _ if self.is_null || is_word || new.trim() != new => None,
            _ => Some(self.with(self.old.clone(), new)),
        }
    }

    /// The replacement with a text in block style, if it or the old one has several lines. A
    /// comment on the line of the old one is kept.
    fn literal(&self, new: &str) -> Option<String> {
        if self.header.is_none() && !new.contains('\n') {
            return None;
        }
        let Place { text, old, parent, .. } = self;
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

/// Returns whether it is a list or an object in block style.
fn is_block(text: &str, value: &Value) -> bool {
    matches!(value.kind, ValueKind::List(_) | ValueKind::Object(_))
        && !text[value.span.range()].starts_with(['{', '['])
}

/// The dash of the item that starts at an offset. It is on the same line, or on an earlier one if
/// that contains nothing else.
fn dash_before(text: &str, start: usize) -> Option<usize> {
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

/// The column of the dashes of a list in block style.
fn dashes(text: &str, value: &Value) -> Option<usize> {
    let first = value.as_list().filter(|_| is_block(text, value))?.first()?.span.start as usize;
    let line = line_start(text, first);
    Some(column(text, line + text[line..first].find('-')?))
}

/// Removes an entry or an item: in brackets with its comma, otherwise with its lines.
pub(super) fn remove(text: &str, found: &Found<'_>) -> Option<String> {
    if text.get(found.outer.span.range())?.starts_with(['{', '[']) {
        return Some(found.remove_in_line(text));
    }
    let range = found.range.clone();
    let mut after = text.to_owned();
    if found.is_only
        && let Some(key) = found.outer_key
    {
        // An empty value would be null.
        let empty = if found.outer.as_list().is_some() { ": []" } else { ": {}" };
        after.replace_range(key.end as usize..text[..range.end].trim_end().len(), empty);
        return Some(after);
    }
    after.replace_range(lines_of(text, &range)?, "");
    Some(after)
}

/// The lines of an entry or an item of a block; `None` if they contain something else.
pub(super) fn lines_of(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let start = line_start(text, range.start);
    let is_alone = matches!(text[start..range.start].trim(), "" | "-");
    if !is_alone {
        return None;
    }
    let ends_line = text[..range.end].ends_with('\n');
    let end = match text[range.end..].find('\n') {
        _ if ends_line => range.end,
        Some(rest) => range.end + rest + 1,
        None => text.len(),
    };
    Some(start..end)
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |newline| newline + 1)
}

/// The column of a key in its line.
fn column(text: &str, offset: usize) -> usize {
    text[line_start(text, offset)..offset].trim_start_matches('\u{feff}').chars().count()
}
