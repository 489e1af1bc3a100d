//! Messages that a program sends together, shown as one chat.

use expect_test::{Expect, expect};
use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

const CHAIN: &str = r#"from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder

reply = ChatPromptTemplate.from_messages([
    ("system", "é {role}"),
    MessagesPlaceholder("history"),
    MessagesPlaceholder("more", optional=True),
    ("human", "{qestion} {question}"),
])
"#;

const INPUTS: &str =
    r#"{"role": "a cook", "question": "Why?", "history": [["ai", "Hi"]], "old": 1}"#;

fn start() -> Editor {
    let workspace = Workspace::new(&[("chain.py", CHAIN), ("chain.reply.inputs.json", INPUTS)]);
    let mut editor = Editor::start_as(Client::default(), workspace);
    editor.ignore_problems();
    editor.open_file("chain.py");
    editor
}

fn request(editor: &mut Editor, method: &str, more: Value) -> Value {
    let mut params = json!({ "textDocument": { "uri": editor.uri("chain.py") } });
    for (key, value) in more.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    editor.request(method, params)
}

/// The runs of a preview as kind, output, line of the source, and the line of the value.
#[track_caller]
fn check_runs(preview: &Value, expected: &Expect) {
    let text: Vec<u16> = preview["text"].as_str().expect("a text").encode_utf16().collect();
    let line = |run: &Value| {
        let end = |index: usize| run["output"][index].as_u64().expect("an offset") as usize;
        let piece = String::from_utf16_lossy(&text[end(0)..end(1)]);
        let value = run["value"]["range"]["start"]["character"].as_u64();
        let value = value.map(|value| format!(" from {value}")).unwrap_or_default();
        let (kind, source) = (run["kind"].as_str().expect("a kind"), &run["source"]["start"]);
        format!("{kind} {piece:?} {}:{}{value}\n", source["line"], source["character"])
    };
    let runs: String = preview["map"].as_array().expect("a map").iter().map(line).collect();
    expected.assert_eq(&runs);
}

#[test]
fn a_message_is_shown_with_the_others_of_its_chat() {
    let mut editor = start();
    let at = json!({ "position": { "line": 6, "character": 20 } });
    let preview = request(&mut editor, "promptls/preview", at);
    expect![[r#"
        system:
        é a cook

        ai:
        Hi

        more:
        MessagesPlaceholder("more", optional=True)

        human:
        {qestion} Why?"#]]
    .assert_eq(preview["text"].as_str().expect("a text"));
    check_runs(
        &preview,
        &expect![[r#"
        literal "system:\n" 3:4
        literal "é " 3:16
        value "a cook" 3:18 from 9
        literal "\n\nai:\n" 4:4
        value "Hi" 4:4 from 51
        literal "\n\nmore:\n" 5:4
        runtime "MessagesPlaceholder(\"more\", optional=True)" 5:4
        literal "\n\nhuman:\n" 6:4
        missing "{qestion}" 6:15
        literal " " 6:24
        value "Why?" 6:25 from 31
    "#]],
    );
    assert_eq!(preview["task"], json!("reply"));
    assert_eq!(preview["case"], json!("default"));
    assert_eq!(preview["names"], json!(["history", "more", "qestion", "question", "role"]));
    let roles = preview["messages"].as_array().expect("some").iter().map(|it| &it["role"]);
    assert_eq!(roles.collect::<Vec<_>>(), ["system", "assistant", "user"]);
    let codes = preview["problems"].as_array().expect("some").iter().map(|it| &it["code"]);
    assert_eq!(codes.collect::<Vec<_>>(), ["unused-input", "undefined-placeholder"]);
    // The same preview by its name.
    let named = request(&mut editor, "promptls/preview", json!({ "task": "reply" }));
    assert_eq!(named["text"], preview["text"]);
    editor.close();
}

#[test]
fn the_messages_and_inputs_of_a_chat_are_those_of_all_its_messages() {
    let mut editor = start();
    editor.replace("chain", "{qestion} ", "");
    let at = json!({ "position": { "line": 6, "character": 20 } });
    let chat = request(&mut editor, "promptls/messages", at.clone());
    assert_eq!(
        chat["messages"],
        json!([
            { "role": "system", "content": "é a cook" },
            { "role": "assistant", "content": "Hi" },
            { "role": "user", "content": "Why?" },
        ])
    );
    let form = request(&mut editor, "promptls/inputs", at);
    let field = |field: &Value| {
        let (name, kind) = (&field["path"], &field["type"]);
        let (used, required) = (&field["used"], &field["required"]);
        format!("{name} {kind} used {used} required {required}\n").replace('"', "")
    };
    let fields: String = form["fields"].as_array().expect("some").iter().map(field).collect();
    expect![[r#"
        role text used true required false
        question text used true required false
        history list used true required true
        more list used true required false
        old integer used false required false
    "#]]
    .assert_eq(&fields);
    editor.close();
}

#[test]
fn the_first_inputs_of_a_chat_have_all_its_names() {
    let workspace = Workspace::new(&[("chain.py", CHAIN)]);
    let mut editor = Editor::start(workspace);
    editor.ignore_problems();
    editor.open_file("chain.py");
    let argument = json!({ "uri": editor.uri("chain.py"), "task": "reply" });
    let params = json!({ "command": "promptls.createInputs", "arguments": [argument] });
    let created = editor.request("workspace/executeCommand", params);
    let path = "chain.reply.inputs.json";
    assert_eq!(created["uri"], json!(editor.uri(path)));
    editor.apply_next();
    expect![[r#"
        {
          "role": "<role>",
          "qestion": "<qestion>",
          "question": "<question>",
          "history": [
            {
              "role": "user",
              "content": "<history>"
            }
          ],
          "more": [
            {
              "role": "user",
              "content": "<more>"
            }
          ]
        }
    "#]]
    .assert_eq(editor.text(path));
    editor.close();
}

#[test]
fn the_name_of_messages_has_a_hover_and_places() {
    let mut editor = start();
    let at = json!({ "position": { "line": 4, "character": 26 } });
    let root = format!("file://{}/", editor.workspace().root().display());
    let mut shown = |method: &str, member: &str| {
        let answer = request(&mut editor, method, at.clone());
        let text = answer.pointer(member).expect("an answer").as_str().map(str::to_owned);
        text.unwrap_or_else(|| answer.pointer(member).expect("an answer").to_string())
            .replace(&root, "")
    };
    expect![[r#"
        **`history`**

        `[['ai', 'Hi']]` — [chain.reply.inputs.json](chain.reply.inputs.json#L1)

        messages of its chat in [chain.py](chain.py#L5)"#]]
    .assert_eq(&shown("textDocument/hover", "/contents/value"));
    expect!["chain.reply.inputs.json"].assert_eq(&shown("textDocument/definition", "/0/targetUri"));
    editor.close();
}
