//! Problems of the prompt as a whole.

use promptls_resolver::{Code, FileId, Location, Problem};

use super::checker::Checker;
use crate::detect::{any_of, others};

/// The first character of the prompt.
pub(super) fn at_start(checker: &Checker<'_>) -> Location {
    let start = checker.snapshot.text.start(char::MAX.len_utf8());
    let first = start.chars().next().map_or(0, char::len_utf8);
    Location { file: FileId::PROMPT, range: 0..first }
}

pub(super) fn check(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let dialect = checker.dialect();
    if !snapshot.has_placeholder() {
        return;
    }
    if snapshot.is_guessed() {
        let others = any_of(others(dialect, &snapshot.fits, snapshot.alike));
        let spec = dialect.spec();
        let mut message = format!("read as {} ({})", spec.title, spec.id);
        if let Some(others) = others {
            message.push_str(&format!(", but it may be {others}"));
        }
        message.push_str(&format!(
            "; set the dialect with a rule in promptls.toml or a name like `x.{}.prompt`",
            spec.id
        ));
        checker.problems.push(Problem::new(Code::DialectGuessed, at_start(checker), message));
    }
    // A file that cannot be read exists, and has its own problem.
    let has_files = snapshot.file_names.len() > 1;
    let message = match snapshot.declarations.variables.is_empty() {
        true if snapshot.must_declare => "no inputs file: whether names have values is not checked",
        true => "no inputs file: names are not checked",
        false => "no inputs file: declared variables count as supplied at run time",
    };
    if snapshot.awaits_values() || (!snapshot.has_inputs() && !has_files) {
        checker.problems.push(Problem::new(Code::NoInputs, at_start(checker), message));
    }
}
