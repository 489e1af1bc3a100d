//! Why a command could not do its work.

use std::io;
use std::path::PathBuf;

use promptls_workspace::{CommitError, NoSuchPrompt, ReadError};
use promptls_writer::WriteError;

/// What ends a command before it has an answer.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The prompt cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There are cases, but none of this name.
    #[error("{prompt} has no case `{case}`, only {known}{hint}")]
    UnknownCase {
        /// The prompt, as the user wrote it.
        prompt: String,
        /// What was asked for.
        case: String,
        /// What may have been meant.
        hint: String,
        /// The cases there are.
        known: String,
    },
    /// There are no cases at all.
    #[error(
        "{prompt} has no case `{case}`: it has no inputs file; one beside it is found by its name, or add --inputs"
    )]
    NoCases {
        /// The prompt, as the user wrote it.
        prompt: String,
        /// What was asked for.
        case: String,
    },
    /// A file does not have the prompt that was asked for.
    #[error(transparent)]
    NoSuchPrompt(#[from] NoSuchPrompt),
    /// There is no problem of this code.
    #[error("unknown problem code `{code}`{hint}")]
    UnknownCode {
        /// What was asked for.
        code: String,
        /// The code that is near, or those that there are.
        hint: String,
    },
    /// There is no engine of this name, or no such version.
    #[error("{0}")]
    Engine(String),
    /// There is no schema of this name.
    #[error("there is no schema `{name}` among those that `promptls schema` lists{hint}")]
    UnknownSchema {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// The folder that paths are relative to is gone.
    #[error("cannot tell the current folder: {0}")]
    CurrentFolder(io::Error),
    /// A file where a folder is asked for.
    #[error("{0} is a file; name the folder to look through")]
    NotAFolder(String),
    /// Configs that cannot be read, or hold what is unknown: a line for each problem.
    #[error("{}", .0.join("\npromptls: "))]
    UnreadConfig(Vec<String>),
    /// A config whose rules are written in one line.
    #[error(
        "{path} has `prompts = […]`; write its rules as `[[prompts]]`, then these can be added:\n\n{rules}"
    )]
    CannotAddRules {
        /// The config.
        path: String,
        /// What would be added.
        rules: String,
    },
    /// A language that prompts are not written in.
    #[cfg(feature = "templates")]
    #[error("there are no texts in the language `{tag}`, only in {known}{hint}")]
    UnknownLanguage {
        /// What was asked for.
        tag: String,
        /// What may have been meant.
        hint: String,
        /// The languages there are.
        known: String,
    },
    /// A new prompt without anything in it.
    #[cfg(feature = "templates")]
    #[error(
        "name a template, or say something about the prompt; `promptls new --list` shows the templates, `promptls new --help` all that can be said"
    )]
    NothingSaid,
    /// A new prompt, and nothing says what it is written in.
    #[cfg(feature = "templates")]
    #[error("which dialect is it for? add --dialect, one of: {known}")]
    WhichDialect {
        /// The dialects there are.
        known: String,
    },
    /// A file that a new prompt cannot be written to.
    #[cfg(feature = "templates")]
    #[error(transparent)]
    Name(#[from] promptls_workspace::UnusableName),
    /// A tool that is not written as one.
    #[cfg(feature = "templates")]
    #[error("`{0}` is no tool; write it as `name(parameter: type, optional?: type): what it does`")]
    NoTool(String),
    /// A template that cannot be used.
    #[cfg(feature = "templates")]
    #[error(transparent)]
    Template(#[from] promptls_workspace::UnusableTemplate),
    /// A prompt that cannot be written.
    #[cfg(feature = "templates")]
    #[error(transparent)]
    Build(#[from] promptls_builder::BuildError),
    /// This program uses no network.
    #[cfg(not(feature = "stores"))]
    #[error("this promptls was built without stores; build it with `--features stores`")]
    NoStores,
    /// Nothing comes of a store.
    #[cfg(feature = "stores")]
    #[error(transparent)]
    Store(#[from] crate::stores::StoreFailure),
    /// Nobody answers.
    #[cfg(feature = "templates")]
    #[error("cannot ask on this terminal: {0}")]
    Asking(#[from] inquire::InquireError),
    /// A file that is no baseline.
    #[error(
        "{} cannot be used as a baseline: {reason}; promptls check --write-baseline writes one", path.display()
    )]
    Baseline {
        /// The file, as the user wrote it.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A file where settings of folders are shown.
    #[error("{0} is a file; `promptls config --show {0}` prints its settings")]
    ShowsFolders(String),
    /// Nothing is a prompt of what was looked through.
    #[error("no prompts found; a prompt ends in .prompt, or a rule in promptls.toml names it")]
    NoPromptsThere,
    /// A file that is no table of prices.
    #[error(
        "{} cannot be used as a table of prices: {reason}; write `\"gpt-4o\" = 2.50` for a million tokens", path.display()
    )]
    Prices {
        /// The file, as the user wrote it.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Nothing says what a prompt is to be compared with.
    #[error(
        "name a prompt and two of its cases (`--case a --case b`), or say since when (`--rev main..`)"
    )]
    WhatToCompare,
    /// Two cases, and a revision.
    #[error("with --rev, each case is compared with itself; name one case at most")]
    OneCaseWithRevision,
    /// The inputs of a case are broken.
    #[error("case {0} cannot be compared")]
    UnusableCase(String),
    /// There are no prompts at any of two times.
    #[error("no prompts found under {places}, neither now nor in {revision}")]
    NothingToCompare {
        /// The folders, as the user wrote them.
        places: String,
        /// The older of the two times, in words.
        revision: String,
    },
    /// No text was asked for by the names that it has.
    #[error("there is no such prompt{}{}", named(" called", task), named(" with a case", case))]
    NoSuchText {
        /// The prompt of a pack that was asked for.
        task: Option<String>,
        /// The case that was asked for.
        case: Option<String>,
    },
    /// Something of a commit cannot be had.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// A named file came later than the commit.
    #[error("{0}; if it was renamed, compare its folder, where it is found by its text")]
    NotThereThen(CommitError),
    /// Two paths, and no history that has both.
    #[error(
        "{0} is in another repository than what is named before it; compare one after the other"
    )]
    OtherRepository(String),
    /// A file that cannot be written.
    #[error("cannot write {path}: {source}{}", force_hint(source))]
    NotWritten {
        /// The file, as the user would write it.
        path: String,
        /// The reason.
        source: WriteError,
    },
    /// Files that would be written, and are there.
    #[error("{0} is there already; --force overwrites, or choose another name with -o")]
    AlreadyThere(String),
    /// An inputs or variables file that does not parse.
    #[error("{0} cannot be read as it is; mend it first")]
    NotReadNow(String),
    /// A prompt that cannot be said in another dialect, for a reason without a place.
    #[error("{0}")]
    NotConverted(String),
    /// A config that no ignore can be added to.
    #[error("no `[[ignore]]` can be added to {0} as it is written; mend it first")]
    CannotAddIgnores(String),
    /// A text on standard input that is to be checked as no file.
    #[error("what is on standard input needs a name: add --stdin-filename FILE")]
    StdinWithoutName,
    /// A table that no rows can be read from, or not all.
    #[error("{file}: {reason}")]
    Rows {
        /// The table, as the user wrote it.
        file: String,
        /// Why not.
        reason: String,
    },
    /// A format in which there is one text.
    #[error(
        "--format {format} is for one text; {with} prints jsonl or messages, --rows also parquet"
    )]
    FormatOfMany {
        /// What was asked for.
        format: String,
        /// What asks for more than one.
        with: &'static str,
    },
    /// A format for rows, and no rows.
    #[error("--format {0} is for rows; add --rows FILE, or --all-cases for jsonl")]
    FormatOfOne(String),
    /// A column that would be there twice.
    #[cfg(feature = "parquet")]
    #[error("there is a column `{name}` already; {option} NAME calls the new one something else")]
    ColumnIsThere {
        /// What it is called.
        name: String,
        /// What gives it another name.
        option: &'static str,
    },
    /// This program reads and writes no Parquet.
    #[cfg(not(feature = "parquet"))]
    #[error("this promptls was built without Parquet; build it with `--features parquet`")]
    NoParquet,
    /// Files beside it.
    #[error("what is on standard input is checked alone; name no files beside it")]
    StdinAlone,
    /// A glob that is none.
    #[error("{0}")]
    Exclude(String),
    /// A prompt from standard input that is to be followed.
    #[error("a prompt from standard input cannot be followed; name a file")]
    NotFollowed,
    /// The page cannot be offered.
    #[error("{0}")]
    NotServed(String),
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[from] io::Error),
}

/// The option that writes a file which is otherwise kept.
fn force_hint(error: &WriteError) -> &'static str {
    match error {
        WriteError::ReadOnly => "; --force replaces it",
        WriteError::HardLinks(_) => "; --force replaces this one, and the others stay unchanged",
        _ => "",
    }
}

/// `` called `name` ``, if there is a name.
fn named(what: &str, name: &Option<String>) -> String {
    name.as_deref().map(|name| format!("{what} `{name}`")).unwrap_or_default()
}
