//! `promptls init`.

use std::path::Path;

use expect_test::{Expect, expect};
use promptls_tests::{Output, Workspace, promptls, promptls_path};
use serde_json::Value;

/// A project with prompts, and many similar files.
const PROJECT: [(&str, &str); 16] = [
    ("prompts/triage.txt", "Triage {ticket} for {user:name?}.\n"),
    ("prompts/more/summary.txt", "Summarise {ticket}.\n"),
    ("prompts/rules.txt", "Be brief.\n"),
    (
        "prompts/brief.md",
        "Hi {{name}}\n{{#each items}}- {{this.title}}{{/each}}{{#if vip}}!{{/if}}",
    ),
    ("prompts/brief.inputs.json", r#"{"name": "Ada", "items": [], "vip": true}"#),
    ("system.md", "You help the customers of {company}.\n"),
    ("prompts/README.md", "Write `{name}` for a name.\n"),
    ("prompts/vs.prompt.md", "Explain ${input:name} {{x}}\n"),
    ("prompts/mail.txt", "{% if user %}Hello {{ user.name }}{% endif %}\n"),
    ("src/steps.entaingine.prompt", "{FILE_CONTENT} {task_0.output_1}\n"),
    ("src/notes.txt", "Call it {foo}.\n"),
    ("docs/prompts.md", "In ADK, {user:name?} is optional.\n"),
    ("LICENSE.md", "Copyright {year}\n"),
    ("prompts/security_review.txt", "Review {code}.\n"),
    ("build/prompts/out.txt", "{x?}\n"),
    (".ignore", "build\n"),
];

#[track_caller]
fn init(workspace: &Workspace, arguments: &[&str], expected: Expect) {
    expected.assert_eq(&shown(workspace, &[&["init"], arguments].concat()));
}

fn shown(workspace: &Workspace, arguments: &[&str]) -> String {
    let Output { code, stdout, stderr } = promptls(arguments).cwd(workspace.root()).run();
    let code = code.expect("it ended by itself");
    format!("{stdout}--- {code}\n{stderr}")
        .replace(&workspace.root().display().to_string(), "FOLDER")
}

/// The files of a workspace.
fn files(workspace: &Workspace) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![workspace.root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("so can its entries").path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(relative) = path.strip_prefix(workspace.root()) {
                files.push(relative.display().to_string());
            }
        }
    }
    files.sort();
    files
}

#[test]
fn a_dry_run_shows_what_is_missing_and_writes_nothing() {
    let workspace = Workspace::new(&PROJECT);
    let before = files(&workspace);
    init(
        &workspace,
        &["--dry-run"],
        expect![[r##"
            # 1 prompt of Agentle
            # - `{{name}}` has a value in the inputs
            # - `{{#each items}}` has a value in the inputs
            # - `{{name}}` is valid in agentle or Handlebars
            [[prompts]]
            files = ["/prompts/brief.md"]
            dialect = "agentle"

            # 3 prompts of Google ADK
            # - `{user:name?}` occurs only in adk
            [[prompts]]
            files = ["prompts/**/*.txt", "!/prompts/mail.txt"]
            dialect = "adk"
            --- 0
            Inputs files for prompts without any:
              prompts/more/summary.inputs.json
              prompts/security_review.inputs.json
              prompts/triage.inputs.json
              src/steps.entaingine.inputs.json
            13 text files were searched; these are skipped:
              prompts/mail.txt: looks like Jinja, which is not supported
              src/notes.txt: `{foo}` is valid in adk, agentensemble or a Python format string
              system.md: `{company}` is valid in adk, agentensemble or a Python format string
            Add a rule to make one of them a prompt, or an inputs file with one of its names, such as src/notes.inputs.json.
            LICENSE.md, docs/prompts.md, prompts/README.md describe placeholders, so no rule is proposed
            nothing is written, because of --dry-run
        "##]],
    );
    assert_eq!(files(&workspace), before);
}

#[test]
fn a_check_after_init_has_no_problems() {
    let workspace = Workspace::new(&PROJECT);
    let output = promptls(&["init", "--yes"]).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert_eq!(workspace.read("promptls.toml"), output.stdout);
    expect![[r#"
        {
          "ticket": "<ticket>",
          "user:name": "<user:name>"
        }
    "#]]
    .assert_eq(&workspace.read("prompts/triage.inputs.json"));

    expect![[r#"
        --- 0
        6 prompts checked: no problems
    "#]]
    .assert_eq(&shown(&workspace, &["check", "--format", "concise"]));
    init(
        &workspace,
        &["--yes"],
        expect![[r#"
            --- 0
            8 text files were searched; these are skipped:
              prompts/mail.txt: looks like Jinja, which is not supported
              src/notes.txt: `{foo}` is valid in adk, agentensemble or a Python format string
              system.md: `{company}` is valid in adk, agentensemble or a Python format string
            Add a rule to make one of them a prompt, or an inputs file with one of its names, such as src/notes.inputs.json.
            LICENSE.md, docs/prompts.md, prompts/README.md describe placeholders, so no rule is proposed
            nothing is missing: 6 prompts
        "#]],
    );
    for prompt in ["prompts/triage.txt", "prompts/brief.md", "src/steps.entaingine.prompt"] {
        let resolved = promptls(&["resolve", prompt, "--format", "json"]).cwd(workspace.root());
        let output = resolved.run();
        assert_eq!(output.code, Some(0), "{prompt}: {}", output.stderr);
        let resolution: Value = serde_json::from_str(&output.stdout).expect("it is JSON");
        assert_eq!(resolution["problems"], Value::Array(Vec::new()), "{prompt}");
    }
}

#[test]
fn generated_inputs_of_the_examples_resolve() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("prompts");
    let workspace = Workspace::new(&[]);
    let mut folders = vec![examples.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the examples can be read") {
            let path = entry.expect("so can each of them").path();
            let name = path.display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if !name.contains(".inputs.") && !name.ends_with(".toml") {
                let relative = path.strip_prefix(&examples).expect("it lies in there");
                let text = std::fs::read(&path).expect("an example can be read");
                workspace.write(&format!("prompts/{}", relative.display()), text);
            }
        }
    }
    let output = promptls(&["init", "--yes"]).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let check = ["check", "--deny-warnings", "--ignore", "engine-differs"];
    let output = promptls(&check).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(0), "{}", output.stdout);
    assert_eq!(output.stderr, "13 prompts checked: no problems\n");
}

#[test]
fn existing_rules_are_unchanged() {
    let config = "# Ours.\n[[prompts]]\nfiles = ['a/*.txt'] # all\ndialect = 'adk'\n";
    let workspace = Workspace::new(&[
        ("promptls.toml", config),
        ("a/x.txt", "{x}"),
        ("a/x.inputs.json", "{\"x\": 1}"),
        ("prompts/y.txt", "{{#if y}}{{/if}}"),
        ("prompts/y.inputs.json", "{\"y\": 1}"),
    ]);
    init(
        &workspace,
        &["prompts", "-y"],
        expect![[r##"
            # 1 prompt of Agentle
            # - `{{#if y}}` has a value in the inputs
            # - `{{#if y}}` is valid in agentle or Handlebars
            [[prompts]]
            files = ["prompts/*.txt"]
            dialect = "agentle"
            --- 0
            written: promptls.toml
            Next: try
              promptls preview prompts/y.txt
              promptls check
        "##]],
    );
    expect![[r##"
        # Ours.
        [[prompts]]
        files = ['a/*.txt'] # all
        dialect = 'adk'

        # 1 prompt of Agentle
        # - `{{#if y}}` has a value in the inputs
        # - `{{#if y}}` is valid in agentle or Handlebars
        [[prompts]]
        files = ["prompts/*.txt"]
        dialect = "agentle"
    "##]]
    .assert_eq(&workspace.read("promptls.toml"));
    assert_eq!(workspace.read("prompts/y.inputs.json"), "{\"y\": 1}");
}

#[test]
fn nothing_is_written_without_a_terminal_or_yes() {
    let workspace = Workspace::new(&[("a.adk.prompt", "{x}")]);
    init(
        &workspace,
        &[],
        expect![[r#"
        --- 2
        Inputs files for prompts without any:
          a.adk.inputs.json
        promptls: nothing is written: stdin is not a terminal; add --yes to write without confirmation
    "#]],
    );
    assert_eq!(files(&workspace), ["a.adk.prompt"]);
}

#[test]
fn skipped_texts_are_listed_with_the_reason() {
    let workspace = Workspace::new(&[
        ("system.md", "You help the customers of {company}."),
        ("prompts/a.txt", "Hello {{ name }}"),
        ("prompts/b.txt", "{{#if a}}b{{else}}c{{/if}}"),
        ("prompts/c.txt", "Be brief."),
        ("prompts/d.txt", "Hello {name}"),
        ("prompts/d.inputs.json", r#"{"another": 1}"#),
        ("pyproject.toml", "project.dependencies = ['google-adk>=1']"),
        ("mail.prompt", "Dear {name}"),
        ("docs/a.md", "Write {name}."),
        ("README.md", "Write {name}."),
    ]);
    let before = files(&workspace);
    init(
        &workspace,
        &["--yes"],
        expect![[r#"
            --- 0
            8 text files were searched; these are skipped:
              mail.prompt: `{name}` is valid in adk, agentensemble or a Python format string
              prompts/a.txt: `{{ name }}` is valid in agentle, Jinja or Mustache
              prompts/b.txt: looks like Handlebars, which is not supported, or Agentle
              prompts/d.txt: `{name}` is valid in adk, agentensemble or a Python format string
              system.md: `{company}` is valid in adk, agentensemble or a Python format string
            Add a rule to make one of them a prompt, or an inputs file with one of its names, such as mail.inputs.json.
            README.md, docs/a.md describe placeholders, so no rule is proposed
            nothing is missing: 1 prompt
        "#]],
    );
    assert_eq!(files(&workspace), before);
}

#[test]
fn init_and_check_count_the_same_prompts() {
    let pack = r#"{"template_engine": {}, "prompts":
        {"a": {"system_template": "Hi"}, "b": {"system_template": "Bye"}}}"#;
    let workspace = Workspace::new(&[("shop.pack.json", pack), ("mail.adk.prompt", "Dear you")]);
    for (command, message) in
        [("init", "nothing is missing: 3 prompts"), ("check", "3 prompts checked")]
    {
        let output = promptls(&[command]).cwd(workspace.root()).run();
        assert!(output.stderr.contains(message), "{command}: {}", output.stderr);
    }
}

#[test]
fn a_long_list_of_skipped_texts_is_cut() {
    let texts: Vec<(String, &str)> =
        (10..35).map(|n| (format!("prompts/{n}.txt"), "Hello {name}")).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (&**path, *text)).collect();
    let shown = shown(&Workspace::new(&texts), &["init"]);
    assert!(shown.contains("prompts/29.txt: ") && !shown.contains("prompts/30.txt"), "{shown}");
    assert!(shown.contains("\n  and 5 more\n"), "{shown}");
}

#[test]
fn dependencies_of_the_project_determine_the_dialect() {
    let prompt = ("prompts/a.txt", "Hello {name}");
    let inputs = ("prompts/a.inputs.json", r#"{"name": "Ada"}"#);
    let workspace = Workspace::new(&[
        prompt,
        inputs,
        ("pyproject.toml", "project.dependencies = ['google-adk>=1']"),
    ]);
    init(
        &workspace,
        &["--dry-run"],
        expect![[r##"
            # 1 prompt of Google ADK
            # - pyproject.toml requires google-adk without an exact version; the newest is assumed
            [[prompts]]
            files = ["prompts/*.txt"]
            engine = "adk-python"
            --- 0
            nothing is written, because of --dry-run
        "##]],
    );
}

#[test]
fn the_engines_that_a_project_uses_are_named() {
    let prompt = ("svc/prompts/a.txt", "Hello {user:name?}");
    let lock = "[[package]]\nname = 'google-adk'\nversion = '2.13.0'\n\
        [[package]]\nname = 'langfuse'\nversion = '5.0.4'\n";
    let workspace = Workspace::new(&[prompt, ("uv.lock", lock)]);
    init(
        &workspace,
        &["--yes"],
        expect![[r##"
            # 1 prompt of Google ADK
            # - `{user:name?}` occurs only in adk
            # - uv.lock has google-adk 2.13.0
            [[prompts]]
            files = ["svc/prompts/*.txt"]
            engine = "adk-python@2.13"
            --- 0
            Inputs files for prompts without any:
              svc/prompts/a.inputs.json
            written: promptls.toml and 1 inputs file
            Next: fill in the values, then try
              promptls preview svc/prompts/a.txt
              promptls check
        "##]],
    );
    let config = promptls(&["config", "--show", "svc/prompts/a.txt"]).cwd(workspace.root()).run();
    assert!(config.stdout.contains("adk-python@2.13"), "{config:?}");

    let go = ("go.mod", "module m\nrequire google.golang.org/adk/v2 v2.2.0\n");
    let workspace = Workspace::new(&[prompt, ("uv.lock", lock), go]);
    init(
        &workspace,
        &["--dry-run"],
        expect![[r##"
        # 1 prompt of Google ADK
        # - `{user:name?}` occurs only in adk
        # - uv.lock has google-adk 2.13.0
        # - go.mod has google.golang.org/adk 2.2.0
        [[prompts]]
        files = ["svc/prompts/*.txt"]
        engines = ["adk-python@2.13", "adk-go@2.2"]
        --- 0
        Inputs files for prompts without any:
          svc/prompts/a.inputs.json
        nothing is written, because of --dry-run
    "##]],
    );
}

#[test]
fn folders_named_after_dialects_determine_the_dialect() {
    let workspace = Workspace::new(&[
        ("prompts/adk/a.txt", "Hello {name}"),
        ("prompts/adk/more/b.txt", "Hello {name}"),
        ("prompts/agentensemble/c.txt", "Hello {name}"),
        ("prompts/adk/a.inputs.json", r#"{"name": "Ada"}"#),
        ("prompts/adk/more/b.inputs.json", r#"{"name": "Ada"}"#),
        ("prompts/agentensemble/c.inputs.json", r#"{"name": "Ada"}"#),
    ]);
    init(
        &workspace,
        &["--dry-run"],
        expect![[r##"
            # 1 prompt of AgentEnsemble
            # - they are in a folder named agentensemble
            [[prompts]]
            files = ["prompts/agentensemble/*.txt"]
            dialect = "agentensemble"

            # 2 prompts of Google ADK
            # - they are in a folder named adk
            [[prompts]]
            files = ["prompts/adk/**/*.txt"]
            dialect = "adk"
            --- 0
            nothing is written, because of --dry-run
        "##]],
    );
}

#[test]
fn a_text_with_inputs_beside_it_is_a_prompt() {
    let workspace = Workspace::new(&[
        ("src/a.txt", "Hello {{name}}, not {{ this }}"),
        ("src/a.inputs.json", "{\"name\": 1}"),
        // These belong to the prompt in the same folder.
        ("out/b.md", "Hello {x}"),
        ("out/b.adk.prompt", "Hello {x}"),
        ("out/b.adk.inputs.json", "{\"x\": 1}"),
    ]);
    init(
        &workspace,
        &["--dry-run"],
        expect![[r##"
            # 1 prompt of Agentle
            # - `{{name}}` has a value in the inputs
            # - `{{name}}` is valid in agentle, Jinja or Mustache
            [[prompts]]
            files = ["/src/a.txt"]
            dialect = "agentle"
            --- 0
            3 text files were searched; these are skipped:
              out/b.md: `{x}` is valid in adk, agentensemble or a Python format string
            Add a rule to make one of them a prompt, or an inputs file with one of its names, such as out/b.inputs.json.
            nothing is written, because of --dry-run
        "##]],
    );
}

#[test]
fn prompts_of_a_pack_share_one_inputs_file() {
    let pack = r#"{"fragments": {"f": "{{c}}"}, "prompts": {
        "a": {"system_template": "{{a.b}} {{fragments.f}}"},
        "b": {"system_template": "{{a.d}}", "variables": [{"name": "a", "type": "object"}]}
    }}"#;
    let workspace = Workspace::new(&[("x.pack.json", pack)]);
    init(
        &workspace,
        &["--yes"],
        expect![[r#"
            --- 0
            Inputs files for prompts without any:
              x.pack.inputs.json
            written: 1 inputs file
            Next: fill in the values, then try
              promptls check
        "#]],
    );
    expect![[r#"
        {
          "a": {
            "b": "<a.b>",
            "d": "<a.d>"
          },
          "c": "<c>"
        }
    "#]]
    .assert_eq(&workspace.read("x.pack.inputs.json"));
    let checked = promptls(&["check"]).cwd(workspace.root()).run();
    assert_eq!(checked.code, Some(0), "{}", checked.stdout);
}

#[test]
fn invalid_arguments_are_reported_with_advice() {
    let workspace = Workspace::new(&[("a.txt", ""), ("broken/promptls.toml", "[[")]);
    init(
        &workspace,
        &["a.txt"],
        expect![[r#"
        --- 2
        promptls: a.txt is a file; name the folder to search
    "#]],
    );
    init(
        &workspace,
        &["missing"],
        expect![[r#"
        --- 2
        promptls: cannot read missing: there is no such file
    "#]],
    );
    init(
        &workspace,
        &["broken"],
        expect![[r#"
            --- 2
            promptls: broken/promptls.toml:1:3: not valid TOML: unquoted keys cannot be empty, expected letters, numbers, `-`, `_`
        "#]],
    );
    init(
        &workspace,
        &["--yes", "--dry-run"],
        expect![[r#"
        --- 2
        error: the argument '--yes' cannot be used with '--dry-run'

        Usage: promptls init --yes [DIR]

        For more information, try '--help'.
    "#]],
    );
    let inline = "prompts = [{ files = ['a'] }]\n";
    workspace.write("inline/promptls.toml", inline);
    workspace.write("inline/prompts/x.txt", "{x?}");
    init(
        &workspace,
        &["inline", "--yes"],
        expect![[r#"
        --- 2
        promptls: FOLDER/inline/promptls.toml has `prompts = […]`; write its rules as `[[prompts]]`, then these can be added:

        # 1 prompt of Google ADK
        # - `{x?}` occurs only in adk
        [[prompts]]
        files = ["prompts/*.txt"]
        dialect = "adk"

    "#]],
    );
    assert_eq!(workspace.read("inline/promptls.toml"), inline);
}

#[cfg(unix)]
#[test]
fn a_folder_without_read_permission_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::new(&[("closed/a.txt", "")]);
    let closed = workspace.path("closed");
    let allow = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&closed, permissions).expect("it is ours");
    };
    allow(0o000);
    // The superuser can read everything.
    if std::fs::read_dir(&closed).is_err() {
        init(
            &workspace,
            &["closed"],
            expect![["--- 2\npromptls: cannot read closed: permission denied\n"]],
        );
    }
    allow(0o755);
}

#[test]
fn a_folder_without_prompts_is_no_error() {
    let workspace = Workspace::new(&[("notes.txt", "Nothing here.")]);
    init(
        &workspace,
        &[],
        expect![[r#"
            --- 0
            promptls: no prompts found under .; a prompt ends in .prompt, contains syntax of only one dialect, or has an inputs file with one of its names beside it
        "#]],
    );
}

/// The output of `init` in a terminal where a user types an answer. `script` provides the terminal.
#[cfg(target_os = "linux")]
fn answered(workspace: &Workspace, answer: &str) -> String {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let mut terminal = Command::new("script")
        // It is not deterministic when a terminal echoes input that is typed ahead.
        .args(["--quiet", "--return", "--echo=never", "--command"])
        .arg(format!("'{}' init", promptls_path().display()))
        .arg("/dev/null")
        .current_dir(workspace.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`script` is part of util-linux");
    let mut keys = terminal.stdin.take().expect("it is piped");
    keys.write_all(answer.as_bytes()).expect("it reads");
    drop(keys);
    let output = terminal.wait_with_output().expect("it ends");
    String::from_utf8(output.stdout).expect("it is text")
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_written_without_confirmation() {
    let workspace = Workspace::new(&[("mail.adk.prompt", "{name}")]);
    let before = files(&workspace);
    for answer in ["\n", "n\n", "what?\n"] {
        let shown = answered(&workspace, answer);
        assert!(shown.contains("[y/N] nothing is written"), "{answer:?}: {shown}");
        assert_eq!(files(&workspace), before);
    }
    let shown = answered(&workspace, "y\n");
    assert!(shown.contains("[y/N] written: 1 inputs file"), "{shown}");
    assert_eq!(workspace.read("mail.adk.inputs.json"), "{\n  \"name\": \"<name>\"\n}\n");
}

#[test]
fn a_text_that_code_loads_gets_a_rule() {
    let agent = r#"from google.adk.agents import Agent
from pathlib import Path
a = Agent(name="a", instruction=Path("one.txt").read_text(), output_key="topic")
b = Agent(name="b", instruction=load("two.md"))
c = Agent(name="c", instruction=load("same.txt"))
"#;
    let workspace = Workspace::new(&[
        ("agent.py", agent),
        ("one.txt", "About {topic}."),
        ("prompts/two.md", "About {topic}."),
        ("x/same.txt", "About {topic}."),
        ("y/same.txt", "About {topic}."),
        ("other.txt", "About {topic}."),
    ]);
    let output = promptls(&["init", "--yes"]).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    expect![[r##"
        # 1 prompt of Google ADK
        # - agent.py passes it to an agent
        [[prompts]]
        files = ["prompts/*.md"]
        dialect = "adk"
    "##]]
    .assert_eq(&workspace.read("promptls.toml"));
}

#[test]
fn what_code_has_is_listed_with_what_is_not_read_and_what_is_left_out() {
    let agent = "from google.adk.agents import LlmAgent
intake = LlmAgent(name='intake', instruction='Ask {customer}.', output_key='verdict')
plan = LlmAgent(name='plan', instruction=open('texts/plan.txt').read())
late = LlmAgent(name='late', instruction=load('texts/late.md'))
";
    let workspace = Workspace::new(&[
        ("agent.py", agent),
        ("texts/plan.txt", "Plan {verdict}.\n"),
        ("texts/late.md", "Late {verdct} and {customer}.\n"),
        ("prompts/mail.txt", "Mail {verdict}.\n"),
        ("greet.adk.prompt", "Hello {verdct}.\n"),
        ("syntax.md", "Use `{name}` or `{{name}}`.\n"),
        ("requirements.txt", "google-adk==2.13.0\n"),
    ]);
    init(
        &workspace,
        &["--dry-run"],
        expect![[r##"
            # 1 prompt of Google ADK
            # - requirements.txt has google-adk 2.13.0
            [[prompts]]
            files = ["prompts/*.txt"]
            engine = "adk-python@2.13"

            # 1 prompt of Google ADK
            # - agent.py passes it to an agent
            # - requirements.txt has google-adk 2.13.0
            [[prompts]]
            files = ["/texts/late.md"]
            engine = "adk-python@2.13"
            --- 0
            Inputs files for prompts without any:
              prompts/mail.inputs.json
              texts/late.inputs.json
            Google ADK: 1 prompt in 1 text file that code reads; no rule is needed
              texts/plan.txt
            Google ADK: 1 prompt in strings of 1 file of python; no rule is needed
              agent.py#intake
            1 prompt not read:
              agent.py:4:42: the text of `instruction` comes from `load(…)`, so it is not checked
            2 names left out of the inputs files:
              greet.adk.prompt: `verdct` looks like `verdict`
              texts/late.md: `verdct` looks like `verdict`
            syntax.md describes placeholders, so no rule is proposed
            nothing is written, because of --dry-run
        "##]],
    );
    // Both commands list the same.
    let output = promptls(&["prompts"]).cwd(workspace.root()).run();
    for part in ["agent.py#intake", "texts/plan.txt"] {
        assert!(output.stdout.contains(part), "{}", output.stdout);
    }
    let unread =
        "1 prompt not read:\n  agent.py:4:42: the text of `instruction` comes from `load(…)`";
    assert!(output.stderr.contains(unread), "{}", output.stderr);
}
