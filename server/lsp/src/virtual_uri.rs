//! URIs of virtual documents: the pages of `promptls explain`, and resolved texts.
//!
//! A page has the URI `promptls:CODE.md`. A resolved text has
//! `promptls:resolved/support.angry.txt?prompt=file:///work/support.prompt&case=angry`. Its name is
//! for display, and the query identifies the text. For a prompt that has a name in its file,
//! `&task=TASK` is added. Editors escape and unescape URIs in different ways. So values have their
//! own escapes, which editors do not change: `~26` for `&`. Only servers need to parse them:
//! `promptls/cases` returns the URIs.

use promptls_resolver::Code;

use crate::convert::Uri;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The scheme of all these URIs.
pub const SCHEME: &str = "promptls";

/// The prefix of the names of resolved texts.
const RESOLVED: &str = "resolved/";

/// The document at a URI.
#[derive(Debug, PartialEq, Eq)]
pub enum VirtualDocument {
    /// The page about a code.
    Explanation(Code),
    /// The text of a prompt in one of its cases.
    Resolved(Resolved),
}

impl VirtualDocument {
    /// Parses a URI; `None` if it names no virtual document.
    pub fn at(uri: &str) -> Option<VirtualDocument> {
        let rest = uri.strip_prefix(SCHEME)?.strip_prefix(':')?.trim_start_matches('/');
        if let Some(resolved) = Resolved::parse(rest) {
            return Some(VirtualDocument::Resolved(resolved));
        }
        Code::from_id(rest.trim_end_matches(".md")).map(VirtualDocument::Explanation)
    }
}

/// The URI of the page about a code.
pub fn of_explanation(code: Code) -> Option<Uri> {
    format!("{SCHEME}:{}.md", code.id()).parse().ok()
}

/// The URI of the resolved text of a prompt in a case. Without a case, that of a prompt without
/// inputs.
pub fn of_resolved(prompt: &PromptSnapshot, case: Option<&str>) -> Option<Uri> {
    let (task, case) = (prompt.name().map(str::to_owned), case.map(str::to_owned));
    Resolved { prompt: prompt.uri()?.to_string(), task, case }.address().parse().ok()
}

/// Identifies a resolved text by its prompt and case.
#[derive(Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The URI of the file.
    pub prompt: String,
    /// The name of the prompt in the file, if it has one.
    pub task: Option<String>,
    /// The name of the case; `None` for the selected one.
    pub case: Option<String>,
}

impl Resolved {
    fn address(&self) -> String {
        let Resolved { prompt, task, case } = self;
        let path = percent_decoded(prompt.split(['?', '#']).next().unwrap_or_default());
        let file = path.rsplit(['/', ':']).next().unwrap_or_default();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let names = std::iter::once(stem).chain(task.as_deref()).chain(case.as_deref());
        let name = names.collect::<Vec<_>>().join(".");
        let mut address = format!("{SCHEME}:{RESOLVED}{}.txt", escaped(&name, '%', ""));
        for (key, value) in
            [("?prompt=", Some(prompt)), ("&task=", task.as_ref()), ("&case=", case.as_ref())]
        {
            let value = value.map(|value| format!("{key}{}", escaped(value, '~', ":/")));
            address.push_str(&value.unwrap_or_default());
        }
        address
    }

    /// Parses the part after the scheme, as an editor returns it.
    fn parse(rest: &str) -> Option<Resolved> {
        let rest = rest.strip_prefix(RESOLVED).or_else(|| rest.strip_prefix("resolved%2F"))?;
        // Some editors also escape the separators of the query.
        let query = percent_decoded(rest.split_once('?')?.1);
        let value = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            Some(unescaped(pairs.find(|(key, _)| *key == name)?.1, '~'))
        };
        Some(Resolved { prompt: value("prompt")?, task: value("task"), case: value("case") })
    }
}

/// Escapes all bytes except alphanumeric and `plain` ones as a mark and two hexadecimal digits.
fn escaped(text: &str, mark: char, plain: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        let character = char::from(byte);
        if byte.is_ascii_alphanumeric() || "-._".contains(character) || plain.contains(character) {
            out.push(character);
        } else {
            out.push_str(&format!("{mark}{byte:02X}"));
        }
    }
    out
}

fn unescaped(text: &str, mark: char) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(mark) {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let code = rest.get(at + 1..at + 3);
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[at + 3..];
            }
            None => {
                bytes.push(mark as u8);
                rest = &rest[at + 1..];
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

fn percent_decoded(text: &str) -> String {
    unescaped(text, '%')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(prompt: &str, task: Option<&str>, case: Option<&str>, expected: &str) {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let resolved = Resolved { prompt: prompt.to_owned(), task: owned(task), case: owned(case) };
        let address = resolved.address();
        assert_eq!(address, expected);
        assert!(address.parse::<Uri>().is_ok());
        let rest = &address[SCHEME.len() + 1..];
        assert_eq!(Resolved::parse(rest).as_ref(), Some(&resolved));
        // In the form of VS Code, and in the form of an editor that removes all escapes.
        let (name, query) = rest.split_once('?').unwrap();
        let query = query.replace(':', "%3A").replace('=', "%3D").replace('&', "%26");
        assert_eq!(Resolved::parse(&format!("{name}?{query}")).as_ref(), Some(&resolved));
        assert_eq!(Resolved::parse(&percent_decoded(rest)).as_ref(), Some(&resolved));
    }

    #[test]
    fn virtual_uris_are_parsed_after_reencoding_by_editors() {
        check(
            "file:///work/support.prompt",
            None,
            Some("angry"),
            "promptls:resolved/support.angry.txt?prompt=file:///work/support.prompt&case=angry",
        );
        check(
            "file:///a%20b/100%25&c=d/x.adk.prompt",
            None,
            None,
            "promptls:resolved/x.adk.txt?prompt=file:///a~2520b/100~2525~26c~3Dd/x.adk.prompt",
        );
        check(
            "file:///w/%C3%A9.pack.json",
            Some("reply to"),
            Some("é"),
            "promptls:resolved/%C3%A9.pack.reply%20to.%C3%A9.txt?prompt=file:///w/~25C3~25A9.pack.json&task=reply~20to&case=~C3~A9",
        );
        check(
            "untitled:Untitled-1",
            None,
            None,
            "promptls:resolved/Untitled-1.txt?prompt=untitled:Untitled-1",
        );
        assert_eq!(Resolved::parse("undefined-placeholder.md"), None);
        assert_eq!(Resolved::parse("resolved/x.txt"), None);
    }
}
