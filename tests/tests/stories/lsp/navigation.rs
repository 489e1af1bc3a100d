//! Definitions and references of names, on the real binary.

use expect_test::expect;
use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

const REPLY: &str = "reply.promptpack.prompt";
const INPUTS: &str = "reply.promptpack.inputs.json";
const TRIAL: &str = "reply.promptpack.trial.inputs.yaml";
const VARIABLES: &str = "reply.promptpack.variables.json";

fn reply() -> Workspace {
    Workspace::new(&[
        (REPLY, "{{user.name}}, {{tone}}: {{user.pets[0].name}}"),
        (INPUTS, r#"{"user": {"name": "Ada", "pets": [{"name": "Rex"}]}}"#),
        (TRIAL, "user:\n  name: Bob\n"),
        (VARIABLES, r#"{"variables": [{"name": "user"}], "fragments": {"tone": "Be kind"}}"#),
    ])
}

#[test]
fn a_name_leads_to_its_values_and_its_declaration() {
    let mut editor = Editor::start(reply());
    editor.open_file(REPLY);
    let place = editor.place(REPLY, "{{user.na$0me}},");
    let found = editor.request("textDocument/definition", place);
    expect![[r#"
        1:8-1:12 → reply.promptpack.inputs.json 1:11-1:17
    "#]]
    .assert_eq(&shown(&editor, &found));
    // It is the one in the current case.
    let arguments = json!([{ "uri": editor.uri(REPLY), "case": "trial" }]);
    let command = json!({ "command": "promptls.selectCase", "arguments": arguments });
    editor.request("workspace/executeCommand", command);
    let place = editor.place(REPLY, "{{user.na$0me}},");
    let found = editor.request("textDocument/definition", place);
    expect![[r#"
        1:8-1:12 → reply.promptpack.trial.inputs.yaml 2:3-2:7
    "#]]
    .assert_eq(&shown(&editor, &found));

    let place = editor.place(REPLY, "{{us$0er.name}},");
    let found = editor.request("textDocument/declaration", place);
    expect![[r#"
        reply.promptpack.variables.json 1:25-1:31
    "#]]
    .assert_eq(&shown(&editor, &found));

    // An editor without support for links gets only places.
    editor.ignore_problems();
    editor.close();
    let more_capabilities = json!({"textDocument": {"definition": {"linkSupport": false}}});
    let client = Client { more_capabilities, ..Client::default() };
    let mut editor = Editor::start_as(client, reply());
    editor.open_file(REPLY);
    let place = editor.place(REPLY, "{{to$0ne}}");
    let found = editor.request("textDocument/definition", place);
    expect![[r#"
        reply.promptpack.variables.json 1:49-1:55
    "#]]
    .assert_eq(&shown(&editor, &found));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn the_tags_of_a_block_lead_to_each_other() {
    let mut editor = Editor::open_one("a.agentle.prompt", "🎉{{#if a}}{{a}}{{/if}}");
    let place = editor.place("a.agentle.prompt", "{{/i$0f}}");
    let found = editor.request("textDocument/definition", place);
    expect![[r#"
        1:17-1:24 → a.agentle.prompt 1:3-1:12
    "#]]
    .assert_eq(&shown(&editor, &found));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn references_of_a_key_include_unsaved_prompts() {
    let mut editor = Editor::start(reply());
    editor.open_file(REPLY);
    editor.open_file(INPUTS);
    editor.replace(REPLY, "{{tone}}", "{{user}} {{tone}}");
    editor.replace(INPUTS, "{\"user\"", "{\n\"user\"");
    let mut params = editor.place(INPUTS, "us$0er");
    params["context"] = json!({"includeDeclaration": true});
    let found = editor.request("textDocument/references", params.clone());
    expect![[r#"
        reply.promptpack.prompt 1:3-1:7
        reply.promptpack.prompt 1:18-1:22
        reply.promptpack.prompt 1:37-1:41
        reply.promptpack.inputs.json 2:1-2:7
        reply.promptpack.trial.inputs.yaml 1:1-1:5
        reply.promptpack.variables.json 1:25-1:31
    "#]]
    .assert_eq(&shown(&editor, &found));

    params["context"] = json!({"includeDeclaration": false});
    let found = editor.request("textDocument/references", params);
    assert!(!shown(&editor, &found).contains("variables.json"));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn a_shared_key_is_found_in_every_prompt_that_reads_it() {
    let rule = "[[prompts]]\nfiles = ['*.prompt']\ndialect = 'adk'\ninputs = ['state.json']\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", rule),
        ("a.prompt", "{topic}"),
        ("b.prompt", "On {topic?}"),
        ("state.json", r#"{"topic": "AI"}"#),
    ]));
    editor.open_file("state.json");
    let mut params = editor.place("state.json", "to$0pic");
    params["context"] = json!({"includeDeclaration": true});
    let found = editor.request("textDocument/references", params);
    expect![[r#"
        a.prompt 1:2-1:7
        state.json 1:2-1:9
        b.prompt 1:5-1:10
    "#]]
    .assert_eq(&shown(&editor, &found));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn navigation_in_a_pack_covers_the_whole_file() {
    const PACK: &str = "p.pack.json";
    let text = r#"{
"prompts": {
"a": {"system_template": "\"{{name}}\" {{tone}}", "variables": [{"name": "name"}]},
"b": {"system_template": "\n{{tone}}"}},
"fragments": {"tone": "Be kind"}}"#;
    let mut editor = Editor::start(Workspace::new(&[(PACK, text)]));
    editor.open_file(PACK);
    let place = editor.place(PACK, r#"\"{{na$0me}}"#);
    let found = editor.request("textDocument/declaration", place);
    expect![[r#"
        p.pack.json 3:74-3:80
    "#]]
    .assert_eq(&shown(&editor, &found));

    let mut params = editor.place(PACK, r#""to$0ne":"#);
    params["context"] = json!({"includeDeclaration": true});
    let found = editor.request("textDocument/references", params);
    expect![[r#"
        p.pack.json 3:42-3:46
        p.pack.json 5:15-5:21
        p.pack.json 4:31-4:35
    "#]]
    .assert_eq(&shown(&editor, &found));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn all_uses_of_a_name_have_highlights() {
    let mut editor = Editor::start(reply());
    editor.open_file(REPLY);
    let place = editor.place(REPLY, "{{us$0er.name}},");
    let found = editor.request("textDocument/documentHighlight", place);
    let ranges: Vec<String> =
        found.as_array().expect("a list").iter().map(|found| range(&found["range"])).collect();
    assert_eq!(ranges, ["1:3-1:7", "1:28-1:32"]);
    editor.ignore_problems();
    editor.close();
}

#[test]
fn a_selection_grows_from_a_word_to_the_prompt() {
    let mut editor = Editor::start(Workspace::new(&[]));
    let pack = "prompts:\n  a:\n    system_template: |\n      Dear {{user.name}},\n";
    editor.open("x.pack.yaml", pack);
    let place = editor.place("x.pack.yaml", "{{us$0er");
    let document = place["textDocument"].clone();
    let outside = json!({ "line": 0, "character": 0 });
    let params = json!({ "textDocument": document, "positions": [place["position"]] });
    let found = editor.request("textDocument/selectionRange", params);
    let mut ranges = Vec::new();
    let mut around = &found[0];
    while !around.is_null() {
        ranges.push(range(&around["range"]));
        around = &around["parent"];
    }
    assert_eq!(ranges, ["4:14-4:18", "4:14-4:23", "4:12-4:25", "4:7-5:1"]);
    let params = json!({ "textDocument": document, "positions": [place["position"], outside] });
    assert_eq!(editor.request("textDocument/selectionRange", params), Value::Null);
    editor.ignore_problems();
    editor.close();
}

#[test]
fn block_tags_and_paths_of_conditions_are_edited_together() {
    let mut editor = Editor::start(Workspace::new(&[]));
    editor.open("x.agentle.prompt", "{{#if a.b}}\n{{a.b}} {{a}}\n{{/if}}\n{{a.b}}");
    for (marked, linked) in [
        ("{{/i$0f", &["1:4-1:6", "3:4-3:6"][..]),
        ("{{#if a.$0b", &["1:7-1:10", "2:3-2:6"]),
        ("\n{{/if}}\n{{a$0.b}}", &[]),
    ] {
        let place = editor.place("x.agentle.prompt", marked);
        let found = editor.request("textDocument/linkedEditingRange", place);
        let ranges: Vec<String> =
            found["ranges"].as_array().into_iter().flatten().map(range).collect();
        assert_eq!(ranges, linked, "{marked}");
    }
    editor.ignore_problems();
    editor.close();
}

/// Places or links, a line each, counted from 1.
fn shown(editor: &Editor, found: &Value) -> String {
    let folder = editor.uri("");
    let file = |uri: &Value| uri.as_str().expect("a URI").replace(&folder, "").replace('/', "");
    let line = |found: &Value| match found.get("targetUri") {
        Some(uri) => {
            assert!(!found["targetRange"].is_null());
            let origin = range(&found["originSelectionRange"]);
            format!("{origin} → {} {}\n", file(uri), range(&found["targetSelectionRange"]))
        }
        None => format!("{} {}\n", file(&found["uri"]), range(&found["range"])),
    };
    found.as_array().into_iter().flatten().map(line).collect()
}

fn range(range: &Value) -> String {
    let position = |at: &Value| {
        let number = |field: &str| at[field].as_u64().expect("a number") + 1;
        format!("{}:{}", number("line"), number("character"))
    };
    format!("{}-{}", position(&range["start"]), position(&range["end"]))
}
