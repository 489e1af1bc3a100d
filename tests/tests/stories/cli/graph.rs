//! `promptls graph`.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const FILES: [(&str, &str); 8] = [
    (
        "promptls.toml",
        "[[prompts]]\nfiles = ['p/*.txt']\ndialect = 'adk'\ninputs = ['state.json']\n",
    ),
    ("p/one.txt", "{app}: {note}"),
    ("p/two.txt", "{app}"),
    ("state.json", r#"{"app": "App", "note": {"$file": "note.md"}}"#),
    ("note.md", "hello"),
    ("p/one.b.inputs.json", r#"{"app": "b", "note": "c"}"#),
    ("q.promptpack.prompt", "{{fragments.a}}"),
    (
        "q.promptpack.variables.json",
        r#"{"variables": [], "fragments": {"a": "{{fragments.b}}", "b": "{{fragments.a}}", "c": ""}}"#,
    ),
];

#[track_caller]
fn check(workspace: &Workspace, arguments: &[&str], expected: Expect) {
    let output = promptls(&[&["graph"], arguments].concat()).cwd(workspace.root()).run();
    let code = output.code.expect("it ended by itself");
    expected.assert_eq(&format!("{}--- {code}\n{}", output.stdout, output.stderr));
}

#[test]
fn arrows_lead_from_readers_to_the_files_they_read() {
    let workspace = Workspace::new(&FILES);
    check(
        &workspace,
        &[],
        expect![[r#"
        digraph promptls {
          rankdir=LR;
          n0 [label="p/one.txt", shape=box];
          n1 [label="p/two.txt", shape=box];
          n2 [label="q.promptpack.prompt", shape=box];
          n3 [label="p/one.b.inputs.json", shape=note];
          n4 [label="state.json", shape=note];
          n5 [label="q.promptpack.variables.json", shape=tab];
          n6 [label="q.promptpack.variables.json a", shape=component];
          n7 [label="q.promptpack.variables.json b", shape=component];
          n8 [label="note.md", shape=plaintext];
          n9 [label="promptls.toml", shape=folder];
          n0 -> n3 [label="b"];
          n0 -> n4 [label="state"];
          n0 -> n9;
          n1 -> n4 [label="state"];
          n1 -> n9;
          n2 -> n5;
          n2 -> n6;
          n2 -> n9;
          n4 -> n8;
          n6 -> n7;
          n7 -> n6;
        }
        --- 0
    "#]],
    );
    check(
        &workspace,
        &["q.promptpack.prompt", "--format", "mermaid"],
        expect![[r#"
        flowchart LR
          n0["q.promptpack.prompt"]
          n1[\"q.promptpack.variables.json"\]
          n2[["q.promptpack.variables.json a"]]
          n3[["q.promptpack.variables.json b"]]
          n4{{"promptls.toml"}}
          n0 --> n1
          n0 --> n2
          n0 --> n4
          n2 --> n3
          n3 --> n2
        --- 0
    "#]],
    );
    check(
        &workspace,
        &["q.promptpack.prompt", "--format", "json"],
        expect![[r#"
        {"version":1,"nodes":[{"kind":"prompt","file":"q.promptpack.prompt"},{"kind":"variables","file":"q.promptpack.variables.json"},{"kind":"fragment","file":"q.promptpack.variables.json","name":"a"},{"kind":"fragment","file":"q.promptpack.variables.json","name":"b"},{"kind":"config","file":"promptls.toml"}],"edges":[{"from":0,"to":1},{"from":0,"to":2},{"from":0,"to":4},{"from":2,"to":3},{"from":3,"to":2}]}
        --- 0
    "#]],
    );
}

#[test]
fn the_graph_of_a_shared_file_contains_its_readers() {
    let workspace = Workspace::new(&FILES);
    check(
        &workspace,
        &["state.json", "--format", "mermaid"],
        expect![[r#"
        flowchart LR
          n0["p/one.txt"]
          n1["p/two.txt"]
          n2[/"p/one.b.inputs.json"/]
          n3[/"state.json"/]
          n4("note.md")
          n5{{"promptls.toml"}}
          n0 -->|"b"| n2
          n0 -->|"state"| n3
          n0 --> n5
          n1 -->|"state"| n3
          n1 --> n5
          n3 --> n4
        --- 0
    "#]],
    );
}

#[test]
fn names_in_graphs_are_escaped() {
    let name = r#"a"]; x -> y { <b>\".adk.prompt"#;
    let workspace = Workspace::new(&[(name, "x")]);
    check(
        &workspace,
        &[],
        expect![[r#"
        digraph promptls {
          rankdir=LR;
          n0 [label="a\"]; x -> y { <b>\\\".adk.prompt", shape=box];
        }
        --- 0
    "#]],
    );
    check(
        &workspace,
        &["--format", "mermaid"],
        expect![[r#"
        flowchart LR
          n0["a#34;#93;#59; x -#62; y #123; #60;b#62;#92;#34;.adk.prompt"]
        --- 0
    "#]],
    );
}

#[test]
fn missing_and_unreadable_prompts_are_reported() {
    let workspace = Workspace::new(&[]);
    check(
        &workspace,
        &[],
        expect![[r#"
            --- 2
            promptls: no prompts found; a prompt ends in .prompt, or a rule in promptls.toml names it
        "#]],
    );
    workspace.write("a.adk.prompt", [0xff]);
    workspace.write("b.adk.prompt", "x");
    check(
        &workspace,
        &[],
        expect![[r#"
            digraph promptls {
              rankdir=LR;
              n0 [label="b.adk.prompt", shape=box];
            }
            --- 2
            promptls: a.adk.prompt:1:1: this file is not UTF-8: the byte 0xff at offset 0 is not part of a character; save it as UTF-8
        "#]],
    );
}

#[test]
fn names_are_linked_to_the_agents_and_code_that_set_them() {
    let agents = "from google.adk.agents import LlmAgent\n\
        a = LlmAgent(name='find', instruction='Find {city}', output_key='facts')\n\
        b = LlmAgent(name='write', instruction='Write about {facts}')\n";
    let workspace = Workspace::new(&[
        ("pyproject.toml", ""),
        ("agents.py", agents),
        ("tools.py", "def f(context): context.state['city'] = 'Rome'\n"),
        (
            "check.yaml",
            "agent_class: LlmAgent\nname: check\ninstruction: Check {facts?}\noutput_key: city\n",
        ),
    ]);
    check(
        &workspace,
        &["--format", "mermaid"],
        expect![[r#"
            flowchart LR
              n0["agents.py#35;find"]
              n1["agents.py#35;write"]
              n2["check.yaml#35;check"]
              n3>"tools.py"]
              n0 -->|"city"| n2
              n0 -->|"city"| n3
              n1 -->|"facts"| n0
              n2 -->|"facts"| n0
            --- 0
        "#]],
    );
    check(
        &workspace,
        &["--format", "json", "agents.py"],
        expect![[r#"
            {"version":1,"nodes":[{"kind":"prompt","file":"agents.py","name":"find"},{"kind":"prompt","file":"agents.py","name":"write"},{"kind":"code","file":"check.yaml"},{"kind":"code","file":"tools.py"}],"edges":[{"from":0,"to":2,"name":"city"},{"from":0,"to":3,"name":"city"},{"from":1,"to":0,"name":"facts"}]}
            --- 0
        "#]],
    );
}
