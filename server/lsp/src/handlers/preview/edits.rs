//! The changes between two previews, for clients that still have the previous one.
//!
//! Typing changes a few characters in a text of megabytes. Serializing, sending and parsing all of
//! it costs far more than resolving it. So a client may name the preview that it has, and receives
//! only the differences: one range of the text, and one of the map. Everything after these ranges
//! is only moved. Its positions in the prompt move with the text that was typed.

use std::ops::Range;

use promptls_analysis::position::{Encoding, position, width};
use promptls_protocol::{MapEdit, Moved, Position, PreviewEdits, Run, TextEdit};
use ropey::Rope;

use crate::convert;
use crate::session::sent_previews::StoredPreview;

/// The changes that turn one preview into another.
///
/// Cost: a scan of both.
pub fn between(old: &StoredPreview, new: &StoredPreview, encoding: Encoding) -> PreviewEdits {
    let text = text_edit(&old.shown.text, &new.shown.text, encoding);
    let map = map_edit(&old.shown.map, &new.shown.map, moved(old, new, encoding));
    PreviewEdits { text, map }
}

fn text_edit(old: &str, new: &str, encoding: Encoding) -> TextEdit {
    let (changed, into) = difference(old, new);
    let start = width(&old[..changed.start], encoding);
    let range = [start, start + width(&old[changed], encoding)];
    TextEdit { range, new: new[into].to_owned() }
}

/// The ranges in which two texts differ.
fn difference(old: &str, new: &str) -> (Range<usize>, Range<usize>) {
    let same = |(a, b): &(&u8, &u8)| a == b;
    let mut start = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    while !(old.is_char_boundary(start) && new.is_char_boundary(start)) {
        start -= 1;
    }
    let (old_rest, new_rest) = (&old.as_bytes()[start..], &new.as_bytes()[start..]);
    let mut end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    while !(old.is_char_boundary(old.len() - end) && new.is_char_boundary(new.len() - end)) {
        end -= 1;
    }
    (start..old.len() - end, start..new.len() - end)
}

fn map_edit(old: &[Run], new: &[Run], moved: Moved) -> MapEdit {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let pairs = old[start..].iter().rev().zip(new[start..].iter().rev());
    let end = pairs.take_while(|(a, b)| is_moved(a, b, moved)).count();
    MapEdit { range: [start, old.len() - end], runs: new[start..new.len() - end].to_vec(), moved }
}

/// The distance by which the last runs were moved, if their sources are unchanged.
fn moved(old: &StoredPreview, new: &StoredPreview, encoding: Encoding) -> Moved {
    let output = match (old.shown.map.last(), new.shown.map.last()) {
        (Some(a), Some(b)) => b.output[1] as isize - a.output[1] as isize,
        _ => 0,
    };
    let (from, to) = behind_difference(&old.document, &new.document, encoding);
    Moved {
        output,
        from,
        line: i64::from(to.line) - i64::from(from.line),
        character: i64::from(to.character) - i64::from(from.character),
    }
}

/// The end of the range in which two documents differ, in each of them.
fn behind_difference(old: &Rope, new: &Rope, encoding: Encoding) -> (Position, Position) {
    let start = same_at_start(old, new);
    let most = old.len_bytes().min(new.len_bytes()) - start;
    let end = same_at_end(old, new).min(most);
    let place = |text: &Rope| {
        let position = position(text, text.len_bytes() - end, encoding);
        convert::from_position(position)
    };
    (place(old), place(new))
}

/// The length of the common prefix, in bytes.
fn same_at_start(old: &Rope, new: &Rope) -> usize {
    let chunks = same_chunks(old.chunks().zip(new.chunks()));
    let [old, new] = [old, new].map(|text| text.chars_at(text.byte_to_char(chunks)));
    chunks + same_chars(old.zip(new))
}

/// The length of the common suffix, in bytes.
fn same_at_end(old: &Rope, new: &Rope) -> usize {
    let [old_end, new_end] =
        [old, new].map(|text| text.chunks_at_byte(text.len_bytes()).0.reversed());
    let chunks = same_chunks(old_end.zip(new_end));
    let [old, new] = [old, new].map(|text| {
        let end = text.byte_to_char(text.len_bytes() - chunks);
        text.chars_at(end).reversed()
    });
    chunks + same_chars(old.zip(new))
}

/// An edit leaves most chunks of a rope unchanged, and chunks are compared as a whole.
fn same_chunks<'t>(pairs: impl Iterator<Item = (&'t str, &'t str)>) -> usize {
    pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len()).sum()
}

fn same_chars(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}

/// Returns whether a run is an old one, moved. Runs with parts always count as changed: they are
/// few.
fn is_moved(old: &Run, new: &Run, by: Moved) -> bool {
    let output =
        |index: usize| old.output[index] as isize + by.output == new.output[index] as isize;
    output(0)
        && output(1)
        && place_after(old.source.start, by) == Some(new.source.start)
        && place_after(old.source.end, by) == Some(new.source.end)
        && old.kind == new.kind
        && old.path == new.path
        && old.value == new.value
        && old.via == new.via
        && old.parts.is_empty()
        && new.parts.is_empty()
}

/// The new position of a position in the old prompt; `None` if it would be before the start.
fn place_after(at: Position, by: Moved) -> Option<Position> {
    if at < by.from {
        return Some(at);
    }
    let character = if at.line == by.from.line { by.character } else { 0 };
    Some(Position {
        line: u32::try_from(i64::from(at.line) + by.line).ok()?,
        character: u32::try_from(i64::from(at.character) + character).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use promptls_protocol::{self as wire, PreviewText, RunKind};
    use proptest::prelude::*;

    use super::*;

    /// The preview that a client computes from the edits.
    fn applied(old: &PreviewText, edits: &PreviewEdits) -> PreviewText {
        let PreviewEdits { text, map } = edits;
        let units: Vec<u16> = old.text.encode_utf16().collect();
        let [start, end] = text.range;
        let new: Vec<u16> =
            [&units[..start], &text.new.encode_utf16().collect::<Vec<_>>(), &units[end..]].concat();
        let moved = |run: &Run| {
            let place = |at| place_after(at, map.moved).unwrap();
            Run {
                output: run.output.map(|at| at.checked_add_signed(map.moved.output).unwrap()),
                source: wire::Range { start: place(run.source.start), end: place(run.source.end) },
                ..run.clone()
            }
        };
        let mut runs = old.map[..map.range[0]].to_vec();
        runs.extend(map.runs.iter().cloned());
        runs.extend(old.map[map.range[1]..].iter().map(moved));
        PreviewText { text: String::from_utf16(&new).unwrap(), map: runs }
    }

    /// A document as a preview: a run for each word, and the whole text this many times, as in a
    /// loop.
    fn drawn(document: &str, times: usize) -> StoredPreview {
        let (mut map, mut at) = (Vec::new(), 0);
        for _ in 0..times {
            let mut here = Position { line: 0, character: 0 };
            for word in document.split_inclusive([' ', '\n']) {
                let length = word.encode_utf16().count();
                let start = here;
                here.character += length as u32;
                let source = wire::Range { start, end: here };
                if word.ends_with('\n') {
                    here = Position { line: here.line + 1, character: 0 };
                }
                let is_value = word.starts_with('a');
                map.push(Run {
                    output: [at, at + length],
                    kind: if is_value { RunKind::Value } else { RunKind::Literal },
                    source,
                    path: None,
                    value: None,
                    via: Vec::new(),
                    parts: Vec::new(),
                });
                at += length;
            }
        }
        let shown = Arc::new(PreviewText { text: document.repeat(times), map });
        StoredPreview { shown, document: document.into() }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn edits_applied_to_the_old_preview_yield_the_new_one(
            start in "[ab é🎉\n]{0,12}",
            old in "[ab é🎉🎊\n]{0,6}",
            new in "[ab é🎉🎊\n]{0,6}",
            end in "[ab é🎉\n]{0,12}",
            times in 1..4_usize,
        ) {
            let old = drawn(&format!("{start}{old}{end}"), times);
            let new = drawn(&format!("{start}{new}{end}"), times);
            let edits = between(&old, &new, Encoding::Utf16);
            let made = applied(&old.shown, &edits);
            prop_assert_eq!(&made.text, &new.shown.text);
            prop_assert_eq!(&made.map, &new.shown.map);
            // One change of a prompt without loops leaves all runs except those that it touches.
            if times == 1 {
                let touched = old.shown.map.iter().filter(|run| {
                    let [from, to] = edits.text.range;
                    run.output[0] <= to && from <= run.output[1]
                });
                prop_assert!(edits.map.range[1] - edits.map.range[0] <= touched.count());
            }
        }
    }

    /// Checks the edits between documents of equal lines, and the distance by which the rest is
    /// moved.
    #[track_caller]
    fn check_moved(old: &str, new: &str, text: TextEdit, runs: [usize; 2], moved: Moved) {
        let edits = between(&drawn(old, 1), &drawn(new, 1), Encoding::Utf16);
        assert_eq!((edits.text, edits.map.moved), (text, moved));
        assert_eq!((edits.map.range, edits.map.runs.len()), ([runs[0], runs[0]], runs[1]));
    }

    #[test]
    fn an_inserted_line_moves_the_map_after_it() {
        let line = "a b c d\n";
        check_moved(
            &line.repeat(100),
            &format!("{line}x\n{}", line.repeat(99)),
            TextEdit { range: [8, 8], new: "x\n".to_owned() },
            [4, 1],
            Moved { output: 2, from: Position { line: 1, character: 0 }, line: 1, character: 0 },
        );
    }

    #[test]
    fn an_inserted_word_moves_the_map_on_the_rest_of_its_line() {
        let words = "a b c d ".repeat(100);
        check_moved(
            &format!("{words}\n{words}"),
            &format!("a xy{}\n{words}", &words[1..]),
            TextEdit { range: [2, 2], new: "xy ".to_owned() },
            [1, 1],
            Moved { output: 3, from: Position { line: 0, character: 2 }, line: 0, character: 3 },
        );
    }
}
