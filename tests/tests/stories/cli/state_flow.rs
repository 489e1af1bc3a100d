//! The output of `check` for names in code without inputs: whether any code sets them.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const AGENT: &str = "from google.adk.agents import Agent\n\
    a = Agent(name='a', instruction='Do {plan} in {citty}', output_key='done')\n";

/// The output for an agent in an application with one more file.
#[track_caller]
fn check(file: &str, text: &str, expected: Expect) {
    let files = [("app/pyproject.toml", ""), ("app/agents/a.py", AGENT), (file, text)];
    let workspace = Workspace::new(&files);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expected.assert_eq(&output.stdout);
}

#[test]
fn a_name_that_nothing_sets_is_a_warning() {
    check(
        "app/tools.py",
        "def f(context):\n  context.state['plan'] = 1\n  context.state.setdefault('city', 2)\n",
        expect![[r#"
            app/agents/a.py:2:48: warning [undefined-placeholder] nothing in this app sets `citty`; did you mean `city`?
        "#]],
    );
    // In another language, or in configuration.
    check(
        "app/Tools.java",
        "class T { void f() { state.put(\"city\", 1); } }",
        expect![[r#"
        app/agents/a.py:2:38: warning [undefined-placeholder] nothing in this app sets `plan`
        app/agents/a.py:2:48: warning [undefined-placeholder] nothing in this app sets `citty`; did you mean `city`?
    "#]],
    );
    check(
        "app/agent.yaml",
        "name: b\nmodel: m\ninstruction: x\noutput_key: plan\n",
        expect![[r#"
            app/agents/a.py:2:48: warning [undefined-placeholder] nothing in this app sets `citty`
        "#]],
    );
}

/// Nothing is sent for it, so nothing fails.
#[test]
fn an_optional_name_that_resembles_one_that_is_set_is_a_hint() {
    check(
        "app/b.py",
        "from google.adk.agents import Agent\n\
        b = Agent(name='b', instruction='{paln?} {other?} {done?}')\n\
        state['plan'] = state['citty'] = 1\n",
        expect![[r#"
            app/b.py:2:35: hint [undefined-placeholder] `paln` has no value, so nothing is sent for it; did you mean `plan`?
        "#]],
    );
}

#[test]
fn possible_assignments_of_a_name_suppress_the_warning() {
    let set =
        ["x = 'citty', 'plan'", "f(citty=1, plan=2)", "class S(Model):\n  citty: str\n  plan: int"];
    for text in set {
        check("app/tools.py", text, expect![""]);
    }
    check("app/values.json", r#"{"citty": 1, "b": ["plan"]}"#, expect![""]);
    check("app/try.ipynb", &notebook("code", "state['citty'] = state['plan'] = 1"), expect![""]);
    // These keys cannot be determined.
    check(
        "app/tools.py",
        "state[key] = 1; state['plan'] = 2",
        expect![[r#"
        app/agents/a.py:2:48: hint [undefined-placeholder] nothing in this app sets `citty`
    "#]],
    );
}

#[test]
fn files_beside_an_application_do_not_belong_to_it() {
    check(
        "tools.py",
        "state['citty'] = state['plan'] = 1",
        expect![[r#"
        app/agents/a.py:2:38: warning [undefined-placeholder] nothing in this app sets `plan`
        app/agents/a.py:2:48: warning [undefined-placeholder] nothing in this app sets `citty`
    "#]],
    );
}

#[test]
fn words_in_prose_set_no_names() {
    for (file, text) in [
        ("app/values.json", r#"{"x": "of citty and plan"}"#),
        ("app/values.yaml", "# citty\nx: |\n  a plan for the citty\n"),
        ("app/values.toml", "x = 'of citty' # plan"),
        ("app/README.md", "# citty\n\nplan `plan` 'citty'\n"),
        ("app/tools.py", "# 'citty'\nx = 'the citty, a plan'"),
        ("app/try.ipynb", &notebook("markdown", "'citty', 'plan'")),
    ] {
        check(
            file,
            text,
            expect![[r#"
                app/agents/a.py:2:38: warning [undefined-placeholder] nothing in this app sets `plan`
                app/agents/a.py:2:48: warning [undefined-placeholder] nothing in this app sets `citty`
            "#]],
        );
    }
}

fn notebook(kind: &str, source: &str) -> String {
    format!(r#"{{"cells": [{{"cell_type": "{kind}", "source": ["{source}\n"]}}], "nbformat": 4}}"#)
}

#[test]
fn the_instruction_of_an_agent_in_yaml_sets_none_of_its_names() {
    check(
        "app/agent.yaml",
        "name: b\nmodel: m\ninstruction: |\n  Plan {plan}, {citty}, {dne}.\noutput_key: city\n",
        expect![[r#"
            app/agent.yaml:4:9: warning [undefined-placeholder] nothing in this app sets `plan`
            app/agent.yaml:4:17: warning [undefined-placeholder] nothing in this app sets `citty`; did you mean `city`?
            app/agent.yaml:4:26: warning [undefined-placeholder] nothing in this app sets `dne`; did you mean `done`?
            app/agents/a.py:2:38: warning [undefined-placeholder] nothing in this app sets `plan`
            app/agents/a.py:2:48: warning [undefined-placeholder] nothing in this app sets `citty`; did you mean `city`?
        "#]],
    );
}

#[test]
fn a_key_with_a_prefix_sets_a_name() {
    const AGENT: &str = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction='{user:seen} {app:seen}')\n";
    for (tools, expected) in [
        ("state['user:seen'] = state['app:seen'] = 1", ""),
        ("P = 'user'\nstate[f'{P}:seen'] = 1", "`app:seen`"),
        ("state[State.USER_PREFIX + 'seen'] = 1", "`app:seen`"),
        ("from keys import P\nf(f'{P}:seen')", ""),
    ] {
        let workspace =
            Workspace::new(&[("setup.py", ""), ("agent.py", AGENT), ("tools.py", tools)]);
        let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
        let found = output.stdout.lines().filter_map(|line| line.split_once("sets "));
        let found: Vec<&str> = found.map(|(_, name)| name).collect();
        assert_eq!(found.join(", "), expected, "{tools}");
    }
}

#[test]
fn without_a_manifest_the_checked_folder_is_the_application() {
    let workspace = Workspace::new(&[("agents/a.py", AGENT)]);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expect![[r#"
        agents/a.py:2:38: warning [undefined-placeholder] nothing in this app sets `plan`
        agents/a.py:2:48: warning [undefined-placeholder] nothing in this app sets `citty`
    "#]]
    .assert_eq(&output.stdout);
}

#[test]
fn unusual_code_does_not_crash_a_check() {
    for text in [
        "state[",
        "state={",
        "output_key=",
        "state.update({'a': {'b': {'c': {'d': {'e': {'f': 1}}}}}})",
        "output_key=output_key=output_key='plan'",
        "state['\u{FFFF}'] = '\\ud800'",
        "state[0]['plan']['citty'] = 1",
    ] {
        let files = [("pyproject.toml", ""), ("a.py", AGENT), ("b.py", text)];
        let workspace = Workspace::new(&files);
        let output = promptls(&["check", "--exit-zero"]).cwd(workspace.root()).run();
        assert_eq!(output.code, Some(0), "{text}: {}", output.stderr);
    }
}

/// Names are checked beside a file in another encoding, one that is too large to be parsed, and links
/// that lead nowhere; and words in them may be keys.
#[test]
fn code_that_is_not_parsed_hides_no_problem_of_another_file() {
    let warnings = expect![[r#"
        app/agents/a.py:2:38: warning [undefined-placeholder] nothing in this app sets `plan`
        app/agents/a.py:2:48: warning [undefined-placeholder] nothing in this app sets `citty`
    "#]];
    let one = expect![[r#"
        app/agents/a.py:2:38: warning [undefined-placeholder] nothing in this app sets `plan`
    "#]];
    let large = |text: &str| format!("{}\n{text}\n", "x = 1\n".repeat(400_000)).into_bytes();
    let latin1 = |text: &str| [b"# caf\xe9\n", text.as_bytes()].concat();
    let utf16 =
        |text: &str| format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    type Encoding = fn(&str) -> Vec<u8>;
    let encodings: [(&str, Encoding); 4] = [
        ("app/old.py", latin1),
        ("app/old.py", utf16),
        ("app/bundle.min.js", large),
        ("app/data.yaml", large),
    ];
    for (path, encoded) in encodings {
        for (text, expected) in [("y = 1", &warnings), ("x['citty'] = 1", &one)] {
            let workspace =
                Workspace::new(&[("app/pyproject.toml", ""), ("app/agents/a.py", AGENT)]);
            workspace.write(path, encoded(text));
            let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
            expected.assert_eq(&output.stdout);
        }
    }
    #[cfg(unix)]
    {
        let workspace = Workspace::new(&[("app/pyproject.toml", ""), ("app/agents/a.py", AGENT)]);
        let link = workspace.path("app/broken.py");
        std::os::unix::fs::symlink("nowhere.py", link).expect("a link can be made");
        let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
        warnings.assert_eq(&output.stdout);
    }
}

/// Code that only reads a name does not set it; the name of an agent sets nothing either.
#[test]
fn a_name_that_is_only_read_is_reported_if_a_similar_one_is_set() {
    let agents = "from google.adk.agents import LlmAgent as A\n\
        def tool(context):\n    context.state['usr_name'] = 1\n    return context.state['user_name']\n\
        a = A(name='plan', instruction='{user_name} {role}', output_key='pln')\n\
        b = A(name='b', instruction='{plan}')\n\
        def ask(context):\n    return context.state.get('role')\n";
    let workspace = Workspace::new(&[("app/pyproject.toml", ""), ("app/a.py", agents)]);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expect![[r#"
        app/a.py:5:34: warning [undefined-placeholder] nothing in this app sets `user_name`; did you mean `usr_name`?
        app/a.py:6:31: warning [undefined-placeholder] nothing in this app sets `plan`; did you mean `pln`?
    "#]].assert_eq(&output.stdout);
}

/// A key, or a whole state, from elsewhere may have any name.
#[test]
fn states_and_keys_of_other_packages_make_problems_hints() {
    let agent = "from google.adk.agents import LlmAgent as A\n\
        A(name='a', instruction='{persona}')\n";
    for other in [
        "from library import KEY\nA(name='b', output_key=KEY)\n",
        "service.create_session(state=await database.load_state())\n",
        "service.create_session(state=dict(settings))\n",
    ] {
        let code = format!("{agent}{other}");
        let workspace = Workspace::new(&[("app/pyproject.toml", ""), ("app/a.py", &code)]);
        let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
        assert!(
            output.stdout.contains("hint [undefined-placeholder]"),
            "{other}: {}",
            output.stdout
        );
    }
}
