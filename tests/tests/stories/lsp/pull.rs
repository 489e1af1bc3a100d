//! Editors that pull problems instead of having them pushed.

use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

fn puller() -> Client {
    Client { pull_diagnostics: true, ..Client::default() }
}

fn pull(editor: &mut Editor, path: &str, previous: Value) -> Value {
    let uri = editor.workspace().uri(path);
    let mut params = json!({ "textDocument": { "uri": uri } });
    if !previous.is_null() {
        params["previousResultId"] = previous;
    }
    editor.request("textDocument/diagnostic", params)
}

#[test]
fn pulled_problems_are_those_of_the_current_text() {
    let mut editor = Editor::start_as(puller(), Workspace::new(&[("a.adk.inputs.json", "{}")]));
    editor.open("a.adk.prompt", "{x}");
    editor.wait_for_problems("a", &["`x` has no value"]);
    editor.replace("a", "{x}", "x");
    editor.wait_for_codes("a", &[]);
    editor.close();
}

/// Like plugins for Vim: such an editor pulls when a text changes, and would miss changes of its
/// inputs.
#[test]
fn problems_are_pushed_to_clients_without_refresh_support() {
    let client = Client { refresh: false, ..puller() };
    let mut editor = Editor::start_as(client, Workspace::new(&[("a.adk.inputs.json", "{}")]));
    editor.open("a.adk.prompt", "{x}");
    editor.wait_for_pushed("a.adk.prompt", &["undefined-placeholder"]);
    editor.open_file("a.adk.inputs.json");
    editor.set_text("a.adk.inputs.json", r#"{"x": 1}"#);
    editor.wait_for_pushed("a.adk.prompt", &[]);
    editor.close();
}

/// Helix treats a response without an id as the complete result for a file, and then hides pushed
/// problems.
#[test]
fn pulled_problems_have_an_identifier() {
    let editor = Editor::start_as(puller(), Workspace::new(&[]));
    let provider = &editor.server_capabilities()["diagnosticProvider"];
    assert_eq!(provider["identifier"], json!("promptls"));
    editor.close();
}

#[test]
fn an_unchanged_list_is_not_sent_again() {
    let mut editor = Editor::start_as(puller(), Workspace::new(&[("a.adk.inputs.json", "{}")]));
    editor.open("a.adk.prompt", "{x}");
    let first = pull(&mut editor, "a.adk.prompt", Value::Null);
    assert_eq!(first["kind"], json!("full"));
    let again = pull(&mut editor, "a.adk.prompt", first["resultId"].clone());
    assert_eq!(again["kind"], json!("unchanged"));
    editor.replace("a", "{x}", "{x} {y}");
    let changed = pull(&mut editor, "a.adk.prompt", first["resultId"].clone());
    assert_eq!(changed["items"].as_array().map(Vec::len), Some(2));
    editor.close();
}

#[test]
fn result_ids_from_before_a_document_was_closed_are_stale() {
    let mut editor = Editor::start_as(puller(), Workspace::new(&[("a.adk.inputs.json", "{}")]));
    editor.open("a.adk.prompt", "{x}");
    let first = pull(&mut editor, "a.adk.prompt", Value::Null);
    editor.close_document("a.adk.prompt");
    editor.open("a.adk.prompt", "fine");
    let second = pull(&mut editor, "a.adk.prompt", first["resultId"].clone());
    assert_eq!(second["items"], json!([]));
    editor.close();
}

#[test]
fn a_change_of_the_inputs_sends_a_refresh_request() {
    let workspace = Workspace::new(&[("a.adk.inputs.json", "{}")]);
    let mut editor = Editor::start_as(puller(), workspace);
    editor.open("a.adk.prompt", "{x}");
    editor.wait_for_codes("a", &["undefined-placeholder"]);
    editor.write_file("a.adk.inputs.json", r#"{"x": 1}"#);
    editor.next_server_request("workspace/diagnostic/refresh");
    editor.wait_for_codes("a", &[]);
    editor.close();
}

#[test]
fn sidecars_that_are_not_open_are_pushed_and_open_ones_are_not() {
    let workspace = Workspace::new(&[("a.adk.inputs.json", r#"{"x": 1, "old": 2}"#)]);
    let mut editor = Editor::start_as(puller(), workspace);
    editor.open("a.adk.prompt", "{x}");
    editor.wait_for_codes("a", &[]);
    editor.wait_for_codes("a.adk.inputs.json", &["unused-input"]);

    // Pushed problems are withdrawn when the editor pulls.
    editor.open_file("a.adk.inputs.json");
    editor.wait_for_codes("a.adk.inputs.json", &["unused-input"]);
    editor.wait_for_pushed("a.adk.inputs.json", &[]);
    editor.close_document("a.adk.inputs.json");
    editor.wait_for_codes("a.adk.inputs.json", &["unused-input"]);
    editor.close();
}

#[test]
fn pull_diagnostics_are_announced_only_to_clients_with_support() {
    let editor = Editor::start_as(puller(), Workspace::new(&[]));
    let offered = &editor.server_capabilities()["diagnosticProvider"];
    assert_eq!(offered["interFileDependencies"], json!(true));
    editor.close();
    let editor = Editor::start(Workspace::new(&[]));
    assert_eq!(editor.server_capabilities()["diagnosticProvider"], Value::Null);
    editor.close();
}

#[test]
fn the_first_workspace_report_has_problems_of_code_in_all_folders() {
    let agent = "from google.adk.agents import LlmAgent\n\
        a = LlmAgent(name='a', instruction='Hi {nam}', output_key='name')\n";
    let paths: Vec<String> =
        (0..30).map(|number| format!("a{}/b{number}/agent.py", number % 3)).collect();
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), agent)).collect();
    let mut editor = Editor::start_as(puller(), Workspace::new(&files));
    let report = editor.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let lists = report["items"].as_array().expect("a list of reports");
    let has_problem = |list: &&Value| list["items"][0]["code"] == "undefined-placeholder";
    assert_eq!(lists.iter().filter(has_problem).count(), paths.len(), "{report:#}");
    editor.close();
}
