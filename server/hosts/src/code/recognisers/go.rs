//! The recognisers of Go.

use promptls_syntax::Dialect;

use crate::code::recogniser::{NamedBy, Parameter, Recogniser};

pub(super) const RECOGNISERS: &[Recogniser] = &[Recogniser {
    name: Some(NamedBy::Argument("Name")),
    ..Recogniser::call(
        &["google.golang.org/adk"],
        "agent.llmagent.Config",
        Dialect::Adk,
        &[
            Parameter::named(
                "google.golang.org/adk/agent/llmagent.Config{Instruction}",
                "Instruction",
            ),
            Parameter::named(
                "google.golang.org/adk/agent/llmagent.Config{GlobalInstruction}",
                "GlobalInstruction",
            )
            .suffixed(".globalInstruction"),
        ],
    )
}];
