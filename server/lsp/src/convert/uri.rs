//! The URI of a document.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

/// The URI of a document, as the editor writes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Uri(lsp::Uri);

/// The text is not a URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a URI")]
pub struct InvalidUri;

impl Uri {
    /// The text of the URI.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(super) fn as_lsp(&self) -> &lsp::Uri {
        &self.0
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl FromStr for Uri {
    type Err = InvalidUri;

    fn from_str(text: &str) -> Result<Uri, InvalidUri> {
        text.parse().map(Uri).map_err(|_| InvalidUri)
    }
}

impl From<lsp::Uri> for Uri {
    fn from(uri: lsp::Uri) -> Uri {
        Uri(uri)
    }
}

impl From<Uri> for lsp::Uri {
    fn from(Uri(uri): Uri) -> lsp::Uri {
        uri
    }
}
