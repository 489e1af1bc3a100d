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
        let step = (PART / resolver.prompt.text().len().max(1)).clamp(1, 4096);
        let parts = (0..self.rows()).step_by(step).map(|at| at..(at + step).min(self.rows()));
        let mut texts = LargeStringBuilder::with_capacity(self.rows(), 0);
        let mut errors = StringBuilder::with_capacity(self.rows(), 0);
        let mut failed = 0;
        let take = |part: Part| {
            let mut start = 0;
            for end in part.ends {
                match end {
                    Ok(end) => {
                        texts.append_value(&part.text[start..end]);
                        errors.append_null();
                        start = end;
                    }
                    Err(error) => {
                        texts.append_null();
                        errors.append_value(error.to_string());
                        failed += 1;
                    }
                }
            }
            Ok::<(), std::convert::Infallible>(())
        };
        match in_order(parts, |rows| self.part(rows, resolver), take) {
            Ok(()) => {}
            Err(never) => match never {},
        }
        Rendered { texts: texts.finish(), errors: errors.finish(), failed }
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
