//! The words in which two texts differ, with the lines around them.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use promptls_analysis::{Part, compare};
use unicode_segmentation::UnicodeSegmentation;

use crate::output::visible::visible;

/// What has not been compared by then counts as changed.
const DEADLINE: Duration = Duration::from_secs(5);

/// Compares two texts word by word.
pub fn words(left: &str, right: &str) -> Vec<Part> {
    compare(left, right, Some(Instant::now() + DEADLINE))
}

/// How many words only the left text has, and how many only the right one.
pub fn counts(left: &str, right: &str, parts: &[Part]) -> [usize; 2] {
    let changed = parts.iter().filter(|part| !part.same);
    changed.fold([0, 0], |[gone, new], part| {
        let count = |text: &str| text.unicode_words().count();
        [gone + count(&left[part.left.clone()]), new + count(&right[part.right.clone()])]
    })
}

/// How changes are marked.
pub struct Marks {
    /// Before and behind what is gone.
    pub gone: [String; 2],
    /// Before and behind what is new.
    pub new: [String; 2],
    /// How text is written.
    pub escape: fn(&str) -> Cow<'_, str>,
}

impl Marks {
    /// For a terminal: `[-old-]{+new+}`.
    pub fn of_terminal(colours: bool) -> Marks {
        let around = |colour: AnsiColor, open: &str, close: &str| {
            let style = if colours { colour.on_default() } else { Style::new() };
            [format!("{style}{open}"), format!("{close}{style:#}")]
        };
        Marks {
            gone: around(AnsiColor::Red, "[-", "-]"),
            new: around(AnsiColor::Green, "{+", "+}"),
            escape: |text| visible(text).into(),
        }
    }
}

/// The lines in which something differs. A line break that is gone or new is shown as `↵`.
pub fn changed_lines(left: &str, right: &str, parts: &[Part], marks: &Marks) -> Vec<String> {
    let mut lines = vec![(String::new(), false)];
    let mut add = |text: &str, mark: Option<&[String; 2]>| {
        for (number, piece) in text.split('\n').enumerate() {
            let ends = number < text.matches('\n').count();
            if number > 0 {
                lines.push((String::new(), false));
            }
            let Some((line, is_changed)) = lines.last_mut() else { continue };
            let written = (marks.escape)(piece);
            match mark {
                None => line.push_str(&written),
                Some([open, close]) if ends || !piece.is_empty() => {
                    let end = if ends { "↵" } else { "" };
                    line.push_str(&format!("{open}{written}{end}{close}"));
                    *is_changed = true;
                }
                Some(_) => {}
            }
        }
    };
    for part in parts {
        if part.same {
            add(&left[part.left.clone()], None);
        } else {
            add(&left[part.left.clone()], Some(&marks.gone));
            add(&right[part.right.clone()], Some(&marks.new));
        }
    }
    lines.into_iter().filter(|(_, is_changed)| *is_changed).map(|(line, _)| line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_with_changes_are_shown() {
        for (left, right, shown) in [
            ("Dear Ada,\nbye", "Dear Grace,\nbye", "Dear [-Ada-]{+Grace+},"),
            ("a", "a\n", "a{+↵+}"),
            ("a\nb\nc", "a\nc", "[-b↵-]"),
            ("", "\u{1b}[2J", "{+␛[2J+}"),
        ] {
            let lines = changed_lines(left, right, &words(left, right), &Marks::of_terminal(false));
            assert_eq!(lines, [shown], "{left:?} {right:?}");
        }
    }

    #[test]
    fn words_that_differ_are_counted() {
        let (left, right) = ("say a b, c", "say x b, y z");
        assert_eq!(counts(left, right, &words(left, right)), [2, 3]);
    }
}
