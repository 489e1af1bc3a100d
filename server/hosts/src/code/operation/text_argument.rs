//! Texts that functions are called with, and that are put into other texts.

use std::collections::HashSet;
use std::ops::Range;

use promptls_data::Decoded;

/// A known text that a function is called with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TextArgument {
    /// The keyword; `None` for an argument that is meant by its position.
    pub keyword: Option<String>,
    /// Its position among all arguments.
    pub position: usize,
    pub text: String,
    /// The place where it is written, if it may contain placeholders, and is in the host of the text
    /// that it is put into.
    pub written: Option<WrittenArgument>,
}

/// An argument in the host of its call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct WrittenArgument {
    pub decoded: Decoded,
    /// The source ranges of its literals.
    pub literals: Vec<Range<usize>>,
}

/// Puts arguments into a text. Each is at its own place the first time, and later at the fields
/// that it is put into, so that an edit of a part of the text changes no other part.
pub(super) struct PutIn<'a> {
    arguments: &'a [TextArgument],
    /// The starts of those that are in the text, in the host.
    placed: HashSet<usize>,
}

impl<'a> PutIn<'a> {
    pub fn new(arguments: &'a [TextArgument]) -> Self {
        PutIn { arguments, placed: HashSet::new() }
    }

    /// Adds the argument that meets a condition for a field at a range of the host; a hole if there
    /// is none.
    pub fn add(
        &mut self,
        text: &mut Decoded,
        field: Range<usize>,
        is_it: impl Fn(&TextArgument) -> bool,
    ) {
        let Some(argument) = self.arguments.iter().find(|it| is_it(it)) else {
            return text.push_hole(field);
        };
        let mut is_new =
            |written: &WrittenArgument| self.placed.insert(written.decoded.source(0..0).start);
        match argument.written.as_ref().filter(|written| is_new(written)) {
            Some(written) => text.append(&written.decoded),
            None => text.push_atomic(&argument.text, field),
        }
    }
}
