//! The arguments of `promptls check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use promptls_analysis::position::Encoding;
use promptls_analysis::{Sureness, did_you_mean};
use promptls_resolver::{Code, EngineRef};
use promptls_workspace::parse_engine;

use super::complete;
use super::writing::ForceArgs;

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Folders, prompts, inputs files, a promptls.toml, or globs; by default the current folder. A
    /// file that is none of these is skipped. `-` is the text of stdin
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub looking: LookingArgs,

    #[command(flatten)]
    pub fixes: FixArgs,

    /// List the prompts and why they are prompts, instead of checking them
    #[arg(long, conflicts_with_all = ["fix", "fix_unsafe", "diff", "add_ignores"])]
    pub list: bool,

    /// Read all named files as prompts
    #[arg(long)]
    pub as_prompts: bool,

    /// Exit with 0 if there are no prompts
    #[arg(long)]
    pub allow_empty: bool,

    /// How to print problems
    ///
    /// Lines and columns start at 1, and columns count characters; in JSON, both start at 0.
    #[arg(long, default_value = "human")]
    pub format: CheckFormat,

    /// Write the problems to a file
    #[arg(long, short, value_name = "FILE", conflicts_with = "list")]
    pub output: Option<PathBuf>,

    /// Name files relative to this folder
    ///
    /// By default, the formats for CI (github, gitlab, sarif, junit, rdjson, checkstyle) name
    /// them relative to the root of the repository around the current folder, and the others
    /// relative to the current folder.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["list", "statistics"])]
    pub relative_to: Option<PathBuf>,

    /// Report only these problems: codes or their prefixes, separated by commas
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = codes, add = complete::codes())]
    pub select: Vec<Codes>,

    /// Ignore these problems; overrides --select
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = codes, add = complete::codes())]
    pub ignore: Vec<Codes>,

    /// Print the number of problems of each kind instead of the problems
    #[arg(long, conflicts_with_all = ["list", "format", "output"])]
    pub statistics: bool,

    /// Print only the problems
    #[arg(long, short)]
    pub quiet: bool,

    /// Name each prompt that is checked, with its dialect and cases
    #[arg(long, short, conflicts_with_all = ["quiet", "list"])]
    pub verbose: bool,

    /// Check again whenever a file changes
    #[arg(long, conflicts_with_all = ["list", "fix", "fix_unsafe", "diff", "add_ignores", "output", "write_baseline", "stdin_filename"])]
    pub watch: bool,

    /// Exit with 0 even if there are problems
    #[arg(long)]
    pub exit_zero: bool,

    /// Ignore the problems in this file, written by --write-baseline
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub baseline: Option<PathBuf>,

    /// Write the current problems to a file for --baseline, instead of reporting them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "baseline", "output"])]
    pub write_baseline: Option<PathBuf>,

    #[command(flatten)]
    pub writing: ForceArgs,

    /// Also report prompts that differ from their version in a store, with this label
    #[cfg(feature = "stores")]
    #[arg(long, value_name = "NAME[:LABEL]", conflicts_with = "list")]
    pub against: Option<crate::stores::Address>,

    /// Exit with 1 for warnings too
    #[arg(long)]
    pub deny_warnings: bool,

    /// Report prompts whose text only the running program has as errors
    #[arg(long, conflicts_with = "list")]
    pub strict_found: bool,
}

// Where prompts are looked for, and what counts for them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files")]
pub struct LookingArgs {
    /// Check the text of stdin as the content of this file
    #[arg(long, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,

    /// Skip files and folders: globs as in .gitignore, relative to the current folder
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// Also search what .gitignore, .ignore or .promptlsignore excludes
    #[arg(long)]
    pub no_ignore: bool,

    /// Also search hidden files and folders
    #[arg(long)]
    pub hidden: bool,

    /// Use this promptls.toml instead of those in folders, relative to the current folder
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,

    /// Ignore all promptls.toml files
    #[arg(long)]
    pub isolated: bool,

    /// The engine that sends the prompts of its dialect, such as adk-python@2.13; overrides rules.
    /// See `promptls engines`
    #[arg(long, value_name = "ID[@VERSION]", value_parser = parse_engine, add = complete::engines())]
    pub engine: Option<EngineRef>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Fixes")]
pub struct FixArgs {
    /// Fix what has exactly one correct fix, and report the rest
    #[arg(long)]
    pub fix: bool,

    /// Also apply likely fixes: misspelt names, unused keys, unclosed blocks
    #[arg(long)]
    pub fix_unsafe: bool,

    /// Print what --fix or --fix-unsafe would change, and change nothing
    #[arg(long, conflicts_with_all = ["format", "output", "statistics", "baseline", "write_baseline"])]
    pub diff: bool,

    /// Write an [[ignore]] for each problem into promptls.toml, with a reason
    #[arg(long, value_name = "REASON", num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with_all = ["fix", "fix_unsafe", "diff", "write_baseline", "output", "stdin_filename"])]
    pub add_ignores: Option<String>,
}

impl FixArgs {
    /// How certain a fix must be to be applied; `None` without --fix and --fix-unsafe.
    pub fn sureness(&self) -> Option<Sureness> {
        match (self.fix_unsafe, self.fix || self.diff) {
            (true, _) => Some(Sureness::Likely),
            (false, true) => Some(Sureness::Safe),
            (false, false) => None,
        }
    }
}

/// The output formats of `promptls check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// With excerpts of the files
    Human,
    /// A line for each problem
    Concise,
    /// One object
    Json,
    /// An object in each line, for each problem
    Jsonl,
    /// Annotations of GitHub Actions
    Github,
    /// A Code Quality report of GitLab
    Gitlab,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// A JUnit report
    Junit,
    /// Reviewdog's format; its columns count bytes
    Rdjson,
    /// A Checkstyle report
    Checkstyle,
}

impl CheckFormat {
    /// Whether the format is human-readable; then it also reports how much was checked.
    pub fn is_for_people(self) -> bool {
        matches!(self, CheckFormat::Human | CheckFormat::Concise)
    }

    /// Whether readers of the format resolve file names from the root of the repository.
    pub fn is_of_repository(self) -> bool {
        match self {
            CheckFormat::Github
            | CheckFormat::Gitlab
            | CheckFormat::Sarif
            | CheckFormat::Junit
            | CheckFormat::Rdjson
            | CheckFormat::Checkstyle => true,
            CheckFormat::Human | CheckFormat::Concise | CheckFormat::Json | CheckFormat::Jsonl => {
                false
            }
        }
    }

    /// The unit of columns in the format.
    pub fn columns(self) -> Encoding {
        match self {
            CheckFormat::Rdjson => Encoding::Utf8,
            _ => Encoding::Utf32,
        }
    }
}

/// The problem codes selected by one argument.
pub type Codes = Vec<Code>;

/// Parses a problem code, or a prefix that selects all codes beginning with it.
fn codes(text: &str) -> Result<Codes, String> {
    if let Some(code) = Code::from_id(text) {
        return Ok(vec![code]);
    }
    let all = Code::ALL.iter().copied();
    let codes: Codes = all.clone().filter(|code| code.id().starts_with(text)).collect();
    if codes.is_empty() || text.is_empty() {
        let hint = did_you_mean(text, all.map(Code::id));
        return Err(format!(
            "no problem code starts with this{hint}; `promptls explain` lists the codes"
        ));
    }
    Ok(codes)
}

impl CheckArgs {
    /// Whether problems with this code are reported.
    pub fn reports(&self, code: Code) -> bool {
        let is_in = |codes: &[Codes]| codes.iter().flatten().any(|it| *it == code);
        // A problem that hides others is reported with any selection.
        let is_selected = self.select.is_empty() || is_in(&self.select) || code.hides_others();
        is_selected && !is_in(&self.ignore)
    }
}
