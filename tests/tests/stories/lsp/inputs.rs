//! The inputs of a case: as a form, edited in place, as new cases; and their decorations in
//! editors.

use expect_test::{Expect, expect};
use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

const PROMPT: &str = "mail.agentle.prompt";
const JSON: &str = "mail.agentle.inputs.json";
const YAML: &str = "mail.agentle.trial.inputs.yaml";
const NOTES: &str = "notes.md";

const JSON_TEXT: &str = r#"{
  // who gets it
  "user": {
    "name": "Ada", // first name
    "age": 1.50,
  },
  "tags": ["a", "b"],
  "notes": {"$file": "notes.md"},
}
"#;

const YAML_TEXT: &str = "# a trial
user:
  name: 'Zoë' # first name
tags:
- a # first
text: |
  one
  two
";

fn workspace() -> Workspace {
    Workspace::new(&[
        (PROMPT, "{{user.name}} {{notes}} {{#each tags}}{{this}}{{/each}} {{text}} {{now}}"),
        (JSON, JSON_TEXT),
        (YAML, YAML_TEXT),
        (NOTES, "Be kind.\n"),
        ("promptls.toml", "[[prompts]]\nfiles = ['*.prompt']\nruntime = ['now']\n"),
    ])
}

fn start() -> Editor {
    let mut editor = Editor::start(workspace());
    editor.ignore_problems();
    editor.open_file(PROMPT);
    editor
}

fn request_for(editor: &mut Editor, method: &str, path: &str, more: Value) -> Value {
    let mut params = json!({ "textDocument": { "uri": editor.uri(path) } });
    for (key, value) in more.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    editor.request(method, params)
}

fn set_params(editor: &Editor, argument: Value) -> Value {
    let mut argument = argument;
    argument["uri"] = json!(editor.uri(PROMPT));
    json!({ "command": "promptls.setInput", "arguments": [argument] })
}

#[test]
fn a_deleted_inputs_file_is_no_case_while_its_text_is_open() {
    const LATE: &str = "mail.adk.late.inputs.json";
    let mut editor = Editor::start(Workspace::new(&[
        ("mail.adk.prompt", "{name}"),
        ("mail.adk.inputs.json", r#"{"name": "Ada"}"#),
        (LATE, r#"{"name": "Bob"}"#),
    ]));
    editor.ignore_problems();
    editor.open_file("mail.adk.prompt");
    editor.open_file(LATE);
    let cases = |editor: &mut Editor| -> Vec<String> {
        let params = json!({ "textDocument": { "uri": editor.uri("mail.adk.prompt") } });
        let found = editor.request("promptls/cases", params);
        let cases = found["cases"].as_array().cloned().unwrap_or_default();
        cases.iter().map(|case| case["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let both = cases(&mut editor);
    assert_eq!(both, ["default", "late"]);
    editor.remove_file(LATE);
    assert_eq!(cases(&mut editor), ["default"]);
    // The text in an unsaved new file.
    editor.replace(LATE, "Bob", "Bea");
    assert_eq!(cases(&mut editor), ["default", "late"]);
    editor.write_file(LATE, r#"{"name": "Bea"}"#);
    assert_eq!(cases(&mut editor), ["default", "late"]);
    editor.close();
}

/// Sets a value, and applies the server's edit; returns the file and the place in it.
#[track_caller]
fn set(editor: &mut Editor, argument: Value) -> String {
    let params = set_params(editor, argument);
    let answer = editor.request("workspace/executeCommand", params);
    editor.apply_next();
    let uri = answer["uri"].as_str().expect("it says which file");
    let file = editor.with_paths(uri);
    let position = &answer["position"];
    format!("{file} {}:{}", position["line"], position["character"])
}

#[track_caller]
fn refused(editor: &mut Editor, argument: Value) -> String {
    let params = set_params(editor, argument);
    let error = editor.request_error("workspace/executeCommand", params);
    error["message"].as_str().expect("it says why").to_owned()
}

/// A line for each field, and its problems.
fn shown(editor: &Editor, form: &Value) -> String {
    let field = |field: &Value| {
        let location = &field["location"];
        let place = location["uri"].as_str().map(|uri| {
            let start = &location["range"]["start"];
            let file = editor.with_paths(uri);
            format!(" at {file} {}:{}", start["line"], start["character"])
        });
        let value = field.get("value").map(|value| format!(" = {value}")).unwrap_or_default();
        let used = if field["used"] == true { "" } else { "; unused" };
        let mut line = format!(
            "{}: {}{value} from {}{}{used}\n",
            field["keys"],
            field["type"].as_str().expect("a type"),
            field["from"].as_str().expect("a source"),
            place.unwrap_or_default(),
        );
        for problem in field["problems"].as_array().expect("problems") {
            line += &format!("  {}: {}\n", problem["severity"], problem["message"]);
        }
        line
    };
    form["fields"].as_array().expect("fields").iter().map(field).collect()
}

#[track_caller]
fn check_form(editor: &mut Editor, case: &str, expected: Expect) {
    let form = request_for(editor, "promptls/inputs", PROMPT, json!({ "case": case }));
    assert_eq!(form["case"], json!(case));
    expected.assert_eq(&shown(editor, &form));
}

#[test]
fn the_inputs_of_a_case_are_returned_as_a_form() {
    let mut editor = start();
    check_form(
        &mut editor,
        "default",
        expect![[r#"
        ["user","name"]: text = "Ada" from inputs at mail.agentle.inputs.json 3:12
        ["notes"]: text = "Be kind.\n" from file at notes.md 0:0
        ["tags"]: list = ["a","b"] from inputs at mail.agentle.inputs.json 6:10
        ["text"]: text from missing
          "error": "`text` has no value"
        ["now"]: any from runtime
    "#]],
    );
    check_form(
        &mut editor,
        "trial",
        expect![[r#"
        ["user","name"]: text = "Zoë" from inputs at mail.agentle.trial.inputs.yaml 2:8
        ["notes"]: text from missing
          "error": "`notes` has no value"
        ["tags"]: list = ["a"] from inputs at mail.agentle.trial.inputs.yaml 4:0
        ["text"]: text = "one\ntwo\n" from inputs at mail.agentle.trial.inputs.yaml 6:2
        ["now"]: any from runtime
    "#]],
    );
    assert_eq!(request_for(&mut editor, "promptls/inputs", JSON, json!({})), json!(null));
    editor.close();
}

#[test]
fn setting_values_in_json_changes_nothing_else() {
    let mut editor = start();
    let name = json!({ "keys": ["user", "name"], "value": "Zoë \"Z\"" });
    assert_eq!(set(&mut editor, name), "mail.agentle.inputs.json 3:12");
    set(&mut editor, json!({ "keys": ["user", "age"], "value": 2.25 }));
    set(&mut editor, json!({ "keys": ["tags"], "value": ["a", "b", "c"] }));
    set(&mut editor, json!({ "keys": ["text"], "value": "one\ntwo" }));
    expect![[r#"
        {
          // who gets it
          "user": {
            "name": "Zoë \"Z\"", // first name
            "age": 2.25,
          },
          "tags": ["a", "b", "c"],
          "notes": {"$file": "notes.md"},
          "text": "one\ntwo",
        }
    "#]]
    .assert_eq(editor.text(JSON));
    set(&mut editor, json!({ "keys": ["user", "age"] }));
    set(&mut editor, json!({ "keys": ["tags", "0"], "value": null }));
    expect![[r#"
        {
          // who gets it
          "user": {
            "name": "Zoë \"Z\"", // first name
          },
          "tags": [null, "b", "c"],
          "notes": {"$file": "notes.md"},
          "text": "one\ntwo",
        }
    "#]]
    .assert_eq(editor.text(JSON));
    editor.close();
}

#[test]
fn values_in_yaml_keep_their_style() {
    let mut editor = start();
    let trial =
        |keys: Value, value: Value| json!({ "case": "trial", "keys": keys, "value": value });
    let name = trial(json!(["user", "name"]), json!("it's"));
    assert_eq!(set(&mut editor, name), "mail.agentle.trial.inputs.yaml 2:8");
    set(&mut editor, trial(json!(["tags"]), json!(["a", "b"])));
    set(&mut editor, trial(json!(["text"]), json!("one\n\nthree")));
    set(&mut editor, trial(json!(["notes"]), json!("some\nmore\n")));
    expect![[r##"
        # a trial
        user:
          name: 'it''s' # first name
        tags:
        - a # first
        - "b"
        text: |-
          one

          three
        notes: |
          some
          more
    "##]]
    .assert_eq(editor.text(YAML));
    editor.close();
}

#[test]
fn an_edit_is_minimal_and_for_the_open_version() {
    let mut editor = start();
    editor.open_file(JSON);
    editor.replace(JSON, "Ada", "Adam");
    let params = set_params(&editor, json!({ "keys": ["user", "name"], "value": "Eva" }));
    editor.request("workspace/executeCommand", params);
    let request = editor.next_server_request("workspace/applyEdit");
    let changes = request["edit"]["documentChanges"].as_array().expect("changes").clone();
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0]["textDocument"]["version"], json!(2));
    let edits = changes[0]["edits"].as_array().expect("edits");
    let [edit] = &edits[..] else { panic!("one edit, so that one undo takes it back: {edits:?}") };
    assert_eq!(edit["newText"], json!("Eva"));
    assert_eq!(edit["range"]["start"], json!({ "line": 3, "character": 13 }));
    editor.apply(&request["edit"]);
    assert!(editor.text(JSON).contains(r#""name": "Eva", // first name"#));

    // Setting the current value needs no edit.
    let params = set_params(&editor, json!({ "keys": ["user", "age"], "value": 1.5 }));
    let answer = editor.request("workspace/executeCommand", params);
    assert_eq!(answer["position"], json!({ "line": 4, "character": 11 }));
    editor.close();
}

#[test]
fn edits_are_made_in_sequence() {
    let mut editor = start();
    editor.open_file(JSON);
    let send = |editor: &mut Editor, keys: Value, value: Value| {
        let params = set_params(editor, json!({ "keys": keys, "value": value }));
        editor.send_request("workspace/executeCommand", params)
    };
    // Faster than the editor's notifications about its changes.
    let sent = [
        send(&mut editor, json!(["user", "name"]), json!("A")),
        send(&mut editor, json!(["user", "name"]), json!("An")),
        send(&mut editor, json!(["tags"]), json!(["b"])),
    ];
    for id in sent {
        // It is for the version that is open then.
        editor.apply_next();
        editor.answer(id).expect("it is made");
    }
    assert!(editor.text(JSON).contains(r#""name": "An", // first name"#));
    assert!(editor.text(JSON).contains(r#""tags": ["b"]"#));
    editor.close();
}

#[test]
fn an_outdated_edit_is_computed_again() {
    let mut editor =
        Editor::start_as(Client { refused_edits: 1, ..Client::default() }, workspace());
    editor.ignore_problems();
    editor.open_file(PROMPT);
    editor.open_file(JSON);
    let params = set_params(&editor, json!({ "keys": ["user", "name"], "value": "Eva" }));
    let id = editor.send_request("workspace/executeCommand", params);
    editor.next_server_request("workspace/applyEdit");
    editor.replace(JSON, "// who gets it", "// who gets it, and who else");
    editor.apply_next();
    editor.answer(id).expect("it is made");
    assert!(editor.text(JSON).contains(r#""name": "Eva", // first name"#));
    editor.close();
}

#[test]
fn an_edit_that_the_client_refuses_is_an_error_response() {
    let mut editor =
        Editor::start_as(Client { refused_edits: 1, ..Client::default() }, workspace());
    editor.ignore_problems();
    editor.open_file(PROMPT);
    let argument = json!({ "keys": ["user", "name"], "value": "Eva" });
    assert_eq!(refused(&mut editor, argument.clone()), "the text is another");
    editor.next_server_request("workspace/applyEdit");
    set(&mut editor, argument);
    editor.close();
}

#[test]
fn a_value_from_another_file_is_edited_in_that_file() {
    let mut editor = start();
    let place = set(&mut editor, json!({ "keys": ["notes"], "value": "Be brief.\n" }));
    assert_eq!(place, "notes.md 0:0");
    assert_eq!(editor.text(NOTES), "Be brief.\n");
    // A value that is no text is invalid there.
    set(&mut editor, json!({ "keys": ["notes"], "value": 7 }));
    assert!(editor.text(JSON).contains("\"notes\": 7,\n"));
    editor.close();
}

#[test]
fn a_case_without_a_file_gets_one() {
    let mut editor = start();
    let new = json!({ "case": "new", "keys": ["user", "name"], "value": "Ada" });
    assert_eq!(set(&mut editor, new), "mail.agentle.new.inputs.json 2:12");
    expect![[r#"
        {
          "user": {
            "name": "Ada"
          }
        }
    "#]]
    .assert_eq(editor.text("mail.agentle.new.inputs.json"));
    let form = request_for(&mut editor, "promptls/inputs", PROMPT, json!({ "case": "new" }));
    assert_eq!(form["case"], json!("new"));
    editor.close();
}

#[test]
fn values_that_cannot_be_edited_are_refused_with_a_reason() {
    let mut editor = start();
    let value = |keys: Value| json!({ "keys": keys, "value": "x" });
    let mut messages = String::new();
    for argument in [
        value(json!(["now"])),
        value(json!([])),
        value(json!(["tags", "7"])),
        value(json!(["user", "name", "first"])),
        json!({ "keys": ["gone"] }),
        json!({ "case": "new", "keys": ["gone"] }),
        json!({ "case": "../x", "keys": ["gone"], "value": 1 }),
    ] {
        messages += &format!("{}\n", refused(&mut editor, argument));
    }
    editor.open_file(JSON);
    editor.replace(JSON, "\"age\": 1.50", "\"age\": 1.50 2");
    messages += &format!("{}\n", refused(&mut editor, value(json!(["user", "name"]))));
    // A file that was never readable is not created either.
    editor.write_file("mail.agentle.bad.inputs.json", "{\n  \"a\": [\n}\n");
    let bad = json!({ "case": "bad", "keys": ["a"], "value": 1 });
    messages += &format!("{}\n", refused(&mut editor, bad));
    expect![[r#"
        `now` is supplied at run time; remove it from `runtime` in promptls.toml first
        `promptls.setInput` takes { uri, keys, value }
        `tags` has 2 items in mail.agentle.inputs.json, so there is no `7`
        `user.name` is a string in mail.agentle.inputs.json, so it cannot have a `first`
        mail.agentle.inputs.json has no `gone`
        the case `new` has no inputs file
        the name of a case can contain only letters, digits, `-` and `_`
        mail.agentle.inputs.json:5:16: expected a comma before the next entry; fix it first
        mail.agentle.bad.inputs.json:3:1: unexpected `}`; a value or `]` is missing before it; fix it first
    "#]].assert_eq(&messages);
    editor.close();
}

#[test]
fn a_new_case_starts_with_the_values_of_another_one() {
    let mut editor = start();
    let uri = editor.uri(PROMPT);
    let argument = json!({ "uri": uri, "case": "new", "from": "trial" });
    let params = json!({ "command": "promptls.createInputs", "arguments": [argument] });
    let answer = editor.request("workspace/executeCommand", params);
    editor.apply_next();
    let created = "mail.agentle.new.inputs.yaml";
    assert_eq!(answer["uri"], json!(editor.uri(created)));
    assert_eq!(answer["position"], json!({ "line": 2, "character": 2 }));
    assert_eq!(editor.text(created), YAML_TEXT);
    for (case, from, reason) in [
        ("other", "gone", "there is no case `gone`"),
        ("trial", "default", "case `trial` already exists"),
        ("new", "trial", "mail.agentle.new.inputs.yaml exists already"),
    ] {
        let argument = json!({ "uri": uri, "case": case, "from": from });
        let params = json!({ "command": "promptls.createInputs", "arguments": [argument] });
        let error = editor.request_error("workspace/executeCommand", params);
        assert_eq!(error["message"], json!(reason));
    }
    editor.close();
}

#[test]
fn values_are_returned_with_the_ranges_of_their_placeholders() {
    let mut editor = start();
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } });
    let values = request_for(&mut editor, "promptls/values", PROMPT, json!({ "range": whole }));
    let line = |value: &Value| {
        let range = &value["range"];
        let (start, end) = (&range["start"]["character"], &range["end"]["character"]);
        format!("{start}-{end} {} {}\n", value["kind"], value["text"])
    };
    let shown: String = values.as_array().expect("values").iter().map(line).collect();
    expect![[r#"
        0-13 "value" "Ada"
        14-23 "value" "Be kind.⏎"
        38-46 "value" "a, b"
        56-64 "missing" "missing"
        65-72 "runtime" "at run time"
    "#]]
    .assert_eq(&shown);
    let params = json!({ "range": whole, "case": "trial" });
    let values = request_for(&mut editor, "promptls/values", PROMPT, params);
    assert_eq!(values[0]["text"], json!("Zoë"));
    assert_eq!(
        request_for(&mut editor, "promptls/values", JSON, json!({ "range": whole })),
        json!(null)
    );
    editor.close();
}

fn reader() -> Client {
    Client {
        more_capabilities: json!({ "workspace": { "textDocumentContent": {} } }),
        ..Client::default()
    }
}

#[test]
fn a_resolved_text_is_a_virtual_document_that_follows_its_prompt() {
    let mut editor = Editor::start_as(reader(), workspace());
    editor.ignore_problems();
    assert_eq!(
        editor.server_capabilities()["workspace"]["textDocumentContent"]["schemes"],
        json!(["promptls"])
    );
    editor.open_file(PROMPT);
    let cases = request_for(&mut editor, "promptls/cases", PROMPT, json!({}));
    assert_eq!(cases["case"], json!("default"));
    assert_eq!(cases["version"], json!(1));
    assert_eq!(cases["cases"][1]["name"], json!("trial"));
    let address = cases["cases"][1]["resolvedUri"].as_str().expect("an address").to_owned();
    assert!(address.starts_with("promptls:resolved/mail.agentle.trial.txt?prompt=file:///"));
    assert_eq!(cases["resolvedUri"], cases["cases"][0]["resolvedUri"]);

    let content = |editor: &mut Editor, address: &str| {
        editor.request("workspace/textDocumentContent", json!({ "uri": address }))["text"].clone()
    };
    assert_eq!(content(&mut editor, &address), json!("Zoë  a one\ntwo\n {{now}}"));
    editor.replace(PROMPT, "{{user.name}}", "Dear {{user.name}}");
    let refreshed = editor.next_server_request("workspace/textDocumentContent/refresh");
    assert_eq!(refreshed, json!({ "uri": address }));
    assert_eq!(content(&mut editor, &address), json!("Dear Zoë  a one\ntwo\n {{now}}"));
    // A sidecar also changes it.
    editor.open_file(YAML);
    editor.replace(YAML, "Zoë", "Ada");
    editor.next_server_request("workspace/textDocumentContent/refresh");
    assert_eq!(content(&mut editor, &address), json!("Dear Ada  a one\ntwo\n {{now}}"));

    let gone = address.replace("case=trial", "case=gone");
    let error = editor.request_error("workspace/textDocumentContent", json!({ "uri": gone }));
    assert!(error["message"].as_str().is_some_and(|said| said.ends_with("has no case `gone`")));
    editor.close();
}

#[test]
fn a_resolved_text_needs_no_open_document_and_exists_only_for_prompts() {
    let pack = r#"{"prompts": {
  "a": {"system_template": "A {{x}}", "variables": [{"name": "x", "type": "number"}]},
  "b": {"system_template": "B {{x}}", "variables": [{"name": "x", "type": "number"}]}
}}"#;
    let mut editor = Editor::start(Workspace::new(&[
        ("t.pack.json", pack),
        ("t.pack.inputs.json", r#"{"x": 1}"#),
        ("secret.txt", "secret"),
    ]));
    editor.open_file("t.pack.json");
    editor.wait_for_codes("t", &[]);
    // The server offers contents only to clients that announce support.
    assert!(editor.server_capabilities()["workspace"]["textDocumentContent"].is_null());
    let there = json!({ "position": { "line": 2, "character": 30 } });
    let cases = request_for(&mut editor, "promptls/cases", "t.pack.json", there);
    assert_eq!(cases["task"], json!("b"));
    let address = cases["resolvedUri"].as_str().expect("an address").to_owned();
    assert!(address.starts_with("promptls:resolved/t.pack.b.default.txt?"), "{address}");
    editor.close_document("t");
    let content = editor.request("workspace/textDocumentContent", json!({ "uri": address }));
    assert_eq!(content["text"], json!("B 1"));

    let secret = format!("promptls:resolved/x.txt?prompt={}", editor.uri("secret.txt"));
    let error = editor.request_error("workspace/textDocumentContent", json!({ "uri": secret }));
    assert!(error["message"].as_str().is_some_and(|said| said.starts_with("there is no prompt")));
    editor.close();
}
