//! Which places of which frameworks take prompts.

use promptls_syntax::Dialect;

use crate::language::Language;

/// A call of a framework that takes prompts.
pub(crate) struct Recogniser {
    pub languages: &'static [Language],
    /// The package that it is imported from, or one that is above of it.
    pub package: &'static str,
    /// What it is called in the package, with a dot before a method.
    pub callee: &'static str,
    pub dialect: Dialect,
    pub parameters: &'static [Parameter],
    /// The parameter with the name of the prompt.
    pub name: Option<&'static str>,
    /// Whether classes of the host may derive from it.
    pub is_base: bool,
}

/// A parameter that is a prompt.
pub(crate) struct Parameter {
    /// The place as people write it.
    pub place: &'static str,
    pub keyword: &'static str,
    /// Its place among arguments without a keyword.
    pub position: Option<usize>,
    /// What follows the name of its prompt.
    pub suffix: &'static str,
}

const PYTHON: &[Language] = &[Language::Python];

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

/// All recognisers of code.
pub(crate) const RECOGNISERS: &[Recogniser] = &[
    Recogniser {
        languages: PYTHON,
        package: "google.adk",
        callee: "LlmAgent",
        dialect: Dialect::Adk,
        parameters: &[INSTRUCTION, GLOBAL_INSTRUCTION],
        name: Some("name"),
        is_base: true,
    },
    Recogniser {
        languages: PYTHON,
        package: "google.adk",
        callee: "Agent",
        dialect: Dialect::Adk,
        parameters: &[INSTRUCTION, GLOBAL_INSTRUCTION],
        name: Some("name"),
        is_base: true,
    },
    Recogniser {
        languages: PYTHON,
        package: "google.adk",
        callee: "GlobalInstructionPlugin",
        dialect: Dialect::Adk,
        parameters: &[Parameter {
            place: "google.adk.plugins.GlobalInstructionPlugin(global_instruction)",
            position: Some(0),
            ..GLOBAL_INSTRUCTION
        }],
        name: None,
        is_base: false,
    },
    Recogniser {
        languages: PYTHON,
        package: "google.adk",
        callee: "inject_session_state",
        dialect: Dialect::Adk,
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
        languages: PYTHON,
        package: "agentle",
        callee: "Prompt.from_text",
        dialect: Dialect::Agentle,
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
        languages: PYTHON,
        package: "agentle",
        callee: "Prompt",
        dialect: Dialect::Agentle,
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

impl Recogniser {
    /// Whether a path of modules and names is this callee, in its package or below.
    pub fn is_path(&self, path: &str) -> bool {
        let Some(rest) = path.strip_prefix(self.package) else { return false };
        let before = rest.strip_suffix(self.callee).and_then(|rest| rest.strip_suffix('.'));
        before.is_some_and(|before| before.is_empty() || before.starts_with('.'))
    }
}
