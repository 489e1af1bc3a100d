//! What is proposed.

use std::ops::Range;

use crate::markup::Markup;

/// What kind of thing is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A name with a value or a declaration.
    Name,
    /// A member of a value.
    Member,
    /// A fragment.
    Fragment,
    /// Something to write a name behind: `app:`.
    Prefix,
    /// A block, or its closer.
    Block,
    /// A key of an inputs file or of `promptls.toml`.
    Key,
    /// A value that is allowed.
    Value,
}

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is listed.
    pub label: String,
    /// What kind of thing it is.
    pub kind: CompletionKind,
    /// The bytes that give way: all of the word at the cursor.
    pub replaced: Range<usize>,
    /// What takes their place.
    pub inserted: String,
    /// The same for editors that know snippets, with stops for the cursor, if there are any.
    pub snippet: Option<String>,
    /// What the word that is replaced is compared with, where that is not the label.
    pub filter: Option<String>,
    /// A comma that is inserted at this byte, too.
    pub comma_at: Option<usize>,
    /// The type, or the value in the first case that has one; short.
    pub detail: String,
    /// What is known without looking into the cases, a paragraph each.
    pub documentation: Vec<Markup>,
    /// Whether the placeholder is complete with it, so that typing goes on behind its braces.
    pub completes: bool,
    /// How many of its closing braces stand right behind what is replaced.
    pub closers: usize,
    /// The whole name, for [`describe`](crate::describe), which knows more.
    pub name: Option<String>,
}

impl Completion {
    /// A proposal without anything that most of them lack.
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

/// A text that stands for itself in a snippet, outside of its stops.
pub(super) fn snippet_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$")
}
