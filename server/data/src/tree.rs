//! The values of a file with their keys and ranges, as a list: an object or a list directly
//! precedes its content.

use std::borrow::Cow;
use std::ops::Range;

use foldhash::quality::RandomState;
use hashbrown::HashSet;

use crate::format::Format;
use crate::span::Span;

/// The key of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NodeKey<'s> {
    /// No key: the value is the root of a document.
    Document,
    /// A key of an object.
    Name(Cow<'s, str>),
    /// An index of a list.
    Index(usize),
}

/// The kind of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeValue<'s> {
    /// `null`; in YAML also `~` and an empty value.
    Null,
    /// `true` or `false`, in any spelling of the format.
    Bool(bool),
    /// A number in JSON notation; with the digits of the file if JSON allows them.
    Number(Cow<'s, str>),
    /// A string, or a value without another kind: times, and numbers that are not finite.
    String {
        /// The text of the string.
        text: Cow<'s, str>,
        /// `true` if every parser of the format reads it as a string. YAML 1.1 reads some plain
        /// words (`yes`) as other values than YAML 1.2.
        is_certain: bool,
    },
    /// A list. Its items are its [`children`](Tree::children).
    List,
    /// An object. Its members are its [`children`](Tree::children), with repeated keys.
    Object,
    /// The number of the value that a YAML alias refers to. It precedes the alias.
    Alias(usize),
}

/// A value and its source ranges, in bytes of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<'s> {
    /// The number of the object or list that contains it; its own number for a root.
    pub parent: usize,
    /// The key of the value.
    pub key: NodeKey<'s>,
    /// The range of its key, with quotes; empty if it has none.
    pub key_span: Span,
    /// The kind of the value.
    pub kind: NodeValue<'s>,
    /// From its key, or from the value if it has no key, to its end.
    pub entry: Span,
    /// Without key, anchor and tag; for a string, including its quotes or its `|`.
    pub span: Span,
    /// Like `span`, without the line of a `|` or `>`.
    pub body: Span,
    /// The number after the last value in it.
    pub end: usize,
    /// `true` if a later member of the same object has the same key. The last one is effective.
    pub is_repeated: bool,
}

/// A document of a file; JSON and TOML have at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeDocument {
    /// The number of its root value; `None` if it has none.
    pub root: Option<usize>,
    /// Its start, in bytes. Text before the first document belongs to that.
    pub start: usize,
}

/// All values of a file.
#[derive(Clone, Debug)]
pub struct Tree<'s> {
    /// The file up to the end of the data.
    source: &'s str,
    format: Format,
    /// The values. Their numbers are indices into this list.
    pub nodes: Vec<Node<'s>>,
    /// The documents in order; at most one in JSON and TOML.
    pub documents: Vec<TreeDocument>,
}

/// The source ranges of a value.
pub(crate) struct NodeRanges {
    /// The range of the value without its key, as in [`Node::span`].
    pub range: Range<usize>,
    /// The range without the line of a `|` or `>`, as in [`Node::body`].
    pub body: Range<usize>,
}

impl From<Range<usize>> for NodeRanges {
    fn from(range: Range<usize>) -> NodeRanges {
        NodeRanges { body: range.clone(), range }
    }
}

/// A key and its range.
pub(crate) struct At<'s> {
    pub parent: usize,
    pub key: NodeKey<'s>,
    pub key_range: Range<usize>,
    /// The start of the entry; `None` if it equals that of the value.
    pub entry_start: usize,
}

impl<'s> At<'s> {
    /// A member of an object.
    pub fn member(parent: usize, name: Cow<'s, str>, key_range: Range<usize>) -> At<'s> {
        At { parent, key: NodeKey::Name(name), entry_start: key_range.start, key_range }
    }

    /// An item of a list that starts at an offset.
    pub fn item(parent: usize, index: usize, start: usize) -> At<'s> {
        At { parent, key: NodeKey::Index(index), key_range: start..start, entry_start: start }
    }
}

impl<'s> Tree<'s> {
    pub(crate) fn new(source: &'s str, format: Format) -> Tree<'s> {
        Tree { source, format, nodes: Vec::new(), documents: Vec::new() }
    }

    /// Appends a value, and returns its number.
    pub(crate) fn push(&mut self, at: At<'s>, kind: NodeValue<'s>, place: NodeRanges) -> usize {
        let number = self.nodes.len();
        let At { parent, key, key_range, entry_start } = at;
        let NodeRanges { range, body } = place;
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

    /// Appends the root of a document, and returns its number.
    pub(crate) fn push_root(&mut self, kind: NodeValue<'s>, place: NodeRanges) -> usize {
        let start = place.range.start;
        let at = At {
            parent: self.nodes.len(),
            key: NodeKey::Document,
            key_range: start..start,
            entry_start: start,
        };
        self.push(at, kind, place)
    }

    /// Closes a list or an object: all later values are its content.
    ///
    /// Cost: its members.
    pub(crate) fn close(&mut self, number: usize, end: usize) {
        let behind = self.nodes.len();
        let node = &mut self.nodes[number];
        node.end = behind;
        for span in [&mut node.span, &mut node.body, &mut node.entry] {
            *span = (span.range().start..end.max(span.range().start)).into();
        }
        if node.kind == NodeValue::Object {
            for member in self.repeated(number) {
                self.nodes[member].is_repeated = true;
            }
        }
    }

    /// The members of an object whose key a later one has.
    fn repeated(&self, object: usize) -> Vec<usize> {
        let members: Vec<usize> = self.children(object).collect();
        let mut keys = HashSet::with_capacity_and_hasher(members.len(), RandomState::default());
        let is_known = |member: &usize| !keys.insert(&self.nodes[*member].key);
        members.iter().rev().copied().filter(is_known).collect()
    }

    /// The file up to the end of the data.
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The ranges in which no comment can start: keys, strings and other scalars, in order.
    pub fn scalars(&self) -> Vec<Range<usize>> {
        let is_scalar =
            |node: &&Node<'_>| !matches!(node.kind, NodeValue::List | NodeValue::Object);
        let values = self.nodes.iter().filter(is_scalar).map(|node| node.body.range());
        let keys = self.nodes.iter().map(|node| node.key_span.range());
        let mut ranges: Vec<Range<usize>> =
            values.chain(keys).filter(|range| !range.is_empty()).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        ranges
    }

    /// The items or members of a list or an object, in order; empty for other values.
    pub fn children(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        self.in_turn(number + 1..self.nodes[number].end)
    }

    /// The outermost values of a range.
    fn in_turn(&self, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let in_range = move |number: &usize| *number < range.end;
        let first = Some(range.start).filter(in_range);
        std::iter::successors(first, move |&it| Some(self.nodes[it].end).filter(in_range))
    }

    /// The target of an alias; any other value itself.
    pub fn target(&self, number: usize) -> usize {
        match self.nodes[number].kind {
            NodeValue::Alias(target) => target,
            _ => number,
        }
    }

    /// The text of a string, or of the target of an alias; `None` unless every parser reads it as a
    /// string.
    pub fn text(&self, number: usize) -> Option<&str> {
        match &self.nodes[self.target(number)].kind {
            NodeValue::String { text, is_certain: true } => Some(text),
            _ => None,
        }
    }

    /// `true` for an object, but not for an alias of one.
    pub fn is_object(&self, number: usize) -> bool {
        self.nodes[number].kind == NodeValue::Object
    }

    /// The member of an object with a key; of several, the last one. `None` if there is none.
    ///
    /// Cost: its members.
    pub fn member(&self, number: usize, key: &str) -> Option<usize> {
        let is_it = |&child: &usize| {
            let Node { key: name, is_repeated, .. } = &self.nodes[child];
            !is_repeated && matches!(name, NodeKey::Name(name) if name == key)
        };
        self.children(number).find(is_it)
    }

    /// The value and its ancestors, from the inside out.
    pub fn outwards(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(number), |&number| {
            let node = &self.nodes[number];
            (node.key != NodeKey::Document).then_some(node.parent)
        })
    }

    /// `true` if neither the value nor an ancestor is overridden by a later one with the same key.
    pub fn counts(&self, number: usize) -> bool {
        self.outwards(number).all(|number| !self.nodes[number].is_repeated)
    }

    /// `true` if the first character of a value in the source is one of these.
    pub fn starts_with(&self, number: usize, first: &[char]) -> bool {
        self.source[self.nodes[number].span.range().start..].starts_with(first)
    }
}
