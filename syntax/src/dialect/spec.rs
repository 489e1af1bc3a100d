//! The differences between dialects, as data: the columns of the table.

use crate::token::BlockKind;

/// A row of the table of dialects.
///
/// Names in lists may begin or end with a `*`, which matches anything.
#[derive(Debug)]
#[non_exhaustive]
pub struct DialectSpec {
    /// The id in `promptls.toml`, in file names (`x.adk.prompt`) and on the command line.
    pub id: &'static str,
    /// The language id that editors use.
    pub language_id: &'static str,
    /// The name of its product, for users.
    pub title: &'static str,
    /// The start of a placeholder.
    pub open: &'static str,
    /// The end of a placeholder.
    pub close: &'static str,
    /// The rule for names, for messages about missing ones.
    pub name_rule: &'static str,
    /// `true` if nearly any text between its braces is a name, including code and prose.
    pub free_names: bool,
    /// The syntax of paths into values.
    pub paths: PathStyle,
    /// `true` if a key of the inputs may be a whole path. Such a key precedes the walk along the
    /// path.
    pub whole_path_keys: bool,
    /// The behaviour of its engine for a name without a value.
    pub missing: Missing,
    /// `true` if null counts as missing.
    pub null_is_missing: bool,
    /// The mark that makes a placeholder optional.
    pub optional_mark: Option<char>,
    /// The prefixes of names, which state the scope of their values.
    pub prefixes: &'static [&'static str],
    /// The prefix whose values are files.
    pub file_prefix: Option<&'static str>,
    /// The supported kinds of blocks; empty for most dialects.
    pub blocks: &'static [BlockKind],
    /// The name of the item inside a loop.
    pub item: Option<&'static str>,
    /// `true` if declarations are effective at run time: defaults, types and rules.
    pub declarations: bool,
    /// The optional prefix of fragment names; `None` without fragments.
    pub fragment_prefix: Option<&'static str>,
    /// Root names that the engine supplies.
    pub injected: &'static [&'static str],
    /// Keys of the inputs that the engine defines, not the author.
    pub engine_keys: &'static [&'static str],
    /// `true` if its engine sends the text as a system message. Otherwise, programs decide.
    pub is_instruction: bool,
    /// The syntax for literal braces around a name, if there is one.
    pub literal_braces: Option<&'static str>,
    /// The clues for detection of an unnamed dialect; `None` if it is never guessed.
    pub clues: Option<Clues>,
}

impl DialectSpec {
    /// The defaults of a row, without optional features.
    pub(super) const PLAIN: DialectSpec = DialectSpec {
        id: "",
        language_id: "",
        title: "",
        open: "",
        close: "",
        name_rule: "",
        free_names: false,
        paths: PathStyle::Whole,
        whole_path_keys: false,
        missing: Missing::Raises,
        null_is_missing: false,
        optional_mark: None,
        prefixes: &[],
        file_prefix: None,
        blocks: &[],
        item: None,
        declarations: false,
        fragment_prefix: None,
        injected: &[],
        engine_keys: &[],
        is_instruction: false,
        literal_braces: None,
        clues: None,
    };
}

/// `true` if a name matches a pattern with stars.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (None, None) => name == pattern,
        (None, Some(start)) => name.starts_with(start),
        (Some(end), None) => name.ends_with(end),
        (Some(end), Some(_)) => name.contains(end.trim_end_matches('*')),
    }
}

/// The behaviour of an engine for a name without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The engine raises an error and sends nothing.
    Raises,
    /// The engine sends the placeholder verbatim.
    StaysLiteral,
    /// As [`Missing::StaysLiteral`], but if the prompt contains a block, the placeholder becomes
    /// empty.
    StaysLiteralOrEmpty,
}

/// The syntax of paths into the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStyle {
    /// No paths: a name is a key.
    Whole,
    /// `task_0.output_1.chunkSimilarityMetadata.KEY`: four keys at most, and the last one may
    /// contain dots. All but that one are defined by the engine.
    Outputs,
    /// `user.name`. Keys are trimmed, and empty keys are skipped.
    Dotted,
    /// `user.name` and `items[0]`, with indexes from 0.
    Indexed,
    /// `user[name]` and `items[0]`; a dot leads to an attribute of a Python object, never to a key.
    Subscripts,
}

impl PathStyle {
    /// `true` if a path leads to members that the author names.
    pub const fn has_members(self) -> bool {
        matches!(self, PathStyle::Dotted | PathStyle::Indexed | PathStyle::Subscripts)
    }

    /// `true` if a path may contain an index, `items[0]`.
    pub const fn has_indexes(self) -> bool {
        matches!(self, PathStyle::Indexed | PathStyle::Subscripts)
    }
}

/// The clues for detection of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clues {
    /// The rank among dialects with equal evidence; the lowest wins.
    pub rank: u32,
    /// Clues in placeholders, with their positive or negative weight. Only the first matching clue
    /// of a placeholder counts.
    pub placeholders: &'static [(Clue, i64)],
}

/// A property of a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clue {
    /// The name starts with this text.
    NameStarts(&'static str),
    /// The name contains this character.
    NameHolds(char),
    /// The placeholder has double braces.
    DoubleBraces,
    /// Whitespace is between a brace and the name.
    Blanks,
    /// The name contains other characters than letters, digits, `_`, `.` and `-`.
    OddName,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_any_characters() {
        assert!(matches("task_*", "task_1") && !matches("task_*", "a_task_1"));
        assert!(matches("*_x", "a_x") && !matches("*_x", "a_xy"));
        assert!(matches("*in*", "within it") && !matches("*in*", "out"));
        assert!(matches("input", "input") && !matches("input", "inputs"));
    }
}
