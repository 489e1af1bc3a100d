//! `NAME:ID`: a prompt in a store, on the command line.

use std::convert::Infallible;
use std::str::FromStr;

use super::failure::StoreFailure;

/// A store, or a prompt in it: `prod` or `prod:support/greeting`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The name of the store in `promptls.toml`.
    pub store: String,
    /// The prompt; `None` for all of them.
    pub id: Option<String>,
}

impl FromStr for Address {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Address, Self::Err> {
        Ok(match text.split_once(':') {
            Some((store, id)) => Address { store: store.to_owned(), id: Some(id.to_owned()) },
            None => Address { store: text.to_owned(), id: None },
        })
    }
}

impl Address {
    /// The id of the prompt. Fails if the address names all prompts.
    pub fn id(&self) -> Result<&str, StoreFailure> {
        self.id.as_deref().ok_or_else(|| StoreFailure::NeedsId(self.store.clone()))
    }
}
