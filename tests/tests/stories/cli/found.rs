//! The files that `promptls check` detects as prompts, and messages if there are none.

use expect_test::{Expect, expect};
use promptls_tests::{Output, Workspace, promptls};
use serde_json::Value;

#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let workspace = Workspace::new(files);
    expected.assert_eq(&shown(&workspace, arguments));
}

fn shown(workspace: &Workspace, arguments: &[&str]) -> String {
    let arguments = [&["check", "--format", "concise"], arguments].concat();
    let output = promptls(&arguments).cwd(workspace.root()).run();
    let Output { code, stdout, stderr } = output;
    format!("{stdout}--- {}\n{stderr}", code.expect("it ended by itself"))
}

const PROMPT: (&str, &str) = ("a.adk.prompt", "Nothing to fill in.\n");
const RULE: (&str, &str) =
    ("promptls.toml", "[[prompts]]\nfiles = ['agents/*.txt']\ndialect = 'adk'\n");
const PACK: &str = r#"{
  "template_engine": {"syntax": "{{variable}}"},
  "prompts": {"greet": {"system_template": "Hi {{name}}, {{nmae}}", "variables": [{"name": "name", "type": "string"}]}}
}"#;

#[test]
fn a_folder_without_prompts_that_was_named_is_a_failure() {
    let files = [("prompts/a.txt", "{a}")];
    check(
        &files,
        &["prompts"],
        expect![[r#"
        --- 2
        promptls: no prompts found under prompts; a prompt ends in .prompt, or a rule in promptls.toml names it; --allow-empty accepts that
    "#]],
    );
    check(
        &files,
        &["prompts", "--allow-empty"],
        expect![[r#"
        --- 0
        promptls: warning: no prompts found under prompts; a prompt ends in .prompt, or a rule in promptls.toml names it
    "#]],
    );
}

#[test]
fn a_glob_that_matches_nothing_is_a_failure() {
    let files = [PROMPT, ("b.txt", "{b}")];
    check(
        &files,
        &["prompts/*.prompt"],
        expect![[r#"
        --- 2
        promptls: no prompts found under prompts/*.prompt; a prompt ends in .prompt, or a rule in promptls.toml names it; --allow-empty accepts that
    "#]],
    );
    check(
        &files,
        &["*.prompt"],
        expect![[r#"
        --- 0
        1 prompt checked: no problems
    "#]],
    );
    check(
        &files,
        &["*.txt"],
        expect![[r#"
        --- 2
        promptls: b.txt is skipped, because it is not a prompt; use --as-prompts to read it
        promptls: no prompts found under *.txt; a prompt ends in .prompt, or a rule in promptls.toml names it; --allow-empty accepts that
    "#]],
    );
}

#[test]
fn rules_that_match_nothing_are_a_failure() {
    let files = [RULE, ("agent/a.txt", "{a}")];
    check(
        &files,
        &[],
        expect![[r#"
        --- 2
        promptls: no prompts found under .; no rule of promptls.toml matches a file there, and none ends in .prompt; --allow-empty accepts that
    "#]],
    );
    check(
        &files,
        &["--allow-empty"],
        expect![[r#"
        --- 0
        promptls: warning: no prompts found under .; no rule of promptls.toml matches a file there, and none ends in .prompt
    "#]],
    );
}

#[test]
fn finding_no_prompts_without_rules_is_a_warning() {
    check(
        &[("a.txt", "{a}")],
        &[],
        expect![[r#"
        --- 0
        promptls: warning: no prompts found under .; a prompt ends in .prompt, or a rule in promptls.toml names it
    "#]],
    );
    check(
        &[("promptls.toml", "[problems]\n")],
        &[],
        expect![[r#"
        --- 0
        promptls: warning: no prompts found under .; a prompt ends in .prompt, or a rule in promptls.toml names it
    "#]],
    );
}

#[test]
fn a_named_file_that_is_no_prompt_is_skipped() {
    let files = [
        PROMPT,
        ("package.json", "{\"name\": \"{x}\"}"),
        ("x.py", "f'{{{a}}}'"),
        ("b", ""),
        ("c", ""),
    ];
    check(
        &files,
        &["package.json"],
        expect![[r#"
        --- 0
        promptls: package.json is skipped, because it is not a prompt; use --as-prompts to read it
    "#]],
    );
    check(
        &files,
        &["package.json", "x.py", "b", "c", "a.adk.prompt"],
        expect![[r#"
        --- 0
        1 prompt checked: no problems
        promptls: package.json, x.py, b and 1 more are skipped, because they are not prompts; use --as-prompts to read them
    "#]],
    );
    check(
        &files,
        &["x.py", "--as-prompts"],
        expect![[r#"
            x.py:1:1: info [dialect-guessed] read as PromptPack (promptpack), but it may be agentensemble, Jinja or Mustache; set the dialect with a rule in promptls.toml or a name like `x.promptpack.prompt`
            x.py:1:1: info [no-inputs] no inputs file: names are not checked
            --- 0
            1 prompt checked: 2 infos
        "#]],
    );
    let workspace = Workspace::new(&files);
    workspace.write("bad.bin", b"\xff");
    expect![[r#"
        --- 0
        promptls: bad.bin is skipped, because it is not a prompt; use --as-prompts to read it
    "#]]
    .assert_eq(&shown(&workspace, &["bad.bin"]));
}

#[test]
fn json_is_no_prompt_even_if_a_rule_matches_it() {
    let files = [
        ("promptls.toml", "[[prompts]]\nfiles = ['prompts/*']\ndialect = 'adk'\n"),
        ("prompts/a.json", r#"{"text": "{name}"}"#),
        ("prompts/b.txt", "Hi"),
    ];
    check(
        &files,
        &["."],
        expect![[r#"
        --- 0
        1 prompt checked: no problems
    "#]],
    );
    check(
        &files,
        &["prompts/a.json"],
        expect![[r#"
        --- 0
        promptls: prompts/a.json is skipped, because it is not a prompt; use --as-prompts to read it
    "#]],
    );
}

#[test]
fn a_pack_is_recognised_by_its_content() {
    let files = [
        ("support.json", PACK),
        ("support.inputs.json", r#"{"name": "Ada", "nmae": "Bob", "spare": 1}"#),
        ("schema.json", r#"{"properties": {"prompts": {"system_template": {}}}}"#),
        ("broken.json", r#"{"system_template": "#),
    ];
    check(
        &files,
        &[],
        expect![[r#"
        support.inputs.json:1:32: warning [unused-input] `spare` is never read by prompt `greet`
        support.json:3:60: error [undeclared-variable] `nmae` is not declared; did you mean `name`?
        --- 1
        1 prompt checked: 1 error, 1 warning
    "#]],
    );
    check(
        &files,
        &["--list"],
        expect![[r#"
            support.json#greet  promptpack  its content  default
            --- 0
            1 prompt
        "#]],
    );
    check(
        &files,
        &["support.inputs.json"],
        expect![[r#"
        support.inputs.json:1:32: warning [unused-input] `spare` is never read by prompt `greet`
        support.json:3:60: error [undeclared-variable] `nmae` is not declared; did you mean `name`?
        --- 1
        1 prompt checked: 1 error, 1 warning
    "#]],
    );
}

#[test]
fn a_config_that_is_named_is_checked() {
    let files = [("promptls.toml", "[[prompts]]\nfiles = ['*']\ndialekt = 'adk'\n"), PROMPT];
    check(
        &files,
        &["promptls.toml"],
        expect![[r#"
            promptls.toml:3:1: error [invalid-config] unknown key `dialekt`; known: files, strings, dialect, engine, engines, agent, inputs, variables, runtime, literal, max_tokens, max_output_tokens, task, encoding, problems; did you mean `dialect`?
            --- 2
            1 config checked, 1 file not fully read: 1 error
        "#]],
    );
    check(
        &[RULE],
        &["promptls.toml"],
        expect![[r#"
        --- 0
        1 config checked: no problems
    "#]],
    );
    check(
        &[RULE, PROMPT],
        &["promptls.toml", "a.adk.prompt"],
        expect![[r#"
        --- 0
        1 prompt and 1 config checked: no problems
    "#]],
    );
}

#[test]
fn prompts_are_listed_with_the_reason_why_they_are_prompts() {
    let files = [
        RULE,
        ("agents/a.txt", "{name}"),
        ("agents/a.inputs.json", "{}"),
        ("agents/a.angry.inputs.json", "{"),
        ("other/b.prompt", "{name}"),
        ("other/support.pack.json", PACK),
        ("notes.txt", "{x}"),
    ];
    check(
        &files,
        &["--list"],
        expect![[r#"
            agents/a.txt                   adk            rule 1 of promptls.toml  default, angry
            other/b.prompt                 adk (guessed)  its name                 no cases
            other/support.pack.json#greet  promptpack     its name                 no cases
            --- 0
            3 prompts
        "#]],
    );
    check(
        &files,
        &["--list", "notes.txt"],
        expect![[r#"
            --- 0
            promptls: notes.txt has no prompts
        "#]],
    );
    check(
        &files,
        &["--list", "notes.txt", "--as-prompts"],
        expect![[r#"
            notes.txt  adk (guessed)  --as-prompts  no cases
            --- 0
            1 prompt
        "#]],
    );
    let workspace = Workspace::new(&files);
    let arguments = ["check", "--list", "--format", "json", "agents"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    let listed: Value = serde_json::from_str(&output.stdout).expect("this is JSON");
    let rule = serde_json::json!({"file": "promptls.toml", "number": 1});
    let prompt = serde_json::json!({
        "file": "agents/a.txt", "by": "rule", "rule": rule, "dialect": "adk", "is_guessed": false,
        "cases": ["default", "angry"],
    });
    assert_eq!(listed["prompts"], serde_json::json!([prompt]));
}

#[test]
fn a_sidecar_without_its_prompt_is_reported() {
    let files = [
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("letters/reminder.adk.prompt", "Dear {customer}"),
        ("letters/reminder.inputs.json", "{}"),
        ("letters/all.inputs.json", r#"{"customer": "Ada"}"#),
        (
            "letters/more/promptls.toml",
            "[[prompts]]\nfiles = ['*.txt']\ninputs = ['../all.inputs.json']\ndialect = 'adk'\n",
        ),
        ("letters/more/a.txt", "{customer}"),
        ("flows/hello.wdl", "{}"),
        ("flows/other.inputs.json", "{}"),
    ];
    check(
        &files,
        &[],
        expect![[r#"
        letters/reminder.adk.prompt:1:1: info [no-inputs] no inputs file: names are not checked
        letters/reminder.inputs.json:1:1: warning [orphan-sidecar] this file is not used by any prompt: no prompt in this folder has the stem `reminder`; rename it with its prompt, or delete it
        --- 0
        2 prompts checked: 1 warning, 1 info
    "#]],
    );
    check(
        &files,
        &["letters/reminder.inputs.json"],
        expect![[r#"
            letters/reminder.inputs.json:1:1: warning [orphan-sidecar] this file is not used by any prompt: no prompt in this folder has the stem `reminder`; rename it with its prompt, or delete it
            --- 0
            no prompts checked: 1 warning
        "#]],
    );
    // A rule further down uses it.
    check(
        &files,
        &["letters/all.inputs.json"],
        expect![[r#"
        --- 0
        promptls: letters/all.inputs.json is skipped, because it is not a prompt; use --as-prompts to read it
    "#]],
    );
    check(
        &files,
        &["flows/other.inputs.json"],
        expect![[r#"
        --- 0
        promptls: flows/other.inputs.json is skipped, because it is not a prompt; use --as-prompts to read it
    "#]],
    );
}

#[test]
fn a_text_of_another_syntax_is_listed_and_not_checked() {
    let agent = "from google.adk.utils.instructions_utils import inject_session_state\n\
        async def f(context):\n    \
            a = await inject_session_state('{% if x %}{{ y }}{% endif %}', context, use_jinja2=True)\n    \
            b = await inject_session_state('Hi {z?}', context, use_jinja2=False)\n";
    check(
        &[("agent.py", agent)],
        &["--list"],
        expect![[r#"
            agent.py#b  adk-python  its content  no cases
            --- 0
            1 prompt
            1 prompt not read:
              agent.py:3:36: with `use_jinja2`, this text is Jinja, which is not checked
        "#]],
    );
}

#[test]
fn a_prompt_of_a_file_has_one_address_and_unread_ones_are_in_the_json() {
    const AGENTS: &str = "from google.adk.agents import LlmAgent\n\
        ask = LlmAgent(name='ask', instruction='Ask {user}.')\n\
        later = LlmAgent(name='later', instruction=fetch())\n\
        greet = LlmAgent(name='greet', instruction='Greet {user}.', output_key='greeting')\n";
    let workspace = Workspace::new(&[
        ("agents/agent.py", AGENTS),
        ("agents/agent.ask.inputs.json", r#"{"user": "Ada"}"#),
        ("requirements.txt", "google-adk==2.13.0\n"),
    ]);
    let run = |arguments: &[&str]| promptls(arguments).cwd(workspace.root()).run();
    for arguments in [&["check", "--list"] as &[&str], &["stats"], &["graph"], &["prompts"]] {
        let printed = run(arguments).stdout;
        assert!(printed.contains("agents/agent.py#ask"), "{arguments:?}: {printed}");
    }
    let shown = run(&["config", "--show", "agents/agent.py#ask"]);
    assert!(shown.stdout.contains("agents/agent.ask.inputs.json"), "{}", shown.stdout);
    let shown = run(&["config", "--show", "agents/agent.py#greet"]);
    assert!(!shown.stdout.contains("agents/agent.ask.inputs.json"), "{}", shown.stdout);
    let unknown = run(&["config", "--show", "agents/agent.py#asks"]);
    assert!(unknown.stderr.contains("agents/agent.py has no prompt `asks`"), "{}", unknown.stderr);

    let listed = run(&["prompts", "--format", "json"]);
    assert_eq!(listed.stderr, "");
    let listed: Value = serde_json::from_str(&listed.stdout).expect("JSON");
    let [ask, greet, later] = listed.as_array().expect("a list").as_slice() else {
        panic!("three entries: {listed}")
    };
    assert_eq!((&ask["name"], &greet["name"]), (&"ask".into(), &"greet".into()));
    assert_eq!(later["file"], "agents/agent.py");
    assert_eq!(&AGENTS[later["range"][0].as_u64().unwrap() as usize..][..7], "fetch()");
    assert!(later["unread"].as_str().unwrap().contains("so it is not checked"), "{later}");
}
