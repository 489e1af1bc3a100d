//! Conversion of the tree of a file to values with ranges.

#[cfg(feature = "serde")]
mod serde;

use std::collections::HashMap;
use std::ops::Range;

use promptls_data::{
    COPIES_TOO_LARGE, Format, MAX_COPIED_BYTES, MAX_DEPTH, NESTED_TOO_DEEPLY, Node, NodeKey,
    NodeValue, Refusal, Tree,
};

use crate::findings::code::Code;
use crate::findings::excerpt;
use crate::findings::problem::{FileId, Location, Problem, Related};
use crate::inputs::{Parsed, invalid};
use crate::value::{Entry, Object, Value, ValueKind};
use promptls_data::Span;

#[cfg(feature = "serde")]
pub use serde::NotValues;

/// Parses a file with one value.
///
/// `nothing` describes the meaning of an empty file, for the message about an empty JSON file: `no
/// inputs`. An empty YAML file is an empty object.
///
/// Cost: the length of the file, and the copies for its aliases.
pub fn parse_value(text: &str, format: Format, file: FileId, nothing: &str) -> Parsed<Value> {
    match promptls_data::read(format, text) {
        Ok(tree) => value_of(&tree, file, nothing),
        Err(refusal) => refused(refusal, text, file),
    }
}

/// The value of a parsed file, with its aliases expanded; see [`parse_value`].
///
/// Cost: the size of the tree, and the copies for its aliases.
pub fn value_of(tree: &Tree<'_>, file: FileId, nothing: &str) -> Parsed<Value> {
    let mut reader = TreeReader::new(tree, file);
    let value = match reader.root() {
        Ok(value) => value,
        Err(refusal) => return refused(refusal, tree.source(), file),
    };
    let mut parsed = Parsed { value, problems: reader.repeated.problems };
    match tree.format() {
        _ if parsed.value.is_some() => {}
        Format::Json => {
            let reason = format!("the file is empty; write `{{}}` for {nothing}");
            parsed.problems.push(invalid(file, 0..0, tree.source(), reason));
        }
        _ => {
            let kind = ValueKind::Object(Object::default());
            parsed.value = Some(Value { kind, span: Span::default() });
        }
    }
    parsed
}

/// The result for an unreadable file.
pub fn refused(refusal: Refusal, text: &str, file: FileId) -> Parsed<Value> {
    let Refusal { range, reason } = refusal;
    Parsed { value: None, problems: vec![invalid(file, range, text, reason)] }
}

struct TreeReader<'t> {
    tree: &'t Tree<'t>,
    repeated: Repeated,
    /// The range of the outermost alias that is being copied.
    copied_by: Option<Range<usize>>,
    copied_bytes: usize,
}

impl<'t> TreeReader<'t> {
    fn new(tree: &'t Tree<'t>, file: FileId) -> Self {
        TreeReader { tree, repeated: Repeated::new(file), copied_by: None, copied_bytes: 0 }
    }

    /// The only value of the file.
    fn root(&mut self) -> Result<Option<Value>, Refusal> {
        if let Some(second) = self.tree.documents.get(1) {
            let reason = "a second document starts here; the file may contain only one";
            return Err(Refusal { range: self.char_at(second.start), reason: reason.to_owned() });
        }
        let root = self.tree.documents.first().and_then(|document| document.root);
        root.map(|root| self.value(root, 0, None)).transpose()
    }

    /// A value with its content; `depth` is the number of enclosing lists and objects. Keys are
    /// shared with those at the same positions of `like`, the previous item of the same list.
    fn value(
        &mut self,
        number: usize,
        depth: usize,
        like: Option<&Value>,
    ) -> Result<Value, Refusal> {
        let node = &self.tree.nodes[number];
        let text_len = match &node.kind {
            NodeValue::Number(text) | NodeValue::String { text, .. } => text.len(),
            _ => 0,
        };
        self.count_copy(size_of::<Value>() + text_len)?;
        let kind = match &node.kind {
            NodeValue::Null => ValueKind::Null,
            NodeValue::Bool(value) => ValueKind::Bool(*value),
            NodeValue::Number(text) => ValueKind::Number(text.as_ref().into()),
            NodeValue::String { text, .. } => ValueKind::String(text.as_ref().into()),
            NodeValue::Alias(target) => self.copy(*target, node, depth)?,
            NodeValue::List => self.list(number, depth)?,
            NodeValue::Object => self.object(number, depth, like)?,
        };
        Ok(Value { kind, span: node.body })
    }

    fn list(&mut self, number: usize, depth: usize) -> Result<ValueKind, Refusal> {
        self.check_depth(number, depth)?;
        let tree = self.tree;
        let mut items: Vec<Value> = Vec::with_capacity(tree.children(number).count());
        for child in tree.children(number) {
            items.push(self.value(child, depth + 1, items.last())?);
        }
        Ok(ValueKind::List(items))
    }

    fn object(
        &mut self,
        number: usize,
        depth: usize,
        like: Option<&Value>,
    ) -> Result<ValueKind, Refusal> {
        self.check_depth(number, depth)?;
        let tree = self.tree;
        let mut object = Object::with_capacity(tree.children(number).count());
        let mut like =
            like.and_then(Value::as_object).map(Object::entries).unwrap_or_default().iter();
        for child in tree.children(number) {
            let Node { key: NodeKey::Name(name), key_span, .. } = &tree.nodes[child] else {
                continue;
            };
            self.count_copy(size_of::<Entry>() + name.len())?;
            let like = like.next().filter(|like| *like.key == **name);
            let value = self.value(child, depth + 1, like.map(|like| &like.value))?;
            let key = like.map_or_else(|| name.as_ref().into(), |like| like.key.clone());
            let replaced = object.insert(Entry { key, key_span: *key_span, value });
            // Copies were checked at their anchor.
            if let Some(replaced) = replaced.filter(|_| self.copied_by.is_none()) {
                self.repeated.report(replaced, *key_span);
            }
        }
        Ok(ValueKind::Object(object))
    }

    fn check_depth(&self, number: usize, depth: usize) -> Result<(), Refusal> {
        if depth < MAX_DEPTH {
            return Ok(());
        }
        let start = self.tree.nodes[number].span.range().start;
        let range = self.copied_by.clone().unwrap_or(self.char_at(start));
        Err(Refusal { range, reason: NESTED_TOO_DEEPLY.to_owned() })
    }

    /// The target of an alias.
    fn copy(
        &mut self,
        target: usize,
        alias: &Node<'_>,
        depth: usize,
    ) -> Result<ValueKind, Refusal> {
        let is_outermost = self.copied_by.is_none();
        self.copied_by.get_or_insert_with(|| alias.span.range());
        let value = self.value(target, depth, None)?;
        if is_outermost {
            self.copied_by = None;
        }
        Ok(value.kind)
    }

    fn count_copy(&mut self, bytes: usize) -> Result<(), Refusal> {
        let Some(alias) = &self.copied_by else { return Ok(()) };
        self.copied_bytes += bytes;
        if self.copied_bytes <= MAX_COPIED_BYTES {
            return Ok(());
        }
        Err(Refusal { range: self.char_at(alias.start), reason: COPIES_TOO_LARGE.to_owned() })
    }

    /// The range of one character; empty at the end of a line.
    fn char_at(&self, start: usize) -> Range<usize> {
        match self.tree.source()[start..].chars().next() {
            None | Some('\n' | '\r') => start..start,
            Some(char) => start..start + char.len_utf8(),
        }
    }
}

/// Collects a [`Code::DuplicateKey`] problem for each repeated key, except for `//`.
#[derive(Debug)]
struct Repeated {
    file: FileId,
    problems: Vec<Problem>,
    /// The range of the first occurrence of a key, by the start of each repetition.
    firsts: HashMap<u32, Span>,
}

impl Repeated {
    fn new(file: FileId) -> Self {
        Repeated { file, problems: Vec::new(), firsts: HashMap::new() }
    }

    /// Reports an entry at `here` that has the same key as `replaced`.
    fn report(&mut self, replaced: Entry, here: Span) {
        // In JSON without comments, this key serves as a comment, and may be repeated.
        if *replaced.key == *"//" {
            return;
        }

        let before = replaced.key_span;
        let first = self.firsts.get(&before.start).copied().unwrap_or(before);
        self.firsts.insert(here.start, first);

        let key = excerpt::of_text(&replaced.key);
        let message = format!("duplicate key `{key}`; the last one is used");
        let mut problem = Problem::new(Code::DuplicateKey, self.location(here), message);
        problem.names.push(replaced.key.as_ref().into());
        problem.related.push(Related {
            location: self.location(first),
            message: "first occurrence".to_owned(),
        });
        self.problems.push(problem);
    }

    fn location(&self, span: Span) -> Location {
        Location { file: self.file, range: span.range() }
    }
}

#[cfg(test)]
pub(crate) mod json_tests;
#[cfg(test)]
mod yaml_tests;
