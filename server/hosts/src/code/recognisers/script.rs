//! The recognisers of TypeScript and JavaScript.

use promptls_syntax::Dialect;

use crate::code::recogniser::{NamedBy, Parameter, Recogniser, Shape};

pub(super) const RECOGNISERS: &[Recogniser] = &[
    Recogniser {
        package: "@google/adk",
        callee: "LlmAgent",
        shape: Shape::Call,
        dialect: Dialect::Adk,
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
        package: "@google/adk",
        callee: "injectSessionState",
        shape: Shape::Call,
        dialect: Dialect::Adk,
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
