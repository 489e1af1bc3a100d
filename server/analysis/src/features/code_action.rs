//! What can be done about a problem, or at a place: fixes and small changes.
//!
//! An action is plain data: what it changes is said by role (this entry of that inputs file, a
//! new variables file, a name in `promptls.toml`), because only the caller knows paths and
//! the texts of files. So a list of actions costs no edit; the one that is chosen does.
//!
//! **What `fix_all` does.** Only what has one meaning and loses nothing: near misses whose
//! name is known exactly (`{{ name }}` for the known `name`). It does not correct spelling (the
//! other name may be the right one), does not remove unused keys (they hold data), and does
//! not touch braces that are swallowed (which may be missing from what is sent).

mod blocks;
mod braces;
mod files;
mod names;

use std::collections::HashSet;
use std::ops::Range;

use promptls_resolver::{Code, FileId, Location, Problem, root};
use promptls_syntax::{Dialect, Token, TokenRef, tokenize};

use crate::edit::TextEdit;
use crate::file_edit::FileEdit;
use crate::snapshot::Snapshot;

/// Something that a user may want done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAction {
    /// What it does, in the user's words; unique in a list.
    pub title: String,
    /// What sort of action it is.
    pub kind: ActionKind,
    /// The problem that is gone afterwards: its code and place.
    pub fixes: Option<(Code, Location)>,
    /// Whether it is what most people want.
    pub is_preferred: bool,
    /// Whether [`fix_all`] does it, too.
    pub is_safe: bool,
    /// What it changes; nothing if it is disabled.
    pub changes: Vec<Change>,
    /// Why it cannot be done, though one may look for it.
    pub disabled: Option<String>,
}

/// The sorts of action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// It mends a problem.
    QuickFix,
    /// It changes what is fine as it is.
    Refactor,
}

/// One thing that an action changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Text in a place, mostly of the prompt.
    Text(TextEdit),
    /// A key or an item of an inputs or variables file.
    File(FileId, FileEdit),
    /// One more variable in the file of the declarations: a JSON object.
    Declare(String),
    /// One more fragment there, still empty.
    DefineFragment(String),
    /// A file that is not there yet.
    Create(NewFile),
    /// Something in `promptls.toml`.
    Config(ConfigChange),
}

/// Files by their role.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NewFile {
    /// The inputs file of the default case, with all names that are read.
    Inputs,
    /// One more case.
    Case {
        /// What it is called.
        name: String,
        /// The inputs file that has its text.
        like: FileId,
    },
    /// The variables file, with this text.
    Variables(String),
}

/// What `promptls.toml` shall say of the prompt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConfigChange {
    /// This name is supplied at run time.
    Runtime(String),
    /// This name is meant to stay in braces.
    Literal(String),
    /// It is in this dialect.
    Dialect(Dialect),
}

/// The actions for a range of one of a prompt's files, the most fitting of each problem first.
///
/// `problems` are those of the prompt and its files; problems that touch the range count. `case`
/// is the one that the user looks at, if there is any.
/// Cost: for each of these the distinct names, the cases, and for blocks the prompt.
pub fn code_actions(
    snapshot: &Snapshot,
    problems: &[Problem],
    file: FileId,
    range: &Range<usize>,
    case: Option<usize>,
) -> Vec<CodeAction> {
    let touches = |problem: &&Problem| {
        let Location { file: other, range: place } = &problem.location;
        *other == file && place.start <= range.end && range.start <= place.end
    };
    let mut actions: Vec<CodeAction> = Vec::new();
    for problem in problems.iter().filter(touches) {
        let fixes = fixes(snapshot, problem);
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

/// All that is safe in one of a prompt's files; see above what that is. Nothing while the dialect
/// is a guess: what is meant depends on it.
pub fn fix_all(snapshot: &Snapshot, problems: &[Problem], file: FileId) -> Vec<Change> {
    if snapshot.fits.len() > 1 {
        return Vec::new();
    }
    problems
        .iter()
        .filter(|problem| problem.location.file == file)
        .filter_map(|problem| fixes(snapshot, problem).into_iter().find(|fix| fix.is_safe))
        .flat_map(|fix| fix.changes)
        .collect()
}

fn fixes(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    match problem.code {
        Code::UndefinedPlaceholder => names::undefined(snapshot, problem),
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
            vec![Fix::of("Create the inputs file", Change::Create(NewFile::Inputs)).preferred()]
        }
        Code::DialectGuessed => guessed(snapshot),
        Code::ForeignFrontMatter => {
            let dialect = snapshot.dialect();
            let title =
                format!("Read it as {} all the same, in promptls.toml", dialect.spec().title);
            vec![Fix::of(title, Change::Config(ConfigChange::Dialect(dialect)))]
        }
        _ => Vec::new(),
    }
}

fn guessed(snapshot: &Snapshot) -> Vec<Fix> {
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

/// An action in the making, for a problem that is known from elsewhere.
struct Fix {
    title: String,
    is_preferred: bool,
    is_safe: bool,
    changes: Vec<Change>,
    disabled: Option<String>,
}

impl Fix {
    fn of(title: impl Into<String>, change: Change) -> Fix {
        Fix::of_all(title, vec![change])
    }

    fn of_all(title: impl Into<String>, changes: Vec<Change>) -> Fix {
        let title = title.into();
        Fix { title, is_preferred: false, is_safe: false, changes, disabled: None }
    }

    /// What one may look for and cannot have.
    fn impossible(title: impl Into<String>, why: impl Into<String>) -> Fix {
        Fix { disabled: Some(why.into()), ..Fix::of_all(title, Vec::new()) }
    }

    fn preferred(self) -> Fix {
        Fix { is_preferred: true, ..self }
    }

    fn done(self, problem: &Problem) -> CodeAction {
        let Fix { title, is_preferred, is_safe, changes, disabled } = self;
        let fixes = Some((problem.code, problem.location.clone()));
        let kind = ActionKind::QuickFix;
        CodeAction { title, kind, fixes, is_preferred, is_safe, changes, disabled }
    }
}

fn replace(file: FileId, range: Range<usize>, text: impl Into<String>) -> Change {
    Change::Text(TextEdit { location: Location { file, range }, text: text.into() })
}

/// The token that a problem of the prompt is about.
fn token_of<'s>(snapshot: &'s Snapshot, problem: &Problem) -> Option<TokenRef<'s>> {
    let place = &problem.location.range;
    let covers =
        |found: &TokenRef<'_>| found.token.start <= place.start && place.end <= found.token.end();
    (problem.location.file == FileId::PROMPT)
        .then(|| snapshot.tree.tokens_in(place.clone()).find(covers))?
}

/// The first name of what a problem is about.
fn first_name<'p>(snapshot: &Snapshot, problem: &'p Problem) -> Option<&'p str> {
    let name = problem.names.first()?;
    Some(root(snapshot.dialect(), name)).filter(|first| !first.is_empty())
}

/// The fixes, the first one that can be done marked as what most people want.
fn preferring_first(mut fixes: Vec<Fix>) -> Vec<Fix> {
    if let Some(first) = fixes.iter_mut().find(|fix| fix.disabled.is_none()) {
        first.is_preferred = true;
    }
    fixes
}

/// What a range becomes if it is replaced: a token, or nothing.
fn replaced_token(snapshot: &Snapshot, range: &Range<usize>, new: &str) -> Option<Token> {
    token_after(snapshot, range, new, &(range.start..range.start + new.len()))
}

/// The token that covers exactly `wanted` once a range is replaced, with all its places in the
/// text as it is then.
///
/// Only the text around is looked at: a token that another one far away swallows is one here.
fn token_after(
    snapshot: &Snapshot,
    range: &Range<usize>,
    new: &str,
    wanted: &Range<usize>,
) -> Option<Token> {
    const AROUND: usize = 256;
    let text = &snapshot.text;
    let boundary =
        |offset: usize| text.char_to_byte(text.byte_to_char(offset.min(text.len_bytes())));
    let start = boundary(range.start.min(wanted.start).saturating_sub(AROUND));
    let end = boundary(range.end + AROUND).max(range.end);
    let before = snapshot.slice(start..range.start);
    let changed = format!("{before}{new}{}", snapshot.slice(range.end..end));
    let mut found = None;
    tokenize(snapshot.dialect(), &changed, |token| {
        let token = Token { start: token.start + start, ..token };
        if token.range() == *wanted {
            found = Some(token);
        }
    });
    found
}

#[cfg(test)]
mod tests;
