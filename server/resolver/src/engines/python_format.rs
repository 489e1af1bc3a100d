//! `str.format` of Python.

use super::profile::{Language, Profile, Span, Version};
use crate::dialects::format::{Alone, PythonBraces};
use crate::python::formatter::Formatter;

static FROM_3_10: PythonBraces<Alone> =
    PythonBraces::new(Formatter { is_311: false, ..Formatter::PYTHON }, Alone);
static FROM_3_11: PythonBraces<Alone> = PythonBraces::new(Formatter::PYTHON, Alone);

pub(super) static PYTHON: Profile = Profile {
    id: "python-format",
    title: "str.format of Python",
    language: Language::Python,
    packages: &[],
    source: "CPython, str.format",
    newest: Version([3, 13, 0]),
    fields: &[],
    spans: &[
        Span {
            from: Version([3, 10, 0]),
            differs: &["`z` is not part of format specifications", "messages are shorter"],
            behaviour: &FROM_3_10,
        },
        Span { from: Version([3, 11, 0]), differs: &["as documented"], behaviour: &FROM_3_11 },
    ],
};
