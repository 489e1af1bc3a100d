//! The recognisers of Go.

use promptls_syntax::Dialect;

use crate::code::recogniser::{NamedBy, Parameter, Recogniser, Shape};

pub(super) const RECOGNISERS: &[Recogniser] = &[Recogniser {
    package: "google.golang.org/adk",
    callee: "agent.llmagent.Config",
    shape: Shape::Call,
    dialect: Dialect::Adk,
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
    other_syntax: None,
}];
