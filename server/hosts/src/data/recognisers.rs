//! Data formats of frameworks: detection of their files, and the places of their prompts.

use promptls_data::{NodeValue, Tree};
use promptls_syntax::Dialect;

use super::broken::BrokenHost;
use crate::code::CREWAI;
use crate::flow::CrewPart;
use crate::host_prompt::{PlaceEngine, Why};
use crate::language::Language;
use crate::pack::{PROMPT_PACK, Pack};

/// A document, with facts from its comments.
pub(super) struct DataDocument<'t> {
    pub tree: &'t Tree<'t>,
    /// The number of its root value.
    pub root: usize,
    /// The language of the file.
    pub language: Language,
    /// The URL of its schema, from a comment for editors.
    pub schema: Option<&'t str>,
}

impl DataDocument<'_> {
    /// The string at a path of keys.
    pub fn text(&self, keys: &[&str]) -> Option<&str> {
        let member = |number, key: &&str| self.tree.member(number, key);
        self.tree.text(keys.iter().try_fold(self.root, member)?)
    }

    /// `true` if a member of the object with prompts has a text. Many programs have files with the
    /// other keys of a pack.
    fn has_prompt_of(&self, pack: &Pack) -> bool {
        let Some(prompts) = self.tree.member(self.root, pack.prompts) else { return false };
        let mut tasks = self.tree.children(self.tree.target(prompts));
        tasks.any(|task| self.tree.member(self.tree.target(task), pack.text).is_some())
    }

    /// `true` if the prompts of a pack have a syntax that is not supported.
    pub fn has_other_syntax(&self, pack: &Pack) -> bool {
        self.text(&[pack.engine, "syntax"]).is_some_and(|syntax| syntax != pack.syntax)
    }

    /// `true` if there are values at the top, and each is an object with texts at these keys.
    fn has_entries(&self, keys: &[&str]) -> bool {
        let mut entries = self.tree.children(self.root).peekable();
        self.tree.is_object(self.root)
            && entries.peek().is_some()
            && entries.all(|entry| self.has_texts(entry, keys))
    }

    /// `true` if the value at the top is an object in which some value is one with texts at these
    /// keys.
    pub fn has_entry(&self, keys: &[&str]) -> bool {
        self.tree.is_object(self.root)
            && self.tree.children(self.root).any(|entry| self.has_texts(entry, keys))
    }

    fn has_texts(&self, entry: usize, keys: &[&str]) -> bool {
        keys.iter().all(|key| {
            let text = self.tree.member(self.tree.target(entry), key);
            text.is_some_and(|text| self.tree.text(text).is_some())
        })
    }

    fn has(&self, key: &str) -> bool {
        self.tree.member(self.root, key).is_some()
    }
}

/// A framework with prompts in data files.
pub(super) struct Recogniser {
    pub framework: &'static str,
    pub dialect: Dialect,
    /// The engine of its prompts, if the dialect has several.
    pub engine: Option<&'static str>,
    pub languages: &'static [Language],
    /// Texts that nearly every one of its files contains, and few other files.
    pub signs: &'static [&'static str],
    /// Returns `true` if a document belongs to it.
    pub is_one: fn(&DataDocument<'_>) -> bool,
    /// Returns `true` if a file that does not parse is intended to belong to it.
    pub is_broken_one: fn(&BrokenHost<'_>) -> bool,
    pub prompts: &'static [PromptPlace],
    pub declares: Option<Declares>,
    /// The facts about its files if they are packs.
    pub pack: Option<&'static Pack>,
    /// The key with the name of the prompt that the text after the front matter is; `None` if that
    /// text is no prompt.
    pub body: Option<&'static str>,
    /// What each entry of its files configures, and the keys that each has.
    pub crew: Option<(CrewPart, &'static [&'static str])>,
}

impl Recogniser {
    /// The reason why its strings at a key are prompts.
    pub fn why(&self, field: &'static str) -> Why {
        let engine = self.engine.map(|id| PlaceEngine { id, field });
        Why::Recogniser { place: self.framework, engine }
    }
}

/// How the files of a framework declare the names of their prompts.
pub(super) struct Declares {
    /// The key of the variables in the entry of a prompt.
    pub variables: &'static str,
    /// The key of the fragments of all prompts at the top of the file.
    pub fragments: Option<&'static str>,
}

/// A place of prompts in a document.
pub(super) struct PromptPlace {
    /// The keys of the place; `*` matches any key.
    pub path: &'static [&'static str],
    /// The number of these keys that lead to the whole entry of the prompt.
    pub entry: usize,
    pub name: NameSource,
    /// The suffix for the name of its prompt.
    pub suffix: &'static str,
    /// The keys of the entry whose values name parts of a crew.
    pub refers: &'static [(&'static str, CrewPart)],
}

/// The source of the name of a prompt.
pub(super) enum NameSource {
    /// The string at these keys.
    Text(&'static [&'static str]),
    /// The key after this number of steps.
    Key(usize),
}

pub(super) static RECOGNISERS: [Recogniser; 7] = [
    Recogniser {
        framework: "google.adk AgentConfig",
        dialect: Dialect::Adk,
        engine: None,
        languages: &[Language::Yaml, Language::Json, Language::Markdown],
        signs: &["AgentConfig.json", AGENT_CLASS, "\ninstruction:"],
        is_one: is_agent_config,
        is_broken_one: is_broken_agent_config,
        prompts: &[
            PromptPlace {
                path: &["instruction"],
                entry: 0,
                name: NameSource::Text(&["name"]),
                suffix: "",
                refers: &[],
            },
            PromptPlace {
                path: &["global_instruction"],
                entry: 0,
                name: NameSource::Text(&["name"]),
                suffix: ".global_instruction",
                refers: &[],
            },
        ],
        declares: None,
        pack: None,
        body: None,
        crew: None,
    },
    Recogniser {
        framework: "PromptKit PromptConfig",
        dialect: Dialect::PromptPack,
        engine: None,
        languages: &[Language::Yaml, Language::Markdown],
        signs: &["PromptConfig", "system_template"],
        is_one: |document| is_promptkit(document, "PromptConfig"),
        is_broken_one: is_broken_prompt_config,
        prompts: &[PromptPlace {
            path: &["spec", "system_template"],
            entry: 1,
            name: NameSource::Text(&["spec", "task_type"]),
            suffix: "",
            refers: &[],
        }],
        declares: Some(Declares { variables: "variables", fragments: None }),
        pack: None,
        body: None,
        crew: None,
    },
    Recogniser {
        framework: "PromptKit Persona",
        dialect: Dialect::PromptPack,
        engine: None,
        languages: &[Language::Yaml],
        signs: &["kind: Persona", "system_template"],
        is_one: |document| is_promptkit(document, "Persona"),
        is_broken_one: is_broken_prompt_config,
        prompts: &[PromptPlace {
            path: &["spec", "system_template"],
            entry: 1,
            name: NameSource::Text(&["spec", "id"]),
            suffix: "",
            refers: &[],
        }],
        declares: None,
        pack: None,
        body: None,
        crew: None,
    },
    Recogniser {
        framework: "PromptPack `system_template`",
        dialect: Dialect::PromptPack,
        engine: None,
        languages: &[Language::Yaml, Language::Json],
        signs: &["template_engine", "system_template"],
        is_one: is_pack,
        is_broken_one: is_broken_pack,
        prompts: &[PromptPlace {
            path: &["prompts", "*", "system_template"],
            entry: 2,
            name: NameSource::Key(2),
            suffix: "",
            refers: &[],
        }],
        declares: Some(Declares { variables: "variables", fragments: Some("fragments") }),
        pack: Some(&PROMPT_PACK),
        body: None,
        crew: None,
    },
    Recogniser {
        framework: "google.adk skill (adk_inject_state)",
        dialect: Dialect::Adk,
        engine: None,
        languages: &[Language::Markdown],
        signs: &[INJECTS_STATE],
        is_one: is_skill_with_state,
        is_broken_one: |host| host.has_key("metadata") && host.mentions(INJECTS_STATE),
        prompts: &[],
        declares: None,
        pack: None,
        body: Some("name"),
        crew: None,
    },
    Recogniser {
        framework: "crewai agents.yaml",
        dialect: Dialect::Format,
        engine: Some(CREWAI),
        languages: &[Language::Yaml],
        signs: &["backstory:"],
        is_one: |document| document.has_entries(&CREW_AGENT),
        is_broken_one: |host| CREW_AGENT.iter().all(|key| host.has_inner_key(key)),
        prompts: &[
            of_entry(&["*", "role"], ".role"),
            of_entry(&["*", "goal"], ".goal"),
            of_entry(&["*", "backstory"], ".backstory"),
        ],
        declares: None,
        pack: None,
        body: None,
        crew: Some((CrewPart::Agent, &CREW_AGENT)),
    },
    Recogniser {
        framework: "crewai tasks.yaml",
        dialect: Dialect::Format,
        engine: Some(CREWAI),
        languages: &[Language::Yaml],
        signs: &["expected_output:"],
        is_one: |document| document.has_entries(&CREW_TASK),
        // Tests of other programs have the other keys, too.
        is_broken_one: |host| CREW_TASK.iter().chain(&["agent"]).all(|key| host.has_inner_key(key)),
        prompts: &[
            PromptPlace { refers: &TASK_REFERS, ..of_entry(&["*", "description"], "") },
            of_entry(&["*", "expected_output"], ".expected_output"),
            of_entry(&["*", "output_file"], ".output_file"),
        ],
        declares: None,
        pack: None,
        body: None,
        crew: Some((CrewPart::Task, &CREW_TASK)),
    },
];

/// The keys of each agent of a crew.
const CREW_AGENT: [&str; 3] = ["role", "goal", "backstory"];

/// The keys of each task of a crew.
const CREW_TASK: [&str; 2] = ["description", "expected_output"];

/// The keys of a task whose values name parts of its crew.
const TASK_REFERS: [(&str, CrewPart); 2] =
    [("agent", CrewPart::Agent), ("context", CrewPart::Task)];

/// A prompt in an entry at the top of a document, which has the name of the entry.
const fn of_entry(path: &'static [&'static str], suffix: &'static str) -> PromptPlace {
    PromptPlace { path, entry: 1, name: NameSource::Key(1), suffix, refers: &[] }
}

/// Words of which each of these files contains at least one: the keys of its prompts, or, because a
/// key may contain escapes, its identifying words.
pub(super) const WORDS: [&str; 9] = [
    "instruction",
    "system_template",
    "AgentConfig.json",
    AGENT_CLASS,
    "promptkit.",
    "template_engine",
    INJECTS_STATE,
    "backstory",
    "expected_output",
];

/// The flag in the metadata of a skill, without which ADK never fills it in.
const INJECTS_STATE: &str = "adk_inject_state";

/// Keys of which an agent has at least one beside its name, unless it has only those of a
/// [sub-agent](is_sub_agent).
const BESIDE_NAME: [&str; 11] = [
    "model",
    "model_code",
    "sub_agents",
    "tools",
    "output_key",
    "include_contents",
    "generate_content_config",
    "disallow_transfer_to_parent",
    "disallow_transfer_to_peers",
    "before_agent_callbacks",
    "after_agent_callbacks",
];

/// The keys of an agent that has the model of the agent above it. ADK refuses unknown keys.
const OF_SUB_AGENT: [&str; 3] = ["name", "description", "instruction"];

/// Keys in files of other programs.
const OF_OTHERS: [&str; 5] = ["kind", "apiVersion", "role", "prompt", "messages"];

/// The suffix of the URL of the agent schema.
const AGENT_SCHEMA: &str = "AgentConfig.json";

/// The key of the class of an agent.
pub(super) const AGENT_CLASS: &str = "agent_class";

/// The package of ADK's own classes.
const ADK: &str = "google.adk.";

/// The class of a program that a configuration of an agent names, if the program alone shows whether
/// ADK fills in its prompts.
pub(super) fn own_agent_class<'d>(document: &'d DataDocument<'_>) -> Option<&'d str> {
    let class = document.text(&[AGENT_CLASS])?;
    let is_own = class.contains('.') && !class.starts_with(ADK) && !class.ends_with(".LlmAgent");
    let is_config = document.language != Language::Json
        && document.has("name")
        && !OF_OTHERS.iter().any(|key| document.has(key));
    Some(class).filter(|_| is_own && is_config)
}

/// The recogniser of agents of ADK.
pub(super) fn agent_config() -> &'static Recogniser {
    &RECOGNISERS[0]
}

/// `true` for a document whose keys at the top are all keys of ADK: an agent of one of its classes,
/// with or without a prompt.
pub(super) fn has_keys_of_adk(document: &DataDocument<'_>) -> bool {
    let is_of_adk = |class: &str| !class.contains('.') || class.starts_with(ADK);
    own_agent_class(document).is_none()
        && (is_agent_config(document)
            || document.has("name") && document.text(&[AGENT_CLASS]).is_some_and(is_of_adk))
}

fn is_agent_config(document: &DataDocument<'_>) -> bool {
    if let Some(class) = document.tree.member(document.root, AGENT_CLASS) {
        let class = document.tree.text(class);
        let is_agent =
            |class: &str| matches!(class, "LlmAgent" | "Agent") || class.ends_with(".LlmAgent");
        let is_own = own_agent_class(document).is_some();
        if !is_own && !class.is_some_and(is_agent) {
            return false;
        }
        if !is_own && document.language != Language::Json {
            return true;
        }
    }
    let is_schema =
        |schema: Option<&str>| schema.is_some_and(|schema| schema.ends_with(AGENT_SCHEMA));
    if is_schema(document.schema) || is_schema(document.text(&["$schema"])) {
        return true;
    }
    document.language != Language::Json
        && document.has("name")
        && (BESIDE_NAME.iter().any(|key| document.has(key)) || is_sub_agent(document))
        && !OF_OTHERS.iter().any(|key| document.has(key))
}

/// `true` for a configuration with exactly the keys that each agent has.
fn is_sub_agent(document: &DataDocument<'_>) -> bool {
    document.tree.children(document.root).count() == OF_SUB_AGENT.len()
        && OF_SUB_AGENT.iter().all(|key| document.has(key))
}

/// `true` for the front matter of a skill with the flag. ADK refuses a flag that is no boolean.
fn is_skill_with_state(document: &DataDocument<'_>) -> bool {
    let tree = document.tree;
    let flag = tree.member(document.root, "metadata");
    let flag = flag.and_then(|metadata| tree.member(tree.target(metadata), INJECTS_STATE));
    let is_set = flag.is_some_and(|it| tree.nodes[tree.target(it)].kind == NodeValue::Bool(true));
    is_set && document.has("name") && document.has("description")
}

fn is_broken_agent_config(host: &BrokenHost<'_>) -> bool {
    let is_likely = || {
        host.has_key(AGENT_CLASS)
            || host.has_key("name") && BESIDE_NAME.iter().any(|key| host.has_key(key))
    };
    host.mentions(AGENT_SCHEMA)
        || host.language != Language::Json
            && host.has_key("instruction")
            && is_likely()
            && !OF_OTHERS.iter().any(|key| host.has_key(key))
}

/// `true` for a resource of PromptKit of a kind.
fn is_promptkit(document: &DataDocument<'_>, kind: &str) -> bool {
    document.text(&["kind"]) == Some(kind)
        && document.text(&["apiVersion"]).is_some_and(|version| version.starts_with("promptkit."))
}

fn is_pack(document: &DataDocument<'_>) -> bool {
    let names_schema = |schema: &str| schema.to_lowercase().contains("promptpack");
    let is_likely = document.has("template_engine")
        || [document.text(&["$schema"]), document.schema].into_iter().flatten().any(names_schema);
    is_likely && document.has_prompt_of(&PROMPT_PACK)
}

fn is_broken_prompt_config(host: &BrokenHost<'_>) -> bool {
    host.has_key("apiVersion") && host.mentions("promptkit.") && host.mentions("system_template")
}

fn is_broken_pack(host: &BrokenHost<'_>) -> bool {
    host.mentions("system_template")
        && host.mentions("prompts")
        && ["template_engine", "promptpack", "PromptPack"].iter().any(|word| host.mentions(word))
}
