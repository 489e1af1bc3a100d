//! Values of data files that code loads and uses as prompts, on the command line.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const AGENT: &str = r#"import json, yaml
from pathlib import Path
from google.adk.agents import Agent

with open(Path(__file__).parent / "config.yaml") as file:
    CONFIG = yaml.safe_load(file)
TEXTS = json.loads((Path(__file__).parent / "texts.json").read_text())

a = Agent(name="a", model="m", instruction=CONFIG["check"]["instruction"], output_key="topic")
b = Agent(name="b", model="m", instruction=f"{TEXTS['tone']} About {{topic}}.")
c = Agent(name="c", model="m", instruction=CONFIG["gone"])
d = Agent(name="d", model="m", instruction=json.load(open("none.json"))["x"])
"#;

const CONFIG: (&str, &str) = (
    "config.yaml",
    "model: m\ncheck:\n  instruction: >\n    Check {topik},\n    {topic}.\nnote: '{no}'\n",
);

fn application(config: (&str, &str)) -> Workspace {
    Workspace::new(&[
        ("agent.py", AGENT),
        ("requirements.txt", "google-adk==2.13.0\n"),
        config,
        ("texts.json", r#"{"tone": "Be kind.", "note": "{no}"}"#),
        ("README.md", "Write {this}.\n"),
    ])
}

#[track_caller]
fn run(workspace: &Workspace, arguments: &[&str], expected: Expect) {
    let output = promptls(arguments).cwd(workspace.root()).run();
    let code = output.code.unwrap_or(-1);
    expected.assert_eq(&format!("{}{}--- {code}\n", output.stdout, output.stderr));
}

#[test]
fn a_value_that_code_uses_is_a_prompt_of_its_file() {
    let workspace = application(CONFIG);
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
        agent.py#b                     adk-python@2.13  google.adk.agents.LlmAgent(instruction)
        config.yaml#check.instruction  adk-python@2.13  google.adk.agents.LlmAgent(instruction)
        2 prompts not read:
          agent.py:11:44: the text of `instruction` comes from `CONFIG[…]`, so it is not checked
          agent.py:12:44: the text of `instruction` comes from `json.load(open("none.json"))[…]`, so it is not checked
        --- 0
    "#]],
    );
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        agent.py:11:44: hint [computed-prompt] the text of `instruction` comes from `CONFIG[…]`, so it is not checked
        agent.py:12:44: hint [computed-prompt] the text of `instruction` comes from `json.load(open("none.json"))[…]`, so it is not checked
        config.yaml:4:12: warning [undefined-placeholder] nothing in this app sets `topik`; did you mean `topic`?
        2 prompts checked, 2 not read: 1 warning, 2 hints
        --- 0
    "#]],
    );
    // The file alone is the same prompt.
    run(
        &workspace,
        &["check", "--format", "concise", "config.yaml"],
        expect![[r#"
        config.yaml:4:12: warning [undefined-placeholder] nothing in this app sets `topik`; did you mean `topic`?
        1 prompt checked: 1 warning
        --- 0
    "#]],
    );
    let values = ["--set", "topik=x", "--set", "topic=y"];
    let prompt = ["resolve", "config.yaml#check.instruction"];
    run(
        &workspace,
        &[&prompt[..], &values].concat(),
        expect![[r#"
        Check x, y.
        --- 0
    "#]],
    );
    // A value is a part of a text, too.
    run(
        &workspace,
        &["resolve", "agent.py#b", "--set", "topic=y"],
        expect![[r#"
        Be kind. About y.--- 0
    "#]],
    );
    workspace.write("config.check.instruction.inputs.json", r#"{"topik": "x", "topic": "y"}"#);
    run(
        &workspace,
        &["check", "--list", "config.yaml"],
        expect![[r#"
            config.yaml#check.instruction  adk-python@2.13  its content  default
            1 prompt
            --- 0
        "#]],
    );
}

#[test]
fn code_excluded_from_a_search_still_uses_values() {
    let workspace = application(CONFIG);
    run(
        &workspace,
        &["check", "--exclude", "*.py", "--format", "concise"],
        expect![[r#"
        config.yaml:4:12: warning [undefined-placeholder] nothing in this app sets `topik`; did you mean `topic`?
        1 prompt checked: 1 warning
        --- 0
    "#]],
    );
}

#[test]
fn a_data_file_that_cannot_be_read_is_an_error() {
    let workspace = application(("config.yaml", "check:\n  instruction: 'Check {topic}\n"));
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        agent.py:12:44: hint [computed-prompt] the text of `instruction` comes from `json.load(open("none.json"))[…]`, so it is not checked
        config.yaml:2:16: error [unreadable-file] this file ends inside a quoted text; add the closing quote
        1 prompt checked, 1 not read, 1 file not fully read: 1 error, 1 hint
        --- 2
    "#]],
    );
}

/// Applications load their prompts with a helper in another module, and use `get`.
#[test]
fn a_helper_of_another_module_loads_the_values() {
    let workspace = Workspace::new(&[
        (
            "shop/files.py",
            "from pathlib import Path\nimport yaml\n\n\
             def load_yaml(name):\n    \"\"\"Reads a file beside this one.\"\"\"\n    \
             with open(Path(__file__).parent / name) as file:\n        \
             return yaml.safe_load(file)\n",
        ),
        ("shop/__init__.py", "from .files import load_yaml\n"),
        (
            "shop/agent.py",
            "from google.adk.agents import Agent\nfrom . import files\nfrom .files import load_yaml\n\
             PROMPTS = load_yaml('prompts.yaml')\n\
             a = Agent(name='a', model='m', instruction=PROMPTS['a'], output_key='facts')\n\
             b = Agent(name='b', model='m', instruction=PROMPTS.get('b', {}).get('text'))\n\
             c = Agent(name='c', model='m', instruction=files.load_yaml('more.yaml')['c'][1]['text'])\n\
             d = Agent(name='d', model='m', instruction=PROMPTS.get('d', 'Say {fakt}.'))\n",
        ),
        ("shop/prompts.yaml", "a: Find {x?}.\nb:\n  text: Use {fakts}.\nother: '{no}'\n"),
        ("shop/more.yaml", "c:\n- text: Not {this}.\n- text: Check {facts}.\n"),
        ("requirements.txt", "google-adk==2.13.0\n"),
    ]);
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
            shop/agent.py#d           adk-python@2.13  google.adk.agents.LlmAgent(instruction)
            shop/more.yaml#c.1.text   adk-python@2.13  google.adk.agents.LlmAgent(instruction)
            shop/prompts.yaml#a       adk-python@2.13  google.adk.agents.LlmAgent(instruction)
            shop/prompts.yaml#b.text  adk-python@2.13  google.adk.agents.LlmAgent(instruction)
            1 prompt not read:
              shop/files.py:7:16: the text of `load_yaml` comes from `yaml.safe_load(…)`, so it is not checked
            --- 0
        "#]],
    );
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
            shop/agent.py:8:67: warning [undefined-placeholder] nothing in this app sets `fakt`; did you mean `facts`?
            shop/files.py:7:16: hint [computed-prompt] the text of `load_yaml` comes from `yaml.safe_load(…)`, so it is not checked
            shop/prompts.yaml:3:14: warning [undefined-placeholder] nothing in this app sets `fakts`; did you mean `facts`?
            4 prompts checked, 1 not read: 2 warnings, 1 hint
            --- 0
        "#]],
    );
}

/// Without a manifest, the engine of a value is that of the code, as for text files.
#[test]
fn a_value_has_the_engine_of_the_code_that_reads_it() {
    let app = application(CONFIG);
    app.remove("requirements.txt");
    run(
        &app,
        &["prompts", "config.yaml"],
        expect![[r#"
        config.yaml#check.instruction  adk-python  google.adk.agents.LlmAgent(instruction)
        --- 0
    "#]],
    );
}
