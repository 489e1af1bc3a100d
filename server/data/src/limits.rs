//! How much is read.

/// The most lists and objects in each other. Values are walked and dropped by recursion.
///
/// Two parsers have limits of their own below it: 255 brackets in YAML, 80 tables in TOML.
pub const MAX_DEPTH: usize = 512;

/// The most bytes that copies may take which aliases ask for.
///
/// A few kilobytes of aliases to aliases can ask for all memory. 16 MiB is more than people repeat
/// by hand, and is filled in some ten milliseconds.
pub const MAX_COPIED_BYTES: usize = 16 << 20;

/// The reason to refuse a file with deeper values.
pub const NESTED_TOO_DEEPLY: &str = "this is nested too deeply";

/// The reason to refuse a file whose aliases ask for more copies.
pub const COPIES_TOO_LARGE: &str = "the aliases of this file repeat more than 16 MiB";
