//! JSON and code whose braces were not doubled.

mod lenient;

use std::ops::Range;

use promptls_resolver::{Code, FileId, Location, Problem};
use promptls_syntax::{TokenKind, TokenRef};

use super::is_literal;
use crate::diagnose::checker::Checker;

pub(crate) use lenient::is_lenient;
use lenient::quoted;

/// Reports each object whose brace is read as a placeholder, and removes all other problems in it.
///
/// Cost: the tokens, and the objects.
pub(super) fn check(checker: &mut Checker<'_>) {
    if !checker.engine().grammar().doubles_braces() || is_literal(checker) {
        return;
    }
    // This runs at each keystroke, and few prompts have such a brace.
    if !checker.snapshot.tree.tokens().any(|found| may_be_object(&found)) {
        return;
    }
    let text = checker.whole().into_owned();
    let mut objects: Vec<Range<usize>> = Vec::new();
    let mut problems = Vec::new();
    for found in checker.snapshot.tree.tokens() {
        let start = found.token.start;
        if !matches!(found.token.kind, TokenKind::Placeholder | TokenKind::Malformed)
            || objects.last().is_some_and(|object| start < object.end)
        {
            continue;
        }
        let message = match kind(&text, start) {
            Some(what) => read_as_placeholder(what),
            None if is_code(checker, &found) => read_as_placeholder("code"),
            None => match refused_entry(checker, &found, &text) {
                Some(message) => message,
                None => continue,
            },
        };
        let range = start..end(&text, start);
        let location = Location { file: FileId::PROMPT, range: start..start + 1 };
        problems.push(Problem::new(Code::JsonBraces, location, message));
        objects.push(range);
        if problems.len() == checker.max {
            break;
        }
    }
    if problems.is_empty() {
        return;
    }
    let is_inside = |problem: &Problem| {
        let range = &problem.location.range;
        let before = objects.partition_point(|object| object.start <= range.start);
        problem.location.file == FileId::PROMPT
            && !range.is_empty()
            && before.checked_sub(1).is_some_and(|at| range.start < objects[at].end)
    };
    checker.problems.retain(|problem| !is_inside(problem));
    checker.problems.extend(problems);
}

/// `true` if an object may start at a token.
fn may_be_object(found: &TokenRef<'_>) -> bool {
    let name = found.name.trim_start();
    match found.token.kind {
        TokenKind::Malformed => true,
        TokenKind::Placeholder => {
            let has_more = found.token.len != found.name.len() + "{}".len();
            let is_special = name.is_empty() || name.starts_with(['"', '\'', '/']);
            is_special || has_more || name.contains(['\n', ':'])
        }
        _ => false,
    }
}

fn read_as_placeholder(what: &str) -> String {
    format!("this {what} is read as a placeholder: double its braces")
}

/// The message about a field that is written like an object whose key has no quotes, `{key: value}`,
/// and that no value makes valid; `None` for others.
fn refused_entry(checker: &Checker<'_>, found: &TokenRef<'_>, text: &str) -> Option<String> {
    let start = found.token.start;
    if found.token.kind != TokenKind::Placeholder || !has_bare_key(&text[start..]) {
        return None;
    }
    // Without specifications, all of it is the name.
    if found.name.contains(':') {
        return (!has_value(checker, found.name)).then(|| read_as_placeholder("code"));
    }
    let error = checker.engine().refused_field(&text[found.token.range()])?;
    let error = error.trim_end_matches('.');
    Some(format!(
        "the engine raises an error: {error}; if this is no placeholder, double its braces"
    ))
}

/// `true` if inputs have a name, or a call beside the prompt may have it.
fn has_value(checker: &Checker<'_>, name: &str) -> bool {
    let mut contracts = checker.snapshot.host.iter().flat_map(|host| &host.contracts);
    checker.snapshot.is_known(name)
        || contracts.any(|call| !call.is_whole || call.keys.iter().any(|key| key.name == name))
}

/// `true` for a brace before a key without quotes and its value. The value starts with whitespace or
/// a quote, as no common specification does.
fn has_bare_key(text: &str) -> bool {
    let inside = after_blanks(text.strip_prefix('{').unwrap_or_default());
    let is_of_key = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '$');
    let value = inside.trim_start_matches(is_of_key);
    let has_key = value.len() < inside.len() && !inside.starts_with(|it: char| it.is_numeric());
    let value = value.trim_start().strip_prefix(':');
    let is_value = |value: &str| {
        value.starts_with(|it: char| it.is_whitespace() || matches!(it, '"' | '\'' | '`'))
    };
    has_key && value.is_some_and(is_value)
}

/// `true` if a field has several lines and no value.
fn is_code(checker: &Checker<'_>, found: &TokenRef<'_>) -> bool {
    found.token.kind == TokenKind::Placeholder
        && found.name.contains('\n')
        && !checker.snapshot.is_known(found.name)
}

/// `JSON` if an object starts at a brace.
fn kind(text: &str, start: usize) -> Option<&'static str> {
    if !text[start..].starts_with('{') {
        return None;
    }
    let inside = after_blanks(&text[start + 1..]);
    if let Some(quoted) = quoted(inside)
        && inside[quoted..].trim_start().starts_with(':')
    {
        return Some("JSON");
    }
    // An empty object is the value of a key.
    let is_empty = inside.starts_with('}');
    let before = text[..start].trim_end();
    let before = before.strip_suffix(':').map(str::trim_end);
    (is_empty && before.is_some_and(|before| before.ends_with(['"', '\'']))).then_some("JSON")
}

/// The text after whitespace and comments.
fn after_blanks(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(comment) = rest.strip_prefix("//") {
        rest = comment.find('\n').map_or("", |end| &comment[end..]).trim_start();
    }
    rest
}

/// The end of the object that starts at a brace: after the balancing one, or the end of the text.
/// Braces in double quotes do not count.
pub(crate) fn end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (start, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'"' => at += quoted(&text[at..]).map_or(0, |len| len - 1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_json_begin_with_a_quoted_key() {
        for (text, expected) in [
            (r#"{"a": 1}"#, Some("JSON")),
            ("{\n  // note\n  'a' : 1}", Some("JSON")),
            (r#"{"a", "b"}"#, None),
            (r#"{"a\"": 1}"#, Some("JSON")),
            ("{a: 1}", None),
            ("{}", None),
            (r#"{"a"#, None),
            (r#"{"a\"#, None),
        ] {
            assert_eq!(kind(text, 0), expected, "{text}");
        }
        assert_eq!(kind(r#"{{"a": {}}}"#, 7), Some("JSON"));
        assert_eq!(kind("Items: {}", 7), None);
    }

    #[test]
    fn keys_without_quotes_are_before_a_value() {
        for (text, expected) in [
            ("{name: 'x'}", true),
            ("{name:'x'}", true),
            ("{ font-size: 1px; }", true),
            ("{\n  name : x}", true),
            ("{price:.2f}", false),
            ("{x:>10}", false),
            ("{x!r: >10}", false),
            ("{0: >10}", false),
            ("{x}", false),
            ("{: x}", false),
        ] {
            assert_eq!(has_bare_key(text), expected, "{text}");
        }
    }

    #[test]
    fn objects_end_at_the_balancing_brace() {
        for (text, expected) in
            [(r#"{"a": {"b": "}"}} c"#, 17), (r#"{"a": 1"#, 7), (r#"{"a": "1"#, 8)]
        {
            assert_eq!(end(text, 0), expected, "{text}");
        }
    }
}
