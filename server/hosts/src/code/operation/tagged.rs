//! The tags of template literals in scripts that remove indentation.

use promptls_data::Decoded;

use super::{Blanks, trim};

/// Removes the common indentation as `dedent` of npm does: lines that start in the first column
/// have no part in it. Then removes white space at both ends.
pub(super) fn dedent(text: &Decoded) -> Decoded {
    let indentations = text.text().split('\n').filter_map(|line| {
        let content = line.trim_start_matches(|char| Blanks::Script.contain(char));
        let indentation = line[..line.len() - content.len()].chars().count();
        (indentation > 0 && !content.is_empty()).then_some(indentation)
    });
    let margin = indentations.min().unwrap_or_default();
    trim(
        &without_margin(text, margin, |line| line.starts_with([' ', '\t'])),
        Blanks::Script,
        true,
        true,
    )
}

/// Removes the common indentation as `stripIndent` of `common-tags` does, and white space at both
/// ends.
pub(super) fn strip_indent(text: &Decoded) -> Decoded {
    let is_indentation = |char: char| char != '\n' && Blanks::Script.contain(char);
    let indentations = text.text().split('\n').filter_map(|line| {
        let content = line.trim_start_matches(is_indentation);
        let indentation = line[..line.len() - content.len()].chars().count();
        (!content.is_empty()).then_some(indentation)
    });
    let margin = indentations.min().unwrap_or_default();
    let is_long = |line: &str| line.chars().take(margin).count() == margin;
    trim(&without_margin(text, margin, is_long), Blanks::Script, true, true)
}

/// Removes the common indentation as `ts-dedent` does: that of all lines after the first which have
/// text or blanks. Also removes a line end at the start, and a blank line at the end.
pub(super) fn ts_dedent(text: &Decoded) -> Decoded {
    let all = text.text();
    let is_indentation = |char: char| matches!(char, ' ' | '\t');
    let end = match all.trim_end_matches(is_indentation).strip_suffix('\n') {
        Some(before) => before.len(),
        None => all.len(),
    };
    let text = text.part(0..end);
    let mut at = 0;
    let mut margin: Option<usize> = None;
    for line in text.text().split('\n') {
        let start = at;
        at += line.len() + 1;
        let indentation = line.len() - line.trim_start_matches(is_indentation).len();
        let starts_with_hole = text.has_hole(start..(start + 1).min(text.text().len()));
        let is_blank = line.starts_with(char::is_whitespace);
        let counts = indentation > 0 || !(line.is_empty() || is_blank || starts_with_hole);
        if start > 0 && counts {
            margin = Some(margin.map_or(indentation, |margin| margin.min(indentation)));
        }
    }
    let margin = margin.unwrap_or_default();
    let fits = |line: &str| {
        line.chars().take(margin).filter(|char| is_indentation(*char)).count() == margin
    };
    let mut first = true;
    let dedented = without_margin(&text, margin, |line| !std::mem::take(&mut first) && fits(line));
    let start = usize::from(dedented.text().starts_with('\n'));
    let len = dedented.text().len();
    dedented.part(start..len)
}

/// Removes the first characters of each line that has a margin.
fn without_margin(
    text: &Decoded,
    margin: usize,
    mut has_margin: impl FnMut(&str) -> bool,
) -> Decoded {
    let mut cut = Decoded::default();
    let mut at = 0;
    for line in text.text().split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let skipped = match has_margin(content) {
            true => content.char_indices().nth(margin).map_or(content.len(), |(index, _)| index),
            false => 0,
        };
        cut.push_part(text, at + skipped..at + line.len());
        at += line.len();
    }
    cut.or_empty_at(text.source(0..0).start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected texts are those of the packages.
    #[test]
    fn each_tag_removes_what_its_package_removes() {
        type Remove = fn(&Decoded) -> Decoded;
        for (remove, text, expected) in [
            (dedent as Remove, "\n  a\n    b\n\n  c\n  ", "a\n  b\n\nc"),
            (dedent, "a\n    b\n      c", "a\nb\n  c"),
            (dedent, "\n  a\nb\n    c", "a\nb\n  c"),
            (dedent, "\n   \n  a\n     \n  b", "a\n   \nb"),
            (strip_indent, "\n  a\n    b\n", "a\n  b"),
            (strip_indent, "a\n    b", "a\n    b"),
            (ts_dedent, "\n  a\n    b\n\n  c\n  ", "a\n  b\n\nc"),
            (ts_dedent, "a\n  b\n    c", "a\nb\n  c"),
            (ts_dedent, "\n  a\nb", "  a\nb"),
            (ts_dedent, "\n  a  \n\n", "a  \n"),
            (ts_dedent, "\n  a\n \n  b\n", " a\n\n b"),
            (ts_dedent, "\n\ta\n\t\tb", "a\n\tb"),
            (strip_indent, "\n  a\n \n  b\n", "a\n \nb"),
        ] {
            let mut written = Decoded::default();
            written.push_equal(text, 0);
            assert_eq!(remove(&written).text(), expected, "{text:?}");
        }
    }
}
