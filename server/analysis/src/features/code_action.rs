//! Code actions for problems and positions: fixes and small refactorings.
//!
//! An action is plain data. Its changes refer to roles: this entry of that inputs file, a new
//! variables file, a name in `promptls.toml`. Only the caller has the paths and texts of files. So
//! listing actions computes no edits; only the chosen action does.
//!
//! **Effect of `fix_all`.** Only fixes with a single possible meaning that lose nothing. These are
//! near misses whose name is known exactly (`{{ name }}` for the known `name`), and names with a
//! typing slip. For a slip, every case must have the intended name, and it must also be read or
//! declared; otherwise that name may be the wrong one. Unused keys are not removed, because they
//! contain data. Swallowed braces are not changed, because they may be missing in the sent text.
//! With [likely](Sureness::Likely), fixes that most users prefer are included, but no invented
//! values and no new files.

mod action;
mod blocks;
mod braces;
mod crew;
mod files;
mod fix;
mod id;
mod json;
mod listed;
mod names;

use std::collections::HashSet;
use std::ops::Range;

use promptls_resolver::{Code, FileId, Location, Problem};
use promptls_syntax::Dialect;

use crate::foreign::Foreign;
use crate::snapshot::Snapshot;

pub use action::{ActionKind, Change, CodeAction, ConfigChange, NewFile};
use fix::{Fix, preferring_first};
pub use id::{ActionId, ActionName, UnknownAction};
use names::MeantNames;

/// The actions for a range of one of a prompt's files. For each problem, the most suitable one
/// comes first.
///
/// `problems` are those of the prompt and its files. Problems that touch the range are used. A
/// problem of the whole prompt is used anywhere in its line, and one of several braces in the line
/// of each. `case` is the selected case, if there
/// is any.
///
/// Cost: for each of these problems the distinct names, the cases, and for blocks the prompt.
///
/// ```
/// use promptls_analysis::{DEFAULT_MAX_PROBLEMS, Snapshot, code_actions, diagnose};
/// use promptls_resolver::{Dialect, FileId, Format, Inputs};
///
/// let inputs = Inputs::parse(r#"{"name": "Ada"}"#, Format::Json, FileId(1)).value.unwrap();
/// let snapshot = Snapshot::new(Dialect::Adk, "Dear {nmae},").with_case("default", inputs);
/// let problems = diagnose(&snapshot, DEFAULT_MAX_PROBLEMS);
/// let actions = code_actions(&snapshot, &problems, FileId::PROMPT, &(6..10), None);
/// assert_eq!(actions[0].title, "Change to `name`");
/// ```
pub fn code_actions(
    snapshot: &Snapshot,
    problems: &[Problem],
    file: FileId,
    range: &Range<usize>,
    case: Option<usize>,
) -> Vec<CodeAction> {
    let touches = |problem: &&Problem| {
        let Location { file: other, range: place } = &problem.location;
        let is_at = |place: &Range<usize>| place.start <= range.end && range.start <= place.end;
        match problem.code {
            _ if *other != file => false,
            code if is_of_whole_prompt(code) => {
                is_at(&(place.start..end_of_line(snapshot, place.start)))
            }
            Code::JsonBraces => json::lines_of_braces(snapshot, problem).iter().any(is_at),
            _ => is_at(place),
        }
    };
    let mut actions: Vec<CodeAction> = Vec::new();
    for problem in problems.iter().filter(touches) {
        let fixes = fixes(snapshot, problem, problems);
        actions.extend(fixes.into_iter().map(|fix| fix.done(problem)));
    }
    if file == FileId::PROMPT
        && let Some(token) = snapshot.token_at(range.start)
    {
        actions.extend(names::refactorings(snapshot, &token, case));
    }
    let mut ids = HashSet::new();
    actions.retain(|action| ids.insert(action.id.clone()));
    actions.sort_by_key(|action| action.disabled.is_some());
    actions
}

/// The required certainty of a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sureness {
    /// It has a single possible meaning and loses nothing.
    Safe,
    /// Most users prefer it, but another fix may be right.
    Likely,
}

/// The changes that fix problems of a prompt's files; see the module for their selection. Empty
/// while the dialect is a guess, because the intended meaning depends on it.
pub fn fix_all<'p>(
    snapshot: &Snapshot,
    problems: impl IntoIterator<Item = &'p Problem>,
    sureness: Sureness,
) -> Vec<Change> {
    if snapshot.fits.len() > 1 {
        return Vec::new();
    }
    let (tags, others): (Vec<&Problem>, Vec<&Problem>) =
        problems.into_iter().partition(|problem| is_of_block_tags(problem.code));
    let names = MeantNames::new(others.len());
    let fix = |problem: &&Problem| match sureness {
        Sureness::Safe => safe_fix(snapshot, problem, &names),
        Sureness::Likely => likely_fix(snapshot, problem, &names),
    };
    let mut changes: Vec<Change> =
        others.iter().filter_map(fix).flat_map(|fix| fix.changes).collect();
    if sureness == Sureness::Likely {
        changes.extend(blocks::unpaired_all(snapshot, tags));
    }
    changes
}

fn is_of_block_tags(code: Code) -> bool {
    matches!(code, Code::UnclosedBlock | Code::StrayCloser | Code::MismatchedCloser)
}

/// The safe fix of a problem. It is computed for all problems, so nothing else is computed.
fn safe_fix(snapshot: &Snapshot, problem: &Problem, names: &MeantNames) -> Option<Fix> {
    let fixes = match problem.code {
        Code::UndefinedPlaceholder => names::correction(snapshot, problem, names),
        Code::MalformedPlaceholder => braces::near_miss(snapshot, problem),
        Code::JsonBraces => json::double_braces(snapshot, problem),
        _ => return None,
    };
    fixes.into_iter().find(|fix| fix.is_safe)
}

/// The fix of a problem that most users prefer, if it changes existing text.
fn likely_fix(snapshot: &Snapshot, problem: &Problem, names: &MeantNames) -> Option<Fix> {
    let fixes = match problem.code {
        // An invented value would only hide that it is missing.
        Code::UndefinedPlaceholder => preferring_first(names::correction(snapshot, problem, names)),
        Code::InvalidInputs | Code::UnreadableFile => return None,
        _ => fixes(snapshot, problem, &[]),
    };
    let changes_text = |change: &Change| matches!(change, Change::Text(_) | Change::File(..));
    fixes
        .into_iter()
        .find(|fix| fix.is_preferred && fix.disabled.is_none())
        .filter(|fix| fix.changes.iter().all(changes_text))
}

/// Problems at the start of a prompt that concern all of it. An editor shows them beside the first
/// line, wherever the cursor is in that line.
fn is_of_whole_prompt(code: Code) -> bool {
    matches!(code, Code::NoInputs | Code::DialectGuessed | Code::ForeignFrontMatter)
}

fn end_of_line(snapshot: &Snapshot, offset: usize) -> usize {
    let text = snapshot.text.rope();
    let next = text.byte_to_line(offset) + 1;
    if next < text.len_lines() { text.line_to_byte(next) - 1 } else { text.len_bytes() }
}

fn fixes(snapshot: &Snapshot, problem: &Problem, problems: &[Problem]) -> Vec<Fix> {
    match problem.code {
        Code::UndefinedPlaceholder => names::undefined(snapshot, problem, problems),
        Code::UndeclaredVariable | Code::UnusedVariable if is_about_list(snapshot) => {
            listed::write(snapshot, problem)
        }
        Code::UndeclaredVariable => names::undeclared(snapshot, problem),
        Code::UnknownFragment => names::unknown_fragment(snapshot, problem),
        Code::UnknownCrewMember => crew::known_name(snapshot, problem),
        Code::MalformedPlaceholder => braces::near_miss(snapshot, problem),
        Code::JsonBraces => json::double_braces(snapshot, problem),
        Code::SwallowedBrace => braces::swallowed(snapshot, problem),
        Code::EscapeHazard => braces::escape(snapshot, problem),
        Code::AccidentalPlaceholder => braces::literal(snapshot, problem).into_iter().collect(),
        Code::UnsupportedSyntax => braces::unsupported(snapshot, problem),
        Code::UnclosedBlock | Code::StrayCloser | Code::MismatchedCloser => {
            blocks::unpaired(snapshot, problem)
        }
        Code::UnusedInput => files::unused_input(snapshot, problem),
        Code::UnusedVariable => files::unused_variable(snapshot, problem),
        Code::TypeMismatch => files::wrong_type(snapshot, problem),
        Code::InvalidValue => files::not_allowed(snapshot, problem),
        Code::DuplicateKey => files::duplicate(snapshot, problem),
        Code::InvalidInputs | Code::UnreadableFile => files::empty(snapshot, problem),
        Code::NoInputs => {
            vec![names::create_inputs().preferred()]
        }
        Code::DialectGuessed => guessed(snapshot),
        Code::ForeignFrontMatter => vec![read_all_the_same(snapshot.dialect())],
        _ => Vec::new(),
    }
}

/// `true` if declarations are a list in code.
fn is_about_list(snapshot: &Snapshot) -> bool {
    snapshot.host.as_ref().is_some_and(|host| host.listed.is_some())
}

fn read_all_the_same(dialect: Dialect) -> Fix {
    let title = format!("Read as {} anyway, in promptls.toml", dialect.spec().title);
    set_dialect(title, dialect)
}

fn set_dialect(title: String, dialect: Dialect) -> Fix {
    let id = ActionId::new(ActionName::SetDialect, dialect.spec().id);
    Fix::of(id, title, Change::Config(ConfigChange::Dialect(dialect)))
}

fn guessed(snapshot: &Snapshot) -> Vec<Fix> {
    if let Some(Foreign::Language(language)) = snapshot.foreign {
        return language.or.into_iter().map(read_all_the_same).collect();
    }
    let guess = snapshot.dialect();
    let others = snapshot.fits.iter().copied().filter(|&dialect| dialect != guess);
    std::iter::once(guess)
        .chain(others)
        .map(|dialect| {
            let title = format!("Read as {}, in promptls.toml", dialect.spec().title);
            let fix = set_dialect(title, dialect);
            if dialect == guess { fix.preferred() } else { fix }
        })
        .collect()
}

#[cfg(test)]
mod tests;
