#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! What a prompt looks like: its dialect, its tokens, its blocks.
//!
//! [`Tree`] is the tokens of a whole prompt, kept up to date under edits;
//! [`tokenize`] is the same without the upkeep, for text that is read once.
//! Nothing here knows values, files or editors, and nothing can fail: malformed
//! text is tokens, too.

mod blocks;
mod dialect;
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
pub use grammar::Grammar;
pub use lexer::{name_range, near_miss_word, tokenize};
pub use names::{NameId, Use};
pub use source::Source;
pub use spelling::{escaped, is_name, spelled};
pub use token::{BlockKind, Flaw, Token, TokenKind};
pub use tree::{Edit, TokenRef, Tree, Work};
