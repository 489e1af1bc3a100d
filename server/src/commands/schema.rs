//! `promptls schema`: prints JSON schemas.

use promptls_analysis::did_you_mean;

use crate::errors::CommandError;
use crate::output::columns::{Align, in_columns};
use crate::output::terminal;
use crate::schemas::{SCHEMAS, Schema};

/// Prints a schema; without a name, the list of schemas.
pub fn run(name: Option<&str>) -> Result<(), CommandError> {
    let Some(name) = name else {
        let row = |schema: &Schema| vec![schema.name.to_owned(), schema.about.to_owned()];
        let rows: Vec<Vec<String>> = SCHEMAS.iter().map(row).collect();
        return terminal::print(&in_columns(&rows, |_| Align::Left));
    };
    let schema = SCHEMAS.iter().find(|schema| schema.name == name);
    let schema = schema.ok_or_else(|| CommandError::UnknownSchema {
        name: name.to_owned(),
        hint: did_you_mean(name, SCHEMAS.iter().map(|schema| schema.name)),
    })?;
    terminal::print(&format!("{:#}\n", schema.made()))
}
