//! Keys of inputs files that are written as the path which the prompt has: `"user.name": …`. Most
//! dialects with paths look for objects, and never find them.

use promptls_resolver::{Entry, Step, steps};
use promptls_syntax::{Dialect, PathStyle};

use crate::snapshot::Snapshot;

/// The entry of a case whose key is a path that its dialect walks.
pub(crate) fn flat_key<'s>(snapshot: &'s Snapshot, case: usize, name: &str) -> Option<&'s Entry> {
    let entry = snapshot.cases.get(case)?.inputs.root.get(name)?;
    object_path(snapshot.dialect(), name).map(|_| entry)
}

/// The keys of the objects for a path; `None` for what is one key, or stands for no key.
pub(crate) fn object_path(dialect: Dialect, name: &str) -> Option<Vec<String>> {
    // What stands for all outputs is no key.
    let is_all = |key: &str| dialect.spec().paths == PathStyle::Outputs && key.ends_with("_all");
    let key = |step| match step {
        Step::Key(key) if !is_all(key) => Some(key.to_owned()),
        _ => None,
    };
    let path: Vec<String> = steps(dialect, name).map(key).collect::<Option<_>>()?;
    (path.len() > 1 && !dialect.spec().whole_path_keys).then_some(path)
}
