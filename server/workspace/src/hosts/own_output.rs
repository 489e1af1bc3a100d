//! Detection of files that promptls itself has written: reports, baselines, configs.
//!
//! They mention the names of their own problems. If a report were read as data of the application,
//! it would supply the names that it reports as missing. They are detected by their keys,
//! regardless of their path and name.

mod texts;

use std::path::Path;

use promptls_hosts::Language;

use super::is_code::host_language;
use crate::config::name::CONFIG_NAME;

/// The number of bytes that are examined.
pub const HEAD: usize = 64 << 10;

/// The start of a file with only these keys: what `resolve` writes as messages, or in lines.
const ONLY_KEYS: &[(&str, &[&str])] = &[
    ("[{\"role\":\"", &["role", "content"]),
    ("{\"row\":", LINE_KEYS),
    ("{\"case\":\"", LINE_KEYS),
];

/// The keys of a line of `resolve --format jsonl`, also of one with messages.
const LINE_KEYS: &[&str] =
    &["row", "case", "text", "messages", "role", "content", "error", "kind", "names", "message"];

/// The keys in the head of each format; a file of an application does not have all of one row.
const FORMATS: &[&[&str]] = &[
    // `check --format json`, and a baseline
    &["version", "problems", "file", "code"],
    // SARIF, of any tool
    &["$schema", "version", "runs", "results", "ruleId"],
    // GitLab and Code Climate, of any tool
    &["check_name", "fingerprint", "location"],
    // rdjson of reviewdog, of any tool
    &["diagnostics", "location", "severity", "source"],
    // A line of jsonl
    &["code", "severity", "message", "names", "file", "range"],
    // `check --list`
    &["prompts", "file", "by", "dialect", "cases"],
    // `prompts`
    &["file", "dialect", "language", "why", "range", "map", "holes"],
    // `resolve`
    &["dialect", "text", "error", "problems", "map", "names"],
    // `vars`
    &["dialect", "variables", "required", "uses"],
    // `stats`
    &["version", "texts", "encoding", "tokens", "placeholders"],
    // `diff`
    &["version", "compared", "differences"],
    // `config`
    &["version", "settings", "value", "from"],
];

/// `true` for a config or JSON that promptls has written, which never holds prompts.
///
/// Cost: the head of a file that is JSON by its first character; nothing for other files.
pub fn is_own_data(path: &Path, text: &str) -> bool {
    let head = head(text);
    path.file_name().is_some_and(|name| name == CONFIG_NAME)
        || head.starts_with(['{', '['])
            && (has_format(head) || has_only_keys(head) || head.contains(texts::GENERATED))
}

/// `true` if promptls has written a file, as data or as text, or reads it for itself: it sets no
/// names. A file of data may only look like such a text because it is broken, so this is no reason
/// to pass over its prompts.
///
/// Cost: the head of a file of data; the first line of code.
pub fn is_own_output(path: &Path, text: &str) -> bool {
    let head = head(text);
    if is_own_data(path, head) || texts::is_module_or_log(head) {
        return true;
    }
    if head.starts_with(['{', '[']) {
        return false;
    }
    let is_prose = || !head.is_empty() && !head.starts_with(['/', '"', '#']);
    match host_language(path) {
        Some(Language::Json) => is_prose(),
        Some(Language::Yaml | Language::Toml) => texts::is_report(head),
        _ => false,
    }
}

/// The examined part of a text.
fn head(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    &text[..text.floor_char_boundary(HEAD)]
}

/// `true` if a text begins as one of [`ONLY_KEYS`], and has no other keys.
fn has_only_keys(text: &str) -> bool {
    let mut known = ONLY_KEYS.iter().filter(|(start, _)| text.starts_with(start));
    known.any(|(_, known)| keys(text).all(|key| known.contains(&key)))
}

/// `true` if a text has all keys of a row. Does not allocate, because most JSON files are foreign.
fn has_format(text: &str) -> bool {
    let mut seen = [0_u32; FORMATS.len()];
    for key in keys(text) {
        for (format, seen) in FORMATS.iter().zip(&mut seen) {
            if let Some(column) = format.iter().position(|known| *known == key) {
                *seen |= 1 << column;
                if seen.count_ones() as usize == format.len() {
                    return true;
                }
            }
        }
    }
    false
}

/// The keys of all objects in a text, except those with escapes.
fn keys(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find('"')?;
            let body = &rest[start + 1..];
            let end = string_end(body)?;
            rest = &body[end + 1..];
            if rest.trim_start().starts_with(':') {
                return Some(&body[..end]);
            }
        }
    })
}

/// The offset of the closing quote of a string.
fn string_end(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find(['"', '\\'])?;
        match text.as_bytes()[at] {
            b'"' => return Some(at),
            _ => at += 1 + text[at + 1..].chars().next()?.len_utf8(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_recognised_by_their_keys_and_configs_by_their_name() {
        for (name, text, expected) in [
            ("a.json", r#"{"version": 1, "problems": [{"file": "a", "code": "b\"}"}]}"#, true),
            (
                "a.json",
                "\u{feff} [{\"check_name\": 1, \"fingerprint\": 2, \"location\": {}}]",
                true,
            ),
            ("a/promptls.toml", "runtime = ['usr']", true),
            ("a.json", r#"{"version": 1, "problems": ["file", "code"]}"#, false),
            ("a.json", r#"{"version": "problems", "file": "code"#, false),
            ("a.json", "{\"version\\\\\": ", false),
            ("a.yaml", "version: 1\nproblems: []\nfile: 1\ncode: 1", false),
            ("a.json", "", false),
            ("a.json", "[{\"role\":\"system\",\"content\":\"Hi {usr}\"}]", true),
            ("a.json", "[{\"role\":\"system\",\"content\":\"\",\"usr\":1}]", false),
            ("a.json", "{\"role\":\"system\",\"content\":\"\"}", false),
            ("a.json", "{\"case\":\"a\",\"text\":\"{usr}\"}\n", true),
            ("a.json", "{\"case\":\"a\",\"text\":\"\",\"usr\":1}\n", false),
            ("a.json", "// state\n{\"usr\": 1}", false),
            ("a.yaml", "a: warning [undefined-placeholder] in prose\n", true),
            ("a.yaml", "a: warning [undefined] in prose\n", false),
            ("a.yaml", "usr:  required  string\n", false),
            ("a.py", "# warning [undefined-placeholder]\nstate['usr'] = 1\n", false),
            ("a.py", "\"\"\"Inputs of the agent.\"\"\"\nstate['usr'] = 1\n", false),
            ("a.yaml", "DEBUG promptls::commands: checking\n", true),
            ("a.yaml", "DEBUG: promptly\nusr: 1\n", false),
        ] {
            assert_eq!(is_own_output(Path::new(name), text), expected, "{text}");
        }
    }
}
