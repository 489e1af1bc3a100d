//! Names that are read where they have no value: the cases, the reason, and the message.

use promptls_resolver::blocks::is_of_item;
use promptls_resolver::{Code, Lookup, Outcome, Severity, effective_name, root};
use promptls_syntax::{BlockKind, Dialect, Missing, PathStyle, TokenKind, Use};

use super::checker::{Checker, Finding};
use crate::dialects::advice;
use crate::near_miss::is_code;
use crate::symbol::{FirstNames, dead_end, flat_key, object_path};

/// The cases in which a name has no value, and its intended meaning.
type MissingValue<'s> = (Vec<(usize, Lookup<'s>)>, IntendedName<'s>);

/// The kind of a use of a name without a value.
pub(super) enum Undefined {
    /// Syntax of another template language, with its effect in this dialect.
    OtherLanguage(&'static str),
    /// A name: [`finding`] returns the details.
    NoValue,
}

/// The problem of a use of a name without a value; `None` if there is none.
pub(super) fn undefined<'s>(
    checker: &mut Checker<'s>,
    used: Use,
    name: &'s str,
) -> Option<Undefined> {
    Some(match missing_value(checker, used, name)?.1 {
        IntendedName::OtherLanguage(what) => Undefined::OtherLanguage(what),
        IntendedName::Fragment(_) | IntendedName::Value { .. } => Undefined::NoValue,
    })
}

/// `None` if a name has a value, or needs none.
fn missing_value<'s>(
    checker: &mut Checker<'s>,
    used: Use,
    name: &'s str,
) -> Option<MissingValue<'s>> {
    if !needs_value(checker, used, name) {
        return None;
    }
    let missing = cases_without(checker, used, name);
    if missing.is_empty() {
        return None;
    }
    let meant = meant_by(checker, used, name)?;
    Some((missing, meant))
}

/// The finding for a use of a name without a value.
pub(super) fn finding<'s>(checker: &mut Checker<'s>, used: Use, name: &'s str) -> Option<Finding> {
    let (missing, meant) = missing_value(checker, used, name)?;
    Some(match meant {
        IntendedName::OtherLanguage(what) => {
            Finding::of_token(Code::UnsupportedSyntax, what.to_owned(), name)
        }
        IntendedName::Fragment(fragment) => no_fragment(checker, fragment, name),
        IntendedName::Value { of_loop } => no_value(checker, used, name, of_loop, &missing),
    })
}

/// Returns whether the engine looks up a value that only the inputs can supply.
fn needs_value(checker: &Checker<'_>, used: Use, name: &str) -> bool {
    let snapshot = checker.snapshot;
    snapshot.has_inputs()
        // Variables that could not be read may have a value for this name.
        && !snapshot.declarations.has_unread_variables
        && used.in_force
        && used.kind != TokenKind::Optional
        && !checker.dialect().injects(root(checker.dialect(), name))
        && !snapshot.settings.literal.iter().any(|literal| literal == name)
}

/// The cases in which a name has no value, with the results of the lookups.
fn cases_without<'s>(checker: &mut Checker<'s>, used: Use, name: &str) -> Vec<(usize, Lookup<'s>)> {
    let count = checker.values.given().len();
    let is_header = matches!(used.kind, TokenKind::BlockOpen(_));
    let mut missing = Vec::new();
    for case in 0..count {
        let mut find = |missing_there: bool| {
            let is_match = |lookup: &Lookup<'_>| is_missing(used.kind, lookup) == missing_there;
            checker.values.find(case, used.scope, name, is_match)
        };
        let Some(lookup) = find(true) else { continue };
        // A flag that some items omit is a common way to distinguish them.
        if !is_header || find(false).is_none() {
            missing.push((case, lookup));
        }
    }
    // The same applies to cases: some omit it to test the other branch.
    if is_header && missing.len() < count {
        missing.clear();
    }
    missing
}

/// Returns whether a lookup means that the engine has no value to insert.
fn is_missing(kind: TokenKind, lookup: &Lookup<'_>) -> bool {
    match kind {
        // A block may be given null: then it is not entered.
        TokenKind::BlockOpen(_) => lookup.is_missing() && lookup.location.is_none(),
        _ => matches!(lookup.outcome, Outcome::Missing),
    }
}

/// The intended meaning of a name without a value.
enum IntendedName<'a> {
    /// Syntax of another template language, with its effect in this dialect.
    OtherLanguage(&'static str),
    /// A fragment with this name.
    Fragment(&'a str),
    /// A value of the inputs.
    Value {
        /// The path of the loop whose item it refers to.
        of_loop: Option<&'a str>,
    },
}

/// The intended meaning of a name. `None` if a missing value is no problem, or is reported
/// elsewhere.
fn meant_by<'a>(checker: &Checker<'a>, used: Use, name: &'a str) -> Option<IntendedName<'a>> {
    let (snapshot, dialect) = (checker.snapshot, checker.dialect());
    if let Some(what) = advice(dialect).foreign_name(name) {
        return Some(IntendedName::OtherLanguage(what));
    }
    // Code that the engine treats as a name, and then sends as intended.
    let is_header = matches!(used.kind, TokenKind::BlockOpen(_));
    let may_be_code = dialect.spec().free_names && !is_header;
    if may_be_code && is_code(name) && !checker.has_block_marker() {
        return None;
    }
    let is_of_item = is_of_item(dialect, name);
    let around = snapshot.tree.loop_around(used.scope).filter(|_| is_of_item);
    let of_loop = around.map(|around| snapshot.tree.name(around.path));
    // A tag without a partner turns its loop into text. That is one problem, not one more for each
    // name.
    if is_of_item && of_loop.is_none() {
        checker.looks_at_text.set(true);
        if snapshot.tree.unpaired_tags().next().is_some() {
            return None;
        }
    }
    if let Some(fragment) = snapshot.fragment_name(name) {
        return Some(IntendedName::Fragment(fragment));
    }
    (!snapshot.awaits_values()).then_some(IntendedName::Value { of_loop })
}

fn no_fragment(checker: &Checker<'_>, fragment: &str, name: &str) -> Finding {
    let hint = checker.suggestions.fragment(fragment);
    let message = format!("there is no fragment `{fragment}`{hint}");
    Finding::of_name(Code::UnknownFragment, message, name)
}

fn no_value(
    checker: &Checker<'_>,
    used: Use,
    name: &str,
    of_loop: Option<&str>,
    missing: &[(usize, Lookup<'_>)],
) -> Finding {
    let dialect = checker.dialect();
    let first = root(dialect, name);
    let effective = effective_name(checker.engine(), name);
    let what = match name {
        "" => "the placeholder has no name".to_owned(),
        _ if effective != name => format!(
            "an escape in braces is read as a placeholder named `{effective}`, which has no value"
        ),
        _ => format!("`{name}` has no value"),
    };
    let cases: Vec<usize> = missing.iter().map(|(case, _)| *case).collect();
    let in_cases = checker.in_cases(&cases);
    let in_item = of_loop.map(|of_loop| format!(" in an item of `{of_loop}`")).unwrap_or_default();
    let so = match used.kind {
        TokenKind::BlockOpen(BlockKind::If) => ", so the block is never entered",
        TokenKind::BlockOpen(BlockKind::Each) => ", so the loop has no items",
        _ => "",
    };
    let is_flat =
        |(case, _): &(usize, Lookup<'_>)| flat_key(checker.snapshot, *case, name).is_some();
    let suggestion = match missing.iter().any(is_flat) {
        true => written_as_object(checker.dialect(), name),
        false => suggestion(checker, used, first, name),
    };
    let message = format!("{what}{in_cases}{in_item}{so}{suggestion}");
    let related =
        missing.iter().filter_map(|(case, lookup)| checker.why_missing(*case, lookup, first, name));
    let finding =
        Finding::of_name(Code::UndefinedPlaceholder, message, name).with(related.collect());
    // Conditions are meant for missing values, so this is an error only if another name was
    // probably meant.
    if used.kind == TokenKind::BlockOpen(BlockKind::If) && suggestion.is_empty() {
        return Finding { severity: Severity::Information, ..finding };
    }
    // In a dialect whose other engines raise an error, the text may be meant for this engine.
    let is_sent = checker.engine().missing() == Missing::StaysLiteral;
    match is_sent && dialect.spec().missing == Missing::Raises {
        true => Finding { severity: Severity::Warning, ..finding },
        false => finding,
    }
}

/// The form of a path in inputs files, as the end of a sentence.
fn written_as_object(dialect: Dialect, name: &str) -> String {
    let path = object_path(dialect, name).unwrap_or_default();
    let (opened, closed) = (path.join("\": {\""), "}".repeat(path.len()));
    format!("; in inputs, write a path as an object: `{{\"{opened}\": …{closed}`")
}

/// A suggestion for another name, as the end of a sentence; empty if there is none.
fn suggestion(checker: &Checker<'_>, used: Use, first: &str, name: &str) -> String {
    let snapshot = checker.snapshot;
    let spec = checker.dialect().spec();
    if let Some(word) = has_no_closer(checker, name) {
        return format!("; `{}` is missing after `{word}`", spec.close);
    }
    if first != name && (checker.snapshot.is_known(first) || spec.item == Some(first)) {
        // The first name is correct, so a later step is wrong.
        let end = dead_end(snapshot, used.scope, name, &FirstNames::default());
        let end = end.filter(|end| end.piece.start > 0);
        let meant = end.and_then(|end| Some(end.with(name, end.nearest(1)?)));
        return meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    }
    if spec.paths == PathStyle::Whole
        && let Some((start, _)) = name.split_once(['.', '['])
        && checker.snapshot.is_known(start)
    {
        return format!("; {} has no paths, so this is one name", spec.title);
    }
    checker.suggestions.value_or_fragment(first)
}

/// The known name at the start of one that extends into the next placeholder. Its closer is
/// missing, and the engine uses the next one.
fn has_no_closer<'n>(checker: &Checker<'_>, name: &'n str) -> Option<&'n str> {
    let spec = checker.dialect().spec();
    let is_end = |character: char| character.is_whitespace() || ",;!?(){}".contains(character);
    let word = name.split(is_end).next()?.trim_end_matches(['.', ':']);
    let is_known = checker.snapshot.is_known(root(checker.dialect(), word));
    (spec.free_names && name.contains(spec.open) && is_known).then_some(word)
}
