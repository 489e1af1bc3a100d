//! Formatting, on the real binary.

use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

const PROMPT: &str = "a.agentle.prompt";
const INPUTS: &str = "a.agentle.inputs.json";

fn format(editor: &mut Editor, document: &str, options: Value) -> Value {
    let document = json!({ "uri": editor.uri(document) });
    editor
        .request("textDocument/formatting", json!({ "textDocument": document, "options": options }))
}

#[track_caller]
fn apply(editor: &mut Editor, document: &str, edits: &Value) {
    let uri = editor.uri(document);
    editor.apply(&json!({ "changes": { uri: edits } }));
}

fn two_blanks() -> Value {
    json!({ "tabSize": 2, "insertSpaces": true })
}

/// Lets the editor format a document as it would, and hands back its text.
#[track_caller]
fn formatted(editor: &mut Editor, document: &str) -> String {
    let edits = format(editor, document, two_blanks());
    apply(editor, document, &edits);
    assert_eq!(format(editor, document, two_blanks()), json!([]), "a second time");
    editor.text(document).to_owned()
}

#[test]
fn documents_are_formatted_as_they_are_in_the_editor() {
    let mut editor = Editor::start(Workspace::new(&[
        (PROMPT, "{{#if  user }}é {{ user.name }}{{/if}}"),
        (INPUTS, "{\"user\":{\n\"name\":\"Ada\" // who\n}}"),
        ("promptls.toml", "[[prompts]]\nfiles=['*.txt']\n"),
        ("b.langfuse.prompt", "{{ gone }}"),
        ("b.langfuse.inputs.json", "{\"gone\": "),
        ("package.json", "{\"a\":1}"),
        ("c.inputs.yaml", "a:   1\n"),
    ]));
    editor.ignore_problems();
    for (document, expected) in [
        (PROMPT, "{{#if user}}é {{user.name}}{{/if}}"),
        (INPUTS, "{\n  \"user\": {\n    \"name\": \"Ada\" // who\n  }\n}\n"),
        ("promptls.toml", "[[prompts]]\nfiles = ['*.txt']\n"),
        // It is sent as it is written; broken; or for others.
        ("b.langfuse.prompt", "{{ gone }}"),
        ("b.langfuse.inputs.json", "{\"gone\": "),
    ] {
        editor.open_file(document);
        assert_eq!(formatted(&mut editor, document), expected);
    }
    for other in ["package.json", "c.inputs.yaml"] {
        editor.open_file(other);
        assert_eq!(format(&mut editor, other, two_blanks()), Value::Null, "{other}");
    }
    // What is not open is nothing that an editor formats.
    assert_eq!(format(&mut editor, "d.inputs.json", two_blanks()), Value::Null);
    editor.close();
}

#[test]
fn lines_are_indented_as_the_editor_does_it() {
    let mut editor = Editor::open_one("a.inputs.json", "{\n\"a\": 1\n}\n");
    editor.ignore_problems();
    for (options, written) in [
        (json!({ "tabSize": 4, "insertSpaces": true }), "    "),
        (json!({ "tabSize": 4, "insertSpaces": false }), "\t"),
    ] {
        let edits = format(&mut editor, "a.inputs.json", options);
        assert_eq!(edits.as_array().map(Vec::len), Some(1), "{edits}");
        assert_eq!(
            edits[0]["newText"].as_str().map(|text| text.trim_start_matches('\n')),
            Some(written)
        );
    }
    editor.close();
}

/// The documents that the server asks to format.
fn asked_to_format(initialization_options: Value) -> Vec<String> {
    let more_capabilities =
        json!({ "textDocument": { "formatting": { "dynamicRegistration": true } } });
    let client = Client { more_capabilities, initialization_options, ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&[]));
    assert_eq!(editor.server_capabilities()["documentFormattingProvider"], Value::Null);
    let asked = loop {
        let request = editor.next_server_request("client/registerCapability");
        let options = &request["registrations"][0]["registerOptions"];
        if let Some(filters) = options["documentSelector"].as_array() {
            let patterns = filters.iter().filter_map(|it| it["pattern"].as_str());
            break patterns.map(str::to_owned).collect();
        }
    };
    editor.close();
    asked
}

#[test]
fn other_json_and_toml_keeps_its_formatters() {
    let sidecars = ["**/*.inputs.json", "**/*.variables.json", "**/promptls.toml"];
    assert_eq!(asked_to_format(Value::Null), [&["**/*.prompt"], &sidecars[..]].concat());
    assert_eq!(asked_to_format(json!({ "formatsSidecars": false })), ["**/*.prompt"]);
}
