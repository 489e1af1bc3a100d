//! Words of code that may become keys: class fields, attributes and keyword arguments.

use crate::code::Tokens;
use crate::language::Language;
use crate::token::TokenKind;

/// Functions of Python whose results have the variables around as keys.
const VARIABLES_AS_KEYS: [&str; 3] = ["locals", "vars", "globals"];

/// The tokens of the words that may become keys: those before a colon or `=`. In Python, variables
/// of functions and modules are none.
///
/// Cost: the tokens.
pub(super) fn key_words(tokens: &Tokens<'_>) -> Vec<usize> {
    let is_python = tokens.language == Language::Python;
    let mut blocks = PythonBlocks::default();
    let mut all_count = !is_python;
    // With `true` for those that are no variables.
    let mut words: Vec<(usize, bool)> = Vec::new();
    for token in 0..tokens.all.len() {
        if is_python {
            blocks.add(tokens, token);
        }
        if !tokens.is_word(token) {
            continue;
        }
        if matches!(tokens.text(token + 1), ":" | "=" | "to") {
            let before = token.checked_sub(1).map_or("", |before| tokens.text(before));
            let is_field = blocks.is_class() && before != "class";
            words.push((token, before == "." || blocks.depth > 0 || is_field));
        }
        all_count = all_count || VARIABLES_AS_KEYS.contains(&tokens.text(token));
    }
    words.retain(|(_, is_key)| all_count || *is_key);
    words.into_iter().map(|(word, _)| word).collect()
}

/// The classes and functions around a token of Python.
#[derive(Default)]
struct PythonBlocks {
    /// The indentation of each header, and `true` for a class.
    open: Vec<(usize, bool)>,
    /// The number of open brackets.
    depth: usize,
}

impl PythonBlocks {
    /// Adds the next token, in order.
    fn add(&mut self, tokens: &Tokens<'_>, token: usize) {
        match tokens.kind(token) {
            Some(TokenKind::Open) => self.depth += 1,
            Some(TokenKind::Close) => self.depth = self.depth.saturating_sub(1),
            _ if self.depth == 0 && tokens.starts_line(token) => {
                let start = tokens.all[token].range().start;
                let line = tokens.source[..start].rfind('\n').map_or(0, |end| end + 1);
                let indentation = start - line;
                while self.open.last().is_some_and(|(header, _)| *header >= indentation) {
                    self.open.pop();
                }
                let word = tokens.text(token);
                if matches!(word, "class" | "def" | "async") {
                    self.open.push((indentation, word == "class"));
                }
            }
            _ => {}
        }
    }

    /// `true` between the fields of a class.
    fn is_class(&self) -> bool {
        self.open.last().is_some_and(|(_, is_class)| *is_class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_keywords_count_and_variables_do_not() {
        let words = |language: Language, code: &str| {
            let tokens = Tokens::new(language, code).expect("it is short");
            let words = key_words(&tokens).into_iter();
            words.map(|word| tokens.text(word)).collect::<Vec<_>>().join(" ")
        };
        let python = "a = 1\nclass C:\n  b: str\n  c = f(d=1)\n  def m(self, e: int):\n    g = {h: 1}\n    \
            i, j = k\n    r.s = t\n  l = 1\nfor m in n:\n  o = p(\n    q=1)\n";
        assert_eq!(words(Language::Python, python), "b c d e h s l q");
        let with_all = format!("{python}x(**locals())");
        assert_eq!(words(Language::Python, &with_all), "a C b c d e g h j s l n o q");
        assert_eq!(words(Language::Java, "class C { String a = b; }"), "a");
    }
}
