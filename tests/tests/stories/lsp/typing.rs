//! Formatting, and automatic closing while the user types, on the real binary.

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

/// Formats a document as the editor would; returns its text.
#[track_caller]
fn formatted(editor: &mut Editor, document: &str) -> String {
    let edits = format(editor, document, two_blanks());
    apply(editor, document, &edits);
    assert_eq!(format(editor, document, two_blanks()), json!([]), "a second time");
    editor.text(document).to_owned()
}

#[test]
fn unsaved_documents_are_formatted() {
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
        // Sent unchanged; invalid; or of other programs.
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
    // An editor does not format a document that is not open.
    assert_eq!(format(&mut editor, "d.inputs.json", two_blanks()), Value::Null);
    editor.close();
}

#[test]
fn formatting_uses_the_indentation_of_the_client() {
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

/// The selectors with which the server registers formatting, by method.
fn registered_formatting(initialization_options: Value) -> Vec<String> {
    let dynamic = json!({ "dynamicRegistration": true });
    let more_capabilities =
        json!({ "textDocument": { "formatting": dynamic, "onTypeFormatting": dynamic } });
    let client = Client { more_capabilities, initialization_options, ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&[]));
    for provider in ["documentFormattingProvider", "documentOnTypeFormattingProvider"] {
        assert_eq!(editor.server_capabilities()[provider], Value::Null);
    }
    let mut watched = Vec::new();
    while watched.len() < 2 {
        let request = editor.next_server_request("client/registerCapability");
        let registration = &request["registrations"][0];
        let Some(filters) = registration["registerOptions"]["documentSelector"].as_array() else {
            continue;
        };
        let patterns: Vec<&str> = filters.iter().filter_map(|it| it["pattern"].as_str()).collect();
        let method = registration["method"].as_str().unwrap_or_default();
        watched.push(format!("{method} {}", patterns.join(" ")));
    }
    watched.sort();
    editor.close();
    watched
}

#[test]
fn formatting_is_registered_only_for_own_files() {
    let typed = "textDocument/onTypeFormatting **/*.prompt";
    let prompts = "textDocument/formatting **/*.prompt";
    let all = format!("{prompts} **/*.inputs.json **/*.variables.json **/promptls.toml");
    assert_eq!(registered_formatting(Value::Null), [all.as_str(), typed]);
    assert_eq!(registered_formatting(json!({ "formatsSidecars": false })), [prompts, typed]);
}

/// Types a character, and applies the resulting edit. The cursor stays in place.
#[track_caller]
fn type_and_close(editor: &mut Editor, document: &str, place: &str, typed: char) -> String {
    editor.type_at(document, place, &typed.to_string());
    let mut params = editor.place(document, &place.replace("$0", &format!("{typed}$0")));
    params["ch"] = json!(typed);
    params["options"] = two_blanks();
    let edits = editor.request("textDocument/onTypeFormatting", params);
    if edits != Value::Null {
        apply(editor, document, &edits);
    }
    editor.text(document).to_owned()
}

#[test]
fn placeholders_and_blocks_are_closed_while_typing() {
    let mut editor = Editor::open_one(PROMPT, "Dear {");
    editor.ignore_problems();
    assert_eq!(type_and_close(&mut editor, PROMPT, "Dear {$0", '{'), "Dear {{}}");
    editor.type_at(PROMPT, "{{$0}}", "#if x");
    // The user also types the braces that were inserted automatically.
    assert_eq!(type_and_close(&mut editor, PROMPT, "x$0}}", '}'), "Dear {{#if x}}");
    assert_eq!(type_and_close(&mut editor, PROMPT, "x}$0}", '}'), "Dear {{#if x}}{{/if}}");
    // An editor that closes braces itself has already inserted them.
    editor.set_text(PROMPT, "{}");
    assert_eq!(type_and_close(&mut editor, PROMPT, "{$0}", '{'), "{{}");
    editor.close();
}

#[test]
fn a_placeholder_of_a_pack_is_closed_in_its_string() {
    const PACK: &str = "a.pack.json";
    let pack = r#"{"prompts": {"a": {"system_template": "Dear {"}}, "template_engine": {"syntax": "{{variable}}"}}"#;
    let mut editor = Editor::open_one(PACK, pack);
    editor.ignore_problems();
    let closed = type_and_close(&mut editor, PACK, "Dear {$0", '{');
    assert_eq!(closed, pack.replace("Dear {", "Dear {{}}"));
    editor.close();
}
