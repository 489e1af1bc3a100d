//! Addresses on the web that the program prints.

use promptls_resolver::Code;

/// The project's repository.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The book. It ends with a slash.
const BOOK: &str = env!("CARGO_PKG_HOMEPAGE");

/// The page of the book about a code.
pub fn page_of(code: Code) -> String {
    format!("{BOOK}reference/rules/{}.html", code.id())
}
