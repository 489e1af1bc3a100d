//! Template engines side by side.

use promptls_syntax::Dialect;
use promptls_tests::workloads::{Workload, slots_text};
use serde_json::Value;

use crate::ours::Prompt;
use crate::peers;
use crate::report::{Figure, Table};
use crate::timing::{Contestant, race};

pub fn run() -> Vec<Table> {
    let workloads = Workload::all();
    let mut tables = Vec::new();
    for workload in &workloads {
        let prompt = Prompt::new(Dialect::Agentle, workload.agentle.clone(), &workload.inputs);
        let mut contestants = vec![prompt.render("promptls")];
        contestants.extend(peers::compiled(workload));
        contestants.push(prompt.resolve("promptls, with its source map"));
        tables.push(raced(workload, "compiled", &mut contestants));
    }
    for workload in &workloads {
        let prompt = Prompt::new(Dialect::Agentle, workload.agentle.clone(), &workload.inputs);
        let mut contestants = vec![prompt.compile_and_render("promptls")];
        contestants.extend(peers::from_text(workload));
        tables.push(raced(workload, "from text", &mut contestants));
    }
    tables.push(dialects("w1", 1_000, 10, 10));
    tables.push(dialects("w2", 1_000_000, 10_000, 100));
    tables
}

fn raced(workload: &Workload, when: &str, contestants: &mut [Contestant<'_>]) -> Table {
    let Workload { id, title, .. } = workload;
    let mut table = Table::new(format!("{id}, {when}"), &["", "median", "ratio to ours"])
        .titled(format!("{id}, {when}: {title}"));
    let times = race(contestants).into_iter().map(Figure::Time).collect::<Vec<_>>();
    for (contestant, time) in contestants.iter().zip(&times) {
        table.row(contestant.name, [time.clone(), time.over(&times[0])]);
    }
    table
}

/// Our dialects among themselves: a text of so many bytes, placeholders and names.
fn dialects(id: &str, bytes: usize, slots: usize, names: usize) -> Table {
    let prompts = Dialect::ALL.map(|dialect| {
        // A name that every dialect takes: entAIngine knows capital letters only.
        let name = |index: usize| format!("NAME_{:02}", index % names);
        let values = (0..names).map(|index| (name(index), format!("the value {index:04}")));
        let inputs = values.map(|(name, value)| (name, Value::from(value))).collect();
        let spec = dialect.spec();
        let text =
            slots_text(bytes, slots, |index| format!("{}{}{}", spec.open, name(index), spec.close));
        Prompt::new(dialect, text, &inputs)
    });
    let ids = Dialect::ALL.map(|dialect| dialect.spec().id);
    let with = |make: for<'p> fn(&'p Prompt, &'static str) -> Contestant<'p>| {
        let mut contestants: Vec<_> =
            prompts.iter().zip(ids).map(|(prompt, id)| make(prompt, id)).collect();
        race(&mut contestants)
    };
    let columns = [Prompt::render, Prompt::resolve, Prompt::compile_and_render].map(with);
    let heads = ["dialect", "compiled", "with its source map", "from text"];
    let mut table = Table::new(format!("{id}, dialects"), &heads)
        .titled(format!("{id} in each of our dialects"));
    for (index, dialect) in ids.into_iter().enumerate() {
        table.row(dialect, columns.each_ref().map(|times| Figure::Time(times[index])));
    }
    table
}
