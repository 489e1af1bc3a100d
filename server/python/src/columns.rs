//! The mapping from columns of a table to names of a prompt.

use std::collections::{BTreeMap, HashMap, HashSet};

use promptls_analysis::did_you_mean;
use promptls_rows::{RowPrompt, list_names};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::argument::{key, must_be};
use crate::classes::missing_columns;
use crate::prompt_arguments::warn;

/// The column for each name of the prompt whose column has another name.
pub struct Renaming(BTreeMap<String, String>);

impl Renaming {
    pub fn new(column_map: Option<&Bound<'_, PyDict>>) -> PyResult<Renaming> {
        let read = |map: &Bound<'_, PyDict>| {
            let pairs = map.iter().map(|(name, column)| {
                let column = column
                    .extract()
                    .map_err(|_| must_be("column_map", "a dict of str to str", &column))?;
                Ok((key("column_map", &name)?, column))
            });
            pairs.collect::<PyResult<BTreeMap<String, String>>>()
        };
        Ok(Renaming(column_map.map(read).transpose()?.unwrap_or_default()))
    }

    /// The columns that a prompt reads, by the names of the prompt. Fails if a required name has
    /// neither a column nor a value in `above`; warns about unused columns.
    pub fn read(
        &self,
        py: Python<'_>,
        prompt: &RowPrompt,
        columns: &[String],
        above: &[&str],
    ) -> PyResult<Vec<(String, usize)>> {
        let renamed: HashSet<&str> = self.0.values().map(String::as_str).collect();
        let positions = || columns.iter().enumerate().rev().map(|(at, name)| (name.as_str(), at));
        let positions: HashMap<&str, usize> =
            if self.0.is_empty() { HashMap::new() } else { positions().collect() };
        let mut read = Vec::new();
        for (name, column) in &self.0 {
            let Some(&at) = positions.get(column.as_str()) else {
                let hint = did_you_mean(column, columns.iter().map(String::as_str));
                let message = format!("there is no column `{column}`{hint}");
                return Err(missing_columns(py, &message, vec![column.clone()]));
            };
            read.push((name.clone(), at));
        }
        for (at, column) in columns.iter().enumerate() {
            if !self.0.contains_key(column) && !renamed.contains(column.as_str()) {
                read.push((column.clone(), at));
            }
        }
        let needs = prompt.needs();
        let names: Vec<&str> = read.iter().map(|(name, _)| name.as_str()).collect();
        let known: Vec<&str> = names.iter().copied().chain(above.iter().copied()).collect();
        let missing = needs.missing_columns(&known);
        if !missing.is_empty() {
            let lines: Vec<String> = missing.iter().map(ToString::to_string).collect();
            let names = missing.into_iter().map(|column| column.name).collect();
            return Err(missing_columns(py, &lines.join("\n"), names));
        }
        let (read, unread): (Vec<_>, Vec<_>) =
            read.into_iter().partition(|(name, _)| needs.is_read(name));
        if !unread.is_empty() {
            let what = if unread.len() == 1 { "column" } else { "columns" };
            let unread: Vec<&str> = unread.iter().map(|(_, at)| columns[*at].as_str()).collect();
            warn(py, &format!("the prompt does not read the {what} {}", list_names(&unread)))?;
        }
        Ok(read)
    }

    /// The same for Python: names of the prompt, and columns.
    pub fn read_columns<'py>(
        &self,
        py: Python<'py>,
        prompt: &RowPrompt,
        columns: Vec<String>,
        above: &[String],
    ) -> PyResult<Bound<'py, PyDict>> {
        let above: Vec<&str> = above.iter().map(String::as_str).collect();
        let read = PyDict::new(py);
        for (name, at) in self.read(py, prompt, &columns, &above)? {
            read.set_item(name, &columns[at])?;
        }
        Ok(read)
    }
}
