//! The entries of `strings` in a rule that refer to code.

use crate::code::tokens::Tokens;

/// An entry that selects strings of code as prompts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeEntry {
    written: String,
    kind: RuleTarget,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum RuleTarget {
    /// Constants with matching names: `*_PROMPT`.
    Constants(Vec<String>),
    /// An argument of calls of this chain of names; of any chain with this suffix, if it starts
    /// empty.
    Argument { callee: String, is_method: bool, argument: ArgumentPlace },
}

/// Selects an argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentPlace {
    Keyword(String),
    Position(usize),
}

/// The reason why an entry is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadEntry {
    /// The entry is the empty string.
    Empty,
    /// The entry is neither a name with `*`, nor `callee(ARGUMENT)` or `.method(ARGUMENT)`.
    NoName,
    /// The text in brackets is neither the name of an argument nor its position.
    NoArgument,
}

impl std::fmt::Display for BadEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            BadEntry::Empty => {
                "this entry is empty; name a constant, `callee(ARGUMENT)` or `.method(ARGUMENT)`"
            }
            BadEntry::NoName => {
                "not the name of a constant, `callee(ARGUMENT)` or `.method(ARGUMENT)`"
            }
            BadEntry::NoArgument => {
                "the brackets must contain the name of an argument, or its position: `0`"
            }
        })
    }
}

impl std::error::Error for BadEntry {}

impl CodeEntry {
    /// Parses an entry: a glob for names of constants, `callee(ARGUMENT)` or `.method(ARGUMENT)`.
    pub fn parse(written: &str) -> Result<CodeEntry, BadEntry> {
        let is_letter = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$');
        let is_name = |name: &str| {
            !name.is_empty()
                && name.chars().all(is_letter)
                && !name.starts_with(|char: char| char.is_ascii_digit())
        };
        let kind = match written.split_once('(') {
            _ if written.is_empty() => return Err(BadEntry::Empty),
            None => {
                let is_glob = written.chars().all(|char| is_letter(char) || char == '*');
                if !is_glob {
                    return Err(BadEntry::NoName);
                }
                RuleTarget::Constants(written.split('*').map(str::to_owned).collect())
            }
            Some((callee, argument)) => {
                let argument = argument.strip_suffix(')').ok_or(BadEntry::NoArgument)?;
                let method = callee.strip_prefix('.');
                if !method.unwrap_or(callee).split('.').all(is_name) {
                    return Err(BadEntry::NoName);
                }
                let argument = match argument.parse() {
                    Ok(position) => ArgumentPlace::Position(position),
                    Err(_) if is_name(argument) => ArgumentPlace::Keyword(argument.to_owned()),
                    Err(_) => return Err(BadEntry::NoArgument),
                };
                let callee = method.unwrap_or(callee).to_owned();
                RuleTarget::Argument { callee, is_method: method.is_some(), argument }
            }
        };
        Ok(CodeEntry { written: written.to_owned(), kind })
    }

    /// The entry in source form.
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// `true` if it matches a constant with this name.
    pub(crate) fn is_constant(&self, name: &str) -> bool {
        let RuleTarget::Constants(parts) = &self.kind else { return false };
        let Some((first, rest)) = parts.split_first() else { return false };
        let Some(mut name) = name.strip_prefix(first.as_str()) else { return false };
        let Some((last, middle)) = rest.split_last() else { return name.is_empty() };
        for part in middle {
            let Some(found) = name.find(part.as_str()) else { return false };
            name = &name[found + part.len()..];
        }
        name.ends_with(last.as_str())
    }

    /// The only name of a constant that it matches; `None` if it has a `*`, or is about calls.
    pub(crate) fn only_constant(&self) -> Option<&str> {
        match &self.kind {
            RuleTarget::Constants(parts) if parts.len() == 1 => parts.first().map(String::as_str),
            _ => None,
        }
    }

    /// The name directly before the bracket of the calls that it matches.
    pub(crate) fn last_name(&self) -> Option<&str> {
        let RuleTarget::Argument { callee, .. } = &self.kind else { return None };
        callee.rsplit('.').next()
    }

    /// The argument that is a prompt in the call with this bracket.
    pub(crate) fn argument(&self, tokens: &Tokens<'_>, open: usize) -> Option<&ArgumentPlace> {
        let RuleTarget::Argument { callee, is_method, argument } = &self.kind else { return None };
        // Names are compared from the end: a method may follow any expression.
        let mut at = open;
        for (index, name) in callee.rsplit('.').enumerate() {
            if index > 0 {
                at = at.checked_sub(1).filter(|dot| tokens.text(*dot) == ".")?;
            }
            at = at.checked_sub(1).filter(|word| tokens.text(*word) == name)?;
        }
        let has_receiver = at.checked_sub(1).is_some_and(|dot| tokens.text(dot) == ".");
        (has_receiver == *is_method).then_some(argument)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_matches_names_or_is_an_error_with_a_reason() {
        for (entry, name, expected) in [
            ("*_PROMPT", "A_PROMPT", true),
            ("*_PROMPT", "A_PROMPTS", false),
            ("A*B*C", "AxBxBC", true),
            ("A*B*C", "AC", false),
            ("*", "x", true),
            ("AB*BA", "ABA", false),
        ] {
            let entry = CodeEntry::parse(entry).unwrap();
            assert_eq!(entry.is_constant(name), expected, "{} {name}", entry.as_str());
        }
        for (entry, expected) in [
            ("", BadEntry::Empty),
            ("a.b", BadEntry::NoName),
            ("(x)", BadEntry::NoName),
            ("f(", BadEntry::NoArgument),
            ("f()", BadEntry::NoArgument),
            ("f(a b)", BadEntry::NoArgument),
        ] {
            assert_eq!(CodeEntry::parse(entry), Err(expected), "{entry}");
        }
    }
}
