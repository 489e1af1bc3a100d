#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! Prompts that are strings of other languages: which ones there are, and where each byte of
//! their texts is written.
//!
//! A *host* is a file of another language that holds prompts, as strings in its code or as values
//! of its keys. Nothing here reads files: what one host needs of others is asked for.

mod data;
// Languages of code alone have holes and tokens.
#[allow(dead_code)]
mod decoded;
mod found;
mod language;
mod marks;
mod names;
mod rules;
#[allow(dead_code)]
mod token;
mod writing;

pub use data::{find as find_in_data, is_broken as is_data_broken};
pub use decoded::{Decoded, Piece, PieceKind};
pub use found::{Found, Why};
pub use language::Language;
pub use rules::KeyPath;
pub use writing::{CannotEdit, edit};
