//! Fields that the engine refuses whatever the values are, and those that it cannot print.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use promptls_resolver::{Code, FileId, Location, Problem, Severity, Template, root};
use promptls_syntax::{Field, TokenKind, TokenRef};

use super::specification::{NestedField, has_specification, nested_fields};
use crate::diagnose::checker::Checker;

/// The id of the engine that is `str.format` of Python.
const STR_FORMAT: &str = "python-format";

/// Reports the fields and braces that the engine refuses, with its message.
///
/// Cost: the tokens.
pub(super) fn check_refused(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let (engine, max) = (checker.engine(), checker.max);
    let is_suspect = |found: &TokenRef<'_>| match found.token.kind {
        TokenKind::Malformed => true,
        // A plain name is never refused, and is no longer than its braces.
        TokenKind::Placeholder => has_specification(snapshot, found) || !is_word(found.name),
        _ => false,
    };
    // A call of `str.format` may pass values without names.
    let is_filled_by_position = snapshot.engines().iter().all(|it| it.profile.id == STR_FORMAT)
        && snapshot.host.iter().flat_map(|host| &host.contracts).any(|call| !call.is_whole);
    let is_by_position = |found: &TokenRef<'_>| {
        root(snapshot.dialect(), found.name).bytes().all(|it| it.is_ascii_digit())
    };
    let mut whole = None;
    let mut problems = Vec::new();
    for found in snapshot.tree.tokens().filter(is_suspect) {
        if is_filled_by_position && is_by_position(&found) && found.token.kind.reads() {
            continue;
        }
        let range = found.token.range();
        let message = match found.token.kind {
            TokenKind::Malformed => {
                let text = whole.get_or_insert_with(|| snapshot.text.whole());
                engine.refused_brace(&text[range.start..])
            }
            _ => engine.refused_field(&snapshot.slice(range.clone())),
        };
        let Some(message) = message else { continue };
        let location = Location { file: FileId::PROMPT, range };
        let message = format!("the engine raises an error: {message}");
        let problem = Problem::new(Code::MalformedPlaceholder, location, message);
        problems.push(Problem { severity: Severity::Error, ..problem });
        if problems.len() == max {
            break;
        }
    }
    checker.problems.extend(problems);
}

/// `true` for a name of ASCII letters, digits and underscores that starts with none of the digits.
pub(super) fn is_word(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    name.bytes().next().is_some_and(is_letter)
        && name.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit())
}

/// Reports values that a field cannot print, and names in specifications without a value.
///
/// Cost: the tokens; resolves all cases if a field has a conversion, a path or a specification.
pub(super) fn check_printed(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    if !snapshot.tree.tokens().any(|found| has_specification(snapshot, &found)) {
        return;
    }
    let text = checker.whole().into_owned();
    let template = Template::compile(checker.engine(), &text);
    let givens = checker.values.given().to_vec();
    let refused: HashSet<Range<usize>> =
        checker.problems.iter().map(|problem| problem.location.range.clone()).collect();
    let mut found: BTreeMap<(usize, String), (Problem, Vec<usize>)> = BTreeMap::new();
    for (case, given) in givens.iter().enumerate() {
        let is_of_value = |problem: &Problem| {
            problem.location.file == FileId::PROMPT
                && !refused.contains(&problem.location.range)
                && match problem.code {
                    Code::TypeMismatch | Code::LimitExceeded => true,
                    // Names in specifications are no names of tokens.
                    Code::UndefinedPlaceholder => {
                        let source = &text[problem.location.range.clone()];
                        let own = Field::parse(source).map(|field| field.name);
                        problem.names.first().map(String::as_str) != own
                    }
                    _ => false,
                }
        };
        for problem in template.resolve(given).problems.into_iter().filter(is_of_value) {
            let key = (problem.location.range.start, problem.message.clone());
            found.entry(key).or_insert((problem, Vec::new())).1.push(case);
        }
    }
    let nested = nested_fields(snapshot);
    for (mut problem, cases) in found.into_values() {
        problem.message.push_str(&checker.in_cases(&cases));
        let placeholder = &problem.location.range;
        let is_about = |field: &&NestedField| {
            placeholder.contains(&field.range.start) && problem.names.first() == Some(&field.name)
        };
        if let Some(field) = nested.iter().find(is_about) {
            problem.location.range = field.range.clone();
        }
        checker.problems.push(problem);
    }
}

/// Reports placeholders in two braces, which the engine sends with one pair of them.
///
/// Cost: the tokens.
pub(super) fn check_doubled(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let mut problems = Vec::new();
    for found in snapshot.tree.tokens() {
        let range = found.token.range();
        if found.token.kind != TokenKind::Placeholder
            || snapshot.text.byte_before(range.start) != Some(b'{')
            || snapshot.text.byte_before(range.end + 1) != Some(b'}')
        {
            continue;
        }
        let name = found.name;
        // Other text in braces is no name to users.
        if !is_word(name) && !snapshot.is_known(name) {
            continue;
        }
        let message = format!(
            "`{{{{{name}}}}}` is sent as the value in braces: this engine has no escape, and replaces the inner pair"
        );
        let location = Location { file: FileId::PROMPT, range: range.start - 1..range.end + 1 };
        problems.push(Problem::new(Code::MalformedPlaceholder, location, message).about(name));
        if problems.len() == checker.max {
            break;
        }
    }
    checker.problems.extend(problems);
}
