//! The words of each language for reading text files.

use std::collections::HashMap;
use std::ops::Range;

use super::grammar::Grammar;
use super::operation::Operation;
use super::tokens::Tokens;
use crate::token::Token;

/// The words of a language in expressions that read a text file.
pub(crate) struct Loading {
    /// Functions and methods that read a file.
    pub readers: &'static [&'static str],
    /// Functions that make values of what was read, or of an open file.
    pub parsers: &'static [&'static str],
    /// Functions that make a text of what was read.
    pub wrappers: &'static [&'static str],
    /// Methods after the reader that make a text of bytes.
    pub tails: &'static [&'static str],
    /// Words that change no path.
    pub words: &'static [&'static str],
    /// Words that lead to the folder around, or to that of the host.
    pub up: &'static [&'static str],
    /// Words for the host itself.
    pub host: &'static [&'static str],
    /// Functions whose first text is a package, with dots between its names.
    pub of_packages: &'static [&'static str],
    /// The start of a comment that names the file of the declaration after it.
    pub mark: Option<&'static str>,
    /// The effect of reading on the text.
    pub operation: Option<Operation>,
}

impl Loading {
    /// A language that reads no files: the base of the others.
    pub const NONE: Loading = Loading {
        readers: &[],
        parsers: &[],
        wrappers: &[],
        tails: &[],
        words: &[],
        up: &[],
        host: &[],
        of_packages: &[],
        mark: None,
        operation: None,
    };

    /// `true` for a word or number that is no part of a path.
    pub fn is_neutral(&self, word: &str) -> bool {
        let all = [self.words, self.readers, self.wrappers, self.tails];
        all.iter().any(|words| words.contains(&word))
            || word.starts_with(|char: char| char.is_ascii_digit())
    }
}

/// The ranges of the text files that comments name as the values of variables, by these.
pub(super) fn embedded<'s>(
    tokens: &Tokens<'s>,
    grammar: &Grammar,
) -> HashMap<&'s str, Range<usize>> {
    let Some(mark) = grammar.loading.and_then(|loading| loading.mark) else {
        return HashMap::new();
    };
    let variable = |comment: &Token| {
        let written = tokens.source[comment.range()].strip_prefix(mark)?;
        let start = comment.range().end - written.trim_start_matches([' ', '\t', '"']).len();
        let file = written.trim_matches([' ', '\t', '\r', '"']);
        let next = tokens.at_or_after(comment.range().end);
        let name = tokens.text(next + usize::from(tokens.text(next) == "var"));
        // Patterns and lists are several files.
        let is_one = !file.contains([' ', '*', '?', '[']) && file.contains('.');
        is_one.then_some((name, start..start + file.len()))
    };
    tokens.comments.iter().filter_map(variable).collect()
}
