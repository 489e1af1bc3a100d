//! Entries of `strings` in rules.

use promptls_hosts::{CodeEntry, KeyPath};

/// Why an entry of `strings` means nothing in any language; `None` for one that does.
pub fn why_unusable(entry: &str) -> Option<String> {
    let in_code = CodeEntry::parse(entry).err()?;
    KeyPath::parse(entry).is_none().then(|| in_code.to_string())
}
