//! Checks CHANGELOG.md against `CONTRIBUTING.md` and the format that it follows.

use promptls_resolver::{Code, ENGINES};

/// The maximum number of entries of a version, and of words in an entry.
const MAX_ENTRIES: usize = 60;
const MAX_WORDS: usize = 25;

const GROUPS: [&str; 6] = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

fn changelog() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../CHANGELOG.md");
    std::fs::read_to_string(path).expect("there is a changelog")
}

#[test]
fn entries_are_few_short_and_in_groups() {
    let changelog = changelog();
    for version in changelog.split("\n## ").skip(1) {
        let entries: Vec<&str> = version.lines().filter(|it| it.starts_with("- ")).collect();
        assert!((1..=MAX_ENTRIES).contains(&entries.len()), "{} entries", entries.len());
        for entry in entries {
            let words = entry.split_whitespace().count() - 1;
            assert!(words <= MAX_WORDS, "{words} words: {entry}");
        }
        let mut groups = version.lines().filter_map(|line| line.strip_prefix("### "));
        assert!(groups.all(|group| GROUPS.contains(&group)));
    }
}

#[test]
fn the_numbers_of_the_changelog_match_the_program() {
    let changelog = changelog();
    assert!(changelog.contains(&format!("{} rules", Code::ALL.len())));
    assert_eq!(ENGINES.len(), 19, "the changelog says nineteen");
}
