//! The words in which two texts differ, human-readable.

use std::time::{Duration, Instant};

use promptls_analysis::{Marks, changed_lines as lines, compare};
use pyo3::prelude::*;

/// The part that is not compared by then counts as changed.
const DEADLINE: Duration = Duration::from_secs(5);

/// The lines that differ, as `[-old-]{+new+}`. A deleted or inserted line break is shown as `↵`.
#[pyfunction]
#[pyo3(name = "_changed_lines")]
pub fn changed_lines(py: Python<'_>, old: &str, new: &str) -> Vec<String> {
    let marks = Marks {
        gone: ["[-", "-]"].map(str::to_owned),
        new: ["{+", "+}"].map(str::to_owned),
        escape: |text| text.into(),
    };
    py.detach(|| {
        let parts = compare(old, new, Some(Instant::now() + DEADLINE));
        lines(old, new, &parts, &marks)
    })
}
