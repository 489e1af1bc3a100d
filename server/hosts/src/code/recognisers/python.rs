//! The recognisers of Python.

use super::frameworks::{ADK_PYTHON, AGENTLE_PYTHON};
use super::row::{NamedBy, Parameter, Recogniser, Shape};

const INSTRUCTION: Parameter = Parameter {
    place: "google.adk.agents.LlmAgent(instruction)",
    keyword: "instruction",
    position: None,
    suffix: "",
};

const GLOBAL_INSTRUCTION: Parameter = Parameter {
    place: "google.adk.agents.LlmAgent(global_instruction)",
    keyword: "global_instruction",
    position: None,
    suffix: ".global_instruction",
};

/// All recognisers of Python.
pub(super) const RECOGNISERS: &[Recogniser] = &[
    Recogniser {
        framework: ADK_PYTHON,
        callee: "LlmAgent",
        shape: Shape::Call,
        parameters: &[INSTRUCTION, GLOBAL_INSTRUCTION],
        name: Some(NamedBy::Argument("name")),
        is_base: true,
    },
    Recogniser {
        framework: ADK_PYTHON,
        callee: "Agent",
        shape: Shape::Call,
        parameters: &[INSTRUCTION, GLOBAL_INSTRUCTION],
        name: Some(NamedBy::Argument("name")),
        is_base: true,
    },
    Recogniser {
        framework: ADK_PYTHON,
        callee: "GlobalInstructionPlugin",
        shape: Shape::Call,
        parameters: &[Parameter {
            place: "google.adk.plugins.GlobalInstructionPlugin(global_instruction)",
            position: Some(0),
            ..GLOBAL_INSTRUCTION
        }],
        name: None,
        is_base: false,
    },
    Recogniser {
        framework: ADK_PYTHON,
        callee: "inject_session_state",
        shape: Shape::Call,
        parameters: &[Parameter {
            place: "google.adk.utils.instructions_utils.inject_session_state(template)",
            keyword: "template",
            position: Some(0),
            suffix: "",
        }],
        name: None,
        is_base: false,
    },
    Recogniser {
        framework: AGENTLE_PYTHON,
        callee: "Prompt.from_text",
        shape: Shape::Call,
        parameters: &[Parameter {
            place: "agentle.prompts.Prompt.from_text(text)",
            keyword: "text",
            position: Some(0),
            suffix: "",
        }],
        name: None,
        is_base: false,
    },
    Recogniser {
        framework: AGENTLE_PYTHON,
        callee: "Prompt",
        shape: Shape::Call,
        parameters: &[Parameter {
            place: "agentle.prompts.Prompt(content)",
            keyword: "content",
            position: None,
            suffix: "",
        }],
        name: None,
        is_base: false,
    },
];
