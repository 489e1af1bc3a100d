//! The workloads of the measurements: generated prompts with inputs, the same in each run.
//!
//! The benches measure their time, and `tests/work` counts their work.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

/// The number of items in the loop of w3: the maximum that Agentle allows.
pub const ITEMS: usize = 10_000;

/// The same prompt for each template engine, and its inputs.
///
/// The texts have no line ends and end in a full stop. Some engines trim line ends around blocks
/// and at the end, and all outputs must be equal.
#[derive(Debug)]
pub struct Workload {
    /// A short name, for the table.
    pub id: &'static str,
    /// A human-readable title, such as `1 MB, 3 placeholders`.
    pub title: &'static str,
    /// The template for promptls, in the syntax of Agentle.
    pub agentle: String,
    /// The template for Ramhorns, with triple braces against HTML escapes.
    pub mustache: String,
    /// The template for Handlebars, with its escapes turned off.
    pub handlebars: String,
    /// For Tera, MiniJinja and Upon.
    pub jinja: String,
    /// The values, which are the same for all engines.
    pub inputs: Value,
}

impl Workload {
    /// All workloads, in the order of the report.
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

/// A long realistic prompt: lines of prose, a placeholder in each kilobyte, and a value for each
/// name, so that it has no problems. Returns its text, and its inputs.
pub fn long_prompt(kilobytes: usize) -> (String, Value) {
    let name = |index: usize| format!("name_{:02}", index % 100);
    let values: Map<_, _> =
        (0..kilobytes.min(100)).map(|index| (name(index), json!("a value"))).collect();
    let text = slots_text(kilobytes * 1_000, kilobytes, |index| format!("{{{{{}}}}}", name(index)));
    (text.replace(". ", ".\n"), Value::Object(values))
}

/// The offsets at which `count` letters are typed, one after the other: at starts of lines from top
/// to bottom, where a letter changes no name.
///
/// # Panics
///
/// If there are fewer lines.
pub fn places_to_type(text: &str, count: usize) -> Vec<usize> {
    let lines: Vec<usize> = text.match_indices('\n').map(|(end, _)| end + 1).collect();
    // Each previously typed letter moves the line by one.
    (0..count).map(|index| lines[index * (lines.len() / count)] + index).collect()
}

/// The number of prompts that [`write_prompts`] puts into a folder.
pub const PROMPTS_PER_FOLDER: usize = 100;

/// The inputs that a prompt reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputsOf {
    /// A separate file next to it.
    Each,
    /// One shared file, named in `promptls.toml`.
    All,
}

/// The syntax of the prompts that [`write_prompts_in`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptSyntax {
    /// A placeholder is written as `{{name}}`.
    Agentle,
    /// A placeholder is written as `{name}`.
    Adk,
}

impl PromptSyntax {
    fn placeholder(self, name: &str) -> String {
        match self {
            PromptSyntax::Agentle => format!("{{{{{name}}}}}"),
            PromptSyntax::Adk => format!("{{{name}}}"),
        }
    }

    fn extension(self) -> &'static str {
        match self {
            PromptSyntax::Agentle => "agentle.prompt",
            PromptSyntax::Adk => "adk.prompt",
        }
    }
}

/// [`write_prompts_in`] the syntax of Agentle.
pub fn write_prompts(root: &Path, folders: usize, inputs_of: InputsOf) {
    write_prompts_in(PromptSyntax::Agentle, root, folders, inputs_of);
}

/// Writes folders of prompts below `root`: 2 KB each, with 20 placeholders and 10 names. In each
/// folder, one prompt uses a name without a value.
///
/// # Panics
///
/// If writing fails.
pub fn write_prompts_in(syntax: PromptSyntax, root: &Path, folders: usize, inputs_of: InputsOf) {
    const PLACEHOLDERS: usize = 20;
    let write = |path: &Path, text: &str| fs::write(path, text).expect("the disk takes it");
    let name = |index: usize| format!("name_{:02}", index % 10);
    let values: Map<_, _> =
        (0..10).map(|index| (name(index), json!("a value of the usual length"))).collect();
    let inputs = json!(values).to_string();
    if inputs_of == InputsOf::All {
        let config = "[[prompts]]\nfiles = [\"**/*.prompt\"]\ninputs = [\"shared.json\"]\n";
        write(&root.join("promptls.toml"), config);
        write(&root.join("shared.json"), &inputs);
    }
    for folder in 0..folders {
        let folder = root.join(format!("team_{folder:03}"));
        fs::create_dir(&folder).expect("the disk takes it");
        for prompt in 0..PROMPTS_PER_FOLDER {
            let text = slots_text(2_000, PLACEHOLDERS, |slot| match (prompt, slot + 1) {
                (0, PLACEHOLDERS) => syntax.placeholder("unknown"),
                _ => syntax.placeholder(&name(slot)),
            });
            let file = folder.join(format!("letter_{prompt:02}.{}", syntax.extension()));
            write(&file, &text);
            if inputs_of == InputsOf::Each {
                write(&file.with_extension("inputs.json"), &inputs);
            }
        }
    }
}
