//! Current counts, compared with the accepted ones.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::allocated::Allocated;

/// The counts, by work and by unit.
#[derive(Default, Deserialize)]
pub struct Counts(BTreeMap<String, BTreeMap<String, u64>>);

impl Counts {
    /// Records a count for `work`.
    pub fn add(&mut self, work: &str, counted: &str, count: u64) {
        let of_work = self.0.entry(work.to_owned()).or_default();
        let before = of_work.insert(counted.to_owned(), count);
        assert!(before.is_none(), "{work} has its {counted} already");
    }

    /// Records the number and the bytes of allocations for `work`.
    pub fn add_allocated(&mut self, work: &str, allocated: Allocated) {
        self.add(work, "allocations", allocated.times);
        self.add(work, "allocated bytes", allocated.bytes);
    }

    /// Compares with the expected counts, and lowers these if `UPDATE` is set.
    ///
    /// # Panics
    ///
    /// If any count has grown by more than a tenth.
    pub fn compare(&self) {
        let mut expected: Counts = read("expected.json");
        let raised: Vec<Raised> = read("raised.json");
        if env::var_os("UPDATE").is_some() {
            expected.lower(self);
            let text = serde_json::to_string_pretty(&expected.0).expect("counts are JSON");
            fs::write(path("expected.json"), text + "\n").expect("the counts can be written");
        }
        raised.iter().for_each(|row| row.apply(&mut expected));
        let Differences { grown, shrunk } = self.differences(&expected);
        if !shrunk.is_empty() {
            // Bypasses the test harness, which hides the output of a passing test.
            let _ = writeln!(io::stderr(), "Less work than expected:\n{shrunk}{LOWER}");
        }
        assert!(grown.is_empty(), "more work than expected:\n{grown}{RAISE}");
    }

    /// Lowers counts by more than a tenth to those of another run, and adds those that are missing.
    ///
    /// Smaller differences are noise: the lowest of many runs would soon be too low for most.
    fn lower(&mut self, to: &Counts) {
        for (work, counts) in &to.0 {
            let of_work = self.0.entry(work.clone()).or_default();
            for (counted, &now) in counts {
                let count = of_work.entry(counted.clone()).or_insert(now);
                if is_less(now, *count) {
                    *count = now;
                }
            }
        }
    }

    fn differences(&self, expected: &Counts) -> Differences {
        let mut differences = Differences::default();
        for (work, counts) in &self.0 {
            for (counted, &now) in counts {
                let before = expected.0.get(work).and_then(|counts| counts.get(counted).copied());
                let shown = before.map_or("nothing".to_owned(), |before| before.to_string());
                let lines = match before {
                    Some(before) if is_less(now, before) => &mut differences.shrunk,
                    Some(before) if 10 * now <= 11 * before => continue,
                    _ => &mut differences.grown,
                };
                let _ = writeln!(lines, "  {work}: {counted} from {shown} to {now}");
            }
        }
        differences
    }
}

/// `true` if a count has fallen by more than a tenth.
fn is_less(now: u64, before: u64) -> bool {
    10 * now < 9 * before
}

/// A count that may be above the expected one: a row of `raised.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raised {
    work: String,
    counted: String,
    /// The count that is accepted instead.
    to: u64,
    /// The feature that needs it, and why it cannot do with less.
    feature: String,
    why: String,
    /// The result of `tests/run speed COMMIT`, where the commit is the one before the feature.
    in_turns: String,
}

impl Raised {
    /// Raises an expected count.
    ///
    /// # Panics
    ///
    /// If a reason is missing, or the count is not raised: then the row is out of date.
    fn apply(&self, expected: &mut Counts) {
        let Raised { work, counted, to, feature, why, in_turns } = self;
        let reasons = [feature, why, in_turns];
        assert!(reasons.iter().all(|it| !it.is_empty()), "{work}, {counted}: each row has reasons");
        let count = expected.0.get_mut(work).and_then(|counts| counts.get_mut(counted));
        let count =
            count.unwrap_or_else(|| panic!("raised.json: there is no count of {work}, {counted}"));
        assert!(
            *count < *to,
            "raised.json: {work}, {counted} is not above {count}: delete the row"
        );
        *count = *to;
    }
}

/// How to keep lower counts.
const LOWER: &str = "Keep that: UPDATE=1 cargo test -p promptls-tests --test work";

/// What a higher count needs.
const RAISE: &str = "Counts in expected.json only fall. If a feature needs more, it has a row in \
                     raised.json, with its reason and with the result of tests/run speed.";

/// A line for each count.
#[derive(Debug, Default, PartialEq, Eq)]
struct Differences {
    grown: String,
    shrunk: String,
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/work").join(name)
}

fn read<T: DeserializeOwned>(name: &str) -> T {
    let text = fs::read(path(name)).expect("the file can be read");
    serde_json::from_slice(&text).expect("it is JSON of this form")
}

#[test]
fn growth_of_more_than_a_tenth_is_named() {
    let counts = |of: [u64; 4]| {
        let names = ["same", "a tenth more", "more", "less"].map(str::to_owned);
        Counts([("typing".to_owned(), names.into_iter().zip(of).collect())].into())
    };
    let mut now = counts([100, 110, 111, 89]);
    now.add("typing", "new", 1);
    assert_eq!(
        now.differences(&counts([100; 4])),
        Differences {
            grown: "  typing: more from 100 to 111\n  typing: new from nothing to 1\n".to_owned(),
            shrunk: "  typing: less from 100 to 89\n".to_owned(),
        }
    );
}

#[test]
fn counts_decrease_automatically_and_increase_only_by_a_row() {
    let counts = |a: u64, b: u64| {
        let of_work = [("a".to_owned(), a), ("b".to_owned(), b)].into();
        Counts([("typing".to_owned(), of_work)].into())
    };
    let mut expected = counts(100, 100);
    expected.lower(&counts(89, 200));
    expected.lower(&counts(88, 91));
    assert_eq!(expected.0, counts(89, 100).0);
    let row = r#"{"work":"typing","counted":"b","to":150,"feature":"f","why":"w","in_turns":"t"}"#;
    let row: Raised = serde_json::from_str(row).expect("a row");
    row.apply(&mut expected);
    assert_eq!(expected.0, counts(89, 150).0);
}
