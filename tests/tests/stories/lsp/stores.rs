//! Prompts of a store in an editor, over a real socket, from a server with the API of Langfuse.

use std::process::Command;

use promptls_tests::langfuse::{Fault, Langfuse, PUBLIC_KEY, SECRET_KEY};
use promptls_tests::{Client, Editor, Workspace, promptls, promptls_path};
use serde_json::{Value, json};

const PROMPT: &str = "greeting.agentle.prompt";

/// A pulled prompt in an editor.
fn pulled(client: Client) -> (Langfuse, Editor) {
    let server = Langfuse::new();
    server.add("greeting", "Hi, {{name}}!", &["production"]);
    server.add("greeting", "Hey, {{name}}!", &["staging"]);
    let config = "[stores.prod]\nkind = \"langfuse\"\n";
    let workspace = Workspace::new(&[("promptls.toml", config)]);
    let pull = promptls(&["store", "pull", "prod:greeting"]).cwd(workspace.root());
    let mut command = Command::new(promptls_path());
    command.arg("lsp").env("NO_PROXY", "*");
    let keys = [
        ("LANGFUSE_HOST", server.url()),
        ("LANGFUSE_PUBLIC_KEY", PUBLIC_KEY.to_owned()),
        ("LANGFUSE_SECRET_KEY", SECRET_KEY.to_owned()),
    ];
    let pull = keys.iter().fold(pull.env("NO_PROXY", "*"), |pull, (name, key)| pull.env(name, key));
    assert_eq!(pull.run().code, Some(0));
    command.envs(keys);
    workspace.write("greeting.agentle.inputs.json", "{\"name\": \"Ada\"}\n");
    let mut editor = Editor::launch(command, client, workspace);
    editor.initialize();
    editor.open_file(PROMPT);
    server.requests();
    (server, editor)
}

fn lenses(editor: &mut Editor) -> Vec<String> {
    let document = json!({ "uri": editor.uri(PROMPT) });
    let lenses = editor.request("textDocument/codeLens", json!({ "textDocument": document }));
    let lenses = lenses.as_array().into_iter().flatten();
    lenses.filter_map(|lens| Some(lens["command"]["title"].as_str()?.to_owned())).collect()
}

/// The params for a command of the server.
fn params_of(editor: &Editor, command: &str, message: Option<&str>) -> Value {
    let mut argument = json!({ "uri": editor.uri(PROMPT) });
    if let Some(message) = message {
        argument["message"] = message.into();
    }
    json!({ "command": command, "arguments": [argument] })
}

/// The message to the user.
fn store(editor: &mut Editor, command: &str, message: Option<&str>) -> String {
    editor.request("workspace/executeCommand", params_of(editor, command, message));
    let shown = editor.next_notification("window/showMessage");
    shown["message"].as_str().unwrap_or_default().to_owned()
}

/// The error of the command.
fn store_fails(editor: &mut Editor, command: &str) -> String {
    let error = editor.request_error("workspace/executeCommand", params_of(editor, command, None));
    error["message"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_lens_is_shown_if_a_prompt_differs_from_its_pulled_text() {
    let (server, mut editor) = pulled(Client::default());
    assert_eq!(lenses(&mut editor), Vec::<String>::new());
    editor.replace(PROMPT, "Hi", "Hello");
    assert_eq!(lenses(&mut editor), ["Differs from prod, version 1"]);
    editor.replace(PROMPT, "Hello", "Hi");
    assert_eq!(lenses(&mut editor), Vec::<String>::new());
    // None of this sends a request to a store.
    assert!(server.requests().is_empty());
    editor.close();
}

#[test]
fn a_prompt_is_compared_with_its_store_by_resolved_text() {
    let (_server, mut editor) = pulled(Client::default());
    editor.replace(PROMPT, "Hi", "Hello");
    let compare = |editor: &Editor, revision: &str| {
        let document = json!({ "uri": editor.uri(PROMPT) });
        json!({ "textDocument": document, "left": { "revision": revision }, "right": {} })
    };
    for (revision, left) in [("store:prod", "Hi, Ada!"), ("store:prod:staging", "Hey, Ada!")] {
        let params = compare(&editor, revision);
        let compared = editor.request("promptls/compare", params);
        assert_eq!(compared["left"]["text"], left);
        assert_eq!(compared["right"]["text"], "Hello, Ada!");
    }
    for (revision, why) in [
        ("store:prod:productoin", "did you mean `production`?"),
        ("store:dev", "this prompt was pulled from `prod`, not `dev`"),
    ] {
        let params = compare(&editor, revision);
        let error = editor.request_error("promptls/compare", params);
        assert!(error["message"].as_str().is_some_and(|it| it.contains(why)), "{error}");
    }
    let params = json!({ "textDocument": { "uri": editor.uri(PROMPT) } });
    assert_eq!(editor.request("promptls/cases", params)["store"], "prod");
    editor.close();
}

#[test]
fn a_prompt_is_pulled_and_pushed_from_an_editor() {
    let (server, mut editor) = pulled(Client::default());
    editor.replace(PROMPT, "Hi", "Hello");
    assert_eq!(store_fails(&mut editor, "promptls.pushPrompt"), "save the prompt first");
    editor.write_file(PROMPT, "Hello, {{name}}!");
    let message = store(&mut editor, "promptls.pushPrompt", Some("--louder"));
    assert_eq!(message, "pushed greeting.agentle.prompt: prod:greeting, version 3");
    assert_eq!(lenses(&mut editor), Vec::<String>::new());
    assert_eq!(server.newest("greeting").expect("it is there")["commitMessage"], "--louder");

    server.add("greeting", "Hoi, {{name}}!", &["production"]);
    editor.replace(PROMPT, "Hello", "Ahoy");
    editor.write_file(PROMPT, "Ahoy, {{name}}!");
    let why = store_fails(&mut editor, "promptls.pushPrompt");
    assert!(why.contains("has version 4, but version"), "{why}");
    let why = store_fails(&mut editor, "promptls.pullPrompt");
    assert!(why.contains("has changes that the store does not have"), "{why}");

    editor.replace(PROMPT, "Ahoy", "Hello");
    editor.write_file(PROMPT, "Hello, {{name}}!");
    let message = store(&mut editor, "promptls.pullPrompt", None);
    assert_eq!(message, "pulled prod:greeting, version 4: greeting.agentle.prompt");
    assert_eq!(editor.workspace().read(PROMPT), "Hoi, {{name}}!");
    editor.close();
}

#[test]
fn long_commands_show_progress_and_can_be_cancelled() {
    let client = Client { progress: true, ..Client::default() };
    let (server, mut editor) = pulled(client);
    server.fail(Fault::Silence);
    let params = params_of(&editor, "promptls.pullPrompt", None);
    let id = editor.send_request("workspace/executeCommand", params);
    let begun = editor.next_notification("$/progress");
    assert_eq!(begun["value"]["title"], "Pulling prod:greeting");
    assert_eq!(begun["value"]["cancellable"], true);
    // Other requests do not wait for it.
    editor.hover(PROMPT, "{{na$0me}}");
    editor.notify("window/workDoneProgress/cancel", json!({ "token": begun["token"] }));
    assert_eq!(editor.answer(id).unwrap_err()["code"], -32800);
    assert_eq!(editor.next_notification("$/progress")["value"]["kind"], "end");
    assert_eq!(editor.workspace().read(PROMPT), "Hi, {{name}}!");
    editor.close();
}

#[test]
fn progress_ends_when_its_request_is_cancelled() {
    let client = Client { progress: true, ..Client::default() };
    let (server, mut editor) = pulled(client);
    server.fail(Fault::Silence);
    let params = params_of(&editor, "promptls.pullPrompt", None);
    let id = editor.send_request("workspace/executeCommand", params);
    let begun = editor.next_notification("$/progress");
    editor.notify("$/cancelRequest", json!({ "id": id.number() }));
    assert_eq!(editor.answer(id).unwrap_err()["code"], -32800);
    let ended = editor.next_notification("$/progress");
    assert_eq!((&ended["token"], &ended["value"]["kind"]), (&begun["token"], &json!("end")));
    // The token is no longer valid.
    editor.notify("window/workDoneProgress/cancel", json!({ "token": begun["token"] }));
    editor.close();
}

#[test]
fn an_untrusted_workspace_has_no_stores() {
    let initialization_options = json!({ "trusted": false });
    let (server, mut editor) = pulled(Client { initialization_options, ..Client::default() });
    editor.replace(PROMPT, "Hi", "Hello");
    assert!(!lenses(&mut editor).iter().any(|lens| lens.starts_with("Differs")));
    editor.replace(PROMPT, "Hello", "Hi");
    let why = store_fails(&mut editor, "promptls.pullPrompt");
    assert!(why.contains("was not pulled"), "{why}");
    assert!(server.requests().is_empty());
    editor.close();
}

#[test]
fn clients_without_their_own_commands_get_code_actions() {
    let (_server, mut editor) = pulled(Client::default());
    let start = json!({ "line": 0, "character": 0 });
    let params = json!({
        "textDocument": { "uri": editor.uri(PROMPT) },
        "range": { "start": start, "end": start },
        "context": { "diagnostics": [], "only": ["promptls.store"] },
    });
    let actions = editor.request("textDocument/codeAction", params);
    let actions: Vec<_> = actions.as_array().into_iter().flatten().collect();
    let titles: Vec<_> = actions.iter().map(|action| &action["title"]).collect();
    assert_eq!(titles, ["Pull from prod", "Push to prod"]);
    let command = &actions[0]["command"];
    let arguments = command["arguments"].clone();
    let params = json!({ "command": command["command"], "arguments": arguments });
    editor.request("workspace/executeCommand", params);
    let shown = editor.next_notification("window/showMessage");
    assert!(shown["message"].as_str().is_some_and(|it| it.starts_with("pulled prod:greeting")));
    editor.close();
}
