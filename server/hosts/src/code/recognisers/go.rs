//! The recognisers of Go.

use super::frameworks::ADK_GO;
use super::row::{NamedBy, Parameter, Recogniser, Shape};

/// All recognisers of Go.
pub(super) const RECOGNISERS: &[Recogniser] = &[Recogniser {
    framework: ADK_GO,
    callee: "agent.llmagent.Config",
    shape: Shape::Call,
    parameters: &[
        Parameter {
            place: "google.golang.org/adk/agent/llmagent.Config{Instruction}",
            keyword: "Instruction",
            position: None,
            suffix: "",
        },
        Parameter {
            place: "google.golang.org/adk/agent/llmagent.Config{GlobalInstruction}",
            keyword: "GlobalInstruction",
            position: None,
            suffix: ".globalInstruction",
        },
    ],
    name: Some(NamedBy::Argument("Name")),
    is_base: false,
}];
