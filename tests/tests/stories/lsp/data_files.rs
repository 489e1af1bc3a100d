//! Values of data files that code loads and uses as prompts, in an editor.

use promptls_tests::{Editor, Workspace};
use serde_json::json;

const AGENT: &str = r#"import yaml
from google.adk.agents import Agent

CONFIG = yaml.safe_load(open("config.yaml"))
a = Agent(name="a", instruction=CONFIG["one"]["text"], output_key="topic")
b = Agent(name="b", instruction="About {topic}.")
"#;

const CONFIG: &str = "one:\n  text: Name a {topik}.\ntwo:\n  text: Not a {topik}.\n";

const MISSPELT: &str = "nothing in this app sets `topik`; did you mean `topic`?";

#[test]
fn a_value_is_a_prompt_while_code_uses_it() {
    let files = [
        ("agent.py", AGENT),
        ("config.yaml", CONFIG),
        ("requirements.txt", "google-adk==2.13.0\n"),
    ];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file("config.yaml");
    editor.wait_for_problems("config.yaml", &[MISSPELT]);
    editor.replace("config.yaml", "Name a {topik}", "Name a {topic}");
    editor.wait_for_problems("config.yaml", &[]);
    let hover = editor.hover("config.yaml", "Name a {to$0pic}").expect("it has a hover");
    assert!(hover.starts_with("**`topic`**"), "{hover}");

    // What is typed in the code counts at once.
    editor.open_file("agent.py");
    editor.replace("agent.py", "CONFIG[\"one\"]", "CONFIG[\"two\"]");
    editor.wait_for_problems("config.yaml", &[MISSPELT]);
    editor.replace("agent.py", "CONFIG[\"two\"]", "CONFIG[\"three\"]");
    editor.wait_for_problems("config.yaml", &[]);
    editor.wait_for_problems(
        "agent.py",
        &["the text of `instruction` comes from `CONFIG[\"three\"][…]`, so it is not checked"],
    );
    editor.replace("config.yaml", "two:", "three:");
    editor.wait_for_problems("config.yaml", &[MISSPELT]);
    editor.wait_for_problems("agent.py", &[]);

    editor.replace("config.yaml", "Not a {topik}", "Not a {topic}");
    editor.wait_for_problems("config.yaml", &[]);
    let mut params = editor.place("agent.py", "About {to$0pic}");
    params["newName"] = json!("theme");
    let edit = editor.request("textDocument/rename", params);
    editor.apply(&edit);
    assert!(editor.text("config.yaml").contains("Not a {theme}"), "{}", editor.text("config.yaml"));
    assert_eq!(editor.text("agent.py"), AGENT.replace("topic", "theme").replace("one", "three"));
    editor.wait_for_problems("config.yaml", &[]);
    editor.close();
}
