//! Google ADK: names with prefixes, and code whose braces are taken for placeholders.

use crate::advice::Advice;
use crate::near_miss::NearMiss;
use crate::suggest::nearest;

pub(crate) const ADVICE: Advice =
    Advice { code_around: Some(code_around), ..Advice::new(near_miss, mended) };

/// Words that people put before a dot or a colon where they think of session state.
const STATE_WORDS: [&str; 5] = ["user", "app", "temp", "session", "state"];

/// What may stand before a colon.
const PREFIXES: [&str; 3] = ["app", "user", "temp"];

fn near_miss(found: &NearMiss<'_>) -> Option<String> {
    let word = found.word;
    if found.inside().contains('?') {
        return found.left_because(&format!("no blank may stand before `?`; write `{{{word}?}}`"));
    }
    if let Some((prefix, name)) = word.split_once(':') {
        let is_prefix = nearest(prefix, PREFIXES).is_some() || STATE_WORDS.contains(&prefix);
        return match is_prefix || found.is_known(name) || found.is_known(word) {
            true if name.is_empty() => {
                found.left_because(&format!("there is no name behind `{prefix}:`"))
            }
            true => found.left_because(
                "only `app:`, `user:`, `temp:` and `artifact.` may stand before a name",
            ),
            false => None,
        };
    }
    if let Some((root, _)) = word.split_once('.') {
        let is_meant = found.is_known(root) || found.is_known(word) || STATE_WORDS.contains(&root);
        return if is_meant {
            found.left_because("there is no nested access in ADK")
        } else {
            None
        };
    }
    match found.is_known(word) {
        true => found.left_because("this is not a valid name of a state variable"),
        false => None,
    }
}

fn mended(found: &NearMiss<'_>) -> Option<String> {
    let word = found.word;
    if found.token.contains('?') {
        return Some(format!("{{{word}?}}"));
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

/// The name behind a word that means the state, if there is such a name: it alone says little.
fn known_state(found: &NearMiss<'_>, prefix: &str, name: &str) -> Option<String> {
    (STATE_WORDS.contains(&prefix) && found.is_known(name)).then(|| format!("{{{name}}}"))
}

/// What kind of code stands right before some braces.
fn code_around(before: &str, token: &str) -> Option<&'static str> {
    let word = before.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    if word.ends_with('\\') && word.len() < before.len() {
        return Some("LaTeX");
    }
    // The second argument: `\frac{a}{b}`.
    if before.ends_with('}') && before.rfind('\\').is_some_and(|at| !before[at..].contains(' ')) {
        return Some("LaTeX");
    }
    if before.ends_with('$') {
        return Some("a template string");
    }
    if token.contains('\n') {
        return Some("a block of code");
    }
    let last = before.trim_end_matches(' ').chars().next_back()?;
    (before.ends_with(|character: char| character.is_alphanumeric() || character == ')')
        || matches!(last, ')' | ':' | '=') && token.contains(' '))
    .then_some("code")
}
