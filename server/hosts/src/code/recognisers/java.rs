//! The recognisers of Java, which Kotlin also uses.

use promptls_syntax::Dialect;

use crate::code::recogniser::{NamedBy, Parameter, Recogniser, Shape};

const ADK: &[&str] = &["com.google.adk"];

const AGENT_ENSEMBLE: &[&str] = &["net.agentensemble"];

const AGENTLE: &[&str] = &["com.paragon.prompts"];

/// The parameters of ADK's builders.
const BUILDER: &[Parameter] = &[
    Parameter::named("com.google.adk.agents.LlmAgent.Builder.instruction", "instruction"),
    Parameter::named(
        "com.google.adk.agents.LlmAgent.Builder.globalInstruction",
        "globalInstruction",
    )
    .suffixed(".globalInstruction"),
];

/// An argument without a keyword.
const fn argument(place: &'static str, position: usize) -> Parameter {
    Parameter { position: Some(position), ..Parameter::named(place, "") }
}

const fn builder(
    packages: &'static [&'static str],
    callee: &'static str,
    dialect: Dialect,
    parameters: &'static [Parameter],
    name: Option<NamedBy>,
) -> Recogniser {
    let call = Recogniser::call(packages, callee, dialect, parameters);
    Recogniser { shape: Shape::Chain, name, ..call }
}

pub(super) const RECOGNISERS: &[Recogniser] = &[
    builder(ADK, "LlmAgent.builder", Dialect::Adk, BUILDER, Some(NamedBy::Argument("name"))),
    builder(ADK, "LlmAgent.Builder", Dialect::Adk, BUILDER, Some(NamedBy::Argument("name"))),
    Recogniser::call(
        ADK,
        "Instruction.Static",
        Dialect::Adk,
        &[argument("com.google.adk.agents.Instruction.Static(instruction)", 0)],
    ),
    Recogniser::call(
        ADK,
        "InstructionUtils.injectSessionState",
        Dialect::Adk,
        &[argument("com.google.adk.utils.InstructionUtils.injectSessionState(template)", 1)],
    ),
    builder(
        AGENT_ENSEMBLE,
        "Task.builder",
        Dialect::AgentEnsemble,
        &[
            Parameter::named("net.agentensemble.Task.builder().description", "description"),
            Parameter::named("net.agentensemble.Task.builder().expectedOutput", "expectedOutput")
                .suffixed(".expectedOutput"),
        ],
        None,
    ),
    Recogniser::call(
        AGENT_ENSEMBLE,
        "Task.of",
        Dialect::AgentEnsemble,
        &[
            argument("net.agentensemble.Task.of(description)", 0),
            argument("net.agentensemble.Task.of(expectedOutput)", 1).suffixed(".expectedOutput"),
        ],
    ),
    Recogniser::call(
        AGENT_ENSEMBLE,
        "TemplateResolver.resolve",
        Dialect::AgentEnsemble,
        &[argument("net.agentensemble.TemplateResolver.resolve(template)", 0)],
    ),
    Recogniser::call(
        AGENTLE,
        "Prompt.of",
        Dialect::Agentle,
        &[argument("com.paragon.prompts.Prompt.of(template)", 0)],
    ),
    Recogniser::call(
        AGENTLE,
        "Prompt.fromText",
        Dialect::Agentle,
        &[argument("com.paragon.prompts.Prompt.fromText(template)", 0)],
    ),
];
