//! What an engine makes of values that no inputs file could have.

use promptls_analysis::Snapshot;
use promptls_resolver::Language;

/// What becomes of dates, decimals, bytes and other values that no inputs file could have, whether
/// a caller in Python or a column of Arrow holds them.
///
/// An engine that is written in Python prints what its program hands to it, so there a column is
/// what `to_pylist` of pyarrow returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The text of Python's `str`; also of a list or dictionary that has such a value inside.
    Printed,
    /// The text of Python's `str`, but inside of lists and dictionaries, where the engine looks for
    /// members, what they stand for.
    PrintedAlone,
    /// What they stand for.
    Data,
}

impl Meaning {
    /// For the named engine of a prompt. A documented one is of no language.
    pub(crate) fn of(snapshot: &Snapshot) -> Meaning {
        let language = snapshot.engines().first().map(|engine| engine.profile.language);
        match (language, snapshot.dialect().spec().paths.has_members()) {
            (Some(Language::Python), false) => Meaning::Printed,
            (Some(Language::Python), true) => Meaning::PrintedAlone,
            _ => Meaning::Data,
        }
    }

    /// Whether the engine is given what a reader in Python returns.
    #[cfg(feature = "arrow")]
    pub(crate) fn is_of_python(self) -> bool {
        self != Meaning::Data
    }
}
