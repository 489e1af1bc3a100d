#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! This crate describes the syntax of prompts: dialects, tokens, and blocks.
//!
//! [`Tree`] contains the tokens of a whole prompt, and is updated by edits; [`tokenize`] is the
//! same without updates, for text that is read once. This crate does not depend on values, files or
//! editors, and nothing in it can fail: malformed text yields tokens, too.

mod blocks;
mod dialect;
mod fields;
mod grammar;
mod lexer;
mod names;
mod segments;
mod source;
mod spelling;
mod token;
mod tree;

pub use blocks::{Scope, ScopeId, TagStatus, pair_blocks};
pub use dialect::{Clue, Clues, Dialect, DialectSpec, Missing, PathStyle};
pub use fields::{Field, FieldError};
pub use grammar::Grammar;
pub use lexer::{name_range, near_miss_word, tokenize};
pub use names::{NameId, Use, UseMap, UseSet};
pub use source::TextSource;
pub use spelling::{escaped, escapes, is_name, spelled, unescaped};
pub use token::{BlockKind, Flaw, Token, TokenKind};
pub use tree::{Edit, TokenRef, Tree, Work};
