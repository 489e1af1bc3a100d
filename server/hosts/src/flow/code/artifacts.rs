//! The files that code saves for prompts: `context.save_artifact("report.txt", part)` is the value of
//! `{artifact.report.txt}`.

use super::super::access::AccessKind;
use super::{FlowReader, plain};
use crate::language::Language;

/// The methods that save or load an artifact, in lower case and without `_`; `true` for those that
/// save it.
const METHODS: [(&str, bool); 2] = [("saveartifact", true), ("loadartifact", false)];

/// The same for Go, after `Artifacts().`.
const OF_GO: [(&str, bool); 2] = [("Save", true), ("Load", false)];

/// The word before the methods of Go.
const ARTIFACTS: &str = "artifacts";

/// The argument with the name, in lower case and without `_`.
const FILE_NAME: &str = "filename";

/// The number of arguments of a service, which begin with the application, the user and the session.
const OF_SERVICE: usize = 4;

/// `true` if a word, in lower case and without `_`, may be such a method.
pub(super) fn is_method(word: &str) -> bool {
    word == ARTIFACTS || METHODS.iter().any(|(method, _)| *method == word)
}

impl FlowReader<'_, '_> {
    /// Reads the artifact of a call, if a word is such a method.
    pub(super) fn artifact(&mut self, at: usize, word: &str) {
        let is_go = self.tokens.language == Language::Go && word == ARTIFACTS;
        // `Artifacts().Save`
        let method = if is_go { at + 4 } else { at };
        let methods = if is_go { &OF_GO } else { &METHODS };
        let name = if is_go { self.tokens.text(method) } else { word };
        let known = methods.iter().find(|(method, _)| *method == name);
        let Some((_, saves)) = known.filter(|_| self.tokens.text(method + 1) == "(") else {
            return;
        };
        let is_read = self
            .file_name(method + 1, usize::from(is_go))
            .is_some_and(|name| self.key(name, AccessKind::Artifact, *saves));
        self.computes_artifacts |= *saves && !is_read;
    }

    /// The token of the name in the brackets of a call; `None` if it is none or more than one.
    fn file_name(&self, open: usize, first: usize) -> Option<usize> {
        let close = self.tokens.partner(open)?;
        let mut arguments = self.tokens.split(open + 1..close);
        if let [only] = &arguments[..]
            && self.tokens.text(only.start) == "{"
        {
            arguments = self.tokens.split(only.start + 1..self.tokens.partner(only.start)?);
        }
        let is_named = |at: usize| {
            matches!(self.tokens.text(at + 1), "=" | ":")
                && plain(self.tokens.text(at)) == FILE_NAME
        };
        if let Some(named) = arguments.iter().find(|argument| is_named(argument.start)) {
            return (named.len() == 3).then_some(named.start + 2);
        }
        let place = if arguments.len() >= OF_SERVICE { OF_SERVICE - 1 } else { first };
        let name = arguments.get(place)?;
        (name.len() == 1).then_some(name.start)
    }
}
