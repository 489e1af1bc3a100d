//! The output of `--format json`. Files are paths, and positions include byte offsets.

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

/// A resolved prompt: `promptls resolve --format json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ResolveOutput {
    /// The id of the dialect that it is parsed as.
    pub dialect: &'static str,
    /// The engine that it is resolved for, such as `adk-python@2.13`; omitted if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// The case; `null` without any inputs.
    pub case: Option<String>,
    /// The text that the engine sends. If the engine would fail, parts that cannot be resolved are
    /// unchanged.
    pub text: String,
    /// The error that the engine raises instead.
    pub error: Option<EngineError>,
    /// The problems of the prompt and its related files.
    pub problems: Vec<FileProblem>,
    /// The source of each byte of the text.
    pub map: Vec<FileRun>,
    /// The root names that the prompt uses, sorted.
    pub names: Vec<String>,
}

/// A resolved row or case: a line of `promptls resolve --rows` and `--all-cases`.
///
/// Exactly one of `text`, `messages` and `error` is present.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct RowOutput {
    /// The number of the row, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub row: Option<u64>,
    /// The name of the case.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub case: Option<String>,
    /// The text that the engine sends.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub text: Option<String>,
    /// The same as chat messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub messages: Option<Vec<ChatMessage>>,
    /// The reason why nothing is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub error: Option<RowError>,
}

/// The reason why nothing is sent for a row.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct RowError {
    /// The kind of failure in the engine; `null` if the row cannot be read.
    pub kind: Option<ErrorKind>,
    /// The affected names, in the engine's order.
    pub names: Vec<String>,
    /// The message of the engine, where it is known.
    pub message: String,
}

/// The names that a prompt uses: `promptls vars --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct VarsOutput {
    /// The id of the dialect that it is parsed as.
    pub dialect: &'static str,
    /// The engine that it is resolved for, such as `adk-python@2.13`; omitted if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// The first names of paths, sorted.
    pub variables: Vec<UsedVariable>,
}

/// The first name of a path that a prompt uses, or that is declared for it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct UsedVariable {
    /// The name, without the rest of its path.
    pub name: String,
    /// The text is incomplete without a value, or the name is declared as required.
    pub required: bool,
    /// The type of its values; omitted if none is declared.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub declared_type: Option<&'static str>,
    /// Its description; omitted if none is declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub description: Option<String>,
    /// Its uses in the prompt and its fragments; empty if it is only declared.
    pub uses: Vec<FilePlace>,
}

/// A range of one of the files.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FilePlace {
    /// The path of the file.
    pub file: String,
    /// The range in the file.
    pub range: FileRange,
}

/// The present value of [`CheckOutput::version`]; additions do not increase it.
pub const CHECK_OUTPUT_VERSION: u32 = 1;

/// The problems of some prompts: `promptls check --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct CheckOutput {
    /// [`CHECK_OUTPUT_VERSION`]: increased when a field is removed or changes its meaning.
    pub version: u32,
    /// The problems, sorted by file and position.
    pub problems: Vec<FileProblem>,
    /// The numbers of prompts and problems.
    pub summary: CheckSummary,
}

/// The present value of [`CheckLine::version`]; additions do not increase it.
pub const CHECK_LINE_VERSION: u32 = 1;

/// One problem: a line of `promptls check --format jsonl`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct CheckLine {
    /// [`CHECK_LINE_VERSION`]: increased when a field is removed or changes its meaning.
    pub version: u32,
    /// The fields of the problem itself.
    #[serde(flatten)]
    pub problem: FileProblem,
}

/// The numbers of prompts and problems.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct CheckSummary {
    /// Prompts that were read and checked.
    pub prompts: usize,
    /// Files that could not be read completely. Each has a problem with the reason. Also includes
    /// folders and named files that could not be read; these are reported on stderr.
    pub unread: usize,
    /// Prompts that were found and whose text only the running program has, so that they were not
    /// checked. Each has a problem with the code `computed-prompt`.
    pub computed: usize,
    /// The number of problems with severity `error`.
    pub errors: usize,
    /// The number of problems with severity `warning`.
    pub warnings: usize,
    /// The number of problems with severity `info`.
    pub infos: usize,
    /// The number of problems with severity `hint`.
    pub hints: usize,
}

/// The files that are prompts: `promptls check --list --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ListOutput {
    /// The prompts, sorted by file.
    pub prompts: Vec<ListedPrompt>,
}

/// A prompt, and the reason why it is one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ListedPrompt {
    /// The path of the file.
    pub file: String,
    /// Its name in the file; omitted if the file is a single prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The reason why the file is a prompt.
    pub by: ListedBy,
    /// The rule that applies to it; omitted if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<ListedRule>,
    /// The id of the dialect that it is parsed as.
    pub dialect: &'static str,
    /// The engine that it is resolved for, such as `adk-python@2.13`; omitted if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// The dialect was detected, because nothing names it.
    pub is_guessed: bool,
    /// The names of its cases.
    pub cases: Vec<String>,
}

/// The reason why a file is a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum ListedBy {
    /// A rule names the file.
    Rule,
    /// The file name is that of a prompt.
    Name,
    /// The content is that of a prompt.
    Content,
    /// The command line names it as a prompt.
    Force,
}

/// A rule of a `promptls.toml`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ListedRule {
    /// The path of the `promptls.toml`.
    pub file: String,
    /// The number of the rule in that file, from 1.
    pub number: usize,
}

/// The present value of [`DiffOutput::version`]; additions do not increase it.
pub const DIFF_OUTPUT_VERSION: u32 = 1;

/// The changes in texts that models receive: `promptls diff --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct DiffOutput {
    /// [`DIFF_OUTPUT_VERSION`]: increased when a field is removed or changes its meaning.
    pub version: u32,
    /// The older revision; omitted if cases are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub from: Option<String>,
    /// The newer revision; omitted for the present files.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub to: Option<String>,
    /// The number of compared texts.
    pub compared: usize,
    /// The texts that differ, sorted by file.
    pub differences: Vec<Difference>,
}

/// A text that differs, or exists only on one side.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Difference {
    /// The path of the prompt's file.
    pub file: String,
    /// Its previous path, if it was moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub moved_from: Option<String>,
    /// Its name in the file; omitted if the file is a single prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub task: Option<String>,
    /// The kind of change: a different, a new or a removed text.
    pub kind: DifferenceKind,
    /// The older text; `null` if there was none.
    pub left: Option<ComparedText>,
    /// The newer text; `null` if there is none.
    pub right: Option<ComparedText>,
    /// The parts of both texts, in bytes; empty if one of them is missing.
    pub parts: Vec<ComparedPart>,
    /// The number of words only in the left text.
    pub removed_words: usize,
    /// The number of words only in the right text.
    pub added_words: usize,
    /// The number of tokens in the left text.
    pub left_tokens: usize,
    /// The number of tokens in the right text.
    pub right_tokens: usize,
}

/// The kind of change of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum DifferenceKind {
    /// Both sides have the text, and it differs.
    Changed,
    /// Only the right side has the text.
    Added,
    /// Only the left side has the text.
    Removed,
}

/// The prompts in some files: `promptls prompts --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
#[serde(transparent)]
pub struct PromptsOutput(
    /// The prompts, sorted by file and in the order of the file; then those that are not read.
    pub Vec<PromptEntry>,
);

/// A prompt, or a place whose prompt is not read.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
#[serde(untagged)]
pub enum PromptEntry {
    /// A prompt with its text.
    Found(FoundPrompt),
    /// A prompt whose text only the running program has.
    Unread(UnreadPrompt),
}

/// A prompt whose text only the running program has. All offsets are in bytes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct UnreadPrompt {
    /// The path of the file.
    pub file: String,
    /// The start and the exclusive end of its place in the file.
    pub range: (usize, usize),
    /// The reason why it is not read.
    pub unread: String,
}

/// A prompt and its source. All offsets are in bytes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FoundPrompt {
    /// The path of the file.
    pub file: String,
    /// Its name in the file; `null` if the file is a single prompt.
    pub name: Option<String>,
    /// The id of the dialect that it is parsed as.
    pub dialect: &'static str,
    /// The engine that it is resolved for; omitted if none is named or follows from the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// The language of the file; `prompt` if the file is a single prompt.
    pub language: &'static str,
    /// The reason why it is a prompt: an API of a framework, a mark, a rule, a name.
    pub why: String,
    /// The start and the exclusive end of the prompt in the file.
    pub range: (usize, usize),
    /// The text of the prompt, without escapes of the file.
    pub text: String,
    /// Runs of the text: start and end in the text, start and end in the file.
    pub map: Vec<(usize, usize, usize, usize)>,
    /// The parts of the text that are known only at run time; each is U+FFFC in the text.
    pub holes: Vec<(usize, usize)>,
}

/// The present value of [`StatsOutput::version`]; additions do not increase it.
pub const STATS_OUTPUT_VERSION: u32 = 1;

/// The sizes of prompts: `promptls stats --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct StatsOutput {
    /// [`STATS_OUTPUT_VERSION`]: increased when a field is removed or changes its meaning.
    pub version: u32,
    /// Each prompt in each of its cases, sorted by file.
    pub texts: Vec<TextStats>,
}

/// The size of a resolved text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TextStats {
    /// The path of the prompt's file.
    pub file: String,
    /// Its name in the file; omitted if the file is a single prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub task: Option<String>,
    /// The case; `null` without any inputs.
    pub case: Option<String>,
    /// The token encoding. For models with another one, the numbers are estimates.
    pub encoding: &'static str,
    /// The engine would fail; the text then contains unresolved parts.
    pub fails: bool,
    /// The number of Unicode characters in the whole text.
    pub characters: usize,
    /// The number of tokens in the whole text.
    pub tokens: usize,
    /// The number of Unicode characters from the prompt itself.
    pub literal_characters: usize,
    /// The number of tokens from the prompt itself.
    pub literal_tokens: usize,
    /// The number of tokens at the start that are the same in all cases.
    pub prefix_tokens: usize,
    /// The contributions of placeholders, largest first.
    pub placeholders: Vec<PlaceholderSize>,
    /// The cost of sending it once, by the models of the price table; empty without a table.
    pub costs: BTreeMap<String, f64>,
}

/// The present value of [`GraphOutput::version`]; additions do not increase it.
pub const GRAPH_OUTPUT_VERSION: u32 = 1;

/// The dependencies between prompts and files: `promptls graph --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct GraphOutput {
    /// [`GRAPH_OUTPUT_VERSION`]: increased when a field is removed or changes its meaning.
    pub version: u32,
    /// The nodes, sorted by kind and file.
    pub nodes: Vec<GraphNode>,
    /// The edges, sorted by the node that reads.
    pub edges: Vec<GraphEdge>,
}

/// A prompt, or something that prompts read.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct GraphNode {
    /// The kind of the node.
    pub kind: NodeKind,
    /// The path of its file.
    pub file: String,
    /// Its name in the file; omitted if it is the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum NodeKind {
    /// A file or string that is a prompt.
    Prompt,
    /// The inputs of a case.
    Inputs,
    /// A file that declares the variables of prompts.
    Variables,
    /// A fragment in the declarations.
    Fragment,
    /// A text that is a value of inputs, by `$file`.
    Text,
    /// A `promptls.toml` file that applies to a prompt.
    Config,
    /// A file of code or data that sets names which prompts read.
    Code,
}

/// A dependency: one node reads another.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct GraphEdge {
    /// The node that reads, by its index.
    pub from: usize,
    /// The node that is read, by its index.
    pub to: usize,
    /// The case, if the edge is from a prompt to its inputs; otherwise omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub case: Option<String>,
    /// The placeholder, if the edge is from a prompt to the agent or the code that sets its value;
    /// otherwise omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
}

/// The present value of [`ConfigOutput::version`]; additions do not increase it.
pub const CONFIG_OUTPUT_VERSION: u32 = 1;

/// The effective settings: `promptls config --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ConfigOutput {
    /// [`CONFIG_OUTPUT_VERSION`]: increased when a field is removed or changes its meaning.
    pub version: u32,
    /// Each setting once, except those of rules and ignores.
    pub settings: Vec<Setting>,
}

/// A setting and its origin.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Setting {
    /// The name of the setting.
    pub name: String,
    /// The value; `null` if there is none.
    pub value: serde_json::Value,
    /// The origin of the value.
    pub from: Origin,
}

/// The origin of a setting.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Origin {
    /// The kind of the origin.
    pub kind: OriginKind,
    /// The path of the `promptls.toml`; omitted for other origins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub file: Option<String>,
    /// The line in that file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub line: Option<usize>,
}

/// The kind of a setting's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum OriginKind {
    /// A line of a `promptls.toml`.
    Config,
    /// The name of the prompt.
    Name,
    /// The content of the prompt.
    Content,
    /// A file beside the prompt.
    Beside,
    /// The default of the setting.
    Default,
}

/// A problem of a prompt or one of its related files.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FileProblem {
    /// The code, as `promptls explain` accepts it.
    pub code: &'static str,
    /// The severity of the problem.
    pub severity: Severity,
    /// The message, in one sentence.
    pub message: String,
    /// The names that the problem refers to.
    pub names: Vec<String>,
    /// The path of the file.
    pub file: String,
    /// The name of the prompt in the file. Omitted if the file is a single prompt, and for problems
    /// of the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub prompt: Option<String>,
    /// The range in the file.
    pub range: FileRange,
    /// Other locations that explain the problem.
    pub related: Vec<FileRelatedInformation>,
}

/// A location that explains a problem.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FileRelatedInformation {
    /// The path of the file.
    pub file: String,
    /// The range in the file.
    pub range: FileRange,
    /// A description of the location.
    pub message: String,
}

/// A range of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FileRange {
    /// The position of its first character.
    pub start: FilePosition,
    /// The position after its last character.
    pub end: FilePosition,
}

/// A position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FilePosition {
    /// The line, from 0; editors show it from 1.
    pub line: usize,
    /// The column, from 0, in characters.
    pub character: usize,
    /// The offset in the file, from 0, in bytes.
    pub byte: usize,
}

/// A part of the text with one source, in bytes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FileRun {
    /// The range in the text.
    pub output: [usize; 2],
    /// The kind of source. Never `missing` or `runtime`, which occur only in previews.
    pub kind: RunKind,
    /// The range in the prompt.
    pub source: [usize; 2],
    /// The name or path of the placeholder; omitted for other kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub path: Option<String>,
    /// The path of the file that contains the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub file: Option<String>,
    /// The range in that file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub value: Option<[usize; 2]>,
    /// The fragments and loops that it passed through, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<Via>,
    /// The sources of a mixed run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<FileRun>,
}
