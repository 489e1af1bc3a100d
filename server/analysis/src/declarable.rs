//! Whether a name is one that an author declares.

use promptls_resolver::{effective_name, root};

use crate::dialects::advice;
use crate::snapshot::Snapshot;

/// Whether a name in braces means a value of the author's, which may be declared: no file, no
/// fragment, no item of a loop, and nothing that the engine names or brings itself.
pub(crate) fn can_be_declared(snapshot: &Snapshot, name: &str) -> bool {
    let dialect = snapshot.dialect();
    let spec = dialect.spec();
    let first = root(dialect, name);
    !first.is_empty()
        && spec.item != Some(first)
        && !spec.file_prefix.is_some_and(|prefix| first.starts_with(prefix))
        && snapshot.declarations.fragment_name(dialect, name).is_none()
        && !dialect.is_engine_key(first)
        && !dialect.injects(first)
        && effective_name(dialect, name) == name
        && (advice(dialect).foreign_name)(name).is_none()
}
