//! Renaming in an editor: a name is changed in all places, or the reason is shown why it cannot be.

use expect_test::{Expect, expect};
use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

const REPLY: &str = "reply.promptpack.prompt";
const INPUTS: &str = "reply.promptpack.inputs.json";
const TRIAL: &str = "reply.promptpack.trial.inputs.yaml";
const VARIABLES: &str = "reply.promptpack.variables.json";

fn reply() -> Workspace {
    Workspace::new(&[
        (REPLY, "🎉 {{user.name}}, {{tone}}"),
        (INPUTS, "{\n  // who asks\n  \"user\": { \"name\": \"Ada\" },\n}\n"),
        (TRIAL, "# trial\nuser:   # who asks\n    name: Bob\n"),
        (
            VARIABLES,
            r#"{"variables": [{"name": "user"}], "fragments": {"tone": "Kind to\n{{user.name}}"}}"#,
        ),
    ])
}

fn rename_params(editor: &Editor, document: &str, place: &str, new_name: &str) -> Value {
    let mut params = editor.place(document, place);
    params["newName"] = json!(new_name);
    params
}

/// Renames the name at a position.
#[track_caller]
fn rename(editor: &mut Editor, document: &str, place: &str, new_name: &str) -> Value {
    let params = rename_params(editor, document, place, new_name);
    let edit = editor.request("textDocument/rename", params);
    editor.apply(&edit);
    edit
}

/// The editor's message when a name is rejected.
#[track_caller]
fn refuse(editor: &mut Editor, document: &str, place: &str, new_name: &str, expected: Expect) {
    let params = rename_params(editor, document, place, new_name);
    let error = editor.request_error("textDocument/rename", params);
    assert_eq!(error["code"], -32803);
    expected.assert_eq(error["message"].as_str().expect("an error has a message"));
}

#[track_caller]
fn check_texts(editor: &Editor, expected: Expect, files: &[&str]) {
    let texts: Vec<&str> = files.iter().map(|file| editor.text(file)).collect();
    expected.assert_eq(&texts.join("\n"));
}

fn end(mut editor: Editor) {
    editor.ignore_problems();
    editor.close();
}

#[test]
fn a_name_is_renamed_in_the_prompt_and_all_its_files() {
    let mut editor = Editor::start(reply());
    editor.open_file(REPLY);
    let place = editor.place(REPLY, "{{us$0er.name}}");
    let prepared = editor.request("textDocument/prepareRename", place);
    assert_eq!(prepared["placeholder"], "user");
    assert_eq!(prepared["range"]["start"]["character"], 5);

    let edit = rename(&mut editor, REPLY, "{{us$0er.name}}", "on");
    check_texts(
        &editor,
        expect![[r#"
            🎉 {{on.name}}, {{tone}}
            {
              // who asks
              "on": { "name": "Ada" },
            }

            # trial
            "on":   # who asks
                name: Bob

            {"variables": [{"name": "on"}], "fragments": {"tone": "Kind to\n{{on.name}}"}}"#]],
        &[REPLY, INPUTS, TRIAL, VARIABLES],
    );
    let mut labels: Vec<&String> =
        edit["changeAnnotations"].as_object().expect("the edits are labelled").keys().collect();
    labels.sort();
    assert_eq!(labels, ["Inputs", "Prompt", "Variables"]);
    end(editor);
}

#[test]
fn a_name_is_renamed_from_any_of_its_files() {
    for (file, place) in [
        (INPUTS, "\"na$0me\""),
        (TRIAL, "$0name: Bob"),
        (VARIABLES, "{{user.name$0}}"),
        (REPLY, "{{user.na$0me}}"),
    ] {
        let mut editor = Editor::start(reply());
        for file in [REPLY, INPUTS, TRIAL, VARIABLES] {
            editor.open_file(file);
        }
        rename(&mut editor, file, place, "first");
        assert_eq!(editor.text(REPLY), "🎉 {{user.first}}, {{tone}}");
        assert!(editor.text(INPUTS).contains(r#""first": "Ada""#));
        assert!(editor.text(TRIAL).ends_with("    first: Bob\n"));
        assert!(editor.text(VARIABLES).contains("{{user.first}}"));
        end(editor);
    }
}

#[test]
fn renames_include_unsaved_text() {
    let mut editor = Editor::start(reply());
    editor.open_file(REPLY);
    editor.open_file(INPUTS);
    editor.replace(REPLY, "🎉", "{{user}}");
    editor.replace(INPUTS, "{\n", "{ \"city\": \"Rome\",\n\n");
    rename(&mut editor, REPLY, "{{us$0er}}", "who");
    assert!(editor.text(REPLY).starts_with("{{who}} {{who.name}}"));
    assert!(editor.text(INPUTS).starts_with("{ \"city\": \"Rome\",\n\n  // who asks\n  \"who\": "));
    refuse(
        &mut editor,
        REPLY,
        "{{wh$0o}}",
        "city",
        expect!["`city` already exists in reply.promptpack.inputs.json; choose another name"],
    );
    end(editor);
}

#[test]
fn open_and_closed_prompts_that_share_a_file_are_renamed() {
    let rule = "[[prompts]]\nfiles = ['**/*.txt']\ndialect = 'adk'\ninputs = ['state.yaml']\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", rule),
        ("a.txt", "{topic}"),
        ("deep/b.txt", "On {topic?} for {user:name}"),
        ("deep/b.inputs.json", r#"{"topic": 1, "user:name": 2}"#),
        ("c.txt", "{year}"),
        ("state.yaml", "topic: AI\nyear: 2024\nuser:name: Ada\n"),
    ]));
    editor.open_file("a.txt");
    let mut params = editor.place("a.txt", "{to$0pic}");
    params["context"] = json!({"includeDeclaration": true});
    let found = editor.request("textDocument/references", params);
    let folder = editor.uri("");
    let files: Vec<String> = found
        .as_array()
        .expect("places")
        .iter()
        .map(|place| place["uri"].as_str().expect("a URI").replace(&folder, ""))
        .collect();
    assert_eq!(files, ["a.txt", "state.yaml", "deep/b.txt", "deep/b.inputs.json"]);

    rename(&mut editor, "a.txt", "{to$0pic}", "theme");
    check_texts(
        &editor,
        expect![[r#"
            {theme}
            On {theme?} for {user:name}
            {"theme": 1, "user:name": 2}
            theme: AI
            year: 2024
            user:name: Ada
        "#]],
        &["a.txt", "deep/b.txt", "deep/b.inputs.json", "state.yaml"],
    );
    // A name that only another prompt uses cannot be chosen.
    refuse(
        &mut editor,
        "a.txt",
        "{the$0me}",
        "year",
        expect!["`year` already exists in state.yaml; choose another name"],
    );
    rename(&mut editor, "state.yaml", "user:na$0me", "first");
    assert_eq!(editor.text("deep/b.txt"), "On {theme?} for {user:first}");
    end(editor);
}

#[test]
fn both_texts_of_a_task_are_renamed_and_other_tasks_are_not() {
    let rule = "[[prompts]]\nfiles = ['*.prompt']\ndialect = 'agentensemble'\ninputs = ['{stem}*.inputs.json']\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", rule),
        ("a.description.prompt", "Research {topic}"),
        ("a.expected_output.prompt", "A report on {topic}"),
        ("a.inputs.json", r#"{"topic": 1}"#),
        ("a.short.inputs.json", r#"{"topic": 2}"#),
        ("ab.description.prompt", "Write on {topic}"),
        ("ab.inputs.json", r#"{"topic": 3}"#),
    ]));
    editor.open_file("a.description.prompt");
    rename(&mut editor, "a.description.prompt", "{to$0pic}", "theme");
    check_texts(
        &editor,
        expect![[r#"
            Research {theme}
            A report on {theme}
            {"theme": 1}
            {"theme": 2}"#]],
        &[
            "a.description.prompt",
            "a.expected_output.prompt",
            "a.inputs.json",
            "a.short.inputs.json",
        ],
    );
    let others = ["ab.description.prompt", "ab.inputs.json"];
    let texts = others.map(|other| editor.workspace().read(other));
    assert_eq!(texts, ["Write on {topic}", r#"{"topic": 3}"#]);
    end(editor);
}

#[test]
fn a_closed_prompt_may_conflict_with_a_new_name() {
    let rule =
        "[[prompts]]\nfiles = ['*.txt']\ndialect = 'agentensemble'\ninputs = ['state.json']\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", rule),
        ("a.txt", "{topic}"),
        ("b.txt", "{topic} {theme}"),
        ("c.txt", "{quote} {topic}"),
        ("state.json", r#"{"topic": "AI", "quote": "none"}"#),
    ]));
    editor.open_file("a.txt");
    refuse(
        &mut editor,
        "a.txt",
        "{to$0pic}",
        "theme",
        expect!["`theme` already exists in b.txt; choose another name"],
    );
    editor.write_file("state.json", r#"{"topic": "AI", "quote": "all of {topic}"}"#);
    refuse(
        &mut editor,
        "a.txt",
        "{to$0pic}",
        "subject",
        expect![
            "this would change the text that the engine sends for c.txt in case state; look there for text that depends on the name"
        ],
    );
    end(editor);
}

#[test]
fn names_are_renamed_in_all_prompts_of_a_pack() {
    const PACK: &str = "p.pack.json";
    let text = r#"{
"prompts": {
"a": {"system_template": "\"{{n\u0061me}}\" {{tone}}", "variables": [{"name": "name"}]},
"b": {"system_template": "\n{{name}}"}},
"fragments": {"tone": "Kind to \"{{name}}\""}}"#;
    let files = [(PACK, text), ("p.pack.inputs.json", r#"{"name": "Ada"}"#)];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file(PACK);
    rename(&mut editor, PACK, r#"\n{{na$0me}}"#, "who");
    check_texts(
        &editor,
        expect![[r#"
            {
            "prompts": {
            "a": {"system_template": "\"{{who}}\" {{tone}}", "variables": [{"name": "who"}]},
            "b": {"system_template": "\n{{who}}"}},
            "fragments": {"tone": "Kind to \"{{who}}\""}}
            {"who": "Ada"}"#]],
        &[PACK, "p.pack.inputs.json"],
    );
    rename(&mut editor, PACK, "\"to$0ne\"", "voice");
    assert!(editor.text(PACK).contains("{{voice}}"));
    assert!(editor.text(PACK).contains("\"voice\":"));

    editor.replace(PACK, "\"prompts\":", "\"prompts\"");
    refuse(
        &mut editor,
        PACK,
        "{{vo$0ice}}",
        "tone",
        expect!["p.pack.json cannot be read, so its names cannot be changed: it does not parse"],
    );
    end(editor);
}

#[test]
fn invalid_names_are_refused_with_the_reason() {
    let mut editor = Editor::start(reply());
    editor.open_file(REPLY);
    editor.open_file(TRIAL);
    refuse(
        &mut editor,
        REPLY,
        "{{us$0er.name}}",
        "2x",
        expect![
            "`2x` is not a valid name in PromptPack: a name starts with a letter from a to z or `_`, followed by any of these or digits"
        ],
    );
    refuse(
        &mut editor,
        REPLY,
        "{{us$0er.name}}",
        "tone",
        expect!["`tone` already exists in reply.promptpack.variables.json; choose another name"],
    );
    refuse(&mut editor, REPLY, "🎉$0", "x", expect!["there is no name here"]);
    let place = editor.place(REPLY, "🎉$0");
    assert_eq!(editor.request("textDocument/prepareRename", place), Value::Null);

    editor.replace(TRIAL, "name: Bob", "name: 'Bob");
    refuse(
        &mut editor,
        REPLY,
        "{{us$0er.name}}",
        "who",
        expect![
            "reply.promptpack.trial.inputs.yaml cannot be read, so its names cannot be changed: this file ends inside a quoted text; add the closing quote"
        ],
    );
    let place = editor.place(REPLY, "{{us$0er.name}}");
    let error = editor.request_error("textDocument/prepareRename", place);
    assert_eq!(error["code"], -32803);
    end(editor);
}

#[test]
fn a_rename_works_if_only_the_inputs_file_is_open() {
    let rule = "[[prompts]]\nfiles = ['*/*.txt']\ndialect = 'adk'\ninputs = ['state.json']\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", rule),
        ("prompts/a.txt", "{topic}"),
        ("state.json", r#"{"topic": "AI"}"#),
    ]));
    editor.open_file("state.json");
    // Its prompts are searched in the background.
    editor.next_server_request("workspace/codeLens/refresh");
    let place = editor.place("state.json", "to$0pic");
    let prepared = editor.request("textDocument/prepareRename", place);
    assert_eq!(prepared["placeholder"], "topic");
    assert_eq!(prepared["range"]["start"]["character"], 2);
    rename(&mut editor, "state.json", "to$0pic", "theme");
    assert_eq!(editor.text("prompts/a.txt"), "{theme}");
    end(editor);
}

#[test]
fn a_rename_keeps_the_style_of_yaml() {
    let variables = "\
# what is declared
variables:
  - name: user # who asks
    default: { name: 'nobody' }
fragments:
  greeting: |
    Dear {{user.name}},
      welcome  # no comment
  \"ending\": >-
    Yours, {{user.name}},
    and {{user.name}}
";
    let inputs = "\
base: &base
    name : Ada   # aligned
    'age': 36
user: *base
";
    let mut editor = Editor::start(Workspace::new(&[
        ("a.promptpack.prompt", "{{greeting}}{{ending}}"),
        ("a.promptpack.variables.yaml", variables),
        ("a.promptpack.inputs.yaml", inputs),
    ]));
    editor.open_file("a.promptpack.variables.yaml");
    rename(&mut editor, "a.promptpack.variables.yaml", "Dear {{user.na$0me}}", "first");
    let name = |text: &str| text.replace("user.name", "user.first").replace("{ name", "{ first");
    assert_eq!(editor.text("a.promptpack.variables.yaml"), name(variables));
    assert_eq!(editor.text("a.promptpack.inputs.yaml"), inputs.replace("name", "first"));
    end(editor);
}

#[test]
fn rename_edits_are_for_the_requested_version() {
    let mut editor = Editor::start(reply());
    editor.open_file(REPLY);
    let params = rename_params(&editor, REPLY, "{{us$0er.name}}", "who");
    let renamed = editor.send_request("textDocument/rename", params);
    editor.replace(REPLY, "🎉", "");
    match editor.answer(renamed) {
        Ok(edit) => {
            let changes = edit["documentChanges"].as_array().expect("there are changes");
            let versions: Vec<i64> = changes
                .iter()
                .filter_map(|change| change["textDocument"]["version"].as_i64())
                .collect();
            assert_eq!(versions, [1]);
        }
        Err(error) => assert_eq!(error["code"], -32801),
    }
    end(editor);
}

#[test]
fn an_untitled_prompt_and_an_old_editor_can_rename() {
    let more_capabilities = json!({
        "textDocument": {"rename": {"prepareSupport": false}},
        "workspace": {"workspaceEdit": {"documentChanges": false}},
    });
    let client = Client { more_capabilities, ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&[("a.adk.prompt", "{x} {x?}")]));
    assert_eq!(editor.server_capabilities()["renameProvider"], true);
    editor.open_file("a.adk.prompt");
    let edit = rename(&mut editor, "a.adk.prompt", "{x$0}", "y");
    assert!(edit["changes"].is_object());
    assert_eq!(editor.text("a.adk.prompt"), "{y} {y?}");

    editor.open_in_language("untitled:Untitled-1", "prompt-agentle", "{{#if x}}{{x}}{{/if}}");
    let params = rename_params(&editor, "untitled:Untitled-1", "{{#if x$0}}", "z");
    let edit = editor.request("textDocument/rename", params);
    let edits = edit["changes"]["untitled:Untitled-1"].as_array().expect("edits");
    assert_eq!(edits.len(), 2);
    end(editor);
}

#[test]
fn the_list_of_names_and_partial_values_of_a_template_follow() {
    let code = "from langchain_core.prompts import PromptTemplate\n\
        p = PromptTemplate(template='{a} {b}', input_variables=['a'], partial_variables={'b': 1})\n";
    for (place, new, expected) in [
        ("'{a$0}", "one", "template='{one} {b}', input_variables=['one']"),
        ("['a$0'", "one", "template='{one} {b}', input_variables=['one']"),
        ("{b$0}", "two", "template='{a} {two}', input_variables=['a'], partial_variables={'two'"),
    ] {
        let mut editor = Editor::start(Workspace::new(&[("p.py", code)]));
        editor.ignore_problems();
        editor.open_file("p.py");
        rename(&mut editor, "p", place, new);
        assert!(editor.text("p").contains(expected), "{}", editor.text("p"));
        editor.close();
    }
}

/// The calls that pass values to a text may be in another file.
#[test]
fn a_name_in_a_text_that_code_reads_is_renamed_with_its_calls() {
    let code = "from langchain_core.prompts import PromptTemplate, load_prompt\n\
        a = PromptTemplate.from_file('a.txt')\na.format(topic=1)\n\
        b = load_prompt('b.yaml')\nb.invoke({'topic': 1})\n";
    for (file, text) in
        [("a.txt", "On {topic}, {x}\n"), ("b.yaml", "template: 'On {topic}, {x}'\n")]
    {
        let mut editor = Editor::start(Workspace::new(&[("code.py", code), (file, text)]));
        editor.open_file("code.py");
        editor.open_file(file);
        // The call has no `x`.
        editor.wait_for_codes(file, &["undefined-placeholder"]);
        rename(&mut editor, file, "{t$0opic", "subject");
        assert!(editor.text(file).contains("On {subject}, {x}"));
        let renamed = editor.text("code.py").matches("subject").count();
        assert_eq!(renamed, 1, "{}", editor.text("code.py"));
        end(editor);
    }
}

/// Files of Python or TypeScript with a name, and the same with another one.
#[track_caller]
fn check_calls(files: &[(&str, &str)]) {
    let named = |name: &str| -> Vec<(&str, String)> {
        files.iter().map(|(file, code)| (*file, code.replace("NAME", name))).collect()
    };
    let before = named("who");
    let before: Vec<(&str, &str)> = before.iter().map(|(file, code)| (*file, &**code)).collect();
    let mut editor = Editor::start(Workspace::new(&before));
    editor.ignore_problems();
    before.iter().for_each(|(file, _)| editor.open_file(file));
    rename(&mut editor, files[0].0, "{wh$0o}", "person");
    for (file, code) in named("person") {
        assert_eq!(editor.text(file), code);
    }
    editor.close();
}

#[test]
fn each_call_of_a_template_is_renamed() {
    let python = "from langchain_core.prompts import PromptTemplate as P\n";
    for code in [
        "p = P.from_template('{NAME}')\np.format(NAME=1)\np.invoke({'NAME': 1})\n\
         p.batch([{'NAME': 1}, {'NAME': 2}])\n",
        "p = P.from_template('{NAME}')\ndef make():\n    return p | model\n\
         make().invoke({'NAME': 1})\n",
        "class A:\n    T = P.from_template('{NAME}')\n    def f(self):\n        \
         self.T.format(NAME=1)\nA.T.format(NAME=1)\n",
    ] {
        check_calls(&[("a.py", &format!("{python}{code}"))]);
    }
    let template = format!(
        "{python}T = P.from_template('{{NAME}}')\nchain = T | model\n\
         def make():\n    return T | model\nclass A:\n    S = T\n"
    );
    check_calls(&[
        ("a.py", &template),
        (
            "b.py",
            "import a\nfrom a import A, T, chain, make\n\
             T.format(NAME=1)\nT.format(NAME=1)\nchain.invoke({'NAME': 1})\n\
             make().invoke({'NAME': 1})\na.T.format(NAME=1)\na.make().invoke({'NAME': 1})\n\
             A.S.format(NAME=1)\na.A.S.format(NAME=1)\n",
        ),
        ("kit/__init__.py", "from a import A as B, T as U\n"),
        ("c.py", "from kit import B, U\nU.format(NAME=1)\nB.S.format(NAME=1)\n"),
        ("d.py", "from a import T\nD = T | model\n"),
        ("e.py", "from d import D\nD.invoke({'NAME': 1})\n"),
    ]);
    check_calls(&[
        (
            "a.ts",
            "import { PromptTemplate as P } from '@langchain/core/prompts';\n\
             export const T = P.fromTemplate('{NAME}');\nexport const make = () => T.pipe(model);\n\
             await make().invoke({ NAME: 1 });\nT.batch([{ NAME: 1 }, { NAME: 2 }]);\n",
        ),
        (
            "b.ts",
            "import { T, make } from './a';\nT.format({ NAME: 1 });\nT.format({ NAME: 2 });\n\
             make().invoke({ NAME: 1 });\n",
        ),
    ]);
}

#[test]
fn a_call_with_unknown_values_refuses_a_rename() {
    let code = "from langchain_core.prompts import PromptTemplate as P\n\
        p = P.from_template('{a} {b}')\np.format(a=1, **more)\n";
    let mut editor = Editor::start(Workspace::new(&[("p.py", code)]));
    editor.ignore_problems();
    editor.open_file("p.py");
    refuse(
        &mut editor,
        "p",
        "{b$0}",
        "two",
        expect![
            "a call in p.py:3 passes values that are not followed, perhaps `b`; rename it by hand"
        ],
    );
    rename(&mut editor, "p", "{a$0}", "one");
    assert!(editor.text("p").contains("'{one} {b}')\np.format(one=1"));
    editor.close();
}

#[test]
fn the_name_of_messages_is_renamed_from_each_of_its_places() {
    let chat = "from langchain_core.prompts import ChatPromptTemplate as C, MessagesPlaceholder\n\
        chat = C.from_messages([('system', 'é {tone}'), ('human', '{x}'), \
        MessagesPlaceholder('past'), ('placeholder', '{more}')])\n\
        chat.invoke({'tone': 1, 'x': 2, 'past': [], 'more': []})\n";
    let files = [
        ("a.py", chat),
        ("a.chat.inputs.json", r#"{"tone": 1, "x": 2, "past": [], "more": []}"#),
        ("b.py", "from a import chat\nchat.format_messages(tone=1, x=2, past=[], more=[])\n"),
    ];
    for (document, place, old) in [
        ("a.py", "MessagesPlaceholder('pa$0st')", "past"),
        ("a.py", "'{mor$0e}'", "more"),
        ("a.py", "'pas$0t': []", "past"),
        ("a.chat.inputs.json", "\"pas$0t\"", "past"),
        ("b.py", "mor$0e=", "more"),
        ("b.py", "ton$0e=", "tone"),
    ] {
        let mut editor = Editor::start(Workspace::new(&files));
        editor.ignore_problems();
        for (file, _) in files {
            editor.open_file(file);
        }
        rename(&mut editor, document, place, "seen");
        for (file, before) in files {
            assert_eq!(
                editor.text(file),
                before.replace(old, "seen"),
                "{document} {place}: {file}"
            );
        }
        editor.close();
    }
    // The file with the chat need not be open.
    let mut editor = Editor::start(Workspace::new(&files));
    editor.ignore_problems();
    editor.open_file("b.py");
    let params = rename_params(&editor, "b.py", "mor$0e=", "seen");
    let edit = editor.request("textDocument/rename", params).to_string();
    assert!(
        ["/a.py", "/a.chat.inputs.json", "/b.py"].iter().all(|file| edit.contains(file)),
        "{edit}"
    );
    editor.close();
}
