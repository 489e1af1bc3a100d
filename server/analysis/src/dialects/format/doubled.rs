//! Doubled braces that were meant as something else: `{{name}}` as a placeholder, `{{#if x}}` and
//! `{{ x | upper }}` as tags of other template languages.

use std::collections::{BTreeMap, HashSet};

use memchr::memchr3;
use promptls_resolver::{Code, FileId, Location, Problem, Severity};
use promptls_syntax::TokenKind;

use super::fields::is_word;
use super::specification::nested_fields;
use crate::diagnose::checker::Checker;
use crate::snapshot::Snapshot;

/// The maximum length of a tag.
const MOST: usize = 200;

/// The first tag of a kind, its problem, and the number of tags.
type Tags = BTreeMap<&'static str, (Problem, usize)>;

/// Reports tags of other languages, once for each kind, and names in doubled braces that no
/// placeholder has and inputs have.
///
/// Cost: the escapes.
pub(super) fn check(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    if !checker.engine().grammar().doubles_braces() {
        return;
    }
    let (title, mut read, mut whole) = (checker.dialect().spec().title, None, None);
    let mut tags = Tags::new();
    let mut problems = Vec::new();
    for found in snapshot.tree.tokens().filter(|it| it.token.kind == TokenKind::Escape) {
        let start = found.token.start;
        let text = whole.get_or_insert_with(|| snapshot.text.whole());
        let end = text.floor_char_boundary(start + MOST);
        let Some(inside) = inside(&text[start..end]) else { continue };
        let written = format!("{{{{{inside}}}}}");
        let location = Location { file: FileId::PROMPT, range: start..start + written.len() };
        if let Some(language) = language_of(inside) {
            let message = format!("`{written}` is {language}; {title} send it as `{{{inside}}}`");
            let problem = Problem::new(Code::UnsupportedSyntax, location, message).about(inside);
            tags.entry(language).or_insert((problem, 0)).1 += 1;
            continue;
        }
        let name = inside.trim();
        if !is_word(name) || !checker.snapshot.is_known(name) {
            continue;
        }
        let read = read.get_or_insert_with(|| names_read(snapshot));
        if !read.contains(name) {
            let message =
                format!("`{written}` is sent as `{{{inside}}}`; `{{{name}}}` is the value");
            let problem = Problem::new(Code::MalformedPlaceholder, location, message).about(name);
            problems.push(Problem { severity: Severity::Warning, ..problem });
        }
    }
    for (mut problem, count) in tags.into_values() {
        if count > 1 {
            problem.message.push_str(&format!(" ({count} such tags)"));
        }
        problems.push(problem);
    }
    checker.problems.extend(problems);
}

/// The names of all placeholders.
fn names_read(snapshot: &Snapshot) -> HashSet<String> {
    let tree = &snapshot.tree;
    let read = tree.uses().filter(|(used, _)| used.kind.reads());
    let names = read.map(|(used, _)| tree.name(used.name).to_owned());
    names.chain(nested_fields(snapshot).into_iter().map(|field| field.name)).collect()
}

/// The text between doubled braces, if it has no brace and no line end.
fn inside(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("{{")?;
    let end = memchr3(b'{', b'}', b'\n', inside.as_bytes())?;
    let (inside, rest) = inside.split_at(end);
    rest.starts_with("}}").then_some(inside)
}

/// The template language that a text in doubled braces is written in.
fn language_of(inside: &str) -> Option<&'static str> {
    const BLOCKS: [&str; 4] = ["if", "each", "unless", "with"];
    let block = inside.strip_prefix(['#', '/']).map(|block| {
        let end = block.find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(block.len());
        &block[..end]
    });
    if block.is_some_and(|block| BLOCKS.contains(&block)) {
        return Some("a block of Handlebars");
    }
    let (name, filter) = inside.split_once('|')?;
    let is_filter = is_word(filter.trim().split('(').next().unwrap_or_default());
    let is_name = name.trim().split('.').all(is_word);
    (is_name && is_filter).then_some("a filter of Jinja")
}

#[cfg(test)]
mod tests {
    use promptls_syntax::Dialect;

    use super::*;
    use crate::diagnose::diagnose;

    #[test]
    fn tags_of_other_languages_are_recognised() {
        for (text, expected) in [
            ("{{#if x}}", Some("a block of Handlebars")),
            ("{{/each}}", Some("a block of Handlebars")),
            ("{{#1}}", None),
            ("{{ x | upper }}", Some("a filter of Jinja")),
            ("{{user.name|default('x')}}", Some("a filter of Jinja")),
            ("{{\"a\": 1 | 2}}", None),
            ("{{x}}", None),
            ("{{x}", None),
            ("{{a\n| b}}", None),
        ] {
            assert_eq!(inside(text).and_then(language_of), expected, "{text}");
        }
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        for start in ["{{", "{{x"] {
            let text = format!("{start}{}", "é".repeat(MOST));
            let problems = diagnose(&Snapshot::new(Dialect::Format, &text), 10);
            let is_of_tag = |it: &Problem| it.code == Code::UnsupportedSyntax;
            assert!(!problems.iter().any(is_of_tag), "{problems:?}");
        }
    }
}
