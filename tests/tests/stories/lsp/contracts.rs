//! A call next to a prompt: missing and unused values, and its keys as names.

use expect_test::expect;
use promptls_tests::{Editor, Workspace};
use serde_json::json;

const HOST: &str = "Greeter.java";
const TEXT: &str = r#"import com.paragon.prompts.Prompt;

class Greeter {
    String greet(String name) {
        return Prompt.of("Hello {{name}}, you are {{age}}.")
            .compile(Map.of("name", name, "old", 3))
            .text();
    }
}
"#;

const LACKS: &str = "the call that passes values to this prompt has no `age`";
const UNREAD: &str = "`old` is never read by this prompt";

fn start() -> Editor {
    let mut editor = Editor::start(Workspace::new(&[(HOST, TEXT)]));
    editor.open_file(HOST);
    editor
}

#[test]
fn problems_of_a_compile_call_are_reported_in_the_prompt_until_fixed() {
    let mut editor = start();
    editor.wait_for_problems(HOST, &[LACKS, UNREAD]);
    expect![[r#"
        5:53-5:56 warning undefined-placeholder the call that passes values to this prompt has no `age`
            Greeter.java 6:14-7:20 the call
        6:44-6:47 hint unused-input `old` is never read by this prompt (unnecessary)
    "#]].assert_eq(&editor.problems_text(HOST));
    // An edit of the prompt moves the call.
    editor.replace(HOST, "Hello", "Hellooo");
    editor.replace(HOST, "\"old\"", "\"age\"");
    editor.wait_for_problems(HOST, &[]);
    editor.close();
}

#[test]
fn keys_of_a_compile_call_are_references_to_names() {
    let mut editor = start();
    editor.wait_for_problems(HOST, &[LACKS, UNREAD]);
    let hover = editor.hover(HOST, "{{na$0me}}").expect("a placeholder has a hover");
    expect![[r#"
        **`name`**

        set at run time: `compile` in [Greeter.java](Greeter.java#L6)"#]]
    .assert_eq(&hover);
    let definition = editor.request("textDocument/definition", editor.place(HOST, "{{na$0me}}"));
    assert_eq!(
        definition[0]["targetRange"]["start"],
        json!({ "line": 5, "character": 29 }),
        "{definition}"
    );
    let mut params = editor.place(HOST, "{{na$0me}}");
    params["newName"] = json!("who");
    let edit = editor.request("textDocument/rename", params);
    editor.apply(&edit);
    assert!(editor.text(HOST).contains("Hello {{who}},"), "{}", editor.text(HOST));
    assert!(editor.text(HOST).contains("Map.of(\"who\", name,"), "{}", editor.text(HOST));
    editor.ignore_problems();
    editor.close();
}

const PROMPTS: &str = "prompts.py";
const CALLER: &str = "caller.py";

const CALL: &str = "from agentle.prompts import Prompt\n\nfrom prompts import HELLO\n\n\
    def greet(name):\n    return Prompt.from_text(HELLO).compile(name=name, age=3).text\n";

#[test]
fn a_call_of_another_file_supplies_the_names_of_a_text() {
    let mut editor = Editor::start(Workspace::new(&[
        ("pyproject.toml", "[project]\nname = 'greeter'\n"),
        (PROMPTS, "HELLO = 'Hello {{name}}, you are {{agge}}.'\n"),
        (CALLER, CALL),
    ]));
    editor.open_file(PROMPTS);
    let lacks = "the call that passes values to this prompt has no `agge`; did you mean `age`?";
    editor.wait_for_problems(PROMPTS, &[lacks]);
    expect![[r#"
        1:36-1:40 warning undefined-placeholder the call that passes values to this prompt has no `agge`; did you mean `age`?
            caller.py 6:36-6:61 the call
    "#]].assert_eq(&editor.problems_text(PROMPTS));
    let hover = editor.hover(PROMPTS, "{{na$0me}}").expect("a placeholder has a hover");
    expect![[r#"
        **`name`**

        set at run time: `compile` in [caller.py](caller.py#L6)"#]]
    .assert_eq(&hover);
    // An edit of the caller counts while it is not saved, and moves its keys.
    editor.open_file(CALLER);
    editor.replace(CALLER, "age=3", "agge=3");
    editor.wait_for_problems(PROMPTS, &[]);
    editor.replace(CALLER, "def greet", "# Greets a person.\ndef greet");
    let place = editor.place(PROMPTS, "{{na$0me}}");
    let mut definitions =
        (0..100_000).map(|_| editor.request("textDocument/definition", place.clone()));
    assert!(definitions.any(|it| it[0]["targetRange"]["start"]["line"] == 6));
    drop(definitions);
    let mut params = editor.place(PROMPTS, "{{na$0me}}");
    params["newName"] = json!("who");
    let edit = editor.request("textDocument/rename", params);
    editor.apply(&edit);
    assert_eq!(editor.text(PROMPTS), "HELLO = 'Hello {{who}}, you are {{agge}}.'\n");
    let call = "Prompt.from_text(HELLO).compile(who=name, agge=3)";
    assert!(editor.text(CALLER).contains(call), "{}", editor.text(CALLER));
    editor.wait_for_problems(PROMPTS, &[]);
    editor.close();
}

#[test]
fn a_prompt_file_has_the_state_of_its_application() {
    let agent = "from google.adk.agents import LlmAgent\n\n\
        a = LlmAgent(name='a', instruction=load('plan'), output_key='city')\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("pyproject.toml", "[project]\nname = 'trips'\ndependencies = ['google-adk==2.13.0']\n"),
        ("agent.py", agent),
        ("prompts/plan.adk.prompt", "Plan a trip to {city} in {sezon}.\n"),
        ("elsewhere/plan.agentle.prompt", "Plan a trip to {{city}}.\n"),
    ]));
    let file = "prompts/plan.adk.prompt";
    editor.open_file(file);
    editor.wait_for_problems(file, &["nothing in this app sets `sezon`"]);
    let hover = editor.hover(file, "{ci$0ty}").expect("a placeholder has a hover");
    expect![[r#"
        **`city`**

        set at run time: `output_key` in [../agent.py](agent.py#L3)"#]]
    .assert_eq(&hover);
    let definition = editor.request("textDocument/definition", editor.place(file, "{ci$0ty}"));
    assert!(definition.to_string().contains("agent.py"), "{definition}");
    let mut params = editor.place(file, "{ci$0ty}");
    params["newName"] = json!("town");
    let edit = editor.request("textDocument/rename", params);
    editor.apply(&edit);
    assert!(editor.text("agent.py").contains("output_key='town'"), "{}", editor.text("agent.py"));
    editor.open_file("elsewhere/plan.agentle.prompt");
    let unknown = "no inputs file: names are not checked";
    editor.wait_for_problems("elsewhere/plan.agentle.prompt", &[unknown]);
    editor.ignore_problems();
    editor.close();
}
