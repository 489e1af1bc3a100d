//! What changed between two previews, for clients that still have the last one.
//!
//! While somebody types, a text of megabytes changes in a few characters; to write all of it
//! down again, send it and read it costs far more than to resolve it. So a client may name the
//! preview that it has, and gets what is different: one stretch of the text, and one of the map.
//! What stands behind both is only moved.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use promptls_analysis::position::{Encoding, width};
use promptls_protocol::{MapEdit, Moved, Position, PreviewEdits, PreviewText, Run, TextEdit};

/// How many previews are kept: one for each client, and few clients at a time.
const KEPT: usize = 8;

/// The previews that clients have, the newest last.
#[derive(Debug, Default)]
pub struct KeptPreviews(Mutex<VecDeque<(String, Arc<PreviewText>)>>);

impl KeptPreviews {
    /// Keeps what is sent to a client, in the place of what it has. Returns the name of the new
    /// one, and the old one if it is still there.
    pub fn replace(&self, old: &str, new: Arc<PreviewText>) -> (String, Option<Arc<PreviewText>>) {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        // A page may ask another server than before, so the name says which one gave it.
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let id = format!("{}-{number}", std::process::id());
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(id, _)| id == old);
        let old = at.and_then(|at| kept.remove(at)).map(|(_, drawn)| drawn);
        kept.push_back((id.clone(), new));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        (id, old)
    }
}

/// How to make a preview of an older one.
///
/// Cost: a look at all of both.
pub fn between(old: &PreviewText, new: &PreviewText, encoding: Encoding) -> PreviewEdits {
    PreviewEdits {
        text: text_edit(&old.text, &new.text, encoding),
        map: map_edit(&old.map, &new.map),
    }
}

fn text_edit(old: &str, new: &str, encoding: Encoding) -> TextEdit {
    let (changed, into) = difference(old, new);
    let start = width(&old[..changed.start], encoding);
    let range = [start, start + width(&old[changed], encoding)];
    TextEdit { range, new: new[into].to_owned() }
}

/// The stretches in which two texts differ.
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

fn map_edit(old: &[Run], new: &[Run]) -> MapEdit {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let moved = match (old_rest.last(), new_rest.last()) {
        (Some(a), Some(b)) => Moved {
            output: b.output[1] as isize - a.output[1] as isize,
            line: i64::from(b.source.end.line) - i64::from(a.source.end.line),
        },
        _ => Moved::default(),
    };
    let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
    let end = pairs.take_while(|(a, b)| is_moved(a, b, moved)).count();
    MapEdit { range: [start, old.len() - end], runs: new[start..new.len() - end].to_vec(), moved }
}

/// Whether a run is an old one, moved. Those with parts are not looked at: they are few.
fn is_moved(old: &Run, new: &Run, by: Moved) -> bool {
    let place = |a: &Position, b: &Position| {
        i64::from(a.line) + by.line == i64::from(b.line) && a.character == b.character
    };
    let output =
        |index: usize| old.output[index] as isize + by.output == new.output[index] as isize;
    output(0)
        && output(1)
        && place(&old.source.start, &new.source.start)
        && place(&old.source.end, &new.source.end)
        && old.kind == new.kind
        && old.path == new.path
        && old.value == new.value
        && old.via == new.via
        && old.parts.is_empty()
        && new.parts.is_empty()
}

#[cfg(test)]
mod tests {
    use promptls_protocol::{self as wire, RunKind};
    use proptest::prelude::*;

    use super::*;

    /// What a client makes of it.
    fn applied(old: &PreviewText, edits: &PreviewEdits) -> PreviewText {
        let PreviewEdits { text, map } = edits;
        let units: Vec<u16> = old.text.encode_utf16().collect();
        let [start, end] = text.range;
        let new: Vec<u16> =
            [&units[..start], &text.new.encode_utf16().collect::<Vec<_>>(), &units[end..]].concat();
        let moved = |run: &Run| {
            let line = |at: Position| Position {
                line: u32::try_from(i64::from(at.line) + map.moved.line).unwrap(),
                ..at
            };
            Run {
                output: run.output.map(|at| at.checked_add_signed(map.moved.output).unwrap()),
                source: wire::Range { start: line(run.source.start), end: line(run.source.end) },
                ..run.clone()
            }
        };
        let mut runs = old.map[..map.range[0]].to_vec();
        runs.extend(map.runs.iter().cloned());
        runs.extend(old.map[map.range[1]..].iter().map(moved));
        PreviewText { text: String::from_utf16(&new).unwrap(), map: runs }
    }

    /// A run for each word, as if each line of the text were one of the prompt.
    fn drawn(text: &str) -> PreviewText {
        let (mut map, mut at, mut line, mut column) = (Vec::new(), 0, 0, 0);
        for word in text.split_inclusive([' ', '\n']) {
            let length = word.encode_utf16().count();
            let here = |character| Position { line, character };
            let source = wire::Range { start: here(column), end: here(column + length as u32) };
            let kind = if word.starts_with('a') { RunKind::Value } else { RunKind::Literal };
            let output = [at, at + length];
            map.push(Run {
                output,
                kind,
                source,
                path: None,
                value: None,
                via: Vec::new(),
                parts: Vec::new(),
            });
            at += length;
            column += length as u32;
            if word.ends_with('\n') {
                (line, column) = (line + 1, 0);
            }
        }
        PreviewText { text: text.to_owned(), map }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn the_old_one_and_the_edits_make_the_new_one(
            start in "[ab é🎉\n]{0,12}",
            old in "[ab é🎉🎊\n]{0,6}",
            new in "[ab é🎉🎊\n]{0,6}",
            end in "[ab é🎉\n]{0,12}",
        ) {
            let old = drawn(&format!("{start}{old}{end}"));
            let new = drawn(&format!("{start}{new}{end}"));
            let made = applied(&old, &between(&old, &new, Encoding::Utf16));
            prop_assert_eq!(made.text, new.text);
            prop_assert_eq!(made.map, new.map);
        }
    }

    #[test]
    fn a_letter_moves_what_stands_behind_it() {
        let line = "a b c d\n";
        let [old, new] =
            [drawn(&line.repeat(100)), drawn(&format!("{line}x\n{}", line.repeat(99)))];
        let edits = between(&old, &new, Encoding::Utf16);
        assert_eq!(edits.text, TextEdit { range: [8, 8], new: "x\n".to_owned() });
        assert_eq!(edits.map.range, [4, 4]);
        assert_eq!(edits.map.runs.len(), 1);
        assert_eq!(edits.map.moved, Moved { output: 2, line: 1 });
    }

    #[test]
    fn a_client_has_one_preview_and_those_that_vanish_are_forgotten() {
        let kept = KeptPreviews::default();
        let preview = || Arc::new(drawn("a"));
        let (mine, none) = kept.replace("", preview());
        assert!(none.is_none());
        let (next, old) = kept.replace(&mine, preview());
        assert!(old.is_some());
        assert!(kept.replace(&mine, preview()).1.is_none());
        for _ in 0..KEPT {
            kept.replace("", preview());
        }
        assert!(kept.replace(&next, preview()).1.is_none());
        assert_eq!(kept.0.lock().unwrap().len(), KEPT);
    }
}
