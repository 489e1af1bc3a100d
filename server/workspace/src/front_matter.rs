//! Front matter: metadata of other tools between two lines of dashes, before the prompt.
//!
//! Prompts also use such lines as separators. So front matter requires a second line, and keys
//! between the two.

use promptls_analysis::PromptText;

/// The maximum number of lines up to the second line of dashes.
const MOST_LINES: usize = 400;

/// The maximum number of bytes up to the second line of dashes.
const MOST_BYTES: usize = 64 * 1024;

/// `true` if a text starts with front matter, as the prompts of another tool do.
///
/// Cost: the first line; if that is a line of dashes, the first 64 KiB.
pub fn has_front_matter(text: &PromptText) -> bool {
    let dashes = text.start("\u{FEFF}---".len());
    dashes.trim_start_matches('\u{FEFF}').starts_with("---") && opens(&text.start(MOST_BYTES))
}

fn opens(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{FEFF}').lines().map(str::trim_end);
    if lines.next() != Some("---") {
        return false;
    }
    let lines: Vec<&str> = lines.take(MOST_LINES - 1).collect();
    let Some(end) = lines.iter().position(|line| matches!(*line, "---" | "...")) else {
        return false;
    };
    let mut content = lines[..end].iter().filter(|line| !line.is_empty() && !is_comment(line));
    content.next().is_none_or(|line| starts_with_key(line))
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// `true` if a line is a YAML key with its colon, possibly in quotes.
fn starts_with_key(line: &str) -> bool {
    let is_first = |first: char| first.is_alphabetic() || "_$".contains(first);
    let is_next = |next: char| next.is_alphanumeric() || "_.$/- \t".contains(next);
    let Some((key, rest)) = line.split_once(':') else { return false };
    let key = match key.trim_end() {
        key if key.starts_with(['"', '\'']) && key.len() > 2 => {
            key[1..].strip_suffix(&key[..1]).unwrap_or(key)
        }
        key => key,
    };
    (rest.is_empty() || rest.starts_with([' ', '\t']))
        && key.starts_with(is_first)
        && key.chars().all(is_next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(has_front_matter(&text.into()), expected, "{text:?}");
    }

    #[test]
    fn keys_between_two_lines_of_dashes_are_front_matter() {
        check("---\nmodel: any\n---\nDear {x}", true);
        check("\u{FEFF}--- \r\n\r\n# by hand\r\n\"a key\": 1\r\n...\r\n", true);
        check("---\n$schema/x-y.z :\n  - 1\n---", true);
        check("---\n---\n", true);
        check("---\n\n---\n", true);
    }

    #[test]
    fn horizontal_rules_around_prose_are_no_front_matter() {
        check("---\nDear {x}\n", false);
        check("---\nDear {x}, it is 10:30.\n---\n", false);
        check("---\n- a: b\n---\n", false);
        check("---\nsee https://example.com\n---\n", false);
        check("---\n{x}: y\n---\n", false);
        check("----\na: b\n----\n", false);
        check(" ---\na: b\n---\n", false);
        check("", false);
    }

    #[test]
    fn front_matter_is_limited_to_400_lines() {
        let text = |lines: usize| format!("---\na: b\n{}---\n", "- c\n".repeat(lines));
        check(&text(397), true);
        check(&text(398), false);
    }
}
