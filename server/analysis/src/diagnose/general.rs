//! What concerns the prompt as a whole.

use promptls_resolver::{Code, FileId, Location, Problem};

use super::checker::Checker;

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
        let others: Vec<&str> = snapshot
            .fits
            .iter()
            .filter(|&&other| other != dialect)
            .map(|other| other.spec().id)
            .collect();
        let spec = dialect.spec();
        let mut message = format!("read as {} ({})", spec.title, spec.id);
        if !others.is_empty() {
            message.push_str(&format!(", but it may be {}", others.join(", ")));
        }
        message.push_str(&format!(
            "; a rule in promptls.toml or a name like `x.{}.prompt` makes it certain",
            spec.id
        ));
        checker.problems.push(Problem::new(Code::DialectGuessed, at_start(checker), message));
    }
    // One that cannot be read is there, and has a problem of its own.
    let has_files = snapshot.file_names.len() > 1;
    let message = match snapshot.declarations.variables.is_empty() {
        true => "no inputs file: names are not checked",
        false => "no inputs file: what is declared counts as supplied at run time",
    };
    if snapshot.awaits_values() || (!snapshot.has_inputs() && !has_files) {
        checker.problems.push(Problem::new(Code::NoInputs, at_start(checker), message));
    }
}

pub(super) fn foreign_front_matter() -> Problem {
    let location = Location { file: FileId::PROMPT, range: 0..3 };
    Problem::new(
        Code::ForeignFrontMatter,
        location,
        "this opens with front matter, so it is another tool's file and is not checked; a rule in promptls.toml makes it a prompt of ours",
    )
}
