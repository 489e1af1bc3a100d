//! What the engines have to do.
//!
//! All texts are on lines of their own and end in a full stop: some engines trim
//! line ends around blocks and at the end, and all outputs must be equal.

use serde_json::{Map, Value, json};

/// How many items the loop of w3 runs over: the most that Agentle allows.
pub const ITEMS: usize = 10_000;

/// The same prompt for each engine, and its inputs.
pub struct Workload {
    /// Short, for the table.
    pub id: &'static str,
    /// What it is, for people.
    pub title: &'static str,
    /// For ours.
    pub agentle: String,
    /// For Ramhorns, unescaped.
    pub mustache: String,
    /// For Handlebars.
    pub handlebars: String,
    /// For Tera, MiniJinja and Upon.
    pub jinja: String,
    /// The values.
    pub inputs: Value,
}

impl Workload {
    /// All four.
    pub fn all() -> [Workload; 4] {
        [
            Workload::slots("w1", "1 KB, 10 placeholders, 10 names", 1_000, 10, 10),
            Workload::slots("w2", "1 MB, 10,000 placeholders, 100 names", 1_000_000, 10_000, 100),
            Workload::each("w3", "a loop over 10,000 items with 3 fields each"),
            Workload::slots("w4", "1 MB, 3 placeholders", 1_000_000, 3, 3),
        ]
    }

    fn slots(
        id: &'static str,
        title: &'static str,
        bytes: usize,
        slots: usize,
        names: usize,
    ) -> Workload {
        let name = |index: usize| format!("name_{:02}", index % names);
        let inputs: Map<String, Value> =
            (0..names).map(|index| (name(index), json!(value(index)))).collect();
        let text = |open: &str, close: &str| {
            slots_text(bytes, slots, |index| format!("{open}{}{close}", name(index)))
        };
        Workload {
            id,
            title,
            agentle: text("{{", "}}"),
            mustache: text("{{{", "}}}"),
            handlebars: text("{{", "}}"),
            jinja: text("{{ ", " }}"),
            inputs: Value::Object(inputs),
        }
    }

    fn each(id: &'static str, title: &'static str) -> Workload {
        let item = |index: usize| json!({ "title": value(index), "author": value(index + 1), "text": value(index + 2) });
        let items: Vec<Value> = (0..ITEMS).map(item).collect();
        Workload {
            id,
            title,
            agentle: "All:{{#each items}} {{this.title}} by {{this.author}}: {{this.text}};{{/each}} done."
                .to_owned(),
            mustache: "All:{{#items}} {{{title}}} by {{{author}}}: {{{text}}};{{/items}} done."
                .to_owned(),
            handlebars: "All:{{#each items}} {{this.title}} by {{this.author}}: {{this.text}};{{/each}} done."
                .to_owned(),
            jinja: "All:{% for item in items %} {{ item.title }} by {{ item.author }}: {{ item.text }};{% endfor %} done."
                .to_owned(),
            inputs: json!({ "items": items }),
        }
    }
}

fn value(index: usize) -> String {
    format!("the value {index:04}")
}

/// A text of about `bytes` with as many evenly spread placeholders.
///
/// The text between them is the same for all syntaxes, so that outputs are equal.
pub fn slots_text(bytes: usize, slots: usize, placeholder: impl Fn(usize) -> String) -> String {
    const PROSE: &str =
        "Answer in plain words, cite the page, and say so if the notes do not tell. ";
    let between = (bytes / slots).saturating_sub("{{name_00}}".len());
    let mut prose = PROSE.chars().cycle();
    let mut text = String::with_capacity(bytes + bytes / 8);
    for slot in 0..slots {
        text.extend(prose.by_ref().take(between));
        text.push_str(&placeholder(slot));
    }
    text.push('.');
    text
}
