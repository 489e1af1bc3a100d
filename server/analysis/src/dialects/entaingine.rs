//! entAIngine: names in upper case, and outputs of tasks.

mod outputs;
mod values;

use crate::advice::Advice;
use crate::near_miss::{NearMiss, Remark};

pub(crate) const ADVICE: Advice = Advice {
    check_values: values::check,
    check_names: values::check_order,
    outputs: Some(outputs::OUTPUTS),
    ..Advice::new(near_miss, mended)
};

fn near_miss(found: &NearMiss<'_>) -> Option<Remark> {
    let NearMiss { word, .. } = *found;
    // Double braces belong to another language, unless the name is similar to a known one.
    if found.has_two_braces() && !found.is_near(&word.to_ascii_uppercase()) {
        return None;
    }
    if found.is_in_code() && !found.may_mean(word) {
        return None;
    }
    let is_digit = |character: char| character.is_ascii_digit();
    let of_task = word.strip_prefix("task_").or_else(|| word.strip_prefix("Task_"));
    if of_task.is_some_and(|rest| rest.contains("output") || rest.starts_with(is_digit)) {
        return found.left_because("a task's output is `{task_0.output_1}` or `{task_0.output_all}`, optionally with `.chunkSimilarityMetadata` and a key");
    }
    if found.has_blanks() && is_upper_name(word) && found.may_mean(word) {
        return found.left_because(&format!("whitespace is not allowed; write `{{{word}}}`"));
    }
    if let Some(meant) = upper_name(found) {
        return found.left_because(&format!(
            "names are in upper case with underscores; write `{{{meant}}}`"
        ));
    }
    match found.is_known(word) {
        true => found.left_because("names are in UPPER_SNAKE_CASE"),
        false => None,
    }
}

fn mended(found: &NearMiss<'_>) -> Option<String> {
    match is_upper_name(found.word) {
        true => Some(format!("{{{}}}", found.word)),
        false => Some(format!("{{{}}}", upper_name(found)?)),
    }
}

/// The name that a word probably refers to.
fn upper_name(found: &NearMiss<'_>) -> Option<String> {
    let (snake, upper) = (to_snake_case(found.word), found.word.to_ascii_uppercase());
    let known = [&snake, &upper].into_iter().find(|it| is_upper_name(it) && found.is_near(it));
    let by_shape = || {
        let has_shape = |name: &&String| is_upper_name(name) && name.contains('_');
        Some(&upper).filter(has_shape).filter(|name| found.may_mean(name))
    };
    known.or_else(by_shape).cloned()
}

/// Returns whether a word has the form of a name.
fn is_upper_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.split('_').all(|part| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        })
}

/// Converts `fileContent`, `file content` and `file-content` to `FILE_CONTENT`.
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
