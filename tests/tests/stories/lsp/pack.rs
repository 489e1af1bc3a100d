//! Packs in an editor: prompts edited inside their JSON strings.

use expect_test::expect;
use promptls_tests::{Editor, Workspace};

const PACK: &str = "support.pack.json";
const TEXT: &str = r#"{
  "prompts": {
    "greeting": {"system_template": "Caf\u00e9 \ud83d\ude00\n{{nmae}}!"},
    "closing": {"system_template": "Bye {{town}}", "variables": [{"name": "town", "type": "string"}]}
  }
}
"#;
const INPUTS: (&str, &str) = ("support.pack.inputs.json", r#"{"name": "Ada", "town": "Rome"}"#);

#[test]
fn a_typo_in_a_template_is_reported_in_the_json_until_fixed() {
    let mut editor = Editor::start(Workspace::new(&[(PACK, TEXT), INPUTS]));
    editor.open_file(PACK);
    expect![[r#"
        3:64-3:68 error undefined-placeholder `nmae` has no value; did you mean `name`?
            support.pack.inputs.json 1:2-1:8 case default has `name`
    "#]]
    .assert_eq(&editor.problems_text(PACK));
    editor.replace(PACK, "nmae", "name");
    editor.wait_for_problems(PACK, &["`name` is not declared"]);
    let hover = editor.hover(PACK, "Bye {{to$0wn}}").expect("a placeholder has a hover");
    expect![[r#"
        **`town`** — string

        `Rome` — [support.pack.inputs.json](support.pack.inputs.json#L1)"#]]
    .assert_eq(&hover);
    assert_eq!(editor.hover(PACK, "\"clo$0sing"), None);
    assert_eq!(editor.hover(PACK, "C$0af"), None);
    editor.close();
}

#[test]
fn completion_works_inside_a_string() {
    let mut editor = Editor::start(Workspace::new(&[(PACK, TEXT), INPUTS]));
    editor.open_file(PACK);
    editor.ignore_problems();
    editor.replace(PACK, "{{nmae}}!", r#"\"{{"#);
    let items = editor.complete(PACK, r#"\"{{$0"#);
    let edits: Vec<String> = items.iter().map(|item| item["textEdit"].to_string()).collect();
    expect![[r#"
        {"range":{"start":{"line":2,"character":65},"end":{"line":2,"character":65}},"newText":"name}}"}
        {"range":{"start":{"line":2,"character":65},"end":{"line":2,"character":65}},"newText":"town}}"}"#]].assert_eq(&edits.join("\n"));
    editor.close();
}

#[test]
fn the_last_valid_state_is_kept_while_the_json_does_not_parse() {
    let inputs = ("support.pack.inputs.json", r#"{"town": "Rome"}"#);
    let mut editor = Editor::start(Workspace::new(&[(PACK, TEXT), inputs]));
    editor.open_file(PACK);
    let typo = "`nmae` has no value";
    editor.wait_for_problems(PACK, &[typo]);
    editor.replace(PACK, "\"prompts\":", "\"prompts\"");
    editor.wait_for_problems(PACK, &["expected a colon after the key", typo]);
    expect![[r#"
        **`town`** — string

        `Rome` — [support.pack.inputs.json](support.pack.inputs.json#L1)"#]]
    .assert_eq(&editor.hover(PACK, "{{to$0wn}}").expect("it is still known"));
    editor.replace(PACK, "\"prompts\"", "\n\"prompts\":");
    editor.wait_for_problems(PACK, &[typo]);
    editor.close();
}

#[test]
fn an_open_sidecar_has_its_problems_from_a_pack_that_is_closed() {
    let inputs = ("support.pack.inputs.json", r#"{"nmae": "Ada", "town": "Rome", "age": 1}"#);
    let mut editor = Editor::start(Workspace::new(&[(PACK, TEXT), inputs]));
    editor.open_file(inputs.0);
    editor.wait_for_problems(inputs.0, &["`age` is never read by any prompt of support.pack.json"]);
    editor.replace(inputs.0, ", \"age\": 1", "");
    editor.wait_for_problems(inputs.0, &[]);
    editor.close();
}

#[test]
fn names_are_completed_in_fragments_beside_a_prompt_and_in_a_pack() {
    let declared = r#"{"fragments": {"tone": "Go to {{ci}}."}}"#;
    let pack = r#"{"id": "p", "version": "1.0.0", "template_engine": {"version": "v1",
        "syntax": "{{variable}}"}, "fragments": {"tone": "Go to {{ci}}."}, "prompts": {"a": {
        "id": "a", "version": "1.0.0", "system_template": "{{tone}} {{city}}",
        "variables": [{"name": "city", "type": "string", "required": true}]}}}"#;
    let files = [
        ("a.promptpack.prompt", "{{tone}} {{city}}"),
        ("a.promptpack.inputs.json", r#"{"city": "Oslo"}"#),
        ("a.promptpack.variables.json", declared),
        ("p.pack.json", pack),
    ];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.ignore_problems();
    for path in ["a.promptpack.variables.json", "p.pack.json"] {
        editor.open_file(path);
        let items = editor.complete(path, "{{ci$0}}");
        assert!(items.iter().any(|item| item["label"] == "city"), "{path}: {items:?}");
    }
    editor.close();
}
