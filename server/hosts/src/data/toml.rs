//! TOML.

use std::ops::Range;
use std::rc::Rc;

use toml_edit::{Document, InlineTable, Item, Key as TomlKey, Table, Value};

use super::tree::{Key, Kind, Tree};
use crate::decoded::Decoded;
use crate::unread::Unread;

/// A value that is still to be read.
enum Rest<'t> {
    Table(&'t Table),
    Item(&'t Item),
    Value(&'t Value),
}

/// The values of a file. Fails for what is not TOML.
pub(super) fn read(source: &str) -> Result<Tree, Unread> {
    let document = Document::parse(source).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start).min(source.len());
        Unread::new(at..at, error.message().trim_end().replace('\n', "; "))
    })?;
    let mut tree = Tree { documents: vec![(0, 0)], ..Tree::default() };
    let mut rest = vec![(0, Key::Document, 0, Rest::Table(document.as_table()))];
    // What is to come, the next one last: the parser has bounded the depth, and nothing recurses.
    while let Some((parent, key, start, value)) = rest.pop() {
        let span = match &value {
            Rest::Table(table) => table.span(),
            Rest::Item(item) => item.span(),
            Rest::Value(value) => value.span(),
        };
        let range = span.unwrap_or(start..start);
        let add = |tree: &mut Tree, kind| {
            let start = start.min(range.start);
            tree.push(parent, key.clone(), kind, start, range.clone())
        };
        match value {
            Rest::Item(Item::Value(value)) => rest.push((parent, key, start, Rest::Value(value))),
            Rest::Item(Item::Table(table)) => rest.push((parent, key, start, Rest::Table(table))),
            Rest::Item(Item::None) => {}
            Rest::Item(Item::ArrayOfTables(tables)) => {
                let number = add(&mut tree, Kind::List(tables.len()));
                let tables: Vec<_> = tables.iter().enumerate().collect();
                rest.extend(tables.into_iter().rev().map(|(index, table)| {
                    let start = table.span().map_or(start, |span| span.start);
                    (number, Key::Index(index), start, Rest::Table(table))
                }));
            }
            Rest::Table(table) => {
                let number = add(&mut tree, Kind::Object(Default::default()));
                let members: Vec<_> = table.iter().collect();
                for (name, item) in members.into_iter().rev() {
                    let span = table.key(name).and_then(TomlKey::span);
                    let first = span.as_ref().map_or(range.start, |span| {
                        if table.is_dotted() { line_start(source, span.start) } else { span.start }
                    });
                    tree.scalars.extend(span);
                    rest.push((number, Key::Name(Rc::from(name)), first, Rest::Item(item)));
                }
            }
            Rest::Value(Value::InlineTable(table)) => {
                let number = add(&mut tree, Kind::Object(Default::default()));
                push_members(table, number, range.start, &mut tree, &mut rest);
            }
            Rest::Value(Value::Array(array)) => {
                let number = add(&mut tree, Kind::List(array.len()));
                let items: Vec<_> = array.iter().enumerate().collect();
                rest.extend(items.into_iter().rev().map(|(index, value)| {
                    let start = value.span().map_or(start, |span| span.start);
                    (number, Key::Index(index), start, Rest::Value(value))
                }));
            }
            Rest::Value(Value::String(text)) => {
                tree.scalars.push(range.clone());
                add(&mut tree, Kind::Text(text.value().as_str().into()));
            }
            Rest::Value(_) => {
                add(&mut tree, Kind::Other);
            }
        }
    }
    tree.scalars.sort_unstable_by_key(|range| range.start);
    Ok(tree)
}

fn push_members<'t>(
    table: &'t InlineTable,
    number: usize,
    start: usize,
    tree: &mut Tree,
    rest: &mut Vec<(usize, Key, usize, Rest<'t>)>,
) {
    let members: Vec<_> = table.iter().collect();
    for (name, value) in members.into_iter().rev() {
        let span = table.key(name).and_then(TomlKey::span);
        let first = span.as_ref().map_or(start, |span| span.start);
        tree.scalars.extend(span);
        rest.push((number, Key::Name(Rc::from(name)), first, Rest::Value(value)));
    }
}

/// The first byte that is no blank in the line of an offset: where `a.b.c = …` starts.
fn line_start(source: &str, offset: usize) -> usize {
    let line = source[..offset].rfind('\n').map_or(0, |end| end + 1);
    offset - source[line..offset].trim_start().len()
}

/// Decodes the string at a range, quotes included; `None` if there is none.
///
/// Cost: its length.
pub(super) fn decode(source: &str, range: Range<usize>) -> Option<Decoded> {
    let written = source.get(range.clone())?;
    let quote = written.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let triple = [quote; 3].iter().collect::<String>();
    let is_long = written.len() >= 6 && written.starts_with(&triple);
    let quotes = if is_long { 3 } else { 1 };
    let body = source.get(..range.end.checked_sub(quotes)?)?;
    let mut at = range.start + quotes;
    if is_long {
        at += line_end(body.get(at..)?);
    }
    let mut decoded = Decoded::default();
    while at < body.len() {
        let rest = body.get(at..)?;
        let special = |char: char| char == '\r' || char == '\\' && quote == '"';
        at += match rest.find(special).unwrap_or(rest.len()) {
            0 if rest.starts_with("\r\n") => {
                decoded.push_atomic("\n", at..at + 2);
                2
            }
            0 if rest.starts_with('\\') => match continuation(rest) {
                Some(len) => len,
                None => {
                    let (char, len) = unescape(rest)?;
                    decoded.push_atomic(char.encode_utf8(&mut [0; 4]), at..at + len);
                    len
                }
            },
            plain => {
                let plain = plain.max(1);
                decoded.push_equal(&rest[..plain], at);
                plain
            }
        };
    }
    Some(if decoded.pieces().is_empty() { Decoded::empty_at(at) } else { decoded })
}

/// How long the line end is that a text starts with.
fn line_end(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    }
}

/// How long a `\` with a line end and all white space behind it is.
fn continuation(text: &str) -> Option<usize> {
    let rest = text.get(1..)?;
    let blanks = rest.trim_start_matches([' ', '\t']);
    (line_end(blanks) > 0)
        .then(|| text.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len())
}

/// The character of the escape that a text starts with, and how long it is in bytes.
fn unescape(text: &str) -> Option<(char, usize)> {
    let in_hex = |digits: usize| {
        let code = u32::from_str_radix(text.get(2..2 + digits)?, 16).ok()?;
        Some((char::from_u32(code)?, 2 + digits))
    };
    let char = match text.as_bytes().get(1)? {
        b'b' => '\u{8}',
        b't' => '\t',
        b'n' => '\n',
        b'f' => '\u{c}',
        b'r' => '\r',
        b'e' => '\u{1b}',
        b'"' => '"',
        b'\\' => '\\',
        b'x' => return in_hex(2),
        b'u' => return in_hex(4),
        b'U' => return in_hex(8),
        _ => return None,
    };
    Some((char, 2))
}
