//! The recognisers of Kotlin, besides those of Java.

use promptls_syntax::Dialect;

use crate::code::recogniser::{NamedBy, Parameter, Recogniser, Shape};

const fn instruction(callee: &'static str, parameters: &'static [Parameter]) -> Recogniser {
    Recogniser {
        package: "com.google.adk.kt",
        callee,
        shape: Shape::Call,
        dialect: Dialect::Adk,
        parameters,
        name: Some(NamedBy::CallAround("name")),
        is_base: false,
        other_syntax: None,
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
