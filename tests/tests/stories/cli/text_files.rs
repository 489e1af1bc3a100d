//! Text files that code reads as prompts, on the command line.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const AGENT: &str = r#"from google.adk.agents import Agent
from pathlib import Path

def load(name):
    return (Path(__file__).parent / "prompts" / name).read_text()

a = Agent(name="a", model="m", instruction=Path("one.txt").read_text(), output_key="topic")
b = Agent(name="b", model="m", instruction=(Path(__file__).parent / "two.md").read_text(encoding="utf-8"))
c = Agent(name="c", model="m", instruction=load("three.txt").strip())
"#;

fn application() -> Workspace {
    Workspace::new(&[
        ("agent.py", AGENT),
        ("requirements.txt", "google-adk==2.13.0\n"),
        ("one.txt", "Name a {topik}.\n"),
        ("two.md", "About {topic}:\n"),
        ("prompts/three.txt", "\nSum {topik} up, {user}.\r\n"),
        ("README.md", "Write {this}.\n"),
        ("LICENSE", "{that}\n"),
    ])
}

#[track_caller]
fn run(workspace: &Workspace, arguments: &[&str], expected: Expect) {
    let output = promptls(arguments).cwd(workspace.root()).run();
    expected.assert_eq(&format!("{}{}", output.stdout, output.stderr));
}

#[test]
fn a_text_file_that_code_reads_is_a_prompt_without_a_rule() {
    let workspace = application();
    let list = expect![[r#"
        one.txt            adk-python@2.13  google.adk.agents.LlmAgent(instruction)
        prompts/three.txt  adk-python@2.13  google.adk.agents.LlmAgent(instruction)
        two.md             adk-python@2.13  google.adk.agents.LlmAgent(instruction)
    "#]];
    run(&workspace, &["prompts"], list);
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        one.txt:1:9: warning [undefined-placeholder] nothing in this app sets `topik`; did you mean `topic`?
        prompts/three.txt:2:6: warning [undefined-placeholder] nothing in this app sets `topik`; did you mean `topic`?
        prompts/three.txt:2:18: warning [undefined-placeholder] nothing in this app sets `user`
        3 prompts checked: 3 warnings
    "#]],
    );
    // Whether the folder is checked, or the file alone.
    run(
        &workspace,
        &["check", "--format", "concise", "prompts/three.txt"],
        expect![[r#"
        prompts/three.txt:2:6: warning [undefined-placeholder] nothing in this app sets `topik`; did you mean `topic`?
        prompts/three.txt:2:18: warning [undefined-placeholder] nothing in this app sets `user`
        1 prompt checked: 2 warnings
    "#]],
    );
}

/// An editor writes such a rule for "supplied at run time".
#[test]
fn a_rule_without_a_dialect_only_adds_settings_to_a_text_that_code_reads() {
    let agent = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction=open('plan.txt').read(), output_key='plan')\n";
    for (rule, expected) in [
        ("", &["nothing in this app sets `city`", "nothing in this app sets `pln`"][..]),
        ("runtime = ['city']", &["nothing in this app sets `pln`"]),
        ("runtime = ['city']\ndialect = 'agentle'", &[]),
    ] {
        let config = format!("[[prompts]]\nfiles = ['/plan.txt']\n{rule}\n");
        let files = [
            ("agent.py", agent),
            ("plan.txt", "In {city}: {plan}, {pln}.\n"),
            ("promptls.toml", &*config),
            ("requirements.txt", "google-adk==2.13.0\n"),
        ];
        let workspace = Workspace::new(&files);
        let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
        let found = output.stdout.lines().filter(|line| line.starts_with("plan.txt:"));
        let found: Vec<&str> = found.collect();
        assert_eq!(found.len(), expected.len(), "{rule}: {}", output.stdout);
        for (line, part) in found.iter().zip(expected) {
            assert!(line.contains(part), "{rule}: {}", output.stdout);
        }
    }
}

#[test]
fn no_rule_is_proposed_for_a_text_file_that_code_reads() {
    let workspace = application();
    run(
        &workspace,
        &["init", "--yes"],
        expect![[r#"
            Google ADK: 3 prompts in 3 text files that code reads; no rule is needed
              one.txt
              prompts/three.txt
              two.md
            README.md describes placeholders, so no rule is proposed
            nothing is missing: 3 prompts
        "#]],
    );
}

#[test]
fn a_text_file_is_resolved_as_the_code_changes_it() {
    let workspace = application();
    workspace.write("prompts/three.inputs.json", r#"{"topik": "story", "user": "Ada"}"#);
    run(&workspace, &["resolve", "prompts/three.txt"], expect!["Sum story up, Ada."]);
    run(
        &workspace,
        &["check", "--format", "concise", "prompts"],
        expect![[r#"
        1 prompt checked: no problems
    "#]],
    );
    // A rule or a name decides instead of the code.
    workspace
        .write("promptls.toml", "[[prompts]]\nfiles = ['prompts/*.txt']\ndialect = 'agentle'\n");
    run(
        &workspace,
        &["check", "--list", "prompts"],
        expect![[r#"
        prompts/three.txt  agentle  rule 1 of promptls.toml  default
        1 prompt
    "#]],
    );
}

#[test]
fn missing_files_and_imports_of_code_are_listed() {
    let workspace = Workspace::new(&[
        (
            "agent.py",
            "from google.adk.agents import Agent\nfrom shop_lib.prompts import PLAN\n\
             from .texts import COMPUTED, GONE\n\
             a = Agent(name='a', instruction=open('gone.txt').read())\n\
             b = Agent(name='b', instruction=PLAN)\n\
             c = Agent(name='c', instruction=COMPUTED)\n\
             d = Agent(name='d', instruction=GONE)\n\
             e = Agent(name='e', instruction='Hi')\n\
             TEXT = open('texts/lost.txt').read()\n\
             f = Agent(name='f', instruction=TEXT)\n",
        ),
        ("texts.py", "COMPUTED = fetch('plan')\n"),
    ]);
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
            agent.py:4:33: hint [computed-prompt] the text of `instruction` comes from `open('gone.txt').read()`, so it is not checked
            agent.py:5:33: hint [computed-prompt] the text of `instruction` comes from `PLAN`, so it is not checked
            agent.py:7:33: hint [computed-prompt] the text of `instruction` comes from `GONE`, so it is not checked
            agent.py:10:33: hint [computed-prompt] the text of `instruction` comes from `TEXT`, which reads `texts/lost.txt`, so it is not checked
            texts.py:1:12: hint [computed-prompt] the text of `COMPUTED` comes from `fetch(…)`, so it is not checked
            1 prompt checked, 5 not read: 5 hints
        "#]],
    );
    let strict = ["check", "--strict-found", "--quiet"];
    assert_eq!(promptls(&strict).cwd(workspace.root()).run().code, Some(1));
}

#[test]
fn a_name_that_no_file_has_is_listed_in_each_language() {
    let workspace = Workspace::new(&[
        (
            "com/x/A.java",
            "package com.x;\nimport com.google.adk.agents.LlmAgent;\nclass A {\n\
             Object a = LlmAgent.builder().name(\"a\").instruction(Texts.GONE).build();\n\
             Object b = LlmAgent.builder().name(\"b\").instruction(Texts.gone(\"x\")).build();\n\
             Object c = LlmAgent.builder().name(\"c\").instruction(Texts.PLAN).build();\n}\n",
        ),
        (
            "com/x/Texts.java",
            "package com.x;\nclass Texts { static final String PLAN = \"Hi\"; }\n",
        ),
        (
            "com/x/B.kt",
            "package com.x\nimport com.google.adk.agents.LlmAgent\n\
             val a = LlmAgent.builder().name(\"a\").instruction(Texts.GONE).build()\n",
        ),
        (
            "go/a.go",
            "package app\nimport \"google.golang.org/adk/agent/llmagent\"\n\
             var a, _ = llmagent.New(llmagent.Config{Name: \"a\", Instruction: gone})\n\
             var b, _ = llmagent.New(llmagent.Config{Name: \"b\", Instruction: plan})\n",
        ),
        ("go/b.go", "package app\nconst plan = \"Hi\"\n"),
        ("go/c.go", "package app\nconst other = \"Ho\"\n"),
        ("go/go.mod", "module x\n"),
        (
            "web/a.ts",
            "import { LlmAgent } from '@google/adk';\nimport { GONE, PLAN } from './b';\n\
             const a = new LlmAgent({ name: 'a', instruction: GONE });\n\
             const b = new LlmAgent({ name: 'b', instruction: PLAN });\n",
        ),
        ("web/b.ts", "export const PLAN = 'Hi';\n"),
    ]);
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        com/x/A.java:4:53: hint [computed-prompt] the text of `instruction` comes from `Texts.GONE`, so it is not checked
        com/x/A.java:5:53: hint [computed-prompt] the text of `instruction` comes from `Texts.gone(…)`, so it is not checked
        com/x/B.kt:3:50: hint [computed-prompt] the text of `instruction` comes from `Texts.GONE`, so it is not checked
        go/a.go:3:65: hint [computed-prompt] the text of `Instruction` comes from `gone`, so it is not checked
        web/a.ts:3:50: hint [computed-prompt] the text of `instruction` comes from `GONE`, so it is not checked
        3 prompts checked, 5 not read: 5 hints
    "#]],
    );
}

#[test]
fn a_text_that_may_be_one_of_several_files_is_not_read() {
    let agent = "from google.adk.agents import Agent\n\
                 from .config import FOLDER\n\
                 a = Agent(name='a', instruction=(FOLDER / 'a.txt').read_text())\n\
                 b = Agent(name='b', instruction=(FOLDER / 'b.txt').read_text())\n";
    let workspace = Workspace::new(&[
        ("agent.py", agent),
        ("x/a.txt", "{x}"),
        ("y/a.txt", "{x}"),
        ("x/b.txt", "{x}"),
    ]);
    run(
        &workspace,
        &["prompts"],
        expect![[r#"
        x/b.txt  adk-python  google.adk.agents.LlmAgent(instruction)
        1 prompt not read:
          agent.py:3:33: the text of `instruction` comes from `(FOLDER / 'a.txt').read_text()`, so it is not checked
    "#]],
    );
}

#[cfg(unix)]
#[test]
fn links_and_files_outside_are_not_read_as_texts_of_prompts() {
    let agent = "from google.adk.agents import Agent\n\
                 a = Agent(name='a', instruction=open('link.txt').read())\n\
                 b = Agent(name='b', instruction=open('../outside.txt').read())\n\
                 c = Agent(name='c', instruction=open('/etc/hostname.txt').read())\n";
    let workspace =
        Workspace::new(&[("app/.git/HEAD", ""), ("app/agent.py", agent), ("outside.txt", "{x}")]);
    let app = workspace.root().join("app");
    std::os::unix::fs::symlink("../outside.txt", app.join("link.txt")).expect("it is linked");
    let output = promptls(&["prompts"]).cwd(&app).run();
    expect![[r#"
        3 prompts not read:
          agent.py:2:33: the text of `instruction` comes from `open('link.txt').read()`, so it is not checked
          agent.py:3:33: the text of `instruction` comes from `open('../outside.txt').read()`, so it is not checked
          agent.py:4:33: the text of `instruction` comes from `open('/etc/hostname.txt').read()`, so it is not checked
    "#]].assert_eq(&format!("{}{}", output.stdout, output.stderr));
}

#[test]
fn a_text_that_no_search_visits_is_listed_as_not_read() {
    let agent = "from google.adk.agents import Agent\n\
                 a = Agent(name='a', instruction=open('ignored.txt').read())\n\
                 b = Agent(name='b', instruction=open('.hidden/b.txt').read())\n\
                 c = Agent(name='c', instruction=open('c.txt').read())\n";
    let workspace = Workspace::new(&[
        (".git/HEAD", ""),
        (".gitignore", "ignored.txt\n"),
        ("agent.py", agent),
        ("ignored.txt", "{x}"),
        (".hidden/b.txt", "{x}"),
        ("c.txt", "Hi"),
    ]);
    run(
        &workspace,
        &["check", "--format", "concise"],
        expect![[r#"
        agent.py:2:33: hint [computed-prompt] the text of `instruction` comes from `open('ignored.txt').read()`, so it is not checked
        agent.py:3:33: hint [computed-prompt] the text of `instruction` comes from `open('.hidden/b.txt').read()`, so it is not checked
        1 prompt checked, 2 not read: 2 hints
    "#]],
    );
}

/// Neither a repository nor a manifest marks the project: it is the current folder.
#[test]
fn a_text_file_in_a_loose_folder_is_read_by_the_code_around_it() {
    let code = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction=open('prompts/a.txt').read(), output_key='topic')\n";
    let workspace = Workspace::new(&[("agent.py", code), ("prompts/a.txt", "On {topik}.")]);
    let run = |arguments: &[&str]| promptls(arguments).cwd(workspace.root()).run();
    for named in [".", "prompts", "prompts/a.txt"] {
        let output = run(&["check", named, "--format", "concise"]);
        let reported = "nothing in this app sets `topik`; did you mean `topic`?";
        assert!(output.stdout.contains(reported), "{named}: {}", output.stderr);
    }
    let resolved = run(&["resolve", "prompts/a.txt"]);
    assert_eq!(resolved.stderr, "Context variable not found: `topik` in agent 'a'.\n");
    let shown = run(&["config", "--show", "prompts/a.txt"]);
    assert!(shown.stdout.contains("adk-python"), "{}", shown.stderr);
}

/// LangChain reads these files, or requests a text from its service.
#[test]
fn templates_that_langchain_reads_from_files_are_prompts() {
    let code = "from langchain import hub\n\
        from langchain_core.prompts import PromptTemplate, SystemMessagePromptTemplate, load_prompt\n\
        a = PromptTemplate.from_file('a.txt')\n\
        a.format(topci=1)\n\
        b = SystemMessagePromptTemplate.from_template_file('texts/b.md', input_variables=[])\n\
        c = load_prompt('c.yaml')\n\
        d = load_prompt(path)\n\
        e = hub.pull('owner/name')\n\
        f = PromptTemplate.from_examples(['{x}'], 'Then {y}', ['y'], prefix='First {z}')\n\
        g = PromptTemplate.from_file('missing.txt')\n\
        def read(name): return PromptTemplate.from_file(f'texts/{name}.txt')\n\
        h = read('h')\n";
    let workspace = Workspace::new(&[
        ("code.py", code),
        ("a.txt", "On {topic}"),
        ("texts/b.md", "B {b}"),
        ("c.yaml", "_type: prompt\ntemplate: 'C {c}'\n"),
        ("texts/h.txt", "H {h}"),
    ]);
    run(
        &workspace,
        &["check", "--format", "concise", "--verbose"],
        expect![[r#"
        a.txt:1:5: warning [undefined-placeholder] the call that passes values to this prompt has no `topic`; did you mean `topci`?
        code.py:7:17: hint [computed-prompt] the text of `path` comes from `path`, so it is not checked
        code.py:8:14: hint [computed-prompt] the text of this prompt is in LangSmith, so it is not checked
        code.py:9:34: hint [computed-prompt] the text of `examples` comes from `['{x}']`, so it is not checked
        code.py:10:30: hint [computed-prompt] the text of `template_file` comes from `'missing.txt'`, so it is not checked
        a.txt             langchain-python  its content  no cases
        c.yaml#template   langchain-python  its content  no cases
        code.py#f.suffix  langchain-python  its content  no cases
        code.py#f.prefix  langchain-python  its content  no cases
        texts/b.md        langchain-python  its content  no cases
        texts/h.txt       langchain-python  its content  no cases
        6 prompts checked, 4 not read: 1 warning, 4 hints
    "#]],
    );
}
