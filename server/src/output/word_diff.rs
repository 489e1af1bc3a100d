//! The words in which two texts differ, for a terminal.

use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use promptls_analysis::{DiffPart, Marks, compare};
use unicode_segmentation::UnicodeSegmentation;

use crate::output::visible::visible;

/// The part that is not compared by then counts as changed.
const DEADLINE: Duration = Duration::from_secs(5);

/// Compares two texts word by word.
pub fn words(left: &str, right: &str) -> Vec<DiffPart> {
    compare(left, right, Some(Instant::now() + DEADLINE))
}

/// The number of words that only the left text has, and that only the right text has.
pub fn counts(left: &str, right: &str, parts: &[DiffPart]) -> [usize; 2] {
    let changed = parts.iter().filter(|part| !part.same);
    changed.fold([0, 0], |[gone, new], part| {
        let count = |text: &str| text.unicode_words().count();
        [gone + count(&left[part.left.clone()]), new + count(&right[part.right.clone()])]
    })
}

/// Changes in terminal notation: `[-old-]{+new+}`.
pub fn marks_of_terminal(colours: bool) -> Marks {
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

#[cfg(test)]
mod tests {
    use promptls_analysis::changed_lines;

    use super::*;

    #[test]
    fn only_lines_with_changes_are_shown() {
        for (left, right, shown) in [
            ("Dear Ada,\nbye", "Dear Grace,\nbye", "Dear [-Ada-]{+Grace+},"),
            ("a", "a\n", "a{+↵+}"),
            ("a\nb\nc", "a\nc", "[-b↵-]"),
            ("", "\u{1b}[2J", "{+␛[2J+}"),
        ] {
            let lines = changed_lines(left, right, &words(left, right), &marks_of_terminal(false));
            assert_eq!(lines, [shown], "{left:?} {right:?}");
        }
    }

    #[test]
    fn words_that_differ_are_counted() {
        let (left, right) = ("say a b, c", "say x b, y z");
        assert_eq!(counts(left, right, &words(left, right)), [2, 3]);
    }
}
