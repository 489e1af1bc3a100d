//! Plain English in comments, messages, documents and names, counted. The numbers may only fall: a
//! change that lowers a count also lowers its limit.

use std::fs;
use std::path::Path;
use std::process::Command;

use regex::Regex;

/// Words that make persons of programs, and words of a private language.
const WORDS: &[&str] = &[
    "anew",
    "anybody",
    "as (?:it is|they are) written",
    "ask(?:s|ed|ing)?",
    "be it",
    "behind the name",
    "comes? to nothing",
    "everybody",
    "goes along",
    "hangs? on (?:chance|what|which|the)",
    "he",
    "hears?",
    "heard",
    "him",
    "his",
    "how grave",
    "in the sight of",
    "knows",
    "lack(?:s|ed|ing)?",
    "le(?:ave|aves|ft) alone",
    "mend(?:s|ed|ing)?",
    "nobody",
    "of (?:ours|theirs)",
    "say(?:s|ing)?",
    "said",
    "somebody",
    "takes? back",
    "tell(?:s|ing)?",
    "told",
    "wants",
    "wanted",
    "whether or not",
    "who(?:ever|m)?",
];

/// What is counted, and the limit of the count.
struct Count {
    what: &'static str,
    part: Part,
    is_counted: fn(&str) -> bool,
    limit: usize,
}

const COUNTS: [Count; 5] = [
    Count { what: "comments", part: Part::Comments, is_counted: is_source, limit: 0 },
    Count { what: "messages", part: Part::Strings, is_counted: is_product, limit: 0 },
    Count { what: "names", part: Part::Names, is_counted: is_product, limit: 5 },
    Count { what: "functions of tests", part: Part::Functions, is_counted: is_rust, limit: 0 },
    Count { what: "documents", part: Part::Text, is_counted: is_source, limit: 0 },
];

/// The maximum number of doc comments of Rust in a single line of at most four words.
const MAX_SHORT: usize = 23;

/// Files that are written by programs, or are examples of prompts.
const GENERATED: [&str; 6] = [
    "server/page/dist/",
    "server/protocol/generated/",
    "tests/benches/README.md",
    "tests/engines/AGREEMENT.md",
    "tests/fuzz/corpora/",
    "tests/prompts/",
];

/// Lines that may contain these words: examples of prompts, values and templates.
const EXCEPT: [&str; 6] = [
    r#"system_template: "Say goodbye to {{custmer}}.""#,
    "Keep meaning, tone and level of formality.",
    r#""output_1": {"text": "Ask the shop.","#,
    "Ask the shop.",
    r#"{"letter": "Who is {author}?","#,
    "`Who is Ada?`.",
];

/// A part of a file.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Comments,
    /// String literals outside of unit tests.
    Strings,
    /// Code without comments and strings, outside of unit tests.
    Names,
    /// Names of functions in tests in Rust, one on each line.
    Functions,
    /// All of a Markdown file, or of a help file of Vim.
    Text,
}

/// Languages, by the endings of files or the program in their first line, and their comments (the
/// first group) and string literals. An apostrophe in a here-document or a quote in a regular
/// expression is taken for a string, which moves words from one count to another at most.
const LANGUAGES: [(&[&str], &str); 8] = [
    (
        &["rs"],
        r##"(//[^\n]*)|'(?:[^'\\\n]|\\[^\n]+?)'|\br#+"[\s\S]*?"#+|\br"[^"]*"|"(?:[^"\\]|\\[\s\S])*""##,
    ),
    (
        &["ts", "mjs", "js"],
        r#"(//[^\n]*|/\*[\s\S]*?\*/)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`"#,
    ),
    (&["lua"], r#"(--[^\n]*)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\[\[[\s\S]*?\]\]"#),
    (&["py", "python3"], r#"(\#[^\n]*)|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"#),
    (&["sh", "bash"], r#"(?m)((?:^|\s)\#.*$)|"(?:[^"\\]|\\[\s\S])*"|'[^']*'"#),
    (&["toml"], r#"(\#[^\n]*)|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'"#),
    (&["yaml", "yml"], r#"(?m)((?:^|\s)\#.*$)|[^\s\#][^\n]*"#),
    (&["json"], r#"(//[^\n]*)|"(?:[^"\\\n]|\\.)*""#),
];

fn is_source(path: &str) -> bool {
    !GENERATED.iter().any(|generated| path.starts_with(generated))
}

fn is_rust(path: &str) -> bool {
    is_source(path) && path.ends_with(".rs")
}

/// Files of the product, whose messages and names are counted.
fn is_product(path: &str) -> bool {
    if ["action.yml", ".pre-commit-hooks.yaml"].contains(&path) {
        return true;
    }
    let is_test = path.split('/').any(|part| matches!(part, "test" | "tests" | "tests.rs"));
    let mut folders = ["server/", "syntax/", "editors/"].iter();
    folders.any(|folder| path.starts_with(folder))
        && is_source(path)
        && !is_test
        && !path.ends_with(".toml")
}

/// All files in git: their paths and texts.
fn files() -> Vec<(String, String)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let listed = Command::new("git").arg("-C").arg(&top).args(["ls-files", "-z"]).output();
    let listed = String::from_utf8(listed.expect("git runs").stdout).expect("names are UTF-8");
    let text = |path: &str| Some((path.to_owned(), fs::read_to_string(top.join(path)).ok()?));
    listed.split('\0').filter_map(text).collect()
}

/// The text of a part of a file; empty for files without it.
fn part_of(part: Part, path: &str, text: &str, languages: &[(&[&str], Regex)]) -> String {
    let first = text.lines().next().and_then(|line| line.strip_prefix("#!"));
    let program = first.and_then(|program| program.rsplit(['/', ' ']).next());
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str()).or(program);
    if part == Part::Text {
        let is_text = ending == Some("md") || path.contains("/doc/");
        return if is_text { text.to_owned() } else { String::new() };
    }
    let language = languages.iter().find(|(endings, _)| endings.contains(&ending.unwrap_or("")));
    let Some((_, tokens)) = language else { return String::new() };
    if part == Part::Functions {
        let tests = match is_product(path) {
            true => text.split_once("\nmod tests {").map_or("", |(_, tests)| tests),
            false => text,
        };
        let code = tokens.replace_all(tests, " ");
        let names = code.split("fn ").skip(1).filter_map(|after| after.split(['(', '<']).next());
        return names.map(|name| format!("{}\n", name.replace('_', " "))).collect();
    }
    let text = match part {
        Part::Comments => text,
        _ => text.split("\nmod tests {").next().unwrap_or(text),
    };
    if part == Part::Names {
        return tokens.replace_all(text, " ").replace('_', " ");
    }
    let is_comment = part == Part::Comments;
    let found = tokens.captures_iter(text).filter(|it| it.get(1).is_some() == is_comment);
    found.map(|it| format!("{}\n", &it[0])).collect()
}

/// Fails if a count is not its limit; the message lists the files with the most.
#[track_caller]
fn check(what: &str, limit: usize, mut counts: Vec<(String, usize)>) {
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    let worst = counts.iter().take(10).filter(|(_, count)| *count > 0);
    let worst: String = worst.map(|(path, count)| format!("\n  {count:4} {path}")).collect();
    assert_eq!(all, limit, "{what}: fix new ones, or lower the limit to {all}{worst}");
}

#[test]
fn words_are_those_of_the_field() {
    let words = Regex::new(&format!(r"(?i)\b(?:{})\b", WORDS.join("|"))).expect("it is a regex");
    let languages =
        LANGUAGES.map(|(endings, tokens)| (endings, Regex::new(tokens).expect("it is a regex")));
    let files = files();
    for Count { what, part, is_counted, limit } in COUNTS {
        let count = |(path, text): &(String, String)| {
            let text = part_of(part, path, text, &languages);
            let lines = text.lines().filter(|line| !EXCEPT.iter().any(|it| line.contains(it)));
            (path.clone(), lines.map(|line| words.find_iter(line).count()).sum())
        };
        let counted = files.iter().filter(|(path, _)| is_counted(path));
        check(&format!("words to replace in {what}"), limit, counted.map(count).collect());
    }
}

/// Help of the command line is short on purpose.
#[test]
fn few_doc_comments_are_shorter_than_five_words() {
    let count = |(path, text): (String, String)| {
        let all: Vec<&str> = text.lines().map(str::trim_start).collect();
        let is_doc = |line: Option<&&str>| line.is_some_and(|line| line.starts_with("///"));
        let is_short = |at: &usize| {
            let before = at.checked_sub(1).and_then(|before| all.get(before));
            let is_single = is_doc(all.get(*at)) && !is_doc(before) && !is_doc(all.get(at + 1));
            is_single && all[*at].split_whitespace().count() <= 5
        };
        let count = (0..all.len()).filter(is_short).count();
        (path, count)
    };
    let is_code = |path: &str| path.ends_with(".rs") && !path.starts_with("server/src/args");
    let counted = files().into_iter().filter(|(path, _)| is_code(path));
    check("doc comments of at most four words", MAX_SHORT, counted.map(count).collect());
}
