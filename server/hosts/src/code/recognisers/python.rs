//! The recognisers of Python.

use promptls_syntax::Dialect;

use crate::code::recogniser::{NamedBy, Parameter, Recogniser, Shape};

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

/// The sources of a client of Langfuse.
const LANGFUSE: &[&str] = &["Langfuse", "get_client"];

pub(super) const RECOGNISERS: &[Recogniser] = &[
    Recogniser {
        package: "google.adk",
        callee: "LlmAgent",
        shape: Shape::Call,
        dialect: Dialect::Adk,
        parameters: &[INSTRUCTION, GLOBAL_INSTRUCTION],
        name: Some(NamedBy::Argument("name")),
        is_base: true,
        other_syntax: None,
    },
    Recogniser {
        package: "google.adk",
        callee: "Agent",
        shape: Shape::Call,
        dialect: Dialect::Adk,
        parameters: &[INSTRUCTION, GLOBAL_INSTRUCTION],
        name: Some(NamedBy::Argument("name")),
        is_base: true,
        other_syntax: None,
    },
    Recogniser {
        package: "google.adk",
        callee: "GlobalInstructionPlugin",
        shape: Shape::Call,
        dialect: Dialect::Adk,
        parameters: &[Parameter {
            place: "google.adk.plugins.GlobalInstructionPlugin(global_instruction)",
            position: Some(0),
            ..GLOBAL_INSTRUCTION
        }],
        name: None,
        is_base: false,
        other_syntax: None,
    },
    Recogniser {
        package: "google.adk",
        callee: "inject_session_state",
        shape: Shape::Call,
        dialect: Dialect::Adk,
        parameters: &[Parameter {
            place: "google.adk.utils.instructions_utils.inject_session_state(template)",
            keyword: "template",
            position: Some(0),
            suffix: "",
        }],
        name: None,
        is_base: false,
        other_syntax: Some(("use_jinja2", "Jinja")),
    },
    Recogniser {
        package: "langfuse",
        callee: "create_prompt",
        shape: Shape::Method(LANGFUSE),
        dialect: Dialect::Langfuse,
        parameters: &[Parameter {
            place: "langfuse.Langfuse.create_prompt(prompt)",
            keyword: "prompt",
            position: None,
            suffix: "",
        }],
        name: Some(NamedBy::Prompt("name")),
        is_base: false,
        other_syntax: None,
    },
    Recogniser {
        package: "langfuse",
        callee: "get_prompt",
        shape: Shape::Method(LANGFUSE),
        dialect: Dialect::Langfuse,
        parameters: &[Parameter {
            place: "langfuse.Langfuse.get_prompt(fallback)",
            keyword: "fallback",
            position: None,
            suffix: "",
        }],
        name: Some(NamedBy::Prompt("name")),
        is_base: false,
        other_syntax: None,
    },
    Recogniser {
        package: "agentle",
        callee: "Prompt.from_text",
        shape: Shape::Call,
        dialect: Dialect::Agentle,
        parameters: &[Parameter {
            place: "agentle.prompts.Prompt.from_text(text)",
            keyword: "text",
            position: Some(0),
            suffix: "",
        }],
        name: None,
        is_base: false,
        other_syntax: None,
    },
    Recogniser {
        package: "agentle",
        callee: "Prompt",
        shape: Shape::Call,
        dialect: Dialect::Agentle,
        parameters: &[Parameter {
            place: "agentle.prompts.Prompt(content)",
            keyword: "content",
            position: None,
            suffix: "",
        }],
        name: None,
        is_base: false,
        other_syntax: None,
    },
];
