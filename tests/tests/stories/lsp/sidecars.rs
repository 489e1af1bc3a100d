//! Sidecars and the names of their prompts: they are renamed with a prompt, and a problem without
//! it.

use expect_test::expect;
use promptls_tests::{Client, Editor, Workspace, promptls};
use serde_json::{Value, json};

fn letters() -> Workspace {
    Workspace::new(&[
        ("letters/a.adk.prompt", "Dear {name}"),
        ("letters/a.adk.inputs.json", r#"{"name": {"$file": "name.txt"}}"#),
        ("letters/a.adk.angry.inputs.yaml", "name: Bob\n"),
        ("letters/a.adk.variables.json", "{}"),
        ("letters/name.txt", "Ada"),
        ("letters/b.prompt", "x"),
    ])
}

/// The further renames if some files are renamed.
#[track_caller]
fn renames(editor: &mut Editor, files: &[(&str, &str)]) -> Vec<(String, String)> {
    let edit = will_rename(editor, files);
    let root = editor.uri("");
    let relative = |uri: &Value| uri.as_str().expect("an address").replace(&root, "");
    let changes = edit["documentChanges"].as_array().cloned().unwrap_or_default();
    let renames = changes.iter().filter(|change| change["kind"] == "rename");
    renames.map(|it| (relative(&it["oldUri"]), relative(&it["newUri"]))).collect()
}

#[track_caller]
fn will_rename(editor: &mut Editor, files: &[(&str, &str)]) -> Value {
    let files: Vec<Value> = files
        .iter()
        .map(|(old, new)| json!({ "oldUri": editor.uri(old), "newUri": editor.uri(new) }))
        .collect();
    editor.request("workspace/willRenameFiles", json!({ "files": files }))
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect()
}

#[test]
fn sidecars_are_renamed_with_their_prompt() {
    let mut editor = Editor::start(letters());
    let filters = &editor.server_capabilities()["workspace"]["fileOperations"]["willRename"];
    assert_eq!(filters["filters"][0]["pattern"]["glob"], "**/*");
    let found = renames(&mut editor, &[("letters/a.adk.prompt", "letters/c.adk.prompt")]);
    let all = pairs(&[
        ("letters/a.adk.angry.inputs.yaml", "letters/c.adk.angry.inputs.yaml"),
        ("letters/a.adk.inputs.json", "letters/c.adk.inputs.json"),
        ("letters/a.adk.variables.json", "letters/c.adk.variables.json"),
    ]);
    assert_eq!(found, all);
    // Files that the user also renames get their given names.
    let both = [
        ("letters/a.adk.prompt", "letters/c.adk.prompt"),
        ("letters/a.adk.inputs.json", "letters/d.inputs.json"),
    ];
    assert_eq!(renames(&mut editor, &both).len(), 2);
    editor.close();
}

#[test]
fn renaming_other_files_renames_no_sidecars() {
    let mut editor = Editor::start(letters());
    for (old, new) in [
        ("letters/a.adk.prompt", "letters/a.adk.prompt.bak"),
        ("letters/name.txt", "letters/names.txt"),
        ("letters/b.prompt", "letters/c.prompt"),
    ] {
        assert_eq!(renames(&mut editor, &[(old, new)]), [], "{old} {new}");
    }
    // Nothing is overwritten.
    editor.workspace().write("letters/c.adk.inputs.json", "{}");
    let found = renames(&mut editor, &[("letters/a.adk.prompt", "letters/c.adk.prompt")]);
    assert!(found.iter().all(|(old, _)| old != "letters/a.adk.inputs.json"), "{found:?}");
    editor.close();
}

#[test]
fn paths_of_file_values_are_updated_when_a_prompt_moves() {
    let mut editor = Editor::start(letters());
    let edit = will_rename(&mut editor, &[("letters/a.adk.prompt", "mail/a.adk.prompt")]);
    let changes = edit["documentChanges"].as_array().expect("there are changes");
    let edits: Vec<&Value> = changes.iter().filter(|change| change["kind"].is_null()).collect();
    assert_eq!(edits.len(), 1);
    assert_eq!(edits[0]["textDocument"]["uri"], editor.uri("mail/a.adk.inputs.json").as_str());
    assert!(edits[0].to_string().contains("../letters/"), "{}", edits[0]);
    editor.close();
}

#[test]
fn a_client_without_rename_support_gets_no_edit() {
    let operations =
        json!({ "workspace": { "workspaceEdit": { "resourceOperations": ["create"] } } });
    let client = Client { more_capabilities: operations, ..Client::default() };
    let mut editor = Editor::start_as(client, letters());
    let edit = will_rename(&mut editor, &[("letters/a.adk.prompt", "letters/c.adk.prompt")]);
    assert_eq!(edit, Value::Null);
    editor.close();
}

const INPUTS: &str = "letters/a.adk.inputs.json";

#[test]
fn an_open_sidecar_without_its_prompt_is_reported() {
    let mut editor = Editor::start(letters());
    editor.open_file(INPUTS);
    editor.wait_for_problems(INPUTS, &[]);
    editor.remove_file("letters/a.adk.prompt");
    editor.wait_for_codes(INPUTS, &["orphan-sidecar"]);
    expect![[r#"
        1:1-1:1 warning orphan-sidecar this file is not used by any prompt: no prompt in this folder has the stem `a.adk`; rename it with its prompt, or delete it
    "#]].assert_eq(&editor.problems_text(INPUTS));
    editor.write_file("letters/a.adk.prompt", "Dear {name}");
    editor.wait_for_problems(INPUTS, &[]);
    editor.close();
}

#[test]
fn orphans_are_reported_to_clients_without_file_watching() {
    let mut editor =
        Editor::start_as(Client { watched_files: false, ..Client::default() }, letters());
    editor.open_file(INPUTS);
    editor.wait_for_problems(INPUTS, &[]);
    editor.workspace().remove("letters/a.adk.prompt");
    editor.wait_for_codes(INPUTS, &["orphan-sidecar"]);
    editor.workspace().write("letters/a.adk.prompt", "Dear {name}");
    editor.wait_for_problems(INPUTS, &[]);
    editor.close();
}

const SHARED: &str = "state.json";

fn sharing() -> Workspace {
    Workspace::new(&[
        (
            "promptls.toml",
            "[[prompts]]\nfiles = ['*/*.txt']\ndialect = 'adk'\ninputs = ['state.json']\n",
        ),
        (SHARED, r#"{"a": 1, "b": 2, "c": 3, "d": 4}"#),
        ("one/a.txt", "{a}"),
        ("two/b.txt", "{b}"),
    ])
}

/// The output of `check`, without the severity.
fn checked(editor: &Editor) -> Vec<String> {
    let arguments = ["check", "--format", "json"];
    let output = promptls(&arguments).cwd(editor.workspace().root()).run();
    let found: Value = serde_json::from_str(&output.stdout).expect("this is JSON");
    let problems = found["problems"].as_array().expect("a list").iter();
    problems.filter_map(|problem| Some(problem["message"].as_str()?.to_owned())).collect()
}

#[test]
fn unused_keys_of_shared_inputs_equal_those_of_check() {
    let mut editor = Editor::start(sharing());
    editor.open_file(SHARED);
    let problems = checked(&editor);
    assert_eq!(problems.len(), 2);
    let problems: Vec<&str> = problems.iter().map(String::as_str).collect();
    editor.wait_for_problems(SHARED, &problems);

    // A name typed in a prompt counts as used at once.
    editor.open_file("one/a.txt");
    editor.replace("one/a.txt", "{a}", "{a} {c}");
    editor.wait_for_problems(SHARED, &problems[1..]);
    // So do names in new prompts, but no longer those in deleted ones.
    editor.write_file("two/c.txt", "{d}");
    editor.wait_for_problems(SHARED, &[]);
    editor.remove_file("two/b.txt");
    let gone = "`b` is never read by any of the 2 prompts that share this file";
    editor.wait_for_problems(SHARED, &[gone]);
    editor.close();
}

#[test]
fn new_inputs_of_a_task_are_used() {
    let rule = "[[prompts]]\nfiles = ['*.prompt']\ndialect = 'agentensemble'\ninputs = ['{stem}*.inputs.json']\n";
    let (prompt, inputs) = ("a.description.prompt", "a.inputs.json");
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", rule),
        (prompt, "Research {topic}"),
        ("a.expected_output.prompt", "A report over {period}"),
        ("ab.description.prompt", "{x}"),
    ]));
    editor.open_file(prompt);
    editor.wait_for_codes(prompt, &["no-inputs"]);
    editor.write_file("ab.inputs.json", r#"{"x": 1}"#);
    editor.write_file(inputs, r#"{"topic": 1, "period": 2, "x": 3}"#);
    editor.wait_for_problems(prompt, &[]);
    editor.open_file(inputs);
    let unused = "`x` is never read by any of the 2 prompts that share this file";
    editor.wait_for_problems(inputs, &[unused]);
    assert_eq!(checked(&editor), [unused]);
    editor.close();
}

#[test]
fn inputs_are_created_at_the_path_of_the_rule_of_a_task() {
    let rule = "[[prompts]]\nfiles = ['*.prompt']\ndialect = 'agentensemble'\ninputs = ['in/{stem}*.inputs.json']\n";
    let prompt = "a.description.prompt";
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", rule),
        (prompt, "Research {topic}"),
        ("a.expected_output.prompt", "A report over {period}"),
    ]));
    editor.open_file(prompt);
    editor.wait_for_codes(prompt, &["no-inputs"]);
    let uri = editor.uri(prompt);
    let created = editor.request(
        "workspace/executeCommand",
        json!({ "command": "promptls.createInputs", "arguments": [{ "uri": uri }] }),
    );
    editor.apply_next();
    assert_eq!(created["uri"], editor.uri("in/a.inputs.json").as_str());
    editor.wait_for_problems(prompt, &[]);
    // The file is empty at first.
    editor.ignore_problems();
    editor.close();
}

/// A shipped prompt, with its sidecars in another folder.
fn elsewhere() -> Workspace {
    let rule = "[[prompts]]\nfiles = ['main/*.txt']\ndialect = 'promptpack'\ninputs = ['test/{stem}*.inputs.json']\nvariables = 'test/{stem}.variables.json'\n";
    Workspace::new(&[
        ("promptls.toml", rule),
        ("main/a.txt", "Dear {{name}}"),
        ("main/ab.txt", "x"),
        ("test/a.inputs.json", r#"{"name": "Ada"}"#),
        ("test/a.angry.inputs.json", r#"{"name": "Bob"}"#),
        ("test/ab.inputs.json", "{}"),
    ])
}

#[test]
fn new_variables_in_another_folder_are_used() {
    let mut editor = Editor::start(elsewhere());
    editor.open_file("main/a.txt");
    editor.wait_for_problems("main/a.txt", &[]);
    let number = r#"{"variables": [{"name": "name", "type": "number"}]}"#;
    editor.write_file("test/ab.variables.json", number);
    editor.write_file("test/a.variables.json", number);
    editor.wait_for_codes("main/a.txt", &["type-mismatch"]);
    editor.remove_file("test/a.variables.json");
    editor.wait_for_problems("main/a.txt", &[]);
    editor.close();
}

#[test]
fn sidecars_in_another_folder_are_renamed_with_their_prompt() {
    let workspace = elsewhere();
    workspace.write("test/a.variables.json", r#"{"variables": []}"#);
    let mut editor = Editor::start(workspace);
    let found = renames(&mut editor, &[("main/a.txt", "main/c.txt")]);
    let all = pairs(&[
        ("test/a.angry.inputs.json", "test/c.angry.inputs.json"),
        ("test/a.inputs.json", "test/c.inputs.json"),
        ("test/a.variables.json", "test/c.variables.json"),
    ]);
    assert_eq!(found, all);
    // Existing files stay, and so do files that another prompt also uses.
    editor.write_file("test/c.inputs.json", "{}");
    assert_eq!(renames(&mut editor, &[("main/a.txt", "main/c.txt")]).len(), 2);
    editor.write_file("main/a.more.txt", "x");
    assert_eq!(renames(&mut editor, &[("main/a.txt", "main/d.txt")]), pairs(&[]));
    // If the new path is no prompt, nothing else is renamed.
    assert_eq!(renames(&mut editor, &[("main/a.txt", "a.txt")]), pairs(&[]));
    editor.close();
}

#[test]
fn orphans_in_another_folder_are_reported() {
    let mut editor = Editor::start(elsewhere());
    editor.open_file("test/a.inputs.json");
    editor.wait_for_problems("test/a.inputs.json", &[]);
    editor.remove_file("main/a.txt");
    editor.wait_for_codes("test/a.inputs.json", &["orphan-sidecar"]);
    editor.write_file("main/a.txt", "Dear {{name}}");
    editor.wait_for_problems("test/a.inputs.json", &[]);
    editor.close();
}
