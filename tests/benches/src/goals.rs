//! The performance goals, judged by the measurements.

use std::time::Duration;

use crate::report::{Figure, Table};
use crate::workspace::OWN;

/// A performance goal: a measured value and its limit.
struct Goal {
    /// The subject of the goal.
    what: String,
    measured: Measured,
    limit: Limit,
    /// The reason for the limit.
    why: &'static str,
}

/// The value that is compared with the limit.
enum Measured {
    Figure(Place),
    /// The ratio of the first figure to the second.
    Times(Place, Place),
}

/// The place of a figure: its table, its row, its column.
struct Place(String, String, &'static str);

enum Limit {
    AtMost(Figure),
    AtLeast(Figure),
}

/// Template engines compared with promptls, compiled: the minimum ratio of times.
const COMPILED: &[(&str, &str, f64)] = &[
    ("w1", "ramhorns, map", 2.0),
    ("w1", "tera", 5.0),
    ("w1", "minijinja", 10.0),
    ("w1", "handlebars", 15.0),
    ("w2", "ramhorns, map", 2.0),
    ("w2", "tera", 5.0),
    ("w2", "minijinja", 10.0),
    ("w2", "handlebars", 15.0),
    ("w3", "ramhorns, map", 1.5),
    ("w3", "tera", 3.0),
];

/// The same ratios, with the time for compilation included.
const FROM_TEXT: &[(&str, &str, f64)] = &[
    ("w1", "ramhorns, map", 2.0),
    ("w1", "upon", 10.0),
    ("w1", "minijinja", 10.0),
    ("w2", "ramhorns, map", 2.0),
    ("w2", "upon", 10.0),
    ("w2", "minijinja", 10.0),
    ("w3", "ramhorns, map", 1.5),
    ("w4", "ramhorns, map", 4.0),
    ("w4", "upon", 10.0),
    ("w4", "minijinja", 10.0),
];

/// A key press over stdio, by document: the maximum ratio to an empty server.
const KEYSTROKE: &[(&str, f64)] = &[("10 KB", 2.0), ("1 MB", 2.5), ("10 MB", 2.5), ("100 MB", 2.5)];

#[expect(clippy::too_many_lines, reason = "a table of goals")]
fn goals() -> Vec<Goal> {
    let mut goals = Vec::new();
    for (when, races) in [("compiled", COMPILED), ("from text", FROM_TEXT)] {
        goals.extend(races.iter().map(|&(workload, peer, limit)| {
            let of = |row: &str| place(&format!("{workload}, {when}"), row, "median");
            Goal {
                what: format!("{workload}, {when}: {peer} beside ours"),
                measured: Measured::Times(of(peer), of("promptls")),
                limit: Limit::AtLeast(Figure::Times(limit)),
                why: match peer {
                    "ramhorns, map" => "the quickest that looks names up at run time",
                    _ => "it has expressions and filters, which cost it more",
                },
            }
        }));
    }
    goals.extend(KEYSTROKE.iter().map(|&(document, limit)| Goal {
        what: format!("a keystroke over stdio in {document}, beside an empty server"),
        measured: Measured::Times(
            place("stdio", document, "promptls lsp"),
            place("stdio", document, "an empty server"),
        ),
        limit: Limit::AtMost(Figure::Times(limit)),
        why: "pipes and JSON are to be half of it, or nearly, however long the prompt is",
    }));
    goals.extend(["10 KB", "1 MB", "10 MB", "100 MB"].map(|document| Goal {
        what: format!("a keystroke in process, in {document}"),
        measured: Measured::Figure(place("keystroke", document, "keystroke")),
        limit: Limit::AtMost(Figure::Time(Duration::from_micros(50))),
        why: "no more than pipes and JSON add to it",
    }));
    goals.extend(["10,000 B", "1,000 B", "100 B"].into_iter().flat_map(|every| {
        ["tokenize", "parse a tree"].map(|what| Goal {
            what: format!("lexing 100 MB with a placeholder every {every}: {what}"),
            measured: Measured::Figure(place("lex", every, what)),
            limit: Limit::AtMost(Figure::Time(Duration::from_millis(60))),
            why: "opening it is not to be felt",
        })
    }));
    let check = |row: &str, column| place("check, own inputs", row, column);
    goals.extend([
        Goal {
            what: "`check` of 20,000 prompts, beside ripgrep over the same files".to_owned(),
            measured: Measured::Times(
                check("promptls check", "median"),
                check("ripgrep -F", "median"),
            ),
            limit: Limit::AtMost(Figure::Times(1.3)),
            why: "reading them is the least that a check must do",
        },
        Goal {
            what: "`check` of 100,000 files of code, beside ripgrep for names of frameworks"
                .to_owned(),
            measured: Measured::Times(
                place("check, source code", "promptls check", "median"),
                place("check, source code", "ripgrep -F", "median"),
            ),
            limit: Limit::AtMost(Figure::Times(2.0)),
            why: "nearly all of it is only to be looked through",
        },
        Goal {
            what: "files that `check` reads".to_owned(),
            measured: Measured::Figure(check("promptls check", "files")),
            limit: Limit::AtLeast(Figure::PerSecond(65_000.0)),
            why: "a large repository takes a second",
        },
        Goal {
            what: "the preview over stdio of 100 KB".to_owned(),
            measured: Measured::Figure(place("preview", "100 KB", "median")),
            limit: Limit::AtMost(Figure::Time(Duration::from_millis(5))),
            why: "a third of the time for which a screen shows a picture",
        },
        Goal {
            what: "from start to the answer to `initialize`, beside an empty server".to_owned(),
            measured: Measured::Times(
                place("startup", "promptls lsp", "start"),
                place("startup", "an empty server", "start"),
            ),
            limit: Limit::AtMost(Figure::Times(3.0)),
            why: "starting a process is to be a third of it, or more",
        },
        Goal {
            what: "memory when idle".to_owned(),
            measured: Measured::Figure(place("startup", "promptls lsp", "idle memory")),
            limit: Limit::AtMost(Figure::Bytes(7_000_000)),
            why: "each window of an editor has a server",
        },
        Goal {
            what: "the problems of 20,000 prompts in an editor".to_owned(),
            measured: Measured::Figure(place("workspace", OWN, "all problems")),
            limit: Limit::AtMost(Figure::Time(Duration::from_secs(1))),
            why: "they are there when a user looks",
        },
        Goal {
            what: "memory with 20,000 prompts followed".to_owned(),
            measured: Measured::Figure(place("workspace", OWN, "resident")),
            limit: Limit::AtMost(Figure::Bytes(100_000_000)),
            why: "little is kept of each",
        },
        Goal {
            what: "from a change in shared inputs to the prompt on screen".to_owned(),
            measured: Measured::Figure(place("workspace, changed", "20,000", "on screen")),
            limit: Limit::AtMost(Figure::Time(Duration::from_millis(50))),
            why: "what is looked at comes first",
        },
        Goal {
            what: "memory with a prompt of 10 MB open".to_owned(),
            measured: Measured::Figure(place("memory", "10 MB", "resident")),
            limit: Limit::AtMost(Figure::Bytes(40_000_000)),
            why: "four times the text",
        },
        Goal {
            what: "memory with a prompt of 100 MB open".to_owned(),
            measured: Measured::Figure(place("memory", "100 MB", "resident")),
            limit: Limit::AtMost(Figure::Bytes(300_000_000)),
            why: "three times the text",
        },
    ]);
    goals
}

fn place(table: &str, row: &str, column: &'static str) -> Place {
    Place(table.to_owned(), row.to_owned(), column)
}

/// Every goal, with its measurement and the verdict.
pub fn judge(tables: &[Table]) -> Table {
    let mut judged = Table::new("goals", &["goal", "limit", "measured", "", "why this limit"]);
    for Goal { what, measured, limit, why } in goals() {
        let measured = measured.find(tables);
        let (limit, is_reached) = limit.judge(&measured);
        let verdict = match is_reached {
            Some(true) => "reached",
            Some(false) => "**missed**",
            None => "not measured",
        };
        let words = |words: &str| Figure::Words(words.to_owned());
        judged.row(what, [words(&limit), measured, words(verdict), words(why)]);
    }
    judged
}

impl Measured {
    fn find(&self, tables: &[Table]) -> Figure {
        let find = |Place(table, row, column): &Place| {
            let table = tables.iter().find(|it| it.name == *table)?;
            table.figure(row, column).cloned()
        };
        let found = match self {
            Measured::Figure(of) => find(of),
            Measured::Times(of, other) => {
                find(of).zip(find(other)).map(|(of, other)| of.over(&other))
            }
        };
        found.unwrap_or(Figure::Unknown)
    }
}

impl Limit {
    /// The limit in words, and whether a figure meets it.
    fn judge(&self, figure: &Figure) -> (String, Option<bool>) {
        let (words, limit, is_reached): (_, _, fn(&f64, &f64) -> bool) = match self {
            Limit::AtMost(most) => ("at most", most, f64::le),
            Limit::AtLeast(least) => ("at least", least, f64::ge),
        };
        let shown = match limit {
            Figure::Times(number) => format!("{words} {number} times"),
            limit => format!("{words} {limit}"),
        };
        let numbers = figure.number().zip(limit.number());
        (shown, numbers.map(|(number, limit)| is_reached(&number, &limit)))
    }
}

#[test]
fn a_goal_is_reached_at_its_limit_and_missed_above_it() {
    let mut memory = Table::new("memory", &["document", "resident"]);
    memory.row("10 MB", [Figure::Bytes(40_000_000)]);
    memory.row("100 MB", [Figure::Bytes(300_000_001)]);
    let judged = judge(&[memory]);
    let verdict = |goal: &str| judged.figure(goal, "").map(ToString::to_string);
    let verdicts = ["memory with a prompt of 10 MB open", "memory with a prompt of 100 MB open"];
    assert_eq!(verdicts.map(verdict), [Some("reached".to_owned()), Some("**missed**".to_owned())]);
    assert_eq!(verdict("memory when idle").as_deref(), Some("not measured"));
}
