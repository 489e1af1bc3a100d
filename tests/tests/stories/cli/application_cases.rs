//! Small applications, each with the output of `check`.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const ADK: (&str, &str) = ("requirements.txt", "google-adk==2.13.0\n");

/// The output for an application that uses ADK.
#[track_caller]
fn check(files: &[(&str, &str)], expected: Expect) {
    let workspace = Workspace::new(&[files, &[ADK]].concat());
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expected.assert_eq(&output.stdout);
}

#[test]
fn ways_into_a_value_that_code_sets_are_reported() {
    let agent = r#"from google.adk.agents import Agent
def before(callback_context):
    callback_context.state["profile"] = {"name": "Ada"}
a = Agent(name="a", instruction="{profile.name} {profile?.name?} {profile['name']} {profile[name]}")
b = Agent(name="b", instruction="{other['name']} {other.name} {x: [1]} {profile['a b']} {{profile.x}}")
"#;
    check(
        &[("agent.py", agent)],
        expect![[r#"
            agent.py:4:34: warning [malformed-placeholder] `{profile.name}` is sent unchanged: ADK has no nested access
            agent.py:4:49: warning [malformed-placeholder] `{profile?.name?}` is sent unchanged: ADK has no nested access
            agent.py:4:66: warning [malformed-placeholder] `{profile['name']}` is sent unchanged: ADK has no nested access
            agent.py:4:84: warning [malformed-placeholder] `{profile[name]}` is sent unchanged: ADK has no nested access
            agent.py:5:89: warning [malformed-placeholder] `{{profile.x}}` is sent unchanged: ADK has no nested access
        "#]],
    );
}

#[test]
fn a_key_of_the_state_in_quotes_is_a_hint() {
    let agent = r#"from google.adk.agents import Agent
a = Agent(name="a", instruction="Find a city.", output_key="capital_city")
b = Agent(name="b", instruction="Tell about the city in state['capital_city'], state['other'].")
"#;
    check(
        &[("agent.py", agent)],
        expect![[r#"
            agent.py:3:57: hint [malformed-placeholder] `state['capital_city']` is sent unchanged: to insert its value, write `{capital_city}`
        "#]],
    );
}

#[test]
fn an_agent_in_yaml_has_the_engine_of_the_project() {
    let agent = "name: helper\nmodel: m\ninstruction: Deploy to ${PROJECT_ID}.\n";
    check(&[("root_agent.yaml", agent)], expect![""]);
    let workspace = Workspace::new(&[("root_agent.yaml", agent), ADK]);
    let output = promptls(&["config", "--show", "root_agent.yaml"]).cwd(workspace.root()).run();
    assert!(output.stdout.contains("adk-python@2.13"), "{}{}", output.stdout, output.stderr);
}

#[test]
fn a_rule_for_code_adds_settings() {
    let agent = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction='Look at {order_id} in a {tone} tone.')\n";
    check(
        &[
            ("agent.py", agent),
            ("promptls.toml", "[[prompts]]\nfiles = ['*.py']\nruntime = ['order_id']\n"),
        ],
        expect![[r#"
            agent.py:2:59: warning [undefined-placeholder] nothing in this app sets `tone`
        "#]],
    );
}

#[test]
fn a_rule_that_makes_prompts_of_code_names_its_strings() {
    let rule = "[[prompts]]\nfiles = ['*.py']\ndialect = 'adk'\n";
    for (code, expected) in [
        ("P = 'Hi {x}'\n", true),
        ("from google.adk.agents import Agent\nAgent(instruction='Hi')\n", false),
        ("# promptls: adk\nP = 'Hi'\n", false),
    ] {
        let workspace = Workspace::new(&[("a.py", code), ("promptls.toml", rule)]);
        let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
        let is_reported =
            output.stdout.contains("promptls.toml:2:9: error [invalid-config] no prompt");
        assert_eq!(
            (is_reported, output.code == Some(0)),
            (expected, !expected),
            "{code}: {output:?}"
        );
    }
}

#[test]
fn names_of_a_constant_that_is_formatted_are_checked() {
    let agent = r#"from google.adk.agents import Agent
TEXT = "You are {who}. Greet {{usr_name}}."
a = Agent(name="a", model="m", instruction=TEXT.format(who="kind"), output_key="user_name")
"#;
    check(
        &[("agent.py", agent)],
        expect![[r#"
            agent.py:2:32: warning [undefined-placeholder] nothing in this app sets `usr_name`; did you mean `user_name`?
        "#]],
    );
}

#[test]
fn named_inputs_are_for_each_prompt_of_a_file() {
    let agents = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction='Hi {x}')\n\
        b = Agent(name='b', instruction='Bye {x}')\n";
    let files =
        [("agent.py", agents), ("pyproject.toml", ""), ("values/v.json", "{\"x\": \"Ada\"}")];
    let workspace = Workspace::new(&files);
    for (prompt, text) in [("agent.py#a", "Hi Ada"), ("agent.py#b", "Bye Ada")] {
        let command = ["resolve", prompt, "--inputs", "values/v.json"];
        let output = promptls(&command).cwd(workspace.root()).run();
        assert_eq!(output.stdout, text, "{}", output.stderr);
    }
}
