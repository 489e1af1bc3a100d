#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! This crate finds prompts in strings of other languages, and the source position of each byte of
//! their texts.
//!
//! A *host* is a file of another language that holds prompts, as strings in its code or as values
//! in data. This crate reads no files: references to other hosts are returned to the caller.

mod cannot_edit;
mod chat;
mod code;
mod code_gates;
mod data;
mod decode;
mod finds;
mod flow;
mod gate;
mod host_prompt;
mod language;
mod marking;
mod marks;
mod names;
mod pack;
mod rules;
mod scan;
mod text;
mod text_reference;
mod token;
mod typing;
mod unread;
mod writing;

use std::ops::Range;

pub use promptls_data::{Decoded, DecodedPiece, PieceKind};
use promptls_syntax::Dialect;

pub use cannot_edit::CannotEdit;
pub use chat::{Chat, ChatContent, ChatMessage};
pub use code::rule::{BadEntry, CodeEntry};
pub use code::{Callee, Certainty, ValueSupply, declared_names, value_supply};
pub use code_gates::{may_hold, may_use, words};
pub use data::markdown::data_range;
pub use data::{
    DataValue, find as find_in_data, find_all as find_all_in_data, may_hold as data_may_hold,
    may_name_class, pack_of_name, signs as data_signs, values as data_values,
};
pub use finds::Finds;
pub use flow::{
    Access, AccessKind, AgentOrder, ConstantKey, Crew, CrewMember, CrewPart, CrewReference, Flow,
    JoinedKey, KeyConstant, LiteralValue, NamedAccess, SubAgents, UnknownConfig, accesses,
    declarations, flow, is_shorthand, may_access, mention, mentions_besides, whole_strings,
};
pub use host_prompt::{
    Conflict, Contract, DEFAULT_EXPORT, DeclaredAt, Demand, Elsewhere, HostPrompt, Imported,
    Included, Inclusion, KnownHole, ListedNames, ObjectDemand, OtherFile, Part, PlaceEngine,
    SuppliedKey, Supply, TextDemand, TextPath, Why,
};
pub use language::Language;
pub use marking::{NewMark, new_mark};
pub use pack::Pack;
pub use rules::KeyPath;
pub use text::find_in_text;
pub use text_reference::{TextName, TextReference, TextTarget, WrittenPart};
pub use typing::{Typed, typed};
pub use unread::{Computed, Unread};
pub use writing::{edit, edit_all};

/// The prompts of a code file according to frameworks and marks, in source order; empty for
/// unsupported languages.
///
/// Cost: a search for a few words, if the file contains none of them; else its length.
pub fn find(language: Language, source: &str) -> Vec<HostPrompt> {
    find_with(language, source, &[], &[]).prompts
}

/// All results for a code file.
///
/// Each rule is an entry and its dialect; the first match counts. `demands` are the uses by other
/// files: their [`Finds::elsewhere`].
///
/// Cost: that of [`find`], the constants for each rule about them, and the calls that rules name.
pub fn find_with(
    language: Language,
    source: &str,
    rules: &[(CodeEntry, Dialect)],
    demands: &[Demand],
) -> Finds {
    code::find(language, source, rules, demands)
}

/// The string literals of a code file with their texts, in source order; without a text for a
/// literal that cannot be a prompt.
///
/// Cost: the length of the file.
pub fn literals(language: Language, source: &str) -> Vec<(Range<usize>, Option<Decoded>)> {
    let tokens = scan::scan(language, source).unwrap_or_default().tokens;
    let literals = tokens.iter().filter(|token| token.kind == token::TokenKind::Literal);
    let decode = |range: Range<usize>| decode::decode(language, source, range);
    literals.map(|token| (token.range(), decode(token.range()))).collect()
}
