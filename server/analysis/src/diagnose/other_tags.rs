//! Tags of other template languages: one problem for each kind, with the number of tags.

use std::collections::BTreeMap;

use promptls_resolver::{Code, FileId, Location, Problem, Severity};
use promptls_syntax::{Missing, TokenRef, UseMap};

use super::checker::Checker;

/// A tag of another language, in one of its uses.
#[derive(Debug)]
pub(super) enum Tag {
    /// Text to the engine: a keyword of this language.
    Text { language: &'static str, word: String },
    /// A name to the engine, with its effect.
    Name(String),
}

impl Tag {
    /// The tag of a token that the engine leaves unchanged.
    pub fn of_token(token: &str) -> Tag {
        let language = if token.starts_with("{%") { "Jinja" } else { "Handlebars" };
        let word = token.trim_start_matches(['{', '%', '#', '/', '-', ' ', '\t']);
        let end = word.find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(word.len());
        let word = &word[..end];
        Tag::Text { language, word: word.strip_prefix("end").unwrap_or(word).to_owned() }
    }

    /// A name that is a tag in another language.
    pub fn of_name(what: String) -> Tag {
        Tag::Name(what)
    }

    /// The kind of a tag. Closers have the kind of their openers.
    fn kind(&self) -> (&str, &str) {
        match self {
            Tag::Text { language, word } => (language, word),
            Tag::Name(what) => ("", what),
        }
    }

    /// The message for a token with this tag.
    fn message(&self, token: &str, title: &str) -> String {
        match self {
            Tag::Text { language, .. } => {
                format!("`{token}` is {language}; {title} sends it unchanged")
            }
            Tag::Name(what) => what.clone(),
        }
    }
}

/// The first tag of a kind, and the number of them.
struct TagCount<'t> {
    first: TokenRef<'t>,
    count: usize,
}

/// Reports a problem for each kind of tag, at the first one. Tags in code that the engine leaves
/// unchanged are ignored.
pub(super) fn report(checker: &mut Checker<'_>, tags: &UseMap<Tag>) {
    if tags.is_empty() {
        return;
    }
    checker.looks_at_text.set(true);
    let snapshot = checker.snapshot;
    let title = checker.dialect().spec().title;
    let uses = tags.keys().copied().collect();
    let found = snapshot.tree.occurrences(&uses, checker.max + 1);
    let has_all = found.len() <= checker.max;
    let mut kinds: BTreeMap<(&str, &str), TagCount<'_>> = BTreeMap::new();
    for token in found {
        let Some(tag) = tags.get(&token.used()) else { continue };
        if matches!(tag, Tag::Text { .. }) && checker.is_in_code(token.token.start) {
            continue;
        }
        kinds.entry(tag.kind()).or_insert(TagCount { first: token, count: 0 }).count += 1;
    }
    for TagCount { first, count } in kinds.into_values() {
        let Some(tag) = tags.get(&first.used()) else { continue };
        let mut message = tag.message(first.name, title);
        match (count, has_all) {
            (1, true) => {}
            (_, true) => message.push_str(&format!(" ({count} such tags)")),
            (_, false) => message.push_str(&format!(" (at least {count} such tags)")),
        }
        let location = Location { file: FileId::PROMPT, range: first.token.range() };
        let problem = Problem::new(Code::UnsupportedSyntax, location, message);
        let is_error = matches!(tag, Tag::Name(_)) && checker.engine().missing() == Missing::Raises;
        let severity = if is_error { Severity::Error } else { problem.severity };
        checker.problems.push(Problem { severity, ..problem.about(first.name) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closers_match_the_kind_of_their_openers() {
        let kind = |token| {
            let tag = Tag::of_token(token);
            let (language, word) = tag.kind();
            format!("{language} {word}")
        };
        assert_eq!(kind("{%- if x %}"), "Jinja if");
        assert_eq!(kind("{% endif %}"), "Jinja if");
        assert_eq!(kind("{% else %}"), "Jinja else");
        assert_eq!(kind("{{#with x}}"), "Handlebars with");
        assert_eq!(kind("{{/with}}"), "Handlebars with");
    }
}
