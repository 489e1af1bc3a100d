//! Inputs in TOML in an editor: parsed as they are typed, and edited in place.

use promptls_tests::{Editor, Workspace};
use serde_json::json;

const PROMPT: &str = "mail.promptpack.prompt";
const INPUTS: &str = "mail.promptpack.inputs.toml";
const TEXT: &str = "# who asks\ncity = 'Rome' # for now\n\n[user]\nname = \"Ada\"\n";

fn start() -> Editor {
    let workspace = Workspace::new(&[(PROMPT, "{{user.name}} of {{city}}"), (INPUTS, TEXT)]);
    let mut editor = Editor::start(workspace);
    editor.ignore_problems();
    editor.open_file(PROMPT);
    editor.open_file(INPUTS);
    editor
}

#[test]
fn a_name_is_renamed_in_toml() {
    let mut editor = start();
    let mut params = editor.place(PROMPT, "{{ci$0ty}}");
    params["newName"] = json!("town");
    let edit = editor.request("textDocument/rename", params);
    editor.apply(&edit);
    assert_eq!(editor.text(INPUTS), TEXT.replace("city", "town"));
    assert_eq!(editor.text(PROMPT), "{{user.name}} of {{town}}");
    let mut params = editor.place(PROMPT, "{{user.na$0me}}");
    params["newName"] = json!("called");
    let edit = editor.request("textDocument/rename", params);
    editor.apply(&edit);
    assert!(editor.text(INPUTS).ends_with("[user]\ncalled = \"Ada\"\n"));
    editor.close();
}

#[test]
fn a_value_is_set_in_toml() {
    let mut editor = start();
    for (keys, value, old, new) in [
        (json!(["user", "name"]), json!("Grace"), "\"Ada\"", "\"Grace\""),
        (json!(["city"]), json!("Oslo"), "'Rome' #", "\"Oslo\" #"),
    ] {
        let before = editor.text(INPUTS).to_owned();
        let uri = editor.uri(PROMPT);
        let argument = json!({ "uri": uri, "keys": keys, "value": value });
        let params = json!({ "command": "promptls.setInput", "arguments": [argument] });
        editor.request("workspace/executeCommand", params);
        editor.apply_next();
        assert_eq!(editor.text(INPUTS), before.replace(old, new));
    }
    let uri = editor.uri(PROMPT);
    let params = json!({ "textDocument": { "uri": uri } });
    assert_eq!(editor.request("promptls/preview", params)["text"], "Grace of Oslo");
    editor.close();
}
