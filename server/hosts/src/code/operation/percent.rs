//! Conversions with a percent sign: `String.format` of Java, `%` of Python.

use std::sync::LazyLock;

use promptls_data::Decoded;
use regex::Regex;

use super::text_argument::{PutIn, TextArgument};

/// The language that defines the conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Conversions {
    Java,
    Python,
    Go,
}

impl Conversions {
    /// The pattern of a conversion at the start of a text.
    fn pattern(self) -> &'static Regex {
        /// `%[number$][flags][width][.precision]letter`; `%%` and `%n` only without options.
        static JAVA: &str =
            r"^%(?:[%n]|(?:\d+\$)?[-#+ 0,(<]*\d*(?:\.\d+)?(?:[tT][A-Za-z]|[bBhHsScCdoxXeEfgGaA]))";
        /// `%[(key)][flags][width][.precision][size]letter`; `%%` only without options.
        static PYTHON: &str =
            r"^%(?:%|(?:\([^()]*\))?[-#0 +]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[hlL]?[diouxXeEfFgGcrsa])";
        /// `%[flags][width][.precision]verb`, with `[index]` before each; `%%` only without options.
        static GO: &str = r"^%(?:%|[-#+ 0]*(?:\[\d+\])?(?:\d+|\*)?(?:\.(?:\[\d+\])?(?:\d+|\*)?)?(?:\[\d+\])?[vTtbcdoOqxXUeEfFgGsp])";
        static PATTERNS: LazyLock<[Regex; 3]> =
            LazyLock::new(|| [JAVA, PYTHON, GO].map(|it| Regex::new(it).expect("it is a regex")));
        &PATTERNS[self as usize]
    }
}

/// The text with `%` for `%%`, and arguments or holes for the other conversions; `None` if one is
/// malformed, or if a hole may contain one.
pub(super) fn format(
    text: &Decoded,
    conversions: Conversions,
    arguments: &[TextArgument],
) -> Option<Decoded> {
    let all = text.text();
    if text.has_hole(0..all.len()) {
        return None;
    }
    let mut formatted = Decoded::default();
    let mut values = PutIn::new(arguments);
    // The position of the next argument; unknown after a conversion that may take another one.
    let mut next = Some(0);
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'%', &all.as_bytes()[at..]) {
        let start = at + found;
        formatted.push_part(text, at..start);
        at = start + conversions.pattern().find(&all[start..])?.len();
        let source = text.source(start..at);
        match &all[start..at] {
            "%%" => formatted.push_atomic("%", source),
            "%n" => formatted.push_atomic("\n", source),
            written => {
                let is_text = written == "%s" || conversions == Conversions::Go && written == "%v";
                let position = next.filter(|_| is_text);
                next =
                    next.filter(|_| !written.contains(['*', '$', '<', '[', '('])).map(|it| it + 1);
                values.add(&mut formatted, source, |it| Some(it.position) == position);
            }
        }
    }
    formatted.push_part(text, at..all.len());
    Some(formatted.or_empty_at(text.source(0..0).start))
}

#[cfg(test)]
mod tests {
    use super::Conversions;

    #[track_caller]
    fn check(conversions: Conversions, text: &str, expected: Option<usize>) {
        let found = conversions.pattern().find(text).map(|it| it.len());
        assert_eq!(found, expected, "{conversions:?} {text}");
    }

    #[test]
    fn a_conversion_has_flags_and_numbers_before_its_letter() {
        for (text, expected) in [
            ("%s.", Some(2)),
            ("%%d", Some(2)),
            ("%n", Some(2)),
            ("%1$-5.2f!", Some(8)),
            ("%<tY", Some(4)),
            ("%05d", Some(4)),
            ("% of", Some(3)),
            ("%", None),
            ("%q", None),
            ("%5%", None),
            ("%.s", None),
            ("%t", None),
        ] {
            check(Conversions::Java, text, expected);
        }
        for (text, expected) in [
            ("%(name)s.", Some(8)),
            ("%-*.3ld", Some(7)),
            ("%r", Some(2)),
            ("%%", Some(2)),
            ("%(name", None),
            ("%n", None),
            ("%5%", None),
        ] {
            check(Conversions::Python, text, expected);
        }
    }
}
