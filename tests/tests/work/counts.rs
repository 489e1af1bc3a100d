//! Current counts, compared with the accepted ones.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::allocated::Allocated;

/// The counts, by work and by unit.
#[derive(Default)]
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

    /// Compares with the expected counts, or replaces these if `UPDATE` is set.
    ///
    /// # Panics
    ///
    /// If any count has grown by more than a tenth.
    pub fn compare(&self) {
        if env::var_os("UPDATE").is_some() {
            let text = serde_json::to_string_pretty(&self.0).expect("counts are JSON");
            fs::write(expected_path(), text + "\n").expect("the counts can be written");
            return;
        }
        let expected = fs::read(expected_path()).expect("the counts can be read");
        let expected = Counts(serde_json::from_slice(&expected).expect("they are JSON"));
        let Differences { grown, shrunk } = self.differences(&expected);
        if !shrunk.is_empty() {
            // Bypasses the test harness, which hides the output of a passing test.
            let _ = writeln!(io::stderr(), "Less work than expected:\n{shrunk}{ACCEPT}");
        }
        assert!(grown.is_empty(), "more work than expected:\n{grown}{ACCEPT}");
    }

    fn differences(&self, expected: &Counts) -> Differences {
        let mut differences = Differences::default();
        for (work, counts) in &self.0 {
            for (counted, &now) in counts {
                let before = expected.0.get(work).and_then(|counts| counts.get(counted).copied());
                let shown = before.map_or("nothing".to_owned(), |before| before.to_string());
                let lines = match before {
                    Some(before) if 10 * now < 9 * before => &mut differences.shrunk,
                    Some(before) if 10 * now <= 11 * before => continue,
                    _ => &mut differences.grown,
                };
                let _ = writeln!(lines, "  {work}: {counted} from {shown} to {now}");
            }
        }
        differences
    }
}

/// How to accept the changes.
const ACCEPT: &str = "If that is right, take it over: UPDATE=1 cargo test -p promptls-tests --test \
                      work, and say in the commit what it buys.";

/// A line for each count.
#[derive(Debug, Default, PartialEq, Eq)]
struct Differences {
    grown: String,
    shrunk: String,
}

fn expected_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/work/expected.json")
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
