//! The live preview, the selected case, and other commands of the editor.

use expect_test::{Expect, expect};
use promptls_tests::{Client, Editor, Workspace, promptls};
use serde_json::{Value, json};

fn previewer() -> Client {
    Client { initialization_options: json!({ "preview": true }), ..Client::default() }
}

fn preview(editor: &mut Editor, path: &str, more: Value) -> Value {
    let mut params = json!({ "textDocument": { "uri": editor.workspace().uri(path) } });
    for (key, value) in more.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    editor.request("promptls/preview", params)
}

fn command(editor: &mut Editor, command: &str, argument: Value) -> Value {
    editor
        .request("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }))
}

/// The runs of a preview: kind, output, source in the prompt, place of the value.
fn runs(preview: &Value) -> String {
    let text: Vec<u16> = preview["text"].as_str().expect("a text").encode_utf16().collect();
    let place = |range: &Value| {
        let at = |end: &str| format!("{}:{}", range[end]["line"], range[end]["character"]);
        format!("{}-{}", at("start"), at("end"))
    };
    let line = |run: &Value| {
        let end = |index: usize| run["output"][index].as_u64().expect("an offset") as usize;
        let piece = String::from_utf16_lossy(&text[end(0)..end(1)]);
        let path = run["path"].as_str().map(|path| format!(" {path}")).unwrap_or_default();
        let uri = run["value"]["uri"].as_str();
        let file = uri.and_then(|uri| uri.rsplit('/').next()).unwrap_or_default();
        let value = uri
            .map(|_| format!(" from {file} {}", place(&run["value"]["range"])))
            .unwrap_or_default();
        let kind = run["kind"].as_str().expect("a kind");
        format!("{kind} {piece:?} {}{path}{value}\n", place(&run["source"]))
    };
    preview["map"].as_array().expect("a map").iter().map(line).collect()
}

#[test]
fn a_preview_follows_every_edit_and_has_a_source_map() {
    let workspace = Workspace::new(&[
        ("a.adk.prompt", "é😀{user}: {topic?} {gone}"),
        ("a.adk.inputs.json", "{\n  \"user\": \"Zoë 😀\", \"topic\": \"AI\"\n}"),
    ]);
    let mut editor = Editor::start_as(previewer(), workspace);
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a", &["undefined-placeholder"]);
    let changed = editor.next_notification("promptls/previewChanged");
    assert_eq!(changed["version"], json!(1));

    let answer = preview(&mut editor, "a.adk.prompt", json!({}));
    assert_eq!(answer["text"], json!("é😀Zoë 😀: AI {gone}"));
    assert_eq!(answer["error"]["kind"], json!("missing"));
    assert_eq!(answer["version"], json!(1));
    assert_eq!(answer["stats"], json!({"bytes": 26, "characters": 18, "words": 4, "lines": 1}));
    expect![[r#"
        literal "é😀" 0:0-0:3
        value "Zoë 😀" 0:3-0:9 user from a.adk.inputs.json 1:10-1:18
        literal ": " 0:9-0:11
        value "AI" 0:11-0:19 topic from a.adk.inputs.json 1:29-1:33
        literal " " 0:19-0:20
        missing "{gone}" 0:20-0:26 gone
    "#]]
    .assert_eq(&runs(&answer));

    editor.replace("a", "{gone}", "end");
    editor.wait_for_codes("a", &[]);
    assert_eq!(editor.next_notification("promptls/previewChanged")["version"], json!(2));
    let answer = preview(&mut editor, "a.adk.prompt", json!({}));
    assert_eq!(answer["text"], json!("é😀Zoë 😀: AI end"));
    assert_eq!(answer["error"], json!(null));
    editor.close();
}

#[test]
fn the_selected_case_is_shown_until_another_one_is_chosen() {
    let workspace = Workspace::new(&[
        ("a.adk.prompt", "{x}"),
        ("a.adk.inputs.json", r#"{"x": "one"}"#),
        ("a.adk.b.inputs.json", r#"{"x": "two"}"#),
        ("a.adk.c.inputs.json", "{}"),
    ]);
    let mut editor = Editor::start_as(previewer(), workspace);
    editor.ignore_notifications("promptls/previewChanged");
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a", &["undefined-placeholder"]);

    let answer = preview(&mut editor, "a.adk.prompt", json!({}));
    assert_eq!((&answer["case"], &answer["text"]), (&json!("default"), &json!("one")));
    let cases = answer["cases"].as_array().expect("cases");
    let names: Vec<_> = cases.iter().map(|case| (&case["name"], &case["errors"])).collect();
    assert_eq!(
        names,
        [(&json!("default"), &json!(0)), (&json!("b"), &json!(0)), (&json!("c"), &json!(1)),]
    );

    let uri = editor.workspace().uri("a.adk.prompt");
    command(&mut editor, "promptls.selectCase", json!({"uri": uri, "case": "b"}));
    let answer = preview(&mut editor, "a.adk.prompt", json!({}));
    assert_eq!((&answer["case"], &answer["text"]), (&json!("b"), &json!("two")));
    let answer = preview(&mut editor, "a.adk.prompt", json!({"case": "c"}));
    assert_eq!((&answer["case"], &answer["text"]), (&json!("c"), &json!("{x}")));

    // It is kept while the prompt is closed.
    editor.close_document("a");
    editor.open_file("a.adk.prompt");
    assert_eq!(preview(&mut editor, "a.adk.prompt", json!({}))["case"], json!("b"));

    let error = editor.request_error(
        "workspace/executeCommand",
        json!({"command": "promptls.selectCase", "arguments": [{"uri": uri, "case": "z"}]}),
    );
    assert_eq!(error["message"], json!("there is no case `z`"));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn selecting_a_case_refreshes_hints_and_lenses() {
    let workspace = Workspace::new(&[
        ("a.adk.prompt", "{x}"),
        ("a.adk.inputs.json", r#"{"x": 1}"#),
        ("a.adk.b.inputs.json", r#"{"x": 2}"#),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a", &[]);
    let uri = editor.workspace().uri("a.adk.prompt");
    command(&mut editor, "promptls.selectCase", json!({"uri": uri, "case": "b"}));
    editor.next_server_request("workspace/inlayHint/refresh");
    editor.next_server_request("workspace/codeLens/refresh");
    editor.close();
}

#[test]
fn the_last_valid_text_is_kept_while_inputs_do_not_parse() {
    let workspace =
        Workspace::new(&[("a.adk.prompt", "On {x}."), ("a.adk.inputs.json", r#"{"x": "AI"}"#)]);
    let mut editor = Editor::start_as(previewer(), workspace);
    editor.ignore_notifications("promptls/previewChanged");
    editor.open_file("a.adk.prompt");
    editor.open_file("a.adk.inputs.json");
    assert_eq!(preview(&mut editor, "a.adk.prompt", json!({}))["stale"], json!(null));

    editor.replace("a.adk.inputs.json", r#""AI"}"#, "");
    let answer = preview(&mut editor, "a.adk.prompt", json!({}));
    assert_eq!(answer["text"], json!("On AI."));
    let stale = answer["stale"].as_str().expect("it says why");
    assert!(stale.starts_with("a.adk.inputs.json:1: "), "{stale}");

    editor.type_at("a.adk.inputs.json", r#"{"x": $0"#, r#""BI"}"#);
    let answer = preview(&mut editor, "a.adk.prompt", json!({}));
    assert_eq!((&answer["text"], &answer["stale"]), (&json!("On BI."), &json!(null)));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn a_case_keeps_its_position_while_its_file_does_not_parse() {
    let mut editor = Editor::start_as(
        previewer(),
        Workspace::new(&[
            ("a.adk.prompt", "{x}"),
            ("a.adk.inputs.json", r#"{"x": "one"}"#),
            ("a.adk.b.inputs.json", r#"{"x": "two"}"#),
        ]),
    );
    editor.ignore_notifications("promptls/previewChanged");
    editor.open_file("a.adk.prompt");
    editor.open_file("a.adk.inputs.json");
    assert_eq!(preview(&mut editor, "a.adk.prompt", json!({}))["case"], json!("default"));

    // No case was selected: the first one is shown, and must not become the other.
    editor.replace("a.adk.inputs.json", r#""one"}"#, "");
    let answer = preview(&mut editor, "a.adk.prompt", json!({}));
    assert_eq!((&answer["case"], &answer["text"]), (&json!("default"), &json!("one")));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn runs_of_a_pack_are_split_where_the_source_is_not_contiguous() {
    let yaml = "prompts:\n  one:\n    system_template: |\n      Dear {{x}},\n\n      bye.\n";
    let json = r#"{"prompts": {"one": {"system_template": "Dear {{x}},\n\n\"bye\"."}}}"#;
    let mut editor = Editor::start_as(
        previewer(),
        Workspace::new(&[("a.pack.yaml", yaml), ("b.pack.json", json)]),
    );
    editor.ignore_notifications("promptls/previewChanged");
    editor.ignore_problems();
    editor.open_file("a.pack.yaml");
    editor.open_file("b.pack.json");
    let mut check = |name: &str, line: u32, expected: Expect| {
        let position = json!({ "position": { "line": line, "character": 40 } });
        expected.assert_eq(&runs(&preview(&mut editor, name, position)));
    };
    check(
        "a.pack.yaml",
        3,
        expect![[r#"
            literal "Dear " 3:6-3:11
            missing "{{x}}" 3:11-3:16 x
            literal ",\n\n" 3:16-5:0
            literal "bye.\n" 5:6-6:0
        "#]],
    );
    check(
        "b.pack.json",
        0,
        expect![[r#"
        literal "Dear " 0:41-0:46
        missing "{{x}}" 0:46-0:51 x
        literal ",\n\n\"" 0:51-0:58
        literal "bye\"" 0:58-0:63
        literal "." 0:63-0:64
    "#]],
    );
    editor.close();
}

#[test]
fn each_placeholder_without_a_value_has_its_range_in_the_text() {
    let kinds = |editor: &mut Editor, name: &str| {
        let answer = preview(editor, name, json!({}));
        let runs = answer["map"].as_array().expect("runs").clone();
        let source = |run: &Value| match run["kind"].as_str() {
            Some("literal" | "value") => None,
            _ => Some(json!([run["kind"], run["path"], run["output"]])),
        };
        Value::from(runs.iter().filter_map(source).collect::<Vec<_>>())
    };
    let rules = "[[prompts]]\nfiles = ['*.prompt']\nruntime = ['now']\n";
    let mut editor = Editor::start_as(
        previewer(),
        Workspace::new(&[
            ("promptls.toml", rules),
            ("a.agentle.prompt", "{{#if x}}A{{gone}}{{x.y}}{{/if}}"),
            ("a.agentle.inputs.json", r#"{"x": {"y": null}}"#),
            ("b.adk.prompt", "{now} {gone} {x?} {\"now\": 1}"),
            ("b.adk.inputs.json", "{}"),
        ]),
    );
    editor.ignore_notifications("promptls/previewChanged");
    editor.ignore_problems();
    editor.open_file("a.agentle.prompt");
    editor.open_file("b.adk.prompt");
    // Agentle sends nothing in their place.
    assert_eq!(
        kinds(&mut editor, "a.agentle.prompt"),
        json!([["missing", "gone", [1, 1]], ["missing", "x.y", [1, 1]]])
    );
    assert_eq!(
        kinds(&mut editor, "b.adk.prompt"),
        json!([["runtime", "now", [0, 5]], ["missing", "gone", [6, 12]]])
    );
    editor.close();
}

#[test]
fn each_prompt_of_a_pack_has_a_preview_with_ranges_of_the_pack() {
    let pack = r#"{"prompts": {
  "a": {"system_template": "A {{x}}", "variables": [{"name": "x", "type": "number"}]},
  "b": {"system_template": "B\n\"{{y}}\"", "variables": [{"name": "y", "type": "number"}]}
}}"#;
    let workspace =
        Workspace::new(&[("t.pack.json", pack), ("t.pack.inputs.json", r#"{"x": 1, "y": 2}"#)]);
    let mut editor = Editor::start(workspace);
    editor.open_file("t.pack.json");
    editor.wait_for_codes("t", &[]);
    let answer = preview(&mut editor, "t.pack.json", json!({}));
    assert_eq!((&answer["task"], &answer["text"]), (&json!("a"), &json!("A 1")));
    // Outside of all prompts, it is the nearest one.
    for (line, character, task) in [(0, 0, "a"), (1, 30, "a"), (2, 8, "b"), (3, 1, "b")] {
        let outside = json!({"position": {"line": line, "character": character}});
        assert_eq!(preview(&mut editor, "t.pack.json", outside)["task"], task);
    }
    // Its key selects it, wherever it is now.
    for (task, text) in [("b", "B\n\"2\""), ("gone", "A 1")] {
        let named = json!({"task": task, "position": {"line": 1, "character": 30}});
        assert_eq!(preview(&mut editor, "t.pack.json", named)["text"], text);
    }
    let there = json!({"position": {"line": 2, "character": 30}});
    let answer = preview(&mut editor, "t.pack.json", there);
    expect![[r#"
        literal "B\n\"" 2:28-2:33
        value "2" 2:33-2:38 y from t.pack.inputs.json 0:14-0:15
        literal "\"" 2:38-2:40
    "#]]
    .assert_eq(&runs(&answer));
    editor.close();
}

#[test]
fn a_text_with_roles_is_split_into_messages() {
    let mut editor = Editor::start(Workspace::new(&[
        ("a.adk.prompt", "# System\n😀 Help {name}.\n\n# User\n{question}\n"),
        ("a.adk.inputs.json", r#"{"name": "Zoë", "question": "Why?"}"#),
    ]));
    editor.open_file("a.adk.prompt");
    editor.wait_for_codes("a", &[]);
    let answer = preview(&mut editor, "a.adk.prompt", json!({}));
    assert_eq!(
        answer["messages"],
        json!([
            {"role": "system", "heading": [0, 8], "body": [9, 21]},
            {"role": "user", "heading": [23, 29], "body": [30, 34]},
        ])
    );
    editor.close();
}

#[test]
fn files_that_are_no_prompts_have_no_preview() {
    let mut editor = Editor::open_one("notes.txt", "{x}");
    assert_eq!(preview(&mut editor, "notes.txt", json!({})), json!(null));
    assert_eq!(preview(&mut editor, "nowhere.prompt", json!({})), json!(null));
    editor.close();
}

#[test]
fn inputs_are_created_with_all_names_that_the_prompt_reads() {
    let mut editor = Editor::open_one("a.agentle.prompt", "{{u.n}}{{#each xs}}{{this.t}}{{/each}}");
    editor.wait_for_codes("a", &["no-inputs"]);
    let uri = editor.workspace().uri("a.agentle.prompt");
    let created = command(&mut editor, "promptls.createInputs", json!({"uri": uri}));
    editor.apply_next();
    assert_eq!(created["uri"], json!(editor.workspace().uri("a.agentle.inputs.json")));
    assert_eq!(created["position"], json!({"line": 2, "character": 10}));
    check_text(
        &editor,
        "a.agentle.inputs.json",
        expect![[r#"
            {
              "u": {
                "n": "<u.n>"
              },
              "xs": [
                {
                  "t": "<xs.t>"
                }
              ]
            }
        "#]],
    );
    editor.wait_for_codes("a.agentle.prompt", &[]);
    let shown = preview(&mut editor, "a.agentle.prompt", json!({}));
    assert_eq!(shown["text"], "<u.n><xs.t>");

    command(&mut editor, "promptls.createInputs", json!({"uri": uri, "case": "trial"}));
    editor.apply_next();
    assert_eq!(preview(&mut editor, "a.agentle.prompt", json!({}))["cases"][1]["name"], "trial");
    for (case, reason) in [
        ("trial", "a.agentle.trial.inputs.json exists already"),
        ("../x", "the name of a case can contain only letters, digits, `-` and `_`"),
    ] {
        let error = editor.request_error(
            "workspace/executeCommand",
            json!({"command": "promptls.createInputs", "arguments": [{"uri": uri, "case": case}]}),
        );
        assert_eq!(error["message"], json!(reason));
    }
    editor.close();
}

#[track_caller]
fn check_text(editor: &Editor, document: &str, expected: Expect) {
    expected.assert_eq(editor.text(document));
}

#[test]
fn a_client_that_sends_the_last_result_id_gets_edits() {
    let workspace =
        Workspace::new(&[("a.adk.prompt", "A {x}\nB {x}\n"), ("a.adk.inputs.json", r#"{"x": 1}"#)]);
    let mut editor = Editor::start_as(previewer(), workspace);
    editor.open_file("a.adk.prompt");
    let first = preview(&mut editor, "a.adk.prompt", json!({ "previousResultId": "" }));
    assert_eq!(first["text"], json!("A 1\nB 1\n"));

    editor.replace("a.adk.prompt", "A {x}", "A {x}\nC {x}");
    let known = json!({ "previousResultId": first["resultId"] });
    let second = preview(&mut editor, "a.adk.prompt", known.clone());
    assert_eq!(second["edits"]["text"], json!({ "range": [4, 4], "new": "C 1\n" }));
    let from = json!({ "line": 1, "character": 0 });
    let moved = json!({ "output": 4, "from": from, "line": 1, "character": 0 });
    assert_eq!(second["edits"]["map"]["moved"], moved);
    assert_eq!((&second["text"], &second["map"]), (&Value::Null, &Value::Null));

    // The server no longer has the previous result, so the whole text is sent again.
    let again = preview(&mut editor, "a.adk.prompt", known);
    assert_eq!(again["text"], json!("A 1\nC 1\nB 1\n"));
    editor.ignore_notifications("promptls/previewChanged");
    editor.close();
}

#[test]
fn the_messages_of_a_preview_equal_those_of_the_command_line() {
    let texts = ["Be brief 😀.\n", "Now:\n# User\nHi\n", "# System\nBe kind.\n\n# User\nHi\n", ""];
    for dialect in ["adk", "agentle"] {
        let paths: Vec<String> =
            (0..texts.len()).map(|number| format!("{number}.{dialect}.prompt")).collect();
        let files: Vec<(&str, &str)> = paths.iter().map(String::as_str).zip(texts).collect();
        let mut editor = Editor::start(Workspace::new(&files));
        editor.ignore_problems();
        for (path, text) in files {
            editor.open_file(path);
            let units: Vec<u16> = text.encode_utf16().collect();
            let answer = preview(&mut editor, path, json!({}));
            let shown = answer["messages"].as_array().expect("messages").iter().map(|message| {
                let at = |end: usize| message["body"][end].as_u64().expect("an offset") as usize;
                let content = String::from_utf16_lossy(&units[at(0)..at(1)]);
                json!({ "role": message["role"], "content": content })
            });
            let shown = Value::Array(shown.collect());
            let printed = promptls(&["resolve", path, "--format", "messages"]);
            let printed = printed.cwd(editor.workspace().root()).run().stdout;
            assert_eq!(
                shown,
                serde_json::from_str::<Value>(&printed).expect("it is JSON"),
                "{path}"
            );
        }
        editor.close();
    }
}

#[test]
fn messages_of_a_case_equal_those_of_the_command_line() {
    let chat = "# System\nDear {name}\n# User\nHi {gone?}";
    let workspace = Workspace::new(&[
        ("a.adk.prompt", chat),
        ("a.adk.inputs.json", r#"{"name": "Ada"}"#),
        ("a.adk.b.inputs.json", "{}"),
    ]);
    let mut editor = Editor::start(workspace);
    editor.ignore_problems();
    editor.open_file("a.adk.prompt");
    let mut messages = |case: &str| {
        let uri = editor.uri("a.adk.prompt");
        let params = json!({ "textDocument": { "uri": uri }, "case": case });
        let chat = editor.request("promptls/messages", params);
        let arguments =
            ["resolve", "a.adk.prompt", "--case", case, "--format", "messages", "--partial"];
        let printed = promptls(&arguments).cwd(editor.workspace().root()).run().stdout;
        assert_eq!(chat["messages"], serde_json::from_str::<Value>(&printed).expect("it is JSON"));
        assert_eq!(chat["case"], case);
        chat["error"]["message"].as_str().map(str::to_owned)
    };
    assert_eq!(messages("default"), None);
    assert!(messages("b").is_some_and(|message| message.contains("name")));
    editor.close();
}

#[test]
fn an_inputs_file_is_shown_with_its_prompt_in_its_case() {
    let code = "from google.adk.agents import LlmAgent\n\
        find = LlmAgent(name='find', instruction='Find {city}')\n\
        ask = LlmAgent(name='ask', instruction='Ask {city}')\n";
    let inputs = r#"{"city": "Rome"}"#;
    let files = [
        ("agent.py", code),
        ("agent.find.inputs.json", inputs),
        ("agent.ask.inputs.json", inputs),
        ("agent.ask.intake.inputs.json", inputs),
        ("a.adk.prompt", "In {city}"),
        ("a.adk.b.inputs.json", inputs),
        ("requirements.txt", "google-adk==2.13.0\n"),
    ];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.ignore_problems();
    for (path, prompt, task, case, text) in [
        ("agent.ask.intake.inputs.json", "agent.py", json!("ask"), "intake", "Ask Rome"),
        ("agent.ask.inputs.json", "agent.py", json!("ask"), "default", "Ask Rome"),
        ("agent.find.inputs.json", "agent.py", json!("find"), "default", "Find Rome"),
        ("a.adk.b.inputs.json", "a.adk.prompt", Value::Null, "b", "In Rome"),
    ] {
        editor.open_file(path);
        let uri = editor.uri(path);
        let params = json!({ "textDocument": { "uri": uri } });
        let shown = preview(&mut editor, path, json!({}));
        let cases = editor.request("promptls/cases", params.clone());
        for answer in [&shown, &cases] {
            assert_eq!(answer["uri"], editor.uri(prompt), "{path}");
            assert_eq!((&answer["task"], &answer["case"]), (&task, &json!(case)), "{path}");
        }
        assert_eq!(shown["text"], text, "{path}");
        let form = editor.request("promptls/inputs", params);
        assert_eq!((&form["case"], &form["uri"]), (&json!(case), &json!(uri)), "{path}");
    }
    editor.close();
}

#[test]
fn commands_select_a_prompt_by_name_or_position() {
    const AGENT: &str = "from google.adk.agents import LlmAgent\n\
        a = LlmAgent(name='a', instruction='Go to {city}.')\n\
        c = LlmAgent(name='c', instruction='Ask {user}.')\n\
        d = LlmAgent(name='d', instruction='Sleep in {hotel}.')\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("agent.py", AGENT),
        ("agent.a.inputs.json", r#"{"city": "Rome"}"#),
        ("agent.a.night.inputs.json", r#"{"city": "Oslo"}"#),
        ("agent.c.inputs.json", r#"{"user": "Ada"}"#),
        ("agent.c.night.inputs.json", r#"{"user": "Bob"}"#),
    ]));
    editor.open_file("agent.py");
    editor.ignore_problems();
    let uri = editor.uri("agent.py");
    let of_d = editor.place("agent.py", "{ho$0tel}")["position"].clone();
    let named_d = json!({ "uri": uri, "task": "d" });
    for (which, case, file) in [
        (named_d.clone(), None, "agent.d.inputs.json"),
        (named_d.clone(), Some("night"), "agent.d.night.inputs.json"),
        (json!({ "uri": uri, "position": of_d }), Some("dawn"), "agent.d.dawn.inputs.json"),
    ] {
        let mut argument = which;
        if let Some(case) = case {
            argument["case"] = json!(case);
        }
        let created = command(&mut editor, "promptls.createInputs", argument);
        editor.apply_next();
        assert_eq!(created["uri"], json!(editor.uri(file)));
        assert_eq!(editor.text(file), "{\n  \"hotel\": \"<hotel>\"\n}\n");
    }

    // A case is selected for its prompt only, and without a prompt for all that have it.
    let shown = |editor: &mut Editor| {
        ["a", "c", "d"].map(|task| {
            let shown = preview(editor, "agent.py", json!({ "task": task }));
            format!("{task}: {}", shown["case"].as_str().expect("a case"))
        })
    };
    let select = |editor: &mut Editor, mut which: Value, case: &str| {
        which["case"] = json!(case);
        command(editor, "promptls.selectCase", which);
    };
    select(&mut editor, named_d, "night");
    assert_eq!(shown(&mut editor), ["a: default", "c: default", "d: night"]);
    select(&mut editor, json!({ "uri": uri, "position": of_d }), "dawn");
    assert_eq!(shown(&mut editor), ["a: default", "c: default", "d: dawn"]);
    select(&mut editor, json!({ "uri": uri }), "night");
    assert_eq!(shown(&mut editor), ["a: night", "c: night", "d: night"]);

    for (name, mut argument, reason) in [
        ("selectCase", json!({ "task": "a", "case": "dawn" }), "there is no case `dawn`"),
        ("selectCase", json!({ "task": "x", "case": "night" }), "agent.py has no prompt `x`"),
        ("createInputs", json!({ "task": "x" }), "agent.py has no prompt `x`"),
        ("setInput", json!({ "task": "x", "keys": ["city"] }), "agent.py has no prompt `x`"),
        (
            "convertPrompt",
            json!({ "task": "x", "dialect": "agentle" }),
            "agent.py has no prompt `x`",
        ),
        ("nameEngine", json!({ "task": "x" }), "agent.py has no prompt `x`"),
    ] {
        argument["uri"] = json!(uri);
        let params = json!({ "command": format!("promptls.{name}"), "arguments": [argument] });
        let error = editor.request_error("workspace/executeCommand", params);
        assert_eq!(error["message"], json!(reason), "{name}");
    }
    editor.close();
}

/// In an f-string, braces of placeholders are doubled, so the file has more of them than the text.
#[test]
fn placeholders_are_marked_in_each_kind_of_string() {
    let code = "from google.adk.agents import LlmAgent\n\
        a = LlmAgent(name='a', instruction='x', output_key='city')\n\
        b = LlmAgent(name='b', instruction='In {city} {zz} ')\n\
        c = LlmAgent(name='c', instruction=f'In {{city}} {{zz}} {who()}')\n";
    let files = [("agent.py", code), ("requirements.txt", "google-adk==2.13.0\n")];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file("agent.py");
    editor.wait_for_codes("agent.py", &["undefined-placeholder", "undefined-placeholder"]);
    for task in ["b", "c"] {
        let shown = preview(&mut editor, "agent.py", json!({ "task": task }));
        let runs = shown["map"].as_array().expect("a map").iter();
        let marked: Vec<String> = runs
            .filter(|run| run["kind"] != "literal" && run["kind"] != "value")
            .map(|run| format!("{} {} {}", run["kind"], run["path"], run["output"]))
            .collect();
        assert_eq!(marked, ["\"runtime\" \"city\" [3,9]", "\"missing\" \"zz\" [10,14]"], "{task}");
    }
    editor.close();
}
