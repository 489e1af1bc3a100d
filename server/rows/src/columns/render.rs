//! The texts of all rows, as columns.

use std::ops::Range;

use arrow_array::builder::{LargeStringBuilder, StringBuilder};
use arrow_array::{LargeStringArray, StringArray};

use super::Columns;
use crate::in_order::in_order;
use crate::row::{Resolver, RowError};

/// So many bytes of text are made at once: enough that threads do not wait for each other.
const PART: usize = 256 * 1024;

/// What became of each row: a text or an error, and null in the other column.
#[derive(Debug)]
pub struct Rendered {
    /// The texts.
    pub texts: LargeStringArray,
    /// Why a row has none.
    pub errors: StringArray,
    /// How many have none.
    pub failed: usize,
}

/// The same in the making, from one batch after the other.
#[derive(Debug, Default)]
pub struct Rendering {
    texts: LargeStringBuilder,
    errors: StringBuilder,
    failed: usize,
}

/// Some rows: their texts behind each other, and where each one ends, or why there is none.
#[derive(Default)]
struct Part {
    text: String,
    ends: Vec<Result<usize, RowError>>,
}

impl Columns {
    /// The texts of all rows, made on all cores.
    ///
    /// Memory: that of the texts, and of some hundred KiB more.
    pub fn render(&self, resolver: &Resolver<'_>) -> Rendered {
        let mut rendering = Rendering::default();
        match rendering.add(self, resolver, || Ok::<(), std::convert::Infallible>(())) {
            Ok(()) => {}
            Err(never) => match never {},
        }
        rendering.finish()
    }

    fn part(&self, rows: Range<usize>, resolver: &Resolver<'_>) -> Part {
        let mut part = Part::default();
        for row in rows {
            part.ends.push(self.outcome(row, resolver).map(|text| {
                part.text.push_str(&text);
                part.text.len()
            }));
        }
        part
    }
}

impl Rendering {
    /// Adds the texts of all rows of a batch, made on all cores.
    ///
    /// `go_on` is asked now and then, on the calling thread; its error ends the work, and what has
    /// been made of the batch up to there stays.
    pub fn add<E>(
        &mut self,
        columns: &Columns,
        resolver: &Resolver<'_>,
        mut go_on: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let rows = columns.rows();
        let step = (PART / resolver.prompt.text().len().max(1)).clamp(1, 4096);
        let parts = (0..rows).step_by(step).map(|at| at..(at + step).min(rows));
        let take = |part: Part| {
            self.take(part);
            go_on()
        };
        in_order(parts, |rows| columns.part(rows, resolver), take)
    }

    fn take(&mut self, part: Part) {
        let mut start = 0;
        for end in part.ends {
            match end {
                Ok(end) => {
                    self.texts.append_value(&part.text[start..end]);
                    self.errors.append_null();
                    start = end;
                }
                Err(error) => {
                    self.texts.append_null();
                    self.errors.append_value(error.to_string());
                    self.failed += 1;
                }
            }
        }
    }

    /// All of it.
    pub fn finish(mut self) -> Rendered {
        Rendered { texts: self.texts.finish(), errors: self.errors.finish(), failed: self.failed }
    }
}
