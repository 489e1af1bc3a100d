//! Prompts in code with parts from other files, in an editor.

use promptls_tests::{Client, Editor, Workspace};
use serde_json::json;

const AGENT: &str = "from google.adk.agents import LlmAgent\nfrom texts import BASE\n\
    a = LlmAgent(name='a', instruction=f'{BASE} Go.')\n";

fn start() -> Editor {
    let files = [
        ("agent.py", AGENT),
        ("texts.py", "from more import END\nBASE = f'Be polite. {END}'\n"),
        ("more.py", "END = 'The end.'\n"),
        ("requirements.txt", "google-adk==2.13.0\n"),
    ];
    let initialization_options = json!({ "preview": true });
    let client = Client { initialization_options, ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&files));
    editor.ignore_problems();
    editor
}

/// Waits until the preview of the prompt has a text.
#[track_caller]
fn wait_for_text(editor: &mut Editor, expected: &str) {
    let uri = editor.workspace().uri("agent.py");
    loop {
        let params = json!({ "textDocument": { "uri": uri } });
        let preview = editor.request("promptls/preview", params);
        if preview["text"] == expected {
            return;
        }
        // Fails if the preview does not change any more.
        editor.next_notification("promptls/previewChanged");
    }
}

#[test]
fn the_preview_follows_edits_of_other_files() {
    let mut editor = start();
    editor.open_file("agent.py");
    wait_for_text(&mut editor, "Be polite. The end. Go.");
    editor.open_file("texts.py");
    editor.replace("texts.py", "polite", "kind");
    wait_for_text(&mut editor, "Be kind. The end. Go.");
    editor.open_file("more.py");
    editor.replace("more.py", "The end.", "Bye.");
    wait_for_text(&mut editor, "Be kind. Bye. Go.");
    editor.replace("texts.py", "{END}", "{now()}");
    wait_for_text(&mut editor, "{BASE} Go.");
    editor.replace("texts.py", "{now()}", "Well.");
    wait_for_text(&mut editor, "Be kind. Well. Go.");
    editor.ignore_notifications("promptls/previewChanged");
    editor.close();
}
