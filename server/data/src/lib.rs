#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! The grammars are those of the crates `jsonc-parser`, `saphyr-parser` and `toml_edit`. Their
//! results become one list of values, and their errors become messages that make sense without a
//! parser's source. Targets of aliases are not copied.
//!
//! This crate reads no files, and does not depend on the use of the values.

mod decode;
mod decoded;
pub mod edit_json;
pub mod edit_toml;
pub mod edit_yaml;
mod format;
mod json;
pub mod json_tokens;
mod limits;
mod refusal;
mod replacing;
mod span;
mod toml;
mod tree;
mod yaml;
pub mod yaml_form;

use std::ops::Range;

pub use decoded::{Decoded, DecodedPiece, HOLE, PieceKind};
pub use format::{ENDINGS, Format};
pub use limits::{COPIES_TOO_LARGE, MAX_COPIED_BYTES, MAX_DEPTH, NESTED_TOO_DEEPLY};
pub use refusal::Refusal;
pub use replacing::{difference, replaced};
pub use span::Span;
pub use tree::{Node, NodeKey, NodeValue, Tree, TreeDocument};

/// Parses a file. In a file without a value, no document has a root.
///
/// # Errors
///
/// The first syntax error, or the first violation of a limit.
///
/// Cost: the length of the file.
pub fn read(format: Format, source: &str) -> Result<Tree<'_>, Refusal> {
    read_part(format, source, 0..source.len())
}

/// Parses a part of a file; all ranges are in bytes of the file.
///
/// # Errors
///
/// As for [`read`].
pub fn read_part(format: Format, source: &str, part: Range<usize>) -> Result<Tree<'_>, Refusal> {
    let body = &source[..part.end];
    let bom = if body[part.start..].starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let start = part.start + bom;
    let mut tree = match format {
        Format::Json => json::read(body, start),
        Format::Yaml => yaml::read(body, start),
        Format::Toml => toml::read(body, start),
    }?;
    if let Some(first) = tree.documents.first_mut() {
        first.start = part.start;
    }
    Ok(tree)
}
