//! The name of the config file, in a leaf module: many modules need only the name.

/// The name of the file.
pub const CONFIG_NAME: &str = "promptls.toml";
