//! The recognisers of Kotlin, besides those of Java.

use promptls_syntax::Dialect;

use crate::code::recogniser::{NamedBy, Parameter, Recogniser};

const fn instruction(callee: &'static str, parameters: &'static [Parameter]) -> Recogniser {
    Recogniser {
        name: Some(NamedBy::CallAround("name")),
        ..Recogniser::call(&["com.google.adk.kt"], callee, Dialect::Adk, parameters)
    }
}

/// All recognisers of Kotlin alone.
pub(super) const RECOGNISERS: &[Recogniser] = &[
    instruction(
        "Instruction",
        &[Parameter::first("com.google.adk.kt.agents.Instruction(text)", "text")],
    ),
    instruction(
        "Instruction.Text",
        &[Parameter::first("com.google.adk.kt.agents.Instruction.Text(text)", "text")],
    ),
];
