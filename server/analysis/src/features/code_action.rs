//! What can be done about a problem, or at a place: fixes and small changes.
//!
//! An action is plain data: what it changes is said by role (this entry of that inputs file, a
//! new variables file, a name in `promptls.toml`), because only the caller knows paths and
//! the texts of files. So a list of actions costs no edit; the one that is chosen does.
//!
//! **What `fix_all` does.** Only what has one meaning and loses nothing: near misses whose
//! name is known exactly (`{{ name }}` for the known `name`), and names with a slip of the
//! fingers, if every case has the name that is meant and it is read or declared as well (else
//! that name may be the wrong one). It does not remove unused keys (they hold data), and does
//! not touch braces that are swallowed (which may be missing from what is sent). Who wants what is
//! [likely](Sureness::Likely) gets these as well: what most people want of what is written, but no
//! value and no file that nobody has written.

mod action;
mod blocks;
mod braces;
mod files;
mod fix;
mod names;

use std::collections::HashSet;
use std::ops::Range;

use promptls_resolver::{Code, FileId, Location, Problem};
use promptls_syntax::Dialect;

use crate::foreign::Foreign;
use crate::snapshot::Snapshot;

pub use action::{ActionKind, Change, CodeAction, ConfigChange, NewFile};
use fix::{Fix, preferring_first};
use names::MeantNames;

/// The actions for a range of one of a prompt's files, the most fitting of each problem first.
///
/// `problems` are those of the prompt and its files; problems that touch the range count, and what
/// is said of a prompt as a whole does in all of the line that it is said in. `case` is the one
/// that the user looks at, if there is any.
/// Cost: for each of these the distinct names, the cases, and for blocks the prompt.
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
        let end = match is_of_whole_prompt(problem.code) {
            true => end_of_line(snapshot, place.start),
            false => place.end,
        };
        *other == file && place.start <= range.end && range.start <= end
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
    let mut titles = HashSet::new();
    actions.retain(|action| titles.insert(action.title.clone()));
    actions.sort_by_key(|action| action.disabled.is_some());
    actions
}

/// How sure it must be that a fix is what is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sureness {
    /// It has one meaning and loses nothing.
    Safe,
    /// Most people want it.
    Likely,
}

/// What mends problems of a prompt's files; see above what that is. Nothing while the dialect is a
/// guess: what is meant depends on it.
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

/// The fix of a problem that is safe; of all problems it is asked for, so nothing else is looked
/// for.
fn safe_fix(snapshot: &Snapshot, problem: &Problem, names: &MeantNames) -> Option<Fix> {
    let fixes = match problem.code {
        Code::UndefinedPlaceholder => names::correction(snapshot, problem, names),
        Code::MalformedPlaceholder => braces::near_miss(snapshot, problem),
        _ => return None,
    };
    fixes.into_iter().find(|fix| fix.is_safe)
}

/// The fix of a problem that most people want, if it changes what is written.
fn likely_fix(snapshot: &Snapshot, problem: &Problem, names: &MeantNames) -> Option<Fix> {
    let fixes = match problem.code {
        // A value that nobody has written would only hide that it is missing.
        Code::UndefinedPlaceholder => preferring_first(names::correction(snapshot, problem, names)),
        Code::InvalidInputs => return None,
        _ => fixes(snapshot, problem, &[]),
    };
    let changes_text = |change: &Change| matches!(change, Change::Text(_) | Change::File(..));
    fixes
        .into_iter()
        .find(|fix| fix.is_preferred && fix.disabled.is_none())
        .filter(|fix| fix.changes.iter().all(changes_text))
}

/// What is said at the start of a prompt, but of all of it: an editor shows it beside the first
/// line, wherever in it the cursor is.
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
        Code::UndeclaredVariable => names::undeclared(snapshot, problem),
        Code::UnknownFragment => names::unknown_fragment(snapshot, problem),
        Code::MalformedPlaceholder => braces::near_miss(snapshot, problem),
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
        Code::InvalidInputs => files::empty(snapshot, problem),
        Code::NoInputs => {
            vec![Fix::of(names::CREATE_INPUTS, Change::Create(NewFile::Inputs)).preferred()]
        }
        Code::DialectGuessed => guessed(snapshot),
        Code::ForeignFrontMatter => vec![read_all_the_same(snapshot.dialect())],
        _ => Vec::new(),
    }
}

fn read_all_the_same(dialect: Dialect) -> Fix {
    let title = format!("Read it as {} all the same, in promptls.toml", dialect.spec().title);
    Fix::of(title, Change::Config(ConfigChange::Dialect(dialect)))
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
            let title = format!("Read it as {}: say so in promptls.toml", dialect.spec().title);
            let fix = Fix::of(title, Change::Config(ConfigChange::Dialect(dialect)));
            if dialect == guess { fix.preferred() } else { fix }
        })
        .collect()
}

#[cfg(test)]
mod tests;
