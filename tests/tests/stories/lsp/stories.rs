//! User stories in an editor, on the real binary.

use expect_test::expect;
use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

const LETTER: &str = "letter.agentensemble.prompt";
const LETTER_IN_FOLDER: &str = "folder/letter.adk.prompt";
const INPUTS: &str = "letter.agentensemble.inputs.json";

#[test]
fn additional_methods_are_announced() {
    let editor = Editor::start(Workspace::new(&[]));
    let announced = &editor.server_capabilities()["experimental"]["promptls"];
    assert_eq!(announced["version"], 1);
    let methods = announced["methods"].as_array().expect("a list of methods");
    assert!(
        ["promptls/preview", "promptls/templates"].iter().all(|it| methods.contains(&json!(it)))
    );
    editor.close();
}

#[test]
fn a_typo_is_reported_until_it_is_fixed() {
    let workspace = Workspace::new(&[(LETTER, ""), (INPUTS, r#"{"customer": "Ada"}"#)]);
    let mut editor = Editor::start(workspace);
    editor.open(LETTER, "Dear {custmer},");
    expect![[r#"
        1:7-1:14 error undefined-placeholder `custmer` has no value; did you mean `customer`?
            letter.agentensemble.inputs.json 1:2-1:12 case default has `customer`
    "#]]
    .assert_eq(&editor.problems_text(LETTER));
    editor.wait_for_problems(INPUTS, &[]);

    editor.replace(LETTER, "custmer", "customer");
    editor.wait_for_problems(LETTER, &[]);
    editor.wait_for_problems(INPUTS, &[]);
    editor.close();
}

#[test]
fn a_name_missing_in_some_cases_lists_these_cases() {
    let workspace = Workspace::new(&[
        ("a.adk.prompt", "{name} {tone?}"),
        ("a.adk.inputs.json", r#"{"name": "Ada", "tone": "dry"}"#),
        ("a.adk.trial.inputs.yaml", "tone: warm\n"),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    editor.wait_for_problems("a.adk.prompt", &["`name` has no value in 1 of 2 cases: trial"]);
    let hover = editor.hover("a.adk.prompt", "{na$0me}").expect("a placeholder has a hover");
    expect![[r#"
        **`name`**

        - **default**: `Ada` — [a.adk.inputs.json](a.adk.inputs.json#L1)
        - **trial**: no value

        Without a value, Google ADK raises `Context variable not found: name`; `?` makes it optional."#]]
    .assert_eq(&hover);
    editor.close();
}

#[test]
fn completion_offers_names_and_closes_the_braces() {
    let workspace = Workspace::new(&[
        ("a.promptpack.prompt", ""),
        ("a.promptpack.inputs.json", r#"{"user": {"name": "Ada", "age": 36}, "tone": "dry"}"#),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open("a.promptpack.prompt", "Hi {{user.name}} {{tone}} {{");
    editor.wait_for_codes("a.promptpack.prompt", &["engine-differs"]);
    let label = |item: &Value| {
        let text = &item["textEdit"]["newText"];
        format!("{} → {}", item["label"].as_str().unwrap(), text.as_str().unwrap())
    };
    let mut items = editor.complete("a.promptpack.prompt", "{{tone}} {{$0");
    assert_eq!(items.iter().map(label).collect::<Vec<_>>(), ["tone → tone}}", "user → user$0}}"]);

    editor.type_at("a.promptpack.prompt", "{{tone}} {{$0", "user.");
    items = editor.complete("a.promptpack.prompt", "{{tone}} {{user.$0");
    assert_eq!(items.iter().map(label).collect::<Vec<_>>(), ["age → age}}", "name → name}}"]);
    assert_eq!(items[0]["detail"], "36");
    editor.ignore_problems();
    editor.close();
}

#[test]
fn unsaved_inputs_are_used_immediately() {
    let workspace = Workspace::new(&[(LETTER, ""), (INPUTS, "{}")]);
    let mut editor = Editor::start(workspace);
    editor.open(LETTER, "Dear {customer},");
    editor.wait_for_codes(LETTER, &["undefined-placeholder"]);

    // With any language id, and never saved.
    editor.open_in_language(INPUTS, "jsonc", "{}");
    editor.wait_for_problems(INPUTS, &[]);
    editor.set_text(INPUTS, r#"{"customer": "Ada"}"#);
    editor.wait_for_problems(LETTER, &[]);
    assert!(editor.hover(LETTER, "{cust$0omer}").is_some_and(|hover| hover.contains("`Ada`")));

    // Closed without saving: the file on disk counts again.
    editor.close_document(INPUTS);
    editor.wait_for_codes(LETTER, &["undefined-placeholder"]);
    editor.close();
}

#[test]
fn inputs_that_do_not_parse_are_reported_and_the_last_valid_ones_kept() {
    let workspace = Workspace::new(&[(LETTER, ""), (INPUTS, r#"{"customer": "Ada"}"#)]);
    let mut editor = Editor::start(workspace);
    editor.open(LETTER, "Dear {customer},");
    editor.open_file(INPUTS);
    editor.wait_for_problems(LETTER, &[]);
    editor.set_text(INPUTS, r#"{"customer": "Ada", "#);
    editor.wait_for_codes(INPUTS, &["invalid-inputs"]);
    editor.wait_for_problems(LETTER, &[]);
    assert!(editor.hover(LETTER, "{cust$0omer}").is_some_and(|hover| hover.contains("`Ada`")));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn an_inputs_file_has_problems_while_its_prompt_is_closed() {
    let workspace = Workspace::new(&[
        (LETTER, "Dear {customer},"),
        (INPUTS, r#"{"customer": "Ada", "customer": "Bob", "old": 1}"#),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open_file(INPUTS);
    editor.wait_for_codes(INPUTS, &["duplicate-key", "unused-input"]);
    editor.replace(INPUTS, r#", "old": 1"#, "");
    editor.wait_for_codes(INPUTS, &["duplicate-key"]);
    editor.close();
}

#[test]
fn an_inputs_file_keeps_its_problems_when_its_prompt_is_closed() {
    let workspace =
        Workspace::new(&[(LETTER, "Dear {customer},"), (INPUTS, r#"{"customer": 1, "old": 1}"#)]);
    let mut editor = Editor::start(workspace);
    editor.open_file(LETTER);
    editor.open_file(INPUTS);
    editor.wait_for_codes(INPUTS, &["unused-input"]);
    editor.close_document(LETTER);
    editor.replace(INPUTS, r#", "old": 1"#, r#", "older": 1"#);
    editor.wait_for_codes(INPUTS, &["unused-input"]);
    editor.close_document(INPUTS);
    editor.wait_for_problems(INPUTS, &[]);
    editor.close();
}

#[test]
fn an_open_inputs_file_follows_its_prompt_on_disk() {
    let workspace = Workspace::new(&[(LETTER, "Dear {customer},"), (INPUTS, r#"{"old": 1}"#)]);
    let mut editor = Editor::start(workspace);
    editor.open_file(INPUTS);
    editor.wait_for_codes(INPUTS, &["unused-input"]);
    editor.write_file(LETTER, "Dear {old},");
    editor.wait_for_problems(INPUTS, &[]);
    editor.close();
}

#[test]
fn an_unsaved_prompt_is_used_as_a_file_value_of_another_prompt() {
    let workspace = Workspace::new(&[
        ("a.adk.prompt", "{notes}"),
        ("a.adk.inputs.json", r#"{"notes": {"$file": "b.adk.prompt"}}"#),
        ("b.adk.prompt", "old"),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    editor.open_file("b.adk.prompt");
    editor.replace("b.adk.prompt", "old", "new");
    let hover = editor.hover("a.adk.prompt", "{$0notes}");
    assert!(hover.as_ref().is_some_and(|hover| hover.contains("`new`")), "{hover:?}");
    editor.close();
}

#[test]
fn sidecars_may_be_created_changed_and_deleted() {
    let workspace = Workspace::new(&[(LETTER, "")]);
    let mut editor = Editor::start(workspace);
    editor.open(LETTER, "Dear {customer},");
    editor.wait_for_codes(LETTER, &["no-inputs"]);
    editor.write_file(INPUTS, r#"{"customer": "Ada"}"#);
    editor.wait_for_problems(LETTER, &[]);
    editor.write_file(INPUTS, r#"{"client": "Ada"}"#);
    editor.wait_for_codes(LETTER, &["undefined-placeholder"]);
    editor.wait_for_codes(INPUTS, &["unused-input"]);
    editor.remove_file(INPUTS);
    editor.wait_for_codes(LETTER, &["no-inputs"]);
    editor.wait_for_problems(INPUTS, &[]);
    editor.close();
}

#[test]
fn changes_on_disk_are_noticed_without_file_watching_by_the_client() {
    let client = Client { watched_files: false, ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&[(LETTER, "")]));
    editor.open(LETTER, "Dear {customer},");
    editor.wait_for_codes(LETTER, &["no-inputs"]);
    editor.workspace().write(INPUTS, r#"{"customer": "Ada"}"#);
    editor.wait_for_problems(LETTER, &[]);
    editor.workspace().remove(INPUTS);
    editor.wait_for_codes(LETTER, &["no-inputs"]);

    // A file that a rule makes a prompt is also noticed.
    editor.open_in_language("note.txt", "plaintext", "{x}");
    editor.wait_for_problems("note.txt", &[]);
    let rule = "[[prompts]]\nfiles = ['note.txt']\ndialect = 'adk'\n";
    editor.workspace().write("promptls.toml", rule);
    editor.wait_for_codes("note.txt", &["no-inputs"]);

    // So is a config that exists when a document is opened, but did not exist before.
    editor.open(LETTER_IN_FOLDER, "{x}");
    editor.wait_for_codes(LETTER_IN_FOLDER, &["no-inputs"]);
    editor.close_document(LETTER_IN_FOLDER);
    editor.workspace().write("folder/promptls.toml", "[problems]\nno-inputs = 'off'\n");
    editor.open(LETTER_IN_FOLDER, "{x}");
    editor.wait_for_codes(LETTER_IN_FOLDER, &[]);
    editor.close();
}

#[test]
fn configs_may_be_created_changed_and_deleted() {
    let workspace = Workspace::new(&[("p/a.txt", ""), ("p/a.inputs.json", r#"{"x": 1}"#)]);
    let mut editor = Editor::start(workspace);
    editor.open_in_language("p/a.txt", "plaintext", "{x} {y?}");
    // No prompt yet: nothing is reported.
    editor.wait_for_problems("p/a.txt", &[]);
    editor.write_file(
        "promptls.toml",
        "[[prompts]]\nfiles = ['p/*.txt']\ndialect = 'agentensemble'\n",
    );
    editor.wait_for_problems("p/a.txt", &[]);
    assert!(editor.hover("p/a.txt", "{$0x}").is_some());

    // While it is open, its text counts, not the file.
    editor.open_file("promptls.toml");
    editor.wait_for_problems("promptls.toml", &[]);
    editor.replace("promptls.toml", "'agentensemble'", "'adq'");
    expect![[r#"
        3:11-3:16 error invalid-config unknown dialect `adq`; known: agentensemble, adk, entaingine, promptpack, agentle, langfuse, format; did you mean `adk`?
    "#]]
    .assert_eq(&editor.problems_text("promptls.toml"));
    editor.replace("promptls.toml", "'adq'", "'adk'");
    editor.wait_for_problems("promptls.toml", &[]);
    editor.wait_for_problems("p/a.txt", &[]);
    assert!(editor.hover("p/a.txt", "{$0y?}").is_some_and(|hover| hover.contains("optional")));
    editor.close();
}

#[test]
fn a_language_id_makes_a_document_a_prompt() {
    let mut editor = Editor::start(Workspace::new(&[]));
    editor.open_in_language("notes.md", "prompt-agentle", "{{#if a}}x");
    editor.wait_for_codes("notes.md", &["no-inputs", "unclosed-block"]);
    editor.close();
}

#[test]
fn a_large_inputs_file_is_read_in_the_background() {
    let large = format!(r#"{{"customer": "Ada", "filler": "{}"}}"#, "x".repeat(2 << 20));
    let workspace = Workspace::new(&[(LETTER, ""), (INPUTS, &large)]);
    let mut editor = Editor::start(workspace);
    editor.open(LETTER, "Dear {customer} {filler} {gone},");
    // While the values are being read, missing ones are unknown.
    editor.wait_for_codes(LETTER, &["undefined-placeholder"]);
    editor.wait_for_pushed(INPUTS, &[]);
    assert!(editor.hover(LETTER, "{cust$0omer}").is_some_and(|hover| hover.contains("`Ada`")));
    editor.close();
}

#[test]
fn the_code_of_a_problem_links_to_its_page() {
    let client = Client { initialization_options: json!({ "pages": true }), ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&[(INPUTS, "{}")]));
    editor.open(LETTER, "Dear {customer},");
    let found = editor.wait_for(LETTER, "a problem", |problems| problems.len() == 1);
    let address = found[0]["codeDescription"]["href"].clone();
    assert_eq!(address, json!("promptls:undefined-placeholder.md"));
    let page = editor.request("workspace/textDocumentContent", json!({ "uri": address }));
    let text = page["text"].as_str().expect("the text of the page");
    assert!(text.starts_with("# undefined-placeholder\n"), "{text}");
    let error = editor
        .request_error("workspace/textDocumentContent", json!({ "uri": "promptls:nothing.md" }));
    assert_eq!(error["message"], json!("there is no page at promptls:nothing.md"));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn a_file_that_is_not_utf_8_is_reported_with_the_byte() {
    let mut editor = Editor::start(Workspace::new(&[(LETTER, "")]));
    editor.write_file(INPUTS, b"{\"customer\": \"\xff\"}");
    editor.open(LETTER, "Dear {customer},");
    editor.wait_for(INPUTS, "the byte", |problems| {
        problems.iter().any(|problem| {
            let message = problem["message"].as_str().unwrap_or_default();
            message.contains("0xff") && message.contains("offset 14")
        })
    });
    editor.ignore_problems();
    editor.close();
}

#[test]
fn positions_have_the_negotiated_encoding() {
    let all = [
        (vec!["utf-16"], 6),
        (vec!["utf-8", "utf-16"], 9),
        (vec!["utf-32", "utf-16"], 5),
        (vec![], 6),
    ];
    for (encodings, column) in all {
        let client = Client { position_encodings: encodings, ..Client::default() };
        let workspace = Workspace::new(&[(LETTER, ""), (INPUTS, "{}")]);
        let mut editor = Editor::start_as(client, workspace);
        editor.open(LETTER, "🎉 é {x}");
        editor.wait_for(LETTER, "the column", |problems| {
            problems.iter().any(|problem| problem["range"]["start"]["character"] == column)
        });
        editor.ignore_problems();
        editor.close();
    }
}

#[test]
fn the_same_text_gives_the_same_problems_in_the_same_order() {
    let text = "{a} {b} {c} {aa} {bb} {cc}";
    let first = problems_of(text);
    for _ in 0..5 {
        assert_eq!(problems_of(text), first);
    }
}

fn problems_of(text: &str) -> String {
    let inputs = r#"{"aaa": 1, "bbb": 1, "ccc": 1}"#;
    let mut editor = Editor::start(Workspace::new(&[(LETTER, ""), (INPUTS, inputs)]));
    editor.open(LETTER, text);
    let problems = editor.problems_text(LETTER);
    editor.ignore_problems();
    editor.close();
    problems
}

#[test]
fn lines_end_as_the_protocol_specifies() {
    let text = "\u{FEFF}a\r\nb\rc\n\0{x}\r\n\u{2028}{y}";
    let workspace =
        Workspace::new(&[("a.adk.prompt", ""), ("a.adk.inputs.json", "\u{FEFF}{}\r\n")]);
    let mut editor = Editor::start(workspace);
    editor.open("a.adk.prompt", text);
    // A Unicode line separator is no line break there.
    expect![[r#"
        4:3-4:4 error undefined-placeholder `x` has no value
            a.adk.inputs.json 1:1-1:1 the inputs of case default
        5:3-5:4 error undefined-placeholder `y` has no value
            a.adk.inputs.json 1:1-1:1 the inputs of case default
    "#]]
    .assert_eq(&editor.problems_text("a.adk.prompt"));
    editor.set_text("a.adk.prompt", "");
    editor.wait_for_problems("a.adk.prompt", &[]);
    editor.close();
}

#[test]
fn files_of_other_tools_are_not_checked() {
    let mut editor = Editor::start(Workspace::new(&[]));
    editor.open("x.prompt", "---\nmodel: gpt\n---\n{{#if a}}");
    editor.wait_for_codes("x.prompt", &["foreign-front-matter"]);
    editor.replace("x.prompt", "---\nmodel: gpt\n---\n", "");
    editor.wait_for_codes("x.prompt", &["dialect-guessed", "no-inputs", "unclosed-block"]);
    editor.close();
}

#[test]
fn a_text_in_another_language_is_not_checked_until_it_changes() {
    let inputs = ("x.inputs.json", r#"{"a": 1, "unused": 2}"#);
    let mut editor = Editor::start(Workspace::new(&[inputs]));
    editor.open("x.prompt", "{{#if a}}{{nmae}}{{else}}c{{/if}}");
    editor.wait_for_problems(
        "x.prompt",
        &["looks like Handlebars, which is not supported, or Agentle; add a rule or the dialect in the file name to read it as a prompt"],
    );
    let document = json!({ "textDocument": { "uri": editor.uri("x.prompt") } });
    assert_eq!(editor.request("promptls/preview", document), Value::Null);
    editor.replace("x.prompt", "{{else}}", "");
    let codes = ["dialect-guessed", "mode-changed-by-block", "undefined-placeholder"];
    editor.wait_for_codes("x.prompt", &codes);
    editor.ignore_problems();
    editor.close();
}

#[test]
fn two_files_of_one_case_are_reported() {
    let workspace = Workspace::new(&[
        ("a.adk.prompt", "{x}"),
        ("a.adk.inputs.json", r#"{"x": 1}"#),
        ("a.adk.inputs.yaml", "x: 1\n"),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    editor.wait_for_problems(
        "a.adk.prompt",
        &["case default is in two files, a.adk.inputs.json and a.adk.inputs.yaml; a.adk.inputs.json is used"],
    );
    editor.close();
}
