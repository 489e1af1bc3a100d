//! What the recognisers of LangChain have in common in all languages.

use crate::code::recogniser::{
    MessageClasses, Messages, OtherSyntax, Taken, TemplateMethod, TemplateMethods, Wrapping,
};

/// The roles of messages with templates; the list that replaces a `placeholder` has none.
const ROLES: &[&str] = &["system", "human", "user", "ai", "assistant"];

/// The classes of messages, with the keyword for the name of those that are supplied.
pub(super) const fn classes(name: &'static str) -> MessageClasses {
    MessageClasses {
        roles: &[("SystemMessage", "system"), ("HumanMessage", "human"), ("AIMessage", "ai")],
        supplied: "MessagesPlaceholder",
        name,
        examples: &["FewShotChatMessagePromptTemplate"],
    }
}

/// Messages whose roles and texts are pairs in a bracket. A text alone is of a human.
pub(super) const fn messages(pair: &'static str, classes: &'static MessageClasses) -> Messages {
    Messages {
        pair,
        content: "content",
        bare: Some("human"),
        object: "",
        classes: Some(classes),
        roles: ROLES,
        refuses_roles: false,
    }
}

/// The argument with the format of a template, which is an f-string without it.
pub(super) const fn template_format(keyword: &'static str) -> Option<OtherSyntax> {
    Some(OtherSyntax { keyword, unless: "f-string", title: "of another syntax" })
}

/// A method whose keywords are the names of its values.
pub(super) const fn by_keyword(name: &'static str) -> TemplateMethod {
    TemplateMethod { name, takes: Taken::Keywords }
}

/// A method whose first argument, or the one of this keyword, is a map of its values.
pub(super) const fn by_map(name: &'static str) -> TemplateMethod {
    TemplateMethod { name, takes: Taken::Map("input") }
}

/// A method whose keywords are the names of its values, or whose first argument is a map of them.
const fn by_either(name: &'static str) -> TemplateMethod {
    TemplateMethod { name, takes: Taken::KeywordsOrMap }
}

/// A method whose first argument, or the one of this keyword, is a list of maps, each with the values
/// of one call.
const fn by_maps(name: &'static str) -> TemplateMethod {
    TemplateMethod { name, takes: Taken::Maps("inputs") }
}

/// The methods of templates in Python.
pub(super) const PYTHON: &TemplateMethods = &TemplateMethods {
    fills: &[
        by_keyword("format"),
        by_keyword("format_messages"),
        by_keyword("format_prompt"),
        by_keyword("aformat"),
        by_keyword("aformat_messages"),
        by_keyword("aformat_prompt"),
        by_map("invoke"),
        by_map("ainvoke"),
        by_map("stream"),
        by_map("astream"),
        by_map("astream_events"),
        by_map("astream_log"),
        by_maps("batch"),
        by_maps("abatch"),
        by_maps("batch_as_completed"),
        by_maps("abatch_as_completed"),
        by_either("run"),
        by_either("arun"),
        by_either("predict"),
        by_either("apredict"),
        by_maps("apply"),
    ],
    partial: &[by_keyword("partial")],
    argument: "partial_variables",
    renaming: &[],
    listed: "input_variables",
    chains: &[
        "pipe",
        "bind",
        "with_config",
        "with_listeners",
        "with_retry",
        "with_types",
        "assign",
    ],
    sequences: &["RunnableSequence"],
    maps: &["RunnableParallel", "RunnableMap"],
    adding: &["RunnablePassthrough.assign"],
    wrapping: &[
        Wrapping { callee: "LLMChain", argument: ("prompt", None), unless: "memory" },
        Wrapping {
            callee: "create_stuff_documents_chain",
            argument: ("prompt", Some(1)),
            unless: "",
        },
    ],
    own: &[],
    is_strict: true,
};

/// The methods of texts in Python.
pub(super) const TEXT_METHODS: &TemplateMethods = &TemplateMethods {
    fills: &[by_keyword("format"), by_map("format_map")],
    partial: &[],
    argument: "",
    listed: "",
    chains: &[],
    sequences: &[],
    maps: &[],
    adding: &[],
    wrapping: &[],
    ..*PYTHON
};

/// The methods of templates of two texts with examples between them. The list of names is that of
/// both texts, so it is compared with neither.
pub(super) const PYTHON_FEW_SHOT: &TemplateMethods = &TemplateMethods { listed: "", ..*PYTHON };

/// The methods of templates in TypeScript and JavaScript.
pub(super) const SCRIPT: &TemplateMethods = &TemplateMethods {
    fills: &[
        by_map("format"),
        by_map("formatMessages"),
        by_map("formatPromptValue"),
        by_map("invoke"),
        by_map("stream"),
        by_map("streamEvents"),
        by_map("streamLog"),
        by_maps("batch"),
        by_either("call"),
        by_either("predict"),
    ],
    partial: &[by_map("partial")],
    argument: "partialVariables",
    renaming: &[],
    listed: "inputVariables",
    chains: &["pipe", "bind", "withConfig", "withListeners", "withRetry", "assign"],
    sequences: &["RunnableSequence.from"],
    maps: &["RunnableParallel.from", "RunnableMap.from"],
    adding: &["RunnablePassthrough.assign"],
    wrapping: &[
        Wrapping { callee: "LLMChain", argument: ("prompt", None), unless: "memory" },
        Wrapping { callee: "createStuffDocumentsChain", argument: ("prompt", None), unless: "" },
    ],
    own: &[],
    is_strict: true,
};

/// The same for templates of two texts with examples between them.
pub(super) const SCRIPT_FEW_SHOT: &TemplateMethods = &TemplateMethods { listed: "", ..*SCRIPT };
