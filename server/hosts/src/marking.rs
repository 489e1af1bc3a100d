//! Insertion of marks before literals in code.
//!
//! As for edits, correctness is not derived but verified: each candidate is tried. The first one
//! counts after which a new scan reads the literal as requested, and everything else as before.

use std::ops::Range;

use promptls_syntax::Dialect;

use crate::finds::Finds;
use crate::host_prompt::HostPrompt;
use crate::language::Language;
use crate::literals;
use crate::marks::OPENERS;

/// The number of examined lines above a literal: it may not be the first one of its statement.
const MAX_LINES: usize = 8;

/// The line continuation of Python, after which no comment is allowed.
const CONTINUES: char = '\\';

/// A comment to insert that marks a literal as a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMark {
    /// The offset in the current source.
    pub at: usize,
    /// The comment without surrounding whitespace, such as `# promptls: adk`.
    pub comment: String,
    /// The comment with the required whitespace and line ends.
    pub written: String,
    /// `true` if it is on its own line.
    pub is_above: bool,
}

/// The mark that makes a text on which frameworks disagree a prompt in a dialect; `None` if no mark
/// has that effect. `literal` is the first one of the text, and `rescan` scans a source.
///
/// Cost: a scan of the source for each candidate, some ten at most.
pub fn new_mark(
    language: Language,
    source: &str,
    literal: &Range<usize>,
    dialect: Dialect,
    rescan: impl Fn(&str) -> Finds,
) -> Option<NewMark> {
    let before = rescan(source);
    let mark_text = format!("{} {}", OPENERS[0], dialect.spec().id);
    let is_right = |mark: &NewMark| {
        let edited = [&source[..mark.at], &mark.written, &source[mark.at..]].concat();
        let moved = |at: usize| if at < mark.at { at } else { at + mark.written.len() };
        has_same_literals(language, source, &edited, moved)
            && adds_prompt(&before, &rescan(&edited), moved(literal.start), dialect)
    };
    candidates(language, source, literal, &mark_text).into_iter().find(is_right)
}

/// The candidates, the best first.
fn candidates(
    language: Language,
    source: &str,
    literal: &Range<usize>,
    mark_text: &str,
) -> Vec<NewMark> {
    let opener = if language == Language::Python { "#" } else { "//" };
    let comment = format!("{opener} {mark_text}");
    let line_end = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let mut candidates = Vec::new();
    let mut behind = literal.start;
    for _ in 0..MAX_LINES {
        let at = line_start(source, behind);
        let line = &source[at..];
        let blanks = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let written = format!("{blanks}{comment}{line_end}");
        let above = source[..at].trim_end_matches(['\r', '\n', '\u{feff}']);
        if !above.ends_with(CONTINUES) {
            candidates.push(NewMark { at, comment: comment.clone(), written, is_above: true });
        }
        if above.is_empty() {
            break;
        }
        behind = above.len();
    }
    if language != Language::Python {
        let comment = format!("/* {mark_text} */");
        let written = format!("{comment} ");
        candidates.push(NewMark { at: literal.start, comment, written, is_above: false });
    }
    candidates
}

/// The start of the line of an offset, after a byte order mark.
fn line_start(source: &str, offset: usize) -> usize {
    let before = source[..offset].rfind(['\n', '\r']);
    before.map_or(source.len() - source.trim_start_matches('\u{feff}').len(), |end| end + 1)
}

/// `true` if all literals have the same texts as before: a comment inside a literal is none.
fn has_same_literals(
    language: Language,
    source: &str,
    edited: &str,
    moved: impl Fn(usize) -> usize,
) -> bool {
    let before = literals(language, source).into_iter();
    let after = literals(language, edited).into_iter();
    let text = |decoded: &Option<crate::Decoded>| decoded.as_ref().map(|it| it.text().to_owned());
    let before = before.map(|(range, it)| (moved(range.start), moved(range.end - 1), text(&it)));
    before.eq(after.map(|(range, it)| (range.start, range.end - 1, text(&it))))
}

/// `true` if there is exactly one additional prompt, with this start, and no other difference.
fn adds_prompt(before: &Finds, after: &Finds, start: usize, dialect: Dialect) -> bool {
    let is_it = |prompt: &&HostPrompt| {
        prompt.literals.first().is_some_and(|first| first.start == start)
            && prompt.dialect == dialect
    };
    let others = after.prompts.iter().filter(|prompt| !is_it(prompt));
    let what = |prompt: &HostPrompt| (prompt.dialect, prompt.text.text().to_owned());
    after.prompts.len() == before.prompts.len() + 1
        && others.map(what).eq(before.prompts.iter().map(what))
        && after.conflicts.len() + 1 == before.conflicts.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find_with;

    /// The host with a mark for its first conflict; `refused` if there is none.
    fn marked(language: Language, source: &str) -> String {
        let rescan = |source: &str| find_with(language, source, &[], &[]);
        let finds = rescan(source);
        let literal = &finds.conflicts.first().expect("frameworks disagree").literal;
        let mark = new_mark(language, source, literal, Dialect::Agentle, rescan);
        mark.map_or("refused".to_owned(), |mark| {
            [&source[..mark.at], &mark.written, &source[mark.at..]].concat()
        })
    }

    /// Checks the marked form of the part of a host with the text.
    #[track_caller]
    fn check(language: Language, host: &str, before: &str, expected: &str) {
        let marked = marked(language, &host.replace("TEXT", before));
        let part = match host.split_once("TEXT") {
            Some((start, end)) if marked != "refused" => {
                let rest = marked.strip_prefix(start).expect("it starts as before");
                rest.strip_suffix(end).expect("it ends as before")
            }
            _ => &marked,
        };
        assert_eq!(part, expected);
    }

    const PYTHON: &str = "from google.adk.agents import LlmAgent\n\
        from agentle.prompts import Prompt\nTEXT\nLlmAgent(name='a', instruction=PLAN)\n\
        Prompt.from_text(PLAN)\n";

    #[test]
    fn in_python_the_mark_has_its_own_line() {
        for (before, expected) in [
            ("PLAN = 'x'", "# promptls: agentle\nPLAN = 'x'"),
            ("PLAN = (\n  'x'\n  'y')", "PLAN = (\n  # promptls: agentle\n  'x'\n  'y')"),
            // No comment may follow a backslash.
            ("PLAN = \\\n  'x'", "# promptls: agentle\nPLAN = \\\n  'x'"),
            ("if 1:\n\tPLAN = 'x'", "if 1:\n\t# promptls: agentle\n\tPLAN = 'x'"),
            // The mark would apply to the first string.
            ("A = 'y'; PLAN = 'x'", "refused"),
            // The mark would be a part of the other string.
            ("A = '''\n'''; PLAN = 'x'", "refused"),
        ] {
            check(Language::Python, PYTHON, before, expected);
        }
    }

    #[test]
    fn the_mark_has_the_line_endings_of_the_file() {
        let host = PYTHON.replace('\n', "\r\n");
        check(Language::Python, &host, "PLAN = 'x'", "# promptls: agentle\r\nPLAN = 'x'");
        let first = "\u{feff}PLAN = 'x'; from google.adk.agents import *\n\
            from agentle.prompts import Prompt\nLlmAgent(instruction=PLAN)\nPrompt.from_text(PLAN)\n";
        let marked = marked(Language::Python, first);
        assert!(marked.starts_with("\u{feff}# promptls: agentle\nPLAN"), "{marked}");
    }

    const JAVA: &str = "import com.google.adk.agents.LlmAgent;\nimport com.paragon.prompts.Prompt;\n\
        class A {\n  TEXT\n  Object a = LlmAgent.builder().instruction(PLAN).build();\n  \
        Object b = Prompt.of(PLAN);\n}\n";

    #[test]
    fn in_other_languages_the_mark_may_directly_precede_the_string() {
        let plan = "static final String PLAN =";
        for (before, expected) in [
            (format!("{plan} \"x\";"), format!("// promptls: agentle\n  {plan} \"x\";")),
            (
                format!("{plan}\n    \"\"\"\n    x\"\"\";"),
                format!("{plan}\n    // promptls: agentle\n    \"\"\"\n    x\"\"\";"),
            ),
            (
                format!("static final String A = \"y\"; {plan} \"x\";"),
                format!("static final String A = \"y\"; {plan} /* promptls: agentle */ \"x\";"),
            ),
        ] {
            check(Language::Java, JAVA, &before, &expected);
        }
    }
}
