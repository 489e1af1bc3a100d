#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! This crate computes the text that an engine sends, from a prompt and its inputs.
//!
//! A [`Template`] is a compiled prompt. With [`ResolveContext`] inputs it yields a [`Resolution`]:
//! always a text, with the origin of each byte, the problems, and the error that the engine would
//! raise. [`Inputs`] and [`Declarations`] are parsed from JSON or YAML, with the range of each
//! value.
//!
//! This crate reads no files, never blocks, and does not depend on editors.

mod agentle;
mod behaviour;
pub mod blocks;
mod compile;
mod declarations;
mod dialects;
mod engine;
mod engines;
mod findings;
mod from_data;
mod inputs;
mod lookup;
mod member_loop;
mod outcome;
mod output;
mod path;
mod python;
mod render;
mod resolution;
mod resolve;
mod resolve_context;
mod source_map;
mod string_form;
mod template;
mod value;
mod values;
mod working;

#[cfg(feature = "serde")]
pub use agentle::CompileError;
pub use agentle::{Compiling, Prompt};
pub use declarations::rules::{Failure, FailureKind, Rule, Rules, is_same};
pub use declarations::{Declarations, Fragment, Variable, VariableType};
pub use dialects::entaingine;
pub use engine::Engine;
pub use engines::{
    ENGINES, EngineRef, Language, Profile, RESERVED, ReservedEngine, Unusable, Version,
    first_field_of_node, is_in_every_object,
};
pub use findings::broken_rules::BrokenRule;
pub use findings::code::{Code, Severity};
pub use findings::engine_error::{EngineError, ErrorKind};
pub use findings::problem::{FileId, Location, Problem, Related};
pub use findings::run_findings::{LIMIT_OPTION, fragments_too_deep, too_much, unpredictable};
#[cfg(feature = "serde")]
pub use from_data::NotValues;
pub use from_data::{parse_value, refused, value_of};
pub use inputs::{Inputs, Parsed};
pub use lookup::{effective_name, lookup_at_item, lookup_name};
pub use outcome::{Form, Lookup, Outcome};
pub use path::{Step, first_key, root, steps, walk};
pub use promptls_data::{Format, Span};
pub use promptls_syntax::{Dialect, Grammar};
pub use render::{render, render_nullable};
pub use resolution::Resolution;
pub use resolve_context::{
    DEFAULT_MAX_OUTPUT, MAX_FRAGMENT_DEPTH, MAX_STEPS, ResolveContext, Workflow,
};
pub use source_map::{Run, RunKind, SourceMap, Via, ViaStep};
pub use string_form::python_repr;
pub use template::{ChatPart, Template, has_block_marker};
pub use value::{Entry, FileText, Object, Value, ValueKind, key_hash};
pub use values::{ValueRef, Values};
