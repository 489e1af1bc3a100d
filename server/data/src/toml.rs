//! TOML.
//!
//! The grammar is the `toml_edit` crate's. It limits nesting (80), so that its tree can be walked
//! by recursion.

use std::borrow::Cow;
use std::ops::Range;

use toml_edit::{Array, Formatted, InlineTable, Item, Key as TomlKey, Table, Value};

use crate::decode;
use crate::decoded::Decoded;
use crate::format::Format;
use crate::refusal::Refusal;
use crate::tree::{At, NodeValue, Tree, TreeDocument};

/// The values of a file from an offset on. Fails for invalid TOML.
pub(crate) fn read(source: &str, start: usize) -> Result<Tree<'_>, Refusal> {
    let document = toml_edit::Document::parse(&source[start..]).map_err(|error| {
        let range = error.span().map_or(0..0, |span| span.start + start..span.end + start);
        Refusal::new(range, error.message().trim_end().replace('\n', "; "))
    })?;
    let mut tree = Tree::new(source, Format::Toml);
    tree.documents.push(TreeDocument { root: Some(0), start });
    let mut reader = TomlReader { source, start, tree };
    reader.add_table(None, document.as_table(), start);
    Ok(reader.tree)
}

struct TomlReader<'s> {
    source: &'s str,
    /// The offset at which the text of the parser starts.
    start: usize,
    tree: Tree<'s>,
}

impl<'s> TomlReader<'s> {
    /// Adds a table and its content; without `at`, as the root of the document. `known` is an
    /// offset in it, for tables without their own header.
    fn add_table(&mut self, at: Option<At<'s>>, table: &Table, known: usize) {
        let range = self.range(table.span(), known);
        let end = range.end;
        let number = match at {
            Some(at) => self.tree.push(at, NodeValue::Object, range.clone().into()),
            None => self.tree.push_root(NodeValue::Object, range.clone().into()),
        };
        for (name, item) in table.iter() {
            let key_range = table.key(name).and_then(TomlKey::span);
            let key_range = self.range(key_range, range.start);
            let entry_start = match table.is_dotted() {
                true => line_start(self.source, key_range.start),
                false => key_range.start,
            };
            self.add_member(number, name, key_range, entry_start, item);
        }
        self.tree.close(number, end);
    }

    fn add_member(
        &mut self,
        parent: usize,
        name: &str,
        key_range: Range<usize>,
        entry_start: usize,
        item: &Item,
    ) {
        let known = key_range.start;
        let at = At { entry_start, ..At::member(parent, name.to_owned().into(), key_range) };
        match item {
            Item::None => {}
            Item::Value(value) => self.add(at, value, known),
            Item::Table(table) => self.add_table(Some(at), table, known),
            Item::ArrayOfTables(tables) => {
                let range = self.range(tables.span(), known);
                let end = range.end;
                let number = self.tree.push(at, NodeValue::List, range.into());
                for (index, table) in tables.iter().enumerate() {
                    let start = self.range(table.span(), known).start;
                    self.add_table(Some(At::item(number, index, start)), table, start);
                }
                self.tree.close(number, end);
            }
        }
    }

    fn add(&mut self, at: At<'s>, value: &Value, known: usize) {
        let range = self.range(value.span(), known);
        let kind = match value {
            Value::InlineTable(table) => return self.add_inline(at, table, range),
            Value::Array(array) => return self.add_array(at, array, range),
            Value::String(text) => {
                let text = self.string(text, &range);
                NodeValue::String { text: text.into(), is_certain: true }
            }
            Value::Boolean(value) => NodeValue::Bool(*value.value()),
            Value::Integer(value) => NodeValue::Number(value.value().to_string().into()),
            Value::Float(value) => self.float(*value.value(), &range),
            Value::Datetime(_) => self.as_written(&range),
        };
        self.tree.push(at, kind, range.into());
    }

    fn add_inline(&mut self, at: At<'s>, table: &InlineTable, range: Range<usize>) {
        let (start, end) = (range.start, range.end);
        let number = self.tree.push(at, NodeValue::Object, range.into());
        for (name, value) in table.iter() {
            let key_range = self.range(table.key(name).and_then(TomlKey::span), start);
            let known = key_range.start;
            self.add(At::member(number, name.to_owned().into(), key_range), value, known);
        }
        self.tree.close(number, end);
    }

    fn add_array(&mut self, at: At<'s>, array: &Array, range: Range<usize>) {
        let (start, end) = (range.start, range.end);
        let number = self.tree.push(at, NodeValue::List, range.into());
        for (index, value) in array.iter().enumerate() {
            let start = self.range(value.span(), start).start;
            self.add(At::item(number, index, start), value, start);
        }
        self.tree.close(number, end);
    }

    /// The text of a string. The parser keeps line ends as in the file, whereas TOML consumers
    /// convert each to `\n`.
    fn string(&self, text: &Formatted<String>, range: &Range<usize>) -> String {
        let as_read = || decode::toml::decode(self.source, range.clone()).map(Decoded::into_text);
        let text = text.value();
        let has_line_ends = text.contains("\r\n");
        has_line_ends.then(as_read).flatten().unwrap_or_else(|| text.clone())
    }

    /// A float with the digits of the file if JSON allows them.
    fn float(&self, value: f64, range: &Range<usize>) -> NodeValue<'s> {
        if !value.is_finite() {
            return self.as_written(range);
        }
        let written = self.source.get(range.clone()).unwrap_or_default();
        let is_json = !written.contains('_') && !written.starts_with('+');
        NodeValue::Number(if is_json {
            Cow::Borrowed(written)
        } else {
            json_number(written).into()
        })
    }

    /// A value that JSON cannot represent: its source text.
    fn as_written(&self, range: &Range<usize>) -> NodeValue<'s> {
        let text = Cow::Borrowed(self.source.get(range.clone()).unwrap_or_default());
        NodeValue::String { text, is_certain: false }
    }

    /// The range in the file of a parser range; `known` is an offset for values without a range.
    fn range(&self, span: Option<Range<usize>>, known: usize) -> Range<usize> {
        span.map_or(known..known, |span| span.start + self.start..span.end + self.start)
    }
}

/// A float in JSON notation: without `_` and `+`.
fn json_number(written: &str) -> String {
    written.trim_start_matches('+').replace('_', "")
}

/// The first non-blank byte in the line of an offset: the start of `a.b.c = …`.
fn line_start(source: &str, offset: usize) -> usize {
    let line = source[..offset].rfind('\n').map_or(0, |end| end + 1);
    offset - source[line..offset].trim_start().len()
}
