//! JSON, with comments and commas at the end.

use std::ops::Range;
use std::rc::Rc;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions};

use super::tree::{Key, Kind, Tree};
use crate::decoded::Decoded;
use crate::unread::Unread;

const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

const COLLECT_NOTHING: CollectOptions =
    CollectOptions { comments: CommentCollectionStrategy::Off, tokens: false };

/// The values of a file; `None` where there is none. Fails for what is not JSON.
pub(super) fn read(source: &str) -> Result<Option<Tree>, Unread> {
    let bom = source.len() - source.trim_start_matches('\u{feff}').len();
    let parsed = jsonc_parser::parse_to_ast(&source[bom..], &COLLECT_NOTHING, &OPTIONS);
    let parsed = parsed.map_err(|error| {
        let at = (error.range().start + bom).min(source.len());
        Unread::new(at..at, error.kind().to_string())
    })?;
    let Some(root) = parsed.value else { return Ok(None) };
    let place = |node: &dyn Ranged| {
        let range = node.range();
        range.start + bom..range.end + bom
    };

    let mut tree = Tree { documents: vec![(0, 0)], ..Tree::default() };
    // What is to come, the next one last: the parser has bounded the depth, and nothing recurses.
    let mut rest = vec![(0, Key::Document, None, &root)];
    while let Some((parent, key, entry_start, value)) = rest.pop() {
        let range = place(value);
        let start = entry_start.unwrap_or(range.start);
        let kind = match value {
            ast::Value::StringLit(text) => {
                tree.scalars.push(range.clone());
                Kind::Text(text.value.as_ref().into())
            }
            ast::Value::Object(_) => Kind::Object(Default::default()),
            ast::Value::Array(array) => Kind::List(array.elements.len()),
            _ => Kind::Other,
        };
        let number = tree.push(parent, key, kind, start, range);
        match value {
            ast::Value::Object(object) => {
                for property in object.properties.iter().rev() {
                    let name = match &property.name {
                        ast::ObjectPropName::String(name) => name.value.as_ref(),
                        ast::ObjectPropName::Word(name) => name.value,
                    };
                    let name_range = place(&property.name);
                    let start = Some(name_range.start);
                    tree.scalars.push(name_range);
                    rest.push((number, Key::Name(Rc::from(name)), start, &property.value));
                }
            }
            ast::Value::Array(array) => {
                for (index, element) in array.elements.iter().enumerate().rev() {
                    rest.push((number, Key::Index(index), None, element));
                }
            }
            _ => {}
        }
    }
    tree.scalars.sort_unstable_by_key(|range| range.start);
    Ok(Some(tree))
}

/// Decodes the string at a range, quotes included; `None` if there is none, or half a surrogate
/// pair in it.
///
/// Cost: its length.
pub(super) fn decode(source: &str, range: Range<usize>) -> Option<Decoded> {
    let inner = range.start + 1..range.end.checked_sub(1)?;
    source.get(range)?.strip_prefix('"')?.strip_suffix('"')?;
    let body = source.get(..inner.end)?;
    let mut decoded = Decoded::default();
    let mut at = inner.start;
    while at < inner.end {
        let rest = body.get(at..)?;
        match rest.find('\\').unwrap_or(rest.len()) {
            0 => {
                let (char, len) = unescape(rest)?;
                decoded.push_atomic(char.encode_utf8(&mut [0; 4]), at..at + len);
                at += len;
            }
            plain => {
                decoded.push_equal(&rest[..plain], at);
                at += plain;
            }
        }
    }
    Some(if decoded.pieces().is_empty() { Decoded::empty_at(at) } else { decoded })
}

/// The character of the escape that a text starts with, and how long it is in bytes.
fn unescape(text: &str) -> Option<(char, usize)> {
    let char = match text.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let first = unit(text)?;
            let second = text.get(6..).and_then(unit);
            let char = char::decode_utf16([first].into_iter().chain(second)).next()?.ok()?;
            return Some((char, 6 * char.len_utf16()));
        }
        _ => return None,
    };
    Some((char, 2))
}

/// The UTF-16 unit of `\uXXXX`.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    u16::from_str_radix(digits, 16).ok()
}
