//! An editor that pulls the problems of the whole workspace has those of `check` after any change,
//! whether files are open or not.

use std::collections::{BTreeMap, BTreeSet};

use promptls_tests::{Client, Editor, Workspace, promptls};
use serde_json::{Value, json};

use super::edits::Numbers;
use super::ways::{Reported, all_reported, list, path_in};

/// Each file with its possible texts; if the first one is `None`, it does not exist at first. Texts
/// marked with [`BROKEN`] do not parse.
const FILES: &[(&str, &[Option<&str>])] = &[
    (
        "promptls.toml",
        &[
            Some(
                "[[prompts]]\nfiles = ['rule/*.txt']\ndialect = 'adk'\ninputs = ['shared.json']\n",
            ),
            Some("[problems]\nundefined-placeholder = 'hint'\nunused-input = 'off'\n"),
            Some(
                "[[prompts]]\nfiles = ['rule/*.txt', 'deep/**/*.md']\ninputs = ['{stem}.x.json']\n",
            ),
            Some(
                "[[prompts]]\nfiles = ['rule/*.txt']\nvariables = 'all.variables.json'\nwrong = 1\n",
            ),
            Some(
                "[[ignore]]\ncodes = ['undefined-placeholder']\nnames = ['x']\n\
                 [[ignore]]\nfiles = ['shared.json']\n[[ignore]]\ncodes = ['orphan-sidecar']\n\
                 [[prompts]]\nfiles = ['rule/*.txt']\ninputs = ['shared.json']\n",
            ),
            None,
        ],
    ),
    (".promptlsignore", &[None, Some("rule/\n"), Some("a.*\n")]),
    (".gitignore", &[None, Some("deep/\n"), Some("*.pack.json\n"), Some("\n")]),
    (
        "shared.json",
        &[Some(r#"{"name": "Ada", "old": 1}"#), Some(r#"{"named": "é"}"#), None, Some("{")],
    ),
    ("all.variables.json", &[None, Some(r#"{"variables": [{"name": "name"}, {"name": "gone"}]}"#)]),
    ("rule/one.txt", &[Some("Dear {name},"), Some("Dear {named} {old},"), None]),
    ("rule/two.txt", &[Some("{old} {new}"), Some("🎉 {name} {{x}}"), None]),
    ("rule/one.inputs.json", &[None, Some(r#"{"name": 1}"#)]),
    ("a.adk.prompt", &[Some("{x} {text}"), Some("{x} {y?} {text}"), Some(""), None]),
    ("a.adk.part.prompt", &[None, Some("{x}")]),
    (
        "a.adk.inputs.json",
        &[
            Some(r#"{"x": 1, "text": {"$file": "texts/hello.md"}}"#),
            Some(r#"{"x": 1, "x": 2}"#),
            None,
            Some("[1"),
        ],
    ),
    ("a.adk.part.inputs.json", &[Some(r#"{"x": 1, "text": ""}"#), None]),
    ("texts/hello.md", &[Some("Hello"), None, Some("\u{200b}")]),
    (
        "v.agentensemble.prompt",
        &[Some("{{name}} {{fragments.sign}}"), Some("{{fragments.gone}}"), None],
    ),
    (
        "v.agentensemble.variables.json",
        &[
            Some(r#"{"variables": [{"name": "name"}], "fragments": {"sign": "{{name}}"}}"#),
            Some(r#"{"variables": [{"name": "nmae", "required": true}]}"#),
            None,
        ],
    ),
    (
        "p.pack.json",
        &[
            Some(r#"{"prompts": {"a": {"system_template": "{{name}} {{x}}"}}}"#),
            Some(
                r#"{"fragments": {"s": "y"}, "prompts": {"b": {"system_template": "{{fragments.s}}"}}}"#,
            ),
            Some(r#"{"prompts": {"a": {"system_template": "{{name}"#),
            None,
        ],
    ),
    ("p.pack.inputs.json", &[Some(r#"{"name": "Ada"}"#), Some("{}"), None]),
    (
        "any.json",
        &[
            Some("{}"),
            Some(
                r#"{"template_engine": {"version": "v1", "syntax": "{{variable}}"}, "prompts": {"c": {"system_template": "{{z}}"}}}"#,
            ),
            None,
        ],
    ),
    (
        "deep/er/promptls.toml",
        &[None, Some("[problems]\nno-inputs = 'error'\n"), Some("root = true\n")],
    ),
    ("deep/er/d.langfuse.prompt", &[Some("{{z}}"), Some("{{ z }} {{#if}}"), None]),
    ("deep/er/d.langfuse.inputs.yaml", &[Some("z: 1\ny: 2\n"), Some("z: [\n"), None]),
    ("deep/er/e.md", &[Some("{{q}}"), None]),
    ("deep/er/gone.adk.inputs.json", &[None, Some("{}")]),
];

/// The number of changes; `PROMPTLS_SEED` selects others.
const CHANGES: usize = 120;

#[test]
fn workspace_problems_equal_those_of_check_after_any_change() {
    let first = FILES.iter().filter_map(|(path, texts)| Some((*path, texts[0]?)));
    let first: Vec<(&str, &str)> = first.collect();
    let workspace = Workspace::new(&first);
    // Git ignore rules apply only in a repository.
    std::fs::create_dir(workspace.path(".git")).expect("a folder can be made");
    let client =
        Client { pull_diagnostics: true, position_encodings: vec!["utf-32"], ..Client::default() };
    let mut editor = Editor::start_as(client, workspace);
    editor.ignore_problems();
    let mut numbers = Numbers::new(super::agreement::seed());
    let mut all = AllProblems::default();
    all.compare(&mut editor, "at first");
    for _ in 0..CHANGES {
        let done = change(&mut editor, &mut numbers);
        all.compare(&mut editor, &done);
    }
    editor.close();
}

/// Makes a random change to a file; returns a description.
fn change(editor: &mut Editor, numbers: &mut Numbers) -> String {
    let (path, texts) = FILES[numbers.below(FILES.len())];
    let text = texts[numbers.below(texts.len())];
    let is_there = editor.workspace().path(path).exists();
    // While a file is invalid, open documents keep their last problems, which `check` does not
    // have.
    let is_broken = text.is_some_and(does_not_parse);
    if is_broken {
        close_all(editor);
    }
    let is_open = editor.is_open(path);
    match (numbers.below(4), text) {
        (0, _) if is_open => {
            editor.close_document(path);
            format!("{path} is closed")
        }
        (0, _) if is_there => {
            editor.open_file(path);
            format!("{path} is opened")
        }
        (1, _) if is_there && !is_open => {
            let to = format!("moved/{path}");
            let text = editor.workspace().read(path);
            editor.remove_file(path);
            editor.write_file(&to, &text);
            format!("{path} moves to {to}")
        }
        (_, Some(text)) if is_open => {
            editor.set_text(path, text);
            editor.save(path);
            format!("{path} is edited: {text}")
        }
        (_, Some(text)) => {
            editor.write_file(path, text);
            format!("{path} is written: {text}")
        }
        (_, None) if is_there => {
            if is_open {
                editor.close_document(path);
            }
            editor.remove_file(path);
            format!("{path} is removed")
        }
        (_, None) => "nothing".to_owned(),
    }
}

fn does_not_parse(text: &str) -> bool {
    let first = text.trim_start().chars().next();
    let is_open =
        |open: char, close: char| first == Some(open) && !text.trim_end().ends_with(close);
    is_open('{', '}') && text.contains('"')
        || is_open('[', ']')
        || text == "{"
        || text.ends_with("[\n")
}

fn close_all(editor: &mut Editor) {
    for (path, _) in FILES {
        if editor.is_open(path) {
            editor.close_document(path);
        }
    }
}

/// The editor's lists of problems by URI, each with its id.
#[derive(Default)]
struct AllProblems(BTreeMap<String, (Value, Vec<Value>)>);

impl AllProblems {
    /// Pulls changes, and compares all problems with `check`.
    #[track_caller]
    fn compare(&mut self, editor: &mut Editor, done: &str) {
        let known = self.0.iter().map(|(uri, (name, _))| json!({ "uri": uri, "value": name }));
        let params = json!({ "previousResultIds": known.collect::<Vec<_>>() });
        let report = editor.request("workspace/diagnostic", params);
        for item in list(&report["items"]) {
            let uri = item["uri"].as_str().expect("a report is about a file").to_owned();
            let name = item["resultId"].clone();
            match item["kind"].as_str() {
                Some("full") => {
                    self.0.insert(uri, (name, list(&item["items"]).to_vec()));
                }
                kind => {
                    assert_eq!((kind, &self.0[&uri].0), (Some("unchanged"), &name), "{item}");
                }
            }
        }
        let mut reported = BTreeSet::new();
        let folder = editor.uri("");
        for (uri, (_, problems)) in &self.0 {
            let path = path_in(&folder, uri);
            if !editor.is_open(&path) {
                reported.extend(all_reported(problems, &path, &folder));
            }
        }
        for (path, _) in FILES {
            if editor.is_open(path) {
                let params = json!({ "textDocument": { "uri": editor.uri(path) } });
                let report = editor.request("textDocument/diagnostic", params);
                reported.extend(all_reported(list(&report["items"]), path, &folder));
            }
        }
        let root = editor.workspace().root();
        // Open files are checked even if git ignores them, like files named on the command line.
        let open = FILES.iter().map(|(path, _)| *path).filter(|path| editor.is_open(path));
        let options = ["check", "--format", "json", "--allow-empty", "."].into_iter();
        let arguments: Vec<&str> = options.chain(open).collect();
        let output = promptls(&arguments).cwd(root).run();
        let report: Value = serde_json::from_str(&output.stdout).expect("the report is JSON");
        let checked: BTreeSet<Reported> =
            all_reported(list(&report["problems"]), "no document", &folder).into_iter().collect();
        let only = |some: &BTreeSet<Reported>, others: &BTreeSet<Reported>| -> Vec<String> {
            some.difference(others).map(|it| format!("{it:?}")).collect()
        };
        let (here, there) = (only(&reported, &checked), only(&checked, &reported));
        assert!(
            here.is_empty() && there.is_empty(),
            "after: {done}\nonly in the editor: {here:#?}\nonly in check: {there:#?}"
        );
    }
}
