//! One prompt with its inputs, open in an editor: the starting point for tests of the server
//! itself.

use serde_json::Value;

use crate::{Client, Editor, Workspace, hover_text};

/// The path of the prompt in the workspace.
pub const PROMPT: &str = "letter.agentensemble.prompt";

/// The path of its inputs in the workspace.
pub const INPUTS: &str = "letter.agentensemble.inputs.json";

/// One prompt with all its values.
pub fn letter() -> Workspace {
    Workspace::new(&[
        (PROMPT, "Dear {customer},"),
        (INPUTS, r#"{"customer": "Ada", "city": "London"}"#),
    ])
}

/// An editor with that prompt open.
#[track_caller]
pub fn start() -> Editor {
    start_as(Client::default())
}

/// The same with an editor of these properties.
#[track_caller]
pub fn start_as(client: Client) -> Editor {
    let mut editor = Editor::start_as(client, letter());
    // `city` is unused most of the time, which these tests are not about.
    editor.ignore_problems();
    editor.open_file(PROMPT);
    editor
}

/// Checks that the server responds, and has the text and the inputs.
#[track_caller]
pub fn assert_is_alive(editor: &mut Editor) {
    let hover = editor.hover("letter", "{cust$0omer}").unwrap_or_default();
    assert!(hover.contains("Ada"), "the hover over `customer` is {hover:?}");
}

/// Whether the response to a hover contains a value.
pub fn shows(answer: &Result<Value, Value>, value: &str) -> bool {
    let hover = answer.as_ref().ok().and_then(hover_text);
    hover.is_some_and(|text| text.contains(value))
}
