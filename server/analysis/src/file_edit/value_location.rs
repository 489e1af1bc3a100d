//! Finds a value by its path or offset, with its parent.

use std::ops::Range;

use promptls_resolver::{Entry, Span, Value, ValueKind};
use serde_json::Value as Json;

/// A value with its parent.
pub(super) struct Spot<'v> {
    pub value: &'v Value,
    /// The span of its key; `None` for an item of a list.
    pub key: Option<Span>,
    /// The parent of the value.
    pub outer: &'v Value,
}

/// An entry or an item, with its path.
pub(super) struct ValueLocation<'v> {
    /// The path from the root.
    pub path: Vec<ValueStep>,
    /// The range from its start to its end.
    pub range: Range<usize>,
    /// The parent of the value.
    pub outer: &'v Value,
    /// The span of the key of `outer`.
    pub outer_key: Option<Span>,
    /// It is the only entry or item of `outer`.
    pub is_only: bool,
}

pub(super) enum ValueStep {
    Key(String),
    Index(usize),
}

impl ValueLocation<'_> {
    /// Returns whether it is in brackets that open and close on one line.
    pub fn is_in_line(&self, text: &str) -> bool {
        let outer = &text[self.outer.span.range()];
        outer.starts_with(['{', '[']) && !outer.contains('\n')
    }

    /// Removes it with its comma.
    pub fn remove_in_line(&self, text: &str) -> String {
        let mut range = self.range.clone();
        let blank = |character: char| character.is_ascii_whitespace();
        match text[range.end..].trim_start_matches(blank).strip_prefix(',') {
            Some(rest) => range.end = text.len() - rest.trim_start_matches(blank).len(),
            None => {
                let before = text[..range.start].trim_end_matches(blank);
                range.start = before.strip_suffix(',').map_or(range.start, str::len);
            }
        }
        let mut after = text.to_owned();
        after.replace_range(range, "");
        after
    }

    pub fn take_from(&self, root: &mut Json) -> Option<()> {
        let (last, path) = self.path.split_last()?;
        let outer = path.iter().try_fold(root, |here, step| match step {
            ValueStep::Key(key) => here.get_mut(key),
            ValueStep::Index(index) => here.get_mut(index),
        })?;
        match last {
            ValueStep::Key(key) => _ = outer.as_object_mut()?.shift_remove(key)?,
            ValueStep::Index(index) => _ = outer.as_array_mut()?.remove(*index),
        }
        Some(())
    }
}

/// The entry whose key starts at an offset, or the item that starts there.
pub(super) fn find(root: &Value, at: usize) -> Option<ValueLocation<'_>> {
    let mut path = Vec::new();
    let (mut outer, mut outer_key) = (root, None);
    loop {
        let is_here = |value: &Value| value.span.range().contains(&at);
        match &outer.kind {
            ValueKind::Object(object) => {
                let entries = object.entries();
                // Keys first: in YAML, the next key may start at the end of a value.
                let start = |entry: &Entry| entry.key_span.start as usize == at;
                let found = entries.iter().find(|entry| start(entry));
                if let Some(entry) = found {
                    path.push(ValueStep::Key(entry.key.to_string()));
                    let range = at..entry.value.span.end.max(entry.key_span.end) as usize;
                    let is_only = entries.len() == 1;
                    return Some(ValueLocation { path, range, outer, outer_key, is_only });
                }
                let entry = entries.iter().find(|entry| is_here(&entry.value))?;
                path.push(ValueStep::Key(entry.key.to_string()));
                (outer, outer_key) = (&entry.value, Some(entry.key_span));
            }
            ValueKind::List(items) => {
                let index = items.iter().position(is_here)?;
                path.push(ValueStep::Index(index));
                let item = &items[index];
                if item.span.start as usize == at {
                    let is_only = items.len() == 1;
                    return Some(ValueLocation {
                        path,
                        range: item.span.range(),
                        outer,
                        outer_key,
                        is_only,
                    });
                }
                (outer, outer_key) = (item, None);
            }
            _ => return None,
        }
    }
}
