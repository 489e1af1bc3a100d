//! Prompts from templates, and sections of prompts, in an editor.

use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

const OWN: &str = r#"summary = "Answer a letter"
arguments = ["tone"]

[variables]
tone = { description = "How the answer sounds", example = "warm" }
letter = { description = "The letter", example = "Where is my parcel?" }

[prompt]
task = "Answer the letter. The tone is {{tone}}."
input = { text = "{{letter}}" }
"#;

fn start(files: &[(&str, &str)]) -> Editor {
    let mut editor = Editor::start(Workspace::new(files));
    editor.ignore_problems();
    editor
}

fn new_prompt(editor: &Editor, path: &str, argument: Value) -> Value {
    let mut argument = argument;
    argument["uri"] = json!(editor.uri(path));
    json!({ "command": "promptls.createPrompt", "arguments": [argument] })
}

#[test]
fn templates_are_listed_including_those_of_the_folder() {
    let mut editor = start(&[
        ("promptls.toml", "templates = 'templates'\n"),
        ("templates/letter.toml", OWN),
        ("templates/half.toml", "summary = 1\n"),
        ("requirements.txt", "google-adk==2.13.0\n"),
    ]);
    let folder = editor.uri("mail.adk.prompt");
    let folder = folder.trim_end_matches("/mail.adk.prompt");
    let list = editor.request("promptls/templates", json!({ "folder": folder }));
    assert_eq!(list["dialect"], json!("adk"));
    let find = |list: &Value, name: &str| {
        let templates = list["templates"].as_array().cloned().unwrap_or_default();
        templates.into_iter().find(|template| template["name"] == json!(name))
    };
    let letter = json!({
        "name": "letter",
        "summary": "Answer a letter",
        "arguments": [
            { "name": "tone", "description": "How the answer sounds", "example": "warm" },
        ],
    });
    assert_eq!(find(&list, "letter"), Some(letter));
    let categories = find(&list, "classification").expect("it is one of ours");
    assert_eq!(categories["arguments"][0]["name"], json!("categories"));
    assert_eq!(list["language"], json!("en"));
    let broken = list["broken"].as_array().expect("what is broken");
    assert!(broken[0].as_str().is_some_and(|it| it.contains("half.toml: line 1")), "{list}");

    let params = json!({ "folder": folder, "language": "pt" });
    let list = editor.request("promptls/templates", params);
    assert_eq!(list["language"], json!("pt-BR"));
    let params = json!({ "folder": folder, "language": "xx" });
    let error = editor.request_error("promptls/templates", params);
    let reason = "unsupported language `xx`; supported: en, pt-BR";
    assert_eq!(error["message"], json!(reason));
    editor.close();
}

#[test]
fn a_template_becomes_a_prompt_with_its_inputs() {
    const PROMPT: &str = "mail.adk.prompt";
    let mut editor =
        start(&[("promptls.toml", "templates = 'templates'\n"), ("templates/letter.toml", OWN)]);
    let params =
        new_prompt(&editor, PROMPT, json!({ "template": "letter", "arguments": ["warm"] }));
    let answer = editor.request("workspace/executeCommand", params);
    assert_eq!(answer["uri"], json!(editor.uri(PROMPT)));
    editor.apply_next();
    let text = "# Task\n\nAnswer the letter. The tone is warm.\n\n# Input\n\n{letter}\n";
    assert_eq!(editor.text(PROMPT), text);
    let inputs = editor.text("mail.adk.inputs.json");
    assert!(inputs.contains(r#""letter": "Where is my parcel?""#), "{inputs}");
    let variables = editor.text("mail.adk.variables.json");
    assert!(variables.contains("The letter") && !variables.contains("tone"), "{variables}");
    editor.close();
}

#[test]
fn a_prompt_that_cannot_be_created_is_refused_with_the_reason() {
    let mut editor = start(&[("there.adk.prompt", "{name}"), ("half.adk.inputs.json", "{}")]);
    for (path, argument, reason) in [
        (
            "a.adk.prompt",
            json!({ "template": "translatoin" }),
            "unknown template `translatoin`; did you mean `translation`?",
        ),
        (
            "a.adk.prompt",
            json!({ "template": "rag", "dialect": "agentle" }),
            "a.adk.prompt would be read as adk, not as agentle; choose another name or dialect",
        ),
        ("notes.md", json!({ "template": "rag" }), "the dialect of notes.md is unknown"),
        ("there.adk.prompt", json!({ "template": "rag" }), "there.adk.prompt exists already"),
        ("half.adk.prompt", json!({ "template": "rag" }), "half.adk.inputs.json exists already"),
    ] {
        let params = new_prompt(&editor, path, argument);
        let error = editor.request_error("workspace/executeCommand", params);
        assert_eq!(error["message"], json!(reason), "{path}");
    }
    editor.close();
}

#[test]
fn new_prompts_are_in_the_language_of_the_settings() {
    // The lenses show when the settings are read.
    let settings = json!({ "promptls": {
        "newPrompt": { "language": "pt-BR" },
        "codeLens": { "enabled": false },
    } });
    let client = Client { settings: Some(settings), ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&[]));
    editor.ignore_problems();
    for kind in ["inlayHint", "codeLens", "semanticTokens"] {
        editor.next_server_request(&format!("workspace/{kind}/refresh"));
    }
    let params = new_prompt(&editor, "a.adk.prompt", json!({ "template": "rag" }));
    editor.request("workspace/executeCommand", params);
    editor.apply_next();
    let text = editor.text("a.adk.prompt");
    assert!(text.contains("# Tarefa"), "{text}");
    editor.close();
}

/// The titles of the actions at `$0` in `place`, without their common prefix.
fn insertable(
    editor: &mut Editor,
    path: &str,
    place: &str,
    context: Value,
) -> (Vec<Value>, String) {
    let place = editor.place(path, place);
    let position = &place["position"];
    let found = editor.request(
        "textDocument/codeAction",
        json!({
            "textDocument": place["textDocument"],
            "range": { "start": position, "end": position },
            "context": context,
        }),
    );
    let found = found.as_array().cloned().unwrap_or_default();
    let name = |action: &Value| {
        action["title"].as_str()?.strip_prefix("Insert section: ").map(str::to_owned)
    };
    let names: Vec<String> = found.iter().filter_map(name).collect();
    (found, names.join(" "))
}

#[test]
fn sections_are_offered_on_empty_lines_on_request() {
    const ALL: &str = "audience constraints context examples input instructions length output reasoning role task";
    let mut editor = start(&[("a.adk.prompt", "Hello {name}.\n\nBye.\n")]);
    editor.open_file("a.adk.prompt");
    let (invoked, automatic) = (1, 2);
    let prose = "Hel$0lo";
    let blank = ".\n$0\nBye";
    for (place, context, offered) in [
        (blank, json!({ "diagnostics": [], "triggerKind": invoked }), ALL),
        (blank, json!({ "diagnostics": [], "triggerKind": automatic }), ""),
        (blank, json!({ "diagnostics": [], "triggerKind": invoked, "only": ["quickfix"] }), ""),
        (prose, json!({ "diagnostics": [], "triggerKind": invoked }), ""),
        (prose, json!({ "diagnostics": [], "only": ["refactor.rewrite.insertSection"] }), ALL),
    ] {
        let (_, names) = insertable(&mut editor, "a.adk.prompt", place, context.clone());
        assert_eq!(names, offered, "{place:?} {context}");
    }
    editor.close();
}

#[test]
fn a_section_is_inserted_in_the_style_of_the_prompt() {
    for (text, place, name, expected) in [
        ("Hi {name}.\n\nBye.\n", ".\n$0\nBye", "task", "Hi {name}.\n\n# Task\n\n…\n\nBye.\n"),
        ("", "$0", "input", "# Input\n\n{input}\n"),
        ("Hi.", "$0Hi", "role", "Hi.\n\n# Role\n\nYou are ….\n"),
        (
            "<role>\nA\n</role>\n",
            "</role>\n$0",
            "task",
            "<role>\nA\n</role>\n\n<task>\n…\n</task>\n",
        ),
        (
            "--- Role ---\r\nA\r\n\r\nB",
            "A\r\n$0\r\nB",
            "task",
            "--- Role ---\r\nA\r\n\r\n--- Task ---\r\n…\r\n\r\nB",
        ),
    ] {
        let mut editor = start(&[]);
        editor.open("a.adk.prompt", text);
        let context = json!({ "diagnostics": [], "only": ["refactor.rewrite.insertSection"] });
        let (found, _) = insertable(&mut editor, "a.adk.prompt", place, context);
        let title = json!(format!("Insert section: {name}"));
        let action = found.into_iter().find(|action| action["title"] == title);
        let action = action.unwrap_or_else(|| panic!("no section {name} in {text:?}"));
        let action = match action["edit"].is_object() {
            true => action,
            false => editor.request("codeAction/resolve", action),
        };
        editor.apply(&action["edit"]);
        assert_eq!(editor.text("a.adk.prompt"), expected);
        editor.close();
    }
}

#[test]
fn a_word_as_its_own_paragraph_is_completed_to_a_section() {
    let mut editor = start(&[]);
    for (text, place, offered) in [
        ("Hello.\n\nta\n", "ta$0", "task"),
        ("Ta", "Ta$0", "task"),
        ("r", "r$0", "reasoning role"),
        // Prose.
        ("Hello.\nta", "ta$0", ""),
        ("the ta", "ta$0", ""),
        ("ta is", "ta$0", ""),
        ("taxes", "taxes$0", ""),
        ("", "$0", ""),
    ] {
        editor.open("a.adk.prompt", text);
        let place = editor.place("a.adk.prompt", place);
        let found = editor.request("textDocument/completion", place);
        let labels = found.as_array().into_iter().flatten().map(|item| item["label"].as_str());
        let labels: Vec<&str> = labels.flatten().collect();
        assert_eq!(labels.join(" "), offered, "{text:?}");
        editor.close_document("a.adk.prompt");
    }
    editor.close();
}
