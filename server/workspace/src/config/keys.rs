//! The keys of a config, as completion, hover and the schema present them.

/// A key of the config, as completion and hover present it.
pub struct ConfigKey {
    /// The name of the key.
    pub name: &'static str,
    /// A template of its value: `[""]`. Empty for tables.
    pub value: &'static str,
    /// Its documentation in Markdown, which editors show on hover.
    pub about: &'static str,
}

/// The tables of the file, by header.
pub const TABLES: [(&str, ConfigKey); 4] = [
    (
        "[[prompts]]",
        ConfigKey {
            name: "prompts",
            value: "",
            about: "A rule: which files are prompts, their dialect, and what they share. The first rule that matches a file applies.",
        },
    ),
    (
        "[problems]",
        ConfigKey {
            name: "problems",
            value: "",
            about: "Severity of problems: a code, and `error`, `warning`, `info`, `hint` or `off`.",
        },
    ),
    (
        "[[ignore]]",
        ConfigKey {
            name: "ignore",
            value: "",
            about: "Problems that are known and accepted: they are not reported. An entry that matches no problem is reported itself.",
        },
    ),
    (
        "[stores.name]",
        ConfigKey {
            name: "stores",
            value: "",
            about: "A store of prompts, for `promptls store`: a folder, or Langfuse, with a name of your choice.",
        },
    ),
];

/// The keys above all tables.
pub const TOP_KEYS: [ConfigKey; 2] = [
    ConfigKey {
        name: "root",
        value: "true",
        about: "Whether this is the outermost config. Otherwise, configs in parent folders also apply.",
    },
    ConfigKey {
        name: "templates",
        value: "\"\"",
        about: "The folder of your own templates for `promptls new`, relative to this file: one TOML file for each.",
    },
];

/// The keys of a `[[prompts]]` rule.
pub const RULE_KEYS: [ConfigKey; 15] = [
    ConfigKey {
        name: "files",
        value: "[\"\"]",
        about: "Which files are prompts of this rule: globs as in `.gitignore`, relative to this file.",
    },
    ConfigKey {
        name: "strings",
        value: "[\"\"]",
        about: "Which strings in its files are prompts, in addition to those that are recognised: key paths in YAML, JSON and TOML (`agents.*.prompt`); in code, names of constants (`*_PROMPT`) and arguments, by name or position (`make_agent(instruction)`, `.system(0)`). With an empty list, none are. Without this key, a file of text is one prompt, and a rule for code or data adds settings to the prompts found there.",
    },
    ConfigKey { name: "dialect", value: "\"\"", about: "The dialect of its prompts." },
    ConfigKey {
        name: "engine",
        value: "\"\"",
        about: "The engine that sends its prompts, optionally with a version: `adk-python@2.13`. Without one, they are resolved as documented for their dialect. `promptls engines` lists the engines.",
    },
    ConfigKey {
        name: "engines",
        value: "[\"\"]",
        about: "Several engines that send its prompts, instead of `engine`: the first is shown, and differences between them are reported.",
    },
    ConfigKey {
        name: "agent",
        value: "\"\"",
        about: "The name of the agent that has its prompts, for engine errors that contain it.",
    },
    ConfigKey {
        name: "inputs",
        value: "[\"\"]",
        about: "Inputs files that all its prompts share: globs, relative to this file. Each file is a case, named after its stem. `{stem}` in a glob is the name of a prompt up to its first dot: `{stem}*.inputs.json` is shared only by `x.description.prompt` and `x.expected_output.prompt`. `{prompt}` after it is the name of a prompt in a file with several: `{stem}.{prompt}*.inputs.json`.",
    },
    ConfigKey {
        name: "variables",
        value: "\"\"",
        about: "The variables file that all its prompts share, relative to this file. `{stem}` is the name of a prompt up to its first dot, as in `inputs`; such a file is optional.",
    },
    ConfigKey {
        name: "runtime",
        value: "[\"\"]",
        about: "Names that the application supplies at run time: never undefined, and shown as placeholders in previews.",
    },
    ConfigKey {
        name: "literal",
        value: "[\"\"]",
        about: "Names that stay in braces on purpose: they are not reported.",
    },
    ConfigKey {
        name: "max_tokens",
        value: "8000",
        about: "The maximum number of tokens of the resolved text in any case; more are reported as `too-many-tokens`.",
    },
    ConfigKey {
        name: "max_output_tokens",
        value: "32000",
        about: "entAIngine: the maximum number of tokens of all outputs of a task, or of a whole document; 32000 by default. More are reported as `too-many-tokens`.",
    },
    ConfigKey {
        name: "task",
        value: "0",
        about: "entAIngine: the position of its prompts in the process, from 0; outputs of this task and of later ones do not exist yet.",
    },
    ConfigKey {
        name: "encoding",
        value: "\"\"",
        about: "The encoding that tokens are counted with: `o200k_base` (the default) or `cl100k_base`.",
    },
    ConfigKey {
        name: "problems",
        value: "{}",
        about: "Severity of problems of its prompts, as in `[problems]`, which it overrides. Also written as a separate table, `[prompts.problems]`.",
    },
];

/// The keys of an `[[ignore]]`.
pub const IGNORE_KEYS: [ConfigKey; 4] = [
    ConfigKey {
        name: "files",
        value: "[\"\"]",
        about: "The files with the problems: globs as in `.gitignore`, relative to this file; all files by default.",
    },
    ConfigKey {
        name: "codes",
        value: "[\"\"]",
        about: "The codes of the problems; all by default.",
    },
    ConfigKey {
        name: "names",
        value: "[\"\"]",
        about: "The names in the problems; any by default.",
    },
    ConfigKey { name: "reason", value: "\"\"", about: "Why they are accepted, for readers." },
];

/// The keys of a `[stores.NAME]`.
pub const STORE_KEYS: [ConfigKey; 8] = [
    ConfigKey {
        name: "kind",
        value: "\"\"",
        about: "The kind of store: `filesystem`, a folder with a file for each prompt; or `langfuse`.",
    },
    ConfigKey {
        name: "dialect",
        value: "\"\"",
        about: "The dialect of its prompts; `agentle` by default.",
    },
    ConfigKey {
        name: "prompts",
        value: "\"\"",
        about: "The folder that prompts are pulled into, relative to this file; by default, the folder of this file.",
    },
    ConfigKey {
        name: "folder",
        value: "\"\"",
        about: "For `filesystem`: the folder with the prompts, relative to this file.",
    },
    ConfigKey {
        name: "url",
        value: "\"\"",
        about: "For `langfuse`: its URL. Keys are sent there only if it is Langfuse's cloud, or if `LANGFUSE_HOST` has the same value.",
    },
    ConfigKey {
        name: "host_env",
        value: "\"\"",
        about: "For `langfuse`: the environment variable with its URL, instead of `LANGFUSE_HOST`.",
    },
    ConfigKey {
        name: "public_key_env",
        value: "\"\"",
        about: "For `langfuse`: the environment variable with the public key, instead of `LANGFUSE_PUBLIC_KEY`.",
    },
    ConfigKey {
        name: "secret_key_env",
        value: "\"\"",
        about: "For `langfuse`: the environment variable with the secret key, instead of `LANGFUSE_SECRET_KEY`. Never the key itself.",
    },
];

/// The values of `kind`, each with its documentation.
pub const STORE_KINDS: [(&str, &str); 2] = [
    ("filesystem", "A folder with a file for each prompt"),
    ("langfuse", "Langfuse, with versions and labels"),
];

/// The word that disables a problem; the others are ids of severities.
pub const OFF: &str = "off";
