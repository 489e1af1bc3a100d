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
