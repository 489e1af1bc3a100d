//! The command line interface.

mod check;
mod complete;
mod config;
mod convert;
mod diff;
mod fmt;
mod graph;
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
    after_help = "Example:\n  promptls check prompts\n\nThe exit code is 0 if all is well, 1 if a prompt is not, 2 if the call is wrong or a file\ncannot be read."
)]
pub struct Cli {
    /// Write what happens inside to stderr
    #[arg(
        long,
        global = true,
        value_name = "LEVEL",
        env = "PROMPTLS_LOG",
        hide_env_values = true,
        default_value = "off"
    )]
    pub log: LogLevel,

    /// When to use colours; NO_COLOR and FORCE_COLOR say the same
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: When,

    #[command(flatten)]
    pub reading: ReadingArgs,

    #[command(subcommand)]
    /// What to do.
    pub command: Command,
}

/// What may be read, as no file of a project can say it.
#[derive(Debug, Args)]
pub struct ReadingArgs {
    /// A folder outside of the project in which its files may name inputs, variables and texts;
    /// several with the separator of PATH between them
    #[arg(
        long,
        global = true,
        value_name = "FOLDER",
        env = "PROMPTLS_ALLOW_READ",
        hide_env_values = true
    )]
    pub allow_read: Vec<OsString>,

    /// The largest file that is read
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

/// How much is logged.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the text that the engine sends to the model
    #[command(
        after_help = "Examples:\n  promptls resolve support.prompt --case angry\n  echo 'Hi {name}' | promptls resolve - --dialect adk --inputs state.json\n  promptls resolve support.prompt --rows tickets.jsonl --set tone=warm > texts.jsonl\n\nThe inputs and variables files beside the prompt are found by their names. In JSON, lines and\ncharacters count from 0; `byte` and the ranges of `map` count bytes of UTF-8. Of a prompt in a pack, all places are those in the pack file: `source`\nis what is written there, escapes such as `\\n` included.\n\nWith --rows and --all-cases, each line is an object: `row` (from 0) or `case`, and `text`, `messages`\nor `error`. What is no row, or is refused by the engine, is an error of that row; the others have their\ntexts.\n\nThe exit code is 0 if the engine would send a text, for each row or case, 1 if it would fail, 2 if\nthe call is wrong or a file cannot be read."
    )]
    Resolve(ResolveArgs),

    /// Print the names that a prompt uses, where, and what is declared of them
    #[command(
        after_help = "Examples:\n  promptls vars support.prompt\n  promptls vars support.prompt --format json | jq -r '.variables[].name'\n\nA name is required if the text lacks something without its value, or if it is declared so: it is\nnot optional, not only the condition of a block, and has no default. The type is that of its\ndeclaration. In JSON, lines and characters count from 0; `byte` counts bytes of UTF-8.\n\nThe exit code is 0, or 2 if the call is wrong or a file cannot be read."
    )]
    Vars(VarsArgs),

    /// Report what is wrong with prompts and their inputs
    #[command(
        after_help = "Examples:\n  promptls check\n  promptls check prompts --format concise --deny-warnings\n  promptls check --list\n\nFolders are searched as ripgrep does: what .gitignore names and hidden files are left out.\nLines and columns count from 1, and columns count characters; in JSON, both count from 0, and in\nrdjson columns are bytes.\n\nThe exit code is 0 if all is well, 1 if there are errors (or warnings, with --deny-warnings), 2\nif a file that holds prompts or a promptls.toml cannot be read, or if there are no prompts where\na folder or a glob was named or a promptls.toml has rules (unless --allow-empty is given)."
    )]
    Check(CheckArgs),

    /// Format prompts, inputs, variables and promptls.toml
    #[command(
        after_help = "Examples:\n  promptls fmt\n  promptls fmt --check prompts\n\nOf a prompt, only blanks between braces and names go, and only where the engine then sends the very\nsame text: in each case, and without any values. Inputs and variables in JSON are indented as their\nfirst line that is, promptls.toml keeps its lines; values, keys, numbers and comments stay as they\nare written. YAML and packs are left as they are; so is what does not parse, which is\nreported.\n\nThe exit code is 0, or 1 if a file would change with --check or --diff, 2 if one does not\nparse, or cannot be read or written."
    )]
    Fmt(FmtArgs),

    /// Show the resolved text to a person, with what is wrong
    #[command(
        after_help = "Examples:\n  promptls preview support.prompt\n  promptls preview support.prompt --all-cases | less -R\n  promptls preview support.prompt --watch\n  promptls preview support.prompt --serve\n\nValues are coloured, and placeholders without a value stand out. NO_COLOR turns colours off,\nCLICOLOR_FORCE=1 keeps them in a pipe.\n\nWith --watch, the arrows and PgUp, PgDn scroll, n and p show the next and the previous case, q\nends it. The page of --serve is for this machine alone, and its address is a secret: who has it\ncan read the prompt and edit its inputs. Ctrl-C ends it."
    )]
    Preview(PreviewArgs),

    /// Show the words that differ in the resolved text, between cases or between two times
    #[command(
        after_help = "Examples:\n  promptls diff support.prompt --case default --case angry\n  promptls diff support.prompt --rev HEAD\n  promptls diff --rev main.. --format markdown -o comment.md\n\nWith --rev, all prompts below the current folder are compared, each in all its cases, with the\ninputs, variables, fragments, texts and rules of that time: whatever makes a text another one is\nseen. A case whose inputs file is newer than that is compared with its inputs of now, with a note.\nIt takes git, waits at most 10 seconds for each answer, and runs nothing that a repository has\nconfigured. What git ignores is as it is now. In JSON, the ranges of `parts` count bytes of UTF-8. A comment in Markdown has at most the\n65,536 characters that GitHub takes.\n\nThe exit code is 0 if all texts are the same, 1 if some differ, 2 if something could not be\ncompared."
    )]
    Diff(DiffArgs),

    /// Count the tokens of prompts in each case, what brings them, and what they cost
    #[command(
        after_help = "Examples:\n  promptls stats\n  promptls stats prompts --prices prices.toml --format csv -o stats.csv\n\nA table of prices says what a million input tokens cost, by the name of the model:\n\n  \"gpt-4o\" = 2.50\n\n`own` are tokens of the prompt itself, `same` those at the start that are the same in all cases,\nwhich a prompt cache can use again. Tokens are those of the encoding that promptls.toml says,\no200k_base unless it says another one: what GPT-4o and later models count, and an estimate for\nothers.\n\nThe exit code is 0, or 2 if something could not be read, or if there are no prompts."
    )]
    Stats(StatsArgs),

    /// List the prompts that are there: files, and strings in code and configuration
    #[command(
        after_help = "Examples:\n  promptls prompts\n  promptls prompts agents/planner.py --format json | jq -r '.[].name'\n\nA string is a prompt if a framework resolves it where it stands, if a comment says so\n(`promptls: adk`, `language=prompt-adk`), or if a rule of promptls.toml does. In JSON, ranges count\nbytes of UTF-8: `range` is where the prompt is written in its file, `map` has for each run of the\ntext where it starts and ends there and in the file, `holes` are the parts that only the running\nprogram knows.\n\nThe exit code is 0, or 2 if something could not be read, or if there are no prompts."
    )]
    Prompts(PromptsArgs),

    /// Print who reads what: prompts, inputs, variables, fragments, texts and configs
    #[command(
        after_help = "Examples:\n  promptls graph | dot -Tsvg > graph.svg\n  promptls graph state.json --format mermaid\n\nAn arrow leads from who reads to what is read; on an arrow to inputs stands the case. In JSON,\n`from` and `to` are positions in `nodes`, from 0.\n\nThe exit code is 0, or 2 if something could not be read, or if there are no prompts."
    )]
    Graph(GraphArgs),

    /// Write a prompt in another dialect, if the very same is sent in each case
    #[command(
        after_help = "Examples:\n  promptls convert support.adk.prompt --to agentle --diff\n  promptls convert support.adk.prompt --to promptpack/promptkit-go\n  echo 'Hi {name}' | promptls convert - --dialect adk --to agentle\n\nThe new prompt gets inputs and variables files of its own, in which names are what they are now:\nsupport.agentle.prompt, support.agentle.inputs.json. The old files stay. Each case is resolved\nbefore and after; a prompt without inputs is, with names as values. If something else would\nbe sent, or if the other dialect cannot say it, that is shown, and nothing is written; with\n--force, the first is written all the same.\n\nAn engine is only what the result is compared by. It is named to whoever resolves the new prompt\nby a rule of promptls.toml.\n\nThe exit code is 0 if the prompt is written, or would be, 1 if it would send something else or\ncannot be said, 2 if the call is wrong or a file cannot be read or written."
    )]
    Convert(ConvertArgs),

    /// Print the settings that count, and where each comes from
    #[command(
        after_help = "Examples:\n  promptls config\n  promptls config --show support.prompt\n\nA setting comes from a line of a promptls.toml, from the name of the prompt, from its content, from\na file beside it, or it is the default. Of a problem that several say something about, the rule\ncounts, else the nearest promptls.toml.\n\nThe exit code is 0, or 2 if the call is wrong or the prompt cannot be read."
    )]
    Config(ConfigArgs),

    /// Propose rules for promptls.toml and first inputs files, and write them after a yes
    #[command(
        after_help = "Examples:\n  promptls init\n  promptls init prompts --dry-run\n\nFolders are searched as ripgrep does: what .gitignore names and hidden files are left out. Text\nfiles are taken for prompts if they hold placeholders that nothing else can mean, or have an\ninputs file with one of their names beside them, and what lies beside those in a folder named\nprompts, agents or the like is, too. What else may be a prompt is named, with the reason why it\ngets no rule.\n\nRules are added behind those that are there, and no file is overwritten. The rules go to stdout,\nall else to stderr.\n\nThe exit code is 0 if all is well, also after a no, 2 if nobody can be asked and --yes is missing,\nor if a file cannot be read or written."
    )]
    Init(InitArgs),

    /// Write a new prompt from a template, or from what you say about it
    #[cfg(feature = "templates")]
    #[command(
        after_help = "Examples:\n  promptls new --list\n  promptls new code-review --dialect adk -o review.adk.prompt\n  promptls new translation English Portuguese --dialect agentle --concise\n  promptls new --dialect adk --role 'You are a poet.' --task 'Write about {topic}.' --think step-back\n\nA TEXT is written in the dialect, so its placeholders stay placeholders; `@FILE` is the text of a\nfile, which is sent as it stands. Without a template and without flags, it asks on the terminal.\nNo file is overwritten. With -o, a variables file says what the names mean, and an inputs file has\nfirst values for them.\n\nThe exit code is 0 if the prompt is written, 2 if it cannot be."
    )]
    New(Box<new::NewArgs>),

    /// Pull, compare and push prompts that are kept in a folder or in Langfuse
    #[cfg(feature = "stores")]
    #[command(
        after_help = "Examples:\n  promptls store list prod\n  promptls store pull prod:greeting --label staging\n  promptls store diff prod\n  promptls store push prod:greeting --message 'Shorter'\n\nStores are named in promptls.toml: `[stores.prod]` with `kind = \"langfuse\"`. Keys are in\nLANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY, and LANGFUSE_HOST says where it is if not in the\ncloud. What was pulled is noted in promptls.lock beside promptls.toml.\n\nThe exit code is 0 if all is well, 1 if prompts differ, 2 if nothing came of it."
    )]
    Store {
        #[command(subcommand)]
        command: store::StoreCommand,
    },

    /// Says how to get stores; editors show that, too
    #[cfg(not(feature = "stores"))]
    #[command(hide = true, disable_help_flag = true)]
    Store {
        /// What a program with stores would do
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },

    /// List the engines whose behaviour is known, and what each does otherwise than its document
    #[command(
        after_help = "Examples:\n  promptls engines\n  promptls explain engine:adk-python\n  promptls resolve support.prompt --engine adk-python@2.13\n\nA rule of promptls.toml names an engine with `engine`, or several with `engines`. Without one, a\nprompt is resolved as the document of its dialect says."
    )]
    Engines(EnginesArgs),

    /// Explain a problem: what it is, why it matters, how to fix it
    #[command(
        after_help = "Examples:\n  promptls explain\n  promptls explain undefined-placeholder\n  promptls explain engine:adk-python"
    )]
    Explain(ExplainArgs),

    /// Print the JSON schema of a file that is read, or of what is printed for programs
    #[command(
        after_help = "Examples:\n  promptls schema\n  promptls schema config > promptls.schema.json\n\nWithout a name, all schemas are listed."
    )]
    Schema(SchemaArgs),

    /// Serve an editor on stdin and stdout
    #[command(
        after_help = "Example:\n  promptls lsp\n\nEditors start it themselves. It speaks the Language Server Protocol."
    )]
    Lsp(LspArgs),

    /// Write manual pages, a file for each command, for those who make packages
    #[command(
        hide = true,
        after_help = "Examples:\n  promptls man | man -l -\n  promptls man /usr/share/man/man1"
    )]
    Man(ManArgs),

    /// Print a script that completes commands and options in a shell
    #[command(
        after_help = "Example:\n  promptls completions bash > ~/.local/share/bash-completion/completions/promptls\n\nFor completions that also know the cases and prompts of the files on the line, and the codes of\nproblems, promptls itself is asked at each key. In the file that the shell reads when it starts:\n\n  source <(PROMPTLS_COMPLETE=bash promptls)    # bash; for zsh, the same with zsh\n  PROMPTLS_COMPLETE=fish promptls | source     # fish"
    )]
    Completions(CompletionsArgs),
}

/// What names a prompt.
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

    /// The dialect, whatever rules and names say
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    pub dialect: Option<Dialect>,

    /// The engine that sends it, whatever rules say: adk-python@2.13, or any that `engines` lists
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

/// The arguments of `promptls vars`.
///
/// The names are the same in all cases, so nobody need name one.
#[derive(Debug, Args)]
#[command(mut_arg("case", |case| case.hide(true)))]
pub struct VarsArgs {
    #[command(flatten)]
    pub prompt: PromptArgs,

    /// How to print them
    #[arg(long, default_value = "text")]
    pub format: VarsFormat,
}

/// How `promptls vars` prints.
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

/// The arguments of `promptls preview`.
#[derive(Debug, Args)]
pub struct PreviewArgs {
    #[command(flatten)]
    pub prompt: PromptArgs,

    /// Show one case after the other
    #[arg(long, conflicts_with = "case")]
    pub all_cases: bool,

    /// Draw it anew with each change of the prompt and of what belongs to it
    #[arg(long)]
    pub watch: bool,

    /// Show it on a page in the browser that follows each change, and edits values
    #[arg(long, conflicts_with_all = ["watch", "all_cases"])]
    pub serve: bool,

    /// The port of the page; any free one unless given
    #[arg(long, value_name = "N", requires = "serve")]
    pub port: Option<u16>,

    /// Print the address of the page, and do not open a browser
    #[arg(long, requires = "serve")]
    pub no_open: bool,

    /// Write the page with all cases into a file that needs nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = ["watch", "serve", "all_cases"])]
    pub html: Option<PathBuf>,

    /// Also replace a file that is read-only or has several hard links
    #[arg(long, requires = "html")]
    pub force: bool,
}

/// The arguments of `promptls init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The folder to look through
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,

    /// Write without asking
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

/// How engines are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EnginesFormat {
    /// For people
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
    /// Use stdin and stdout, as it does anyway; editors say so out of habit
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
    PossibleValuesParser::new(ids)
        .try_map(|id| Dialect::from_id(&id).ok_or("unknown dialect"))
}
