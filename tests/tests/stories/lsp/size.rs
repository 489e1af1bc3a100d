//! The size of a prompt, its constant part, and problems with too many tokens.

use expect_test::{Expect, expect};
use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

fn size(editor: &mut Editor, path: &str, more: Value) -> Value {
    let mut params = json!({ "textDocument": { "uri": editor.workspace().uri(path) } });
    for (key, value) in more.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    editor.request("promptls/size", params)
}

#[track_caller]
fn check(answer: &Value, expected: Expect) {
    expected.assert_eq(&format!("{:#}", answer));
}

#[test]
fn a_size_lists_tokens_per_placeholder_and_the_common_prefix() {
    let workspace = Workspace::new(&[
        ("promptls.toml", "[[prompts]]\nfiles = ['*.prompt']\nmax_tokens = 1000\n"),
        ("a.adk.prompt", "é😀 {user}: {docs} {docs}"),
        ("a.adk.inputs.json", r#"{"user": "Zoë 😀", "docs": "one two three"}"#),
        ("a.adk.b.inputs.json", r#"{"user": "Zoë 🎉", "docs": "one"}"#),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a", &[]);
    check(
        &size(&mut editor, "a.adk.prompt", json!({})),
        expect![[r#"
            {
              "version": 1,
              "case": "default",
              "encoding": "o200k_base",
              "encodings": [
                "o200k_base",
                "cl100k_base"
              ],
              "tokens": 12,
              "maxTokens": 1000,
              "literal": {
                "characters": 6,
                "tokens": 3
              },
              "placeholders": [
                {
                  "path": "docs",
                  "characters": 26,
                  "tokens": 6,
                  "count": 2
                },
                {
                  "path": "user",
                  "characters": 5,
                  "tokens": 3,
                  "count": 1
                }
              ],
              "prefix": {
                "end": 8,
                "tokens": 4,
                "cacheable": false,
                "cases": 2,
                "until": {
                  "path": "user",
                  "source": {
                    "start": {
                      "line": 0,
                      "character": 4
                    },
                    "end": {
                      "line": 0,
                      "character": 10
                    }
                  }
                }
              }
            }"#]],
    );

    let other = json!({"case": "b", "encoding": "cl100k_base"});
    let answer = size(&mut editor, "a.adk.prompt", other);
    assert_eq!(
        [&answer["case"], &answer["encoding"], &answer["prefix"]["end"]],
        [&json!("b"), &json!("cl100k_base"), &json!(8)]
    );
    let wrong = json!({
        "textDocument": { "uri": editor.workspace().uri("a.adk.prompt") },
        "encoding": "o200k"
    });
    let error = editor.request_error("promptls/size", wrong);
    assert_eq!(error["message"], json!("unknown encoding `o200k`; known: o200k_base, cl100k_base"));
    editor.close();
}

#[test]
fn positions_in_a_size_have_the_encoding_of_the_client() {
    let files = &[
        ("a.adk.prompt", "é😀 {user}"),
        ("a.adk.inputs.json", r#"{"user": "Zoë"}"#),
        ("a.adk.b.inputs.json", r#"{"user": "Ada"}"#),
    ];
    let client = Client { position_encodings: vec!["utf-8"], ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(files));
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a", &[]);
    let prefix = &size(&mut editor, "a.adk.prompt", json!({}))["prefix"];
    assert_eq!(
        (&prefix["end"], &prefix["until"]["source"]["start"]["character"]),
        (&json!(7), &json!(7))
    );
    editor.close();
}

#[test]
fn each_prompt_of_a_pack_has_a_size_with_ranges_of_the_pack() {
    let pack = r#"{"prompts": {
  "a": {"system_template": "A {{x}}", "variables": [{"name": "x", "type": "number"}]},
  "b": {"system_template": "B\n\"{{y}}\"", "variables": [{"name": "y", "type": "number"}]}
}}"#;
    let inputs = ("t.pack.inputs.json", r#"{"x": 1, "y": 2}"#);
    let mut editor = Editor::start(Workspace::new(&[("t.pack.json", pack), inputs]));
    editor.open_file("t.pack.json");
    editor.wait_for_codes("t", &[]);
    let there = json!({"position": {"line": 2, "character": 30}});
    check(
        &size(&mut editor, "t.pack.json", there)["prefix"],
        expect![[r#"
            {
              "end": 3,
              "tokens": 3,
              "cacheable": false,
              "cases": 1,
              "until": {
                "path": "y",
                "source": {
                  "start": {
                    "line": 2,
                    "character": 33
                  },
                  "end": {
                    "line": 2,
                    "character": 38
                  }
                }
              }
            }"#]],
    );
    editor.close();
}

#[test]
fn files_that_are_no_prompts_have_no_size() {
    let mut editor = Editor::open_one("notes.txt", "{x}");
    assert_eq!(size(&mut editor, "notes.txt", json!({})), json!(null));
    editor.close();
}

#[test]
fn too_many_tokens_are_a_problem_until_the_value_or_the_limit_changes() {
    let rule = "[[prompts]]\nfiles = ['*.prompt']\nmax_tokens = 12\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", rule),
        ("a.adk.prompt", "Read {docs}, and answer."),
        ("a.adk.inputs.json", r#"{"docs": "-"}"#),
        ("a.adk.long.inputs.json", r#"{"docs": "one two three four five six seven eight"}"#),
    ]));
    editor.open_file("a.adk.prompt");
    let too_many = "13 tokens in case long; at most 12 are allowed; `docs` is 61%";
    editor.wait_for_problems("a", &[too_many]);
    editor.open_file("a.adk.long.inputs.json");
    editor.replace("a.adk.long", " eight", "");
    editor.wait_for_problems("a.adk.prompt", &[]);

    editor.open_file("promptls.toml");
    editor.replace("promptls", "max_tokens = 12", "max_tokens = 11");
    editor.wait_for_problems(
        "a.adk.prompt",
        &["12 tokens in case long; at most 11 are allowed; `docs` is 58%"],
    );
    editor.replace("promptls", "max_tokens = 11", "max_tokens = -1");
    editor.wait_for_problems("promptls", &["`max_tokens` must be a positive integer"]);
    editor.ignore_problems();
    editor.close();
}

#[test]
fn counting_tokens_of_a_long_text_does_not_block_requests() {
    let rule = "[[prompts]]\nfiles = ['*.prompt']\nmax_tokens = 9\n";
    let mut editor = Editor::start(Workspace::new(&[("promptls.toml", rule)]));
    editor.open("a.adk.prompt", &"a".repeat(1_000_000));
    // Requested after the text, and answered while its tokens are counted.
    let uri = editor.workspace().uri("a.adk.prompt");
    let there = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}});
    assert_eq!(editor.request("textDocument/hover", there), json!(null));
    editor.wait_for_problems("a", &["125000 tokens; at most 9 are allowed"]);
    editor.close();
}
