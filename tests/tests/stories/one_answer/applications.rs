//! An application has the same extent in every program: wherever it is opened or checked, and
//! whichever files mark its root, the same names are reported as set by nothing.

use promptls_tests::{Client, Editor, Workspace, promptls};
use serde_json::json;

const AGENT: &str = "from google.adk.agents import Agent\n\
    a = Agent(name='a', instruction='{topik} {topic}', output_key='done')\n";

const SETTER: &str = "def f(context):\n  context.state['topic'] = 1\n";

/// The files that mark the root, each with the reason why it does.
const ROOTS: [&[&str]; 5] = [
    &[],
    &["requirements.txt"],
    &["pyproject.toml", ".git/HEAD"],
    &[".git/HEAD"],
    &["promptls.toml"],
];

/// The file that sets `topic`: beside the agent, in another package, or in the folder above.
const SETTERS: [&str; 4] = ["app/agents/tools.py", "app/other/tools.py", "tools.py", "app/a.yaml"];

/// The folders that are checked, and open in the editor.
const OPENED: [&str; 2] = ["", "app/agents"];

#[test]
fn each_layout_has_consistent_results() {
    let mut layouts = 0;
    for root in ROOTS {
        for setter in SETTERS {
            for opened in OPENED {
                compare(root, setter, opened);
                layouts += 1;
            }
        }
    }
    assert_eq!(layouts, 40);
}

fn compare(root: &[&str], setter: &str, opened: &str) {
    let text = if setter.ends_with(".py") { SETTER } else { "keys: [topic]\n" };
    let marks = root.iter().map(|name| (*name, ""));
    let packages = [("app/__init__.py", ""), ("app/agents/__init__.py", "")];
    let files: Vec<(&str, &str)> =
        marks.chain(packages).chain([("app/agents/agent.py", AGENT), (setter, text)]).collect();
    let layout = format!("{root:?}, {setter}, opened at `{opened}`");

    let workspace = Workspace::new(&files);
    let folder = workspace.path(opened);
    let run = |arguments: &[&str]| promptls(arguments).cwd(&folder).run();
    let output = run(&["check", "--format", "json", "--exit-zero"]);
    let report: serde_json::Value = serde_json::from_str(&output.stdout).expect(&layout);
    let found = report["problems"].as_array().expect(&layout).iter();
    let of_agent = found.filter(|it| it["file"].as_str().is_some_and(|file| file.ends_with(".py")));
    let checked: Vec<&str> = of_agent.filter_map(|it| it["message"].as_str()).collect();
    assert!(checked.iter().any(|it| it.contains("nothing in this app sets `topik`")), "{layout}");

    // Without a value, the engine fails in each layout.
    let prompt = if opened.is_empty() { "app/agents/agent.py" } else { "agent.py" };
    for command in ["resolve", "preview"] {
        let output = run(&[command, prompt]);
        let shown = format!("{}{}", output.stdout, output.stderr);
        assert!(shown.contains("topik"), "{layout}: {command}: {shown}");
    }

    let client = Client::default();
    let capabilities = client.capabilities();
    let mut editor = Editor::start_silent(client, workspace);
    let uri = editor.uri(opened);
    let root = json!({ "uri": uri.trim_end_matches('/'), "name": "opened" });
    let params =
        json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": [root] });
    editor.request("initialize", params);
    editor.notify("initialized", json!({}));
    editor.open_file("app/agents/agent.py");
    editor.wait_for_problems("app/agents/agent.py", &checked);
    editor.close();
}
