//! The recognisers of Java, which Kotlin calls too.

use super::frameworks::{ADK_JAVA, AGENTLE_JAVA, ENSEMBLE_JAVA, Framework};
use super::row::{NamedBy, Parameter, Recogniser, Shape};

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
    framework: Framework,
    callee: &'static str,
    parameters: &'static [Parameter],
) -> Recogniser {
    let shape = Shape::Call;
    Recogniser { framework, callee, shape, parameters, name: None, is_base: false }
}

const fn builder(
    framework: Framework,
    callee: &'static str,
    parameters: &'static [Parameter],
    name: Option<NamedBy>,
) -> Recogniser {
    let shape = Shape::Chain;
    Recogniser { framework, callee, shape, parameters, name, is_base: false }
}

/// All recognisers of Java.
pub(super) const RECOGNISERS: &[Recogniser] = &[
    builder(ADK_JAVA, "LlmAgent.builder", BUILDER, Some(NamedBy::Argument("name"))),
    builder(ADK_JAVA, "LlmAgent.Builder", BUILDER, Some(NamedBy::Argument("name"))),
    call(
        ADK_JAVA,
        "Instruction.Static",
        &[argument("com.google.adk.agents.Instruction.Static(instruction)", 0, "")],
    ),
    call(
        ADK_JAVA,
        "InstructionUtils.injectSessionState",
        &[argument("com.google.adk.utils.InstructionUtils.injectSessionState(template)", 1, "")],
    ),
    builder(
        ENSEMBLE_JAVA,
        "Task.builder",
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
        ENSEMBLE_JAVA,
        "Task.of",
        &[
            argument("net.agentensemble.Task.of(description)", 0, ""),
            argument("net.agentensemble.Task.of(expectedOutput)", 1, ".expectedOutput"),
        ],
    ),
    call(
        ENSEMBLE_JAVA,
        "TemplateResolver.resolve",
        &[argument("net.agentensemble.TemplateResolver.resolve(template)", 0, "")],
    ),
    call(AGENTLE_JAVA, "Prompt.of", &[argument("com.paragon.prompts.Prompt.of(template)", 0, "")]),
    call(
        AGENTLE_JAVA,
        "Prompt.fromText",
        &[argument("com.paragon.prompts.Prompt.fromText(template)", 0, "")],
    ),
];
