//! Lexing a whole prompt of 100 MB.

use std::hint::black_box;
use std::time::{Duration, Instant};

use promptls_syntax::{Dialect, Tree, tokenize};
use promptls_tests::workloads::slots_text;
use ropey::Rope;

use crate::report::{Figure, Table, with_commas};
use crate::timing::quantile;

const BYTES: usize = 100_000_000;
const TURNS: usize = 7;

pub fn run() -> Vec<Table> {
    let columns =
        ["a placeholder every", "tokens", "tokenize", "parse a tree", "of a rope", "memchr"];
    let mut table = Table::new("lex", &columns);
    for every in [10_000, 1_000, 100] {
        let name = |index: usize| format!("{{{{name_{:02}}}}}", index % 100);
        let text = slots_text(BYTES, BYTES / every, name);
        let rope = Rope::from_str(&text);
        let mut tokens = 0;
        tokenize(Dialect::Agentle, &text, |_| tokens += 1);
        let times = in_turns([
            &mut || {
                let mut tokens = 0_usize;
                tokenize(Dialect::Agentle, &text, |token| tokens += token.len);
                black_box(tokens);
            },
            &mut || drop(black_box(Tree::parse(Dialect::Agentle, &*text))),
            &mut || drop(black_box(Tree::parse(Dialect::Agentle, &rope))),
            &mut || {
                black_box(memchr::memchr_iter(b'{', text.as_bytes()).count());
            },
        ]);
        let mut figures = vec![Figure::Count(tokens)];
        figures.extend(times.map(Figure::Time));
        table.row(format!("{} B", with_commas(every as u64)), figures);
    }
    vec![table]
}

/// The median time of each, run in turns.
fn in_turns<const N: usize>(mut runs: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..TURNS {
        for (run, times) in runs.iter_mut().zip(&mut times) {
            let start = Instant::now();
            run();
            times.push(start.elapsed());
        }
    }
    times.map(|mut times| quantile(&mut times, 0.5))
}
