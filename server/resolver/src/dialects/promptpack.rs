//! PromptPack: declared variables with defaults, types and rules, and fragments.
//!
//! Document: RFC 0003, "Template Variable System", of 2025-10-31, which decides: none of its
//! runtimes is complete.

use promptls_syntax::Dialect;

use crate::behaviour::{Behaviour, Facts, FragmentNames, Verdict};
use crate::declarations::rules::FailureKind;
use crate::findings::broken_rules::{broken_rules, missing_required};
use crate::findings::code::Code;
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::{FileId, Location, Problem};
use crate::findings::run_findings::RunFindings;
use crate::outcome::{Lookup, Outcome};
use crate::path::{self, Step, steps, walk};
use crate::resolve_context::ResolveContext;
use crate::template::Execution;
use crate::value::key_hash;
use crate::values::ValueRef;

pub(crate) static DOCUMENTED: PromptPack = PromptPack {
    facts: Facts {
        fragment_names: FragmentNames {
            prefix: Dialect::PromptPack.spec().fragment_prefix,
            alone: true,
        },
        ..Facts::plain(Dialect::PromptPack)
    },
};

/// The engine that the document describes.
pub(crate) struct PromptPack {
    facts: Facts,
}

impl Behaviour for PromptPack {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn meaning<'a>(&self, name: &str, root_hash: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        let declarations = given.declarations;
        if let Some(fragment) = self.facts.fragment_names.fragment(declarations, name) {
            return match declarations.fragment(fragment) {
                Some(found) => Lookup::new(Outcome::Fragment(found), None),
                None => Lookup::MISSING,
            };
        }
        let value = |found: Option<ValueRef<'a>>, file| match found {
            Some(value) => self.value_of(value, file),
            None => Lookup::MISSING,
        };
        let (values, file) = (given.values, given.values.file());
        let is_path = name.contains(['.', '[']);
        if is_path && let Some(found) = values.get_hashed(name, key_hash(name)) {
            return value(Some(found), file);
        }
        let mut rest = steps(Dialect::PromptPack, name);
        let Some(Step::Key(first)) = rest.next() else { return Lookup::MISSING };
        let found = match values.get_hashed(first, root_hash) {
            Some(found) if !found.is_null() => return value(found.walk(rest), file),
            null => null,
        };
        let variable = declarations.variable(first);
        if let Some(default) = variable.and_then(|variable| variable.default.as_ref())
            && !default.is_null()
        {
            return value(walk(default, rest).map(ValueRef::Value), Some(declarations.file));
        }
        // Null without a default is empty, unless it is required or a path leads into it.
        let is_required = variable.is_some_and(|variable| variable.required);
        value(found.filter(|_| !is_path && !is_required), file)
    }

    /// Required variables without a value are an error, as are names without one; then the first
    /// value that its declaration rejects.
    fn verdict(&self, execution: Execution<'_>, found: &RunFindings) -> Verdict {
        let Execution { template, given } = execution;
        let mut missing = found.missing_names();
        let mut problems = Vec::new();
        for variable in missing_required(given) {
            let is_used =
                missing.iter().any(|name| path::root(template.dialect(), name) == &*variable.name);
            let is_listed = missing.iter().any(|name| *name == *variable.name);
            if !is_listed && !is_used {
                missing.push(variable.name.to_string());
                let location = Location { file: FileId::PROMPT, range: 0..0 };
                let message = format!("`{}` is required and has no value", variable.name);
                problems.push(
                    Problem::new(Code::UndefinedPlaceholder, location, message)
                        .about(&*variable.name),
                );
            }
        }
        let mut error = (!missing.is_empty()).then(|| {
            let message = format!("Missing variables: {}", missing.join(", "));
            EngineError::new(ErrorKind::Missing, missing, message)
        });
        for broken in broken_rules(given) {
            error = error.or_else(|| {
                let kind = match broken.failure.kind {
                    FailureKind::Type => ErrorKind::Type,
                    FailureKind::Validation => ErrorKind::Validation,
                    FailureKind::Declaration => ErrorKind::Declaration,
                };
                let names = vec![broken.variable.name.to_string()];
                Some(EngineError::new(kind, names, broken.failure.message.clone()))
            });
            problems.push(
                Problem::new(broken.code(), broken.location.clone(), &*broken.failure.message)
                    .about(&*broken.variable.name),
            );
        }
        Verdict { problems, error }
    }
}
