#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! A [`RowPrompt`] is a prompt with all that it is filled in with besides values: its engine, what is
//! declared, fragments. It owns all of that, and travels to other processes as one small text. A
//! [`RowReader`] cuts a table into chunks, [`Resolver`] makes their texts, and [`in_order`] does so on
//! all cores, so many chunks at a time that memory stays what it is, however long the table.
//!
//! With the feature `arrow`, a row is a position in columns ([`Columns`]), of which no value is
//! copied but into the text.

#[cfg(feature = "arrow")]
mod columns;
mod foreign;
mod in_order;
mod meaning;
mod needs;
mod overlay;
mod prompt;
mod read;
mod row;
mod travel;

#[cfg(feature = "arrow")]
pub use columns::{Columns, NotColumns, Rendered, Rendering, iso_duration, text_of};
pub use foreign::guarded;
pub use in_order::in_order;
pub use meaning::Meaning;
pub use needs::{Lacking, Needs, list_names};
pub use overlay::Overlay;
pub use prompt::RowPrompt;
pub use read::{Chunk, ReadError, RowReader, Table};
pub use row::{Outcome, Resolver, RowError};
pub use travel::{NotAPrompt, VERSION, hash};
