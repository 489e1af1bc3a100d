//! Google ADK: the exact key; a value in Java's string form.
//!
//! Engine: `InstructionUtils.injectSessionState` of google/adk-java, 0.1 to 1.8. Document: its API
//! documentation. Numbers keep their written text, where Java would print its own.

use promptls_syntax::Dialect;

use crate::engine::{Engine, Verdict};
use crate::engine_error::{EngineError, ErrorKind};
use crate::found::Found;
use crate::given::Given;
use crate::outcome::Lookup;
use crate::string_form::StringForm;
use crate::template::Template;

pub(crate) const ENGINE: Engine = Engine {
    value: |value, file| Lookup::value_or_empty(value, StringForm::Java, file),
    verdict: Some(verdict),
    refuses_null: true,
    ..Engine::PLAIN
};

/// The engine stops at the first name that is missing.
fn verdict(_: &Template<'_>, _: &Given<'_>, found: &Found) -> Verdict {
    let error = found.missing.first().map(|first| {
        let artifact =
            Dialect::Adk.spec().file_prefix.and_then(|prefix| first.name.strip_prefix(prefix));
        let message = match artifact {
            Some(artifact) => format!("Artifact {artifact} not found"),
            None => format!("Context variable not found: {}", first.name),
        };
        EngineError::new(ErrorKind::Missing, vec![first.name.clone()], message)
    });
    Verdict { error, ..Verdict::default() }
}
