//! The formats.

/// How data are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// JSON, with comments and commas at the end.
    Json,
    /// YAML 1.2 with its core schema.
    Yaml,
    /// TOML 1.
    Toml,
}
