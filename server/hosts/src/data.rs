//! Prompts that are values in YAML, JSON, TOML and the front matter of Markdown.
//!
//! A file is parsed into a tree of values with source ranges. Recognisers, rules and marks select
//! the strings that are prompts; only these are decoded, with a source map.

mod broken;
mod comments;
mod crews;
mod demands;
pub(crate) mod markdown;
mod own_classes;
mod own_words;
mod recognisers;
mod values;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use promptls_data::{Decoded, Format, NodeKey, NodeValue, Tree, TreeDocument, read_part};
use promptls_syntax::Dialect;

use crate::cannot_edit::CannotEdit;
use crate::finds::Finds;
use crate::flow::CrewReference;
use crate::gate::Gate;
use crate::host_prompt::{DeclaredAt, Demand, HostPrompt, Inclusion, Supply, Why};
use crate::language::Language;
use crate::marks::{self, Mark};
use crate::names;
use crate::pack::Pack;
use crate::rules::{KeyPath, KeyStep};
use crate::unread::Unread;
use broken::BrokenHost;
use comments::{CommentStyle, Subjects, comments};
use markdown::data_range;
pub(crate) use own_words::own_words;
use recognisers::{AGENT_CLASS, DataDocument, NameSource, RECOGNISERS, Recogniser, WORDS};
pub use values::{DataValue, values};

/// The maximum size of a file with prompts, in bytes. Packs may be larger.
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
pub fn find(language: Language, source: &str, rules: &[(KeyPath, Dialect)]) -> Vec<HostPrompt> {
    find_all(language, source, None, rules, &[]).prompts
}

/// The same, including unreadable parts of a file that a rule, a mark or a framework names. `pack`
/// is the kind of pack that the file is by its name, whatever it contains; `demands` are the uses of
/// its values by code.
pub fn find_all(
    language: Language,
    source: &str,
    pack: Option<&'static Pack>,
    rules: &[(KeyPath, Dialect)],
    demands: &[Demand],
) -> Finds {
    let is_used = demands.iter().any(|it| it.text().is_some() || matches!(it, Demand::Crew(_)));
    if pack.is_none() && !is_used && !is_named(source, rules) {
        return Finds::default();
    }
    let has_pack_text = || {
        let mut packs = RECOGNISERS.iter().filter_map(|row| row.pack);
        packs.any(|pack| memchr::memmem::find(source.as_bytes(), pack.text.as_bytes()).is_some())
    };
    let read = match source.len() <= MAX_BYTES || pack.is_some() || has_pack_text() {
        true => read(language, source),
        false => Err(Unread::too_large(MAX_BYTES)),
    };
    match read {
        Ok(Some(host)) => host.finds(pack, rules, demands),
        Err(unread) => {
            // Most broken files with one of the words belong to other programs.
            let broken = BrokenHost::new(language, source);
            let pack = pack.or_else(|| broken.recogniser()?.pack);
            let is_meant = pack.is_some() || is_used || !rules.is_empty() || broken.is_meant();
            let unread = is_meant.then_some(unread).into_iter().collect();
            Finds { unread, pack, ..Finds::default() }
        }
        _ => Finds { pack, ..Finds::default() },
    }
}

/// `true` if a data file may have prompts. Cost: as for [`find`].
pub fn may_hold(source: &str, rules: &[(KeyPath, Dialect)]) -> bool {
    source.len() <= MAX_BYTES && is_named(source, rules)
}

/// `true` if a data file may name a class of a program whose prompts are in the file. Cost: a search
/// for a word.
pub fn may_name_class(language: Language, source: &str) -> bool {
    language == Language::Yaml
        && source.len() <= MAX_BYTES
        && memchr::memmem::find(source.as_bytes(), AGENT_CLASS.as_bytes()).is_some()
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

/// The kind of pack that a file is by its stem; `None` if only its content can show that.
pub fn pack_of_name(language: Language, stem: &str) -> Option<&'static Pack> {
    let rows = RECOGNISERS.iter().filter(|row| row.languages.contains(&language));
    let mut packs = rows.filter_map(|row| row.pack);
    packs.find(|pack| stem.strip_suffix(pack.stem_end).is_some_and(|stem| !stem.is_empty()))
}

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

/// The collected facts about a string.
#[derive(Default)]
struct StringEvidence {
    mark: Option<Mark>,
    rule: Option<(Dialect, String)>,
    recognised: Vec<Recognised>,
}

/// The facts of a recogniser about a string.
struct Recognised {
    dialect: Dialect,
    why: Why,
    name: Option<String>,
    entry: Range<usize>,
    /// The name of the agent, which is the base of the prompt's name.
    agent: Option<String>,
    declared: Option<DeclaredAt>,
    /// The number of the string, which an alias of its entry may refer to.
    string: usize,
    /// The text, if code has changed it.
    text: Option<Decoded>,
    /// The calls in code that supply its values.
    supplies: Vec<Supply>,
    /// The prompts of code that it is a part of.
    included_by: Vec<Inclusion>,
    /// The names of parts of a crew in its entry.
    crew_references: Vec<CrewReference>,
}

impl StringEvidence {
    /// The dialect and its source; `None` for a string that is no prompt.
    fn decide(&self) -> Option<(Dialect, Why)> {
        match (self.mark, &self.rule) {
            (Some(Mark::Off), _) => None,
            (Some(Mark::Dialect(dialect)), _) => Some((dialect, Why::Mark)),
            (None, Some((dialect, entry))) => Some((*dialect, Why::Rule(entry.clone()))),
            (None, None) => {
                let first = self.recognised.first()?;
                let agree = self.recognised.iter().all(|it| it.dialect == first.dialect);
                agree.then(|| (first.dialect, first.why.clone()))
            }
        }
    }
}

impl Host<'_> {
    fn finds(
        &self,
        pack: Option<&'static Pack>,
        rules: &[(KeyPath, Dialect)],
        demands: &[Demand],
    ) -> Finds {
        let comments = comments(self.source, self.range.clone(), &self.tree.scalars(), self.style);
        // By the number of the string itself, even if an alias refers to it.
        let mut evidence: BTreeMap<usize, StringEvidence> = BTreeMap::new();
        let mut finds = Finds { pack, ..Finds::default() };
        for document in self.documents(&comments) {
            finds.pack = finds.pack.or(self.recognise(&document, pack, &mut evidence));
            self.read_crew(&document, demands, &mut evidence, &mut finds);
            self.read_own_class(&document, demands, &mut evidence, &mut finds);
        }
        if !rules.is_empty() {
            self.apply_rules(rules, &mut evidence);
        }
        self.meet(demands, &mut evidence, &mut finds);
        self.read_marks(&comments, &mut evidence);
        let unknown = |comment: &Range<usize>| {
            let mark = marks::only_mark(&self.source[comment.clone()])?;
            marks::mark(mark).is_none().then(|| marks::unknown(mark, comment.clone()))
        };
        finds.unread.extend(comments.iter().filter_map(unknown));

        finds.prompts =
            evidence.into_iter().filter_map(|(it, evidence)| self.prompt(it, evidence)).collect();
        let first =
            |prompt: &HostPrompt| prompt.literals.first().map_or(0, |literal| literal.start);
        finds.prompts.extend(self.body());
        finds.prompts.sort_by_key(first);
        names::make_unique(&mut finds.prompts);
        finds
    }

    /// The text after the front matter, if it is a prompt of a framework.
    fn body(&self) -> Option<HostPrompt> {
        let root = self.tree.documents.first()?.root?;
        let (language, tree) = (self.language, &self.tree);
        let document = DataDocument { tree, root, language, schema: None };
        let is_one = |row: &&Recogniser| {
            row.body.is_some() && row.languages.contains(&language) && (row.is_one)(&document)
        };
        let row = RECOGNISERS.iter().find(is_one)?;
        let range = markdown::body(self.source, self.range.end)?;
        let name = document.text(&[row.body?]).map(names::clean);
        Some(HostPrompt {
            variable: None,
            name: name.filter(|it| !it.is_empty()).unwrap_or_else(|| names::NAMELESS.to_owned()),
            dialect: row.dialect,
            why: row.why(""),
            engine: row.why("").engine(),
            agent: None,
            text: markdown::text(self.source, range.clone()),
            role: None,
            known_holes: Vec::new(),
            literals: vec![range.clone()],
            included: Vec::new(),
            entry: range,
            contracts: Vec::new(),
            supplies: Vec::new(),
            included_by: Vec::new(),
            later: Vec::new(),
            declared: None,
            read_only: None,
            is_of_framework: true,
            listed: None,
            crew_references: Vec::new(),
            chat: None,
            choice: None,
        })
    }

    /// All values that are strings or aliases of strings.
    fn texts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.tree.nodes.len()).filter(|&number| self.tree.text(number).is_some())
    }

    /// The documents of the file that have a value.
    fn documents(&self, comments: &[Range<usize>]) -> Vec<DataDocument<'_>> {
        let documents = &self.tree.documents;
        let document = |(index, document): (usize, &TreeDocument)| {
            let root = document.root?;
            let source_end = documents.get(index + 1).map_or(self.range.end, |next| next.start);
            let schema = self.schema(comments, document.start..source_end);
            Some(DataDocument { tree: &self.tree, root, language: self.language, schema })
        };
        documents.iter().enumerate().filter_map(document).collect()
    }

    /// Collects the strings of a document that recognisers select, and returns the kind of pack that
    /// it is.
    fn recognise(
        &self,
        document: &DataDocument<'_>,
        claimed: Option<&'static Pack>,
        evidence: &mut BTreeMap<usize, StringEvidence>,
    ) -> Option<&'static Pack> {
        let mut pack = None;
        let is_one = |row: &&Recogniser| match claimed {
            Some(_) => row.pack == claimed,
            None => row.languages.contains(&self.language) && (row.is_one)(document),
        };
        for row in RECOGNISERS.iter().filter(is_one) {
            pack = pack.or(row.pack);
            if row.pack.is_none_or(|pack| !document.has_other_syntax(pack)) {
                self.recognise_by(row, document, evidence);
            }
        }
        pack
    }

    fn recognise_by(
        &self,
        row: &Recogniser,
        document: &DataDocument<'_>,
        evidence: &mut BTreeMap<usize, StringEvidence>,
    ) {
        for place in row.prompts {
            for way in self.ways_along(document.root, place.path) {
                let Some(&last) = way.last() else { continue };
                let string = self.tree.target(last);
                let is_string = match row.pack {
                    Some(_) => matches!(self.tree.nodes[string].kind, NodeValue::String { .. }),
                    None => self.tree.text(string).is_some(),
                };
                if !is_string {
                    continue;
                }
                let name = match place.name {
                    NameSource::Text(keys) => document.text(keys).map(str::to_owned),
                    NameSource::Key(steps) => way.get(steps).map(|&it| self.key(it)),
                };
                let name = name.filter(|name| !name.is_empty());
                let agent = name.clone().filter(|_| matches!(place.name, NameSource::Text(_)));
                let name = name.map(|name| match row.pack {
                    // Sidecars do not contain it, so any name will do.
                    Some(_) => name,
                    None => names::clean(&format!("{name}{}", place.suffix)),
                });
                let declared = row.declares.as_ref().map(|declares| {
                    let keys = way[1..=place.entry].iter().map(|&it| self.key(it));
                    let variables = keys.chain([declares.variables.to_owned()]).collect();
                    DeclaredAt { variables, fragments: declares.fragments }
                });
                // Each entry of a pack is a prompt, because its declarations are its own.
                let is_alias =
                    |&&it: &&usize| matches!(self.tree.nodes[it].kind, NodeValue::Alias(_));
                let alias = row.pack.and_then(|_| way.iter().find(is_alias)).copied();
                let entry = self.tree.nodes[way[place.entry]].entry.range();
                let recognised = Recognised {
                    dialect: row.dialect,
                    why: row.why(place.path.last().copied().unwrap_or_default()),
                    name,
                    entry,
                    agent,
                    declared,
                    string,
                    text: None,
                    supplies: Vec::new(),
                    included_by: Vec::new(),
                    crew_references: crews::references(&self.tree, place, way[place.entry]),
                };
                let evidence = evidence.entry(alias.unwrap_or(string)).or_default();
                evidence.recognised.push(recognised);
            }
        }
    }

    /// The values at a path of keys, each after those that lead to it, from the root on. Aliases are
    /// followed. Members that are overridden by later ones do not count.
    fn ways_along(&self, root: usize, path: &[&str]) -> Vec<Vec<usize>> {
        let mut ways = vec![vec![root]];
        for key in path {
            let next = |way: &Vec<usize>| -> Vec<Vec<usize>> {
                let object = self.tree.target(way[way.len() - 1]);
                let members = match *key {
                    "*" if self.tree.is_object(object) => self
                        .tree
                        .children(object)
                        .filter(|&member| !self.tree.nodes[member].is_repeated)
                        .collect(),
                    "*" => Vec::new(),
                    key => self.tree.member(object, key).into_iter().collect(),
                };
                members.into_iter().map(|member| [way.as_slice(), &[member]].concat()).collect()
            };
            ways = ways.iter().flat_map(next).collect();
        }
        ways
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

    fn apply_rules(
        &self,
        rules: &[(KeyPath, Dialect)],
        evidence: &mut BTreeMap<usize, StringEvidence>,
    ) {
        for number in self.texts() {
            let fits = |(path, _): &&(KeyPath, Dialect)| path.matches(steps(&self.tree, number));
            let Some((path, dialect)) = rules.iter().find(fits) else { continue };
            if self.tree.counts(number) {
                let evidence = evidence.entry(self.tree.target(number)).or_default();
                evidence.rule.get_or_insert_with(|| (*dialect, path.as_str().to_owned()));
            }
        }
    }

    fn read_marks(
        &self,
        comments: &[Range<usize>],
        evidence: &mut BTreeMap<usize, StringEvidence>,
    ) {
        let mark = |comment: &Range<usize>| marks::mark(&self.source[comment.clone()]);
        let marked = comments.iter().filter_map(|it| Some((it, mark(it)?)));
        let mut subjects = None;
        for (comment, mark) in marked {
            let subjects =
                subjects.get_or_insert_with(|| Subjects::new(self.source, &self.tree, self.style));
            let Some(number) = subjects.of(comment) else { continue };
            if self.tree.text(number).is_some() {
                evidence.entry(self.tree.target(number)).or_default().mark = Some(mark);
            }
        }
    }

    /// The prompt in a string, or at an alias; `None` if it is none.
    fn prompt(&self, number: usize, mut evidence: StringEvidence) -> Option<HostPrompt> {
        let (dialect, why) = evidence.decide()?;
        let mut recognised = evidence.recognised.drain(..).next();
        let of_dialect = recognised.as_ref().filter(|recognised| recognised.dialect == dialect);
        let engine = of_dialect.and_then(|recognised| recognised.why.engine());
        let changed = recognised.as_mut().and_then(|recognised| recognised.text.take());
        let string = recognised.as_ref().map_or(number, |recognised| recognised.string);
        let crew_references = recognised.as_mut().map(|it| std::mem::take(&mut it.crew_references));
        let span = self.tree.nodes[number].span.range();
        let (text, read_only) = match self.tree.decode(string) {
            Some(text) if string == number => (changed.unwrap_or(text), None),
            _ => {
                let is_alias = string != number;
                let reason = if is_alias { CannotEdit::Alias } else { CannotEdit::Notation };
                (self.at_once(string, number)?, Some(reason))
            }
        };
        // A block scalar may have trailing line ends.
        let end = text.pieces().last().map_or(span.end, |piece| piece.source.end);
        let literal = span.start..end.max(span.end);
        let (name, agent, entry, declared, (supplies, included_by)) = match recognised {
            Some(it) => (it.name, it.agent, it.entry, it.declared, (it.supplies, it.included_by)),
            None => {
                let entry = self.tree.nodes[number].entry.range().start..literal.end;
                (None, None, entry, None, (Vec::new(), Vec::new()))
            }
        };
        let name = name.unwrap_or_else(|| names::clean(&self.path(number)));
        let is_of_framework = matches!(why, Why::Recogniser { .. });
        Some(HostPrompt {
            variable: None,
            name,
            dialect,
            why,
            engine,
            agent,
            text,
            role: None,
            known_holes: Vec::new(),
            literals: vec![literal],
            included: Vec::new(),
            entry,
            contracts: Vec::new(),
            supplies,
            included_by,
            later: Vec::new(),
            declared,
            read_only,
            is_of_framework,
            listed: None,
            crew_references: crew_references.unwrap_or_default(),
            chat: None,
            choice: None,
        })
    }

    /// A string without a map, at the place of a value.
    fn at_once(&self, string: usize, at: usize) -> Option<Decoded> {
        let NodeValue::String { text, .. } = &self.tree.nodes[string].kind else { return None };
        let span = self.tree.nodes[at].span.range();
        let mut decoded = Decoded::default();
        decoded.push_atomic(text, span.clone());
        Some(decoded.or_empty_at(span.start))
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
fn steps<'t>(tree: &'t Tree<'_>, number: usize) -> impl Iterator<Item = KeyStep<'t>> {
    tree.outwards(number).filter_map(|number| match &tree.nodes[number].key {
        NodeKey::Document => None,
        NodeKey::Name(name) => Some(KeyStep::Key(name)),
        NodeKey::Index(index) => Some(KeyStep::Index(*index)),
    })
}

fn written(step: KeyStep<'_>) -> String {
    match step {
        KeyStep::Key(key) => key.to_owned(),
        KeyStep::Index(index) => index.to_string(),
    }
}
