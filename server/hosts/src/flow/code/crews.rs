//! The crews of a Python file: classes with `@CrewBase`, and their methods with `@agent` and `@task`.

use memchr::memmem;

use crate::code::{Outline, ScopeKind, Tokens, Value, outline};
use crate::decode::decode;
use crate::flow::crew::{Crew, CrewMember, CrewPart};
use crate::language::Language;

/// The decorator of such a class.
const CREW_BASE: &str = "CrewBase";

/// The package with the decorators, with a dot.
const PROJECT: &str = "crewai.project.";

/// The attribute with the path of the configurations of tasks.
const TASKS_CONFIG: &str = "tasks_config";

/// The attribute with those of agents, or with their path.
const AGENTS_CONFIG: &str = "agents_config";

/// The path without such an attribute.
const TASKS_FILE: &str = "config/tasks.yaml";

/// `true` if a file may contain such a class.
pub(super) fn may_be(language: Language, source: &str) -> bool {
    language == Language::Python && memmem::find(source.as_bytes(), CREW_BASE.as_bytes()).is_some()
}

/// `true` for the literal in `self.tasks_config["research"]`: the name of a configuration is not a
/// key of a state.
pub(super) fn is_config_key(tokens: &Tokens<'_>, literal: usize) -> bool {
    let is_config = |token: usize| matches!(tokens.text(token), TASKS_CONFIG | AGENTS_CONFIG);
    literal >= 2 && tokens.text(literal - 1) == "[" && is_config(literal - 2)
}

/// The crews of a file.
///
/// Cost: a search for a word; if it is found, the tokens.
pub(super) fn crews(tokens: &Tokens<'_>) -> Vec<Crew> {
    if !may_be(tokens.language, tokens.source) {
        return Vec::new();
    }
    let Some(outline) = outline(tokens) else { return Vec::new() };
    let mut crews: Vec<(usize, Option<Crew>)> = Vec::new();
    for declared in decorated(tokens, &outline) {
        let scope = outline.scope_at(declared.name);
        match declared.keyword {
            "class" => {
                let body = outline.scopes.iter().position(|it| it.tokens.start > declared.name);
                crews.extend(body.and_then(|body| {
                    declared.is_crew().then(|| (body, crew(tokens, &outline, body, &declared)))
                }));
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

/// A class or a function with decorators.
struct Decorated<'s> {
    /// The qualified names that each decorator may refer to.
    decorators: Vec<Vec<String>>,
    keyword: &'s str,
    /// The token of its name.
    name: usize,
}

impl Decorated<'_> {
    fn is_crew(&self) -> bool {
        self.decorators.iter().any(|paths| of_project(paths) == Some(CREW_BASE))
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
    let mut tasks_file = Some(TASKS_FILE.to_owned());
    let mut members = Vec::new();
    for ((_, name), value) in own {
        match value {
            Value::Expression(value) if *name == TASKS_CONFIG => {
                let literal = (value.len() == 1).then(|| tokens.range(value.clone()));
                let text = literal.and_then(|it| decode(tokens.language, tokens.source, it));
                tasks_file = text.map(|text| text.text().to_owned());
            }
            _ if *name == TASKS_CONFIG => tasks_file = None,
            Value::Function(_) => {}
            // What is assigned may be a method.
            _ => members.push(CrewMember { kind: None, name: (*name).to_owned(), range: 0..0 }),
        }
    }
    members.sort_by(|one, other| one.name.cmp(&other.name));
    let head = class.name + 1;
    let has_bases = tokens.text(head) == "(" && tokens.text(head + 1) != ")";
    Some(Crew {
        class: tokens.text(class.name).to_owned(),
        tasks_file: tasks_file?,
        members,
        is_whole: !has_bases && class.decorators.len() == 1,
    })
    .filter(|_| matches!(outline.scopes[body].kind, ScopeKind::Class { .. }))
}
