//! The texts of all rows, as columns.

use std::ops::Range;

use arrow_array::builder::{LargeStringBuilder, StringBuilder};
use arrow_array::{LargeStringArray, StringArray};

use super::Columns;
use crate::in_order::in_order;
use crate::row::{Resolver, RowError};

/// The number of bytes of text that are produced at once: enough that threads do not wait for each
/// other.
const PART: usize = 256 * 1024;

/// The result of each row: a text or an error, with null in the other column.
#[derive(Debug)]
pub struct Rendered {
    /// The text of each row; null if the row has an error.
    pub texts: LargeStringArray,
    /// The error of a row without a text.
    pub errors: StringArray,
    /// The number of rows without a text.
    pub failed: usize,
}

/// A builder of the same from one batch after the other.
#[derive(Debug, Default)]
pub struct Rendering {
    texts: LargeStringBuilder,
    errors: StringBuilder,
    failed: usize,
}

/// Some rows: their concatenated texts, and the end of each one, or its error.
#[derive(Default)]
struct RowTexts {
    text: String,
    ends: Vec<Result<usize, RowError>>,
}

impl Columns {
    /// The texts of all rows, computed on all cores.
    ///
    /// Memory: that of the texts, and some hundred KiB more.
    pub fn render(&self, resolver: &Resolver<'_>) -> Rendered {
        let mut rendering = Rendering::default();
        match rendering.add(self, resolver, || Ok::<(), std::convert::Infallible>(())) {
            Ok(()) => {}
            Err(never) => match never {},
        }
        rendering.finish()
    }

    fn part(&self, rows: Range<usize>, resolver: &Resolver<'_>) -> RowTexts {
        let mut part = RowTexts::default();
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
    /// Adds the texts of all rows of a batch, computed on all cores.
    ///
    /// `go_on` is called occasionally, on the calling thread. Its error ends the work, and the
    /// results of the batch up to there are kept.
    pub fn add<E>(
        &mut self,
        columns: &Columns,
        resolver: &Resolver<'_>,
        mut go_on: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let rows = columns.rows();
        let step = (PART / resolver.prompt.text().len().max(1)).clamp(1, 4096);
        let parts = (0..rows).step_by(step).map(|at| at..(at + step).min(rows));
        let take = |part: RowTexts| {
            self.take(part);
            go_on()
        };
        in_order(parts, |rows| columns.part(rows, resolver), take)
    }

    fn take(&mut self, part: RowTexts) {
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

    /// Returns the results of all batches that were added.
    pub fn finish(mut self) -> Rendered {
        Rendered { texts: self.texts.finish(), errors: self.errors.finish(), failed: self.failed }
    }
}
