//! Packs in YAML in an editor: prompts edited where they are written.

use expect_test::expect;
use promptls_tests::{Editor, Workspace};
use serde_json::{Value, json};

const PACK: &str = "support.pack.yaml";
const TEXT: &str = r#"# Two prompts.
prompts:
  greeting:
    system_template: |- # kept
      # Café 😀
      {{nmae}}!
    variables: [{name: name, type: string}, {name: town, type: string}]
  closing:
    system_template: 'It''s {{nmae}} of {{town}}'
    variables: [{name: name, type: string}, {name: town, type: string}]
"#;
const INPUTS: (&str, &str) = ("support.pack.inputs.json", r#"{"name": "Ada", "town": "Rome"}"#);

fn open() -> Editor {
    let mut editor = Editor::start(Workspace::new(&[(PACK, TEXT), INPUTS]));
    editor.open_file(PACK);
    editor
}

#[test]
fn a_typo_is_reported_in_its_line_until_it_is_fixed() {
    let mut editor = open();
    expect![[r#"
        6:9-6:13 error undefined-placeholder `nmae` has no value; did you mean `name`?
            support.pack.inputs.json 1:2-1:8 case default has `name`
        7:24-7:28 warning unused-variable `name` is declared and never used by prompt `greeting` (unnecessary)
        7:52-7:56 warning unused-variable `town` is declared and never used by prompt `greeting` (unnecessary)
        9:31-9:35 error undefined-placeholder `nmae` has no value; did you mean `name`?
            support.pack.inputs.json 1:2-1:8 case default has `name`
        10:24-10:28 warning unused-variable `name` is declared and never used by prompt `closing` (unnecessary)
    "#]].assert_eq(&editor.problems_text(PACK));
    editor.replace(PACK, "{{nmae}}!", "{{name}}!");
    editor.replace(PACK, "{{nmae}} of", "{{name}} of");
    editor.wait_for_problems(PACK, &["`town` is declared and never used by prompt `greeting`"]);
    let hover = editor.hover(PACK, "of {{to$0wn}}").expect("a placeholder has a hover");
    expect![[r#"
        **`town`** — string

        `Rome` — [support.pack.inputs.json](support.pack.inputs.json#L1)"#]]
    .assert_eq(&hover);
    assert_eq!(editor.hover(PACK, "Ca$0f"), None);
    editor.close();
}

#[test]
fn completion_works_in_a_block_and_in_quotes() {
    let mut editor = open();
    editor.ignore_problems();
    editor.replace(PACK, "{{nmae}}!", "{{");
    let items = editor.complete(PACK, "      {{$0");
    let edits: Vec<String> = items.iter().map(|item| item["textEdit"].to_string()).collect();
    expect![[r#"
        {"range":{"start":{"line":5,"character":8},"end":{"line":5,"character":8}},"newText":"name}}"}
        {"range":{"start":{"line":5,"character":8},"end":{"line":5,"character":8}},"newText":"town}}"}"#]].assert_eq(&edits.join("\n"));
    editor.close();
}

#[test]
fn names_are_renamed_in_all_scalars() {
    let mut editor = open();
    editor.ignore_problems();
    let mut params = editor.place(PACK, "of {{to$0wn}}");
    params["newName"] = json!("city");
    let edit = editor.request("textDocument/rename", params);
    editor.apply(&edit);
    expect![[r#"
        # Two prompts.
        prompts:
          greeting:
            system_template: |- # kept
              # Café 😀
              {{nmae}}!
            variables: [{name: name, type: string}, {name: city, type: string}]
          closing:
            system_template: 'It''s {{nmae}} of {{city}}'
            variables: [{name: name, type: string}, {name: city, type: string}]
    "#]]
    .assert_eq(editor.text(PACK));
    editor.close();
}

#[test]
fn a_fix_keeps_the_style_of_its_scalar() {
    let mut editor = open();
    editor.ignore_problems();
    for place in ["{{nm$0ae}}!", "{{nm$0ae}} of"] {
        let place = editor.place(PACK, place);
        let at = &place["position"];
        let params = json!({
            "textDocument": place["textDocument"],
            "range": { "start": at, "end": at },
            "context": { "diagnostics": [], "only": ["quickfix"] },
        });
        let found = editor.request("textDocument/codeAction", params);
        let found = found.as_array().expect("there are actions");
        let change =
            found.iter().find(|it| it["title"] == "Change to `name`").expect("it is offered");
        let action = editor.request("codeAction/resolve", change.clone());
        editor.apply(&action["edit"]);
    }
    assert_eq!(editor.text(PACK), TEXT.replace("nmae", "name"));
    editor.close();
}

#[test]
fn block_scalars_have_semantic_tokens_and_folds() {
    let mut editor = open();
    editor.ignore_problems();
    let document = json!({ "textDocument": { "uri": editor.uri(PACK) } });
    let tokens = editor.request("textDocument/semanticTokens/full", document.clone());
    expect!["[5,6,2,0,0,0,2,4,3,1,0,4,2,0,0,3,28,2,0,0,0,2,4,3,1,0,4,2,0,0,0,6,2,0,0,0,2,4,3,0,0,4,2,0,0]"].assert_eq(&tokens["data"].to_string());
    let symbols = editor.request("textDocument/documentSymbol", document.clone());
    let names: Vec<&Value> =
        symbols.as_array().expect("a list").iter().map(|symbol| &symbol["name"]).collect();
    expect![[r#"[String("greeting"), String("closing")]"#]].assert_eq(&format!("{names:?}"));
    let folds = editor.request("textDocument/foldingRange", document);
    expect![[r#"[{"startLine":4,"startCharacter":15,"endLine":5,"endCharacter":15}]"#]]
        .assert_eq(&folds.to_string());
    editor.close();
}

#[test]
fn an_alias_is_shown_and_not_changed() {
    let text = "x: &x Hi {{nmae}}\nprompts:\n  a: {system_template: *x}\n";
    let inputs = (INPUTS.0, r#"{"name": "Ada"}"#);
    let mut editor = Editor::start(Workspace::new(&[(PACK, text), inputs]));
    editor.open_file(PACK);
    expect![[r#"
        3:24-3:26 error undefined-placeholder `nmae` has no value; did you mean `name`?
            support.pack.inputs.json 1:2-1:8 case default has `name`
    "#]]
    .assert_eq(&editor.problems_text(PACK));
    let document = json!({ "textDocument": { "uri": editor.uri(PACK) } });
    let tokens = editor.request("textDocument/semanticTokens/full", document);
    assert_eq!(tokens["data"], json!([]));
    editor.close();
}

#[test]
fn a_rename_includes_the_aliases_of_a_prompt() {
    let text = "prompts:\n  a: {system_template: &x 'Hi {{name}}'}\n  b: {system_template: *x}\n";
    let inputs = (INPUTS.0, r#"{"name": "Ada"}"#);
    let mut editor = Editor::start(Workspace::new(&[(PACK, text), inputs]));
    editor.open_file(PACK);
    editor.open_file(INPUTS.0);
    editor.ignore_problems();
    let mut params = editor.place(PACK, "Hi {{na$0me}}");
    params["newName"] = json!("who");
    let edit = editor.request("textDocument/rename", params);
    editor.apply(&edit);
    assert_eq!(editor.text(PACK), text.replace("name", "who"));
    assert_eq!(editor.text(INPUTS.0), r#"{"who": "Ada"}"#);
    editor.close();
}

#[test]
fn a_rename_refused_because_of_an_alias_names_the_prompt() {
    let text = "x: &x 'Hi {{name}}'\nprompts:\n  a: {system_template: *x}\n";
    let inputs = (INPUTS.0, r#"{"name": "Ada"}"#);
    let mut editor = Editor::start(Workspace::new(&[(PACK, text), inputs]));
    editor.open_file(INPUTS.0);
    editor.ignore_problems();
    let mut params = editor.place(INPUTS.0, "na$0me");
    params["newName"] = json!("who");
    let error = editor.request_error("textDocument/rename", params);
    let message = "in prompt `a`: this prompt is an alias; change it where its anchor is";
    assert_eq!(error["message"], json!(message));
    editor.close();
}
