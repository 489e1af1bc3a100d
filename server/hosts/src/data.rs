//! Prompts that are values in YAML, JSON, TOML and the front matter of Markdown.
//!
//! A file is parsed into a tree of values with source ranges. Recognisers, rules and marks select
//! the strings that are prompts; only these are decoded, with a source map.

mod broken;
mod comments;
mod markdown;
mod recognisers;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use promptls_data::{Format, Key, Tree, read_part};
use promptls_syntax::Dialect;

use crate::found::{Finds, Found, Why};
use crate::gate::Gate;
use crate::language::Language;
use crate::marks::{self, Mark};
use crate::names;
use crate::rules::{KeyPath, Step};
use crate::unread::Unread;
use broken::BrokenHost;
use comments::{CommentStyle, Subjects, comments};
use recognisers::{Document, Name, RECOGNISERS, WORDS};

/// The maximum size of a file with prompts, in bytes.
const MAX_BYTES: usize = 2 << 20;

/// The start of a comment that sets the schema of its document for editors.
const SCHEMA_COMMENT: &str = "yaml-language-server: $schema=";

/// The prompts of a file, in source order; empty if it does not parse, and for code languages. Each
/// rule is a key path and a dialect; the first match counts.
///
/// A string that two frameworks read in two dialects is no prompt, unless a mark or a rule sets its
/// dialect.
///
/// Cost: a search for a few words, if the file contains none of them and there are no rules; else
/// its length, and that of a key path for each string and rule.
pub fn find(language: Language, source: &str, rules: &[(KeyPath, Dialect)]) -> Vec<Found> {
    find_all(language, source, rules).prompts
}

/// The same, including unreadable parts of a file that a rule, a mark or a framework names.
pub fn find_all(language: Language, source: &str, rules: &[(KeyPath, Dialect)]) -> Finds {
    if !is_named(source, rules) {
        return Finds::default();
    }
    let read = match source.len() <= MAX_BYTES {
        true => read(language, source),
        false => Err(Unread::too_large(MAX_BYTES)),
    };
    match read {
        Ok(Some(host)) => host.finds(rules),
        // Most broken files with one of the words belong to other programs.
        Err(unread) if !rules.is_empty() || BrokenHost::new(language, source).is_meant() => {
            Finds { unread: vec![unread], ..Finds::default() }
        }
        _ => Finds::default(),
    }
}

/// `true` if a data file may have prompts. Cost: as for [`find`].
pub fn may_hold(source: &str, rules: &[(KeyPath, Dialect)]) -> bool {
    source.len() <= MAX_BYTES && is_named(source, rules)
}

/// `true` if there are rules for a file, or it contains a word of a framework or of a mark.
fn is_named(source: &str, rules: &[(KeyPath, Dialect)]) -> bool {
    static WORDS_AND_MARKS: LazyLock<Gate> =
        LazyLock::new(|| Gate::new(WORDS.into_iter().chain(marks::OPENERS)));
    !rules.is_empty() || WORDS_AND_MARKS.opens(source)
}

/// Texts that nearly every data file with prompts contains, and few other files. For editors, which
/// request nothing for most files.
pub fn signs() -> Vec<&'static str> {
    let signs = RECOGNISERS.iter().flat_map(|row| row.signs).copied();
    let mut all: Vec<&str> = signs.chain(marks::OPENERS).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A parsed file.
struct Host<'s> {
    language: Language,
    source: &'s str,
    /// The range of its data.
    range: Range<usize>,
    tree: Tree<'s>,
    style: CommentStyle,
}

/// Parses a file; `None` if it contains no value.
fn read(language: Language, source: &str) -> Result<Option<Host<'_>>, Unread> {
    let Some(range) = data_range(language, source) else { return Ok(None) };
    let (format, style) = match language {
        Language::Yaml | Language::Markdown => (Format::Yaml, CommentStyle::HashBehindBlank),
        Language::Json => (Format::Json, CommentStyle::Slashes),
        Language::Toml => (Format::Toml, CommentStyle::Hash),
        _ => return Ok(None),
    };
    let tree = read_part(format, source, range.clone())
        .map_err(|refusal| Unread::new(refusal.range, refusal.reason))?;
    let host = Host { language, source, range, tree, style };
    Ok(Some(host).filter(|host| !host.tree.nodes.is_empty()))
}

/// The range of the data of a file; `None` if it has none.
pub(crate) fn data_range(language: Language, source: &str) -> Option<Range<usize>> {
    match language {
        Language::Markdown => markdown::front_matter(source),
        _ => Some(0..source.len()),
    }
}

/// The collected facts about a string.
#[derive(Default)]
struct Said {
    mark: Option<Mark>,
    rule: Option<(Dialect, String)>,
    recognised: Vec<Recognised>,
}

/// The facts of a recogniser about a string.
struct Recognised {
    dialect: Dialect,
    framework: &'static str,
    name: Option<String>,
    entry: Range<usize>,
    /// The name of the agent, which is the base of the prompt's name.
    agent: Option<String>,
}

impl Said {
    /// The dialect and its source; `None` for a string that is no prompt.
    fn decide(&self) -> Option<(Dialect, Why)> {
        match (self.mark, &self.rule) {
            (Some(Mark::Off), _) => None,
            (Some(Mark::Dialect(dialect)), _) => Some((dialect, Why::Mark)),
            (None, Some((dialect, entry))) => Some((*dialect, Why::Rule(entry.clone()))),
            (None, None) => {
                let first = self.recognised.first()?;
                let agree = self.recognised.iter().all(|it| it.dialect == first.dialect);
                agree.then_some((first.dialect, Why::Recogniser(first.framework)))
            }
        }
    }
}

impl Host<'_> {
    fn finds(&self, rules: &[(KeyPath, Dialect)]) -> Finds {
        let comments = comments(self.source, self.range.clone(), &self.tree.scalars(), self.style);
        // By the number of the string itself, even if an alias refers to it.
        let mut said: BTreeMap<usize, Said> = BTreeMap::new();
        self.recognise(&comments, &mut said);
        if !rules.is_empty() {
            self.apply_rules(rules, &mut said);
        }
        self.read_marks(&comments, &mut said);

        let mut finds = Finds::default();
        for (number, said) in said {
            match self.prompt(number, said) {
                Some(Ok(found)) => finds.prompts.push(found),
                Some(Err(unread)) => finds.unread.push(unread),
                None => {}
            }
        }
        let first = |prompt: &Found| prompt.literals.first().map_or(0, |literal| literal.start);
        finds.prompts.sort_by_key(first);
        names::make_unique(&mut finds.prompts);
        finds
    }

    /// All values that are strings or aliases of strings.
    fn texts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.tree.nodes.len()).filter(|&number| self.tree.text(number).is_some())
    }

    fn recognise(&self, comments: &[Range<usize>], said: &mut BTreeMap<usize, Said>) {
        let documents = &self.tree.documents;
        for (index, document) in documents.iter().enumerate() {
            let Some(root) = document.root else { continue };
            let source_end = documents.get(index + 1).map_or(self.range.end, |next| next.start);
            let schema = self.schema(comments, document.start..source_end);
            let document = Document { tree: &self.tree, root, language: self.language, schema };
            let is_one = |recogniser: &&recognisers::Recogniser| {
                recogniser.languages.contains(&self.language) && (recogniser.is_one)(&document)
            };
            for recogniser in RECOGNISERS.iter().filter(is_one) {
                for place in recogniser.prompts {
                    let fits = |number: &usize| {
                        self.tree.text(*number).is_some()
                            && place.matches(steps(&self.tree, *number))
                            && self.tree.counts(*number)
                    };
                    for number in (root..self.tree.nodes[root].end).filter(fits) {
                        let around: Vec<usize> = self.tree.outwards(number).collect();
                        let step = |steps: usize| around.iter().rev().nth(steps).copied();
                        let name = match place.name {
                            Name::Text(keys) => document.text(keys).map(str::to_owned),
                            Name::Key(steps) => step(steps).map(|it| self.key(it)),
                        };
                        let name = name.filter(|name| !name.is_empty());
                        let is_agent = matches!(place.name, Name::Text(_));
                        let entry = step(place.entry).unwrap_or(root);
                        let recognised = Recognised {
                            dialect: recogniser.dialect,
                            framework: recogniser.framework,
                            agent: name.clone().filter(|_| is_agent),
                            name: name.map(|name| format!("{name}{}", place.suffix)),
                            entry: self.tree.nodes[entry].entry.range(),
                        };
                        let said = said.entry(self.tree.target(number)).or_default();
                        said.recognised.push(recognised);
                    }
                }
            }
        }
    }

    /// The schema that comments in a part of the file set.
    fn schema(&self, comments: &[Range<usize>], part: Range<usize>) -> Option<&str> {
        let first = comments.partition_point(|comment| comment.start < part.start);
        let behind = comments.partition_point(|comment| comment.start < part.end);
        comments[first..behind].iter().find_map(|comment| {
            let (_, schema) = self.source[comment.clone()].split_once(SCHEMA_COMMENT)?;
            schema.split_whitespace().next()
        })
    }

    fn apply_rules(&self, rules: &[(KeyPath, Dialect)], said: &mut BTreeMap<usize, Said>) {
        for number in self.texts() {
            let fits = |(path, _): &&(KeyPath, Dialect)| path.matches(steps(&self.tree, number));
            let Some((path, dialect)) = rules.iter().find(fits) else { continue };
            if self.tree.counts(number) {
                let said = said.entry(self.tree.target(number)).or_default();
                said.rule.get_or_insert_with(|| (*dialect, path.as_str().to_owned()));
            }
        }
    }

    fn read_marks(&self, comments: &[Range<usize>], said: &mut BTreeMap<usize, Said>) {
        let mark = |comment: &Range<usize>| marks::mark(&self.source[comment.clone()]);
        let marked = comments.iter().filter_map(|it| Some((it, mark(it)?)));
        let mut subjects = None;
        for (comment, mark) in marked {
            let subjects =
                subjects.get_or_insert_with(|| Subjects::new(self.source, &self.tree, self.style));
            let Some(number) = subjects.of(comment) else { continue };
            if self.tree.text(number).is_some() {
                said.entry(self.tree.target(number)).or_default().mark = Some(mark);
            }
        }
    }

    /// The prompt in a string; `None` if it is none.
    fn prompt(&self, number: usize, mut said: Said) -> Option<Result<Found, Unread>> {
        let (dialect, why) = said.decide()?;
        let node = &self.tree.nodes[number];
        let Some(text) = self.tree.decode(number) else {
            let reason =
                "this string is written in a way that is not supported, so its prompt is not read";
            return Some(Err(Unread::new(node.span.range(), reason)));
        };
        // A block scalar may have trailing line ends.
        let end = text.pieces().last().map_or(node.span.range().end, |piece| piece.source.end);
        let literal = node.span.range().start..end.max(node.span.range().end);
        let (name, agent, entry) = match said.recognised.drain(..).next() {
            Some(recognised) => (recognised.name, recognised.agent, recognised.entry),
            None => (None, None, node.entry.range().start..literal.end),
        };
        let name = names::clean(&name.unwrap_or_else(|| self.path(number)));
        let (literals, contracts) = (vec![literal], Vec::new());
        Some(Ok(Found { name, dialect, why, agent, text, literals, entry, contracts }))
    }

    fn key(&self, number: usize) -> String {
        steps(&self.tree, number).next().map_or_else(String::new, written)
    }

    /// The keys and indices of a value, joined with dots.
    fn path(&self, number: usize) -> String {
        let mut steps: Vec<String> = steps(&self.tree, number).map(written).collect();
        steps.reverse();
        steps.join(".")
    }
}

/// The keys and indices of a value, the last one first.
fn steps<'t>(tree: &'t Tree<'_>, number: usize) -> impl Iterator<Item = Step<'t>> {
    tree.outwards(number).filter_map(|number| match &tree.nodes[number].key {
        Key::Document => None,
        Key::Name(name) => Some(Step::Key(name)),
        Key::Index(index) => Some(Step::Index(*index)),
    })
}

fn written(step: Step<'_>) -> String {
    match step {
        Step::Key(key) => key.to_owned(),
        Step::Index(index) => index.to_string(),
    }
}
