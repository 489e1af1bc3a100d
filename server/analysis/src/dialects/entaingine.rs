//! entAIngine: names in upper case, and outputs of tasks.

mod outputs;
mod values;

use crate::advice::{Advice, Outputs};
use crate::diagnose::checker::Checker;
use crate::near_miss::{NearMiss, Remark};

pub(crate) static ADVICE: Entaingine = Entaingine;

pub(crate) struct Entaingine;

impl Advice for Entaingine {
    fn near_miss(&self, found: &NearMiss<'_>) -> Option<Remark> {
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

    fn correction(&self, found: &NearMiss<'_>) -> Option<String> {
        match is_upper_name(found.word) {
            true => Some(format!("{{{}}}", found.word)),
            false => Some(format!("{{{}}}", upper_name(found)?)),
        }
    }

    fn check_values(&self, checker: &mut Checker<'_>) {
        values::check(checker);
    }

    fn check_names(&self, checker: &mut Checker<'_>) {
        values::check_order(checker);
    }

    fn outputs(&self) -> Option<&'static dyn Outputs> {
        Some(&outputs::OfTasks)
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
