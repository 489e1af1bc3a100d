#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! The features that an editor displays for a prompt, as plain data with byte offsets.
//!
//! A [`Snapshot`] is a prompt with all its related files at one moment. Each feature is a function
//! from a snapshot to data, so that the language server and the command line have the same results.
//! Only [`position`] converts offsets to lines and columns.
//!
//! This crate reads no files, does not block, and does not depend on the protocol.

mod advice;
mod case_values;
mod code_spans;
mod compare;
mod declarable;
mod detect;
mod diagnose;
mod dialects;
mod edit;
mod excerpt;
mod features;
mod file_edit;
mod foreign;
mod markup;
mod measure;
mod near_miss;
mod needs;
pub mod position;
mod prompt_text;
mod sample;
mod severity_overrides;
mod skeleton;
mod snapshot;
mod suggest;
mod symbol;
mod tokens;
mod without_value;

pub use code_spans::prose;
pub use compare::{DiffPart, Marks, changed_lines, changes_by_line, compare};
pub use detect::{Detection, OtherLanguage, detect};
pub use diagnose::{
    DEFAULT_MAX_PROBLEMS, cut, diagnose, is_of_hole, keys_needed, names_read, unused_inputs,
    unused_variables,
};
pub use edit::TextEdit;
pub use features::closing::{CLOSED_BEHIND, close_typed};
pub use features::code_action::{
    ActionId, ActionKind, ActionName, Change, CodeAction, ConfigChange, NewFile, Sureness,
    UnknownAction, code_actions, fix_all,
};
pub use features::code_lens::{ShownCase, Summary};
pub use features::completion::{
    Completion, CompletionKind, complete, complete_crew, complete_declarations, complete_fragment,
    complete_inputs,
};
pub use features::convert::{
    Conversion, ConvertedCase, Difference, NotConverted, Unsupported, convert,
};
pub use features::declaration::declaration;
pub use features::definition::{Definition, definition};
pub use features::document_highlight::document_highlights;
pub use features::document_link::{Link, LinkTarget, document_links, urls};
pub use features::document_symbol::{DocumentSymbol, DocumentSymbolKind, document_symbols};
pub use features::folding_range::{Fold, folding_ranges};
pub use features::formatting::format_prompt;
pub use features::hover::hole::hover_part;
pub use features::hover::{Hover, describe, hover};
pub use features::inlay_hint::{
    DEFAULT_HINT_WIDTH, InlayHint, ShownKind, ShownValue, inlay_hints, shown_values,
};
pub use features::inputs_form::{Field, FieldKind, FieldSource, InputsForm, inputs_form};
pub use features::inputs_schema::inputs_schema;
pub use features::linked_editing::linked_places;
pub use features::messages::{MessageSpan, Role, chat, messages};
pub use features::references::{References, references, references_to};
pub use features::rename::{Renamable, RenameError, prepare_rename, prove_rename, rename};
pub use features::selection_range::selection_ranges;
pub use features::semantic_tokens::{
    SemanticKind, SemanticModifier, SemanticToken, semantic_tokens,
};
pub use features::used_names::{UsedName, used_names};
pub use file_edit::{FileEdit, edit_file};
pub use foreign::Foreign;
pub use markup::{Markup, MarkupPiece};
pub use measure::prefix::{LEAST_CACHEABLE_TOKENS, Prefix, Until, static_prefix};
pub use measure::size::{PlaceholderSize, Share, Size, size};
pub use measure::{Measured, measure, token_counts};
pub use prompt_text::PromptText;
pub use severity_overrides::SeverityOverrides;
pub use skeleton::{has_only_samples, misspelt_names, skeleton, skeleton_of_all, skeleton_value};
pub use snapshot::{
    CallElsewhere, Case, Contract, CrewName, CrewNames, DEFAULT_CASE, Hole, HostText, ListedNames,
    NamePlace, ProgramNames, Settings, SharedWith, Snapshot, SuppliedKey, SuppliedNames,
    UnknownEngine,
};
pub use suggest::{KnownNames, NameIndex, SharedNames, did_you_mean, is_slip, nearest};
pub use symbol::{PathStep, Symbol, name_in_program, symbol_at};
pub use tokens::{TokenEncoding, Tokens};
pub use without_value::{NoValueReason, WithoutValue};
