//! Notes the places in expressions that stand for texts which are written elsewhere.

use std::ops::Range;

use super::Expressions;
use crate::code::static_value::{StaticValue, Text};
use crate::host_prompt::{OtherFile, TextPath};
use crate::text_reference::{TextName, TextReference, TextTarget};

impl Expressions<'_, '_> {
    /// Notes that a place stands for the text of a value.
    pub(in crate::code) fn note_text(&mut self, place: Range<usize>, known: &StaticValue) {
        let (target, text) = match known {
            StaticValue::Here(text) => match written_outside(text, &place) {
                Some(range) => (TextTarget::Here(range), Some(text)),
                None => return,
            },
            StaticValue::Elsewhere(reference) => {
                let name = TextName(Box::new(reference.clone().into_part()));
                (TextTarget::Elsewhere(name), None)
            }
        };
        if !self.text_references.has(&place, &target) {
            self.work += text.map_or(0, |text| text.decoded.text().len());
            let text = text.map(|text| text.decoded.text().into());
            self.text_references.add(TextReference { place, text, target });
        }
    }

    /// Notes that an argument is put into a text, which then has it without its place.
    pub(super) fn note_put_in(&mut self, place: Range<usize>, known: &StaticValue) {
        if let StaticValue::Here(text) = known
            && let Some(range) = written_outside(text, &place)
        {
            self.text_references.put_in.insert(range.start);
            self.note_text(place, known);
        }
    }

    /// Notes that a literal is the path of a file that is read.
    pub(in crate::code) fn note_path(&mut self, place: Range<usize>, file: &OtherFile) {
        if let OtherFile::Text(path) = file {
            let target = TextTarget::File(path.clone());
            self.text_references.add(TextReference { place, text: None, target });
        }
    }

    /// Notes an argument for a function of another host that may be the path of a file.
    pub(super) fn note_possible_path(&mut self, place: Range<usize>, text: &str) {
        let name = text.rsplit('/').next().unwrap_or_default();
        let is_path = name.contains('.') && !text.contains(char::is_whitespace);
        if is_path && !name.ends_with('.') {
            let path = TextPath { end: text.to_owned(), up: None };
            self.note_path(place, &OtherFile::Text(path));
        }
    }
}

/// The range of the literals of a text that are outside of a place; `None` without any.
fn written_outside(text: &Text, place: &Range<usize>) -> Option<Range<usize>> {
    let is_outside = |it: &&Range<usize>| it.end <= place.start || place.end <= it.start;
    let mut outside = text.literals.iter().filter(is_outside);
    let first = outside.next()?;
    let last = outside.next_back().unwrap_or(first);
    (first.start <= last.start).then_some(first.start..last.end)
}
