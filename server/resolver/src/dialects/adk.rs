//! Google ADK: exact keys; values in Java's string form.
//!
//! Engine: `InstructionUtils.injectSessionState` of google/adk-java, 0.1 to 1.8. Document: its API
//! documentation. Numbers keep their source text, where Java would print its own.

use promptls_syntax::Dialect;

use crate::behaviour::Behaviour;
use crate::engines::adk::{Rules, needs, verdict};
use crate::string_form::StringForm;

pub(crate) static DOCUMENTED: Behaviour = Behaviour {
    form: StringForm::JAVA,
    verdict: Some(verdict),
    refuses_null: true,
    needs: Some(needs),
    own: &Rules {
        missing: "Context variable not found: {name}",
        missing_artifact: "Artifact {name} not found",
        ..Rules::DOCUMENTED
    },
    ..Behaviour::plain(Dialect::Adk)
};
