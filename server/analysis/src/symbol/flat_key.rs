//! Keys of inputs files that contain the whole path of a name: `"user.name": …`. Most dialects with
//! paths look for objects, and never find such keys.

use promptls_resolver::{Entry, Step, steps};
use promptls_syntax::{Dialect, PathStyle};

use crate::snapshot::Snapshot;

/// The entry of a case whose key is a path that its dialect resolves step by step.
pub(crate) fn flat_key<'s>(snapshot: &'s Snapshot, case: usize, name: &str) -> Option<&'s Entry> {
    let entry = snapshot.cases.get(case)?.inputs.root.get(name)?;
    object_path(snapshot.dialect(), name).map(|_| entry)
}

/// The keys of the objects for a path; `None` for a single key, or a name without keys.
pub(crate) fn object_path(dialect: Dialect, name: &str) -> Option<Vec<String>> {
    // A step that stands for all outputs is not a key.
    let is_all = |key: &str| dialect.spec().paths == PathStyle::Outputs && key.ends_with("_all");
    let key = |step| match step {
        Step::Key(key) if !is_all(key) => Some(key.to_owned()),
        _ => None,
    };
    let path: Vec<String> = steps(dialect, name).map(key).collect::<Option<_>>()?;
    (path.len() > 1 && !dialect.spec().whole_path_keys).then_some(path)
}
