//! Samples for values that are missing.
//!
//! They are visible in a preview, and contain the name that they stand for: `<topic>`. If a
//! declaration has rules for a text, there are further samples that may fulfil them.

use promptls_resolver::Rules;
use regex_syntax::hir::{Class, Hir, HirKind};

/// The maximum length of a text that is created to fulfil a rule, in characters.
const MAX_TEXT: usize = 10_000;

/// The sample of a text.
pub(crate) fn text(name: &str) -> String {
    format!("<{name}>")
}

/// `true` for the sample of a name, also as earlier versions wrote it.
pub(crate) fn is_sample(written: &str, name: &str) -> bool {
    let inner = |open: char, close: char| written.strip_prefix(open)?.strip_suffix(close);
    [('<', '>'), ('‹', '›')].iter().any(|&(open, close)| inner(open, close) == Some(name))
}

/// Samples of a text with rules, the most informative one first. Any of them may violate a rule.
pub(crate) fn texts(name: &str, rules: &Rules) -> Vec<String> {
    let length = |rule: u64| usize::try_from(rule).unwrap_or(usize::MAX).min(MAX_TEXT);
    let least = rules.min_length.as_ref().map_or(0, |rule| length(rule.value));
    let most = rules.max_length.as_ref().map_or(MAX_TEXT, |rule| length(rule.value));
    let pattern = rules.pattern.as_ref().map(|rule| rule.value.as_str());
    let matching = pattern.and_then(|pattern| regex_syntax::parse(pattern).ok());
    // As few characters as the pattern needs, and as many as the minimum length.
    let matches = [1, least].map(|times| matching.as_ref().and_then(|it| matching_text(it, times)));
    std::iter::once(of_length(name, least, most)).chain(matches.into_iter().flatten()).collect()
}

/// The sample of a text, cut or repeated to a length within these limits.
fn of_length(name: &str, least: usize, most: usize) -> String {
    let mut sample = text(name);
    if sample.chars().count() > most {
        sample = name.to_owned();
    }
    let length = sample.chars().count();
    sample.chars().cycle().take(length.max(least).min(most)).collect()
}

/// A text that matches a pattern, with `times` repetitions as far as the pattern allows. `None` if
/// it would be too long.
fn matching_text(pattern: &Hir, times: usize) -> Option<String> {
    let mut text = String::new();
    write_match(pattern, times, &mut text)?;
    Some(text)
}

/// The parser limits the nesting of patterns to a few hundred levels, so this recursion is bounded.
fn write_match(pattern: &Hir, times: usize, text: &mut String) -> Option<()> {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => text.push(member(class)?),
        HirKind::Capture(capture) => write_match(&capture.sub, times, text)?,
        HirKind::Concat(parts) => {
            parts.iter().try_for_each(|part| write_match(part, times, text))?;
        }
        HirKind::Alternation(ways) => write_match(ways.first()?, times, text)?,
        HirKind::Repetition(repetition) => {
            let most = repetition.max.map_or(usize::MAX, |most| most as usize);
            for _ in 0..times.max(repetition.min as usize).min(most) {
                let before = text.len();
                write_match(&repetition.sub, times, text)?;
                // A repetition that is empty once is always empty.
                if text.len() == before {
                    break;
                }
            }
        }
    }
    (text.len() <= 4 * MAX_TEXT).then_some(())
}

/// A common character of a class: a letter or a digit if there is one.
fn member(class: &Class) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|it| (it.start(), it.end())).collect(),
        Class::Bytes(class) => {
            class.iter().map(|it| (it.start().into(), it.end().into())).collect()
        }
    };
    let is_in =
        |character: char| ranges.iter().any(|(start, end)| (*start..=*end).contains(&character));
    let known = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    known.into_iter().find(|known| is_in(*known)).or_else(|| Some(ranges.first()?.0))
}

#[cfg(test)]
mod tests {
    use promptls_resolver::{Declarations, FileId, Format};
    use proptest::prelude::*;

    use super::*;

    fn samples(validation: &str) -> Vec<String> {
        let text = format!(r#"{{"variables": [{{"name": "code", "validation": {validation}}}]}}"#);
        let declarations = Declarations::parse(&text, Format::Json, FileId(1)).value.unwrap();
        texts("code", &declarations.variables[0].rules)
    }

    #[track_caller]
    fn check(validation: &str, expected: &str) {
        let samples = samples(validation);
        assert!(samples.iter().any(|sample| sample == expected), "{samples:?}");
    }

    #[test]
    fn samples_satisfy_length_limits() {
        check("{}", "<code>");
        check(r#"{"min_length": 8}"#, "<code><c");
        check(r#"{"max_length": 5}"#, "code");
        check(r#"{"max_length": 2}"#, "co");
        check(r#"{"max_length": 0}"#, "");
    }

    #[test]
    fn samples_match_their_pattern() {
        check(r#"{"pattern": "^[A-Z]{2}-\\d+$"}"#, "AA-0");
        check(r#"{"pattern": "^(de|en)(-[a-z]*)?$"}"#, "de-a");
        check(r#"{"pattern": "^[^@]+@é$"}"#, "a@é");
        check(r#"{"pattern": "^x*$", "min_length": 3}"#, "xxx");
    }

    #[test]
    fn expensive_samples_are_not_created() {
        let endless = r#"{"pattern": "^(((|a)*)*)*$", "min_length": 10000}"#;
        assert_eq!(samples(endless)[1..], ["", ""]);
        assert_eq!(samples(r#"{"pattern": "^([ab]{100}){500}$"}"#).len(), 1);
    }

    proptest! {
        /// For any pattern, the created text matches it.
        #[test]
        fn samples_of_any_pattern_match_it(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "é", "[b-d]", "[^a-z]", r"\d", r"\w", r"\s", ".", "(e|f)", "g*", "h+",
                    "i?", "j{2,5}", "(?:kl){3}", "(?i)m", r"\.", "[🙂]",
                ]),
                0..8,
            ),
            times in 0..4_usize,
        ) {
            let pattern = format!("^{}$", parts.concat());
            let text = matching_text(&regex_syntax::parse(&pattern).unwrap(), times).unwrap();
            prop_assert!(regex::Regex::new(&pattern).unwrap().is_match(&text), "{pattern} {text}");
        }
    }
}
