//! The engine that a rule names, in an editor.

use promptls_tests::{Editor, Workspace};
use serde_json::{Value, json};

const CONFIG: &str =
    "[[prompts]]\nfiles = ['*.prompt']\nengine = 'adk-python@2.13'\ndialect = 'adk'\n";

fn preview(editor: &mut Editor) -> Value {
    let uri = editor.workspace().uri("a.prompt");
    editor.request("promptls/preview", json!({ "textDocument": { "uri": uri } }))
}

#[test]
fn an_editor_shows_what_the_engine_sends_and_follows_a_change_of_it() {
    let workspace = Workspace::new(&[
        ("promptls.toml", CONFIG),
        ("a.prompt", "{list} ${list}"),
        ("a.inputs.json", r#"{"list": ["x", true]}"#),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open_file("a.prompt");
    let shown = preview(&mut editor);
    assert_eq!(shown["engine"], "adk-python@2.13");
    assert_eq!(shown["text"], "['x', True] ${list}");
    let hover = editor.hover("a.prompt", "{li$0st} ${list}").expect("there is a value");
    assert!(hover.contains("['x', True]"), "{hover}");
    // Nothing is a placeholder behind a sign.
    assert_eq!(editor.hover("a.prompt", "{list} ${li$0st}"), None);

    // The sign goes, and comes back.
    editor.set_text("a.prompt", "{list} {list}");
    assert_eq!(preview(&mut editor)["text"], "['x', True] ['x', True]");
    editor.set_text("a.prompt", "{list} ${list}");
    assert_eq!(preview(&mut editor)["text"], "['x', True] ${list}");

    // Another engine, while its rule is typed.
    editor.open_file("promptls.toml");
    editor.set_text("promptls.toml", &CONFIG.replace("adk-python@2.13", "adk-go"));
    let shown = preview(&mut editor);
    assert_eq!(
        (&shown["engine"], &shown["text"]),
        (&json!("adk-go"), &json!("[x true] $[x true]"))
    );
    editor.set_text("promptls.toml", &CONFIG.replace("adk-python@2.13", "adk-pyton"));
    editor.wait_for_codes("promptls.toml", &["invalid-config"]);
    let hover = editor.hover("a.prompt", "{li$0st} ${list}").expect("there is a value");
    assert!(hover.contains("[x, true]"), "{hover}");
    editor.close();
}

#[test]
fn several_engines_are_compared_as_one_types() {
    let config = "[[prompts]]\nfiles = ['*.prompt']\nengines = ['adk-java', 'adk-js']\n[problems]\nunused-input = 'off'\n";
    let workspace = Workspace::new(&[
        ("promptls.toml", config),
        ("a.prompt", "{list}"),
        ("a.inputs.json", r#"{"list": ["x", true], "text": "t"}"#),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open_file("a.prompt");
    editor.wait_for_problems(
        "a.prompt",
        &["`adk-java` sends `[x, true]`, `adk-js` sends `[\"x\",true]`"],
    );
    editor.set_text("a.prompt", "{text}");
    editor.wait_for_problems("a.prompt", &[]);
    editor.close();
}
