//! Memory that is no longer needed is given back to the system.

use promptls_tests::{Editor, Workspace, memory_kib, wait_until};
use serde_json::json;

const DOCUMENTS: usize = 120;

/// 8 KB of code with a hundred prompts.
fn agents() -> String {
    let agent = |number| {
        format!(
            "a{number} = Agent(name='a', instruction='Do {{x{number}}} in {{y}}', output_key='k{number}')\n"
        )
    };
    let agents: String = (0..100).map(agent).collect();
    format!("from google.adk.agents import Agent\n{agents}")
}

#[test]
fn closed_documents_of_code_are_given_back() {
    let code = agents();
    let names: Vec<String> = (0..DOCUMENTS).map(|number| format!("a{number}.py")).collect();
    let mut editor = Editor::start(Workspace::new(&[]));
    editor.ignore_problems();
    let server = editor.server_id();
    let before = memory_kib(server);
    for name in &names {
        editor.open(name, &code);
    }
    // Responses come in order, so all documents are read by then.
    let uri = editor.workspace().uri(&names[DOCUMENTS - 1]);
    let position = json!({ "line": 1, "character": 40 });
    let place = json!({ "textDocument": { "uri": uri }, "position": position });
    editor.request("textDocument/hover", place);
    let opened = memory_kib(server) - before;
    // Else there is nothing to give back.
    assert!(opened > 16 * 1024, "{opened} KiB");
    for name in &names {
        editor.close_document(name);
    }
    wait_until("their memory is given back", || memory_kib(server) < before + opened / 3);
    editor.close();
}
