//! The page, as it was built from `server/page/src`.

/// What it does.
pub const SCRIPT: &str = include_str!("../../page/dist/page.js");

/// How it looks.
pub const STYLE: &str = include_str!("../../page/dist/page.css");
