//! The tables in `tests/statements`: the statements of each document, with the command that
//! implements them and the test that verifies it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use promptls_tests::{Workspace, promptls};

/// Reasons why a statement has neither.
const REASONS: [&str; 3] = ["Java", "prose", "editor of the service"];

/// The folders of the named tests, relative to the repository.
const FOLDERS: [&str; 3] = ["", "tests", "tests/tests/stories"];

struct Row {
    /// The file name and the line, as `NAME:LINE`.
    place: String,
    cells: [String; 3],
}

/// The rows of the tables of all documents.
fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("statements");
    let files = fs::read_dir(folder).expect("it is there").map(|file| file.expect("it is").path());
    let documents = files.filter(|file| !file.ends_with("README.md"));
    documents.flat_map(|file| rows_of(&file)).collect()
}

fn rows_of(file: &Path) -> Vec<Row> {
    let text = fs::read_to_string(file).expect("it can be read");
    let name = file.file_name().unwrap_or_default().display();
    let lines = text.lines().enumerate().filter(|(_, line)| line.starts_with('|'));
    // The header, and the line below it.
    let rows = lines.skip(2).map(|(index, line)| {
        let place = format!("{name}:{}", index + 1);
        let cells: Vec<String> = line.trim_matches('|').split(" | ").map(trimmed).collect();
        let cells = cells.try_into().unwrap_or_else(|cells| panic!("{place}: {cells:?}"));
        Row { place, cells }
    });
    rows.collect()
}

fn trimmed(cell: &str) -> String {
    cell.trim().to_owned()
}

/// The texts between pairs of backticks, without these.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn each_statement_has_an_existing_test_or_a_reason() {
    let rows = rows();
    assert!(rows.len() > 250, "{} rows", rows.len());
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut lacking = Vec::new();
    for Row { place, cells } in &rows {
        let [_, _, shown_by] = cells;
        let tests: Vec<&str> = code(shown_by).collect();
        let is_fine = match &tests[..] {
            [] => REASONS.contains(&&**shown_by),
            tests => tests.iter().all(|test| is_there(&repository, test)),
        };
        if !is_fine || cells.iter().any(String::is_empty) {
            lacking.push(format!("{place}: {shown_by}"));
        }
    }
    assert_eq!(lacking, [""; 0]);
}

/// Whether a test `FILE::NAME`, or a vector with that name, exists.
fn is_there(repository: &Path, test: &str) -> bool {
    let Some((file, name)) = test.split_once("::") else { return false };
    let paths: Vec<PathBuf> =
        FOLDERS.iter().map(|folder| repository.join(folder).join(file)).collect();
    let texts = paths.iter().filter_map(|path| fs::read_to_string(path).ok());
    let written = match file.ends_with(".jsonl") {
        true => format!("\"name\": \"{name}\""),
        false => format!("fn {name}("),
    };
    texts.into_iter().any(|text| text.contains(&written))
}

#[test]
fn the_commands_of_the_statements_exist() {
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut unknown = Vec::new();
    for Row { place, cells: [_, command, _] } in rows() {
        for written in code(&command).filter_map(|code| code.strip_prefix("promptls ")) {
            let is_word = |word: &&str| word.chars().all(|letter| letter.is_ascii_lowercase());
            // The first words are the command.
            let most = if written.starts_with("store ") { 2 } else { 1 };
            let words: Vec<&str> = written.split(' ').take_while(is_word).take(most).collect();
            let help = helps.entry(words.join(" ")).or_insert_with(|| help(&words));
            let flags = written.split(' ').filter(|word| word.starts_with("--"));
            let lacking: Vec<&str> = flags.filter(|flag| !help.contains(flag)).collect();
            if help.is_empty() || !lacking.is_empty() {
                unknown.push(format!("{place}: {written} {lacking:?}"));
            }
        }
    }
    assert_eq!(unknown, [""; 0]);
}

/// Empty for an unknown command.
fn help(words: &[&str]) -> String {
    let output = promptls(&[words, &["--help"]].concat()).run();
    if output.code == Some(0) { output.stdout } else { String::new() }
}

/// Commands without requirements are run verbatim.
#[test]
fn the_prompts_of_the_statements_are_created() {
    let workspace = Workspace::new(&[]);
    let mut count = 0;
    for Row { place, cells: [_, command, _] } in rows() {
        let new = |code: &&str| code.starts_with("promptls new ") && code.contains(" --dialect ");
        for written in code(&command).filter(new) {
            let arguments = arguments(written.trim_start_matches("promptls "));
            let output = promptls(&arguments).cwd(workspace.root()).run();
            assert_eq!((output.code, &*output.stderr), (Some(0), ""), "{place}: {written}");
            assert!(output.stdout.len() > 10, "{place}: {written}\n{}", output.stdout);
            count += 1;
        }
    }
    assert!(count > 50, "{count} commands");
}

/// The words of a command line, some of them in single quotes.
fn arguments(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}
