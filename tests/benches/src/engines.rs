//! Template engines side by side.

use std::time::Duration;

use promptls_resolver::{ENGINES, Engine};
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
    tables.push(profiles("w1", 1_000, 10, 10));
    tables.push(profiles("w2", 1_000_000, 10_000, 100));
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

/// A named method of making a text from a prompt.
type Way = for<'p> fn(&'p Prompt, &'static str) -> Contestant<'p>;

/// All methods, each with its column header.
const WAYS: [(&str, Way); 3] = [
    ("compiled", Prompt::render),
    ("with its source map", Prompt::resolve),
    ("from text", Prompt::compile_and_render),
];

/// Compares the dialects of promptls: a text with this many bytes, placeholders and names.
fn dialects(id: &str, bytes: usize, slots: usize, names: usize) -> Table {
    let prompts = Dialect::ALL.map(|dialect| filled(dialect.into(), bytes, slots, names));
    let ids = Dialect::ALL.map(|dialect| dialect.spec().id);
    let mut table = Table::new(format!("{id}, dialects"), &heads("dialect"))
        .titled(format!("{id} in each of our dialects"));
    for (dialect, times) in ids.iter().zip(timed(&prompts, &ids)) {
        table.row(*dialect, times.map(Figure::Time));
    }
    table
}

/// Engines compared with the documented behaviour of their dialects: the ratio of times for the
/// same text.
fn profiles(id: &str, bytes: usize, slots: usize, names: usize) -> Table {
    let mut table = Table::new(format!("{id}, engines"), &heads("engine"))
        .titled(format!("{id} for each engine: ratio to the document of its dialect"));
    for dialect in Dialect::ALL {
        let profiles: Vec<_> =
            ENGINES.iter().filter(|profile| profile.dialect() == dialect).collect();
        let newest = profiles.iter().filter_map(|profile| profile.engines().last());
        let engines: Vec<Engine> = [dialect.into()].into_iter().chain(newest).collect();
        let prompts: Vec<Prompt> =
            engines.into_iter().map(|engine| filled(engine, bytes, slots, names)).collect();
        let ids: Vec<&str> =
            [dialect.spec().id].into_iter().chain(profiles.iter().map(|it| it.id)).collect();
        let mut times = timed(&prompts, &ids);
        let document = times.remove(0).map(Figure::Time);
        for (profile, times) in profiles.iter().zip(times) {
            let times = times.map(Figure::Time);
            table.row(profile.id, [0, 1, 2].map(|way| times[way].over(&document[way])));
        }
    }
    table
}

/// A prompt with this many bytes, placeholders and names, all of which have a text.
fn filled(engine: Engine, bytes: usize, slots: usize, names: usize) -> Prompt {
    // A name that is valid in every dialect: entAIngine supports only capital letters.
    let name = |index: usize| format!("NAME_{:02}", index % names);
    let values = (0..names).map(|index| (name(index), format!("the value {index:04}")));
    let inputs = values.map(|(name, value)| (name, Value::from(value))).collect();
    let spec = engine.dialect().spec();
    let text =
        slots_text(bytes, slots, |index| format!("{}{}{}", spec.open, name(index), spec.close));
    Prompt::new(engine, text, &inputs)
}

fn heads(first: &'static str) -> Vec<&'static str> {
    [first].into_iter().chain(WAYS.map(|(head, _)| head)).collect()
}

/// The time of each prompt with each of the [`WAYS`], all of them in one race for each method.
fn timed(prompts: &[Prompt], ids: &[&'static str]) -> Vec<[Duration; 3]> {
    let by_way = WAYS.map(|(_, make)| {
        let mut contestants: Vec<_> =
            prompts.iter().zip(ids).map(|(prompt, id)| make(prompt, id)).collect();
        race(&mut contestants)
    });
    (0..prompts.len()).map(|prompt| by_way.each_ref().map(|times| times[prompt])).collect()
}
