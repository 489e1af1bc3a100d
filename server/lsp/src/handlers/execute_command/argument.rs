//! What a command is given.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tower_lsp::ls_types as lsp;

/// The only argument of each command.
#[derive(Debug, Deserialize)]
pub struct Argument {
    /// The prompt.
    pub uri: lsp::Uri,
    /// Which prompt of a pack, by its key.
    pub task: Option<String>,
    /// Which prompt of a pack, if no key says it: the one there; without it, the first.
    pub position: Option<lsp::Position>,
    /// The case.
    pub case: Option<String>,
    /// The case whose values a new one starts with.
    pub from: Option<String>,
    /// Which value to change: the keys from the top of the inputs.
    #[serde(default)]
    pub keys: Vec<String>,
    /// What it shall be, `null` too; without it, it goes.
    #[serde(default, deserialize_with = "present")]
    pub value: Option<Value>,
}

fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}
