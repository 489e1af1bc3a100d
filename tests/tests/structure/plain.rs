//! Plain English in comments, counted. The numbers may only fall: whoever lowers a count lowers its
//! limit.

use std::path::Path;
use std::process::Command;

use regex::Regex;

/// Words that make persons of programs, and words of a private language.
const WORDS: [&str; 25] = [
    "anew", "ask", "asked", "asks", "he", "hear", "hears", "him", "his", "knows", "mend", "mended",
    "mending", "mends", "nobody", "said", "say", "says", "somebody", "tell", "tells", "told",
    "who", "whoever", "whom",
];

/// How many of these words stand in comments.
const MOST_WORDS: usize = 60;

/// How many doc comments of Rust are a single line of at most four words.
const MOST_SHORT: usize = 105;

/// How comments begin in files that end so.
const COMMENTS: [(&str, &[&str]); 7] = [
    ("rs", &["//"]),
    ("ts", &["//", "/*", "*"]),
    ("mjs", &["//", "/*", "*"]),
    ("lua", &["--"]),
    ("py", &["#"]),
    ("sh", &["#"]),
    ("toml", &["#"]),
];

/// The lines of a file with comments.
struct Lines {
    path: String,
    /// Without the blanks at their start.
    all: Vec<String>,
    starts: &'static [&'static str],
}

impl Lines {
    fn comments(&self) -> impl Iterator<Item = &String> {
        let is_comment = |line: &&String| self.starts.iter().any(|start| line.starts_with(start));
        self.all.iter().filter(is_comment)
    }
}

/// All files in git that have comments.
fn files() -> Vec<Lines> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let listed = Command::new("git").arg("-C").arg(&top).args(["ls-files", "-z"]).output();
    let listed = String::from_utf8(listed.expect("git runs").stdout).expect("names are UTF-8");
    let lines = |path: &str| {
        let ending = Path::new(path).extension()?.to_str()?;
        let (_, starts) = COMMENTS.iter().find(|(known, _)| *known == ending)?;
        let text = std::fs::read_to_string(top.join(path)).ok()?;
        let all = text.lines().map(|line| line.trim_start().to_owned()).collect();
        Some(Lines { path: path.to_owned(), all, starts })
    };
    let own = listed.split('\0').filter(|path| !path.contains("/dist/"));
    own.filter_map(lines).collect()
}

/// The files with the most of something, for the message.
fn worst(mut counts: Vec<(String, usize)>) -> String {
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let lines = counts.iter().take(10).map(|(path, count)| format!("\n  {count:4} {path}"));
    lines.collect()
}

#[track_caller]
fn check(what: &str, most: usize, count: impl Fn(&Lines) -> usize) {
    let counts: Vec<(String, usize)> =
        files().iter().map(|lines| (lines.path.clone(), count(lines))).collect();
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    assert_eq!(all, most, "{what}: fix new ones, or lower the limit to {all}{}", worst(counts));
}

#[test]
fn comments_have_few_words_about_persons() {
    let words = Regex::new(&format!(r"(?i)\b(?:{})\b", WORDS.join("|"))).expect("it is a regex");
    check("personifying words in comments", MOST_WORDS, |lines| {
        lines.comments().map(|line| words.find_iter(line).count()).sum()
    });
}

#[test]
fn few_doc_comments_are_shorter_than_five_words() {
    check("doc comments of at most four words", MOST_SHORT, |Lines { path, all, .. }| {
        let is_doc = |line: Option<&String>| line.is_some_and(|line| line.starts_with("///"));
        let is_short = |at: &usize| {
            let before = at.checked_sub(1).and_then(|before| all.get(before));
            let is_single = is_doc(all.get(*at)) && !is_doc(before) && !is_doc(all.get(at + 1));
            is_single && all[*at].split_whitespace().count() <= 5
        };
        match path.ends_with(".rs") {
            true => (0..all.len()).filter(is_short).count(),
            false => 0,
        }
    });
}
