//! Stores of prompts, as configured in `promptls.toml`.
//!
//! Only commands that use a store reach this module: no other part of the program uses the network.

mod address;
mod failure;
mod fetch;
mod host;
mod opened_store;

pub use address::Address;
pub use failure::StoreFailure;
pub use fetch::{fetch, is_address};
pub use opened_store::{OpenedStore, block_on};
