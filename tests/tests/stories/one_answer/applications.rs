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

/// Applications of several packages: each has a prompt in one, and `topic` is set in another. A file
/// around them declares that they belong together, or one of them imports or names the other one.
const PACKAGES: [&[(&str, &str)]; 9] = [
    &[
        ("texts/ask.go", "package texts\n\nconst Ask = \"{topik} {topic}\"\n"),
        ("go.work", "go 1.24\n\nuse (\n\t./agents\n\t./texts\n)\n"),
        ("texts/go.mod", "module example.com/texts\n"),
        ("agents/go.mod", "module example.com/agents\n"),
        (
            "agents/agent.go",
            "package agents\n\nimport (\n\t\"example.com/texts\"\n\
             \t\"google.golang.org/adk/agent/llmagent\"\n)\n\n\
             var a, _ = llmagent.New(llmagent.Config{Name: \"a\", Instruction: texts.Ask})\n\
             var b, _ = llmagent.New(llmagent.Config{Name: \"b\", OutputKey: \"topic\"})\n",
        ),
    ],
    &[
        (
            "packages/agents/agent.ts",
            "import { LlmAgent } from '@google/adk';\n\
             const a = new LlmAgent({ name: 'a', instruction: '{topik} {topic}' });\n",
        ),
        ("package.json", r#"{"workspaces": ["packages/*"]}"#),
        ("packages/agents/package.json", r#"{"dependencies": {"@google/adk": "1.2.0"}}"#),
        ("packages/tools/package.json", "{}"),
        ("packages/tools/tool.ts", "export const f = (c: Context) => c.state.set('topic', 1);\n"),
    ],
    &[
        (
            "agents/src/main/java/Agents.java",
            "import com.google.adk.agents.LlmAgent;\nclass Agents {\n  LlmAgent a = \
             LlmAgent.builder().name(\"a\").instruction(\"{topik} {topic}\").build();\n}\n",
        ),
        ("settings.gradle.kts", "include(\":agents\", \":tools\")\n"),
        ("agents/build.gradle.kts", ""),
        ("tools/build.gradle.kts", ""),
        (
            "tools/src/main/java/Tool.java",
            "class Tool { void f(Context c) { c.state().put(\"topic\", 1); } }\n",
        ),
    ],
    &[
        (
            "agents/ask/agent.py",
            "from google.adk.agents import Agent\nfrom agents.finder.agent import finder\n\
             a = Agent(name='a', instruction='{topik} {topic}', sub_agents=[finder])\n",
        ),
        (".git/HEAD", ""),
        ("agents/ask/requirements.txt", ""),
        ("agents/finder/pyproject.toml", ""),
        (
            "agents/finder/agent.py",
            "from google.adk.agents import Agent\n\
             finder = Agent(name='finder', instruction='Find.', output_key='topic')\n",
        ),
        ("agents/other/requirements.txt", ""),
        ("agents/other/tools.py", "def f(context):\n  context.state['topik'] = 1\n"),
    ],
    &[
        ("finder/agent.py", AGENT),
        (".git/HEAD", ""),
        ("finder/requirements.txt", ""),
        ("main/requirements.txt", ""),
        (
            "main/run.py",
            "from google.adk.runners import Runner\nfrom finder import agent\n\
             from tools.keys import keep\nRunner(agent=agent.a)\n",
        ),
        ("tools/setup.py", ""),
        ("tools/keys.py", SETTER),
    ],
    &[
        (
            "agents/agent.ts",
            "import { LlmAgent } from '@google/adk';\nimport { f } from '../tools/tool.js';\n\
             const a = new LlmAgent({ name: 'a', instruction: '{topik} {topic}', tools: [f] });\n",
        ),
        (".git/HEAD", ""),
        ("agents/package.json", r#"{"dependencies": {"@google/adk": "1.2.0"}}"#),
        ("tools/package.json", "{}"),
        ("tools/tool.ts", "export const f = (c: Context) => c.state.set('topic', 1);\n"),
    ],
    &[
        ("agents/agent.py", AGENT),
        (".git/HEAD", ""),
        ("agents/requirements.txt", "google-adk\n-e ../tools # ours\n"),
        ("tools/pyproject.toml", ""),
        ("tools/tool.py", SETTER),
    ],
    &[
        ("examples/agent.py", AGENT),
        (".git/HEAD", ""),
        ("examples/pyproject.toml", "[tool.uv.sources]\nours = { path = \"..\" }\n"),
        ("pyproject.toml", ""),
        ("tool.py", SETTER),
    ],
    &[
        (
            "agents/agent.ts",
            "import { LlmAgent } from '@google/adk';\nimport { f } from '@own/tools';\n\
             const a = new LlmAgent({ name: 'a', instruction: '{topik} {topic}', tools: [f] });\n",
        ),
        (".git/HEAD", ""),
        ("agents/package.json", r#"{"dependencies": {"@own/tools": "file:../tools"}}"#),
        ("tools/package.json", "{}"),
        ("tools/tool.ts", "export const f = (c: Context) => c.state.set('topic', 1);\n"),
    ],
];

#[test]
fn packages_that_belong_together_are_one_application() {
    for files in PACKAGES {
        let prompt = files[0].0;
        let package = prompt.rsplit_once('/').expect("it is in a package").0;
        for opened in ["", package] {
            let layout = format!("{prompt}, opened at `{opened}`");
            let checked = check_in_each_program(files, prompt, opened, &layout);
            let is_known = !checked.iter().any(|it| it.contains("sets `topic`"));
            assert!(is_known, "{layout}: {checked:?}");
        }
    }
}

fn compare(root: &[&str], setter: &str, opened: &str) {
    let text = if setter.ends_with(".py") { SETTER } else { "keys: [topic]\n" };
    let marks = root.iter().map(|name| (*name, ""));
    let packages = [("app/__init__.py", ""), ("app/agents/__init__.py", "")];
    let files: Vec<(&str, &str)> =
        marks.chain(packages).chain([("app/agents/agent.py", AGENT), (setter, text)]).collect();
    let layout = format!("{root:?}, {setter}, opened at `{opened}`");
    check_in_each_program(&files, "app/agents/agent.py", opened, &layout);
}

/// Checks that each program reports `topik` in a prompt, and the same as others. Returns that.
fn check_in_each_program(
    files: &[(&str, &str)],
    prompt: &str,
    opened: &str,
    layout: &str,
) -> Vec<String> {
    let workspace = Workspace::new(files);
    let folder = workspace.path(opened);
    let run = |arguments: &[&str]| promptls(arguments).cwd(&folder).run();
    let output = run(&["check", "--format", "json", "--exit-zero"]);
    let report: serde_json::Value = serde_json::from_str(&output.stdout).expect(layout);
    let found = report["problems"].as_array().expect(layout).iter();
    let name = prompt.rsplit('/').next().expect("it has a name");
    let of_agent = found.filter(|it| it["file"].as_str().is_some_and(|file| file.ends_with(name)));
    let checked: Vec<&str> = of_agent.filter_map(|it| it["message"].as_str()).collect();
    assert!(checked.iter().any(|it| it.contains("nothing in this app sets `topik`")), "{layout}");

    // Without a value, the engine fails in each layout.
    let relative = if opened.is_empty() { prompt } else { name };
    for command in ["resolve", "preview"] {
        let output = run(&[command, relative]);
        let shown = format!("{}{}", output.stdout, output.stderr);
        // The engine in Go does not name the key.
        let is_named = shown.contains("topik") || shown.contains("state key does not exist");
        assert!(is_named, "{layout}: {command}: {shown}");
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
    editor.open_file(prompt);
    editor.wait_for_problems(prompt, &checked);
    editor.close();
    checked.into_iter().map(str::to_owned).collect()
}
