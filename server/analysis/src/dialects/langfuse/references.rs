//! References to other prompts, which Langfuse replaces before an application receives a text:
//! `@@@langfusePrompt:name=base|label=production@@@`.

use std::ops::Range;

use promptls_resolver::{Code, FileId, Location, Problem};

use crate::diagnose::checker::Checker;

/// The word after the opening sign, in lower case: people misspell its capital.
const WORD: &[u8] = b"langfuseprompt";

const OPEN: &str = "@@@langfusePrompt:";
const CLOSE: &str = "@@@";

/// Reports each reference as an information, and each tag that Langfuse does not read.
pub(super) fn check(checker: &mut Checker<'_>) {
    let text = checker.start();
    let problems: Vec<Problem> = tags(text).take(checker.max).map(|it| problem(text, it)).collect();
    checker.problems.extend(problems);
}

fn problem(text: &str, range: Range<usize>) -> Problem {
    let written = &text[range.clone()];
    let (code, message) = match Reference::parse(written) {
        Some(Reference { name, version }) => (
            Code::PromptReference,
            format!(
                "Langfuse inserts its prompt `{name}` ({version}) here when it sends this prompt; \
                 the preview shows the reference"
            ),
        ),
        None => (
            Code::MalformedPlaceholder,
            format!(
                "`{written}` is sent unchanged: a reference to a prompt is \
                 `{OPEN}name=NAME|label=LABEL{CLOSE}` or `{OPEN}name=NAME|version=NUMBER{CLOSE}`"
            ),
        ),
    };
    Problem::new(code, Location { file: FileId::PROMPT, range }, message)
}

/// A reference that Langfuse reads.
#[derive(Debug, PartialEq)]
struct Reference<'t> {
    name: &'t str,
    /// Its label or number: `label production`, `version 3`.
    version: String,
}

impl Reference<'_> {
    /// The server splits at `|` and `=`, ignores the text after a second `=`, and requires exactly
    /// two parts, of which the first is the name.
    fn parse(tag: &str) -> Option<Reference<'_>> {
        let inside = tag.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
        let (name, version) = inside.split_once('|').filter(|(_, rest)| !rest.contains('|'))?;
        let value = |part: &'_ str| part.split('=').nth(1).filter(|it| !it.is_empty()).is_some();
        let name = name.strip_prefix("name=")?.split('=').next().filter(|it| !it.is_empty())?;
        let mut parts = version.split('=');
        let (key, given) = (parts.next()?, parts.next()?);
        let is_read = value(version)
            && match key {
                "label" => true,
                "version" => given.trim().parse::<f64>().is_ok_and(f64::is_finite),
                _ => false,
            };
        is_read.then(|| Reference { name, version: format!("{key} {given}") })
    }
}

/// The tags in a text, also misspelt ones: from the first `@` up to the closing sign in the same
/// line, or else the end of the word.
fn tags(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let sign = from + memchr::memchr(b'@', &bytes[from..])?;
            let word = sign + bytes[sign..].iter().take_while(|byte| **byte == b'@').count();
            from = word;
            let end = word + WORD.len();
            if !bytes.get(word..end).is_some_and(|it| it.eq_ignore_ascii_case(WORD)) {
                continue;
            }
            // Langfuse reads the last three.
            let start = sign.max(word.saturating_sub(CLOSE.len()));
            let line =
                memchr::memchr2(b'\n', b'\r', &bytes[end..]).map_or(text.len(), |it| end + it);
            let rest = &text[end..line];
            let close = rest.find(CLOSE).map(|at| end + at + CLOSE.len());
            let ends_word = |char: char| char.is_whitespace();
            from = close.unwrap_or_else(|| end + rest.find(ends_word).unwrap_or(rest.len()));
            return Some(start..from);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_parsed_as_the_server_parses_them() {
        for (text, expected) in [
            ("a @@@langfusePrompt:name=b|label=production@@@ c", &["b, label production"][..]),
            ("@@@langfusePrompt:name=b c|version=3@@@x", &["b c, version 3"]),
            ("@@@@langfusePrompt:name=b|version=1@@@@", &["b, version 1"]),
            (
                "@@@langfusePrompt:name=a|version=1@@@@@@langfusePrompt:name=b|version=2@@@",
                &["a, version 1", "b, version 2"],
            ),
            ("@@@langfusePrompt:nam=b@@@", &["@@@langfusePrompt:nam=b@@@"]),
            ("@@@langfusePrompt:name=b@@@", &["@@@langfusePrompt:name=b@@@"]),
            ("@@@langfusePrompt:name=|label=a@@@", &["@@@langfusePrompt:name=|label=a@@@"]),
            ("@@@langfusePrompt:label=a|name=b@@@", &["@@@langfusePrompt:label=a|name=b@@@"]),
            (
                "@@@langfusePrompt:name=b|version=new@@@",
                &["@@@langfusePrompt:name=b|version=new@@@"],
            ),
            ("@@@langfusePrompt:name=b|label=@@@", &["@@@langfusePrompt:name=b|label=@@@"]),
            (
                "@@@langfusePrompt:name=b|label=a|x=1@@@",
                &["@@@langfusePrompt:name=b|label=a|x=1@@@"],
            ),
            ("@@@langfuseprompt:name=b|label=a@@@", &["@@@langfuseprompt:name=b|label=a@@@"]),
            ("@@langfusePrompt:name=b|label=a@@ c", &["@@langfusePrompt:name=b|label=a@@"]),
            ("@@@langfusePrompt:name=b\n|label=a@@@", &["@@@langfusePrompt:name=b"]),
            ("langfusePrompt: @ @@@ a@langfuse.com", &[]),
        ] {
            let shown = |range: Range<usize>| match Reference::parse(&text[range.clone()]) {
                Some(Reference { name, version }) => format!("{name}, {version}"),
                None => text[range].to_owned(),
            };
            assert_eq!(tags(text).map(shown).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
