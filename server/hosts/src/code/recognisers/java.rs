//! The recognisers of Java, which Kotlin also uses.

use promptls_syntax::Dialect;

use crate::code::recogniser::{NamedBy, Parameter, Recogniser, Shape};

/// The parameters of ADK's builders.
const BUILDER: &[Parameter] = &[
    Parameter {
        place: "com.google.adk.agents.LlmAgent.Builder.instruction",
        keyword: "instruction",
        position: None,
        suffix: "",
    },
    Parameter {
        place: "com.google.adk.agents.LlmAgent.Builder.globalInstruction",
        keyword: "globalInstruction",
        position: None,
        suffix: ".globalInstruction",
    },
];

/// An argument without a keyword.
const fn argument(place: &'static str, position: usize, suffix: &'static str) -> Parameter {
    Parameter { place, keyword: "", position: Some(position), suffix }
}

const fn call(
    package: &'static str,
    callee: &'static str,
    dialect: Dialect,
    parameters: &'static [Parameter],
) -> Recogniser {
    let shape = Shape::Call;
    Recogniser {
        package,
        callee,
        shape,
        dialect,
        parameters,
        name: None,
        is_base: false,
        other_syntax: None,
    }
}

const fn builder(
    package: &'static str,
    callee: &'static str,
    dialect: Dialect,
    parameters: &'static [Parameter],
    name: Option<NamedBy>,
) -> Recogniser {
    let shape = Shape::Chain;
    Recogniser {
        package,
        callee,
        shape,
        dialect,
        parameters,
        name,
        is_base: false,
        other_syntax: None,
    }
}

pub(super) const RECOGNISERS: &[Recogniser] = &[
    builder(
        "com.google.adk",
        "LlmAgent.builder",
        Dialect::Adk,
        BUILDER,
        Some(NamedBy::Argument("name")),
    ),
    builder(
        "com.google.adk",
        "LlmAgent.Builder",
        Dialect::Adk,
        BUILDER,
        Some(NamedBy::Argument("name")),
    ),
    call(
        "com.google.adk",
        "Instruction.Static",
        Dialect::Adk,
        &[argument("com.google.adk.agents.Instruction.Static(instruction)", 0, "")],
    ),
    call(
        "com.google.adk",
        "InstructionUtils.injectSessionState",
        Dialect::Adk,
        &[argument("com.google.adk.utils.InstructionUtils.injectSessionState(template)", 1, "")],
    ),
    builder(
        "net.agentensemble",
        "Task.builder",
        Dialect::AgentEnsemble,
        &[
            Parameter {
                place: "net.agentensemble.Task.builder().description",
                keyword: "description",
                position: None,
                suffix: "",
            },
            Parameter {
                place: "net.agentensemble.Task.builder().expectedOutput",
                keyword: "expectedOutput",
                position: None,
                suffix: ".expectedOutput",
            },
        ],
        None,
    ),
    call(
        "net.agentensemble",
        "Task.of",
        Dialect::AgentEnsemble,
        &[
            argument("net.agentensemble.Task.of(description)", 0, ""),
            argument("net.agentensemble.Task.of(expectedOutput)", 1, ".expectedOutput"),
        ],
    ),
    call(
        "net.agentensemble",
        "TemplateResolver.resolve",
        Dialect::AgentEnsemble,
        &[argument("net.agentensemble.TemplateResolver.resolve(template)", 0, "")],
    ),
    call(
        "com.paragon.prompts",
        "Prompt.of",
        Dialect::Agentle,
        &[argument("com.paragon.prompts.Prompt.of(template)", 0, "")],
    ),
    call(
        "com.paragon.prompts",
        "Prompt.fromText",
        Dialect::Agentle,
        &[argument("com.paragon.prompts.Prompt.fromText(template)", 0, "")],
    ),
];
