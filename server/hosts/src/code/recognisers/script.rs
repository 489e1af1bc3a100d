//! The recognisers of TypeScript and JavaScript.

use super::frameworks::ADK_SCRIPT;
use super::row::{NamedBy, Parameter, Recogniser, Shape};

/// All recognisers of TypeScript and JavaScript.
pub(super) const RECOGNISERS: &[Recogniser] = &[
    Recogniser {
        framework: ADK_SCRIPT,
        callee: "LlmAgent",
        shape: Shape::Call,
        parameters: &[
            Parameter {
                place: "@google/adk LlmAgent({instruction})",
                keyword: "instruction",
                position: None,
                suffix: "",
            },
            Parameter {
                place: "@google/adk LlmAgent({globalInstruction})",
                keyword: "globalInstruction",
                position: None,
                suffix: ".globalInstruction",
            },
        ],
        name: Some(NamedBy::Argument("name")),
        is_base: true,
    },
    Recogniser {
        framework: ADK_SCRIPT,
        callee: "injectSessionState",
        shape: Shape::Call,
        parameters: &[Parameter {
            place: "@google/adk injectSessionState(template)",
            keyword: "",
            position: Some(0),
            suffix: "",
        }],
        name: None,
        is_base: false,
    },
];
