//! Every kind of file with prompts: a folder each, with its sidecars.

use std::collections::BTreeSet;

use promptls_syntax::Dialect;

/// A folder with prompts of one kind.
#[derive(Clone, Debug)]
pub struct Folder {
    /// A unique name, which starts all its paths.
    pub name: String,
    /// Path in the workspace and text of each file.
    pub files: Vec<(String, String)>,
}

impl Folder {
    fn new(dialect: &str, kind: &str, files: impl IntoIterator<Item = (String, String)>) -> Self {
        let name = format!("{dialect}/{kind}").replace(' ', "-");
        let files = files.into_iter().map(|(file, text)| (format!("{name}/{file}"), text));
        Folder { files: files.collect(), name }
    }

    /// The dialect of its prompts, or what else they are.
    pub fn dialect(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// The number of cases of its prompts, valid or not.
    pub fn cases(&self) -> usize {
        let cases = self.files.iter().filter_map(|(path, _)| path.split_once(".inputs."));
        cases.map(|(case, _)| case).collect::<BTreeSet<_>>().len()
    }
}

/// A wide variety of contents of a prompt, in no dialect or in all of them.
pub const PROMPT: &str = "\u{feff}Dear 🎉 {name}, {{ nmae }} {user:x?} {{#if b}}{b}{{/if}}\n\
    {{#each items}}{{this.x}} {{b}}{{/each}} {task_0.output_0} {{fragments.sign}}\r\n\
    {now} {b_} \\frac{b}{now} {{items}}{{/if}}";

const VALUES: &str = r#"{"name": "Ada {b}", "b": 1, "items": [{"x": 1}, {}], "unused": 2,
    "task_0": {"output_0": "é"}, "b": 2}"#;
const ANGRY: &str = "nmae: Zoë\nunused: 1\nitems: [{y: 1}]\n";
const VARIABLES: &str = r#"{"variables": [
    {"name": "name", "type": "string", "validation": {"max_length": 2}},
    {"name": "b", "type": "string", "required": true},
    {"name": "never", "required": true}, {"name": "other", "default": 1}, {"name": "b"}
], "fragments": {"sign": "Yours, {{company}} {{fragments.gone}}"}}"#;

/// The sidecars for the prompt `p.prompt`, which is renamed to `p.DIALECT.prompt`, like all names
/// that begin with `p.`.
const PROMPTS: &[(&str, &[(&str, &str)])] = &[
    ("no inputs", &[]),
    ("one case", &[("p.inputs.json", VALUES)]),
    ("only another case", &[("p.angry.inputs.yaml", ANGRY)]),
    ("cases", &[("p.inputs.json", VALUES), ("p.angry.inputs.yaml", ANGRY)]),
    ("variables", &[("p.variables.json", VARIABLES)]),
    (
        "variables and cases",
        &[
            ("p.variables.json", VARIABLES),
            ("p.inputs.json", VALUES),
            ("p.angry.inputs.yaml", ANGRY),
        ],
    ),
    ("broken inputs", &[("p.inputs.json", "{\"name\": ")]),
    ("broken inputs and variables", &[("p.inputs.json", "[]"), ("p.variables.json", VARIABLES)]),
    ("a broken case", &[("p.inputs.json", VALUES), ("p.angry.inputs.yaml", "a: [")]),
    ("broken variables", &[("p.inputs.json", VALUES), ("p.variables.json", "{\"variables\": 1}")]),
    ("a text that is gone", &[("p.inputs.json", r#"{"name": {"$file": "gone.md"}}"#)]),
    ("two files of a case", &[("p.inputs.json", VALUES), ("p.inputs.yaml", ANGRY)]),
    (
        "shared inputs",
        &[
            ("promptls.toml", "[[prompts]]\nfiles = ['*.prompt']\ninputs = ['state.json']\n"),
            ("state.json", VALUES),
            ("q.prompt", "{name} {{items}}"),
        ],
    ),
    (
        "inputs of a unit",
        &[
            ("promptls.toml", "[[prompts]]\nfiles = ['*.prompt']\ninputs = ['u/{stem}/*']\n"),
            ("p.part.prompt", "{name} {{items}}"),
            ("q.prompt", "{other}"),
            ("u/p/default.json", VALUES),
            ("u/q/default.json", VALUES),
        ],
    ),
    (
        "shared inputs and variables",
        &[
            (
                "promptls.toml",
                "[[prompts]]\nfiles = ['*.prompt']\ninputs = ['s/*.yaml']\nvariables = 'v.json'\n",
            ),
            ("s/angry.yaml", ANGRY),
            ("v.json", VARIABLES),
        ],
    ),
    (
        "names of the run time",
        &[
            (
                "promptls.toml",
                "[[prompts]]\nfiles = ['*.prompt']\nruntime = ['now', 'nmae']\nliteral = ['b_']\n",
            ),
            ("p.inputs.json", VALUES),
        ],
    ),
    (
        "ignored",
        &[
            ("p.inputs.json", VALUES),
            (
                "promptls.toml",
                "[[ignore]]\nnames = ['nmae']\n[[ignore]]\nfiles = ['*.inputs.json']\ncodes = ['unused-input']\n[[prompts]]\nfiles = ['*.prompt']\n[prompts.problems]\nundefined-placeholder = 'hint'\n",
            ),
        ],
    ),
    (
        "other severities",
        &[
            (
                "promptls.toml",
                "[problems]\nundefined-placeholder = 'hint'\nduplicate-key = 'off'\nunused-input = 'error'\n",
            ),
            ("p.inputs.json", VALUES),
        ],
    ),
    (
        "a budget",
        &[
            ("promptls.toml", "[[prompts]]\nfiles = ['*.prompt']\nmax_tokens = 3\n"),
            ("p.inputs.json", VALUES),
        ],
    ),
    (
        "a config with an unknown key",
        &[("promptls.toml", "wrong = 1\n"), ("p.inputs.json", VALUES)],
    ),
];

/// Packs, and the sidecars of `p.pack.json`.
const PACKS: &[(&str, &[(&str, &str)])] = &[
    ("empty", &[("p.pack.json", "{}")]),
    ("no prompts", &[("p.pack.json", r#"{"prompts": {"a": {}}}"#)]),
    (
        "another syntax",
        &[(
            "p.pack.json",
            r#"{"template_engine": {"syntax": "jinja2"}, "prompts": {"a": {"system_template": "{{x}}"}}}"#,
        )],
    ),
    (
        "one",
        &[(
            "p.pack.json",
            r#"{"prompts": {"a": {"system_template": "\u00e9 {{name}} {nmae} {{fragments.x}}"}}}"#,
        )],
    ),
    (
        "one with inputs",
        &[
            ("p.pack.json", r#"{"prompts": {"a": {"system_template": "\n {{name}} {{nmae}}"}}}"#),
            ("p.pack.inputs.json", VALUES),
        ],
    ),
    (
        "one with duplicate keys",
        &[(
            "p.pack.json",
            r#"{"id": 1, "id": 2, "prompts": {"a": {"system_template": "{{name}}"}}}"#,
        )],
    ),
    (
        "one declared",
        &[(
            "p.pack.json",
            r#"{"prompts": {"a": {"system_template": "{{name}} {{nmae}}", "variables": [{"name": "name", "required": true}, {"name": "old"}, {"name": "age", "required": true}]}}}"#,
        )],
    ),
    (
        "one declared with a variables file",
        &[
            (
                "p.pack.json",
                r#"{"prompts": {"a": {"system_template": "{{name}} {{nmae}}", "variables": [{"name": "name"}]}}}"#,
            ),
            ("p.pack.variables.json", VARIABLES),
        ],
    ),
    (
        "one with broken inputs",
        &[
            (
                "p.pack.json",
                r#"{"prompts": {"a": {"system_template": "{{name}}", "variables": [{"name": "name", "required": true}, {"name": "old"}]}}}"#,
            ),
            ("p.pack.inputs.json", "{"),
        ],
    ),
    ("some", &[("p.pack.json", SOME)]),
    ("some with inputs", &[("p.pack.json", SOME), ("p.pack.inputs.json", VALUES)]),
    (
        "some with cases",
        &[
            ("p.pack.json", SOME),
            ("p.pack.inputs.json", VALUES),
            ("p.pack.angry.inputs.yaml", ANGRY),
        ],
    ),
    ("some with broken inputs", &[("p.pack.json", SOME), ("p.pack.inputs.json", "{\"a\"}")]),
    (
        "some with shared inputs",
        &[
            (
                "promptls.toml",
                "[[prompts]]\nfiles = ['*.pack.json']\ninputs = ['state.json']\n[problems]\nundeclared-variable = 'hint'\nduplicate-key = 'off'\n",
            ),
            ("state.json", VALUES),
            ("p.pack.json", SOME),
        ],
    ),
    ("broken", &[("p.pack.json", r#"{"prompts": {"a": {"system_template": "{{name}}"}"#)]),
];

/// Packs in YAML, and the sidecars of `p.pack.yaml`.
const YAML_PACKS: &[(&str, &[(&str, &str)])] = &[
    ("nothing", &[("p.pack.yaml", "# Nothing.\n")]),
    ("lines", &[("p.pack.yaml", LINES)]),
    (
        "lines with cases",
        &[
            ("p.pack.yaml", LINES),
            ("p.pack.inputs.json", VALUES),
            ("p.pack.angry.inputs.yaml", ANGRY),
        ],
    ),
    ("two documents", &[("p.pack.yml", "prompts: {a: {system_template: x}}\n---\nb: 1\n")]),
];

const LINES: &str = r#"# A pack.
template_engine: {version: v1, syntax: "{{variable}}", features: []}
fragments:
  sign: Yours, {{company}}
  gone: &gone Gone {{nmae}}
x: &x {variables: [{name: name}]}
prompts:
  literal: &literal
    system_template: |- # kept
      Café 😀
      "{{name}}" {{fragments.sign}} {{fragments.none}}

        {x} {{ nmae }}
    variables:
      - {name: name, type: string, required: true, validation: {max_length: 2}}
      - {name: old, required: true, default: 1}
  folded:
    system_template: >
      Dear {{name}},
      dear {{nmae}},

      bye
  double: {system_template: "\u00e9 {{name}}\n\
    {{nmae}}"}
  single: {system_template: 'it''s {{nmae}}', system_template: 'it''s {{name}}'}
  plain:
    <<: *x
    system_template: Dear {{nmae}},
      {{name}} # said
  whole: *literal
  text: {system_template: *gone}
  number: {system_template: 1}
"#;

const SOME: &str = r#"{
  "template_engine": {"version": "v1", "syntax": "{{variable}}", "features": []},
  "fragments": {"sign": "Yours, {{company}}"}, "id": 1, "id": 2,
  "prompts": {
    "first": {
      "system_template": "Caf\u00e9 \ud83d\ude00\n\"{{name}}\"\n{{fragments.sign}} {{fragments.gone}} {x}",
      "variables": [
        {"name": "name", "type": "string", "required": true, "validation": {"max_length": 2}},
        {"name": "old", "required": true, "default": 1}, {"name": "old", "name": "new"}
      ]
    },
    "second": {"system_template": "Bye {{nmae}} ({{items}})"},
    "third": {"system_template": 1},
    "fourth": {}
  }
}
"#;

/// The folders of all kinds.
pub fn folders() -> Vec<Folder> {
    let ids = Dialect::ALL.map(|dialect| dialect.spec().id);
    let of_dialect = ids.iter().flat_map(|id| PROMPTS.iter().map(move |kind| of_prompt(id, kind)));
    let guessed = PROMPTS.iter().map(|kind| of_prompt("guessed", kind));
    let packs = PACKS.iter().chain(YAML_PACKS).map(|(kind, files)| {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        Folder::new("pack", kind, files)
    });
    let foreign = ("p.prompt".to_owned(), format!("---\nmodel: x\n---\n{PROMPT}"));
    let foreign = Folder::new("foreign", "front matter", [foreign]);
    let jinja = [("p.prompt", "{% if x %}Dear {{ nmae }}{% endif %}"), ("p.inputs.json", VALUES)];
    let jinja = jinja.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let jinja = Folder::new("foreign", "another language", jinja);
    // JSON is YAML, except for two consecutive escapes.
    let in_yaml = PACKS.iter().map(|(kind, files)| {
        let named = |name: &str| name.replace("p.pack.json", "p.pack.yaml");
        let files = files.iter().map(|(name, text)| {
            (
                named(name),
                text.replace("*.pack.json", "*.pack.yaml").replace(r"\ud83d\ude00", r"\U0001f600"),
            )
        });
        Folder::new("yaml-pack", kind, files)
    });
    let of_engines = ENGINES.iter().flat_map(|engine| {
        let kinds = PROMPTS.iter().filter(|(kind, _)| KINDS_FOR_ENGINES.contains(kind));
        kinds.map(|kind| of_engine(engine, kind))
    });
    of_dialect
        .chain(guessed)
        .chain(of_engines)
        .chain(packs)
        .chain(in_yaml)
        .chain([foreign, jinja])
        .collect()
}

/// A prompt in a dialect, or `guessed`: then its name contains no dialect.
fn of_prompt(dialect: &str, (kind, sidecars): &(&str, &[(&str, &str)])) -> Folder {
    let named = |name: &str| match name.split_once('.') {
        Some((stem @ ("p" | "q"), rest)) if dialect != "guessed" => {
            format!("{stem}.{dialect}.{rest}")
        }
        _ => name.to_owned(),
    };
    let files = [("p.prompt", PROMPT)].iter().chain(*sidecars);
    Folder::new(dialect, kind, files.map(|(name, text)| (named(name), (*text).to_owned())))
}

/// Engines for a rule: one with its own way to split prompts, one that rejects a whole case, and
/// one that converts values.
const ENGINES: [&str; 3] = ["adk-python@2.13", "promptkit-go", "promptpack-python"];

/// The sidecars of their prompts.
const KINDS_FOR_ENGINES: [&str; 2] = ["one case", "variables and cases"];

/// A prompt whose rule sets the engine.
fn of_engine(engine: &str, (kind, sidecars): &(&str, &[(&str, &str)])) -> Folder {
    let rule = format!("[[prompts]]\nfiles = ['*.prompt']\nengine = '{engine}'\n");
    let config = ("promptls.toml".to_owned(), rule);
    let files = [("p.prompt", PROMPT)].iter().chain(*sidecars);
    let files = files.map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    Folder::new(engine, kind, files.chain([config]))
}
