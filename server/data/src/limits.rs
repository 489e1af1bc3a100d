//! Limits on parsed files.

/// The maximum nesting depth of lists and objects. Values are walked and dropped recursively.
///
/// Two parsers have lower limits: 255 brackets in YAML, 80 tables in TOML.
pub const MAX_DEPTH: usize = 512;

/// The maximum number of bytes of copies made for aliases.
///
/// A few kilobytes of aliases to aliases can request all memory. 16 MiB exceeds what people repeat
/// by hand, and is filled in some ten milliseconds.
pub const MAX_COPIED_BYTES: usize = 16 << 20;

/// The error for a file that is nested too deeply.
pub const NESTED_TOO_DEEPLY: &str = "this is nested too deeply";

/// The error for a file whose aliases request more copies.
pub const COPIES_TOO_LARGE: &str = "the aliases of this file repeat more than 16 MiB";
