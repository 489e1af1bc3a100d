//! The recognisers of Python.

use promptls_syntax::Dialect;

use super::{CREWAI, langchain};
use crate::code::recogniser::{
    Messages, NamedBy, OtherSyntax, Parameter, Recogniser, Shape, TemplateMethods, TextSource,
};

const ADK: &[&str] = &["google.adk"];

const INSTRUCTION: Parameter =
    Parameter::named("google.adk.agents.LlmAgent(instruction)", "instruction");

const GLOBAL_INSTRUCTION: Parameter =
    Parameter::named("google.adk.agents.LlmAgent(global_instruction)", "global_instruction")
        .suffixed(".global_instruction");

/// A class of agents, from which classes of programs may derive.
const fn agent(callee: &'static str) -> Recogniser {
    Recogniser {
        name: Some(NamedBy::Argument("name")),
        is_base: true,
        ..Recogniser::call(ADK, callee, Dialect::Adk, &[INSTRUCTION, GLOBAL_INSTRUCTION])
    }
}

/// A method of a class of agents that takes their arguments in a map.
const fn agent_of_map(callee: &'static str) -> Recogniser {
    Recogniser { shape: Shape::Map, ..agent(callee) }
}

/// A method of a client of Langfuse.
const fn langfuse(callee: &'static str, parameters: &'static [Parameter]) -> Recogniser {
    Recogniser {
        shape: Shape::Method(&["Langfuse", "get_client"]),
        name: Some(NamedBy::Prompt("name")),
        ..Recogniser::call(&["langfuse"], callee, Dialect::Langfuse, parameters)
    }
}

/// A call of LangChain, which reads format strings unless it gets another format.
const fn langchain(callee: &'static str, parameters: &'static [Parameter]) -> Recogniser {
    Recogniser {
        engine: Some("langchain-python"),
        is_base: true,
        other_syntax: langchain::template_format("template_format"),
        methods: Some(langchain::PYTHON),
        ..Recogniser::call(LANGCHAIN, callee, Dialect::Format, parameters)
    }
}

/// A function that returns a template.
const fn langchain_function(callee: &'static str, parameters: &'static [Parameter]) -> Recogniser {
    Recogniser { is_base: false, ..langchain(callee, parameters) }
}

const LANGCHAIN: &[&str] = &["langchain_core", "langchain", "langchain_classic"];

const LANGCHAIN_MESSAGES: &Messages = &Messages {
    refuses_roles: true,
    ..langchain::messages("(", &langchain::classes("variable_name"))
};

const fn llama_index(callee: &'static str, parameters: &'static [Parameter]) -> Recogniser {
    Recogniser {
        engine: Some("llamaindex-python"),
        is_base: true,
        methods: Some(LLAMA_INDEX_METHODS),
        ..Recogniser::call(&["llama_index"], callee, Dialect::Format, parameters)
    }
}

const LLAMA_INDEX_METHODS: &TemplateMethods = &TemplateMethods {
    fills: &[langchain::by_keyword("format"), langchain::by_keyword("format_messages")],
    partial: &[langchain::by_keyword("partial_format")],
    argument: "",
    renaming: &["template_var_mappings", "function_mappings"],
    listed: "",
    chains: &[],
    sequences: &[],
    maps: &[],
    adding: &[],
    wrapping: &[],
    own: &["llm"],
    is_strict: false,
};

const LLAMA_INDEX_MESSAGES: &Messages = &Messages {
    pair: "(",
    content: "content",
    bare: None,
    object: "ChatMessage",
    classes: None,
    roles: &["system", "developer", "user", "assistant", "function", "tool", "chatbot", "model"],
    refuses_roles: true,
};

const fn crew(callee: &'static str, parameters: &'static [Parameter]) -> Recogniser {
    Recogniser {
        engine: Some(CREWAI),
        is_base: true,
        ..Recogniser::call(&["crewai"], callee, Dialect::Format, parameters)
    }
}

const LANGFUSE_MESSAGES: &Messages = &Messages { content: "content", ..Messages::NONE };

pub(super) const RECOGNISERS: &[Recogniser] = &[
    agent("LlmAgent"),
    agent("Agent"),
    agent("LlmAgent.model_construct"),
    agent("Agent.model_construct"),
    agent_of_map("LlmAgent.model_validate"),
    agent_of_map("Agent.model_validate"),
    Recogniser::call(
        ADK,
        "GlobalInstructionPlugin",
        Dialect::Adk,
        &[Parameter::first(
            "google.adk.plugins.GlobalInstructionPlugin(global_instruction)",
            "global_instruction",
        )
        .suffixed(".global_instruction")],
    ),
    Recogniser {
        other_syntax: Some(OtherSyntax { keyword: "use_jinja2", unless: "False", title: "Jinja" }),
        ..Recogniser::call(
            ADK,
            "inject_session_state",
            Dialect::Adk,
            &[Parameter::first(
                "google.adk.utils.instructions_utils.inject_session_state(template)",
                "template",
            )],
        )
    },
    langfuse(
        "create_prompt",
        &[Parameter::named("langfuse.Langfuse.create_prompt(prompt)", "prompt")
            .of(LANGFUSE_MESSAGES)],
    ),
    langfuse(
        "get_prompt",
        &[Parameter::named("langfuse.Langfuse.get_prompt(fallback)", "fallback")
            .of(LANGFUSE_MESSAGES)],
    ),
    Recogniser::call(
        &["agentle"],
        "Prompt.from_text",
        Dialect::Agentle,
        &[Parameter::first("agentle.prompts.Prompt.from_text(text)", "text")],
    ),
    Recogniser::call(
        &["agentle"],
        "Prompt",
        Dialect::Agentle,
        &[Parameter::named("agentle.prompts.Prompt(content)", "content")],
    ),
    langchain(
        "PromptTemplate",
        &[Parameter::named("langchain_core.prompts.PromptTemplate(template)", "template")],
    ),
    langchain(
        "PromptTemplate.from_template",
        &[Parameter::first(
            "langchain_core.prompts.PromptTemplate.from_template(template)",
            "template",
        )],
    ),
    langchain(
        "ChatPromptTemplate.from_template",
        &[Parameter::first(
            "langchain_core.prompts.ChatPromptTemplate.from_template(template)",
            "template",
        )],
    ),
    langchain(
        "SystemMessagePromptTemplate.from_template",
        &[Parameter::first(
            "langchain_core.prompts.SystemMessagePromptTemplate.from_template(template)",
            "template",
        )],
    ),
    langchain(
        "HumanMessagePromptTemplate.from_template",
        &[Parameter::first(
            "langchain_core.prompts.HumanMessagePromptTemplate.from_template(template)",
            "template",
        )],
    ),
    langchain(
        "AIMessagePromptTemplate.from_template",
        &[Parameter::first(
            "langchain_core.prompts.AIMessagePromptTemplate.from_template(template)",
            "template",
        )],
    ),
    langchain(
        "ChatMessagePromptTemplate.from_template",
        &[Parameter::first(
            "langchain_core.prompts.ChatMessagePromptTemplate.from_template(template)",
            "template",
        )],
    ),
    langchain(
        "ChatPromptTemplate",
        &[Parameter::first("langchain_core.prompts.ChatPromptTemplate(messages)", "messages")
            .of(LANGCHAIN_MESSAGES)],
    ),
    langchain(
        "ChatPromptTemplate.from_messages",
        &[Parameter::first(
            "langchain_core.prompts.ChatPromptTemplate.from_messages(messages)",
            "messages",
        )
        .of(LANGCHAIN_MESSAGES)],
    ),
    Recogniser {
        methods: Some(langchain::PYTHON_FEW_SHOT),
        inserted: &[("examples", None), ("example_selector", None)],
        ..langchain(
            "FewShotPromptTemplate",
            &[
                Parameter::named("langchain_core.prompts.FewShotPromptTemplate(prefix)", "prefix")
                    .suffixed(".prefix"),
                Parameter::named("langchain_core.prompts.FewShotPromptTemplate(suffix)", "suffix")
                    .suffixed(".suffix"),
            ],
        )
    },
    Recogniser {
        methods: Some(langchain::PYTHON_FEW_SHOT),
        inserted: &[("examples", Some(0))],
        ..langchain(
            "PromptTemplate.from_examples",
            &[
                Parameter::named(
                    "langchain_core.prompts.PromptTemplate.from_examples(prefix)",
                    "prefix",
                )
                .suffixed(".prefix"),
                Parameter {
                    position: Some(1),
                    ..Parameter::named(
                        "langchain_core.prompts.PromptTemplate.from_examples(suffix)",
                        "suffix",
                    )
                }
                .suffixed(".suffix"),
            ],
        )
    },
    langchain(
        "PromptTemplate.from_file",
        &[Parameter::first(
            "langchain_core.prompts.PromptTemplate.from_file(template_file)",
            "template_file",
        )
        .from(TextSource::File(&[]))],
    ),
    langchain(
        "SystemMessagePromptTemplate.from_template_file",
        &[Parameter::first(
            "langchain_core.prompts.SystemMessagePromptTemplate.from_template_file(template_file)",
            "template_file",
        )
        .from(TextSource::File(&[]))],
    ),
    langchain(
        "HumanMessagePromptTemplate.from_template_file",
        &[Parameter::first(
            "langchain_core.prompts.HumanMessagePromptTemplate.from_template_file(template_file)",
            "template_file",
        )
        .from(TextSource::File(&[]))],
    ),
    langchain(
        "AIMessagePromptTemplate.from_template_file",
        &[Parameter::first(
            "langchain_core.prompts.AIMessagePromptTemplate.from_template_file(template_file)",
            "template_file",
        )
        .from(TextSource::File(&[]))],
    ),
    langchain_function(
        "load_prompt",
        &[Parameter::first("langchain_core.prompts.load_prompt(path)", "path")
            .from(TextSource::File(&["template"]))],
    ),
    langchain_function(
        "hub.pull",
        &[Parameter::first("langchain.hub.pull(owner_repo_commit)", "owner_repo_commit")
            .from(TextSource::Service("LangSmith"))],
    ),
    llama_index(
        "PromptTemplate",
        &[Parameter::first("llama_index.core.PromptTemplate(template)", "template")],
    ),
    llama_index(
        "ChatPromptTemplate",
        &[Parameter::first(
            "llama_index.core.ChatPromptTemplate(message_templates)",
            "message_templates",
        )
        .of(LLAMA_INDEX_MESSAGES)],
    ),
    llama_index(
        "ChatPromptTemplate.from_messages",
        &[Parameter::first(
            "llama_index.core.ChatPromptTemplate.from_messages(message_templates)",
            "message_templates",
        )
        .of(LLAMA_INDEX_MESSAGES)],
    ),
    crew(
        "Agent",
        &[
            Parameter::named("crewai.Agent(role)", "role").suffixed(".role"),
            Parameter::named("crewai.Agent(goal)", "goal").suffixed(".goal"),
            Parameter::named("crewai.Agent(backstory)", "backstory").suffixed(".backstory"),
        ],
    ),
    Recogniser {
        name: Some(NamedBy::Prompt("name")),
        ..crew(
            "Task",
            &[
                Parameter::named("crewai.Task(description)", "description"),
                Parameter::named("crewai.Task(expected_output)", "expected_output")
                    .suffixed(".expected_output"),
                Parameter::named("crewai.Task(output_file)", "output_file")
                    .suffixed(".output_file"),
            ],
        )
    },
];
