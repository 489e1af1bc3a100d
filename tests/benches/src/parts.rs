//! The parts of the benches, by name.

use std::fmt::{self, Display, Formatter};

use crate::programs::Programs;
use crate::report::{Figure, Table};
use crate::{check, engines, keystroke, lexing, memory, preview, startup, stdio, workspace};

/// A part of the benches.
pub struct Part {
    /// Its name on the command line.
    pub name: &'static str,
    title: &'static str,
    measures: &'static str,
    run: PartRunner,
}

/// The function that measures a part.
enum PartRunner {
    /// Measures inside this process, by calling the library.
    InProcess(fn() -> Vec<Table>),
    /// From outside, by running the program.
    OnProgram(fn(&Programs) -> Vec<Table>),
}

/// All parts, in the order of the README.
pub const PARTS: [Part; 9] = [
    Part {
        name: "stdio",
        title: "A keystroke over stdio",
        measures: "from `didChange` to `publishDiagnostics` over pipes, in turns with an empty \
                   server that keeps no text",
        run: PartRunner::OnProgram(stdio::run),
    },
    Part {
        name: "preview",
        title: "The preview over stdio",
        measures: "from `promptls/preview` to its answer over pipes, after each keystroke",
        run: PartRunner::OnProgram(preview::run),
    },
    Part {
        name: "check",
        title: "Checking a folder",
        measures: "`promptls check` on 20,000 prompts of 2 KB with 20 placeholders each, and on \
                   100,000 files of code of which 1,000 hold a prompt, beside a threaded walk \
                   with `memmem`, and ripgrep",
        run: PartRunner::OnProgram(check::run),
    },
    Part {
        name: "startup",
        title: "Start",
        measures: "from start to the answer to `initialize`, memory when idle, and the size of \
                   the program, beside an empty server",
        run: PartRunner::OnProgram(startup::run),
    },
    Part {
        name: "memory",
        title: "Memory with a prompt open",
        measures: "what the server holds once the problems of a prompt are known, and the most \
                   that it has held on the way",
        run: PartRunner::OnProgram(memory::run),
    },
    Part {
        name: "workspace",
        title: "Following a workspace",
        measures: "the problems of all prompts, and what a change in their inputs takes, while \
                   a user types",
        run: PartRunner::OnProgram(workspace::run),
    },
    Part {
        name: "engines",
        title: "Template engines",
        measures: "four workloads on six engines, and our dialects among themselves",
        run: PartRunner::InProcess(engines::run),
    },
    Part {
        name: "lex",
        title: "Lexing 100 MB",
        measures: "tokens, and a tree, beside a search for braces",
        run: PartRunner::InProcess(lexing::run),
    },
    Part {
        name: "keystroke",
        title: "A keystroke in process",
        measures: "an edit of the rope and the tree, and the problems then",
        run: PartRunner::InProcess(keystroke::run),
    },
];

/// The results of a part.
pub struct Section {
    title: &'static str,
    /// The tables of figures, in the order of the report.
    pub tables: Vec<Table>,
}

impl Part {
    /// Runs the measurement; parts in this process do not use `programs`.
    pub fn measure(&self, programs: &Programs) -> Section {
        let tables = match self.run {
            PartRunner::InProcess(run) => run(),
            PartRunner::OnProgram(run) => run(programs),
        };
        Section { title: self.title, tables }
    }

    /// Whether it measures the program itself.
    pub fn is_on_program(&self) -> bool {
        matches!(self.run, PartRunner::OnProgram(_))
    }
}

impl Display for Section {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "### {}\n", self.title)?;
        self.tables.iter().try_for_each(|table| write!(f, "{table}"))
    }
}

/// The parts and what they measure.
pub fn list() -> Table {
    let mut list = Table::new("parts", &["part", "measures"]);
    for part in &PARTS {
        list.row(format!("`{}`", part.name), [Figure::Words(part.measures.to_owned())]);
    }
    list
}
