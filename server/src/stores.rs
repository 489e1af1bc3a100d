//! Stores of prompts, as `promptls.toml` names them.
//!
//! Only who asks for a store comes here: nothing else of the program knows of networks.

mod address;
mod failure;
mod fetch;
mod host;
mod opened_store;

pub use address::Address;
pub use failure::StoreFailure;
pub use fetch::{fetch, is_address};
pub use opened_store::{OpenedStore, block_on};
