//! The frameworks that take prompts: where they are imported from, and how they resolve them.

use promptls_syntax::Dialect;

/// A framework in a language.
#[derive(Clone, Copy)]
pub(crate) struct Framework {
    /// The package that it is imported from, or one that is above of it.
    pub package: &'static str,
    pub dialect: Dialect,
}

pub(super) const ADK_PYTHON: Framework = Framework { package: "google.adk", dialect: Dialect::Adk };
pub(super) const ADK_JAVA: Framework =
    Framework { package: "com.google.adk", dialect: Dialect::Adk };
pub(super) const ADK_KOTLIN: Framework =
    Framework { package: "com.google.adk.kt", dialect: Dialect::Adk };
pub(super) const ADK_SCRIPT: Framework =
    Framework { package: "@google/adk", dialect: Dialect::Adk };
pub(super) const ADK_GO: Framework =
    Framework { package: "google.golang.org/adk", dialect: Dialect::Adk };
pub(super) const AGENTLE_PYTHON: Framework =
    Framework { package: "agentle", dialect: Dialect::Agentle };
pub(super) const AGENTLE_JAVA: Framework =
    Framework { package: "com.paragon.prompts", dialect: Dialect::Agentle };
pub(super) const ENSEMBLE_JAVA: Framework =
    Framework { package: "net.agentensemble", dialect: Dialect::AgentEnsemble };
