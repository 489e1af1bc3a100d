#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! The types of the `promptls/*` methods and of `--format json`.
//!
//! Each type defines a message, with its names and values, and nothing else: this crate parses no
//! text and resolves no positions. Positions in files are those of the Language Server Protocol.
//! Offsets into a resolved text use the same units. Only `--format json` ([`json_output`]) also has
//! byte offsets. A field that may be omitted from a response is never `null`.
//!
//! [`methods`] lists the methods, and [`commands`] the commands. `generated.rs` generates
//! TypeScript types and a JSON schema of all types. They are committed beside the README, which
//! documents their use for other editors.

pub mod cases;
pub mod chat;
pub mod commands;
pub mod compare;
pub mod cursor;
pub mod engine;
pub mod engine_error;
mod from_resolver;
#[cfg(test)]
mod generated;
pub mod inputs;
pub mod json_output;
pub mod likely_prompt;
pub mod location;
pub mod methods;
pub mod preview;
pub mod preview_changed;
pub mod preview_edits;
pub mod problem;
pub mod prompt_params;
pub mod prompts;
pub mod size;
pub mod templates;
pub mod tokens;
pub mod values;
pub mod via;

/// The JSON schema of all types: see `generated.rs`.
pub const JSON_SCHEMA: &str = include_str!("../generated/protocol.schema.json");

pub use crate::cases::PromptCases;
pub use crate::chat::{Chat, ChatMessage};
pub use crate::commands::{CommandArgument, EditedInputs};
pub use crate::compare::{CompareParams, ComparedPart, ComparedText, Comparison, Side};
pub use crate::cursor::CursorParams;
pub use crate::engine::{EngineChoice, NamedBy, PromptEngine};
pub use crate::engine_error::{EngineError, ErrorKind};
pub use crate::inputs::{Field, FieldOrigin, FieldProblem, FieldType, InputsForm};
pub use crate::json_output::{
    CHECK_LINE_VERSION, CHECK_OUTPUT_VERSION, CONFIG_OUTPUT_VERSION, CheckLine, CheckOutput,
    CheckSummary, ConfigOutput, DIFF_OUTPUT_VERSION, DiffOutput, Difference, DifferenceKind,
    FilePlace, FilePosition, FileProblem, FileRange, FileRelatedInformation, FileRun, FoundPrompt,
    GRAPH_OUTPUT_VERSION, GraphEdge, GraphNode, GraphOutput, ListOutput, ListedBy, ListedPrompt,
    ListedRule, NodeKind, Origin, OriginKind, PromptEntry, PromptsOutput, ResolveOutput, RowError,
    RowOutput, STATS_OUTPUT_VERSION, Setting, StatsOutput, TextStats, UnreadPrompt, UsedVariable,
    VarsOutput,
};
pub use crate::likely_prompt::{LikelyPrompt, LikelyPromptParams, LikelyValue};
pub use crate::location::{Location, Position, Range, TextDocumentIdentifier};
pub use crate::preview::{
    Case, Message, PreviewAnswer, PreviewContent, PreviewParams, PreviewText, Role, Run, RunKind,
    Stats,
};
pub use crate::preview_changed::PreviewChangedParams;
pub use crate::preview_edits::{MapEdit, Moved, PreviewEdits, TextEdit};
pub use crate::problem::{Problem, RelatedInformation, Severity};
pub use crate::prompt_params::PromptParams;
pub use crate::prompts::{
    PromptNode, PromptNodeKind, PromptTree, PromptsChangedParams, PromptsParams,
};
pub use crate::size::{PlaceholderSize, Prefix, PrefixEnd, Share, Size, SizeParams};
pub use crate::templates::{TemplateArgument, TemplateItem, TemplateList, TemplatesParams};
pub use crate::tokens::{PromptToken, TokensParams};
pub use crate::values::{ShownValue, ValueKind, ValuesParams};
pub use crate::via::Via;
