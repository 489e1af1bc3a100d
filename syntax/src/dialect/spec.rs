//! What makes a dialect different from the others, as data: the columns of the table.

use crate::token::BlockKind;

/// A row of the table of dialects.
///
/// Names in lists may begin or end with a `*`, which stands for anything.
#[derive(Debug)]
#[non_exhaustive]
pub struct DialectSpec {
    /// The name in `promptls.toml`, in file names (`x.adk.prompt`) and on the command line.
    pub id: &'static str,
    /// The language id that editors use.
    pub language_id: &'static str,
    /// The product it belongs to, for people.
    pub title: &'static str,
    /// What opens a placeholder.
    pub open: &'static str,
    /// What closes it.
    pub close: &'static str,
    /// What a name is, for those who typed none.
    pub name_rule: &'static str,
    /// Whether nearly anything between its braces is a name, be it code or prose.
    pub free_names: bool,
    /// How names lead into values.
    pub paths: PathStyle,
    /// Whether a key of the inputs may be a whole path. It comes before the walk along the path.
    pub whole_path_keys: bool,
    /// What its engine does with a name that has no value.
    pub missing: Missing,
    /// Whether null is no value.
    pub null_is_missing: bool,
    /// The mark that makes a placeholder optional.
    pub optional_mark: Option<char>,
    /// What stands before a name to say where its value lives.
    pub prefixes: &'static [&'static str],
    /// The one of them whose values are files.
    pub file_prefix: Option<&'static str>,
    /// The blocks it has.
    pub blocks: &'static [BlockKind],
    /// What the item is called inside a loop.
    pub item: Option<&'static str>,
    /// Whether a declaration counts at run time: defaults, types and rules.
    pub declarations: bool,
    /// What may stand before the name of a fragment, where there are fragments.
    pub fragment_prefix: Option<&'static str>,
    /// First names that the engine brings itself.
    pub injected: &'static [&'static str],
    /// Keys of the inputs that the engine names, not the author.
    pub engine_keys: &'static [&'static str],
    /// Whether its engine sends the text as the system's word. Elsewhere, programs decide.
    pub is_instruction: bool,
    /// How to get literal braces round a name, if there is a way.
    pub literal_braces: Option<&'static str>,
    /// What it is recognised by where nobody named it; `None` if it is never guessed.
    pub clues: Option<Clues>,
}

impl DialectSpec {
    /// A dialect without anything that only some have.
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

/// Whether a name is one of those that a name with stars stands for.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (None, None) => name == pattern,
        (None, Some(start)) => name.starts_with(start),
        (Some(end), None) => name.ends_with(end),
        (Some(end), Some(_)) => name.contains(end.trim_end_matches('*')),
    }
}

/// What an engine does with a name that has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It raises an error and sends nothing.
    Raises,
    /// It sends the placeholder as it is written.
    StaysLiteral,
    /// As [`Missing::StaysLiteral`], but with a block anywhere it sends nothing in its place.
    StaysLiteralOrEmpty,
}

/// How a name leads into the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStyle {
    /// Not at all: a name is a key.
    Whole,
    /// `task_0.output_1.chunkSimilarityMetadata.KEY`: four keys at most, and the last one may
    /// hold dots. All but that one are the engine's.
    Outputs,
    /// `user.name`. Blanks round a key are left out, and so are empty keys.
    Dotted,
    /// `user.name` and `items[0]`.
    Indexed,
}

impl PathStyle {
    /// Whether a path leads to members of values that have names of the author's.
    pub const fn has_members(self) -> bool {
        matches!(self, PathStyle::Dotted | PathStyle::Indexed)
    }

    /// Whether a path may hold an index, `items[0]`.
    pub const fn has_indexes(self) -> bool {
        matches!(self, PathStyle::Indexed)
    }
}

/// What a dialect is recognised by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clues {
    /// Between dialects for which equally much speaks, the lowest wins.
    pub rank: u32,
    /// What placeholders look like, and how much that says for it, or against it. Of those that
    /// fit one, only the first counts.
    pub placeholders: &'static [(Clue, i64)],
}

/// What a placeholder may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clue {
    /// Its name starts with this.
    NameStarts(&'static str),
    /// Its name holds this character.
    NameHolds(char),
    /// It has two braces.
    DoubleBraces,
    /// There are blanks round its name.
    Blanks,
    /// Its name has other characters than letters, digits, `_`, `.` and `-`.
    OddName,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches("task_*", "task_1") && !matches("task_*", "a_task_1"));
        assert!(matches("*_x", "a_x") && !matches("*_x", "a_xy"));
        assert!(matches("*in*", "within it") && !matches("*in*", "out"));
        assert!(matches("input", "input") && !matches("input", "inputs"));
    }
}
