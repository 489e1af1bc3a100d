//! The data formats, and their file extensions.

use std::path::Path;

/// A data format that [`read`](crate::read) supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// JSON, with comments and trailing commas.
    Json,
    /// YAML 1.2 with its core schema.
    Yaml,
    /// TOML 1, as in `promptls.toml`.
    Toml,
}

/// File extensions, without a dot, with their formats.
pub const ENDINGS: [(&str, Format); 4] =
    [("json", Format::Json), ("yaml", Format::Yaml), ("yml", Format::Yaml), ("toml", Format::Toml)];

impl Format {
    /// The format of an extension without a dot; `None` for extensions that are not in [`ENDINGS`].
    pub fn of_ending(ending: &str) -> Option<Format> {
        ENDINGS.into_iter().find(|(known, _)| *known == ending).map(|(_, format)| format)
    }

    /// The format of a path, by its extension.
    pub fn from_path(path: impl AsRef<Path>) -> Option<Format> {
        Format::of_ending(path.as_ref().extension()?.to_str()?)
    }

    /// The format of a sidecar: by its extension, else JSON.
    pub fn of_sidecar(path: impl AsRef<Path>) -> Format {
        Format::from_path(path).unwrap_or(Format::Json)
    }

    /// The language id of the format in editors.
    pub fn id(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Yaml => "yaml",
            Format::Toml => "toml",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_of_a_path_is_its_format() {
        for (path, format) in [
            ("a/b.inputs.json", Some(Format::Json)),
            ("b.yaml", Some(Format::Yaml)),
            ("b.yml", Some(Format::Yaml)),
            ("b.toml", Some(Format::Toml)),
            ("b.env", None),
            ("json", None),
        ] {
            assert_eq!(Format::from_path(path), format);
        }
    }
}
