//! Completions as plain data.

use std::ops::Range;

use crate::markup::Markup;

/// The kinds of completions, from which clients choose an icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A name with a value or a declaration.
    Name,
    /// A member of a value.
    Member,
    /// A fragment that can be included.
    Fragment,
    /// A prefix before a name: `app:`.
    Prefix,
    /// A block, or its closer.
    Block,
    /// A key of an inputs file or of `promptls.toml`.
    Key,
    /// An allowed value of a key.
    Value,
}

/// A proposal for the word at the cursor, independent of a protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text in the list.
    pub label: String,
    /// The kind of the completion.
    pub kind: CompletionKind,
    /// The bytes to replace: the whole word at the cursor.
    pub replaced: Range<usize>,
    /// The text to insert instead of the `replaced` bytes.
    pub inserted: String,
    /// The same as a snippet with tab stops; `None` if it has none.
    pub snippet: Option<String>,
    /// The text to match with the typed word; `None` for the label.
    pub filter: Option<String>,
    /// The offset of a comma to insert as well.
    pub comma_at: Option<usize>,
    /// The type, or the value in the first case that has one; shortened.
    pub detail: String,
    /// The documentation that needs no cases, one element per paragraph.
    pub documentation: Vec<Markup>,
    /// The completion finishes the placeholder, so typing continues after its braces.
    pub completes: bool,
    /// The number of its closing braces directly after the replaced text.
    pub closers: usize,
    /// The whole name for [`describe`](crate::describe), which returns more documentation.
    pub name: Option<String>,
}

impl Completion {
    /// A completion with only the common fields.
    pub fn new(
        kind: CompletionKind,
        label: &str,
        replaced: Range<usize>,
        inserted: String,
    ) -> Self {
        Completion {
            label: label.to_owned(),
            kind,
            replaced,
            inserted,
            snippet: None,
            filter: None,
            comma_at: None,
            detail: String::new(),
            documentation: Vec::new(),
            completes: false,
            closers: 0,
            name: None,
        }
    }
}

/// Escapes a text for a snippet, outside of its tab stops.
pub(super) fn snippet_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$")
}
