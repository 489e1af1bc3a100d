//! Converting a prompt to another dialect in an editor.

use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

const PROMPT: &str = "support.adk.prompt";

/// The actions of a kind at the start of a document.
fn actions(editor: &mut Editor, document: &str, kind: &str) -> Vec<Value> {
    let params = json!({
        "textDocument": { "uri": editor.workspace().uri(document) },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } },
        "context": { "diagnostics": [], "only": [kind] },
    });
    let found = editor.request("textDocument/codeAction", params);
    found.as_array().cloned().unwrap_or_default()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    let titles = actions.iter().filter_map(|action| action["title"].as_str());
    titles.filter(|title| title.starts_with("Convert")).collect()
}

fn convert(editor: &Editor, argument: Value) -> Value {
    let mut argument = argument;
    argument["uri"] = editor.workspace().uri(PROMPT).into();
    json!({ "command": "promptls.convertPrompt", "arguments": [argument] })
}

fn support() -> Workspace {
    Workspace::new(&[
        (PROMPT, "Dear {user:name}"),
        ("support.adk.inputs.json", r#"{"user:name": "Ada"}"#),
        ("support.adk.list.inputs.json", r#"{"user:name": ["Ada"]}"#),
    ])
}

#[test]
fn unsaved_text_is_converted_to_new_files() {
    let mut editor = Editor::start(support());
    editor.open_file(PROMPT);
    editor.set_text(PROMPT, "Dear {user:name}!");
    let found = actions(&mut editor, PROMPT, "refactor");
    let all = ["AgentEnsemble", "entAIngine", "PromptPack", "Agentle", "Langfuse", "Python braces"];
    assert_eq!(titles(&found), all.map(|title| format!("Convert to {title}")));
    assert_eq!(titles(&actions(&mut editor, PROMPT, "quickfix")), [""; 0]);
    let titled = |title| found.iter().find(|action| action["title"] == title).unwrap().clone();

    let refused = editor.request_error("codeAction/resolve", titled("Convert to PromptPack"));
    assert_eq!(
        refused["message"],
        "in case `list`, a different text would be sent; run `promptls convert support.adk.prompt --to promptpack` to compare"
    );

    let agentle = editor.request("codeAction/resolve", titled("Convert to Agentle"));
    editor.apply(&agentle["edit"]);
    assert_eq!(editor.text("support.agentle.prompt"), "Dear {{user:name}}!");
    assert_eq!(editor.text("support.agentle.inputs.json"), r#"{"user:name": "Ada"}"#);
    assert_eq!(editor.text("support.agentle.list.inputs.json"), r#"{"user:name": ["Ada"]}"#);
    editor.wait_for_codes("support.agentle.prompt", &["engine-differs"]);

    let refused = editor.request_error("codeAction/resolve", titled("Convert to Agentle"));
    assert_eq!(refused["message"], "support.agentle.prompt exists already");
    editor.wait_for_codes(PROMPT, &["engine-differs"]);
    editor.close();
}

#[test]
fn the_command_returns_the_new_prompt_or_an_error_with_a_reason() {
    let mut editor = Editor::start(support());
    editor.open_file(PROMPT);
    let wanted = convert(&editor, json!({ "dialect": "agentle" }));
    let done = editor.request("workspace/executeCommand", wanted);
    editor.apply_next();
    assert_eq!(done["uri"], editor.workspace().uri("support.agentle.prompt"));
    assert_eq!(editor.text("support.agentle.prompt"), "Dear {{user:name}}");

    for (argument, reason) in [
        (
            json!({ "dialect": "agentle", "engine": "adk-go" }),
            "`adk-go` is an engine of adk, not of agentle",
        ),
        (json!({ "dialect": "handlebars" }), "unknown dialect `handlebars`; known: agentensemble"),
        (json!({ "dialect": "promptpack" }), "in case `list`, a different text would be sent"),
    ] {
        let wanted = convert(&editor, argument);
        let refused = editor.request_error("workspace/executeCommand", wanted);
        let message = refused["message"].as_str().expect("it says why");
        assert!(message.contains(reason), "{message}");
    }
    editor.wait_for_codes(PROMPT, &["engine-differs"]);
    editor.wait_for_codes("support.agentle.prompt", &["engine-differs"]);
    editor.close();
}

#[test]
fn syntax_without_an_equivalent_is_refused_with_its_line() {
    const VIP: &str = "vip.agentle.prompt";
    let files = [(VIP, "Hi\n{{#if vip}}you{{/if}}"), ("vip.agentle.inputs.json", r#"{"vip": 1}"#)];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file(VIP);
    let found = actions(&mut editor, VIP, "refactor.rewrite.convert");
    let adk = found.iter().find(|action| action["title"] == "Convert to Google ADK").unwrap();
    let refused = editor.request_error("codeAction/resolve", adk.clone());
    assert_eq!(refused["message"], "line 2: Google ADK cannot express a condition");
    editor.close();
}

#[test]
fn conversions_are_not_offered_without_support_for_creating_files() {
    let operations = json!({ "workspaceEdit": { "resourceOperations": [] } });
    let more_capabilities = json!({ "workspace": operations });
    let client = Client { more_capabilities, ..Client::default() };
    let mut editor = Editor::start_as(client, support());
    editor.open_file(PROMPT);
    assert_eq!(titles(&actions(&mut editor, PROMPT, "refactor")), [""; 0]);
    editor.wait_for_codes(PROMPT, &["engine-differs"]);
    editor.close();
}
