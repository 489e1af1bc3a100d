//! Validation rules: requirements for the values of a variable besides their type.
//!
//! A rule applies by the kind of the value: lengths and patterns to texts, bounds to numbers, a
//! list of allowed values to everything.

pub(crate) mod pattern;
mod written;

use std::cmp::Ordering;
use std::error::Error;
use std::fmt;

use regex::{Regex, RegexBuilder};

pub(crate) use self::written::WrittenRules;
use crate::findings::excerpt;
use crate::findings::report::Report;
use crate::value::number;
use crate::value::{Object, Value, ValueKind};
use promptls_data::Span;

/// The initial memory limit of a compiled pattern, in bytes; it is multiplied by four on each
/// retry.
///
/// Most patterns take a few kilobytes. `^[\w.+-]{1,64}@[\w-]{1,255}$` takes nearly 16 MiB, because
/// `\w` includes all scripts; nested counters take any amount.
const PATTERN_BYTES: usize = 16 << 10;
const PATTERN_STEPS: usize = 5;

/// The memory limit of all patterns of a file, in bytes, including retries: a second of work at
/// most.
pub(crate) const ALL_PATTERNS_BYTES: usize = 128 << 20;

/// A rule and its range.
#[derive(Clone, Debug)]
pub struct Rule<T> {
    /// The limit, pattern or list that values must satisfy.
    pub value: T,
    /// The range of the rule.
    pub span: Span,
}

/// The rules of a variable; all of them are optional.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The pattern; a text must match it somewhere; `^` and `$` are the ends of the text.
    pub pattern: Option<Rule<Regex>>,
    /// The minimum length of a text, in code points.
    pub min_length: Option<Rule<u64>>,
    /// The maximum length of a text, in code points.
    pub max_length: Option<Rule<u64>>,
    /// The minimum number, in source form.
    pub minimum: Option<Rule<Box<str>>>,
    /// The maximum number, in source form.
    pub maximum: Option<Rule<Box<str>>>,
    /// `enum`: the only allowed values.
    pub allowed: Option<Rule<Vec<Value>>>,
}

/// The kind of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The value does not have the declared type.
    Type,
    /// The value violates a rule.
    Validation,
    /// The engine rejects the declaration.
    Declaration,
}

/// The reason why a value does not match its declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The kind of the violation.
    pub kind: FailureKind,
    /// One sentence without a full stop.
    pub message: String,
    /// The violated type or rule, as a range in the file of the declaration.
    pub rule_span: Option<Span>,
}

/// Writes only the message, without the kind and the range.
impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl Error for Failure {}

impl Rules {
    /// The supported keys of `validation`; keys that resemble them are reported as misspelt.
    pub const KEYS: [&str; 6] =
        ["pattern", "min_length", "max_length", "minimum", "maximum", "enum"];

    /// The first rule that a value of this name violates.
    pub(crate) fn check(&self, name: &str, value: &Value) -> Option<Failure> {
        let by_kind = match &value.kind {
            ValueKind::Number(number) => self.check_number(name, number),
            _ => value.as_text().and_then(|text| self.check_text(name, text)),
        };
        by_kind.or_else(|| self.check_allowed(name, value))
    }

    fn check_text(&self, name: &str, text: &str) -> Option<Failure> {
        let name = || excerpt::of_text(name);
        if let Some(Rule { value: pattern, span }) = &self.pattern
            && !pattern.is_match(text)
        {
            let pattern = excerpt::of_text(pattern.as_str());
            return failure(*span, format!("`{}` does not match the pattern `{pattern}`", name()));
        }
        if self.min_length.is_none() && self.max_length.is_none() {
            return None;
        }
        let length = text.chars().count() as u64;
        let characters = if length == 1 { "character" } else { "characters" };
        if let Some(&Rule { value: least, span }) = self.min_length.as_ref()
            && length < least
        {
            let are = if least == 1 { "is" } else { "are" };
            let words = format!("has {length} {characters}; at least {least} {are} required");
            return failure(span, format!("`{}` {words}", name()));
        }
        if let Some(&Rule { value: most, span }) = self.max_length.as_ref()
            && length > most
        {
            let are = if most == 1 { "is" } else { "are" };
            let words = format!("has {length} {characters}; at most {most} {are} allowed");
            return failure(span, format!("`{}` {words}", name()));
        }
        None
    }

    fn check_number(&self, name: &str, number: &str) -> Option<Failure> {
        let bounds = [
            (&self.minimum, Ordering::Less, "minimum"),
            (&self.maximum, Ordering::Greater, "maximum"),
        ];
        for (bound, outside, word) in bounds {
            if let Some(Rule { value: bound, span }) = bound
                && number::compare(number, bound) == outside
            {
                let (name, number) = (excerpt::of_text(name), excerpt::of_text(number));
                let bound = excerpt::of_text(bound);
                return failure(*span, format!("`{name}` is {number}; the {word} is {bound}"));
            }
        }
        None
    }

    fn check_allowed(&self, name: &str, value: &Value) -> Option<Failure> {
        let Rule { value: allowed, span } = self.allowed.as_ref()?;
        if allowed.iter().any(|allowed| is_same(allowed, value)) {
            return None;
        }
        let (name, values) = (excerpt::of_text(name), excerpt::of_values(allowed));
        let must_be = if allowed.len() == 1 { "must be" } else { "must be one of" };
        failure(*span, format!("`{name}` {must_be} {values}"))
    }

    /// Reads the `validation` of a variable.
    pub(crate) fn read(validation: &Value, variable: &str, report: &mut Report) -> Rules {
        let object = match &validation.kind {
            ValueKind::Object(object) => object,
            ValueKind::Null => return Rules::default(),
            _ => {
                report.expected("validation", "an object", validation);
                return Rules::default();
            }
        };
        let mut reader = RuleReader { object, variable, report };
        reader.report.near_misses(object, &Rules::KEYS);
        let rules = Rules {
            pattern: reader.pattern(),
            min_length: reader.length("min_length"),
            max_length: reader.length("max_length"),
            minimum: reader.number("minimum"),
            maximum: reader.number("maximum"),
            allowed: reader.allowed(),
        };
        if let (Some(least), Some(most)) = (&rules.min_length, &rules.max_length)
            && least.value > most.value
        {
            reader.crossed(["min_length", "max_length"], [least.span, most.span]);
        }
        if let (Some(least), Some(most)) = (&rules.minimum, &rules.maximum)
            && number::compare(&least.value, &most.value).is_gt()
        {
            reader.crossed(["minimum", "maximum"], [least.span, most.span]);
        }
        rules
    }
}

fn failure(span: Span, message: String) -> Option<Failure> {
    Some(Failure { kind: FailureKind::Validation, message, rule_span: Some(span) })
}

/// `true` if two values are equal, regardless of notation: `1` equals `1.0`, and the order of keys
/// is ignored.
pub fn is_same(a: &Value, b: &Value) -> bool {
    match (&a.kind, &b.kind) {
        (ValueKind::Null, ValueKind::Null) => true,
        (ValueKind::Bool(a), ValueKind::Bool(b)) => a == b,
        (ValueKind::Number(a), ValueKind::Number(b)) => number::compare(a, b).is_eq(),
        (ValueKind::List(a), ValueKind::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (ValueKind::Object(a), ValueKind::Object(b)) => {
            let has = |key, value| b.get(key).is_some_and(|b| is_same(value, &b.value));
            a.entries().len() == b.entries().len()
                && a.entries().iter().all(|a| has(&a.key, &a.value))
        }
        _ => a.as_text().is_some_and(|text| b.as_text() == Some(text)),
    }
}

/// Compiles a pattern, and subtracts its cost from the remaining bytes.
fn compile(pattern: &str, bytes_left: &mut usize) -> Result<Regex, regex::Error> {
    let mut build = |limit: usize| {
        let limit = limit.min(*bytes_left);
        *bytes_left -= limit;
        RegexBuilder::new(pattern).size_limit(limit).build()
    };
    let mut limit = PATTERN_BYTES;
    for _ in 0..PATTERN_STEPS {
        match build(limit) {
            Err(regex::Error::CompiledTooBig(_)) => limit *= 4,
            result => return result,
        }
    }
    build(limit)
}

struct RuleReader<'a> {
    object: &'a Object,
    variable: &'a str,
    report: &'a mut Report,
}

impl<'a> RuleReader<'a> {
    /// The value of a rule; `None` if it is missing.
    fn given(&self, key: &str) -> Option<&'a Value> {
        self.object.get(key).map(|entry| &entry.value).filter(|value| !value.is_null())
    }

    fn contradiction(&mut self, at: Span, message: String) {
        self.report.contradiction(at, message, self.variable, None);
    }

    /// Reports that the first of two bounds exceeds the second.
    fn crossed(&mut self, [least, most]: [&str; 2], [at, other]: [Span; 2]) {
        let variable = excerpt::of_text(self.variable);
        let message = format!("`{variable}` allows no value: `{least}` is above `{most}`");
        let related = format!("`{most}` is given here");
        self.report.contradiction(at, message, self.variable, Some((other, &related)));
    }

    fn pattern(&mut self) -> Option<Rule<Regex>> {
        let value = self.given("pattern")?;
        let ValueKind::String(pattern) = &value.kind else {
            self.report.expected("pattern", "a string", value);
            return None;
        };
        match compile(pattern, &mut self.report.pattern_bytes) {
            Ok(regex) => Some(Rule { value: regex, span: value.span }),
            Err(error) => {
                let variable = excerpt::of_text(self.variable);
                let reason = match &error {
                    regex::Error::CompiledTooBig(_) => "it takes too much memory".to_owned(),
                    // The text before it shows the pattern with a marker below.
                    error => match error.to_string().rsplit_once("error: ") {
                        Some((_, reason)) => reason.lines().next().unwrap_or_default().to_owned(),
                        None => "it is not a regular expression".to_owned(),
                    },
                };
                let message = format!("the pattern of `{variable}` does not compile: {reason}");
                self.contradiction(value.span, message);
                None
            }
        }
    }

    fn number(&mut self, key: &str) -> Option<Rule<Box<str>>> {
        let value = self.given(key)?;
        let ValueKind::Number(number) = &value.kind else {
            self.report.expected(key, "a number", value);
            return None;
        };
        Some(Rule { value: number.clone(), span: value.span })
    }

    fn length(&mut self, key: &str) -> Option<Rule<u64>> {
        let Rule { value: written, span } = self.number(key)?;
        let length = number::count(&written);
        if length.is_none() {
            let written = excerpt::of_text(&written);
            let message = format!("`{key}` must be a non-negative integer, this is {written}");
            self.contradiction(span, message);
        }
        Some(Rule { value: length?, span })
    }

    fn allowed(&mut self) -> Option<Rule<Vec<Value>>> {
        let value = self.given("enum")?;
        match value.as_list() {
            None => self.report.expected("enum", "an array", value),
            Some([]) => {
                let variable = excerpt::of_text(self.variable);
                let message = format!("`{variable}` allows no value: its `enum` is empty");
                self.contradiction(value.span, message);
            }
            Some(allowed) => {
                return Some(Rule { value: allowed.to_vec(), span: value.span });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::declarations::Declarations;
    use crate::findings::problem::FileId;
    use crate::from_data::parse_value;
    use crate::inputs::tests::outline_problems;
    use promptls_data::Format;

    /// Checks values against one variable named `it`; shows the rule that failed.
    #[track_caller]
    fn check(variable: &str, values: &str, expected: Expect) {
        let text = format!(r#"{{"variables": [{{"name": "it", {variable}}}]}}"#);
        let parsed = Declarations::parse(&text, Format::Json, FileId(2));
        let mut actual = outline_problems(&parsed.problems);
        let declarations = parsed.value.unwrap();
        let values = parse_value(values, Format::Json, FileId(1), "").value.unwrap();
        for value in values.as_list().unwrap() {
            let failure = declarations.variables[0].check(value);
            actual.push_str(&match failure {
                Some(failure) => {
                    let rule = failure.rule_span.map_or("", |span| &text[span.range()]);
                    format!("{:?}: {} <- {rule}\n", failure.kind, failure.message)
                }
                None => "fits\n".to_owned(),
            });
        }
        expected.assert_eq(&actual);
    }

    /// Formats the problems of a variable named `it`, with the text of their ranges.
    #[track_caller]
    fn check_problems(validation: &str, expected: Expect) {
        let text = format!(r#"{{"variables": [{{"name": "it", "validation": {validation}}}]}}"#);
        let parsed = Declarations::parse(&text, Format::Json, FileId(2));
        let mut actual = String::new();
        for problem in &parsed.problems {
            let place = &text[problem.location.range.clone()];
            actual.push_str(&format!("{}: {} <- {place}\n", problem.code.id(), problem.message));
            for related in &problem.related {
                let place = &text[related.location.range.clone()];
                actual.push_str(&format!("  {} <- {place}\n", related.message));
            }
        }
        expected.assert_eq(&actual);
    }

    #[test]
    fn types_are_strict() {
        let values = r#"["1", 1, true, {}, [], null]"#;
        check(
            r#""type": "string""#,
            values,
            expect![[r#"
            fits
            Type: `it` must be a string, this is a number <- "string"
            Type: `it` must be a string, this is a boolean <- "string"
            Type: `it` must be a string, this is an object <- "string"
            Type: `it` must be a string, this is an array <- "string"
            fits
        "#]],
        );
        check(
            r#""type": "number""#,
            values,
            expect![[r#"
            Type: `it` must be a number, this is a string <- "number"
            fits
            Type: `it` must be a number, this is a boolean <- "number"
            Type: `it` must be a number, this is an object <- "number"
            Type: `it` must be a number, this is an array <- "number"
            fits
        "#]],
        );
        check(
            r#""type": "boolean""#,
            values,
            expect![[r#"
            Type: `it` must be a boolean, this is a string <- "boolean"
            Type: `it` must be a boolean, this is a number <- "boolean"
            fits
            Type: `it` must be a boolean, this is an object <- "boolean"
            Type: `it` must be a boolean, this is an array <- "boolean"
            fits
        "#]],
        );
        check(
            r#""type": "object""#,
            values,
            expect![[r#"
            Type: `it` must be an object, this is a string <- "object"
            Type: `it` must be an object, this is a number <- "object"
            Type: `it` must be an object, this is a boolean <- "object"
            fits
            Type: `it` must be an object, this is an array <- "object"
            fits
        "#]],
        );
        check(
            r#""type": "array""#,
            values,
            expect![[r#"
            Type: `it` must be an array, this is a string <- "array"
            Type: `it` must be an array, this is a number <- "array"
            Type: `it` must be an array, this is a boolean <- "array"
            Type: `it` must be an array, this is an object <- "array"
            fits
            fits
        "#]],
        );
    }

    #[test]
    fn a_pattern_is_found_anywhere() {
        check(
            r#""validation": {"pattern": "[0-9]+"}"#,
            r#"["a1b", "ab", 5]"#,
            expect![[r#"
                fits
                Validation: `it` does not match the pattern `[0-9]+` <- "[0-9]+"
                fits
            "#]],
        );
    }

    #[test]
    fn anchors_match_only_at_the_ends_of_the_text() {
        check(
            r#""validation": {"pattern": "^[a-z]+$"}"#,
            r#"["ab", "ab\n", "ab\ncd"]"#,
            expect![[r#"
                fits
                Validation: `it` does not match the pattern `^[a-z]+$` <- "^[a-z]+$"
                Validation: `it` does not match the pattern `^[a-z]+$` <- "^[a-z]+$"
            "#]],
        );
    }

    #[test]
    fn lengths_count_code_points() {
        check(
            r#""validation": {"min_length": 2, "max_length": 3}"#,
            r#"["é", "éé", "😀😀😀", "abcd", [], 1]"#,
            expect![[r#"
                Validation: `it` has 1 character; at least 2 are required <- 2
                fits
                fits
                Validation: `it` has 4 characters; at most 3 are allowed <- 3
                fits
                fits
            "#]],
        );
        check(
            r#""validation": {"min_length": 1, "max_length": 1.0}"#,
            r#"["", "ab"]"#,
            expect![[r#"
            Validation: `it` has 0 characters; at least 1 is required <- 1
            Validation: `it` has 2 characters; at most 1 is allowed <- 1.0
        "#]],
        );
    }

    #[test]
    fn bounds_are_exact() {
        check(
            r#""validation": {"minimum": 9007199254740993, "maximum": 1e17}"#,
            "[9007199254740992, 9007199254740993.0, 100000000000000000.1, 1e999999999, \"1\"]",
            expect![[r#"
                Validation: `it` is 9007199254740992; the minimum is 9007199254740993 <- 9007199254740993
                fits
                Validation: `it` is 100000000000000000.1; the maximum is 1e17 <- 1e17
                Validation: `it` is 1e999999999; the maximum is 1e17 <- 1e17
                fits
            "#]],
        );
    }

    #[test]
    fn allowed_values_are_compared_by_value() {
        check(
            r#""validation": {"enum": [1, "a", {"b": 1, "c": [2]}, null]}"#,
            r#"[1, 1.0, 10e-1, "1", "a", {"c": [2.0], "b": 1}, {"b": 1}, {"b": 1, "c": [2], "d": 3}, [1]]"#,
            expect![[r#"
                fits
                fits
                fits
                Validation: `it` must be one of 1, "a", {…}, null <- [1, "a", {"b": 1, "c": [2]}, null]
                fits
                fits
                Validation: `it` must be one of 1, "a", {…}, null <- [1, "a", {"b": 1, "c": [2]}, null]
                Validation: `it` must be one of 1, "a", {…}, null <- [1, "a", {"b": 1, "c": [2]}, null]
                Validation: `it` must be one of 1, "a", {…}, null <- [1, "a", {"b": 1, "c": [2]}, null]
            "#]],
        );
    }

    #[test]
    fn a_long_list_of_allowed_values_is_cut() {
        check(
            r#""validation": {"enum": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}"#,
            "[11]",
            expect![[r#"
                Validation: `it` must be one of 1, 2, 3, 4, 5, 6, 7, 8 and 2 more <- [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
            "#]],
        );
        check(
            r#""validation": {"enum": ["a\nb"]}"#,
            "[true]",
            expect![[r#"
            Validation: `it` must be "a\nb" <- ["a\nb"]
        "#]],
        );
    }

    #[test]
    fn the_first_violated_rule_is_reported() {
        check(
            r#""type": "string", "validation": {"enum": ["no"], "max_length": 1, "min_length": 5, "pattern": "x"}"#,
            r#"[1, "abc"]"#,
            expect![[r#"
                2:110..111 error invalid-declaration: `it` allows no value: `min_length` is above `max_length`
                  2:93..94 `max_length` is given here
                2:72..76 warning invalid-declaration: a value of `enum` is invalid: `it` does not match the pattern `x`
                  2:124..127 declared here
                Type: `it` must be a string, this is a number <- "string"
                Validation: `it` does not match the pattern `x` <- "x"
            "#]],
        );
    }

    #[test]
    fn a_pattern_must_compile() {
        check_problems(
            r#"{"pattern": "a("}"#,
            expect![[r#"
            invalid-declaration: the pattern of `it` does not compile: unclosed group <- "a("
        "#]],
        );
        check_problems(
            r#"{"pattern": "(?!a)b"}"#,
            expect![[r#"
                invalid-declaration: the pattern of `it` does not compile: look-around, including look-ahead and look-behind, is not supported <- "(?!a)b"
            "#]],
        );
        check_problems(
            r#"{"pattern": "(a)\\1"}"#,
            expect![[r#"
            invalid-declaration: the pattern of `it` does not compile: backreferences are not supported <- "(a)\\1"
        "#]],
        );
        check_problems(
            r#"{"pattern": "((\\w{100}){100}){100}"}"#,
            expect![[r#"
            invalid-declaration: the pattern of `it` does not compile: it takes too much memory <- "((\\w{100}){100}){100}"
        "#]],
        );
        check_problems(r#"{"pattern": "^[\\w.+-]{1,64}@[\\w-]{1,255}$"}"#, expect![""]);
    }

    #[test]
    fn the_memory_for_patterns_is_limited() {
        let variable = |n| {
            format!(r#"{{"name": "v{n}", "validation": {{"pattern": "(\\w{{100}}){{100}}{n}"}}}}"#)
        };
        let variables: Vec<_> = (0..100).map(variable).collect();
        let text = format!(r#"{{"variables": [{}]}}"#, variables.join(","));
        let parsed = Declarations::parse(&text, Format::Json, FileId(2));
        assert_eq!(parsed.problems.len(), 100);
    }

    #[test]
    fn many_simple_patterns_are_accepted() {
        let variable =
            |n| format!(r#"{{"name": "v{n}", "validation": {{"pattern": "^[a-z]{{{n}}}$"}}}}"#);
        let variables: Vec<_> = (1..500).map(variable).collect();
        let text = format!(r#"{{"variables": [{}]}}"#, variables.join(","));
        assert_eq!(Declarations::parse(&text, Format::Json, FileId(2)).problems, []);
    }

    #[test]
    fn a_minimum_must_not_exceed_its_maximum() {
        check_problems(
            r#"{"min_length": 5, "max_length": 4}"#,
            expect![[r#"
            invalid-declaration: `it` allows no value: `min_length` is above `max_length` <- 5
              `max_length` is given here <- 4
        "#]],
        );
        check_problems(
            r#"{"minimum": 0.11, "maximum": 1.0e-1}"#,
            expect![[r#"
            invalid-declaration: `it` allows no value: `minimum` is above `maximum` <- 0.11
              `maximum` is given here <- 1.0e-1
        "#]],
        );
        check_problems(
            r#"{"minimum": 1, "maximum": 1.0, "enum": []}"#,
            expect![[r#"
            invalid-declaration: `it` allows no value: its `enum` is empty <- []
        "#]],
        );
    }

    #[test]
    fn lengths_are_non_negative_integers() {
        check_problems(
            r#"{"min_length": -1, "max_length": 1.5}"#,
            expect![[r#"
            invalid-declaration: `min_length` must be a non-negative integer, this is -1 <- -1
            invalid-declaration: `max_length` must be a non-negative integer, this is 1.5 <- 1.5
        "#]],
        );
    }

    #[test]
    fn rules_have_the_types_that_they_require() {
        check_problems(
            r#"{"pattern": 1, "min_length": "2", "max_length": [], "minimum": true, "maximum": "3", "enum": "a"}"#,
            expect![[r#"
                invalid-inputs: `pattern` must be a string, this is a number <- 1
                invalid-inputs: `min_length` must be a number, this is a string <- "2"
                invalid-inputs: `max_length` must be a number, this is an array <- []
                invalid-inputs: `minimum` must be a number, this is a boolean <- true
                invalid-inputs: `maximum` must be a number, this is a string <- "3"
                invalid-inputs: `enum` must be an array, this is a string <- "a"
            "#]],
        );
        check_problems(
            r#"{"pattern": null, "min_length": null, "maximum": null, "enum": null}"#,
            expect![[r#""#]],
        );
    }
}
