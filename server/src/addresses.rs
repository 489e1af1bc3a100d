//! Addresses on the web that the program prints.

use promptls_resolver::Code;

/// The project's repository, from `Cargo.toml`; without a trailing slash.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The URL of the book, with a trailing slash.
const BOOK: &str = env!("CARGO_PKG_HOMEPAGE");

/// The URL of the book's page about a problem code.
pub fn page_of(code: Code) -> String {
    format!("{BOOK}reference/rules/{}.html", code.id())
}
