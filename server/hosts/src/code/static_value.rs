//! Values of expressions, as far as they are known statically.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use promptls_data::{Decoded, HOLE, PieceKind};
use promptls_syntax::Dialect;

use super::operation::{Operation, TextArgument, WrittenArgument};
use super::outline::{ANY, EACH};
use crate::host_prompt::{KEY_END, KnownHole, OtherFile, TextPath};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(crate) enum StaticValue {
    /// A text that is written in this host.
    Here(Text),
    /// A name of another host, with operations to apply to its value.
    Elsewhere(Reference),
}

impl StaticValue {
    /// `true` for a text of which no part is known.
    pub fn is_computed(&self) -> bool {
        matches!(self, StaticValue::Here(text) if text.is_computed())
    }

    /// A text as a part of one of which more is before or after it, at these ranges.
    pub fn within(
        self,
        before: Option<&Range<usize>>,
        after: Option<&Range<usize>>,
    ) -> StaticValue {
        let StaticValue::Here(text) = self else { return self };
        if before.or(after).is_none() {
            return StaticValue::Here(text);
        }
        let mut whole = Text { name: text.name.clone(), ..Text::default() };
        before.into_iter().for_each(|it| whole.decoded.push_hole(it.clone()));
        whole.append(text);
        after.into_iter().for_each(|it| whole.decoded.push_hole(it.clone()));
        StaticValue::Here(whole)
    }

    /// This value, with a name unless it has one.
    pub fn with_name(mut self, name: &str) -> StaticValue {
        if let StaticValue::Here(text) = &mut self {
            text.name.get_or_insert_with(|| name.to_owned());
        }
        self
    }

    /// The text, if it is in this host and has no holes.
    pub fn into_text(self) -> Option<String> {
        match self {
            StaticValue::Here(text) if text.decoded.holes().next().is_none() => {
                Some(text.decoded.text().to_owned())
            }
            _ => None,
        }
    }

    /// `true` for a text file as a whole.
    pub fn is_text_file(&self) -> bool {
        matches!(self, StaticValue::Elsewhere(Reference { other: OtherFile::Text(_), .. }))
    }
}

/// The first value, or the second one; for names of other hosts, the first whose module exists.
pub(super) fn either(
    first: Option<StaticValue>,
    second: Option<StaticValue>,
) -> Option<StaticValue> {
    match (first, second) {
        (Some(StaticValue::Elsewhere(first)), Some(StaticValue::Elsewhere(second))) => {
            Some(StaticValue::Elsewhere(first.or(second)))
        }
        (first, second) => first.or(second),
    }
}

/// A text in this host.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    pub decoded: Decoded,
    /// The source ranges of its literals, in order. For a sum of names alone, its own range.
    pub literals: Vec<Range<usize>>,
    /// The literals of constants that it includes by their names, in the order of the text.
    pub included: Vec<Range<usize>>,
    /// The constants of other hosts that it includes. Each is a hole, or a text at the range of its
    /// name.
    pub parts: Vec<Reference>,
    /// The ranges of the names whose texts are those of other hosts.
    pub elsewhere: Vec<Range<usize>>,
    /// The last name that was followed.
    pub name: Option<String>,
    /// `true` if values were put into it or a part of it.
    pub is_filled: bool,
}

impl Text {
    /// A part of a text that is written as a name at `place`: its value if that is a text of this
    /// host, else a hole. A text with U+FFFC is a hole: there, the character would be one.
    pub(super) fn part(known: Option<Text>, place: Range<usize>) -> Text {
        match known {
            Some(text) if text.may_be_included() => {
                let Text { decoded, literals, mut included, parts, elsewhere, is_filled, .. } =
                    text;
                let is_here = |it: &Range<usize>| place.start <= it.start && it.end <= place.end;
                let (literals, others) = literals.into_iter().partition(is_here);
                included.extend::<Vec<_>>(others);
                Text { decoded, literals, included, parts, elsewhere, name: None, is_filled }
            }
            known => {
                let parts = known.map_or_else(Vec::new, |text| text.parts);
                let mut hole = Text { parts, ..Text::default() };
                hole.decoded.push_hole(place);
                hole
            }
        }
    }

    /// A part of a text that another host has, written as a name at `place`: a hole if its text is
    /// unknown.
    pub(super) fn part_elsewhere(
        reference: Reference,
        known: Option<&str>,
        place: Range<usize>,
    ) -> Text {
        let mut part = match known {
            None => Text::part(None, place),
            Some(text) => {
                let mut part = Text { elsewhere: vec![place.clone()], ..Text::default() };
                part.decoded.push_atomic(text, place);
                part
            }
        };
        part.parts = vec![reference];
        part
    }

    /// `true` if values were put into it, or will be.
    pub(super) fn has_values(&self) -> bool {
        self.is_filled || self.decoded.holes().next().is_some()
    }

    /// `true` if no part of it is known.
    pub(super) fn is_computed(&self) -> bool {
        self.decoded.pieces().iter().all(|piece| piece.kind == PieceKind::Hole)
    }

    /// The text with a hole for each text of another host, and the values of these holes. A name
    /// whose text has become more than one piece with a hole is only a hole.
    pub(super) fn with_holes_elsewhere(&self) -> (Decoded, Vec<KnownHole>) {
        if self.elsewhere.is_empty() {
            return (self.decoded.clone(), Vec::new());
        }
        let places: HashSet<&Range<usize>> = self.elsewhere.iter().collect();
        let (mut decoded, mut known) = (Decoded::default(), Vec::new());
        for pieces in self.decoded.pieces().chunk_by(|one, next| one.source == next.source) {
            let place = &pieces[0].source;
            let range = pieces[0].text.start..pieces[pieces.len() - 1].text.end;
            if !places.contains(place) {
                decoded.push_part(&self.decoded, range);
                continue;
            }
            let start = decoded.text().len();
            decoded.push_hole(place.clone());
            if pieces.iter().all(|piece| piece.kind != PieceKind::Hole) {
                let text = self.decoded.text()[range].to_owned();
                known.push(KnownHole { hole: start..decoded.text().len(), text });
            }
        }
        (decoded.or_empty_at(self.decoded.source(0..0).start), known)
    }

    /// This text as an argument; `None` if it has parts that other hosts have, and for a text
    /// without placeholders, which is a value.
    pub(super) fn written(&self) -> Option<WrittenArgument> {
        let Text { decoded, literals, included, parts, elsewhere, .. } = self;
        let opens = |dialect: &Dialect| decoded.text().contains(dialect.spec().open);
        let is_own = parts.is_empty() && elsewhere.is_empty();
        (is_own && Dialect::ALL.iter().any(opens)).then(|| WrittenArgument {
            decoded: decoded.clone(),
            literals: literals.iter().chain(included).cloned().collect(),
        })
    }

    /// Adds the literals of the arguments that are put into it.
    pub(super) fn put_in(&mut self, arguments: &[TextArgument]) {
        let sources: HashSet<usize> =
            self.decoded.pieces().iter().map(|piece| piece.source.start).collect();
        for written in arguments.iter().filter_map(|argument| argument.written.as_ref()) {
            let first = written.decoded.pieces().first();
            if first.is_some_and(|first| sources.contains(&first.source.start)) {
                self.included.extend_from_slice(&written.literals);
            }
        }
    }

    /// `true` if a part of it is known, and if each U+FFFC in it is a hole.
    pub(super) fn may_be_included(&self) -> bool {
        let holes = self.decoded.holes().count();
        holes < self.decoded.pieces().len() && self.decoded.text().matches(HOLE).count() == holes
    }

    /// Appends another text. Its literals are later in the source, except for included ones.
    pub(super) fn append(&mut self, other: Text) {
        self.decoded.append(&other.decoded);
        self.literals.extend(other.literals);
        self.included.extend(other.included);
        self.parts.extend(other.parts);
        self.elsewhere.extend(other.elsewhere);
        self.is_filled |= other.is_filled;
    }

    /// This text; a sum of names alone is at the range of the sum.
    pub(super) fn or_at(mut self, whole: Range<usize>) -> Text {
        if self.literals.is_empty() && !(self.included.is_empty() && self.parts.is_empty()) {
            self.literals.push(whole);
        }
        self
    }
}

/// An argument of a function of another host.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallArgument {
    /// The keyword; `None` for an argument that is meant by its position.
    pub keyword: Option<String>,
    /// Its position among all arguments.
    pub position: usize,
    pub value: ArgumentValue,
}

/// The value of an argument of a function of another host.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ArgumentValue {
    Text(String),
    /// A name that the calling host imports.
    Elsewhere(Box<Reference>),
    /// A value that is not known there.
    Unknown,
}

impl CallArgument {
    /// Any number of unknown arguments at a position: `*values`.
    pub fn any(position: usize) -> CallArgument {
        let keyword = Some(ANY.to_owned());
        CallArgument { keyword, position, value: ArgumentValue::Unknown }
    }

    /// `true` if it may be the argument of any parameter.
    pub fn is_any(&self) -> bool {
        self.keyword.as_deref() == Some(ANY)
    }

    /// Completes what a host cannot state about itself: the path of the importing file.
    pub fn name_host(&mut self, host: &Path) {
        let ArgumentValue::Elsewhere(reference) = &mut self.value else { return };
        reference.change_all(&|it| {
            if let OtherFile::Module(module) = &it.other {
                it.other = OtherFile::ModuleOf(host.to_owned(), module.clone());
            }
        });
    }

    /// `true` for the same argument; the path of the importing file is ignored.
    pub fn is_same(&self, other: &CallArgument) -> bool {
        let is_same = match (&self.value, &other.value) {
            (ArgumentValue::Elsewhere(one), ArgumentValue::Elsewhere(other)) => {
                let names = |it: &Reference| (it.name.clone(), it.class.clone());
                one.other.module() == other.other.module()
                    && names(one) == names(other)
                    && one.members == other.members
                    && one.operations == other.operations
            }
            (one, other) => one == other,
        };
        is_same && self.keyword == other.keyword && self.position == other.position
    }
}

/// A name in another host.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reference {
    pub other: OtherFile,
    /// The class that declares the name, in languages whose names belong to classes.
    pub class: Option<String>,
    pub name: String,
    /// The names after it, of members of its value; keys in brackets with their quotes.
    pub members: Vec<String>,
    pub is_called: bool,
    /// The known arguments of a function that is called.
    pub arguments: Vec<CallArgument>,
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

    /// This reference, if a class of the module declares the name.
    pub fn of_class(self, class: &str) -> Reference {
        Reference { class: Some(class.to_owned()), ..self }
    }

    /// This reference, if its value is only a part of a prompt.
    pub fn into_part(mut self) -> Reference {
        self.change_all(&|it| it.is_part = true);
        self
    }

    /// The value of some keys of the data that the function returns.
    pub fn with_keys(mut self, keys: &[&str]) -> Reference {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        self.change_all(&|it| it.members.clone_from(&keys));
        self
    }

    /// The items of lists that are values of data files, each by itself; other references are
    /// unchanged.
    pub fn items_of_data(mut self) -> Reference {
        self.change_all(&|it| {
            if it.is_value_of_data() {
                it.name.push(KEY_END);
                it.name.push_str(EACH);
                it.operations.retain(|operation| !matches!(operation, Operation::Join { .. }));
            }
        });
        self
    }

    /// `true` for a value of a data file, and not for a whole file.
    pub fn is_value_of_data(&self) -> bool {
        matches!(self.other, OtherFile::Text(_)) && !self.name.is_empty()
    }

    /// This reference, with another one as its last meaning.
    pub fn or(mut self, other: Reference) -> Reference {
        self.otherwise = Some(Box::new(match self.otherwise {
            Some(otherwise) => otherwise.or(other),
            None => other,
        }));
        self
    }

    /// Its meanings, the first of which that exists counts.
    pub fn meanings(&self) -> impl Iterator<Item = &Reference> {
        std::iter::successors(Some(self), |it| it.otherwise.as_deref())
    }

    /// Changes this reference and its other meanings.
    pub fn change_all(&mut self, change: &dyn Fn(&mut Reference)) {
        change(self);
        if let Some(otherwise) = &mut self.otherwise {
            otherwise.change_all(change);
        }
    }

    /// A text file as a whole.
    pub fn text_file(path: TextPath, followed: u8) -> Reference {
        let other = OtherFile::Text(path);
        Reference { other, ..Reference::new(String::new(), "", false, followed) }
    }

    /// The value of some keys of a data file.
    pub fn in_data(file: OtherFile, keys: &[&str], followed: u8) -> Reference {
        let name = keys.join(&KEY_END.to_string());
        Reference { other: file, ..Reference::new(String::new(), &name, false, followed) }
    }
}
