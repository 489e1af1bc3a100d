//! Text replacement.

use std::ops::Range;

/// A text after sorted replacements; `None` if some overlap, or if a range is not on character
/// boundaries.
///
/// Cost: the text and the replacements.
///
/// ```
/// use promptls_data::replaced;
///
/// assert_eq!(replaced("a b c", &[(0..1, "x"), (4..5, "")]).as_deref(), Some("x b "));
/// assert_eq!(replaced("a b c", &[(0..3, "x"), (2..5, "")]), None);
/// ```
pub fn replaced<T: AsRef<str>>(text: &str, replacements: &[(Range<usize>, T)]) -> Option<String> {
    let mut after = String::with_capacity(text.len());
    let mut copied = 0;
    for (range, new) in replacements {
        after.push_str(text.get(copied..range.start)?);
        after.push_str(new.as_ref());
        copied = range.end;
    }
    after.push_str(text.get(copied..)?);
    Some(after)
}

/// The smallest edit that turns one text into another: a range of the old one, and its new text.
///
/// ```
/// use promptls_data::difference;
///
/// assert_eq!(difference("a, b, c", "a, x, c"), (3..4, "x".to_owned()));
/// ```
pub fn difference(before: &str, after: &str) -> (Range<usize>, String) {
    let same = |(a, b): &(char, char)| a == b;
    let start: usize =
        before.chars().zip(after.chars()).take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let (rest_before, rest_after) = (&before[start..], &after[start..]);
    let backwards = rest_before.chars().rev().zip(rest_after.chars().rev());
    let end: usize = backwards.take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let (mut start, mut end) = (start, before.len() - end);
    // Never between the two characters of a line ending, because editors have no such position.
    let is_inside = |at: usize| before[..at].ends_with('\r') && before[at..].starts_with('\n');
    start -= usize::from(is_inside(start));
    end += usize::from(is_inside(end));
    let new = after[start..after.len() - (before.len() - end)].to_owned();
    (start..end, new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_of_texts_is_minimal() {
        assert_eq!(difference("abcd", "abXcd"), (2..2, "X".to_owned()));
        assert_eq!(difference("aa", "aaa"), (2..2, "a".to_owned()));
        assert_eq!(difference("é1", "è1"), (0..2, "è".to_owned()));
        assert_eq!(difference("a", "a"), (1..1, String::new()));
        assert_eq!(difference("a\r\nb", "a\rb"), (1..3, "\r".to_owned()));
    }
}
