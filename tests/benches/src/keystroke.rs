//! One key press inside the process: the rope, the tree, and their results.

use std::hint::black_box;
use std::time::Instant;

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_syntax::Edit;
use promptls_tests::workloads::long_prompt;
use promptls_workspace::{Configs, Disk, Overrides, Project, PromptFile};
use ropey::Rope;

use crate::report::{Figure, Table, size};
use crate::timing::quantile;

const KEYSTROKES: usize = 2_000;

pub fn run() -> Vec<Table> {
    let columns = ["document", "keystroke", "95 % below", "in a name", "95 % below"];
    let mut table = Table::new("keystroke", &columns);
    for kilobytes in [10, 1_000, 10_000, 100_000] {
        let (text, inputs) = long_prompt(kilobytes);
        let mut document = Document::new(&text, &inputs.to_string());
        // The start of a line, or of a name.
        let [median, most] = measure(&mut document, |at| next(&text, at, "\n"));
        let [in_name, most_in_name] = measure(&mut document, |at| next(&text, at, "{{"));
        table.row(size(kilobytes), [median, most, in_name, most_in_name]);
    }
    vec![table]
}

/// The offset after the next `mark`, or before the first one.
fn next(text: &str, at: usize, mark: &str) -> usize {
    let found = text[at..].find(mark).map(|found| at + found).or_else(|| text.find(mark));
    found.expect("there are some") + mark.len()
}

/// An open prompt, with a case that has a value for each name.
struct Document {
    text: Rope,
    file: PromptFile,
}

impl Document {
    fn new(text: &str, inputs: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().join("letter.agentle.prompt");
        std::fs::write(path.with_extension("inputs.json"), inputs).expect("the disk takes it");
        let text = Rope::from_str(text);
        let (configs, overrides) = <(Configs, Overrides)>::default();
        let project = Project::without_program(&Disk, &configs);
        let known = text.clone().into();
        let file = PromptFile::read(project, &path, known, &overrides, None);
        Document { text, file }
    }

    fn edit(&mut self, at: usize, removed: usize, inserted: &str) {
        let character = self.text.byte_to_char(at);
        self.text.remove(character..character + removed);
        self.text.insert(character, inserted);
        self.file.edit(&self.text, Edit { start: at, removed, inserted: inserted.len() });
    }
}

/// The median and the 95th percentile of typing at places all over the document: all work in the
/// process before the response is sent.
///
/// The document is restored after each key press, without being timed.
fn measure(document: &mut Document, place: impl Fn(usize) -> usize) -> [Figure; 2] {
    let len = document.text.len_bytes();
    let mut times = Vec::new();
    for index in 0..KEYSTROKES {
        // A large step that is coprime to the length visits places that are far apart, as with a
        // cold cache.
        let at = place((index * 7_368_787) % len);
        let start = Instant::now();
        document.edit(at, 0, "x");
        black_box(document.file.problems(DEFAULT_MAX_PROBLEMS));
        times.push(start.elapsed());
        document.edit(at, 1, "");
    }
    [0.5, 0.95].map(|share| Figure::Time(quantile(&mut times, share)))
}
