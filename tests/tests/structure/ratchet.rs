//! The accepted counts of work fall from commit to commit: a count that must rise has a row in
//! `raised.json`, which states its reason.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Counts, by work and by unit.
type Counts = BTreeMap<String, BTreeMap<String, u64>>;

/// The file in the repository.
const COUNTS: &str = "tests/tests/work/expected.json";

/// The commit since which no count has risen.
const SINCE: &str = "344f3c54";

/// The output of a git command; `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new("git").arg("-C").arg(top).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).expect("it is UTF-8"))
}

/// The counts that are larger in the second of two versions.
fn risen(before: &Counts, after: &Counts) -> String {
    let mut lines = String::new();
    for (work, counts) in after {
        for (unit, &count) in counts {
            let old = before.get(work).and_then(|counts| counts.get(unit)).copied();
            if let Some(old) = old.filter(|&old| old < count) {
                let _ = writeln!(lines, "  {work}: {unit} from {old} to {count}");
            }
        }
    }
    lines
}

/// A clone without history has nothing to compare.
#[test]
fn accepted_counts_do_not_rise() {
    let range = format!("{SINCE}..HEAD");
    let Some(commits) = git(&["log", "--reverse", "--format=%H", &range, "--", COUNTS]) else {
        return;
    };
    let parse = |text: &str| serde_json::from_str::<Counts>(text).expect("counts are JSON");
    let of_commit =
        |commit: &str| git(&["show", &format!("{commit}:{COUNTS}")]).map(|text| parse(&text));
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let now = parse(&fs::read_to_string(top.join(COUNTS)).expect("it is read"));
    let mut before = of_commit(SINCE).expect("the commit has the file");
    let versions = commits.lines().map(|commit| (commit, of_commit(commit).unwrap_or_default()));
    for (commit, counts) in versions.chain([("the working tree", now)]) {
        let risen = risen(&before, &counts);
        assert!(risen.is_empty(), "accepted counts rise in {commit}:\n{risen}");
        before = counts;
    }
}

#[test]
fn a_count_that_rises_is_found() {
    let counts = |count| {
        Counts::from([("a check".to_owned(), BTreeMap::from([("files".to_owned(), count)]))])
    };
    assert_eq!(risen(&counts(1), &counts(2)), "  a check: files from 1 to 2\n");
    assert_eq!(risen(&counts(2), &counts(1)), "");
    assert_eq!(risen(&Counts::new(), &counts(1)), "");
}
