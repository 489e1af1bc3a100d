//! The entries of `strings` in a rule, which say what is a prompt in the files of the rule.

mod key_path;

pub use key_path::KeyPath;
pub(crate) use key_path::Step;
