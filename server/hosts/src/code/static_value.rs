//! Values of expressions, as far as they are known statically.

use std::ops::Range;

use promptls_data::{Decoded, HOLE};

use super::operation::Operation;
use crate::host_prompt::{OtherFile, TextPath};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(crate) enum StaticValue {
    /// A text that is written in this host.
    Here(Text),
    /// A name of another host, with operations to apply to its value.
    Elsewhere(Reference),
}

/// A text in this host.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    pub decoded: Decoded,
    /// The source ranges of its literals, in order. For a sum of names alone, its own range.
    pub literals: Vec<Range<usize>>,
    /// The literals of constants that it includes by their names, in the order of the text.
    pub included: Vec<Range<usize>>,
    /// The constants of other hosts that it includes. Each is a hole.
    pub parts: Vec<Reference>,
    /// The last name that was followed.
    pub name: Option<String>,
}

impl Text {
    /// A part of a text that is written as a name at `place`: its value if that is a text of this
    /// host, else a hole. A text with U+FFFC is a hole: there, the character would be one.
    pub(super) fn part(known: Option<StaticValue>, place: Range<usize>) -> Text {
        let mut hole = Text::default();
        hole.decoded.push_hole(place.clone());
        match known {
            None => hole,
            Some(StaticValue::Here(text)) if !text.may_be_included() => hole,
            Some(StaticValue::Elsewhere(reference)) => {
                Text { parts: vec![Reference { is_part: true, ..reference }], ..hole }
            }
            Some(StaticValue::Here(text)) => {
                let Text { decoded, literals, mut included, parts, .. } = text;
                let is_here = |it: &Range<usize>| place.start <= it.start && it.end <= place.end;
                let (literals, elsewhere) = literals.into_iter().partition(is_here);
                included.extend::<Vec<_>>(elsewhere);
                Text { decoded, literals, included, parts, name: None }
            }
        }
    }

    /// `true` if a part of it is known, and if each U+FFFC in it is a hole.
    fn may_be_included(&self) -> bool {
        let holes = self.decoded.holes().count();
        holes < self.decoded.pieces().len() && self.decoded.text().matches(HOLE).count() == holes
    }

    /// Appends another text. Its literals are later in the source, except for included ones.
    pub(super) fn append(&mut self, other: Text) {
        self.decoded.append(&other.decoded);
        self.literals.extend(other.literals);
        self.included.extend(other.included);
        self.parts.extend(other.parts);
    }

    /// This text; a sum of names alone is at the range of the sum.
    pub(super) fn or_at(mut self, whole: Range<usize>) -> Text {
        if self.literals.is_empty() && !self.included.is_empty() {
            self.literals.push(whole);
        }
        self
    }
}

/// A name in another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub other: OtherFile,
    /// The class that declares the name, in languages whose names belong to classes.
    pub class: Option<String>,
    pub name: String,
    /// The names after it, of members of its value; keys in brackets with their quotes.
    pub members: Vec<String>,
    pub is_called: bool,
    /// The texts that a function is called with.
    pub arguments: Vec<TextArgument>,
    pub operations: Vec<Operation>,
    /// The number of followed names, including this one.
    pub followed: u8,
    /// `true` if its value is only a part of a prompt.
    pub is_part: bool,
    /// Another meaning, if the module does not exist.
    pub otherwise: Option<Box<Reference>>,
}

impl Reference {
    /// A name of a module, without anything that is applied to it.
    pub fn new(module: String, name: &str, is_called: bool, followed: u8) -> Reference {
        Reference {
            other: OtherFile::Module(module),
            class: None,
            name: name.to_owned(),
            members: Vec::new(),
            is_called,
            arguments: Vec::new(),
            operations: Vec::new(),
            followed,
            is_part: false,
            otherwise: None,
        }
    }

    /// A text file as a whole.
    pub fn text_file(path: TextPath, followed: u8) -> Reference {
        let other = OtherFile::Text(path);
        Reference { other, ..Reference::new(String::new(), "", false, followed) }
    }
}

/// A literal text that a function is called with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TextArgument {
    /// The keyword; `None` for an argument that is meant by its position.
    pub keyword: Option<String>,
    /// Its position among those without a keyword.
    pub position: usize,
    pub text: String,
}
