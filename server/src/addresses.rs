//! Addresses on the web that the program prints.

use promptls_resolver::Code;

/// The project's home.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The page about a code, in the release that this program is.
pub fn page_of(code: Code) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{REPOSITORY}/blob/v{version}/server/workspace/src/explain/{}.md", code.id())
}
