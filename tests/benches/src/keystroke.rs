//! One keystroke inside the process: the rope, the tree, and what is made of them.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use promptls_analysis::{Case, DEFAULT_MAX_PROBLEMS, SharedWith, Snapshot, diagnose};
use promptls_resolver::{FileId, Format, Inputs};
use promptls_syntax::{Dialect, Edit};
use ropey::Rope;

use crate::table::time;
use crate::timing::quantile;
use promptls_tests::workloads::slots_text;

const KEYSTROKES: usize = 2_000;

/// An open document, with a case that has a value for each name.
struct Document {
    text: Rope,
    snapshot: Snapshot,
}

impl Document {
    fn new(text: &str, inputs: &Inputs) -> Self {
        let mut snapshot = Snapshot::new(Dialect::Agentle, text);
        let inputs = Arc::new(inputs.clone());
        snapshot.cases.push(Case { name: "default".into(), inputs, shared: SharedWith::Nobody });
        let text = Rope::from_str(text);
        snapshot.text = text.clone().into();
        Document { text, snapshot }
    }

    fn edit(&mut self, at: usize, removed: usize, inserted: &str) {
        let Document { text, snapshot } = self;
        let character = text.byte_to_char(at);
        text.remove(character..character + removed);
        text.insert(character, inserted);
        let edit = Edit { start: at, removed, inserted: inserted.len() };
        snapshot.text = text.clone().into();
        Arc::make_mut(&mut snapshot.tree).edit(text, edit);
    }
}

/// A character typed before the byte at `at`.
struct Keystroke {
    at: usize,
    typed: &'static str,
}

/// Everything that happens in the process before the answer is sent: the rope, the tree, and
/// the problems of the file.
fn keystroke(document: &mut Document, edit: &Keystroke) -> usize {
    document.edit(edit.at, 0, edit.typed);
    diagnose(&document.snapshot, DEFAULT_MAX_PROBLEMS).len()
}

pub fn run() {
    println!("## One keystroke, in process\n");
    println!("| document | keystroke | 95 % below | in a name | 95 % below |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
    let values: Vec<String> = (0..100).map(|i| format!("\"name_{i:02}\": \"value {i}\"")).collect();
    let values = format!("{{{}}}", values.join(","));
    let inputs =
        Inputs::parse(&values, Format::Json, FileId(1)).value.expect("the inputs are an object");
    for bytes in [10_000, 1_000_000, 10_000_000, 100_000_000] {
        let name = |index: usize| format!("{{{{name_{:02}}}}}", index % 100);
        let text = slots_text(bytes, bytes / 1_000, name);
        let mut document = Document::new(&text, &inputs);
        let prose = measure(&mut document, |at| at);
        // The next placeholder from there on, behind its braces.
        let names = measure(&mut document, |at| {
            let found = text[at..].find("{{").map_or(at, |found| at + found);
            found + 4
        });
        let size = bytes / 1_000;
        let columns = [prose.0, prose.1, names.0, names.1].map(time).join(" | ");
        println!("| {size} KB | {columns} |");
    }
    println!();
}

/// The median and the 95th percentile of typing at places all over the document.
///
/// The document is put back after each keystroke, outside the clock.
fn measure(document: &mut Document, place: impl Fn(usize) -> usize) -> (Duration, Duration) {
    let len = document.snapshot.text.len_bytes() - 1_100;
    let mut times: Vec<Duration> = (0..KEYSTROKES)
        .map(|index| {
            // A large step that has no divisor in common with the length visits places that are
            // far from each other, as a cold cache would have it.
            let at = place((index * 7_368_787) % len);
            let edit = Keystroke { at, typed: "x" };
            let start = Instant::now();
            black_box(keystroke(document, &edit));
            let elapsed = start.elapsed();
            document.edit(at, 1, "");
            elapsed
        })
        .collect();
    (quantile(&mut times, 0.5), quantile(&mut times, 0.95))
}
