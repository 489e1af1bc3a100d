//! The recognisers of TypeScript and JavaScript.

use promptls_syntax::Dialect;

use crate::code::recogniser::{NamedBy, Parameter, Recogniser, Shape};

/// The class of Langfuse's client, whose newer package has objects for its methods:
/// `client.prompt.get("…")`.
const fn langfuse(
    package: &'static str,
    client: &'static [&'static str],
    callee: &'static str,
    parameters: &'static [Parameter],
) -> Recogniser {
    Recogniser {
        package,
        callee,
        shape: Shape::Method(client),
        dialect: Dialect::Langfuse,
        parameters,
        name: Some(NamedBy::Prompt("name")),
        is_base: false,
        other_syntax: None,
    }
}

/// A named option of a method.
const fn option(place: &'static str, keyword: &'static str) -> Parameter {
    Parameter { place, keyword, position: None, suffix: "" }
}

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
        other_syntax: None,
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
        other_syntax: None,
    },
    langfuse(
        "langfuse",
        &["Langfuse"],
        "createPrompt",
        &[option("langfuse Langfuse.createPrompt({prompt})", "prompt")],
    ),
    langfuse(
        "langfuse",
        &["Langfuse"],
        "getPrompt",
        &[option("langfuse Langfuse.getPrompt({fallback})", "fallback")],
    ),
    langfuse(
        "@langfuse/client",
        &["LangfuseClient"],
        "prompt.create",
        &[option("@langfuse/client LangfuseClient.prompt.create({prompt})", "prompt")],
    ),
    langfuse(
        "@langfuse/client",
        &["LangfuseClient"],
        "prompt.get",
        &[option("@langfuse/client LangfuseClient.prompt.get({fallback})", "fallback")],
    ),
];
