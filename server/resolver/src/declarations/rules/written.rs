//! The validation rules of a variable as they are written: its engines read them each in a way of
//! their own, and mind other mistakes in them than we do.

use std::sync::{Arc, OnceLock};

use super::pattern::{Flavour, Pattern};
use crate::value::{Value, ValueKind};

/// The `validation` of a variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct WrittenRules {
    value: Option<Value>,
    /// Its pattern, one for each [`Flavour`], compiled when it is first needed.
    patterns: [OnceLock<Arc<Pattern>>; 2],
}

impl WrittenRules {
    pub fn new(value: Option<Value>) -> WrittenRules {
        WrittenRules { value, ..WrittenRules::default() }
    }

    /// All of it.
    pub fn value(&self) -> Option<&Value> {
        self.value.as_ref()
    }

    /// A rule, unless it is null.
    pub fn get(&self, rule: &str) -> Option<&Value> {
        let value = &self.value.as_ref()?.as_object()?.get(rule)?.value;
        (!value.is_null()).then_some(value)
    }

    /// A rule that is a number, as it is written.
    pub fn number(&self, rule: &str) -> Option<&str> {
        match &self.get(rule)?.kind {
            ValueKind::Number(written) => Some(written),
            _ => None,
        }
    }

    /// The pattern as it is written, and what the language makes of it.
    pub fn pattern(&self, flavour: Flavour) -> Option<(&str, &Pattern)> {
        let ValueKind::String(written) = &self.get("pattern")?.kind else { return None };
        let compiled = &self.patterns[flavour as usize];
        Some((written, compiled.get_or_init(|| Arc::new(Pattern::compile(flavour, written)))))
    }
}
