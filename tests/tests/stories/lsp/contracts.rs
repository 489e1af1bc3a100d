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
fn it_is_said_where_it_is_wrong_and_goes_when_it_is_fixed() {
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
fn its_keys_are_names_of_the_prompt() {
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
