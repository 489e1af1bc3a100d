//! Compares two texts word by word, for display.
//!
//! Lines are compared first, then words inside the changed ranges: so a new paragraph does not
//! split the others. The shortest list of changes is often not the most readable one. So a common
//! range between two changes that is shorter than both counts as changed, too.

use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

use similar::algorithms::{Capture, Compact, Replace, myers, patience};
use similar::{DiffOp, DiffTag};
use unicode_segmentation::UnicodeSegmentation;

/// A part of two texts. All parts together cover both, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffPart {
    /// The texts are equal in this part.
    pub same: bool,
    /// The bytes of the left text.
    pub left: Range<usize>,
    /// The bytes of the right text.
    pub right: Range<usize>,
}

/// Compares two texts. Equal and changed parts alternate.
///
/// Text that has not been compared at the deadline counts as changed. Without a clock, as in a
/// browser, there is no deadline. Cost: the texts, and their differences; with a deadline, hardly
/// more than the time until then.
///
/// ```
/// use promptls_analysis::compare;
///
/// let (left, right) = ("Dear Ada,", "Dear Grace,");
/// let parts = compare(left, right, None);
/// let changed = parts.iter().find(|part| !part.same).unwrap();
/// assert_eq!((&left[changed.left.clone()], &right[changed.right.clone()]), ("Ada", "Grace"));
/// ```
pub fn compare(left: &str, right: &str, deadline: Option<Instant>) -> Vec<DiffPart> {
    let lines = |text: &'_ str| text.split_inclusive('\n').map(str::len).collect();
    let by_lines = differences(By::Lines, [left, right], lines, deadline);
    let mut parts = Parts::default();
    for part in by_lines {
        if part.same || part.left.is_empty() || part.right.is_empty() {
            parts.add(part);
            continue;
        }
        let texts = [&left[part.left.clone()], &right[part.right.clone()]];
        let words = |text: &'_ str| text.split_word_bounds().map(str::len).collect();
        let mut stretch = Parts::default();
        for found in differences(By::Words, texts, words, deadline) {
            stretch.add(found);
            stretch.forget_chance();
        }
        for found in stretch.0 {
            parts.add(DiffPart {
                same: found.same,
                left: found.left.start + part.left.start..found.left.end + part.left.start,
                right: found.right.start + part.right.start..found.right.end + part.right.start,
            });
        }
    }
    parts.0
}

/// The marks around removed and new text in an output format.
pub struct Marks {
    /// The marks before and after removed text.
    pub gone: [String; 2],
    /// The marks before and after new text.
    pub new: [String; 2],
    /// Escapes text for the output format.
    pub escape: fn(&str) -> Cow<'_, str>,
}

/// The lines that contain differences. A removed or new line break is shown as `↵`.
pub fn changed_lines(left: &str, right: &str, parts: &[DiffPart], marks: &Marks) -> Vec<String> {
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

/// The pieces by which texts are compared.
#[derive(Clone, Copy)]
enum By {
    Lines,
    Words,
}

/// The changes between two texts, given their lines.
///
/// Cost: the texts, and their differences.
pub fn changes_by_line(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    operations(By::Lines, old, new, None)
}

fn operations(by: By, old: &[&str], new: &[&str], deadline: Option<Instant>) -> Vec<DiffOp> {
    let [all_old, all_new] = [0..old.len(), 0..new.len()];
    // The functions that take an algorithm as a value compile all six, half a megabyte of code.
    let mut found = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = match by {
        By::Lines => patience::diff_deadline(&mut found, old, all_old, new, all_new, deadline),
        By::Words => myers::diff_deadline(&mut found, old, all_old, new, all_new, deadline),
    };
    found.into_inner().into_inner().into_ops()
}

/// Compares two texts by pieces; `split` returns the lengths of the pieces.
fn differences(
    by: By,
    texts: [&str; 2],
    split: impl Fn(&str) -> Vec<usize>,
    deadline: Option<Instant>,
) -> Vec<DiffPart> {
    let [left, right] = texts.map(|text| Pieces::new(text, split(text)));
    let mut parts = Parts::default();
    for difference in operations(by, &left.pieces, &right.pieces, deadline) {
        let (tag, in_left, in_right) = difference.as_tag_tuple();
        let same = tag == DiffTag::Equal;
        parts.add(DiffPart { same, left: left.bytes(in_left), right: right.bytes(in_right) });
    }
    parts.0
}

struct Pieces<'t> {
    pieces: Vec<&'t str>,
    /// The start of each piece, and the end of the last one.
    starts: Vec<usize>,
}

impl<'t> Pieces<'t> {
    fn new(text: &'t str, lengths: Vec<usize>) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        let piece = |len: usize| {
            let start = end;
            end += len;
            starts.push(end);
            &text[start..end]
        };
        Pieces { pieces: lengths.into_iter().map(piece).collect(), starts }
    }

    fn bytes(&self, pieces: Range<usize>) -> Range<usize> {
        self.starts[pieces.start]..self.starts[pieces.end]
    }
}

/// Parts in which equal and changed ones alternate.
#[derive(Default)]
struct Parts(Vec<DiffPart>);

impl Parts {
    fn add(&mut self, part: DiffPart) {
        match self.0.last_mut() {
            Some(last) if last.same == part.same => {
                last.left.end = part.left.end;
                last.right.end = part.right.end;
            }
            _ => self.0.push(part),
        }
    }

    /// Treats the last equal part as changed if it is not longer than both changes around it; then
    /// repeats this for the previous one.
    fn forget_chance(&mut self) {
        let len = |part: &DiffPart| part.left.len().max(part.right.len());
        while let [.., before, same, after] = &self.0[..]
            && same.same
            && len(same) <= len(before).min(len(after))
        {
            let (left, right) = (after.left.end, after.right.end);
            self.0.truncate(self.0.len() - 2);
            if let Some(last) = self.0.last_mut() {
                (last.left.end, last.right.end) = (left, right);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;
    use std::time::Duration;

    use super::*;

    /// The parts in order: equal ones unchanged, changed ones as `[left|right]`.
    fn shown(left: &str, right: &str) -> String {
        let part = |part: DiffPart| match (&left[part.left], &right[part.right]) {
            (text, _) if part.same => text.to_owned(),
            (before, after) => format!("[{before}|{after}]"),
        };
        compare(left, right, None).into_iter().map(part).collect()
    }

    #[track_caller]
    fn check(left: &str, right: &str, expected: Expect) {
        expected.assert_eq(&shown(left, right));
    }

    #[test]
    fn equal_texts_are_one_part() {
        assert_eq!(
            compare("a\nb", "a\nb", None),
            [DiffPart { same: true, left: 0..3, right: 0..3 }]
        );
        assert_eq!(compare("", "", None), []);
    }

    #[test]
    fn words_are_compared_inside_of_lines() {
        check(
            "Dear Ada,\nhow are you?\n",
            "Dear Bob,\nhow are you?\n",
            expect![[r#"
            Dear [Ada|Bob],
            how are you?
        "#]],
        );
        check(
            "It costs 1.50 Euro",
            "It costs 2.50 Euro today",
            expect!["It costs [1.50|2.50] Euro[| today]"],
        );
        check("Café au lait", "Cafe\u{301} au lait", expect!["[Café|Café] au lait"]);
        check("今日は雨です", "今日は雪です", expect!["今日は[雨|雪]です"]);
    }

    #[test]
    fn a_new_paragraph_does_not_split_its_neighbours() {
        check(
            "First you read.\n\nThen you answer.\n",
            "First you read.\n\nThen you think.\n\nThen you answer.\n",
            expect![[r#"
                First you read.

                [|Then you think.

                ]Then you answer.
            "#]],
        );
    }

    #[test]
    fn short_matches_between_changes_are_merged_into_them() {
        check(
            "Answer the customer in the language of the question.",
            "Write a poem of four lines, and end the last of them with a question.",
            expect![
                "[Answer the customer in the language of the|Write a poem of four lines, and end the last of them with a] question."
            ],
        );
        check("say a b c", "say x b y", expect!["say [a|x] b [c|y]"]);
    }

    #[test]
    fn line_endings_are_compared_verbatim() {
        let found = shown("a\r\nb\r\n", "a\nb\n").escape_debug().to_string();
        expect![[r#"a[\r\nb\r\n|\nb\n]"#]].assert_eq(&found);
    }

    #[test]
    fn comparing_large_texts_stops_at_the_deadline() {
        let text = |seed: usize| {
            let words = (0..100_000).map(|word| format!("w{} ", (word * seed) % 99_991));
            words.collect::<String>()
        };
        let started = Instant::now();
        let time = Duration::from_millis(500);
        compare(&text(31), &text(77), Some(started + time));
        // The deadline is checked only occasionally, and test machines are busy.
        assert!(started.elapsed() < 10 * time, "{:?}", started.elapsed());
    }

    proptest! {
        #[test]
        fn the_parts_cover_both_texts(left in "[ab é\\n]{0,30}", right in "[ab é\\n]{0,30}") {
            let (mut at_left, mut at_right, mut last) = (0, 0, None);
            for part in compare(&left, &right, None) {
                prop_assert_eq!((part.left.start, part.right.start), (at_left, at_right));
                let is_same = left[part.left.clone()] == right[part.right.clone()];
                prop_assert_eq!(part.same, is_same);
                prop_assert_ne!(last, Some(part.same));
                (at_left, at_right, last) = (part.left.end, part.right.end, Some(part.same));
            }
            prop_assert_eq!((at_left, at_right), (left.len(), right.len()));
        }
    }
}
