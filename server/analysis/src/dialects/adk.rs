//! Google ADK: names with prefixes, and code whose braces the engine treats as placeholders.

mod quoted_keys;

use memchr::memchr2;
use promptls_resolver::{Severity, first_field_of_node, is_in_every_object};
use promptls_syntax::{Dialect, TokenKind};

use crate::advice::{Advice, CodeAround};
use crate::diagnose::checker::Checker;
use crate::diagnose::hazards::{Hazard, InText, is_read_in_several_ways};
use crate::near_miss::{NearMiss, Remark};
use crate::suggest::nearest;

pub(crate) static ADVICE: Adk = Adk;

pub(crate) struct Adk;

impl Advice for Adk {
    fn near_miss(&self, found: &NearMiss<'_>) -> Option<Remark> {
        let word = found.word;
        if found.inside().contains('?') && is_name(found) {
            return match found.may_mean(word) {
                true => found.left_because(&format!(
                    "whitespace is not allowed before `?`; write `{{{word}?}}`"
                )),
                false => None,
            };
        }
        if let Some((prefix, name)) = word.split_once(':') {
            let is_prefix = nearest(prefix, PREFIXES).is_some() || STATE_WORDS.contains(&prefix);
            let may_mean = match name.is_empty() {
                true => !found.is_in_code(),
                false => found.may_mean(name) || found.may_mean(word),
            };
            return match found.is_known(name) || found.is_known(word) || (is_prefix && may_mean) {
                true if name.is_empty() => {
                    found.left_because(&format!("there is no name after `{prefix}:`"))
                }
                true if PREFIXES.contains(&prefix) => found.left_because(&no_name(found, name)),
                true => found.left_because(
                    "only `app:`, `user:`, `temp:` and `artifact.` are allowed before a name",
                ),
                false => None,
            };
        }
        if let Some((root, field)) = word.split_once(['.', '[']) {
            let root = root.trim_end_matches('?');
            let is_state = STATE_WORDS.contains(&root) && !found.is_in_code();
            return if is_state || found.is_known(root) || found.is_known(word) {
                found.left_because("ADK has no nested access")
            } else if root.starts_with(|first: char| first.is_ascii_uppercase())
                && [root, field].into_iter().all(is_ascii_name)
                && !found.is_in_code()
            {
                let remark = found.left_because("only @google/adk 2 in a workflow fills it in")?;
                Some(Remark { severity: Severity::Hint, ..remark })
            } else {
                None
            };
        }
        let is_meant = found.is_known(word) || !found.is_in_code() && found.similar().is_some();
        if is_meant { found.left_because(&no_name(found, word)) } else { None }
    }

    fn correction(&self, found: &NearMiss<'_>) -> Option<String> {
        let word = found.word;
        let mark = if found.token.contains('?') { "?" } else { "" };
        if is_name(found) {
            return Some(format!("{{{word}{mark}}}"));
        }
        if let Some(similar) = found.similar() {
            return Some(format!("{{{similar}{mark}}}"));
        }
        if let Some((prefix, name)) = word.split_once(':') {
            return match nearest(prefix, PREFIXES) {
                Some(prefix) => Some(format!("{{{prefix}:{name}}}")),
                None => known_state(found, prefix, name),
            };
        }
        let (prefix, name) = word.split_once('.')?;
        let prefixed = format!("{prefix}:{name}");
        match found.is_known(&prefixed) {
            true => Some(format!("{{{prefixed}}}")),
            false => known_state(found, prefix, name),
        }
    }

    fn code_around(&self, before: &str, token: &str) -> Option<CodeAround> {
        let always = |what| Some(CodeAround { what, left_by: None });
        let word = before.trim_end_matches(|character: char| character.is_ascii_alphabetic());
        if word.ends_with('\\') && word.len() < before.len() {
            return always("LaTeX");
        }
        // The second argument: `\frac{a}{b}`.
        if before.ends_with('}') && before.rfind('\\').is_some_and(|at| !before[at..].contains(' '))
        {
            return always("LaTeX");
        }
        let sign = [("$", "a template string"), ("\\", "an escaped brace")];
        if let Some((_, what)) = sign.into_iter().find(|(sign, _)| before.ends_with(sign)) {
            return Some(CodeAround { what, left_by: Some("adk-python from 2.10") });
        }
        let inside = token.strip_prefix('{')?.strip_suffix('}')?;
        if inside.starts_with('{') || inside.ends_with('}') {
            return None;
        }
        if inside.contains('\n') && is_head(before, is_word) {
            return always("a block of code");
        }
        let is_blank = |character: char| character <= ' ';
        let (starts_blank, ends_blank) = (inside.starts_with(is_blank), inside.ends_with(is_blank));
        let is_argument = before.ends_with([')', ']']);
        let is_body = before.ends_with(is_word) && (starts_blank || ends_blank);
        let is_value = is_head(before, |_| false) && starts_blank && ends_blank;
        if is_argument || is_body || is_value { always("code") } else { None }
    }

    fn check_names(&self, checker: &mut Checker<'_>) {
        quoted_keys::check(checker);
    }

    fn hazards(&self) -> &'static [Hazard] {
        HAZARDS
    }

    fn finds_code(&self) -> bool {
        true
    }

    fn in_text(&self) -> Option<&'static InText> {
        Some(&IN_TEXT)
    }
}

const HAZARDS: &[Hazard] = &[
    Hazard::new(
        "is literal text in adk-python 2.10 and later, because of the character before the brace, and a placeholder in other engines",
        |found| found.reads() && !found.is_literal(),
    )
    .only(
        |text| memchr2(b'$', b'\\', text.as_bytes()).is_some(),
        |place| place.is_after(b"$\\"),
    ),
    Hazard::new(
        "has unusual whitespace at one end, which only some ADK engines trim; the others send the braces or look up another name",
        |found| found.reads() || found.used.kind == TokenKind::NearMiss,
    )
    .only(has_unusual_whitespace, |place| has_unusual_end(&place.written())),
    Hazard::new(
        "is a valid name in only some ADK engines; use letters from a to z, digits and `_`",
        |found| {
            !is_ascii_name(found.name)
                && !is_ascii_name(without_prefix(found.name))
                && !has_unusual_end(found.name)
                && found.is_split_otherwise()
        },
    ),
    Hazard::new("always has a value in adk-js, which finds it in every object", |found| {
        found.reads() && is_in_every_object(found.name) && found.may_be_missing()
    })
    .without_value(),
    Hazard::new("is sent as JSON by adk-java and adk-kotlin, as text by the others", |found| {
        found.reads() && found.name.starts_with("artifact.")
    }),
];

const IN_TEXT: InText = InText {
    about: "is filled in by @google/adk 2 in a workflow; all other engines send it unchanged",
    first: first_field_of_node,
};

/// Returns whether a text has characters that [`has_unusual_end`] looks for.
fn has_unusual_whitespace(text: &str) -> bool {
    let is_usual = |byte: u8| matches!(byte, b' '..=b'~' | b'\t'..=b'\r');
    // No early exit, so that many bytes are compared at once.
    !text.bytes().fold(true, |all, byte| all & is_usual(byte))
}

/// Returns whether the text between braces starts or ends with a character that only some engines
/// trim, so that they read different names. Characters inside a name are irrelevant.
fn has_unusual_end(written: &str) -> bool {
    let is_plain = |end: Option<&u8>| end.is_some_and(u8::is_ascii_alphanumeric);
    if is_plain(written.as_bytes().first()) && is_plain(written.as_bytes().last()) {
        return false;
    }
    let inside = written.trim_start_matches('{').trim_end_matches('}');
    let inside = inside.trim_matches([' ', '\t', '\n', '\u{B}', '\u{C}', '\r']);
    let is_unusual = |end: char| end.is_whitespace() || end.is_control() || end == '\u{FEFF}';
    let name = inside.trim_matches(is_unusual);
    name.len() < inside.len() && is_read_in_several_ways(Dialect::Adk, &format!("{{{inside}}}"))
}

fn without_prefix(name: &str) -> &str {
    match name.split_once(':') {
        Some((prefix, name)) if PREFIXES.contains(&prefix) => name,
        _ => name,
    }
}

/// Words that authors write before a dot or a colon when they refer to session state.
const STATE_WORDS: [&str; 5] = ["user", "app", "temp", "session", "state"];

/// The valid prefixes before a colon.
const PREFIXES: [&str; 3] = ["app", "user", "temp"];

/// Returns whether the word could be the name of a state variable.
fn is_name(found: &NearMiss<'_>) -> bool {
    found.is_fixed_by(Dialect::Adk, &format!("{{{}}}", found.word))
}

/// The reason why a word is not the name of a state variable, with a suggestion.
fn no_name(found: &NearMiss<'_>, name: &str) -> String {
    let is_part = |character: char| is_word(character) || character == '$' || !character.is_ascii();
    let why = match name.chars().find(|character| !is_part(*character)) {
        Some(' ') => "the name of a state variable cannot contain a space".to_owned(),
        Some(other) => format!("the name of a state variable cannot contain `{other}`"),
        None => "the name of a state variable must start with a letter or `_`".to_owned(),
    };
    match found.similar() {
        Some(similar) => format!("{why}; did you mean `{similar}`?"),
        None => why,
    }
}

fn is_ascii_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The name after a word that refers to the state, if it is known. The word alone is weak evidence.
fn known_state(found: &NearMiss<'_>, prefix: &str, name: &str) -> Option<String> {
    (STATE_WORDS.contains(&prefix) && found.is_known(name)).then(|| format!("{{{name}}}"))
}

/// Returns whether a text ends, ignoring whitespace, with a character that precedes a block or a
/// value in code.
fn is_head(before: &str, is_other: fn(char) -> bool) -> bool {
    let before = before.trim_end_matches([' ', '\t']);
    before.ends_with([')', '=', ':', '>']) || before.ends_with(is_other)
}

/// Words in other scripts are not part of code: they are adjacent to intended placeholders.
fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the kind of code around the braces in a text.
    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let start = text.find('{').expect("there is a brace");
        let end = text.rfind('}').expect("it is closed");
        // In `\frac{a}{b}`, the last braces count.
        let start = text[..end].rfind("}{").map_or(start, |at| at + 1);
        let around = ADVICE.code_around(&text[..start], &text[start..=end]);
        assert_eq!(around.map(|around| around.what), expected, "{text}");
    }

    #[test]
    fn prose_next_to_braces_is_not_detected_as_code() {
        for text in [
            "你现在是一个{role}。",
            "v{version}",
            "x{n}",
            "Description: {{ issue }}",
            "Description: {issue}",
            "<b>{name}</b>",
            "名{ a }",
            "Data:{{\n  a\n}}",
            "bar={value}",
            "\"url\": {url}",
            "see (this) {name}",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn code_is_detected_by_the_text_before_braces() {
        check("value{ iv }", Some("code"));
        check("f(x){y}", Some("code"));
        check("a[0]{y}", Some("code"));
        check("data: { url }", Some("code"));
        check("const f = { x }", Some("code"));
        check("() => { x }", Some("code"));
        check("class A {\n  b\n}", Some("a block of code"));
        check("if (a) {\n  b\n}", Some("a block of code"));
        check("\\frac{a}", Some("LaTeX"));
        check("\\frac{a}{b}", Some("LaTeX"));
        check("${name}", Some("a template string"));
        check("${{ name }}", Some("a template string"));
        check("\\{name}", Some("an escaped brace"));
    }

    #[test]
    fn names_after_certain_characters_are_literal_in_some_engines() {
        let left_by = |before| ADVICE.code_around(before, "{x}").and_then(|around| around.left_by);
        assert_eq!(left_by("$"), Some("adk-python from 2.10"));
        assert_eq!(left_by("\\"), Some("adk-python from 2.10"));
        assert_eq!(left_by("\\frac"), None);
    }
}
