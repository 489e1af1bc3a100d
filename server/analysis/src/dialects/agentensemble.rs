//! AgentEnsemble: names of letters, and values that are resolved again.

use promptls_resolver::{Code, Outcome, effective_name};
use promptls_syntax::{Flaw, UseMap};

use crate::advice::Advice;
use crate::diagnose::checker::{Checker, Finding};
use crate::diagnose::hazards::Hazard;
use crate::diagnose::resolved_again::{self, Occurrence};
use crate::diagnose::values::{in_cases, readers, related};
use crate::near_miss::{NearMiss, Remark};

pub(crate) static ADVICE: AgentEnsemble = AgentEnsemble;

pub(crate) struct AgentEnsemble;

impl Advice for AgentEnsemble {
    fn near_miss(&self, found: &NearMiss<'_>) -> Option<Remark> {
        let word = found.word;
        match word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            // Only an exact name: `{ topics }` is the syntax of imports in JavaScript.
            true if found.is_known(word) || (found.has_two_braces() && found.may_mean(word)) => {
                found.left_because(&format!("whitespace is not allowed; write `{{{word}}}`"))
            }
            false if found.is_known(word) => {
                found.left_because("a name contains only letters, digits and underscores")
            }
            _ => None,
        }
    }

    fn correction(&self, found: &NearMiss<'_>) -> Option<String> {
        Some(format!("{{{}}}", found.word))
    }

    fn check_values(&self, checker: &mut Checker<'_>) {
        wrong_kinds(checker);
        resolved_again::check(checker, Occurrence::First);
    }

    fn hazards(&self) -> &'static [Hazard] {
        HAZARDS
    }
}

const HAZARDS: &[Hazard] = &[Hazard::new(
    "contains the engine's escape marker in its text or name, which is longer in agentensemble 0.4.1 and later",
    |found| {
        let engine = found.snapshot().engine();
        let is_in_name = found.reads() && effective_name(engine, found.name) != found.name;
        is_in_name || found.used.flaw == Some(Flaw::TouchesWord)
    },
)];

/// Lists and objects where the engine accepts only strings.
fn wrong_kinds(checker: &mut Checker<'_>) {
    let mut findings = UseMap::default();
    for (used, name) in readers(checker) {
        let cases = in_cases(checker, used, name, |lookup| {
            matches!(lookup.outcome, Outcome::WrongType).then_some(())
        });
        if cases.is_empty() {
            continue;
        }
        let indexes: Vec<usize> = cases.iter().map(|(case, ..)| *case).collect();
        let message = format!(
            "`{name}` is a list or an object{}; AgentEnsemble accepts only strings",
            checker.in_cases(&indexes)
        );
        let finding =
            Finding::of_name(Code::TypeMismatch, message, name).with(related(checker, &cases));
        findings.insert(used, finding);
    }
    checker.report(&findings);
}
