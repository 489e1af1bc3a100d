//! Entries of `strings` in rules.

use promptls_hosts::{CodeEntry, KeyPath};

/// The reason why an entry of `strings` is invalid in all languages; `None` for a valid one.
pub fn why_unusable(entry: &str) -> Option<String> {
    let in_code = CodeEntry::parse(entry).err()?;
    KeyPath::parse(entry).is_none().then(|| in_code.to_string())
}
