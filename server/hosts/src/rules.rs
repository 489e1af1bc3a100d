//! The entries of `strings` in a rule, which select the prompts in its files.

mod key_path;

pub use key_path::KeyPath;
pub(crate) use key_path::KeyStep;
