//! Regular expressions of other languages.
//!
//! A pattern is parsed by the rules of its language, which also yields its errors, and then
//! translated for the regex engine in use here. Untranslatable patterns are undecided.

mod emit;
mod javascript;
mod python;

use fancy_regex::{Regex, RegexBuilder};

/// The language of a regular expression.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Flavour {
    /// `re.match`, which is anchored at the start of the text.
    Python,
    /// `RegExp.test` without flags, which works on UTF-16 units.
    JavaScript,
}

/// The result of compiling a pattern for one language.
#[derive(Debug)]
pub(crate) enum Pattern {
    /// The pattern can be matched.
    Ready(CompiledPattern),
    /// The language rejects the pattern, with this message.
    Invalid(String),
    /// The result cannot be determined.
    Undecided,
}

/// A compiled pattern for matching.
#[derive(Debug)]
pub(crate) struct CompiledPattern {
    regex: Regex,
    flavour: Flavour,
    /// `true` if it is valid only for ASCII texts.
    ascii_only: bool,
}

/// The reason why a pattern cannot be matched.
enum Refused {
    Invalid(String),
    Undecided,
}

/// A pattern translated for the regex engine.
struct Translated {
    regex: String,
    ascii_only: bool,
}

/// The maximum nesting of groups; parsers and compilers are recursive.
const MAX_DEPTH: usize = 50;

/// The memory limit of a compiled pattern, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// The maximum number of backtracking steps. The original engines have no limit, and never return.
const MAX_BACKTRACKS: usize = 100_000;

impl Pattern {
    pub fn compile(flavour: Flavour, pattern: &str) -> Pattern {
        let translated = match flavour {
            Flavour::Python => python::translate(pattern),
            Flavour::JavaScript => javascript::translate(pattern),
        };
        let Translated { regex, ascii_only } = match translated {
            Ok(translated) => translated,
            Err(Refused::Invalid(message)) => return Pattern::Invalid(message),
            Err(Refused::Undecided) => return Pattern::Undecided,
        };
        let mut builder = RegexBuilder::new(&regex);
        builder.delegate_size_limit(MAX_BYTES).backtrack_limit(MAX_BACKTRACKS);
        match builder.build() {
            Ok(regex) => Pattern::Ready(CompiledPattern { regex, flavour, ascii_only }),
            Err(_) => Pattern::Undecided,
        }
    }

    /// `true` if a text matches; `None` if that cannot be determined.
    pub fn is_match(&self, text: &str) -> Option<bool> {
        let Pattern::Ready(CompiledPattern { regex, flavour, ascii_only }) = self else {
            return None;
        };
        if *ascii_only && !text.is_ascii() {
            return None;
        }
        match flavour {
            Flavour::JavaScript if !text.is_ascii() => regex.is_match(&javascript::units(text)),
            _ => regex.is_match(text),
        }
        .ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(flavour: Flavour, pattern: &str, matching: &[&str], others: &[&str]) {
        let compiled = Pattern::compile(flavour, pattern);
        for (text, expected) in
            matching.iter().map(|text| (text, true)).chain(others.iter().map(|text| (text, false)))
        {
            assert_eq!(compiled.is_match(text), Some(expected), "{pattern} on {text:?}");
        }
    }

    #[track_caller]
    fn check_undecided(flavour: Flavour, pattern: &str, text: &str) {
        assert_eq!(Pattern::compile(flavour, pattern).is_match(text), None, "{pattern}");
    }

    #[test]
    fn python_matches_from_the_start() {
        let check = |pattern, matching, others| check(Flavour::Python, pattern, matching, others);
        check("b", &["bc"], &["abc", ""]);
        check("^a$", &["a", "a\n"], &["a\n\n", "ab"]);
        check(r"a\Z", &["a"], &["a\n"]);
        check(".$", &["x", "🎉"], &["\n"]);
        check(r"\d+$", &["12", "٣"], &["²", "a"]);
        check(r"\w+$", &["é²名", "_"], &["a\u{301}", "-"]);
        check(r"[^\S]$", &["\u{1C}", "\u{85}", "\u{A0}"], &["\u{FEFF}", "\u{200B}"]);
        check(r"\s$", &["\u{1C}", "\u{85}", "\u{A0}"], &["\u{FEFF}", "\u{200B}"]);
        check(r"a\b", &["a", "a-"], &["ab", "aé"]);
        check(r"\B", &["-"], &["", "a"]);
        check("a{,2}$", &["", "aa"], &["aaa"]);
        check("a{$", &["a{"], &["a"]);
        check("[]a]$", &["]", "a"], &["b"]);
        check(r"[^\W\d]$", &["a"], &["1", "-"]);
        check("(?P<n>a|b)(?=c)", &["ac"], &["a"]);
        check("(?i)yes$", &["YES"], &["no"]);
    }

    #[test]
    fn patterns_that_python_rejects_have_the_error_message_of_python() {
        let cases = [
            ("[", "unterminated character set at position 0"),
            ("a(b", "missing ), unterminated subpattern at position 1"),
            ("a)", "unbalanced parenthesis at position 1"),
            ("*a", "nothing to repeat at position 0"),
            ("^*", "nothing to repeat at position 1"),
            ("a{2}{3}", "multiple repeat at position 4"),
            ("a{2,1}", "min repeat greater than max repeat at position 2"),
            ("a{99999999999}", "the repetition number is too large"),
            (r"a\q", r"bad escape \q at position 1"),
            (r"[\8]", r"bad escape \8 at position 1"),
            ("a\\", "bad escape (end of pattern) at position 1"),
            ("*\\", "bad escape (end of pattern) at position 1"),
            (r"\x4", r"incomplete escape \x4 at position 0"),
            (r"\2", "invalid group reference 2 at position 1"),
            (r"[\777]", r"octal escape value \777 outside of range 0-0o377 at position 1"),
            ("[z-a]", "bad character range z-a at position 1"),
            (r"[\d-z]", r"bad character range \d-z at position 1"),
            ("(?<n>a)", "unknown extension ?<n at position 1"),
            ("(?z)", "unknown extension ?z at position 1"),
            ("(?", "unexpected end of pattern at position 2"),
            ("(?#c", "missing ), unterminated comment at position 0"),
            ("(?<=a+)b", "look-behind requires fixed-width pattern"),
            ("a\n)", "unbalanced parenthesis at position 2 (line 2, column 1)"),
        ];
        for (pattern, expected) in cases {
            match Pattern::compile(Flavour::Python, pattern) {
                Pattern::Invalid(message) => assert_eq!(message, expected, "{pattern}"),
                other => panic!("{pattern} is {other:?}"),
            }
        }
    }

    #[test]
    fn javascript_patterns_match_anywhere_by_utf_16_unit() {
        let check =
            |pattern, matching, others| check(Flavour::JavaScript, pattern, matching, others);
        check("b", &["abc"], &["ac"]);
        check("^a$", &["a"], &["a\n"]);
        check(r"^\d$", &["1"], &["٣"]);
        check(r"^\w$", &["_"], &["é"]);
        check(r"^\s+$", &["\t \u{A0}\u{2028}\u{3000}\u{FEFF}"], &["\u{85}", "\u{1C}", "\u{180E}"]);
        check(r"^[^\s-]$", &["\u{85}", "\u{1C}"], &[" ", "\u{FEFF}", "-"]);
        check("^.$", &["é"], &["🎉", "\u{2028}", "\r"]);
        check("^..$", &["🎉", "ab"], &["é"]);
        check("^🎉$", &["🎉"], &["🎊"]);
        check("^[🎉]$", &[], &["🎉"]);
        check(r"\ud83c", &["🎉"], &["é"]);
        check(r"^[\u0000-\uffff]+$", &["a🎉"], &[""]);
        check(r"\u{1F389}", &[], &["🎉", "u"]);
        check(r"\u{2}", &["uu"], &["u"]);
        check("[]", &[], &["", "a"]);
        check("^[^]$", &["\n"], &["ab"]);
        check(r"^[\w-z]$", &["-", "z"], &["+"]);
        check(r"\q\-\_]}{,2}", &["q-_]}{,2}"], &["q"]);
        check(r"\1\101", &["\u{1}A"], &["1"]);
        check(r"\cA\c", &["\u{1}\\c"], &["cA"]);
    }

    #[test]
    fn patterns_that_javascript_rejects_are_invalid() {
        for pattern in ["(", ")", "*", "a**", "^*", "a{2,1}", "[z-a]", "[a", "\\", "(?i)a", "{1}"] {
            let compiled = Pattern::compile(Flavour::JavaScript, pattern);
            assert!(matches!(compiled, Pattern::Invalid(_)), "{pattern} is {compiled:?}");
        }
    }

    #[test]
    fn undecidable_matches_are_unknown() {
        for pattern in [r"(a)\1", "(?x) a", "a++", "(?>a)", r"\N{DIGIT ONE}", "(?i)é"] {
            check_undecided(Flavour::Python, pattern, "a");
        }
        check_undecided(Flavour::Python, "(?i)k", "\u{212A}");
        check_undecided(Flavour::JavaScript, r"(a)\1", "aa");
        check_undecided(Flavour::JavaScript, &"(".repeat(100_000), "");
        check_undecided(Flavour::Python, &"(?:".repeat(100_000), "");
        // A match that takes too long is undecided as well.
        check_undecided(
            Flavour::JavaScript,
            "^(?:(?=a)a|(?!b)a)*$",
            &format!("{}b", "a".repeat(60)),
        );
    }

    proptest! {
        #[test]
        fn any_pattern_is_compiled_and_matched_without_a_panic(
            pattern in r"[\[\]\\(){}?*+|^$.,:=!<>#Pidwxu0-9a\-é🎉]{0,12}",
            text in "[a-c0\n é🎉]{0,4}",
        ) {
            for flavour in [Flavour::Python, Flavour::JavaScript] {
                let compiled = Pattern::compile(flavour, &pattern);
                let answer = compiled.is_match(&text);
                prop_assert!(answer.is_none() || matches!(compiled, Pattern::Ready(_)));
            }
        }
    }
}
