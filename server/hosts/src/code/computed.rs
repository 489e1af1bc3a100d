//! Prompts whose text only the running program has.

use std::collections::HashSet;
use std::ops::Range;

use promptls_data::{Decoded, HOLE};
use promptls_syntax::Dialect;

use super::recogniser::Shape;
use super::recognisers::recognisers;
use super::tokens::Tokens;
use crate::host_prompt::KnownHole;
use crate::unread::{Computed, Unread};

/// Values of a prompt that are no texts.
const NO_TEXTS: [&str; 4] = ["None", "null", "nil", "undefined"];

/// The end of the message.
const NOT_CHECKED: &str = ", so it is not checked";

/// The maximum number of characters of an expression in a message.
const MAX_SHOWN: usize = 60;

/// The reason why the text of a value is unknown; `None` for a value that is no text. `what` is the
/// parameter or the name that has the value; empty for an argument without a name.
pub(super) fn computed(
    tokens: &Tokens<'_>,
    what: &str,
    value: Range<usize>,
    dialect: Dialect,
) -> Option<Computed> {
    let first = tokens.text(value.start);
    let is_number = first.starts_with(|char: char| char.is_ascii_digit());
    if value.len() == 1 && (is_number || NO_TEXTS.contains(&first)) {
        return None;
    }
    let last = value.end - 1;
    if takes_prompt(tokens, &value, dialect) {
        return None;
    }
    let range = tokens.range(value.clone());
    // The arguments of a call may be long.
    let open = (value.start + 1..last).find(|at| tokens.partner(*at) == Some(last));
    let written = match open.filter(|open| open + 1 < last) {
        Some(open) => {
            let callee = tokens.range(value.start..open + 1);
            format!("{}…{}", &tokens.source[callee], tokens.text(last))
        }
        None => tokens.source[range.clone()].to_owned(),
    };
    let words: Vec<&str> = written.split_whitespace().collect();
    let shown: String = words.join(" ").chars().take(MAX_SHOWN).collect();
    let subject = match what {
        "" => "this text".to_owned(),
        what => format!("the text of `{what}`"),
    };
    let reason = format!("{subject} comes from `{shown}`{NOT_CHECKED}");
    Some(Computed { unread: Unread::new(range, reason), dialect })
}

/// `true` for a framework call whose argument is a prompt of its own, with its reason if the text is
/// not known.
pub(super) fn takes_prompt(tokens: &Tokens<'_>, value: &Range<usize>, dialect: Dialect) -> bool {
    let open = value.end.checked_sub(1).and_then(|last| tokens.partner(last));
    let Some(open) = open.filter(|open| *open > value.start) else { return false };
    let callee = tokens.callee(open).join(".");
    recognisers(tokens.language).any(|row| {
        let module = callee.strip_suffix(row.callee);
        row.dialect == dialect
            && row.shape == Shape::Call
            && module.is_some_and(|module| module.is_empty() || module.ends_with('.'))
    })
}

/// The same for a text of which only whitespace between its parts is known; `literals` are those of
/// the text.
pub(super) fn computed_parts(
    literals: &[Range<usize>],
    text: &Decoded,
    dialect: Dialect,
) -> Option<Computed> {
    let is_blank = |part: &str| part.trim().is_empty();
    let has_holes = text.holes().next().is_some();
    let is_unknown = has_holes && text.text().split(HOLE).all(is_blank);
    let range = literals.first().filter(|_| is_unknown)?.clone();
    let reason = format!("only the running program has the parts of this text{NOT_CHECKED}");
    Some(Computed { unread: Unread::new(range, reason), dialect })
}

/// The placeholders of a text with a hole in their names: `{topic_…}`. Other braces around a hole are
/// literal. `known` are the holes whose texts another host has.
///
/// Cost: the holes, and the names around them.
pub(super) fn computed_names(
    text: &Decoded,
    known: &[KnownHole],
    dialect: Dialect,
) -> Vec<Computed> {
    let (open, close) = (dialect.spec().open, dialect.spec().close);
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | ':' | HOLE);
    let known: HashSet<usize> = known.iter().map(|known| known.hole.start).collect();
    let mut found: Vec<Computed> = Vec::new();
    // The end of the last name, which may have several holes.
    let mut end = 0;
    for hole in text.holes().filter(|hole| !known.contains(&hole.start)) {
        if hole.start < end {
            continue;
        }
        let (before, behind) = (&text.text()[..hole.start], &text.text()[hole.end..]);
        let name = before.trim_end_matches(is_part);
        let rest = behind.trim_start_matches(is_part);
        end = text.text().len() - rest.len();
        let rest = rest.strip_prefix('?').unwrap_or(rest);
        if !name.ends_with(open) || !rest.starts_with(close) {
            continue;
        }
        let close = text.text().len() - rest.len() + close.len();
        let written = text.source(name.len() - open.len()..close);
        let reason = "only the running program has the name of this placeholder";
        let unread = Unread::new(written, format!("{reason}{NOT_CHECKED}"));
        found.push(Computed { unread, dialect });
    }
    found
}

impl Computed {
    /// Adds the path of the file that the value reads, unless the value shows its name.
    pub(super) fn reading(mut self, tokens: &Tokens<'_>, path: &str) -> Computed {
        let Unread { range, reason } = &mut self.unread;
        let name = path.rsplit('/').next().unwrap_or(path);
        if let Some(start) = reason.strip_suffix(NOT_CHECKED)
            && !tokens.source[range.clone()].contains(name)
        {
            *reason = format!("{start}, which reads `{path}`{NOT_CHECKED}");
        }
        self
    }
}
