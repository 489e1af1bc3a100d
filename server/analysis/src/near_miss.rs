//! Near misses: whether literal braces were meant as a placeholder, and what to say.

use std::collections::BTreeSet;

use promptls_syntax::{Dialect, near_miss_word};

use crate::suggest::nearest;

/// Words that people put before a dot or a colon where they think of session state.
const STATE_WORDS: [&str; 5] = ["user", "app", "temp", "session", "state"];

/// What to say about literal braces that look like a placeholder; `None` for silence.
///
/// The braces must hold a known name, or come so near to the dialect's own shape that nothing
/// else can be meant. A false alarm is worse than silence.
pub(crate) fn near_miss(dialect: Dialect, token: &str, known: &BTreeSet<&str>) -> Option<String> {
    let word = &token[near_miss_word(token)];
    let is_known = |name: &str| known.contains(name);
    let is_near = |name: &str| is_known(name) || nearest(name, known.iter().copied()).is_some();
    let double = token.starts_with("{{");
    let inside = token.trim_matches(['{', '}']);
    let has_blanks = inside != inside.trim();
    let left = |why: &str| Some(format!("`{token}` is sent as it is: {why}"));
    let first = word.trim_start_matches('.').split(['.', '[']).next().unwrap_or_default();

    match dialect {
        Dialect::AgentEnsemble => {
            let is_name = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            match is_name {
                true if double || is_near(word) => {
                    left(&format!("blanks are not allowed; write `{{{word}}}`"))
                }
                false if is_known(word) => {
                    left("a name holds only letters, digits and underscores")
                }
                _ => None,
            }
        }
        Dialect::Adk => adk(token, word, inside, &is_known),
        Dialect::Entaingine => entaingine(word, has_blanks, known).and_then(|why| left(&why)),
        // Both are of other languages, unless the name is one of ours.
        Dialect::PromptPack if double && !is_known(first) && is_of_others(word, has_blanks) => None,
        Dialect::PromptPack if double => {
            let trimmed = word.trim_matches('.');
            let is_path = is_promptpack_path(word);
            if has_blanks && is_path {
                left(&format!("blanks are not allowed; write `{{{{{word}}}}}`"))
            } else if is_known(word) || is_promptpack_path(trimmed) || is_near(word) {
                left("a path is names joined by dots, with indexes like `[0]`")
            } else {
                None
            }
        }
        Dialect::Agentle if double => {
            if word.starts_with("#if") || word.starts_with("#each") {
                left("a block opens with a space and a path, as in `{{#if path}}`")
            } else {
                left("a closer is exactly `{{/if}}` or `{{/each}}`")
            }
        }
        Dialect::PromptPack | Dialect::Agentle => (is_known(word) && !has_blanks).then(|| {
            format!("`{token}` is sent as it is: a placeholder has two braces, `{{{{{word}}}}}`")
        }),
    }
}

/// What GitHub Actions has names for, as in `${{ github.actor }}`.
const ACTIONS: [&str; 11] = [
    "env", "github", "inputs", "job", "jobs", "matrix", "needs", "runner", "secrets", "steps",
    "vars",
];

/// Whether a path is one of Go's templates, `{{.State.Pid}}`, or an expression of GitHub Actions.
fn is_of_others(word: &str, has_blanks: bool) -> bool {
    let of_go = word.starts_with('.');
    let of_actions =
        has_blanks && word.split_once('.').is_some_and(|(first, _)| ACTIONS.contains(&first));
    of_go || of_actions
}

fn adk(token: &str, word: &str, inside: &str, is_known: &impl Fn(&str) -> bool) -> Option<String> {
    let left = |why: &str| Some(format!("`{token}` is sent as it is: {why}"));
    if inside.contains('?') {
        return left(&format!("no blank may stand before `?`; write `{{{word}?}}`"));
    }
    if let Some((prefix, name)) = word.split_once(':') {
        let near_prefix =
            nearest(prefix, ["app", "user", "temp"]).is_some() || STATE_WORDS.contains(&prefix);
        return match near_prefix || is_known(name) || is_known(word) {
            true if name.is_empty() => left(&format!("there is no name behind `{prefix}:`")),
            true => left("only `app:`, `user:`, `temp:` and `artifact.` may stand before a name"),
            false => None,
        };
    }
    if let Some((root, _)) = word.split_once('.') {
        let meant = is_known(root) || is_known(word) || STATE_WORDS.contains(&root);
        return if meant { left("there is no nested access in ADK") } else { None };
    }
    if is_known(word) { left("this is not a valid name of a state variable") } else { None }
}

fn entaingine(word: &str, has_blanks: bool, known: &BTreeSet<&str>) -> Option<String> {
    if word.starts_with("task_") || word.starts_with("Task_") {
        return Some("a task's output is `{task_0.output_1}` or `{task_0.output_all}`, perhaps with `.chunkSimilarityMetadata` and a key".to_owned());
    }
    let upper = word.to_ascii_uppercase();
    let shape = |name: &str| {
        name.split('_').all(|part| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        }) && name.starts_with(|first: char| first.is_ascii_uppercase())
    };
    if has_blanks && shape(word) {
        return Some(format!("blanks are not allowed; write `{{{word}}}`"));
    }
    let snake = to_snake_case(word);
    let near = |name: &str| known.contains(name) || nearest(name, known.iter().copied()).is_some();
    let meant = [&snake, &upper].into_iter().find(|name| shape(name) && near(name));
    let meant = meant.or_else(|| Some(&upper).filter(|name| shape(name) && name.contains('_')));
    if let Some(meant) = meant {
        return Some(format!("names are in upper case with underscores; write `{{{meant}}}`"));
    }
    known.contains(word).then(|| "a name is SNAKE_CASE in upper case".to_owned())
}

/// `fileContent` to `FILE_CONTENT`.
fn to_snake_case(word: &str) -> String {
    let mut snake = String::new();
    for character in word.chars() {
        if character.is_ascii_uppercase() && snake.ends_with(|c: char| c.is_ascii_lowercase()) {
            snake.push('_');
        }
        snake.push(if matches!(character, '-' | ' ') { '_' } else { character });
    }
    snake.to_ascii_uppercase()
}

fn is_promptpack_path(word: &str) -> bool {
    let name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    word.split('.').all(|step| {
        let (first, indexes) = step.split_at(step.find('[').unwrap_or(step.len()));
        name(first)
            && indexes.split_inclusive(']').all(|index| {
                index.strip_prefix('[').and_then(|index| index.strip_suffix(']')).is_some_and(
                    |digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()),
                )
            })
    })
}

/// A name that is syntax of another template language, and what happens to it in Agentle.
pub(crate) fn foreign_name(dialect: Dialect, name: &str) -> Option<&'static str> {
    if dialect != Dialect::Agentle {
        return None;
    }
    let what = match name {
        "else" => {
            "`{{else}}` does not exist in Agentle; it is a name without a value, and both branches are sent"
        }
        _ if name.starts_with('!') => {
            "comments do not exist in Agentle; this is a name without a value"
        }
        _ if name.starts_with('>') => {
            "partials do not exist in Agentle; this is a name without a value"
        }
        _ if name.starts_with('@') => {
            "`@` variables do not exist in Agentle; this is a name without a value"
        }
        _ if name.starts_with("../") => {
            "`../` does not exist in Agentle; outer names are visible without it"
        }
        _ if name.starts_with('&') || name.starts_with('{') || name.starts_with('^') => {
            "this mark does not exist in Agentle; it is part of the name"
        }
        _ if name.contains(" as |") => "`as |x|` does not exist in Agentle; the item is `this`",
        _ if name.contains(" | ") || name.contains('|') => {
            "filters do not exist in Agentle; this is one long name"
        }
        _ if name.contains("==") || name.starts_with("not ") => {
            "Agentle has no expressions; this is one long name"
        }
        _ => return None,
    };
    Some(what)
}
