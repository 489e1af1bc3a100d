//! The error of a host, or of a string in it, that may hold prompts and cannot be read.

use promptls_hosts::{Language, Unread};
use promptls_resolver::{Code, FileId, Format, Location, Problem, parse_value};

/// The error, with its place in the file.
///
/// Inputs files are JSON and YAML, too, and the resolver has plain words for what is wrong with them.
/// Where its reader stops at the same place, its words are taken.
pub fn unread_problem(unread: &Unread, language: Language, text: &str, file: FileId) -> Problem {
    let Unread { range, reason } = unread.clone();
    let format = match language {
        Language::Json => Some(Format::Json),
        Language::Yaml => Some(Format::Yaml),
        _ => None,
    };
    // A string that cannot be read is no error of syntax.
    let format = format.filter(|_| range.is_empty());
    let parsed = format.map(|format| parse_value(text, format, file, "no prompts"));
    let problem = parsed.filter(|parsed| parsed.value.is_none()).and_then(|parsed| {
        parsed.problems.into_iter().find(|it| it.location.range.start == range.start)
    });
    match problem {
        Some(problem) => Problem { code: Code::UnreadableFile, ..problem },
        None => Problem::new(Code::UnreadableFile, Location { file, range }, reason),
    }
}
