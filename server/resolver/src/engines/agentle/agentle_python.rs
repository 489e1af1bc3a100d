//! Agentle's engine for Python: the first closer ends a block, and all passes are repeated until no
//! block is left.

use std::borrow::Cow;

use memchr::memmem;
use promptls_syntax::BlockKind;

use super::{Block, Cleared, Engine, PathTarget, Rules, Scope};
use crate::engines::profile::{Language, Profile, Span, Version};
use crate::python::attributes::{
    PRINTED_ADDRESS, has_attribute, map_has_attribute, number_attribute,
};
use crate::string_form::StringForm;
use crate::value::{Entry, ValueKind};

static EACH_VERSION: Engine<Python> = Engine::new();

pub(in crate::engines) static PYTHON: Profile = Profile {
    id: "agentle-python",
    title: "Agentle for Python",
    language: Language::Python,
    packages: &["agentle"],
    source: "PyPI agentle, prompts/models/prompt.py",
    newest: Version([0, 9, 76]),
    fields: &[],
    spans: &[Span {
        from: Version([0, 9, 76]),
        differs: &[
            "values are formatted as in Python: True, ['x'], {'k': None}",
            "a block ends at the first closer of its kind, so blocks of one kind cannot be nested",
            "conditions are evaluated before loops: {{#if this.x}} does not see the item",
            "double braces in items are also filled in",
            "a loop over a map iterates over its keys",
            "a name without a value may be an attribute: {{items}}, {{name.upper}}",
        ],
        behaviour: &EACH_VERSION,
    }],
};

pub(super) struct Python;

impl Rules for Python {
    const FORM: StringForm = StringForm::PYTHON;
    const CLOSES_FIRST: bool = true;
    const NESTS: bool = false;

    fn trim(path: &str) -> &str {
        path.trim_matches(is_space)
    }

    fn block(text: &str, from: usize, kind: BlockKind) -> Option<Block> {
        let (opener, closer) = match kind {
            BlockKind::If => ("{{#if", "{{/if}}"),
            BlockKind::Each => ("{{#each", "{{/each}}"),
        };
        let mut openers = memmem::find_iter(text.as_bytes().get(from..)?, opener);
        let (start, path) = openers.find_map(|at| {
            let start = from + at;
            Some((start, path(text, start + opener.len())?))
        })?;
        let inside = path.end + "}}".len();
        let inside = inside..inside + memmem::find(&text.as_bytes()[inside..], closer.as_bytes())?;
        let end = inside.end + closer.len();
        Some(Block { start, path, inside, end })
    }

    fn follow<'a>(scope: Scope<'_, 'a>, path: &str) -> PathTarget<'a> {
        let (name, rest) = match path.split_once('.') {
            Some((name, rest)) => (Python::trim(name), Some(rest)),
            None => (path, None),
        };
        let root = match scope.item {
            Some(item) if name == "this" => Some(item.clone()),
            _ => PathTarget::input(scope.given, name),
        };
        let root = root.unwrap_or_else(|| attribute_if(map_has_attribute(name)));
        match rest {
            Some(rest) => walk(root, rest),
            None => root,
        }
    }

    fn follow_from<'a>(item: PathTarget<'a>, _: &Cleared<'a>, path: &str) -> PathTarget<'a> {
        walk(item, path)
    }

    fn items<'a>(
        _: Scope<'_, 'a>,
        of: &PathTarget<'a>,
    ) -> (Vec<PathTarget<'a>>, Option<&'static str>) {
        let items = match of {
            PathTarget::Value(Cow::Borrowed(value)) => match &value.kind {
                ValueKind::List(items) => {
                    items.iter().map(|item| PathTarget::Value(Cow::Borrowed(item))).collect()
                }
                ValueKind::Object(object) => {
                    object.entries().iter().map(Python::of_entry).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        (items, None)
    }

    fn of_entry(entry: &Entry) -> PathTarget<'_> {
        PathTarget::text(&entry.key)
    }

    fn kept(placeholder: &str) -> Cow<'_, str> {
        Cow::Borrowed(placeholder)
    }
}

/// The path in the tag of a block, after its keyword: whitespace, then anything but `}`, including
/// whitespace.
fn path(text: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let rest = text.get(from..)?;
    let blank = rest.chars().next().filter(|&first| is_space(first))?;
    let end = memchr::memchr(b'}', rest.as_bytes())?;
    let start = blank.len_utf8();
    (start < end && rest[end..].starts_with("}}")).then_some(from + start..from + end)
}

fn walk<'a>(mut thing: PathTarget<'a>, path: &str) -> PathTarget<'a> {
    for step in path.split('.').map(Python::trim) {
        let member = match &thing {
            PathTarget::Value(Cow::Borrowed(value)) => {
                value.as_object().and_then(|map| map.get(step))
            }
            _ => None,
        };
        thing = match member {
            Some(entry) => PathTarget::Value(Cow::Borrowed(&entry.value)),
            None => attribute(&thing, step),
        };
    }
    thing
}

/// The attribute that Python finds if a value has no such key.
fn attribute<'a>(thing: &PathTarget<'a>, name: &str) -> PathTarget<'a> {
    match thing {
        PathTarget::Value(value) => match number_attribute(&value.kind, name) {
            Some(number) => PathTarget::number(number),
            None => attribute_if(has_attribute(&value.kind, name)),
        },
        // The attributes that every attribute has itself begin with `__`.
        PathTarget::NoText(why) | PathTarget::Unknown(why) if name.starts_with("__") => {
            PathTarget::Unknown(why)
        }
        _ => PathTarget::Missing,
    }
}

fn attribute_if<'a>(exists: bool) -> PathTarget<'a> {
    if exists { PathTarget::NoText(PRINTED_ADDRESS) } else { PathTarget::Missing }
}

/// `str.isspace`, which also defines whitespace for `strip` and `\s`.
fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1C}'..='\u{1F}')
}
