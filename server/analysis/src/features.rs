//! The features of an editor, one file each.

pub mod closing;
pub mod code_action;
pub mod code_lens;
pub mod completion;
pub mod convert;
pub mod declaration;
pub mod definition;
pub mod document_highlight;
pub mod document_link;
pub mod document_symbol;
pub mod folding_range;
pub mod formatting;
pub mod hover;
pub mod inlay_hint;
pub mod inputs_form;
pub mod inputs_schema;
pub mod linked_editing;
mod markdown;
pub mod messages;
pub mod references;
pub mod rename;
pub mod selection_range;
pub mod semantic_tokens;
pub mod used_names;
