//! Agentle's engine for Java: blocks contain others of their kind, and values have the members
//! found by Java's reflection.

mod hash_map;
mod members;
mod replacement;

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;
use promptls_syntax::BlockKind;

use super::{Block, Cleared, Engine, PathTarget, Rules, Scope, is_cleared, order_of};
use crate::behaviour::Verdict;
use crate::engines::profile::{Language, Profile, Span, Version};
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::run_findings::RunFindings;
use crate::string_form::StringForm;
use crate::template::Template;
use crate::value::{Entry, ValueKind};

static EACH_VERSION: Engine<Java> = Engine::new();

pub(in crate::engines) static JAVA: Profile = Profile {
    id: "agentle4j",
    title: "Agentle for Java",
    language: Language::Java,
    packages: &["io.github.paragon-intelligence:agentle4j"],
    source: "paragon-intelligence/agentle4j, Prompt.java (f5a2ef7)",
    newest: Version([0, 10, 1]),
    fields: &[],
    spans: &[Span {
        from: Version([0, 3, 0]),
        differs: &[
            "conditions are evaluated before loops: {{#if this.x}} does not see the item",
            "double braces in items are also filled in",
            "strings, numbers and lists have members: {{name.length}}, {{items.size}}",
            "an entry of a map has no key and no value, only {{this}}",
            "$ and \\ in a placeholder without a value change it, or raise an error",
            "numbers are formatted as in Java",
        ],
        behaviour: &EACH_VERSION,
    }],
};

pub(super) struct Java;

impl Rules for Java {
    const FORM: StringForm = StringForm::JVM;
    const CLOSES_FIRST: bool = false;
    const NESTS: bool = true;

    fn trim(path: &str) -> &str {
        path.trim_matches(|character| character <= ' ')
    }

    fn block(text: &str, from: usize, kind: BlockKind) -> Option<Block> {
        let (opener, counted, closer) = match kind {
            BlockKind::If => ("{{#if ", "{{#if", "{{/if}}"),
            BlockKind::Each => ("{{#each ", "{{#each", "{{/each}}"),
        };
        let find = |what: &str, from: usize| {
            Some(from + memmem::find(&text.as_bytes()[from..], what.as_bytes())?)
        };
        let start = find(opener, from)?;
        let path = start + opener.len()..find("}}", start)?;
        let inside = path.end + "}}".len();
        let inside = inside..matching(text, inside, counted, closer)?;
        let end = inside.end + closer.len();
        Some(Block { start, path, inside, end })
    }

    fn follow<'a>(scope: Scope<'_, 'a>, path: &str) -> PathTarget<'a> {
        if path.is_empty() {
            return PathTarget::Missing;
        }
        let mut steps = steps(path);
        let root = match (steps.next(), scope.item) {
            (None, _) => return hash_map::context(scope),
            (Some("this"), Some(item)) => item.clone(),
            (Some(name), _) => PathTarget::input(scope.given, name).unwrap_or(PathTarget::Missing),
        };
        walk(root, scope.cleared, steps)
    }

    fn follow_from<'a>(item: PathTarget<'a>, cleared: &Cleared<'a>, path: &str) -> PathTarget<'a> {
        walk(item, cleared, steps(path))
    }

    fn items<'a>(
        scope: Scope<'_, 'a>,
        of: &PathTarget<'a>,
    ) -> (Vec<PathTarget<'a>>, Option<&'static str>) {
        let items = match of {
            PathTarget::Context(entries) => return (entries.clone(), order_of(entries)),
            PathTarget::Unknown(why) => return (Vec::new(), Some(why)),
            PathTarget::Value(Cow::Borrowed(value)) => match &value.kind {
                ValueKind::List(_) if is_cleared(value, scope.cleared) => Vec::new(),
                ValueKind::List(items) => {
                    items.iter().map(|item| PathTarget::Value(Cow::Borrowed(item))).collect()
                }
                ValueKind::Object(object) => {
                    object.entries().iter().map(PathTarget::Entry).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        (items, None)
    }

    fn of_entry(entry: &Entry) -> PathTarget<'_> {
        PathTarget::Entry(entry)
    }

    fn kept(placeholder: &str) -> Cow<'_, str> {
        replacement::of(placeholder).unwrap_or(Cow::Borrowed(placeholder))
    }

    /// The engine restores a placeholder without a value as if it were a replacement pattern.
    fn verdict(template: &Template<'_>, found: &RunFindings) -> Verdict {
        if found.missing.is_empty() || template.has_block_marker() {
            return Verdict::default();
        }
        let refusal = |source: &Range<usize>| replacement::of(&template.text[source.clone()]).err();
        let refused = found.missing.iter().find_map(|missing| refusal(&missing.source));
        let error = refused.map(|message| EngineError::new(ErrorKind::Engine, Vec::new(), message));
        Verdict { problems: Vec::new(), error }
    }
}

/// The position of the closer of a block. Other openers of its kind count even without whitespace.
fn matching(text: &str, from: usize, opener: &str, closer: &str) -> Option<usize> {
    let text = &text.as_bytes()[from..];
    let mut openers = memmem::find_iter(text, opener).peekable();
    let mut open = 1;
    for close in memmem::find_iter(text, closer) {
        while openers.next_if(|&opener| opener < close).is_some() {
            open += 1;
        }
        open -= 1;
        if open == 0 {
            return Some(from + close);
        }
    }
    None
}

/// The keys of a path, trimmed and without empty ones.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').map(Java::trim).filter(|step| !step.is_empty())
}

fn walk<'a, 'p>(
    mut thing: PathTarget<'a>,
    cleared: &Cleared<'a>,
    steps: impl Iterator<Item = &'p str>,
) -> PathTarget<'a> {
    for step in steps {
        thing = match &thing {
            PathTarget::Missing | PathTarget::Unknown(_) => return thing,
            PathTarget::Value(Cow::Borrowed(value))
                if let ValueKind::Object(object) = &value.kind =>
            {
                match object.get(step) {
                    Some(entry) => PathTarget::Value(Cow::Borrowed(&entry.value)),
                    None => PathTarget::Missing,
                }
            }
            other => members::of(other, cleared, step),
        };
    }
    thing
}
