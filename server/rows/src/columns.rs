//! An Arrow table as values of a prompt, row by row.
//!
//! Texts are borrowed from the table. Values of other types are converted on request: `cell.rs`
//! reads a value of each type, and `value.rs` determines its form for an engine.

mod cell;
mod column;
mod data;
mod foreign;
mod iso;
mod python;
mod render;
mod value;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_buffer::NullBuffer;
use promptls_resolver::{Object, Value, ValueRef, Values};

use self::column::Column;
pub use self::data::text_of;
pub use self::iso::iso_duration;
pub use self::render::{Rendered, Rendering};
use self::value::value;
use crate::foreign::guarded;
use crate::meaning::Meaning;
use crate::needs::MissingColumn;
#[cfg(feature = "parquet")]
use crate::row::TakesRow;
use crate::row::{Outcome, Resolver, RowError, RowValues};

/// The columns of a table, including those that the prompt does not read.
///
/// ```
/// use std::sync::Arc;
///
/// use arrow_array::{Int64Array, RecordBatch, StringArray};
/// use promptls_resolver::{Dialect, Object};
/// use promptls_rows::{Columns, Resolver, RowPrompt};
///
/// let names = Arc::new(StringArray::from(vec!["Ada", "Grace"])) as _;
/// let years = Arc::new(Int64Array::from(vec![1815, 1906])) as _;
/// let table = RecordBatch::try_from_iter([("name", names), ("year", years)]).unwrap();
///
/// let prompt = RowPrompt::new(Dialect::Adk, "{name} was born in {year}.");
/// let resolver = Resolver { prompt: &prompt, above: &Object::default() };
/// let rendered = Columns::of_batch(&table, &resolver).unwrap().render(&resolver);
/// assert_eq!(rendered.texts.value(1), "Grace was born in 1906.");
/// ```
pub struct Columns {
    names: Vec<String>,
    index: HashMap<String, usize>,
    columns: Vec<Column>,
    /// The rows that are null.
    nulls: Option<NullBuffer>,
    rows: usize,
}

/// The reason why a table cannot supply the values of a prompt.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotColumns {
    /// The prompt reads names without a column.
    #[error("{}", list_of(.0))]
    Missing(Vec<MissingColumn>),
    /// Two columns have the same name, which the prompt reads.
    #[error("duplicate column `{0}`")]
    Twice(String),
    /// The memory of a column does not match its type.
    #[error("the column `{name}` is broken: {reason}")]
    Broken {
        /// The name of the column.
        name: String,
        /// The reason, from the validation of Arrow.
        reason: String,
    },
}

fn list_of(missing: &[MissingColumn]) -> String {
    missing.iter().map(MissingColumn::to_string).collect::<Vec<_>>().join("\n")
}

impl Columns {
    /// The columns of a record batch.
    pub fn of_batch(batch: &RecordBatch, resolver: &Resolver<'_>) -> Result<Columns, NotColumns> {
        Columns::new(named(batch), None, batch.num_rows(), resolver)
    }

    /// The same for a reader that produces valid columns.
    #[cfg(feature = "parquet")]
    pub(crate) fn of_trusted_batch(
        batch: &RecordBatch,
        resolver: &Resolver<'_>,
    ) -> Result<Columns, NotColumns> {
        Columns::trusted(named(batch), None, batch.num_rows(), resolver)
    }

    /// The fields of an array of structs; a null row is no row.
    pub fn of_structs(array: &StructArray, resolver: &Resolver<'_>) -> Result<Columns, NotColumns> {
        let fields = array.fields().iter().map(|field| field.name().clone());
        let columns = fields.zip(array.columns().iter().cloned()).collect();
        Columns::new(columns, array.nulls().cloned(), array.len(), resolver)
    }

    /// Creates columns from arrays and their names.
    ///
    /// Cost: the columns that the prompt reads are validated once: UTF-8 text, and offsets within
    /// an array. No value is copied.
    pub fn new(
        columns: Vec<(String, ArrayRef)>,
        nulls: Option<NullBuffer>,
        rows: usize,
        resolver: &Resolver<'_>,
    ) -> Result<Columns, NotColumns> {
        validate(&columns, resolver)?;
        Columns::trusted(columns, nulls, rows, resolver)
    }

    /// The same for callers that produce valid columns.
    pub(crate) fn trusted(
        columns: Vec<(String, ArrayRef)>,
        nulls: Option<NullBuffer>,
        rows: usize,
        resolver: &Resolver<'_>,
    ) -> Result<Columns, NotColumns> {
        let needs = resolver.prompt.needs();
        let above = resolver.above.entries().iter().map(|entry| &*entry.key);
        let names = columns.iter().map(|(name, _)| name.as_str());
        let missing = needs.missing_columns(&names.clone().chain(above).collect::<Vec<&str>>());
        if !missing.is_empty() {
            return Err(NotColumns::Missing(missing));
        }
        if let Some(name) = needs.twice(&names.clone().collect::<Vec<&str>>()) {
            return Err(NotColumns::Twice(name.to_owned()));
        }
        let index = names.enumerate().map(|(at, name)| (name.to_owned(), at)).collect();
        let (names, arrays): (Vec<String>, Vec<ArrayRef>) = columns.into_iter().unzip();
        let columns = arrays.into_iter().map(Column::new).collect();
        Ok(Columns { names, index, columns, nulls, rows })
    }

    /// The number of rows, including null ones.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The text of a row, or the reason why it has none.
    ///
    /// # Panics
    ///
    /// If the row does not exist.
    pub fn outcome(&self, row: usize, resolver: &Resolver<'_>) -> Outcome {
        let values = self.row(row, resolver)?;
        let outcome = resolver.outcome(&values);
        match values.refused.into_inner() {
            Some(reason) => Err(RowError::NoRow(reason)),
            None => outcome,
        }
    }

    /// Passes on the values of a row.
    #[cfg(feature = "parquet")]
    pub(crate) fn pass_on(&self, row: usize, resolver: &Resolver<'_>, take: TakesRow<'_>) {
        match self.row(row, resolver) {
            Ok(values) => take(Ok(&values)),
            Err(error) => take(Err(error)),
        }
    }

    /// The values of a row; an error for null.
    fn row(&self, row: usize, resolver: &Resolver<'_>) -> Result<Row<'_>, RowError> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Err(RowError::NoRow(
                "a row is one object of names and values; this is null".to_owned(),
            ));
        }
        Ok(Row {
            columns: self,
            row,
            meaning: resolver.prompt.meaning(),
            made: self.cells(),
            refused: OnceCell::new(),
            all: OnceCell::new(),
        })
    }

    /// A cell for each converted value of a row.
    fn cells(&self) -> Vec<OnceCell<Value>> {
        match self.columns.iter().any(|column| column.is_made()) {
            true => vec![OnceCell::new(); self.columns.len()],
            false => Vec::new(),
        }
    }
}

/// Fails for columns that the prompt reads and whose memory does not match their types.
fn validate(columns: &[(String, ArrayRef)], resolver: &Resolver<'_>) -> Result<(), NotColumns> {
    let needs = resolver.prompt.needs();
    for (name, array) in columns.iter().filter(|(name, _)| needs.is_read(name)) {
        let reason = match guarded(|| array.to_data().validate_full()) {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => error.to_string(),
            Err(panic) => panic,
        };
        return Err(NotColumns::Broken { name: name.clone(), reason });
    }
    Ok(())
}

fn named(batch: &RecordBatch) -> Vec<(String, ArrayRef)> {
    let names = batch.schema_ref().fields().iter().map(|field| field.name().clone());
    names.zip(batch.columns().iter().cloned()).collect()
}

struct Row<'c> {
    columns: &'c Columns,
    row: usize,
    meaning: Meaning,
    made: Vec<OnceCell<Value>>,
    /// The reason why a value that the prompt reads is invalid.
    refused: OnceCell<String>,
    /// All values, for engines that use them as one object.
    all: OnceCell<Object>,
}

impl Row<'_> {
    fn value_at(&self, column: usize) -> Option<ValueRef<'_>> {
        let Columns { columns, names, .. } = self.columns;
        if let Some(found) = columns[column].value(self.row) {
            return Some(found);
        }
        let made = || {
            let made = guarded(|| value(columns[column].array(), self.row, self.meaning)).flatten();
            made.unwrap_or_else(|reason| {
                let reason = format!("the column `{}` {reason}", names[column]);
                // Any reason is sufficient, so the first one is kept.
                let _ = self.refused.set(reason);
                promptls_resolver::ValueKind::Null.into()
            })
        };
        Some(ValueRef::Value(self.made[column].get_or_init(made)))
    }
}

impl RowValues for Row<'_> {
    fn refused(&self) -> Option<String> {
        self.refused.get().cloned()
    }
}

impl Values for Row<'_> {
    fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        self.value_at(*self.columns.index.get(name)?)
    }

    fn text_near(&self, likely: &mut usize, name: &str, _: Option<u64>) -> Option<&str> {
        let column = match self.columns.names.get(*likely) {
            Some(column) if column == name => *likely,
            _ => *self.columns.index.get(name)?,
        };
        *likely = column + 1;
        self.columns.columns[column].text(self.row)
    }

    fn all(&self) -> Option<Cow<'_, Object>> {
        let entries = self.columns.names.iter().enumerate();
        let entries = entries.filter_map(|(column, name)| {
            Some((name.as_str(), Value::from(self.value_at(column)?)))
        });
        Some(Cow::Borrowed(self.all.get_or_init(|| entries.collect())))
    }

    fn count(&self) -> Option<usize> {
        Some(self.columns.names.len())
    }
}
