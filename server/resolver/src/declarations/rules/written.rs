//! The validation rules of a variable in source form. Each engine interprets them differently, and
//! reports other errors in them than this crate.

use std::sync::{Arc, OnceLock};

use super::pattern::{Flavour, Pattern};
use crate::value::{Value, ValueKind};

/// The `validation` of a variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct WrittenRules {
    value: Option<Value>,
    /// Its pattern, one for each [`Flavour`], compiled on first use.
    patterns: [OnceLock<Arc<Pattern>>; 2],
}

impl WrittenRules {
    pub fn new(value: Option<Value>) -> WrittenRules {
        WrittenRules { value, ..WrittenRules::default() }
    }

    /// The source value of `validation`; `None` if the key is missing.
    pub fn value(&self) -> Option<&Value> {
        self.value.as_ref()
    }

    /// The value of a rule; `None` if it is missing or null.
    pub fn get(&self, rule: &str) -> Option<&Value> {
        let value = &self.value.as_ref()?.as_object()?.get(rule)?.value;
        (!value.is_null()).then_some(value)
    }

    /// The value of a numeric rule, in source form.
    pub fn number(&self, rule: &str) -> Option<&str> {
        match &self.get(rule)?.kind {
            ValueKind::Number(written) => Some(written),
            _ => None,
        }
    }

    /// The pattern in source form, and compiled for a language.
    pub fn pattern(&self, flavour: Flavour) -> Option<(&str, &Pattern)> {
        let ValueKind::String(written) = &self.get("pattern")?.kind else { return None };
        let compiled = &self.patterns[flavour as usize];
        Some((written, compiled.get_or_init(|| Arc::new(Pattern::compile(flavour, written)))))
    }
}
