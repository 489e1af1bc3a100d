//! The crews of a Python file: classes with `@CrewBase`, and their methods with `@agent` and `@task`.

use memchr::memmem;

use crate::code::outline::{Outline, ScopeKind, Value};
use crate::code::outlines::outline;
use crate::code::tokens::Tokens;
use crate::decode::decode;
use crate::flow::crew::{Crew, CrewMember, CrewPart, UnknownConfig};
use crate::host_prompt::{Demand, OtherFile};
use crate::language::Language;

/// The decorator of such a class.
const CREW_BASE: &str = "CrewBase";

/// The package with the decorators, with a dot.
const PROJECT: &str = "crewai.project.";

/// `true` if a file may contain such a class.
pub(crate) fn may_be(language: Language, source: &str) -> bool {
    language == Language::Python && memmem::find(source.as_bytes(), CREW_BASE.as_bytes()).is_some()
}

/// `true` for the literal in `self.tasks_config["research"]`: the name of a configuration is not a
/// key of a state.
pub(crate) fn is_config_key(tokens: &Tokens<'_>, literal: usize) -> bool {
    let is_config = |token: usize| {
        [CrewPart::Agent, CrewPart::Task].iter().any(|part| part.config() == tokens.text(token))
    };
    literal >= 2 && tokens.text(literal - 1) == "[" && is_config(literal - 2)
}

/// The crews of a file.
///
/// Cost: a search for a word; if it is found, the tokens.
pub(crate) fn crews(tokens: &Tokens<'_>) -> Vec<Crew> {
    if !may_be(tokens.language, tokens.source) {
        return Vec::new();
    }
    let Some(outline) = outline(tokens) else { return Vec::new() };
    let mut crews: Vec<(usize, Option<Crew>)> = Vec::new();
    for declared in decorated(tokens, &outline) {
        let scope = outline.scope_at(declared.name);
        match declared.keyword {
            "class" => {
                let body = declared.body_of_crew(&outline);
                crews.extend(body.map(|body| (body, crew(tokens, &outline, body, &declared))));
            }
            _ => {
                let crew = crews.iter_mut().find(|(body, _)| *body == scope);
                if let Some((_, Some(crew))) = crew {
                    crew.members.extend(declared.members(tokens));
                }
            }
        }
    }
    crews.into_iter().filter_map(|(_, crew)| crew).collect()
}

/// A file with the configurations of a part of a crew.
#[derive(PartialEq, Eq)]
pub(super) struct ConfigFile {
    pub part: CrewPart,
    /// Its path, relative to the folder of the class.
    pub path: String,
    /// `true` if the class may inherit another path.
    is_default: bool,
}

/// The files with the configurations of the crews of a file, as far as their paths are known.
///
/// Cost: a search for a word; if it is found, the tokens.
pub(super) fn config_files(tokens: &Tokens<'_>, outline: &Outline<'_>) -> Vec<ConfigFile> {
    if !may_be(tokens.language, tokens.source) {
        return Vec::new();
    }
    let classes = decorated(tokens, outline).into_iter().filter(|it| it.keyword == "class");
    let classes = classes.filter_map(|class| Some((class.body_of_crew(outline)?, class)));
    let files = classes.flat_map(|(body, class)| {
        let parts = [CrewPart::Agent, CrewPart::Task].into_iter();
        parts.filter_map(move |part| {
            let path = config_file(tokens, outline, body, part)?;
            let has_own = outline.names.contains_key(&(body, part.config()));
            Some(ConfigFile { part, path, is_default: class.has_bases(tokens) && !has_own })
        })
    });
    let mut files: Vec<ConfigFile> = files.collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files.dedup();
    files
}

/// The names in `self.tasks_config["research"]` that a configuration does not have. `files` are those
/// of the crews of the file; `demands` contain the names in them.
pub(super) fn unknown_configs(
    tokens: &Tokens<'_>,
    files: &[ConfigFile],
    demands: &[Demand],
) -> Vec<UnknownConfig> {
    let of_part = |part: CrewPart| {
        let names = demands.iter().filter_map(move |demand| match demand {
            Demand::CrewNames(of, names) if *of == part => Some(Some(names)),
            // CrewAI goes on without configurations.
            Demand::Missing(OtherFile::Text(_), of) if of == part.config() => Some(None),
            _ => None,
        });
        // Of several crews, each has its own names.
        let (file, names) = (only(files.iter().filter(|it| it.part == part))?, only(names)?);
        let is_known = names.is_some() || !file.is_default;
        is_known.then_some((part, &file.path, names))
    };
    let known: Vec<_> = [CrewPart::Agent, CrewPart::Task].into_iter().filter_map(of_part).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let literals = (2..tokens.all.len()).filter(|token| tokens.is_literal(*token));
    let unknown =
        literals.filter(|literal| is_config_key(tokens, *literal)).filter_map(|literal| {
            let attribute = tokens.text(literal - 2);
            let (part, file, names) = known.iter().find(|(part, ..)| part.config() == attribute)?;
            let range = tokens.range(literal..literal + 1);
            let name = decode(tokens.language, tokens.source, range.clone())?.text().to_owned();
            let is_of_self = literal >= 4 && tokens.text(literal - 4) == "self";
            let is_whole = tokens.text(literal + 1) == "]";
            let is_unknown = names.is_none_or(|names| !names.contains(&name));
            (is_of_self && is_whole && is_unknown).then(|| UnknownConfig {
                part: *part,
                name,
                range,
                file: (*file).clone(),
                known: names.cloned(),
            })
        });
    unknown.collect()
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

/// The path of the configurations of a part of a crew; `None` if it is computed.
fn config_file(
    tokens: &Tokens<'_>,
    outline: &Outline<'_>,
    body: usize,
    part: CrewPart,
) -> Option<String> {
    match outline.names.get(&(body, part.config())) {
        None => Some(part.default_file().to_owned()),
        Some(Value::Expression(value)) if value.len() == 1 => {
            let text = decode(tokens.language, tokens.source, tokens.range(value.clone()));
            text.map(|text| text.text().to_owned())
        }
        Some(_) => None,
    }
}

/// A class or a function with decorators.
struct Decorated<'s> {
    /// The qualified names that each decorator may refer to.
    decorators: Vec<Vec<String>>,
    keyword: &'s str,
    /// The token of its name.
    name: usize,
}

impl Decorated<'_> {
    /// `true` for a class with bases.
    fn has_bases(&self, tokens: &Tokens<'_>) -> bool {
        tokens.text(self.name + 1) == "(" && tokens.text(self.name + 2) != ")"
    }

    fn is_crew(&self) -> bool {
        self.decorators.iter().any(|paths| of_project(paths) == Some(CREW_BASE))
    }

    /// The scope of a class that is a crew.
    fn body_of_crew(&self, outline: &Outline<'_>) -> Option<usize> {
        let body = outline.scopes.iter().position(|it| it.tokens.start > self.name);
        body.filter(|_| self.is_crew())
    }

    /// The members of a crew that a method may be. An unknown decorator may make it either.
    fn members(&self, tokens: &Tokens<'_>) -> Option<CrewMember> {
        let names: Vec<Option<&str>> = self.decorators.iter().map(|it| of_project(it)).collect();
        let kind = match names.iter().flatten().find(|it| matches!(**it, "agent" | "task")) {
            Some(&"agent") => Some(CrewPart::Agent),
            Some(_) => Some(CrewPart::Task),
            None if names.iter().all(Option::is_some) => return None,
            None => None,
        };
        Some(CrewMember {
            kind,
            name: tokens.text(self.name).to_owned(),
            range: tokens.range(self.name..self.name + 1),
        })
    }
}

/// The name of a decorator of CrewAI.
fn of_project(paths: &[String]) -> Option<&str> {
    let name = paths.iter().find_map(|path| path.strip_prefix(PROJECT))?;
    name.rsplit('.').next()
}

/// The classes and functions with decorators, in source order.
fn decorated<'s>(tokens: &Tokens<'s>, outline: &Outline<'s>) -> Vec<Decorated<'s>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.all.len() {
        let mut decorators = Vec::new();
        while tokens.text(at) == "@" && tokens.starts_line(at) {
            decorators.push(outline.paths(&names(tokens, at + 1)));
            at += 1;
            while at < tokens.all.len() && !tokens.starts_line(at) {
                at = tokens.next(at);
            }
        }
        let keyword = at + usize::from(tokens.text(at) == "async");
        if !decorators.is_empty() && matches!(tokens.text(keyword), "def" | "class") {
            found.push(Decorated { decorators, keyword: tokens.text(keyword), name: keyword + 1 });
        }
        at += 1;
    }
    found
}

/// The names with dots between them from a token on.
fn names<'s>(tokens: &Tokens<'s>, start: usize) -> Vec<&'s str> {
    let dots = (start + 1..).step_by(2).take_while(|dot| tokens.text(*dot) == ".");
    [start].into_iter().chain(dots.map(|dot| dot + 1)).map(|name| tokens.text(name)).collect()
}

/// The crew of a class without its decorated methods; `None` if the path of its configurations is
/// computed.
fn crew(
    tokens: &Tokens<'_>,
    outline: &Outline<'_>,
    body: usize,
    class: &Decorated<'_>,
) -> Option<Crew> {
    let own = outline.names.iter().filter(|((scope, _), _)| *scope == body);
    let mut members = Vec::new();
    for ((_, name), value) in own {
        match value {
            _ if *name == CrewPart::Task.config() => {}
            Value::Function(_) => {}
            // What is assigned may be a method.
            _ => members.push(CrewMember { kind: None, name: (*name).to_owned(), range: 0..0 }),
        }
    }
    members.sort_by(|one, other| one.name.cmp(&other.name));
    Some(Crew {
        class: tokens.text(class.name).to_owned(),
        tasks_file: config_file(tokens, outline, body, CrewPart::Task)?,
        members,
        is_whole: !class.has_bases(tokens) && class.decorators.len() == 1,
    })
    .filter(|_| matches!(outline.scopes[body].kind, ScopeKind::Class { .. }))
}
