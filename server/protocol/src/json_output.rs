//! What `--format json` prints. Files are paths, and places have bytes as well.

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use crate::chat::ChatMessage;
use crate::compare::{ComparedPart, ComparedText};
use crate::engine_error::{EngineError, ErrorKind};
use crate::preview::RunKind;
use crate::problem::Severity;
use crate::size::PlaceholderSize;
use crate::via::Via;

/// What became of a prompt: `promptls resolve --format json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ResolveOutput {
    /// The id of the dialect it was read as.
    pub dialect: &'static str,
    /// The engine that it is resolved for, where one is named: `adk-python@2.13`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// The case; `null` where there is none.
    pub case: Option<String>,
    /// What the engine sends; where it would fail, what could be resolved, the rest as written.
    pub text: String,
    /// What the engine would say instead.
    pub error: Option<EngineError>,
    /// What is wrong.
    pub problems: Vec<FileProblem>,
    /// Where each byte of the text came from.
    pub map: Vec<FileRun>,
    /// The root names that the prompt uses, sorted.
    pub names: Vec<String>,
}

/// What became of a row, or of a case: a line of `promptls resolve --rows` and `--all-cases`.
///
/// There is one of `text`, `messages` and `error`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct RowOutput {
    /// Which row, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub row: Option<u64>,
    /// Which case.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub case: Option<String>,
    /// What the engine sends.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub text: Option<String>,
    /// The same as chat messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub messages: Option<Vec<ChatMessage>>,
    /// Why there is nothing to send.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub error: Option<RowError>,
}

/// Why nothing is sent for a row.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct RowError {
    /// What goes wrong in the engine; `null` if the row cannot be read.
    pub kind: Option<ErrorKind>,
    /// The names it is about, in the engine's order.
    pub names: Vec<String>,
    /// In the engine's words where they are known.
    pub message: String,
}

/// The names that a prompt uses: `promptls vars --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct VarsOutput {
    /// The id of the dialect it was read as.
    pub dialect: &'static str,
    /// The engine that it is resolved for, where one is named: `adk-python@2.13`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// First names, sorted.
    pub variables: Vec<UsedVariable>,
}

/// A first name that a prompt uses, or that is declared for it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct UsedVariable {
    /// The name.
    pub name: String,
    /// Whether the text lacks something without a value, or the name is declared as required.
    pub required: bool,
    /// The type of its values; left out where none is declared.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub declared_type: Option<&'static str>,
    /// What it is for; left out where nothing is declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub description: Option<String>,
    /// Where it is written in the prompt and in its fragments; nowhere if it is only declared.
    pub uses: Vec<FilePlace>,
}

/// A stretch of one of the files.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FilePlace {
    /// The file.
    pub file: String,
    /// Where in the file.
    pub range: FileRange,
}

/// The version of [`CheckOutput`].
pub const CHECK_OUTPUT_VERSION: u32 = 1;

/// What is wrong with some prompts: `promptls check --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct CheckOutput {
    /// [`CHECK_OUTPUT_VERSION`]: grows when a field goes, or means something else.
    pub version: u32,
    /// By file and place.
    pub problems: Vec<FileProblem>,
    /// How many.
    pub summary: CheckSummary,
}

/// The version of [`CheckLine`].
pub const CHECK_LINE_VERSION: u32 = 1;

/// One problem: a line of `promptls check --format jsonl`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct CheckLine {
    /// [`CHECK_LINE_VERSION`]: grows when a field goes, or means something else.
    pub version: u32,
    /// The problem.
    #[serde(flatten)]
    pub problem: FileProblem,
}

/// How much was found.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct CheckSummary {
    /// Prompts that were read and checked.
    pub prompts: usize,
    /// Files that could not be read, or not all of them: each has a problem that says why. Folders
    /// and named files that could not be read have a line on stderr, and count, too.
    pub unread: usize,
    /// Problems that are errors.
    pub errors: usize,
    /// Problems that are warnings.
    pub warnings: usize,
    /// Problems that are good to know.
    pub infos: usize,
    /// Problems that are hardly worth a line.
    pub hints: usize,
}

/// Which files are prompts: `promptls check --list --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ListOutput {
    /// By file.
    pub prompts: Vec<ListedPrompt>,
}

/// A prompt, and why it is one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ListedPrompt {
    /// The file.
    pub file: String,
    /// What it is called there; left out where the file is the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Why the file is one.
    pub by: ListedBy,
    /// The rule that counts for it; left out where none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<ListedRule>,
    /// The dialect that it is read in.
    pub dialect: &'static str,
    /// The engine that it is resolved for, where one is named: `adk-python@2.13`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// Whether nobody said that dialect.
    pub is_guessed: bool,
    /// The names of its cases.
    pub cases: Vec<String>,
}

/// Why a file is a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum ListedBy {
    /// A rule names it.
    Rule,
    /// It is called like one.
    Name,
    /// What stands in it.
    Content,
    /// The command line says so.
    Force,
}

/// A rule of a `promptls.toml`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ListedRule {
    /// The file.
    pub file: String,
    /// Which of its rules, from 1.
    pub number: usize,
}

/// The version of [`DiffOutput`].
pub const DIFF_OUTPUT_VERSION: u32 = 1;

/// What a model gets otherwise: `promptls diff --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct DiffOutput {
    /// [`DIFF_OUTPUT_VERSION`]: grows when a field goes, or means something else.
    pub version: u32,
    /// Since when; left out where cases are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub from: Option<String>,
    /// Until when; left out for files as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub to: Option<String>,
    /// How many texts were compared.
    pub compared: usize,
    /// Those that are not the same, by file.
    pub differences: Vec<Difference>,
}

/// A text that is another one, or that is only on one side.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Difference {
    /// The file of the prompt.
    pub file: String,
    /// Where it was before it moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub moved_from: Option<String>,
    /// What it is called in its file; left out where the file is the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub task: Option<String>,
    /// What became of it.
    pub kind: DifferenceKind,
    /// The older one; `null` where there was none.
    pub left: Option<ComparedText>,
    /// The newer one; `null` where there is none.
    pub right: Option<ComparedText>,
    /// What is different, in bytes of the texts; nothing where one of them is missing.
    pub parts: Vec<ComparedPart>,
    /// Words that only the left text has there.
    pub removed_words: usize,
    /// Words that only the right text has there.
    pub added_words: usize,
    /// Tokens of the left text.
    pub left_tokens: usize,
    /// Tokens of the right text.
    pub right_tokens: usize,
}

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum DifferenceKind {
    /// It is another one.
    Changed,
    /// It came.
    Added,
    /// It went.
    Removed,
}

/// The prompts that are there: `promptls prompts --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
#[serde(transparent)]
pub struct PromptsOutput(
    /// By file, in the order in which they are written.
    pub Vec<FoundPrompt>,
);

/// A prompt, and where it is written. All offsets are in bytes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FoundPrompt {
    /// The file.
    pub file: String,
    /// What it is called in its file; `null` where the file is the prompt.
    pub name: Option<String>,
    /// The id of the dialect that it is read as.
    pub dialect: &'static str,
    /// The engine that it is resolved for, where one is named, or follows from the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// The language of the file; `prompt` where the file is the prompt.
    pub language: &'static str,
    /// Why it is one: a place of a framework, a mark, a rule, a name.
    pub why: String,
    /// From the first byte of it in the file to the last.
    pub range: (usize, usize),
    /// The text.
    pub text: String,
    /// Runs of the text: from and to there, from and to in the file.
    pub map: Vec<(usize, usize, usize, usize)>,
    /// The parts of the text that only the running program knows; each is U+FFFC there.
    pub holes: Vec<(usize, usize)>,
}

/// The version of [`StatsOutput`].
pub const STATS_OUTPUT_VERSION: u32 = 1;

/// How large prompts are: `promptls stats --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct StatsOutput {
    /// [`STATS_OUTPUT_VERSION`]: grows when a field goes, or means something else.
    pub version: u32,
    /// By file, each prompt in each of its cases.
    pub texts: Vec<TextStats>,
}

/// How large a text is that a prompt becomes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TextStats {
    /// The file of the prompt.
    pub file: String,
    /// What it is called in its file; left out where the file is the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub task: Option<String>,
    /// The case; `null` without any inputs.
    pub case: Option<String>,
    /// Which tokens were counted: for models that have others, the numbers are estimates.
    pub encoding: &'static str,
    /// Whether the engine would fail: then it is what could be resolved.
    pub fails: bool,
    /// Unicode's, of all of it.
    pub characters: usize,
    /// Of all of it.
    pub tokens: usize,
    /// Unicode's, of the prompt itself.
    pub literal_characters: usize,
    /// Of the prompt itself.
    pub literal_tokens: usize,
    /// At the start, what is the same in all cases.
    pub prefix_tokens: usize,
    /// What placeholders bring, the largest first.
    pub placeholders: Vec<PlaceholderSize>,
    /// What sending it once costs, by the models of the table of prices; empty without one.
    pub costs: BTreeMap<String, f64>,
}

/// The version of [`GraphOutput`].
pub const GRAPH_OUTPUT_VERSION: u32 = 1;

/// Who reads what: `promptls graph --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct GraphOutput {
    /// [`GRAPH_OUTPUT_VERSION`]: grows when a field goes, or means something else.
    pub version: u32,
    /// By kind and file.
    pub nodes: Vec<GraphNode>,
    /// By who reads.
    pub edges: Vec<GraphEdge>,
}

/// A prompt, or something that prompts read.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct GraphNode {
    /// What it is.
    pub kind: NodeKind,
    /// The file that it is, or stands in.
    pub file: String,
    /// What it is called in its file; left out where it is the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
}

/// What reads or is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum NodeKind {
    /// A prompt.
    Prompt,
    /// The inputs of a case.
    Inputs,
    /// Declarations.
    Variables,
    /// A fragment of them.
    Fragment,
    /// A text that is a value of inputs, by `$file`.
    Text,
    /// A `promptls.toml`.
    Config,
}

/// That one reads the other.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct GraphEdge {
    /// Who reads: a position in the nodes.
    pub from: usize,
    /// What is read: a position in the nodes.
    pub to: usize,
    /// The case that it is; left out where it is not inputs of a prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub case: Option<String>,
}

/// The version of [`ConfigOutput`].
pub const CONFIG_OUTPUT_VERSION: u32 = 1;

/// The settings that count: `promptls config --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ConfigOutput {
    /// [`CONFIG_OUTPUT_VERSION`]: grows when a field goes, or means something else.
    pub version: u32,
    /// Each once, but for those of rules and ignores.
    pub settings: Vec<Setting>,
}

/// A setting, and where it comes from.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Setting {
    /// What it is called.
    pub name: String,
    /// What it is; `null` for nothing.
    pub value: serde_json::Value,
    /// Where it comes from.
    pub from: Origin,
}

/// Where a setting comes from.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Origin {
    /// Of which kind that is.
    pub kind: OriginKind,
    /// The `promptls.toml`; left out for the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub file: Option<String>,
    /// The line in that file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub line: Option<usize>,
}

/// Of which kind the origin of a setting is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum OriginKind {
    /// A line of a `promptls.toml`.
    Config,
    /// What the prompt is called.
    Name,
    /// What stands in it.
    Content,
    /// A file that lies beside it.
    Beside,
    /// Nobody says anything else.
    Default,
}

/// A problem of a prompt or of a file that belongs to it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FileProblem {
    /// Its code, as `promptls explain` takes it.
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// One sentence.
    pub message: String,
    /// The names it is about.
    pub names: Vec<String>,
    /// The file.
    pub file: String,
    /// The prompt in the file; left out where the file is the prompt, and for the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub prompt: Option<String>,
    /// Where in the file.
    pub range: FileRange,
    /// Other places that belong to it.
    pub related: Vec<FileRelatedInformation>,
}

/// A place that helps to understand a problem.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FileRelatedInformation {
    /// The file.
    pub file: String,
    /// Where in the file.
    pub range: FileRange,
    /// What is to be seen there.
    pub message: String,
}

/// A stretch of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FileRange {
    /// Its first character.
    pub start: FilePosition,
    /// The one behind its last.
    pub end: FilePosition,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FilePosition {
    /// From 0.
    pub line: usize,
    /// From 0, in characters.
    pub character: usize,
    /// From the start of the file, from 0.
    pub byte: usize,
}

/// A piece of the text that has one origin, in bytes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FileRun {
    /// The bytes of the text.
    pub output: [usize; 2],
    /// What it is; neither `missing` nor `runtime`, which only previews tell.
    pub kind: RunKind,
    /// The bytes of the prompt.
    pub source: [usize; 2],
    /// The name or path of the placeholder.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub path: Option<String>,
    /// The file in which the value is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub file: Option<String>,
    /// The bytes of that file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub value: Option<[usize; 2]>,
    /// The fragments and loops that it came through, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<Via>,
    /// What a mixed piece was built from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<FileRun>,
}
