//! Completion and hovers while the user types, on the real binary.

use expect_test::expect;
use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

const REPLY: &str = "reply.promptpack.prompt";
const INPUTS: &str = "reply.promptpack.inputs.json";
const TRIAL: &str = "reply.promptpack.trial.inputs.yaml";
const VARIABLES: &str = "reply.promptpack.variables.json";

const DECLARED: &str = r#"{"variables": [
    {"name": "user", "type": "object"},
    {"name": "tone", "type": "string", "required": true, "description": "How it *sounds*",
        "validation": {"enum": ["dry", "warm"]}}]}"#;

fn reply() -> Workspace {
    Workspace::new(&[
        (REPLY, "Hi {{user.name}}, {{tone}}"),
        (INPUTS, r#"{"user": {"name": "Ada"}, "tone": "dry"}"#),
        (TRIAL, "tone: warm\n"),
        (VARIABLES, DECLARED),
    ])
}

#[test]
fn completion_items_are_resolved_with_documentation() {
    let mut editor = Editor::start(reply());
    editor.open_file(REPLY);
    editor.type_at(REPLY, "{{tone}}$0", " {{");
    let items = editor.complete(REPLY, "{{tone}} {{$0");
    let tone = items.iter().find(|item| item["label"] == "tone").expect("tone is known");
    let resolved = editor.request("completionItem/resolve", tone.clone());
    let documentation = resolved["documentation"]["value"].as_str().unwrap_or_default();
    expect![[r#"
        **`tone`** — string, required

        How it *sounds*

        one of `dry`, `warm`

        - **default**: `dry` — [reply.promptpack.inputs.json](reply.promptpack.inputs.json#L1)
        - **trial**: `warm` — [reply.promptpack.trial.inputs.yaml](reply.promptpack.trial.inputs.yaml#L1)"#]]
    .assert_eq(&editor.with_paths(documentation));
    assert_eq!(resolved["documentation"]["kind"], "markdown");
    assert_eq!(resolved["textEdit"], tone["textEdit"]);
    editor.ignore_problems();
    editor.close();
}

#[test]
fn completion_and_hover_work_without_markdown_and_snippets() {
    let more_capabilities = json!({"textDocument": {
        "hover": {"contentFormat": ["plaintext"]},
        "completion": {"completionItem": {
            "snippetSupport": false, "insertReplaceSupport": false, "documentationFormat": null,
        }},
    }});
    let client = Client { more_capabilities, ..Client::default() };
    let workspace = Workspace::new(&[
        ("a.agentle.prompt", "{{x}} {{}}"),
        ("a.agentle.inputs.json", r#"{"x": "b"}"#),
    ]);
    let mut editor = Editor::start_as(client, workspace);
    editor.open_file("a.agentle.prompt");
    let hover = editor.hover("a.agentle.prompt", "{{$0x}}").expect("a placeholder has a hover");
    assert_eq!(hover, "x\n\n`b` — a.agentle.inputs.json");
    let items = editor.complete("a.agentle.prompt", "{{x}} {{$0}}");
    let block = items.iter().find(|item| item["label"] == "#if").expect("blocks are offered");
    assert_eq!(block["textEdit"]["newText"], "#if name}}{{/if");
    assert_eq!(block["insertTextFormat"], Value::Null);
    let resolved = editor.request("completionItem/resolve", items[0].clone());
    assert_eq!(resolved["documentation"], "x\n\n`b` — a.agentle.inputs.json");
    editor.ignore_problems();
    editor.close();
}

#[test]
fn completion_supports_insert_and_replace_ranges() {
    let mut editor = Editor::start(reply());
    editor.open_file(REPLY);
    let items = editor.complete(REPLY, "{{to$0ne}}");
    let tone = items.iter().find(|item| item["label"] == "tone").expect("tone is known");
    assert_eq!(tone["textEdit"]["insert"]["end"]["character"], 22);
    assert_eq!(tone["textEdit"]["replace"]["end"]["character"], 24);
    assert_eq!(tone["textEdit"]["newText"], "tone");
    editor.ignore_problems();
    editor.close();
}

#[test]
fn completion_includes_closing_braces_if_the_client_can_leave_them() {
    let commands = json!({"commands": ["promptls.leavePlaceholder"]});
    let more_capabilities = json!({"textDocument": {"completion": {"completionItem": {
        "labelDetailsSupport": true,
    }}}});
    let client =
        Client { initialization_options: commands, more_capabilities, ..Client::default() };
    for (client, is_written) in [(client, true), (Client::default(), false)] {
        let mut editor = Editor::start_as(client, reply());
        editor.ignore_problems();
        editor.open_file(REPLY);
        editor.set_text(REPLY, "{{}} {{later}}");
        let items = editor.complete(REPLY, "{{$0}} ");
        let item = |label| items.iter().find(|item| item["label"] == label).expect("an item");
        // The end of the replaced text, from the start of the line, with or without the braces.
        let end = |label| item(label)["textEdit"]["range"]["end"]["character"].clone();
        let text = |label| item(label)["textEdit"]["newText"].as_str().unwrap_or_default();
        let braces = if is_written { 2 } else { 0 };
        assert_eq!(end("tone"), 2 + braces);
        assert_eq!(text("tone").len(), "tone".len() + braces);
        // A dot may follow.
        assert_eq!((end("user"), text("user")), (json!(2), "user"));
        assert_eq!(item("tone")["command"]["command"].is_string(), is_written, "{}", item("tone"));
        assert_eq!(item("user")["command"], Value::Null);
        let details = &item("tone")["labelDetails"]["description"];
        assert_eq!(details == "string = dry", is_written, "{details}");
        // Names that only the prompt contains are also proposed.
        assert_eq!(item("later")["detail"], "used in this prompt");
        editor.close();
    }
}

#[test]
fn missing_keys_are_completed_in_an_inputs_file() {
    let mut editor = Editor::start(reply());
    editor.open_file(INPUTS);
    editor.set_text(INPUTS, "{\n  \"user\": {\n  }\n  \n}");
    let items = editor.complete(INPUTS, "}\n  $0\n}");
    assert_eq!(labels(&items), ["tone"]);
    assert_eq!(items[0]["textEdit"]["newText"], r#""tone": ${1|"dry","warm"|}"#);
    assert_eq!(items[0]["additionalTextEdits"][0]["newText"], ",");
    assert_eq!(items[0]["filterText"], "\"tone\"");
    assert_eq!(
        items[0]["documentation"]["value"],
        "How it *sounds*\n\none of `dry`, `warm`\n\nread by reply.promptpack.prompt"
    );
    let items = editor.complete(INPUTS, "{\n  \"user\": {$0\n");
    assert_eq!(labels(&items), ["name"]);
    editor.set_text(INPUTS, "{\"tone\": \"\"");
    let items = editor.complete(INPUTS, "{\"tone\": \"$0\"");
    assert_eq!(labels(&items), ["dry", "warm"]);
    assert_eq!(items[0]["textEdit"]["newText"], "\"dry\"");

    editor.open_file(TRIAL);
    editor.set_text(TRIAL, "tone: warm\nuser:\n  \n");
    let items = editor.complete(TRIAL, "user:\n  $0\n");
    assert_eq!(labels(&items), ["name"]);
    assert_eq!(items[0]["textEdit"]["newText"], "name: \"${1:<user.name>}\"");
    editor.ignore_problems();
    editor.close();
}

#[test]
fn missing_keys_of_all_prompts_are_completed_in_a_shared_inputs_file() {
    let mut editor = Editor::start(shared());
    editor.open_file("state.json");
    editor.set_text("state.json", "{}");
    let items = editor.complete("state.json", "{$0}");
    assert_eq!(labels(&items), ["name", "tone", "year"]);
    assert_eq!(items[0]["documentation"]["value"], "read by a.txt\n\nread by b.txt");
    editor.ignore_problems();
    editor.close();
}

#[test]
fn hover_of_a_shared_key_lists_its_readers() {
    let mut editor = Editor::start(shared());
    editor.open_file("state.json");
    editor.wait_for_problems("state.json", &[]);
    let hover = editor.hover("state.json", "\"na$0me\"").expect("a key has a hover");
    expect![[r#"
        **`name`**

        read once by [a.txt](a.txt#L1): `{name}`

        read 2 times by [b.txt](b.txt#L1): `{name?}`, `{name}`"#]]
    .assert_eq(&hover);
    editor.ignore_problems();
    editor.close();
}

#[test]
fn a_change_of_shared_inputs_updates_every_prompt() {
    let mut editor = Editor::start(shared());
    editor.open_file("a.txt");
    editor.open_file("b.txt");
    editor.open_file("state.json");
    editor.wait_for_problems("a.txt", &[]);
    editor.wait_for_problems("b.txt", &[]);
    editor.replace("state.json", "\"name\"", "\"nane\"");
    let expected = "`name` has no value in 1 of 2 cases: state; did you mean `nane`?";
    editor.wait_for_problems("a.txt", &[expected]);
    editor.wait_for_problems("b.txt", &[expected]);
    expect![[r#"
        1:2-1:6 error undefined-placeholder `name` has no value in 1 of 2 cases: state; did you mean `nane`?
            state.json 1:2-1:8 case state has `nane`
    "#]]
    .assert_eq(&editor.problems_text("a.txt"));
    editor.replace("state.json", "\"nane\"", "\"name\"");
    editor.wait_for_problems("a.txt", &[]);
    editor.wait_for_problems("b.txt", &[]);
    editor.ignore_problems();
    editor.close();
}

#[test]
fn the_config_has_completions_and_hovers() {
    let mut editor = Editor::start(Workspace::new(&[("promptls.toml", "")]));
    editor.open(
        "promptls.toml",
        "[[prompts]]\nfiles = ['*.txt']\ndialect = \"\"\n\n[problems]\nunus",
    );
    let items = editor.complete("promptls.toml", "dialect = \"$0\"");
    assert_eq!(
        labels(&items),
        ["agentensemble", "adk", "entaingine", "promptpack", "agentle", "langfuse", "format"]
    );
    let items = editor.complete("promptls.toml", "[problems]\nunus$0");
    assert!(labels(&items).contains(&"unused-input"));
    assert_eq!(items[0]["textEdit"]["range"]["start"]["character"], 0);

    // With its bracket, a header is complete, and the list of headers is closed.
    let triggers = &editor.server_capabilities()["completionProvider"]["triggerCharacters"];
    assert!(triggers.as_array().is_some_and(|all| all.contains(&json!("]"))));
    // An item for existing text would consume the Enter after it.
    editor.set_text("promptls.toml", "[[prompts]]\ndialect = \"adk\"");
    for (place, there) in [("[[prompts]]$0", "[[prompts]]"), ("\"adk\"$0", "adk")] {
        let items = editor.complete("promptls.toml", place);
        assert!(!labels(&items).contains(&there), "{:?}", labels(&items));
    }

    editor.set_text("promptls.toml", "[problems]\nunused-input = 'off'\n");
    let hover = editor.hover("promptls.toml", "unused$0-input").expect("a code has a hover");
    assert!(hover.starts_with("**`unused-input`** — warning by default"), "{hover}");
    editor.ignore_problems();
    editor.close();
}

/// Two prompts that share a state.
fn shared() -> Workspace {
    Workspace::new(&[
        ("promptls.toml", "[[prompts]]\nfiles = ['*.txt']\ndialect = 'adk'\ninputs = ['*.json']\n"),
        ("state.json", r#"{"name": "Ada", "tone": "dry", "year": 1}"#),
        ("other.json", r#"{"name": "Bob", "tone": "warm", "year": 2}"#),
        ("a.txt", "{name} {tone}"),
        ("b.txt", "{name} {name?} {year}"),
    ])
}

fn labels(items: &[Value]) -> Vec<&str> {
    items.iter().filter_map(|item| item["label"].as_str()).collect()
}
