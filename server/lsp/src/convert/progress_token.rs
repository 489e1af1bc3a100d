//! The token of a progress indicator.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

/// Identifies a progress indicator or a request with partial results.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProgressToken(lsp::ProgressToken);

impl From<String> for ProgressToken {
    fn from(token: String) -> ProgressToken {
        ProgressToken(lsp::ProgressToken::String(token))
    }
}

impl From<lsp::ProgressToken> for ProgressToken {
    fn from(token: lsp::ProgressToken) -> ProgressToken {
        ProgressToken(token)
    }
}

impl From<ProgressToken> for lsp::ProgressToken {
    fn from(ProgressToken(token): ProgressToken) -> lsp::ProgressToken {
        token
    }
}
