//! Google ADK: exact keys; values in Java's string form.
//!
//! Engine: `InstructionUtils.injectSessionState` of google/adk-java, 0.1 to 1.8. Document: its API
//! documentation. Numbers keep their source text, where Java would print its own.

use promptls_syntax::Dialect;

use crate::behaviour::{Behaviour, Facts, Verdict};
use crate::engines::adk::Rules;
use crate::findings::run_findings::RunFindings;
use crate::string_form::StringForm;
use crate::template::Execution;

pub(crate) static DOCUMENTED: Adk = Adk {
    facts: Facts { form: StringForm::JAVA, refuses_null: true, ..Facts::plain(Dialect::Adk) },
    rules: Rules {
        missing: "Context variable not found: {name}",
        missing_artifact: "Artifact {name} not found",
        ..Rules::DOCUMENTED
    },
};

/// The engine that the document describes.
pub(crate) struct Adk {
    facts: Facts,
    rules: Rules,
}

impl Behaviour for Adk {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn needs(&self, name: &str) -> bool {
        self.rules.needs(name)
    }

    fn verdict(&self, execution: Execution<'_>, found: &RunFindings) -> Verdict {
        self.rules.verdict(execution, found)
    }
}
