//! The values of a file with their keys and places, in a list: parents stand before what they hold.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use crate::rules::Step;

/// What a value is called where it stands.
#[derive(Clone, Debug)]
pub(super) enum Key {
    /// It is all of a document.
    Document,
    /// A key of an object.
    Name(Rc<str>),
    /// A place in a list.
    Index(usize),
}

/// What a value is.
#[derive(Debug)]
pub(super) enum Kind {
    /// An object, with the last value that each key has.
    Object(HashMap<Rc<str>, usize>),
    /// A list, with its length.
    List(usize),
    /// A string, as the parser of the format reads it.
    Text(Box<str>),
    /// The number of the value that an alias names.
    Alias(usize),
    /// A number, a truth, nothing, a time.
    Other,
}

/// A value and its place.
#[derive(Debug)]
pub(super) struct Node {
    pub parent: usize,
    pub key: Key,
    pub kind: Kind,
    /// From its key on; from itself on where it has none.
    pub entry: Range<usize>,
    /// Without key, anchor and tag; of a string with its quotes.
    pub value: Range<usize>,
}

/// All values of a file.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    /// The values that are all of a document, in order, and where their documents start.
    pub documents: Vec<(usize, usize)>,
    /// Where no comment can start: strings, keys and other scalars.
    pub scalars: Vec<Range<usize>>,
}

impl Tree {
    /// Adds a value behind what its parent holds; `parent` does not count for a document.
    pub fn push(
        &mut self,
        parent: usize,
        key: Key,
        kind: Kind,
        entry_start: usize,
        value: Range<usize>,
    ) -> usize {
        let number = self.nodes.len();
        if let (Key::Name(name), Some(Kind::Object(members))) =
            (&key, self.nodes.get_mut(parent).map(|node| &mut node.kind))
        {
            members.insert(Rc::clone(name), number);
        }
        let entry = entry_start..value.end;
        self.nodes.push(Node { parent, key, kind, entry, value });
        number
    }

    /// Adds a value to a list, at its end.
    pub fn next_index(&mut self, list: usize) -> Key {
        match &mut self.nodes[list].kind {
            Kind::List(len) => {
                *len += 1;
                Key::Index(*len - 1)
            }
            _ => Key::Document,
        }
    }

    /// Sets the end of a value that was not known when it was added.
    pub fn end_at(&mut self, number: usize, end: usize) {
        let node = &mut self.nodes[number];
        node.value.end = end.max(node.value.start);
        node.entry.end = end.max(node.entry.start);
    }

    /// The value itself, or the one that it names.
    pub fn target(&self, number: usize) -> usize {
        match self.nodes[number].kind {
            Kind::Alias(target) => target,
            _ => number,
        }
    }

    /// The string that a value is, or names.
    pub fn text(&self, number: usize) -> Option<&str> {
        match &self.nodes[self.target(number)].kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a value is an object.
    pub fn is_object(&self, number: usize) -> bool {
        matches!(self.nodes[number].kind, Kind::Object(_))
    }

    /// What an object has under a key.
    pub fn member(&self, number: usize, key: &str) -> Option<usize> {
        match &self.nodes[number].kind {
            Kind::Object(members) => members.get(key).copied(),
            _ => None,
        }
    }

    /// The value and all round it, from the inside out.
    pub fn outwards(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(number), |&number| {
            let node = &self.nodes[number];
            (!matches!(node.key, Key::Document)).then_some(node.parent)
        })
    }

    /// The keys and indices that lead to a value, the last one first.
    pub fn steps(&self, number: usize) -> impl Iterator<Item = Step<'_>> {
        self.outwards(number).filter_map(|number| match &self.nodes[number].key {
            Key::Document => None,
            Key::Name(name) => Some(Step::Key(name)),
            Key::Index(index) => Some(Step::Index(*index)),
        })
    }

    /// Whether no other value of the same key counts instead, up to the document.
    pub fn counts(&self, number: usize) -> bool {
        self.outwards(number).all(|number| match &self.nodes[number].key {
            Key::Name(name) => self.member(self.nodes[number].parent, name) == Some(number),
            _ => true,
        })
    }
}
