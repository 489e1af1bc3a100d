//! The error for a host, or for a string in it, that may hold prompts and cannot be read.

use promptls_hosts::Unread;
use promptls_resolver::{Code, FileId, Location, Problem};

/// The error, with its range in the file.
pub fn unread_problem(unread: &Unread, file: FileId) -> Problem {
    let Unread { range, reason } = unread.clone();
    Problem::new(Code::UnreadableFile, Location { file, range }, reason)
}

/// The hint for a value of a prompt whose text only the running program has.
pub fn computed_prompt(computed: &Unread, file: FileId) -> Problem {
    let Unread { range, reason } = computed.clone();
    Problem::new(Code::ComputedPrompt, Location { file, range }, reason)
}

/// The error for a file whose rule names strings that are not read.
pub fn unread_strings() -> Problem {
    let location = Location { file: FileId::PROMPT, range: 0..0 };
    let reason = "a rule with `strings` matches this file, but strings are read only in Python, \
                  Java, Kotlin, TypeScript, JavaScript, Go, YAML, JSON, TOML and front matter; \
                  narrow the globs of the rule";
    Problem::new(Code::UnreadableFile, location, reason)
}
