#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! A [`RowPrompt`] is a prompt with everything besides values: its engine, declarations and
//! fragments. It owns all of that, and can be sent to other processes as one small text. A
//! [`RowReader`] splits a table into chunks, and a [`Resolver`] computes their texts. [`in_order`]
//! does so on all cores, with a limited number of chunks at a time. So memory does not depend on
//! the length of the table.
//!
//! With the feature `arrow`, a row is a position in columns ([`Columns`]), whose values are copied
//! only into the text.

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
pub use needs::{MissingColumn, Needs, list_names};
pub use overlay::Overlay;
pub use prompt::RowPrompt;
pub use read::{Chunk, ReadError, RowReader, Table};
pub use row::{Outcome, Resolver, RowError, RowValues};
pub use travel::{NotAPrompt, VERSION, hash};
