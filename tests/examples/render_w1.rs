//! Measures the time of resolving w1, compiled, on this machine: nanoseconds per call, for the
//! bench of the Python package.

// The example is a command line program.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use promptls_resolver::{Declarations, Dialect, FileId, Format, Inputs, ResolveContext, Template};
use promptls_tests::workloads::Workload;

fn main() {
    let [w1, ..] = Workload::all();
    let inputs = Inputs::parse(&w1.inputs.to_string(), Format::Json, FileId(1)).value;
    let (inputs, nothing) = (inputs.expect("it is JSON"), Declarations::default());
    let template = Template::compile(Dialect::Agentle, &w1.agentle);
    let given = ResolveContext::new(&inputs, &nothing);
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        for _ in 0..50_000 {
            let _ = black_box(template.render(black_box(&given)));
        }
        best = best.min(start.elapsed().as_nanos() as f64 / 50_000.0);
    }
    println!("{best:.1}");
}
