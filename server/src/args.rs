//! The command line interface.

mod check;
mod complete;
mod config;
mod convert;
mod diff;
mod fmt;
mod graph;
mod help_tree;
#[cfg(feature = "templates")]
pub mod new;
mod prompt_name;
mod prompts;
mod resolve;
mod stats;
#[cfg(feature = "stores")]
pub mod store;
mod writing;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use promptls_resolver::EngineRef;
use promptls_syntax::Dialect;
use promptls_workspace::{DEFAULT_MAX_FILE_BYTES, parse_engine};

pub use self::check::{CheckArgs, CheckFormat, LookingArgs};
pub use self::config::{ConfigArgs, ConfigFormat};
pub use self::convert::ConvertArgs;
pub use self::diff::{DiffArgs, DiffFormat};
pub use self::fmt::FmtArgs;
pub use self::graph::{GraphArgs, GraphFormat};
pub use self::help_tree::command_to_complete;
pub use self::prompts::{PromptsArgs, PromptsFormat};
pub use self::resolve::{ResolveArgs, ResolveFormat};
pub use self::stats::{StatsArgs, StatsFormat};
pub use self::writing::{ForceArgs, OutputArgs};

/// The exit code for invalid calls and for files that cannot be read.
pub const COULD_NOT_RUN: u8 = 2;

/// Language server, checker and preview for LLM prompt templates
#[derive(Debug, Parser)]
#[command(
    name = "promptls",
    bin_name = "promptls",
    version,
    arg_required_else_help = true,
    after_help = "Example:\n  promptls check prompts\n\nThe exit code is 0 on success, 1 if a prompt has problems, 2 if the call is invalid or a file\ncannot be read."
)]
pub struct Cli {
    /// Log to stderr, from this level on
    #[arg(
        long,
        global = true,
        value_name = "LEVEL",
        env = "PROMPTLS_LOG",
        hide_env_values = true,
        default_value = "off"
    )]
    pub log: LogLevel,

    /// When to use colours; NO_COLOR and FORCE_COLOR also set this
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: When,

    #[command(flatten)]
    pub reading: ReadingArgs,

    #[command(subcommand)]
    pub command: Command,
}

// What may be read. A file of the project cannot allow it.
#[derive(Debug, Args)]
pub struct ReadingArgs {
    /// A folder outside of the project whose inputs, variables and texts may be read; separate
    /// several as in PATH
    #[arg(
        long,
        global = true,
        value_name = "FOLDER",
        env = "PROMPTLS_ALLOW_READ",
        hide_env_values = true
    )]
    pub allow_read: Vec<OsString>,

    /// The maximum size of files that are read
    #[arg(
        long,
        global = true,
        value_name = "BYTES",
        env = "PROMPTLS_MAX_FILE_SIZE",
        hide_env_values = true,
        default_value_t = DEFAULT_MAX_FILE_BYTES
    )]
    pub max_file_size: u64,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal
    Auto,
    Always,
    Never,
}

/// The lowest level of messages in the log.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

// With `defer`, only the arguments of the called command are built; those of all take as long as the
// rest of a start. They are then added after the description, so the structs have no doc comments,
// which would replace it.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Print the text that the engine sends to the model
    #[command(
        after_help = "Examples:\n  promptls resolve support.prompt --case angry\n  echo 'Hi {name}' | promptls resolve - --dialect adk --inputs state.json\n  promptls resolve support.prompt --rows tickets.jsonl --set tone=warm > texts.jsonl\n\nInputs and variables files beside the prompt are found by their names. In JSON, lines and\ncharacters count from 0; `byte` and the ranges of `map` count bytes of UTF-8. For a prompt in a\npack, all positions are in the pack file, and `source` is the text there, including escapes such\nas `\\n`.\n\nWith --rows and --all-cases, each line is an object with `row` (from 0) or `case`, and `text`,\n`messages` or `error`. A row that is invalid or rejected by the engine has an error; the others\nhave their texts.\n\nThe exit code is 0 if the engine would send a text for each row or case, 1 if it would fail, 2 if\nthe call is invalid or a file cannot be read."
    )]
    Resolve(ResolveArgs),

    /// Print the names that a prompt uses, with their positions and declarations
    #[command(
        after_help = "Examples:\n  promptls vars support.prompt\n  promptls vars support.prompt --format json | jq -r '.variables[].name'\n\nA name is required if the text is incomplete without its value, or if it is declared so: it is\nnot optional, not only the condition of a block, and has no default. The type is that of its\ndeclaration. In JSON, lines and characters count from 0; `byte` counts bytes of UTF-8.\n\nThe exit code is 0, or 2 if the call is invalid or a file cannot be read."
    )]
    Vars(VarsArgs),

    /// Report problems of prompts and their inputs
    #[command(
        after_help = "Examples:\n  promptls check\n  promptls check prompts --format concise --deny-warnings\n  promptls check --list\n\nFolders are searched as by ripgrep: hidden files and files ignored by .gitignore are skipped.\nLines and columns count from 1, and columns count characters. In JSON, both count from 0; in\nrdjson, columns count bytes.\n\nThe exit code is 0 on success, 1 if there are errors (or warnings, with --deny-warnings), 2 if a\nfile with prompts or a promptls.toml cannot be read. It is also 2 if no prompts are found, but a\nfolder or a glob was named or a promptls.toml has rules, unless --allow-empty is given."
    )]
    Check(CheckArgs),

    /// Format prompts, inputs, variables and promptls.toml
    #[command(
        after_help = "Examples:\n  promptls fmt\n  promptls fmt --check prompts\n\nIn a prompt, only whitespace between braces and names is removed, and only if the engine sends the\nsame text, in each case and without values. JSON files of inputs and variables are indented like\ntheir first indented line; promptls.toml keeps its lines. Values, keys, numbers and comments do not\nchange. YAML files and packs are skipped. Files that do not parse are skipped and reported.\n\nThe exit code is 0, or 1 if a file would change with --check or --diff, 2 if a file does not parse,\nor cannot be read or written."
    )]
    Fmt(FmtArgs),

    /// Show the resolved text in human-readable form, with its problems
    #[command(
        after_help = "Examples:\n  promptls preview support.prompt\n  promptls preview support.prompt --all-cases | less -R\n  promptls preview support.prompt --watch\n  promptls preview support.prompt --serve\n\nValues are coloured, and placeholders without a value are highlighted. NO_COLOR disables colours,\nCLICOLOR_FORCE=1 keeps them in a pipe.\n\nWith --watch, the arrow keys, PgUp and PgDn scroll, n and p show the next and the previous case,\nand q quits. The page of --serve is available only on this machine. Its URL contains a secret:\nanyone with the URL can read the prompt and edit its inputs. Ctrl-C stops the server."
    )]
    Preview(PreviewArgs),

    /// Show the words that differ in the resolved text, between cases or revisions
    #[command(
        after_help = "Examples:\n  promptls diff support.prompt --case default --case angry\n  promptls diff support.prompt --rev HEAD\n  promptls diff --rev main.. --format markdown -o comment.md\n\nWith --rev, all prompts below the current folder are compared, each in all its cases, with the\ninputs, variables, fragments, texts and rules of that revision. A case whose inputs file is newer\nthan the revision is compared with its current inputs, with a note. Git is required; each git\ncommand may take at most 10 seconds, and nothing that a repository configures is executed. Files\nthat git ignores have their current content. In JSON, the ranges of `parts` count bytes of UTF-8.\nA comment in Markdown has at most 65,536 characters, the limit of GitHub.\n\nThe exit code is 0 if all texts are the same, 1 if some differ, 2 if something cannot be compared."
    )]
    Diff(DiffArgs),

    /// Count the tokens of prompts in each case, with their sources and costs
    #[command(
        after_help = "Examples:\n  promptls stats\n  promptls stats prompts --prices prices.toml --format csv -o stats.csv\n\nA table of prices contains the cost of a million input tokens, by model name:\n\n  \"gpt-4o\" = 2.50\n\n`own` is the number of tokens of the prompt itself. `same` is the number of tokens at the start\nthat are the same in all cases, which a prompt cache can reuse. The encoding is set in\npromptls.toml; the default is o200k_base, used by GPT-4o and later models, and an estimate for\nother models.\n\nThe exit code is 0, or 2 if a file cannot be read or there are no prompts."
    )]
    Stats(StatsArgs),

    /// List all prompts: files, and strings in code and configuration
    #[command(
        after_help = "Examples:\n  promptls prompts\n  promptls prompts agents/planner.py --format json | jq -r '.[].name'\n\nA string is a prompt if it is passed to a framework that resolves it, if a comment marks it\n(`promptls: adk`, `language=prompt-adk`), or if a rule of promptls.toml selects it. In JSON,\nranges count bytes of UTF-8: `range` is the position of the prompt in its file, `map` has the\nstart and end of each run in the text and in the file, and `holes` are the parts that only the\nrunning program computes.\n\nThe exit code is 0, or 2 if a file cannot be read or there are no prompts."
    )]
    Prompts(PromptsArgs),

    /// Print a graph of what prompts read: inputs, variables, fragments, texts and configs, and which
    /// agents and code set their names
    #[command(
        after_help = "Examples:\n  promptls graph | dot -Tsvg > graph.svg\n  promptls graph state.json --format mermaid\n\nAn arrow points from a file to a file that it reads; an arrow to inputs is labelled with the case.\nAn arrow from a prompt to an agent or to code is labelled with the name that is set there.\nIn JSON, `from` and `to` are positions in `nodes`, from 0.\n\nThe exit code is 0, or 2 if a file cannot be read or there are no prompts."
    )]
    Graph(GraphArgs),

    /// Convert a prompt to another dialect, if the same text is sent in each case
    #[command(
        after_help = "Examples:\n  promptls convert support.adk.prompt --to agentle --diff\n  promptls convert support.adk.prompt --to promptpack/promptkit-go\n  echo 'Hi {name}' | promptls convert - --dialect adk --to agentle\n\nThe new prompt gets its own inputs and variables files, with its new names:\nsupport.agentle.prompt, support.agentle.inputs.json. The old files are kept. Each case is resolved\nbefore and after; a prompt without inputs is resolved with names as values. If a different text\nwould be sent, or if the other dialect cannot express the prompt, the reason is shown and nothing\nis written; --force writes a prompt with a different text anyway.\n\nAn engine is only used to compare the result. To resolve the new prompt for that engine, add a\nrule to promptls.toml.\n\nThe exit code is 0 if the prompt is written, or would be, 1 if its text would differ or cannot be\nexpressed, 2 if the call is invalid or a file cannot be read or written."
    )]
    Convert(ConvertArgs),

    /// Print the settings that apply, and their sources
    #[command(
        after_help = "Examples:\n  promptls config\n  promptls config --show support.prompt\n\nA setting comes from a line of a promptls.toml, from the name of the prompt, from its content, from\na file beside it, or it is the default. If several settings give the severity of a problem, the\nrule has priority, then the nearest promptls.toml.\n\nThe exit code is 0, or 2 if the call is invalid or the prompt cannot be read."
    )]
    Config(ConfigArgs),

    /// Propose rules for promptls.toml and first inputs files, and write them after confirmation
    #[command(
        after_help = "Examples:\n  promptls init\n  promptls init prompts --dry-run\n\nFolders are searched as by ripgrep: hidden files and files ignored by .gitignore are skipped. A\ntext file is proposed as a prompt if its placeholders have no other meaning, or if an inputs file\nwith one of their names is beside it. So are the files next to such a file, in a folder named\nprompts, agents or similar. Other files that may be prompts are listed, with the reason why they\nget no rule.\n\nRules are added after the existing ones, and no file is overwritten. The rules are printed to\nstdout, everything else to stderr.\n\nThe exit code is 0 on success, also if you decline, 2 if stdin is not a terminal and --yes is\nmissing, or if a file cannot be read or written."
    )]
    Init(InitArgs),

    /// Write a new prompt from a template, or from a description
    #[cfg(feature = "templates")]
    #[command(
        after_help = "Examples:\n  promptls new --list\n  promptls new code-review --dialect adk -o review.adk.prompt\n  promptls new translation English Portuguese --dialect agentle --concise\n  promptls new --dialect adk --role 'You are a poet.' --task 'Write about {topic}.' --think step-back\n\nA TEXT is in the syntax of the dialect, so its placeholders are kept. `@FILE` is the text of a\nfile, which is sent unchanged. Without a template and without options, the contents are entered on the\nterminal. No file is overwritten. With -o, a variables file with descriptions of the names and an\ninputs file with first values are written too.\n\nThe exit code is 0 if the prompt is written, 2 if it cannot be."
    )]
    New(Box<new::NewArgs>),

    /// Pull, compare and push prompts that are kept in a folder or in Langfuse
    #[cfg(feature = "stores")]
    #[command(
        after_help = "Examples:\n  promptls store list prod\n  promptls store pull prod:greeting --label staging\n  promptls store diff prod\n  promptls store push prod:greeting --message 'Shorter'\n\nStores are configured in promptls.toml: `[stores.prod]` with `kind = \"langfuse\"`. Keys are read\nfrom LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY; LANGFUSE_HOST is the URL of the store, if it is\nnot the cloud. Pulled prompts are recorded in promptls.lock beside promptls.toml.\n\nThe exit code is 0 on success, 1 if prompts differ, 2 on errors."
    )]
    Store {
        #[command(subcommand)]
        command: store::StoreCommand,
    },

    /// Print how to get stores; editors show this too
    #[cfg(not(feature = "stores"))]
    #[command(hide = true, disable_help_flag = true)]
    Store {
        /// The arguments, which are ignored
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },

    /// List the supported engines, and their differences from the documentation
    #[command(
        after_help = "Examples:\n  promptls engines\n  promptls explain engine:adk-python\n  promptls resolve support.prompt --engine adk-python@2.13\n\nA rule of promptls.toml sets an engine with `engine`, or several with `engines`. Without one, a\nprompt is resolved as documented for its dialect."
    )]
    Engines(EnginesArgs),

    /// Explain a problem: what it is, why it matters, how to fix it
    #[command(
        after_help = "Examples:\n  promptls explain\n  promptls explain undefined-placeholder\n  promptls explain engine:adk-python"
    )]
    Explain(ExplainArgs),

    /// Print the JSON schema of an input file or of machine-readable output
    #[command(
        after_help = "Examples:\n  promptls schema\n  promptls schema config > promptls.schema.json\n\nWithout a name, all schemas are listed."
    )]
    Schema(SchemaArgs),

    /// Serve an editor on stdin and stdout
    #[command(
        after_help = "Example:\n  promptls lsp\n\nEditors start it automatically. It implements the Language Server Protocol."
    )]
    Lsp(LspArgs),

    /// Write manual pages for packagers, one file for each command
    #[command(
        hide = true,
        after_help = "Examples:\n  promptls man | man -l -\n  promptls man /usr/share/man/man1"
    )]
    Man(ManArgs),

    /// Print a script that completes commands and options in a shell
    #[command(
        after_help = "Example:\n  promptls completions bash > ~/.local/share/bash-completion/completions/promptls\n\nTo also complete the cases and prompts of the given files, and problem codes, let the shell call\npromptls for each completion. Add this to the startup file of the shell:\n\n  source <(PROMPTLS_COMPLETE=bash promptls)    # bash; for zsh, the same with zsh\n  PROMPTLS_COMPLETE=fish promptls | source     # fish"
    )]
    Completions(CompletionsArgs),
}

// The arguments that identify one prompt, and its inputs.
#[derive(Debug, Args)]
pub struct PromptArgs {
    #[cfg_attr(not(feature = "stores"), doc = "The prompt; `-` is standard input")]
    #[cfg_attr(
        feature = "stores",
        doc = "The prompt; `-` is standard input, `NAME:ID` one in a store of promptls.toml"
    )]
    pub prompt: PathBuf,

    /// The prompt of a pack or of a file of code, by its name there, as in FILE#NAME; not needed if
    /// there is only one
    #[arg(long = "prompt", value_name = "NAME", add = complete::tasks())]
    pub task: Option<String>,

    /// The case, as its file is named: `angry` for support.angry.inputs.json
    #[arg(long, value_name = "NAME", add = complete::cases())]
    pub case: Option<String>,

    /// The variables file
    #[arg(long, value_name = "FILE")]
    pub variables: Option<PathBuf>,

    /// The dialect; overrides rules and file names
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    pub dialect: Option<Dialect>,

    /// The engine that sends it, such as adk-python@2.13; overrides rules. See `promptls engines`
    #[arg(long, value_name = "ID[@VERSION]", value_parser = parse_engine, conflicts_with = "dialect", add = complete::engines())]
    pub engine: Option<EngineRef>,

    #[cfg(feature = "stores")]
    #[command(flatten)]
    pub which: store::WhichArgs,
}

impl PromptArgs {
    /// The arguments for a prompt without a case, variables, dialect or engine.
    pub fn of(prompt: &Path, task: Option<&str>) -> PromptArgs {
        PromptArgs {
            prompt: prompt.to_owned(),
            task: task.map(str::to_owned),
            case: None,
            variables: None,
            dialect: None,
            engine: None,
            #[cfg(feature = "stores")]
            which: store::WhichArgs::default(),
        }
    }

    /// Whether the prompt is read from standard input.
    pub fn is_stdin(&self) -> bool {
        self.prompt.as_os_str() == "-"
    }
}

// The names are the same in all cases, so there is no option for a case.
#[derive(Debug, Args)]
#[command(mut_arg("case", |case| case.hide(true)))]
pub struct VarsArgs {
    #[command(flatten)]
    pub prompt: PromptArgs,

    /// How to print them
    #[arg(long, default_value = "text")]
    pub format: VarsFormat,
}

/// The output formats of `promptls vars`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VarsFormat {
    /// A line for each name
    Text,
    /// One object
    Json,
    /// A JSON Schema of the inputs
    JsonSchema,
    /// A module of Python 3.11, with a TypedDict for the inputs
    Python,
    /// The same with a model of pydantic 2
    Pydantic,
}

#[derive(Debug, Args)]
pub struct PreviewArgs {
    #[command(flatten)]
    pub prompt: PromptArgs,

    /// Show one case after the other
    #[arg(long, conflicts_with = "case")]
    pub all_cases: bool,

    /// Redraw it after each change of the prompt or its files
    #[arg(long)]
    pub watch: bool,

    /// Show it on a live page in the browser, where values can be edited
    #[arg(long, conflicts_with_all = ["watch", "all_cases"])]
    pub serve: bool,

    /// The port of the page; any free port by default
    #[arg(long, value_name = "N", requires = "serve")]
    pub port: Option<u16>,

    /// Print the URL of the page, and do not open a browser
    #[arg(long, requires = "serve")]
    pub no_open: bool,

    /// Write the page with all cases into a self-contained file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["watch", "serve", "all_cases"])]
    pub html: Option<PathBuf>,

    /// Also replace a file that is read-only or has several hard links
    #[arg(long, requires = "html")]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// The folder to search
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,

    /// Write without confirmation
    #[arg(long, short, conflicts_with = "dry_run")]
    pub yes: bool,

    /// Show what would be written, and write nothing
    #[arg(long)]
    pub dry_run: bool,

    #[command(flatten)]
    pub writing: ForceArgs,
}

#[derive(Debug, Args)]
pub struct EnginesArgs {
    /// How they are printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: EnginesFormat,
}

/// The output formats of `promptls engines`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EnginesFormat {
    /// Human-readable
    Text,
    Json,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The code of the problem, or `engine:` and the name of an engine; without it, all codes are
    /// listed
    #[arg(add = complete::codes())]
    pub code: Option<String>,
}

#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// The name of the schema; without it, all are listed
    #[arg(add = complete::schemas())]
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub struct LspArgs {
    /// Use stdin and stdout; always enabled, and accepted because editors pass it
    #[arg(long, hide = true)]
    stdio: bool,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// The folder to write into; without it, the page of the program is printed
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    pub shell: clap_complete::Shell,
}

/// Parses the id of a dialect; help and completions list all of them.
fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let ids = Dialect::ALL.map(|dialect| dialect.spec().id);
    PossibleValuesParser::new(ids).try_map(|id| Dialect::from_id(&id).ok_or("unknown dialect"))
}
