//! A text on which frameworks disagree, and the marks that resolve the conflict.

use std::ops::Range;
use std::sync::Arc;

use promptls_hosts::{self as hosts, Language, NewMark, new_mark};
use promptls_resolver::{Code, FileId, Location, Problem};
use promptls_syntax::Dialect;

use super::rule_strings::Strings;

/// A text of a host that is no prompt, because frameworks read it in several dialects.
#[derive(Clone, Debug)]
pub struct Conflict {
    language: Language,
    strings: Arc<Strings>,
    found: hosts::Conflict,
}

impl Conflict {
    /// Creates the conflict from one that was found in a host.
    pub fn new(language: Language, strings: &Arc<Strings>, found: &hosts::Conflict) -> Conflict {
        Conflict { language, strings: strings.clone(), found: found.clone() }
    }

    /// The first literal of the text.
    pub fn literal(&self) -> Range<usize> {
        self.found.literal.clone()
    }

    /// The problem that is reported for it.
    pub fn problem(&self, file: FileId) -> Problem {
        let dialects = &self.found.dialects;
        let titles: Vec<&str> = dialects.iter().map(|it| it.spec().title).collect();
        let one = dialects.first().map_or("adk", |dialect| dialect.spec().id);
        let message = format!(
            "{} receive this text and read it differently, so it is not checked; choose one with \
             a comment `promptls: {one}` before it",
            titles.join(" and ")
        );
        Problem::new(Code::DialectGuessed, Location { file, range: self.literal() }, message)
    }

    /// The marks that make it a prompt, by dialect, in the text of its host.
    ///
    /// Cost: see [`new_mark`].
    pub fn marks(&self, source: &str) -> Vec<(Dialect, NewMark)> {
        let rescan = |text: &str| self.strings.find(self.language, text);
        let mark = |dialect: Dialect| {
            new_mark(self.language, source, &self.found.literal, dialect, rescan)
                .map(|mark| (dialect, mark))
        };
        self.found.dialects.iter().filter_map(|dialect| mark(*dialect)).collect()
    }
}
