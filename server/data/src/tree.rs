//! The values of a file with their keys and ranges, in a list: an object or a list stands directly
//! before what it holds.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use crate::format::Format;
use crate::span::Span;

/// Objects with more members are searched for repeated keys through a hash table.
const MAX_COMPARED: usize = 8;

/// The key under which a value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key<'s> {
    /// None: the value is all of a document.
    Document,
    /// A key of an object.
    Name(Cow<'s, str>),
    /// An index of a list.
    Index(usize),
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind<'s> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as JSON writes it; with the digits of the file wherever JSON allows these.
    Number(Cow<'s, str>),
    /// A string, and what else has no other kind: times, and numbers that are not finite.
    String {
        /// The string itself.
        text: Cow<'s, str>,
        /// Whether every reader of the format takes it for a string. YAML 1.1 reads other values
        /// out of some plain words (`yes`) than YAML 1.2.
        is_certain: bool,
    },
    /// A list. Its items are its [`children`](Tree::children).
    List,
    /// An object. Its members are its [`children`](Tree::children), with repeated keys.
    Object,
    /// The number of the value that an alias of YAML names. It stands before the alias.
    Alias(usize),
}

/// A value and where it is written. All ranges are in bytes of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<'s> {
    /// The number of the object or list that holds it; its own for all of a document.
    pub parent: usize,
    /// Its key.
    pub key: Key<'s>,
    /// Where its key is written, with quotes; empty where it has none.
    pub key_span: Span,
    /// The value itself.
    pub kind: Kind<'s>,
    /// From its key on, or from itself on where it has none, to its end.
    pub entry: Span,
    /// Without key, anchor and tag; of a string with its quotes, or its `|`.
    pub span: Span,
    /// The same without the line of a `|` or `>`.
    pub body: Span,
    /// The number behind the last value in it.
    pub end: usize,
    /// Whether a member behind it in the same object has the same key. The last one counts.
    pub is_repeated: bool,
}

/// A document of a file; JSON and TOML have at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The number of its value; `None` for one without a value.
    pub root: Option<usize>,
    /// Where it starts, in bytes. What stands before the first document belongs to it.
    pub start: usize,
}

/// All values of a file.
#[derive(Clone, Debug)]
pub struct Tree<'s> {
    /// The file up to where the data end.
    source: &'s str,
    format: Format,
    /// The values. Numbers of values are positions in this list.
    pub nodes: Vec<Node<'s>>,
    /// The documents, in order.
    pub documents: Vec<Document>,
}

/// Where the parts of a value are written.
pub(crate) struct Place {
    /// See [`Node::range`].
    pub range: Range<usize>,
    /// See [`Node::body`].
    pub body: Range<usize>,
}

impl From<Range<usize>> for Place {
    fn from(range: Range<usize>) -> Place {
        Place { body: range.clone(), range }
    }
}

/// A key and where it is written.
pub(crate) struct At<'s> {
    pub parent: usize,
    pub key: Key<'s>,
    pub key_range: Range<usize>,
    /// Where the entry starts, if that is before the value.
    pub entry_start: usize,
}

impl<'s> At<'s> {
    /// A member of an object.
    pub fn member(parent: usize, name: Cow<'s, str>, key_range: Range<usize>) -> At<'s> {
        At { parent, key: Key::Name(name), entry_start: key_range.start, key_range }
    }

    /// An item of a list, which starts at an offset.
    pub fn item(parent: usize, index: usize, start: usize) -> At<'s> {
        At { parent, key: Key::Index(index), key_range: start..start, entry_start: start }
    }
}

impl<'s> Tree<'s> {
    pub(crate) fn new(source: &'s str, format: Format) -> Tree<'s> {
        Tree { source, format, nodes: Vec::new(), documents: Vec::new() }
    }

    /// Adds a value behind all others, and returns its number.
    pub(crate) fn push(&mut self, at: At<'s>, kind: Kind<'s>, place: Place) -> usize {
        let number = self.nodes.len();
        let At { parent, key, key_range, entry_start } = at;
        let Place { range, body } = place;
        self.nodes.push(Node {
            parent,
            key,
            key_span: key_range.into(),
            kind,
            entry: (entry_start.min(range.start)..range.end).into(),
            span: range.into(),
            body: body.into(),
            end: number + 1,
            is_repeated: false,
        });
        number
    }

    /// Adds all of a document, and returns its number.
    pub(crate) fn push_root(&mut self, kind: Kind<'s>, place: Place) -> usize {
        let start = place.range.start;
        let at = At {
            parent: self.nodes.len(),
            key: Key::Document,
            key_range: start..start,
            entry_start: start,
        };
        self.push(at, kind, place)
    }

    /// Ends a list or an object: all behind it is what it holds.
    ///
    /// Cost: its members.
    pub(crate) fn close(&mut self, number: usize, end: usize) {
        let behind = self.nodes.len();
        let node = &mut self.nodes[number];
        node.end = behind;
        for span in [&mut node.span, &mut node.body, &mut node.entry] {
            *span = (span.range().start..end.max(span.range().start)).into();
        }
        if node.kind == Kind::Object {
            self.mark_repeated(number);
        }
    }

    fn mark_repeated(&mut self, object: usize) {
        if self.children(object).count() > MAX_COMPARED {
            let mut keys = HashSet::new();
            let members: Vec<usize> = self.children(object).collect();
            let mut is_known = |member: &&usize| match &self.nodes[**member].key {
                Key::Name(name) => !keys.insert(&**name),
                _ => false,
            };
            let repeated: Vec<usize> =
                members.iter().rev().filter(|it| is_known(it)).copied().collect();
            repeated.into_iter().for_each(|member| self.nodes[member].is_repeated = true);
            return;
        }
        let end = self.nodes[object].end;
        let mut member = object + 1;
        while member < end {
            let behind = self.nodes[member].end;
            let key = &self.nodes[member].key;
            let is_repeated = self.in_turn(behind..end).any(|it| self.nodes[it].key == *key);
            self.nodes[member].is_repeated = is_repeated;
            member = behind;
        }
    }

    /// The file up to where the data end.
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// How the file is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Where no comment can start: keys, strings and other scalars, in order.
    pub fn scalars(&self) -> Vec<Range<usize>> {
        let is_scalar = |node: &&Node<'_>| !matches!(node.kind, Kind::List | Kind::Object);
        let values = self.nodes.iter().filter(is_scalar).map(|node| node.body.range());
        let keys = self.nodes.iter().map(|node| node.key_span.range());
        let mut ranges: Vec<Range<usize>> =
            values.chain(keys).filter(|range| !range.is_empty()).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        ranges
    }

    /// What a list or an object holds, in order; nothing for other values.
    pub fn children(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        self.in_turn(number + 1..self.nodes[number].end)
    }

    /// The values of a range that are in none of its others.
    fn in_turn(&self, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let in_range = move |number: &usize| *number < range.end;
        let first = Some(range.start).filter(in_range);
        std::iter::successors(first, move |&it| Some(self.nodes[it].end).filter(in_range))
    }

    /// The value itself, or the one that it names as an alias.
    pub fn target(&self, number: usize) -> usize {
        match self.nodes[number].kind {
            Kind::Alias(target) => target,
            _ => number,
        }
    }

    /// The string that a value is, or names; only where every reader takes it for one.
    pub fn text(&self, number: usize) -> Option<&str> {
        match &self.nodes[self.target(number)].kind {
            Kind::String { text, is_certain: true } => Some(text),
            _ => None,
        }
    }

    /// Whether a value is an object.
    pub fn is_object(&self, number: usize) -> bool {
        self.nodes[number].kind == Kind::Object
    }

    /// What an object has under a key; of several, the last one.
    ///
    /// Cost: its members.
    pub fn member(&self, number: usize, key: &str) -> Option<usize> {
        let is_it = |&child: &usize| {
            let Node { key: name, is_repeated, .. } = &self.nodes[child];
            !is_repeated && matches!(name, Key::Name(name) if name == key)
        };
        self.children(number).find(is_it)
    }

    /// The value and all round it, from the inside out.
    pub fn outwards(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(number), |&number| {
            let node = &self.nodes[number];
            (node.key != Key::Document).then_some(node.parent)
        })
    }

    /// Whether no other value of the same key counts instead, up to the document.
    pub fn counts(&self, number: usize) -> bool {
        self.outwards(number).all(|number| !self.nodes[number].is_repeated)
    }

    /// Whether a value is written with one of these as its first character.
    pub fn starts_with(&self, number: usize, first: &[char]) -> bool {
        self.source[self.nodes[number].span.range().start..].starts_with(first)
    }
}
