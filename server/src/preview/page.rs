//! The page, built from `server/page/src`.

/// The script of the page.
pub const SCRIPT: &str = include_str!("../../page/dist/page.js");

/// The style of the page.
pub const STYLE: &str = include_str!("../../page/dist/page.css");
