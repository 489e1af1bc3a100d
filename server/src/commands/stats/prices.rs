//! Token prices from the user's table: `"gpt-4o" = 2.50` for a million tokens.

use std::collections::BTreeMap;
use std::path::Path;

use promptls_resolver::Format;
use promptls_workspace::DISK;
use serde::Deserialize;

use crate::errors::CommandError;

/// Prices of a million input tokens, by the name of the model. The currency is irrelevant.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct PriceTable {
    models: BTreeMap<String, f64>,
}

impl PriceTable {
    /// Reads a table from TOML, or from JSON if the file name ends so. Fails for other content.
    pub fn read(path: &Path) -> Result<PriceTable, CommandError> {
        let text = DISK.read_named(path)?;
        let broken = |reason: String| CommandError::Prices { path: path.to_owned(), reason };
        let table: Result<PriceTable, String> = match Format::from_path(path) {
            Some(Format::Json) => serde_json::from_str(&text).map_err(|error| error.to_string()),
            _ => toml::from_str(&text).map_err(|error| error.message().to_owned()),
        };
        let table = table.map_err(broken)?;
        let is_no_price = |price: &f64| !price.is_finite() || *price < 0.0;
        match table.models.iter().find(|(_, price)| is_no_price(price)) {
            Some((model, price)) => Err(broken(format!("invalid price {price} of `{model}`"))),
            None => Ok(table),
        }
    }

    /// The names of models, in alphabetical order.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.models.keys().map(String::as_str)
    }

    /// The cost of this many tokens, by model.
    pub fn costs(&self, tokens: usize) -> BTreeMap<String, f64> {
        let cost = |(model, price): (&String, &f64)| (model.clone(), price * tokens as f64 / 1e6);
        self.models.iter().map(cost).collect()
    }
}
