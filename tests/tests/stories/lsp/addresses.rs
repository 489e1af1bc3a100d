//! Documents without files: not saved yet, or in a folder that only the editor can read.

use promptls_tests::{Editor, Workspace};
use serde_json::json;

const UNTITLED: &str = "untitled:Untitled-1";

#[test]
fn an_untitled_prompt_has_problems_hovers_and_a_preview() {
    // It is in no folder, so that this is no sidecar of it.
    let beside = ("Untitled-1.inputs.json", r#"{"name": "Ada"}"#);
    let mut editor = Editor::start(Workspace::new(&[beside]));
    editor.open_in_language(UNTITLED, "prompt-agentle", "Dear {{ name }} {{#if x}}");
    editor.wait_for_codes(UNTITLED, &["no-inputs", "unclosed-block"]);
    editor.replace(UNTITLED, " {{#if x}}", ",");
    editor.wait_for_codes(UNTITLED, &["no-inputs"]);
    let hover = editor.hover(UNTITLED, "{{ na$0me }}");
    assert!(hover.is_some_and(|hover| hover.contains("`name`")));

    let document = json!({ "textDocument": { "uri": UNTITLED } });
    let preview = editor.request("promptls/preview", document.clone());
    assert_eq!(preview["text"], "Dear {{ name }},");
    assert_eq!(preview["cases"], json!([]));
    assert_eq!(editor.request("textDocument/codeLens", document)[1], json!(null));
    let create = json!({ "command": "promptls.createInputs", "arguments": [{ "uri": UNTITLED }] });
    let refused = editor.request_error("workspace/executeCommand", create);
    assert_eq!(refused["message"], "save the prompt first, it has no file yet");
    editor.close();
}

#[test]
fn an_unsaved_sidecar_is_used() {
    let mut editor = Editor::start(Workspace::new(&[("a.adk.prompt", "Dear {name}")]));
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a.adk.prompt", &["no-inputs"]);
    // The URI that VS Code gives a new file that has a name and is not saved.
    let file = editor.workspace().uri("a.adk.inputs.json");
    let new = file.replace("file://", "untitled:");
    editor.open(&new, r#"{"name": "Ada"}"#);
    editor.wait_for_codes("a.adk.prompt", &[]);
    editor.replace(&new, r#""Ada""#, "");
    editor.wait_for_codes(&new, &["invalid-inputs"]);

    editor.close_document(&new);
    editor.wait_for_codes("a.adk.prompt", &["no-inputs"]);
    editor.close();
}

#[test]
fn a_prompt_in_a_virtual_folder_uses_open_documents_of_that_folder() {
    // The same path on this machine is another folder.
    let files = [("a.adk.prompt", "{x}"), ("a.adk.inputs.json", "{")];
    let mut editor = Editor::start(Workspace::new(&files));
    let address = |editor: &Editor, path: &str| {
        editor.workspace().uri(path).replace("file://", "vscode-vfs://github")
    };
    let [prompt, inputs, config] =
        ["a.adk.prompt", "a.adk.inputs.json", "promptls.toml"].map(|path| address(&editor, path));
    editor.open(&prompt, "Dear {name}, {other}");
    editor.wait_for_codes(&prompt, &["no-inputs"]);
    editor.open(&inputs, r#"{"name": {"$file": "name.txt"}}"#);
    editor.wait_for_problems(
        &inputs,
        &["`name.txt` cannot be read: it is not on this machine; open it in the editor"],
    );
    editor.set_text(&inputs, r#"{"name": "Ada"}"#);
    editor.wait_for_codes(&prompt, &["undefined-placeholder"]);

    editor.open(&config, "[problems]\nundefined-placeholder = \"off\"\n");
    editor.wait_for_codes(&prompt, &[]);
    let params = editor.place(&prompt, "{na$0me}");
    let definition = editor.request("textDocument/definition", params);
    assert_eq!(definition.to_string().matches(&inputs).count(), 1, "{definition}");
    editor.close();
}

#[test]
fn an_old_revision_is_checked_separately_from_the_file() {
    let files = [("a.adk.prompt", "Dear {name}"), ("a.adk.inputs.json", r#"{"name": "Ada"}"#)];
    for scheme in ["git", "vscode-vfs", "http", "fugitive"] {
        let mut editor = Editor::start(Workspace::new(&files));
        let old = |editor: &Editor, path: &str| {
            let address = editor.workspace().uri(path).replace("file", scheme);
            format!("{address}?ref=HEAD")
        };
        editor.open_file("a.adk.prompt");
        editor.wait_for_codes("a.adk.prompt", &[]);

        // Its dialect is in its name, and it has none of the current inputs.
        let prompt = old(&editor, "a.adk.prompt");
        editor.open(&prompt, "Dear {nmae}");
        editor.wait_for_codes(&prompt, &["no-inputs"]);
        let inputs = old(&editor, "a.adk.inputs.json");
        editor.open(&inputs, r#"{"other": "Eve"}"#);
        editor.wait_for_codes(&prompt, &["undefined-placeholder"]);
        let config = old(&editor, "promptls.toml");
        editor.open(&config, "[problems]\nundefined-placeholder = \"off\"\n");
        editor.wait_for_codes(&prompt, &[]);
        editor.wait_for_codes(&inputs, &["unused-input"]);

        // The result after it shows that the file has not been followed.
        editor.replace("a.adk.prompt", "Dear", "Hello {other}");
        editor.wait_for_codes("a.adk.prompt", &["undefined-placeholder"]);
        let document = json!({ "textDocument": { "uri": editor.workspace().uri("a.adk.prompt") } });
        assert_eq!(editor.request("promptls/preview", document)["cases"][0]["name"], "default");
        for other in [&prompt, &inputs, &config] {
            editor.close_document(other);
        }
        editor.replace("a.adk.prompt", " {other}", "");
        editor.wait_for_codes("a.adk.prompt", &[]);
        editor.close();
    }
}

#[test]
fn an_old_revision_has_the_rules_of_its_path() {
    let config = "[[prompts]]\nfiles = ['*.txt']\ndialect = 'agentle'\ninputs = ['state.json']\n";
    let files = [
        ("my work/promptls.toml", config),
        ("my work/a.txt", "{{name}}"),
        ("my work/state.json", r#"{"name": 1}"#),
    ];
    // As VS Code formats it, and as others do.
    for start in ["git:", "git://"] {
        let mut editor = Editor::start(Workspace::new(&files));
        let path = editor.workspace().uri("my work/a.txt").replace("file://", "");
        let old = format!("{start}{path}?ref=HEAD");
        editor.open_file("my work/a.txt");
        editor.wait_for_codes("my work/a.txt", &[]);
        // It is a prompt, in the dialect of the rule, without the current values.
        editor.open_in_language(&old, "plaintext", "{{nmae}} {{#if x}}");
        editor.wait_for_codes(&old, &["no-inputs", "unclosed-block"]);
        editor.open_file("my work/promptls.toml");
        editor.replace("my work/promptls.toml", "agentle", "adk");
        editor.wait_for(&old, "another dialect", |problems| {
            !problems.iter().any(|problem| problem["code"] == "unclosed-block")
        });
        editor.ignore_problems();
        editor.close();
    }
}
