//! The recognisers of TypeScript and JavaScript.

use promptls_syntax::Dialect;

use super::langchain;
use crate::code::recogniser::{Messages, NamedBy, Parameter, Recogniser, Shape, TextSource};

/// The class of Langfuse's client, whose newer package has objects for its methods:
/// `client.prompt.get("…")`.
const fn langfuse(
    packages: &'static [&'static str],
    client: &'static [&'static str],
    callee: &'static str,
    parameters: &'static [Parameter],
) -> Recogniser {
    Recogniser {
        shape: Shape::Method(client),
        name: Some(NamedBy::Prompt("name")),
        ..Recogniser::call(packages, callee, Dialect::Langfuse, parameters)
    }
}

const LANGFUSE_MESSAGES: &Messages = &Messages { content: "content", ..Messages::NONE };

/// A named option of a method, which may have a list of messages.
const fn option(place: &'static str, keyword: &'static str) -> Parameter {
    Parameter::named(place, keyword).of(LANGFUSE_MESSAGES)
}

/// A call of LangChain, which reads its own kind of f-strings unless it gets another format.
const fn langchain(callee: &'static str, parameters: &'static [Parameter]) -> Recogniser {
    const PACKAGES: &[&str] = &["@langchain/core/prompts", "langchain/prompts"];
    Recogniser {
        engine: Some("langchain-js"),
        is_base: true,
        other_syntax: langchain::template_format("templateFormat"),
        methods: Some(langchain::SCRIPT),
        ..Recogniser::call(PACKAGES, callee, Dialect::Format, parameters)
    }
}

/// The parameter of a template for one text.
const fn template(place: &'static str) -> Parameter {
    Parameter::first(place, "")
}

const LANGCHAIN_MESSAGES: &Messages =
    &langchain::messages("[", &langchain::classes("variableName"));

pub(super) const RECOGNISERS: &[Recogniser] = &[
    Recogniser {
        name: Some(NamedBy::Argument("name")),
        is_base: true,
        ..Recogniser::call(
            &["@google/adk"],
            "LlmAgent",
            Dialect::Adk,
            &[
                Parameter::named("@google/adk LlmAgent({instruction})", "instruction"),
                Parameter::named("@google/adk LlmAgent({globalInstruction})", "globalInstruction")
                    .suffixed(".globalInstruction"),
            ],
        )
    },
    Recogniser::call(
        &["@google/adk"],
        "injectSessionState",
        Dialect::Adk,
        &[template("@google/adk injectSessionState(template)")],
    ),
    langfuse(
        &["langfuse"],
        &["Langfuse"],
        "createPrompt",
        &[option("langfuse Langfuse.createPrompt({prompt})", "prompt")],
    ),
    langfuse(
        &["langfuse"],
        &["Langfuse"],
        "getPrompt",
        &[option("langfuse Langfuse.getPrompt({fallback})", "fallback")],
    ),
    langfuse(
        &["@langfuse/client"],
        &["LangfuseClient"],
        "prompt.create",
        &[option("@langfuse/client LangfuseClient.prompt.create({prompt})", "prompt")],
    ),
    langfuse(
        &["@langfuse/client"],
        &["LangfuseClient"],
        "prompt.get",
        &[option("@langfuse/client LangfuseClient.prompt.get({fallback})", "fallback")],
    ),
    langchain(
        "PromptTemplate",
        &[Parameter::named("@langchain/core PromptTemplate({template})", "template")],
    ),
    langchain(
        "PromptTemplate.fromTemplate",
        &[template("@langchain/core PromptTemplate.fromTemplate(template)")],
    ),
    langchain(
        "ChatPromptTemplate.fromTemplate",
        &[template("@langchain/core ChatPromptTemplate.fromTemplate(template)")],
    ),
    langchain(
        "SystemMessagePromptTemplate.fromTemplate",
        &[template("@langchain/core SystemMessagePromptTemplate.fromTemplate(template)")],
    ),
    langchain(
        "HumanMessagePromptTemplate.fromTemplate",
        &[template("@langchain/core HumanMessagePromptTemplate.fromTemplate(template)")],
    ),
    langchain(
        "AIMessagePromptTemplate.fromTemplate",
        &[template("@langchain/core AIMessagePromptTemplate.fromTemplate(template)")],
    ),
    langchain(
        "ChatMessagePromptTemplate.fromTemplate",
        &[template("@langchain/core ChatMessagePromptTemplate.fromTemplate(template)")],
    ),
    langchain(
        "ChatPromptTemplate.fromMessages",
        &[template("@langchain/core ChatPromptTemplate.fromMessages(messages)")
            .of(LANGCHAIN_MESSAGES)],
    ),
    Recogniser {
        methods: Some(langchain::SCRIPT_FEW_SHOT),
        inserted: &[("examples", None), ("exampleSelector", None)],
        ..langchain(
            "FewShotPromptTemplate",
            &[
                Parameter::named("@langchain/core FewShotPromptTemplate({prefix})", "prefix")
                    .suffixed(".prefix"),
                Parameter::named("@langchain/core FewShotPromptTemplate({suffix})", "suffix")
                    .suffixed(".suffix"),
            ],
        )
    },
    Recogniser {
        engine: Some("langchain-js"),
        ..Recogniser::call(
            &["langchain/hub"],
            "pull",
            Dialect::Format,
            &[template("langchain hub.pull(name)").from(TextSource::Service("LangSmith"))],
        )
    },
    Recogniser {
        engine: Some("langchain-js"),
        ..Recogniser::call(
            &["langchain/prompts/load"],
            "loadPrompt",
            Dialect::Format,
            &[template("langchain loadPrompt(path)").from(TextSource::File(&["template"]))],
        )
    },
    Recogniser {
        unsupported: Some("LlamaIndex for TypeScript"),
        is_base: true,
        ..Recogniser::call(
            &["llamaindex", "@llamaindex/core/prompts"],
            "PromptTemplate",
            Dialect::Format,
            &[Parameter::named("llamaindex PromptTemplate({template})", "template")],
        )
    },
];
