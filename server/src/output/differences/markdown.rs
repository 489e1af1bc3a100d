//! A comment on a pull request: a table of the texts that differ, and the words in collapsed
//! sections.
//!
//! GitHub rejects comments above a maximum length. The table comes first. Omitted rows and texts
//! are counted.

use promptls_protocol::{DiffOutput, Difference};

use super::{cases, has_words, html_lines, in_case, name, summary, tokens, verb, word_counts};

/// The maximum length of a comment on GitHub, in UTF-16 units: no other unit gives a larger number.
const LONGEST: usize = 65_536;

/// The maximum length of the table; the rest is for words.
const LONGEST_TABLE: usize = LONGEST / 2;

/// Reserved for the final line about omitted parts.
const RESERVED: usize = 500;

/// A comment of at most 65,536 characters.
pub fn comment(report: &DiffOutput) -> String {
    let mut comment = format!("### promptls: {}\n", text(&summary(report)));
    if report.differences.is_empty() {
        return comment;
    }
    comment.push_str("\n| prompt | case | change | words | tokens |\n|---|---|---|---|---|\n");
    let all = report.differences.iter();
    let left = append(&mut comment, all.clone().map(row), LONGEST_TABLE);
    if left > 0 {
        comment.push_str(&format!("\n{left} more have no room here.\n"));
    }
    let words = all.filter(|it| has_words(it)).map(details);
    let left = append(&mut comment, words, LONGEST - RESERVED);
    if left > 0 {
        comment.push_str(&format!(
            "\nThe words of {left} more have no room here; `promptls diff` prints them.\n"
        ));
    }
    comment
}

/// Appends the pieces that fit; returns the number of those that do not.
fn append(comment: &mut String, pieces: impl Iterator<Item = String>, most: usize) -> usize {
    let len = |text: &str| text.encode_utf16().count();
    let mut used = len(comment);
    let mut left = 0;
    for piece in pieces {
        let more = len(&piece);
        if used + more > most {
            left += 1;
        } else {
            used += more;
            comment.push_str(&piece);
        }
    }
    left
}

fn row(difference: &Difference) -> String {
    let moved = difference.moved_from.as_deref();
    let moved = moved.map(|was| format!(" (was {})", text(was))).unwrap_or_default();
    format!(
        "| {}{moved} | {} | {} | {} | {} |\n",
        text(&name(difference)),
        text(&cases(difference).join(", ")),
        verb(difference),
        word_counts(difference),
        tokens(difference)
    )
}

fn details(difference: &Difference) -> String {
    let title = text(&format!("{}{}", name(difference), in_case(difference)));
    let lines = html_lines(difference).join("\n");
    format!("\n<details><summary>{title}</summary>\n\n<pre>\n{lines}\n</pre>\n\n</details>\n")
}

/// Text escaped so that no part of it is Markdown, HTML or a mention.
fn text(text: &str) -> String {
    let mut written = String::new();
    for character in crate::output::visible::visible_line(text).chars() {
        let is_plain = !character.is_ascii_punctuation() || "-./,:".contains(character);
        match is_plain {
            true => written.push(character),
            false => written.push_str(&format!("&#{};", u32::from(character))),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use promptls_analysis::TokenEncoding;
    use promptls_workspace::SentText;

    use super::super::{Side, difference};
    use super::*;

    fn report(file: &str, count: usize, right: &str) -> DiffOutput {
        let sent = |text: &str| SentText { text: text.to_owned(), error: None };
        let (left, right) = (sent("a"), sent(right));
        let of = || {
            let side =
                |sent, revision| Side { sent: Some(sent), case: Some("c|1"), revision, note: None };
            let encoding = TokenEncoding::default();
            difference(
                file.to_owned(),
                None,
                &side(&left, Some("main")),
                &side(&right, None),
                encoding,
            )
        };
        let differences: Vec<Difference> = (0..count).map(|_| of()).collect();
        DiffOutput {
            version: 1,
            from: Some("main".to_owned()),
            to: None,
            compared: count,
            differences,
        }
    }

    #[test]
    fn texts_are_escaped_in_markdown() {
        let comment = comment(&report("a|b*@x`<i>.prompt", 1, "</pre> <b>\n\n# ``` |"));
        let (table, words) = comment.split_once("<details>").expect("there are words");
        assert_eq!(
            table.lines().filter(|line| line.matches('|').count() == 6).count(),
            3,
            "{table}"
        );
        for markup in ["<i>", "*", "@", "a|b"] {
            assert!(!comment.contains(markup), "{markup}: {comment}");
        }
        assert_eq!(words.matches("</pre>").count(), 1, "{words}");
        assert!(words.contains("&lt;/pre&gt; &lt;b&gt;"), "{words}");
    }

    #[test]
    fn a_comment_is_limited_in_length() {
        for (count, text) in
            [(3_000, "b"), (100, &*"word ".repeat(1_000)), (1, &"é".repeat(70_000))]
        {
            let comment = comment(&report("prompts/some.adk.prompt", count, text));
            assert!(comment.encode_utf16().count() <= LONGEST);
            assert!(comment.contains("no room here"), "{count}");
            assert_eq!(comment.matches("<pre>").count(), comment.matches("</pre>").count());
        }
    }
}
