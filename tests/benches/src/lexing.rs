//! Lexing a whole prompt of 100 MB.

use std::hint::black_box;
use std::time::{Duration, Instant};

use promptls_syntax::{Dialect, Tree, tokenize};
use ropey::Rope;

use crate::table::time;
use crate::timing::quantile;
use promptls_tests::workloads::slots_text;

const BYTES: usize = 100_000_000;
const TURNS: usize = 7;

pub fn run() {
    println!("## Lexing 100 MB\n");
    println!("| a placeholder every | tokens | tokenize | parse a tree | of a rope | memchr |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
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
        println!("| {every} B | {tokens} | {} |", times.map(time).join(" | "));
    }
    println!();
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
