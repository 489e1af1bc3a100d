//! Python braces: fields that Python refuses, and text in braces that is sent as written.

mod doubled;
mod fields;
pub(crate) mod json;
mod specification;

use promptls_resolver::is_in_every_object;
use promptls_syntax::{Grammar, TokenKind};

use crate::advice::Advice;
use crate::diagnose::checker::Checker;
use crate::diagnose::hazards::Hazard;
use crate::diagnose::resolved_again::{self, Occurrence};
use crate::near_miss::{NearMiss, Remark};
pub(crate) use specification::{NestedField, has_specification, nested_field_at, nested_fields};

pub(crate) static ADVICE: Format = Format;

pub(crate) struct Format;

impl Advice for Format {
    /// Only engines that replace certain words leave other text in braces as written.
    fn near_miss(&self, found: &NearMiss<'_>) -> Option<Remark> {
        let why = "only letters, digits and underscores may be in the braces";
        found.left_because(why).filter(|_| found.is_word_known())
    }

    fn foreign_name(&self, name: &str) -> Option<&'static str> {
        let is_tag = name.len() > 2 && name.starts_with('%') && name.ends_with('%');
        is_tag.then_some("`{% … %}` is Jinja; Python braces read it as a name without a value")
    }

    fn correction(&self, found: &NearMiss<'_>) -> Option<String> {
        Some(format!("{{{}}}", found.word))
    }

    fn check_names(&self, checker: &mut Checker<'_>) {
        if is_literal(checker) {
            return;
        }
        match checker.engine().grammar() {
            Grammar::LlamaIndex | Grammar::CrewAi | Grammar::CrewAiHyphens => {
                fields::check_doubled(checker);
            }
            _ => fields::check_refused(checker),
        }
    }

    fn check_values(&self, checker: &mut Checker<'_>) {
        fields::check_printed(checker);
        if matches!(checker.engine().grammar(), Grammar::CrewAi | Grammar::CrewAiHyphens) {
            resolved_again::check(checker, Occurrence::Each);
        }
    }

    fn hazards(&self) -> &'static [Hazard] {
        HAZARDS
    }

    fn check_last(&self, checker: &mut Checker<'_>) {
        json::check(checker);
        doubled::check(checker);
    }
}

/// `true` if the engine sends the prompt as written in every case.
fn is_literal(checker: &Checker<'_>) -> bool {
    let (engine, givens) = (checker.engine(), checker.values.given());
    checker.snapshot.has_inputs() && givens.iter().all(|given| engine.is_literal(given))
}

const HAZARDS: &[Hazard] = &[
    Hazard::new(
        "is a path, which only str.format follows; LangChain refuses it, and LlamaIndex and CrewAI send it as written",
        |found| found.reads() && found.name.contains(['.', '[']),
    )
    .without_value(),
    Hazard::new(
        "has whitespace beside the name, which is part of it; CrewAI sends it as written",
        |found| found.reads() && found.name.trim() != found.name,
    )
    .without_value(),
    Hazard::new(
        "is sent as one brace by str.format and LangChain; LlamaIndex and CrewAI send both",
        |found| found.used.kind == TokenKind::Escape,
    ),
    Hazard::new(
        "has a conversion or a format specification, which LangChain for JavaScript, LlamaIndex and CrewAI do not read",
        |found| found.used.kind == TokenKind::Placeholder,
    )
    .only(|text| text.contains([':', '!']), |place| place.written().ends_with('}')),
    Hazard::new(
        "is a member of every object in JavaScript, so LangChain for JavaScript finds a value",
        |found| found.reads() && is_in_every_object(found.name) && found.may_be_missing(),
    )
    .without_value(),
];
