//! Semantics of blocks: the selected branch, the items of a loop, and the current item.
//!
//! The rules follow Agentle's document, which is the only one with blocks.

use promptls_syntax::Dialect;

use crate::behaviour::Behaviour;
use crate::findings::problem::{FileId, Location};
use crate::outcome::{Form, Lookup, Outcome};
use crate::path::{Step, steps, walk};
pub use crate::template::Item;
use crate::template::This;
use crate::value::{Entry, Value, ValueKind};

/// The maximum nesting depth of blocks.
pub const MAX_DEPTH: usize = 100;

/// The maximum number of items of a loop.
pub const MAX_ITEMS: usize = 10_000;

/// The message of the engine for a block that is nested too deeply.
pub(crate) fn too_deep() -> String {
    format!("Maximum template nesting depth exceeded: {MAX_DEPTH}")
}

/// The message of the engine for a loop with too many items.
pub(crate) fn too_many_items() -> String {
    format!("Maximum iteration count exceeded: {MAX_ITEMS}")
}

/// `true` if a path refers to the item of the enclosing loop.
pub fn is_of_item(dialect: Dialect, name: &str) -> bool {
    !matches!(this(dialect, name), This::No)
}

/// The reference of a name to the item of the enclosing loop.
pub(crate) fn this(dialect: Dialect, name: &str) -> This<'_> {
    // Names have no leading whitespace.
    let Some(after) = dialect.spec().item.and_then(|item| name.strip_prefix(item)) else {
        return This::No;
    };
    match after.split_once('.') {
        None if after.is_empty() => This::Item(""),
        Some((blanks, rest)) if blanks.chars().all(|character| character <= ' ') => {
            let plain = !rest.is_empty() && !rest.contains(|c: char| c == '.' || c <= ' ');
            if plain { This::Member(rest) } else { This::Item(rest) }
        }
        _ => This::No,
    }
}

/// The default target of a path that starts with `this`.
#[inline]
pub(crate) fn of_item<'a, B: Behaviour + ?Sized>(
    engine: &B,
    item: Item<'a>,
    this: This<'_>,
    file: Option<FileId>,
) -> Lookup<'a> {
    let (value, rest) = match (item, this) {
        (Item::Value(value), This::Member(member)) => {
            return match value.as_object().and_then(|object| object.get(member)) {
                Some(entry) => engine.value(&entry.value, file),
                None => Lookup::MISSING,
            };
        }
        (Item::Value(value), This::Item(rest)) => (value, rest),
        (Item::Entry(entry), This::Member(rest) | This::Item(rest)) => {
            return of_entry(engine, entry, rest, file);
        }
        (_, This::No) => return Lookup::MISSING,
    };
    match walk(value, steps(engine.facts().dialect(), rest)) {
        Some(value) => engine.value(value, file),
        None => Lookup::MISSING,
    }
}

fn of_entry<'a, B: Behaviour + ?Sized>(
    engine: &B,
    entry: &'a Entry,
    rest: &str,
    file: Option<FileId>,
) -> Lookup<'a> {
    let mut steps = steps(engine.facts().dialect(), rest);
    match steps.next() {
        None => {
            let range = entry.key_span.range().start..entry.value.span.range().end;
            Lookup::new(
                Outcome::Entry(entry, Form(engine.facts().form)),
                file.map(|file| Location { file, range }),
            )
        }
        Some(Step::Key("key")) if steps.next().is_none() => {
            let range = entry.key_span.range();
            Lookup::new(Outcome::Text(&entry.key), file.map(|file| Location { file, range }))
        }
        Some(Step::Key("value")) => match walk(&entry.value, steps) {
            Some(value) => engine.value(value, file),
            None => Lookup::MISSING,
        },
        Some(_) => Lookup::MISSING,
    }
}

/// The collection of an `{{#each}}`.
#[derive(Clone, Copy, Debug)]
pub enum Items<'a> {
    /// A list, with its items.
    List(&'a [Value]),
    /// A map, with its entries.
    Map(&'a [Entry]),
}

impl<'a> Items<'a> {
    /// The number of items; more than [`MAX_ITEMS`] are an error of the engine.
    pub fn len(self) -> usize {
        match self {
            Items::List(items) => items.len(),
            Items::Map(entries) => entries.len(),
        }
    }

    /// `true` if there are no items.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The item at an index, from 0; `None` beyond the end.
    pub fn get(self, index: usize) -> Option<Item<'a>> {
        match self {
            Items::List(items) => items.get(index).map(Item::Value),
            Items::Map(entries) => entries.get(index).map(Item::Entry),
        }
    }
}

/// The items of a list or a map; empty for other values.
pub fn items<'a>(outcome: &Outcome<'a>) -> Items<'a> {
    match outcome {
        Outcome::Value(value, _) => match &value.kind {
            ValueKind::List(items) => Items::List(items),
            ValueKind::Object(object) => Items::Map(object.entries()),
            _ => Items::List(&[]),
        },
        _ => Items::List(&[]),
    }
}
