//! The recognisers of Kotlin, besides those of Java.

use super::frameworks::ADK_KOTLIN;
use super::row::{NamedBy, Parameter, Recogniser, Shape};

const fn instruction(callee: &'static str, parameters: &'static [Parameter]) -> Recogniser {
    Recogniser {
        framework: ADK_KOTLIN,
        callee,
        shape: Shape::Call,
        parameters,
        name: Some(NamedBy::CallAround("name")),
        is_base: false,
    }
}

/// All recognisers of Kotlin alone.
pub(super) const RECOGNISERS: &[Recogniser] = &[
    instruction(
        "Instruction",
        &[Parameter {
            place: "com.google.adk.kt.agents.Instruction(text)",
            keyword: "text",
            position: Some(0),
            suffix: "",
        }],
    ),
    instruction(
        "Instruction.Text",
        &[Parameter {
            place: "com.google.adk.kt.agents.Instruction.Text(text)",
            keyword: "text",
            position: Some(0),
            suffix: "",
        }],
    ),
];
