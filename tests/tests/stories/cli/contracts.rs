//! Problems that `check` reports for a call next to a prompt whose values do not match the prompt.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

/// The problems of a single file of code.
#[track_caller]
fn check(name: &str, text: &str, expected: Expect) {
    let workspace = Workspace::new(&[(name, text)]);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expected.assert_eq(&output.stdout);
}

const AGENTLE: &str = "from agentle.prompts import Prompt\n";

#[test]
fn a_prompt_that_is_compiled_without_a_name_is_a_warning() {
    check(
        "a.py",
        &format!(
            "{AGENTLE}p = Prompt.from_text('Hi {{{{name}}}} {{{{b}}}}')\nprint(p.compile(nam=1, c=2))\n"
        ),
        expect![[r#"
            a.py:2:28: warning [undefined-placeholder] the call that passes values to this prompt has no `name`; did you mean `nam`?
            a.py:2:37: warning [undefined-placeholder] the call that passes values to this prompt has no `b`
            a.py:3:24: hint [unused-input] `c` is never read by this prompt
        "#]],
    );
    check(
        "A.java",
        "import com.paragon.prompts.Prompt;\nclass A { void f() {\n\
         Prompt.of(\"{{#if vip}}{{vip.name}} {{other}}{{/if}}{{#each items}}{{x}}{{/each}} {{user.age}}\")\n\
         .compile(Map.of(\"vip\", v)); } }\n",
        expect![[r#"
            A.java:3:38: warning [undefined-placeholder] the call that passes values to this prompt has no `other`
            A.java:3:60: warning [undefined-placeholder] the call that passes values to this prompt has no `items`
            A.java:3:84: warning [undefined-placeholder] the call that passes values to this prompt has no `user`
        "#]],
    );
}

#[test]
fn a_condition_on_a_missing_argument_is_not_reported() {
    check(
        "a.py",
        &format!(
            "{AGENTLE}Prompt.from_text('{{{{#if vip}}}}{{{{vip}}}}{{{{level}}}}{{{{/if}}}}').compile()\n"
        ),
        expect![""],
    );
}

#[test]
fn unknown_arguments_suppress_warnings() {
    check(
        "a.py",
        &format!("{AGENTLE}Prompt.from_text('{{{{name}}}}').compile(**values)\n"),
        expect![""],
    );
    // The rest is inserted later.
    check(
        "a.py",
        &format!(
            "{AGENTLE}half = Prompt.from_text('{{{{a}}}} {{{{b}}}}').compile(a=1)\nhalf.compile(b=1)\n"
        ),
        expect![""],
    );
    // A part of the text may use any name.
    check(
        "a.py",
        &format!("{AGENTLE}Prompt.from_text('{{{{a}}}} ' + rest).compile(a=1, b=2)\n"),
        expect![""],
    );
}

#[test]
fn a_run_without_a_name_that_its_task_reads_is_a_warning() {
    check(
        "A.java",
        "import net.agentensemble.*;\nclass A { void f() {\n\
         Task t = Task.of(\"On {topic} for {audience}\", \"A {kind}\");\n\
         Ensemble.builder().task(t).build().run(Map.of(\"topic\", \"AI\", \"kind\", k)); } }\n",
        expect![[r#"
            A.java:3:35: warning [undefined-placeholder] the call that passes values to this prompt has no `audience`
        "#]],
    );
}

#[test]
fn runtime_and_literal_names_of_the_config_apply_to_calls() {
    let config = "[[prompts]]\nfiles = [\"*.py\"]\nstrings = [\"P\"]\n\
         dialect = \"agentle\"\nruntime = [\"a\"]\nliteral = [\"b\"]\n";
    let text = format!("{AGENTLE}Prompt.from_text('{{{{a}}}} {{{{b}}}} {{{{c}}}}').compile()\n");
    let workspace = Workspace::new(&[("promptls.toml", config), ("a.py", &text)]);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expect![[r#"
        a.py:2:33: warning [undefined-placeholder] the call that passes values to this prompt has no `c`
    "#]].assert_eq(&output.stdout);
}

#[test]
fn a_name_missing_in_call_and_inputs_is_reported_once() {
    let text =
        format!("{AGENTLE}p = Prompt.from_text('{{{{a}}}} {{{{b}}}} {{{{c}}}}').compile(c=1)\n");
    let files = [("a.py", &*text), ("a.inputs.json", "{\"a\": 1}")];
    let workspace = Workspace::new(&files);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expect![[r#"
        a.py:2:25: warning [undefined-placeholder] the call that passes values to this prompt has no `a`
        a.py:2:31: error [undefined-placeholder] `b` has no value
        a.py:2:37: error [undefined-placeholder] `c` has no value
    "#]].assert_eq(&output.stdout);
}
