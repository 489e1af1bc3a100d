//! The replacement from 0.114 on: name by name, in the whole text.

use std::ops::Range;

use memchr::memmem;
use promptls_syntax::Grammar;

use super::field::CrewField;
use super::has_no_inputs;
use crate::behaviour::{Behaviour, Facts, Method};
use crate::dialects::format::{facts_of_python, problem};
use crate::findings::code::Code;
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::{FileId, Location, Problem};
use crate::findings::run_findings::{too_long, unpredictable};
use crate::outcome::Lookup;
use crate::output::{Bounded, has_brace};
use crate::resolution::Resolution;
use crate::resolve_context::ResolveContext;
use crate::source_map::SourceMap;
use crate::template::{Execution, Op, Template};
use crate::working::{Hit, Replacement, Working};

/// The input that makes CrewAI append a history of messages.
const CHAT_MESSAGES: &str = "crew_chat_messages";

/// Why a description with such an input is unpredictable.
const APPENDS_CHAT: &str = "CrewAI appends the history of the chat to the description";

/// A text in which each name is replaced wherever it stands, also in values.
pub(super) struct CrewAi {
    facts: Facts,
    field: CrewField,
}

impl CrewAi {
    pub const fn new(grammar: Grammar, field: CrewField) -> CrewAi {
        CrewAi {
            field,
            facts: Facts {
                method: Method::WholeText { fills_in_keys: false },
                ..facts_of_python(grammar)
            },
        }
    }

    fn missing(&self, name: &str) -> EngineError {
        let message = format!("Template variable '{name}' not found in inputs dictionary");
        EngineError::new(ErrorKind::Missing, vec![name.to_owned()], self.field.missing(&message))
    }

    /// The working text after all names are replaced, and the error that is raised.
    fn replaced(&self, execution: Execution<'_>) -> (Working, Option<EngineError>) {
        let Execution { template, given } = execution;
        let mut working = Working::of(template.text);
        let bound = self.look_up_all(&template.paths, given);
        if let Some((_, path)) = slots(template).find(|(_, path)| bound[*path].is_missing()) {
            return (working, Some(self.missing(&template.paths[path].name)));
        }
        let replacements: Vec<Option<Replacement<'_>>> = template
            .paths
            .iter()
            .zip(bound)
            .map(|(path, lookup)| Replacement::of(&path.name, lookup, given))
            .collect();
        let stays = |text: &str| !has_brace(text.as_bytes());
        let are_apart = replacements.iter().flatten().all(|it| stays(&it.text))
            && template.ops.iter().all(|op| !matches!(op, Op::Literal(text, _) if !stays(text)));
        let max = given.max_output;
        if are_apart {
            let hits: Vec<Hit<'_, '_>> = slots(template)
                .filter_map(|(range, path)| Some((range.clone(), replacements[path].as_ref()?)))
                .collect();
            return match working.put(&hits, max) {
                Ok(working) => (working, None),
                Err(working) => (working, Some(limit(given))),
            };
        }
        for (_, path) in slots(template) {
            let Some(replacement) = &replacements[path] else { continue };
            let placeholder = format!("{{{}}}", replacement.name);
            let found = memmem::find_iter(working.text.as_bytes(), placeholder.as_bytes());
            let hits: Vec<Hit<'_, '_>> =
                found.map(|at| (at..at + placeholder.len(), replacement)).collect();
            if hits.is_empty() {
                continue;
            }
            working = match working.put(&hits, max) {
                Ok(working) => working,
                Err(working) => return (working, Some(limit(given))),
            };
        }
        (working, None)
    }
}

fn slots<'t>(template: &'t Template<'_>) -> impl Iterator<Item = (&'t Range<usize>, usize)> {
    template.ops.iter().filter_map(|op| match op {
        Op::Slot { source, path, .. } => Some((source, *path)),
        _ => None,
    })
}

fn limit(given: &ResolveContext<'_>) -> EngineError {
    EngineError::new(ErrorKind::Limit, Vec::new(), too_long(given.max_output))
}

impl Behaviour for CrewAi {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn is_literal(&self, given: &ResolveContext<'_>) -> bool {
        has_no_inputs(given)
    }

    fn is_orderly(&self, _: &Template<'_>) -> bool {
        false
    }

    fn meaning<'a>(&self, name: &str, _: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        match given.values.get(name) {
            Some(found) => self.value_of(found, given.values.file()),
            None => Lookup::MISSING,
        }
    }

    fn render(&self, execution: Execution<'_>, _: Bounded) -> Result<String, EngineError> {
        let Execution { template, given } = execution;
        if has_no_inputs(given) {
            return Ok(template.text.to_owned());
        }
        match self.replaced(execution) {
            (_, Some(error)) => Err(error),
            (working, None) => Ok(working.text),
        }
    }

    fn resolve(&self, execution: Execution<'_>) -> Resolution {
        let Execution { template, given } = execution;
        let (Working { text, runs }, error) = match has_no_inputs(given) {
            true => (Working::of(template.text), None),
            false => self.replaced(execution),
        };
        let mut problems = Vec::new();
        match &error {
            Some(error) if error.kind == ErrorKind::Missing => {
                let bound = self.look_up_all(&template.paths, given);
                let slots = slots(template).filter(|(_, path)| bound[*path].is_missing());
                problems.extend(slots.map(|(range, path)| {
                    let name = &*template.paths[path].name;
                    let names = vec![name.to_owned()];
                    problem(range.clone(), &EngineError::new(error.kind, names, name.to_owned()))
                }));
            }
            Some(error) => problems.push(problem(0..0, error)),
            None => {}
        }
        if self.field == CrewField::Description
            && let Some(messages) = given.values.get(CHAT_MESSAGES)
            && !messages.as_text().is_some_and(str::is_empty)
        {
            let location = Location { file: FileId::PROMPT, range: 0..0 };
            let message = unpredictable(CHAT_MESSAGES, APPENDS_CHAT);
            problems.push(Problem::new(Code::EngineUnpredictable, location, message));
        }
        Resolution { text, map: SourceMap { runs }, problems, error }
    }
}
