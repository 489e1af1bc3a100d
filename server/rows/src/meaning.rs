//! Engine-specific forms of values that inputs files cannot contain.

use promptls_analysis::Snapshot;
use promptls_resolver::Language;

/// The form of dates, decimals, bytes and other values that inputs files cannot contain, from a
/// Python caller or an Arrow column.
///
/// An engine in Python prints the values of its program, so for it a column has the values that
/// pyarrow's `to_pylist` returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The result of Python's `str`; also for a list or dictionary that contains such a value.
    Printed,
    /// The result of Python's `str`; but inside of lists and dictionaries, where the engine looks
    /// up members, the data form.
    PrintedAlone,
    /// The data form, such as ISO 8601 for dates.
    Data,
}

impl Meaning {
    /// The meaning for the named engine of a prompt. A documented engine belongs to no language.
    pub(crate) fn of(snapshot: &Snapshot) -> Meaning {
        let language = snapshot.engines().first().map(|engine| engine.profile.language);
        match (language, snapshot.dialect().spec().paths.has_members()) {
            (Some(Language::Python), false) => Meaning::Printed,
            (Some(Language::Python), true) => Meaning::PrintedAlone,
            _ => Meaning::Data,
        }
    }

    /// `true` if the engine receives the values of a Python reader.
    #[cfg(feature = "arrow")]
    pub(crate) fn is_of_python(self) -> bool {
        self != Meaning::Data
    }
}
