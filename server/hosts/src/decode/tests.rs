//! Checks of the literals of a language.

use crate::{Language, literals};

/// Checks the texts of the literals of each source; `None` for those that cannot be prompts.
#[track_caller]
pub(super) fn check_literals(languages: &[Language], cases: &[(&str, &[Option<&str>])]) {
    for language in languages {
        for (source, expected) in cases {
            let literals = literals(*language, source);
            let texts: Vec<_> =
                literals.iter().map(|(_, text)| Some(text.as_ref()?.text())).collect();
            assert_eq!(texts, *expected, "{source}");
        }
    }
}

/// Checks the start of the literal or comment of each source that has no end.
#[track_caller]
pub(super) fn check_unclosed(language: Language, cases: &[(&str, Option<usize>)]) {
    for (source, expected) in cases {
        assert_eq!(crate::scan::scan(language, source).unwrap().unclosed, *expected, "{source}");
    }
}
