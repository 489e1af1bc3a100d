//! Template engines side by side.

use std::time::Duration;

use promptls_syntax::Dialect;
use serde_json::Value;

use crate::ours::Prompt;
use crate::peers;
use crate::timing::{Contestant, race};
use promptls_tests::workloads::{Workload, slots_text};

pub fn run() {
    let workloads = Workload::all();
    println!("## Compiled templates\n");
    for workload in &workloads {
        let prompt = Prompt::new(Dialect::Agentle, workload.agentle.clone(), &workload.inputs);
        let mut contestants = vec![prompt.render("promptls")];
        contestants.extend(peers::compiled(workload));
        contestants.push(prompt.resolve("promptls, with its source map"));
        print(workload.id, workload.title, &mut contestants);
    }

    println!("## From text: parse and resolve\n");
    for workload in &workloads {
        let prompt = Prompt::new(Dialect::Agentle, workload.agentle.clone(), &workload.inputs);
        let mut contestants = vec![prompt.compile_and_render("promptls")];
        contestants.extend(peers::from_text(workload));
        print(workload.id, workload.title, &mut contestants);
    }

    println!("## Our dialects among themselves\n");
    for (id, bytes, slots, names) in [("w1", 1_000, 10, 10), ("w2", 1_000_000, 10_000, 100)] {
        let prompts = Dialect::ALL.map(|dialect| {
            // A name that every dialect takes: entAIngine knows capital letters only.
            let name = |index: usize| format!("NAME_{:02}", index % names);
            let values = (0..names).map(|index| (name(index), format!("the value {index:04}")));
            let inputs = values.map(|(name, value)| (name, Value::from(value))).collect();
            let spec = dialect.spec();
            let text = slots_text(bytes, slots, |index| {
                format!("{}{}{}", spec.open, name(index), spec.close)
            });
            Prompt::new(dialect, text, &inputs)
        });
        let ids = Dialect::ALL.map(|dialect| dialect.spec().id);
        let with = |make: for<'p> fn(&'p Prompt, &'static str) -> Contestant<'p>| {
            let mut contestants: Vec<_> =
                prompts.iter().zip(ids).map(|(prompt, id)| make(prompt, id)).collect();
            race(&mut contestants)
        };
        let compiled = with(Prompt::render);
        let mapped = with(Prompt::resolve);
        let from_text = with(Prompt::compile_and_render);
        println!("**{id}**\n\n| dialect | compiled | with its source map | from text |");
        println!("| --- | ---: | ---: | ---: |");
        for (index, dialect) in ids.into_iter().enumerate() {
            let times = [compiled[index], mapped[index], from_text[index]].map(time);
            println!("| {dialect} | {} |", times.join(" | "));
        }
        println!();
    }
}

fn print(id: &str, title: &str, contestants: &mut [Contestant<'_>]) {
    let times = race(contestants);
    println!("**{id}**: {title}\n\n| | median | ratio to ours |\n| --- | ---: | ---: |");
    for (contestant, &duration) in contestants.iter().zip(&times) {
        let ratio = duration.as_secs_f64() / times[0].as_secs_f64();
        println!("| {} | {} | {ratio:.1} |", contestant.name, time(duration));
    }
    println!();
}

/// A duration in the unit that fits it.
pub fn time(duration: Duration) -> String {
    let nanos = duration.as_nanos() as f64;
    let (value, unit) = match nanos {
        ..1e3 => (nanos, "ns"),
        ..1e6 => (nanos / 1e3, "µs"),
        ..1e9 => (nanos / 1e6, "ms"),
        _ => (nanos / 1e9, "s"),
    };
    let digits = if value < 10.0 && unit != "ns" { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}
