//! Severities of problems that `promptls.toml` sets.

use std::collections::BTreeMap;

use promptls_resolver::{Code, Problem, Severity};

/// Severities that differ from the defaults, by code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeverityOverrides(BTreeMap<Code, Option<Severity>>);

impl SeverityOverrides {
    /// Sets the severity of a problem; `None` turns it off.
    pub fn set(&mut self, code: Code, severity: Option<Severity>) {
        self.0.insert(code, severity);
    }

    /// Adds the severities of other overrides for codes without one.
    pub fn take_over(&mut self, others: &SeverityOverrides) {
        for (code, severity) in &others.0 {
            self.0.entry(*code).or_insert(*severity);
        }
    }

    /// Returns whether a problem is turned off.
    pub fn is_off(&self, code: Code) -> bool {
        self.0.get(&code) == Some(&None)
    }

    /// Returns the problem with its overridden severity; `None` if it is turned off.
    pub fn apply(&self, problem: Problem) -> Option<Problem> {
        match self.0.get(&problem.code) {
            None => Some(problem),
            Some(severity) => Some(Problem { severity: (*severity)?, ..problem }),
        }
    }
}

impl FromIterator<(Code, Option<Severity>)> for SeverityOverrides {
    fn from_iter<I: IntoIterator<Item = (Code, Option<Severity>)>>(severities: I) -> Self {
        SeverityOverrides(severities.into_iter().collect())
    }
}
