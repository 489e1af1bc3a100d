//! Agents and tasks that configurations of CrewAI name, in an editor.

use promptls_tests::{Editor, Workspace};
use serde_json::json;

const TASKS: &str = "config/tasks.yaml";

const YAML: &str = "report:
  description: Report.
  expected_output: A text.
  agent: writr
";

const CREW: &str = "from crewai.project import CrewBase, agent

@CrewBase
class Report:
    @agent
    def writer(self): ...
";

#[test]
fn the_agent_of_a_task_leads_to_its_method_and_is_completed() {
    let mut editor = Editor::start(Workspace::new(&[(TASKS, YAML), ("crew.py", CREW)]));
    editor.open_file(TASKS);
    let missing = "`Report` has no agent `writr`, so it raises KeyError: 'writr'";
    editor.wait_for_problems(TASKS, &[&format!("{missing}; did you mean `writer`?")]);
    let items = editor.complete(TASKS, "agent: wr$0itr");
    assert_eq!((items.len(), &items[0]["label"]), (1, &json!("writer")));
    editor.replace(TASKS, "writr", "writer");
    editor.wait_for_problems(TASKS, &[]);
    let definition = editor.request("textDocument/definition", editor.place(TASKS, "wri$0ter"));
    assert_eq!(definition[0]["targetRange"]["start"], json!({"line": 5, "character": 8}));

    // The name of a method is followed before the file is saved.
    editor.open_file("crew.py");
    editor.replace("crew.py", "def writer", "def author");
    let missing = "`Report` has no agent `writer`, so it raises KeyError: 'writer'";
    editor.wait_for_problems(TASKS, &[missing]);
    editor.close();
}
