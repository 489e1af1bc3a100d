//! Errors that end a command.

use std::io;
use std::path::PathBuf;

use promptls_workspace::{CommitError, NoSuchPrompt, ReadError};
use promptls_writer::WriteError;

/// An error that ends a command before it has a result.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The prompt cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The prompt has cases, but none with this name.
    #[error("{prompt} has no case `{case}`, only {known}{hint}")]
    UnknownCase {
        /// The prompt, as the user wrote it.
        prompt: String,
        /// The case of the command line.
        case: String,
        /// A similar case, as `; did you mean …?`; may be empty.
        hint: String,
        /// The existing cases, separated by commas.
        known: String,
    },
    /// The prompt has no cases.
    #[error(
        "{prompt} has no case `{case}`, because it has no inputs file; create one beside it, or add --inputs"
    )]
    NoCases {
        /// The prompt, as the user wrote it.
        prompt: String,
        /// The case of the command line.
        case: String,
    },
    /// A file does not contain the prompt of the command line.
    #[error(transparent)]
    NoSuchPrompt(#[from] NoSuchPrompt),
    /// A code that `promptls explain` does not list.
    #[error("unknown problem code `{code}`{hint}")]
    UnknownCode {
        /// The code of the command line.
        code: String,
        /// A similar code, or the existing ones.
        hint: String,
    },
    /// An unknown engine or version.
    #[error("{0}")]
    Engine(String),
    /// A name that `promptls schema` does not list.
    #[error("unknown schema `{name}`; `promptls schema` lists them{hint}")]
    UnknownSchema {
        /// The name of the command line.
        name: String,
        /// A similar name, or the empty string.
        hint: String,
    },
    /// The current folder no longer exists.
    #[error("cannot find the current folder: {0}")]
    CurrentFolder(io::Error),
    /// A file instead of a folder.
    #[error("{0} is a file; name the folder to search")]
    NotAFolder(String),
    /// A file instead of the folder for names in a report.
    #[error("{0} is a file; `--relative-to` takes a folder")]
    RelativeToFile(String),
    /// Configs that cannot be read or contain unknown keys: a line for each problem.
    #[error("{}", .0.join("\npromptls: "))]
    UnreadConfig(Vec<String>),
    /// A config whose rules are written as an inline array.
    #[error(
        "{path} has `prompts = […]`; write its rules as `[[prompts]]`, then these can be added:\n\n{rules}"
    )]
    CannotAddRules {
        path: String,
        /// The rules to add, as TOML for the user to copy.
        rules: String,
    },
    /// A language without built-in texts for new prompts.
    #[cfg(feature = "templates")]
    #[error("unsupported language `{tag}`; supported: {known}{hint}")]
    UnknownLanguage {
        /// The language of the command line.
        tag: String,
        /// A similar tag, or the empty string.
        hint: String,
        /// The supported tags, separated by commas.
        known: String,
    },
    /// A new prompt without contents.
    #[cfg(feature = "templates")]
    #[error(
        "name a template, or describe the prompt with options; see `promptls new --list` and `promptls new --help`"
    )]
    NoContents,
    /// A new prompt without a dialect.
    #[cfg(feature = "templates")]
    #[error("the dialect is missing; add --dialect, one of: {known}")]
    WhichDialect {
        /// The ids of all dialects, separated by commas.
        known: String,
    },
    /// A file that a new prompt cannot be written to.
    #[cfg(feature = "templates")]
    #[error(transparent)]
    Name(#[from] promptls_workspace::UnusableName),
    /// A tool with invalid syntax.
    #[cfg(feature = "templates")]
    #[error(
        "invalid tool `{0}`; write it as `name(parameter: type, optional?: type): what it does`"
    )]
    NoTool(String),
    /// A template that is unknown, or that cannot be read.
    #[cfg(feature = "templates")]
    #[error(transparent)]
    Template(#[from] promptls_workspace::UnusableTemplate),
    /// A prompt that cannot be built.
    #[cfg(feature = "templates")]
    #[error(transparent)]
    Build(#[from] promptls_builder::BuildError),
    /// This program is built without stores.
    #[cfg(not(feature = "stores"))]
    #[error("this promptls was built without stores; build it with `--features stores`")]
    NoStores,
    /// An error of a store.
    #[cfg(feature = "stores")]
    #[error(transparent)]
    Store(#[from] crate::stores::StoreFailure),
    /// A question without an answer.
    #[cfg(feature = "templates")]
    #[error("cannot read answers from this terminal: {0}")]
    Interview(#[from] inquire::InquireError),
    /// A file that is no baseline.
    #[error(
        "{} cannot be used as a baseline: {reason}; promptls check --write-baseline writes one", path.display()
    )]
    Baseline {
        /// The file, as the user wrote it.
        path: PathBuf,
        reason: String,
    },
    /// A file instead of a folder, for the settings of folders.
    #[error("{0} is a file; `promptls config --show {0}` prints its settings")]
    ShowsFolders(String),
    /// No prompts in the files and folders of the command line.
    #[error("no prompts found; a prompt ends in .prompt, or a rule in promptls.toml names it")]
    NoPromptsThere,
    /// A file that is no price table.
    #[error(
        "{} cannot be used as a table of prices: {reason}; write `\"gpt-4o\" = 2.50` for a million tokens", path.display()
    )]
    Prices {
        /// The file, as the user wrote it.
        path: PathBuf,
        reason: String,
    },
    /// Nothing to compare a prompt with.
    #[error(
        "name a prompt and two of its cases (`--case a --case b`), or a revision (`--rev main..`)"
    )]
    WhatToCompare,
    /// Two cases with a revision.
    #[error("with --rev, each case is compared with itself; name one case at most")]
    OneCaseWithRevision,
    /// Invalid inputs of a case.
    #[error("case {0} cannot be compared")]
    UnusableCase(String),
    /// No prompts at either of two revisions.
    #[error("no prompts found under {places}, neither now nor in {revision}")]
    NothingToCompare {
        /// The folders, as the user wrote them.
        places: String,
        /// The older revision, as users name it.
        revision: String,
    },
    /// No text with the given names.
    #[error("there is no such prompt{}{}", named(" called", task), named(" with a case", case))]
    NoSuchText {
        /// The name of the prompt in a pack.
        task: Option<String>,
        /// The name of the case.
        case: Option<String>,
    },
    /// Something in a commit cannot be read.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// A named file that does not exist in the commit.
    #[error("{0}; if it was renamed, compare its folder, which finds it by its text")]
    NotThereThen(CommitError),
    /// Two paths without a common repository.
    #[error("{0} is in another repository than the paths before it; compare them separately")]
    OtherRepository(String),
    /// A file that cannot be written.
    #[error("cannot write {path}: {source}{}", force_hint(source))]
    NotWritten {
        /// The file, as the user would write it.
        path: String,
        source: WriteError,
    },
    /// Output files that exist already.
    #[error("{0} already exists; overwrite it with --force, or choose another name with -o")]
    AlreadyThere(String),
    /// An inputs or variables file that does not parse.
    #[error("{0} cannot be read; fix it first")]
    NotReadNow(String),
    /// A prompt that cannot be converted, for a reason without a place.
    #[error("{0}")]
    NotConverted(String),
    /// A config to which no ignore can be added.
    #[error("no `[[ignore]]` can be added to {0}; fix its errors first")]
    CannotAddIgnores(String),
    /// A pipe or a device with an option that writes files or reads them again.
    #[error(
        "{0} is not a regular file: --fix and --watch are not possible; \
         `promptls check - --stdin-filename PROMPT --fix` prints the fixed text"
    )]
    ReadOnce(String),
    /// Standard input without a file name.
    #[error("standard input needs a name; add --stdin-filename FILE")]
    StdinWithoutName,
    /// A table whose rows cannot be read completely.
    #[error("{file}: {reason}")]
    Rows {
        /// The table, as the user wrote it.
        file: String,
        reason: String,
    },
    /// A format for one text, with several.
    #[error(
        "--format {format} is for one text; {with} prints jsonl or messages, --rows also parquet"
    )]
    FormatOfMany {
        /// The format of the command line.
        format: String,
        /// The option that requires more than one text.
        with: &'static str,
    },
    /// A format for rows, without rows.
    #[error("--format {0} is for rows; add --rows FILE, or --all-cases for jsonl")]
    FormatOfOne(String),
    /// A column that would be duplicate.
    #[cfg(feature = "parquet")]
    #[error("column `{name}` already exists; rename the new one with {option} NAME")]
    ColumnIsThere {
        /// The name of the column.
        name: String,
        /// The option that renames it.
        option: &'static str,
    },
    /// This program is built without Parquet.
    #[cfg(not(feature = "parquet"))]
    #[error("this promptls was built without Parquet; build it with `--features parquet`")]
    NoParquet,
    /// Standard input together with files.
    #[error("standard input is checked alone; do not name other files")]
    StdinAlone,
    /// An invalid glob of `--exclude`, with the reason.
    #[error("{0}")]
    Exclude(String),
    /// Standard input, which cannot be followed.
    #[error("a prompt from standard input cannot be followed; name a file")]
    NotFollowed,
    /// The page cannot be served.
    #[error("{0}")]
    NotServed(String),
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[from] io::Error),
}

/// A hint at the option that replaces protected files.
fn force_hint(error: &WriteError) -> &'static str {
    match error {
        WriteError::ReadOnly => "; --force replaces it",
        WriteError::HardLinks(_) => "; --force replaces this one, and the others stay unchanged",
        _ => "",
    }
}

/// `` called `name` ``, or nothing without a name.
fn named(what: &str, name: &Option<String>) -> String {
    name.as_deref().map(|name| format!("{what} `{name}`")).unwrap_or_default()
}
