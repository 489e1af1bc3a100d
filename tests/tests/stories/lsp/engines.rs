//! The engine in a rule, in an editor.

use promptls_tests::{Client, Editor, Workspace, promptls};
use serde_json::{Value, json};

const CONFIG: &str =
    "[[prompts]]\nfiles = ['*.prompt']\nengine = 'adk-python@2.13'\ndialect = 'adk'\n";

fn preview(editor: &mut Editor) -> Value {
    preview_of(editor, "a.prompt")
}

fn preview_of(editor: &mut Editor, file: &str) -> Value {
    let uri = editor.workspace().uri(file);
    editor.request("promptls/preview", json!({ "textDocument": { "uri": uri } }))
}

#[test]
fn previews_follow_changes_of_the_configured_engine() {
    let workspace = Workspace::new(&[
        ("promptls.toml", CONFIG),
        ("a.prompt", "{list} ${list}"),
        ("a.inputs.json", r#"{"list": ["x", true]}"#),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open_file("a.prompt");
    let shown = preview(&mut editor);
    assert_eq!(shown["engine"], "adk-python@2.13");
    assert_eq!(shown["text"], "['x', True] ${list}");
    let hover = editor.hover("a.prompt", "{li$0st} ${list}").expect("there is a value");
    assert!(hover.contains("['x', True]"), "{hover}");
    // After an escape sign, nothing is a placeholder.
    assert_eq!(editor.hover("a.prompt", "{list} ${li$0st}"), None);

    // The sign is removed, and inserted again.
    editor.set_text("a.prompt", "{list} {list}");
    assert_eq!(preview(&mut editor)["text"], "['x', True] ['x', True]");
    editor.set_text("a.prompt", "{list} ${list}");
    assert_eq!(preview(&mut editor)["text"], "['x', True] ${list}");

    // Another engine, while its rule is typed.
    editor.open_file("promptls.toml");
    editor.set_text("promptls.toml", &CONFIG.replace("adk-python@2.13", "adk-go"));
    let shown = preview(&mut editor);
    assert_eq!(
        (&shown["engine"], &shown["text"]),
        (&json!("adk-go"), &json!("[x true] $[x true]"))
    );
    editor.set_text("promptls.toml", &CONFIG.replace("adk-python@2.13", "adk-pyton"));
    editor.wait_for_codes("promptls.toml", &["invalid-config"]);
    let hover = editor.hover("a.prompt", "{li$0st} ${list}").expect("there is a value");
    assert!(hover.contains("[x, true]"), "{hover}");
    // Without an engine, a hint reports that engines differ for a list, and after a sign.
    editor.wait_for_codes("a.prompt", &["engine-differs", "engine-differs"]);
    editor.close();
}

#[test]
fn several_engines_are_compared_while_typing() {
    let config = "[[prompts]]\nfiles = ['*.prompt']\nengines = ['adk-java', 'adk-js']\n[problems]\nunused-input = 'off'\n";
    let workspace = Workspace::new(&[
        ("promptls.toml", config),
        ("a.prompt", "{list}"),
        ("a.inputs.json", r#"{"list": ["x", true], "text": "t"}"#),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open_file("a.prompt");
    editor.wait_for_problems(
        "a.prompt",
        &["`adk-java` sends `[x, true]`, `adk-js` sends `[\"x\",true]`"],
    );
    editor.set_text("a.prompt", "{text}");
    editor.wait_for_problems("a.prompt", &[]);
    editor.close();
}

const LOCK: &str = "[[package]]\nname = 'google-adk'\nversion = '2.13.0'\n";

fn engine(editor: &mut Editor) -> Value {
    let uri = editor.workspace().uri("a.adk.prompt");
    editor.request("promptls/engine", json!({ "textDocument": { "uri": uri } }))
}

/// Makes the server set an engine; returns its next response about it.
fn name_engine(editor: &mut Editor, name: Option<&str>) -> Value {
    let uri = editor.workspace().uri("a.adk.prompt");
    let arguments = json!([{ "uri": uri, "engine": name }]);
    let params = json!({ "command": "promptls.nameEngine", "arguments": arguments });
    let done = editor.request("workspace/executeCommand", params);
    editor.apply_next();
    assert_eq!(done["uri"], editor.workspace().uri("promptls.toml"));
    engine(editor)
}

#[test]
fn engines_of_the_project_are_shown_and_can_be_written_to_the_config() {
    let workspace = Workspace::new(&[
        ("a.adk.prompt", "{list}"),
        ("a.adk.inputs.json", r#"{"list": ["x"]}"#),
        ("promptls.toml", "# Ours.\n"),
        ("uv.lock", LOCK),
        ("go.mod", "module m\n"),
    ]);
    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    editor.open_file("promptls.toml");

    // No resolved text changes because of it.
    let answer = engine(&mut editor);
    assert_eq!(answer["label"], "Google ADK as documented");
    assert_eq!((&answer["namedBy"], &answer["engines"]), (&Value::Null, &json!([])));
    assert_eq!(
        answer["about"],
        "As documented for Google ADK: no rule sets an engine. uv.lock has google-adk 2.13.0."
    );
    let choices: Vec<&str> = answer["choices"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["engine"].as_str())
        .collect();
    assert_eq!(
        choices,
        ["adk-python@2.13", "adk-java@1.8", "adk-kotlin@0.8", "adk-go@2.2", "adk-js@2.0"]
    );

    let answer = name_engine(&mut editor, Some("adk-python@2.13"));
    assert_eq!(
        editor.text("promptls.toml"),
        "# Ours.\n\n[[prompts]]\nfiles = [\"/a.adk.prompt\"]\nengine = \"adk-python@2.13\"\n"
    );
    assert_eq!(answer["label"], "ADK for Python 2.13, as in uv.lock");
    assert_eq!(answer["namedBy"], "rule");
    // The rule's engine applies, and the difference is reported.
    let answer = name_engine(&mut editor, Some("adk-python@2.9"));
    assert_eq!(answer["label"], "ADK for Python 2.9, but uv.lock has google-adk 2.13.0");
    let answer = name_engine(&mut editor, Some("adk-go"));
    assert_eq!(answer["label"], "ADK for Go, but uv.lock has google-adk 2.13.0");
    // A rule without an engine means that of the project.
    let answer = name_engine(&mut editor, None);
    assert_eq!(answer["label"], "ADK for Python 2.13, as in uv.lock");
    assert_eq!(answer["namedBy"], "project");
    name_engine(&mut editor, Some("adk-go"));

    let uri = editor.workspace().uri("a.adk.prompt");
    for (name, refusal) in [
        ("adk-pyton", "did you mean `adk-python`?"),
        ("agentensemble", "`agentensemble` is an engine of agentensemble, but the dialect is adk"),
    ] {
        let arguments = json!([{ "uri": uri, "engine": name }]);
        let params = json!({ "command": "promptls.nameEngine", "arguments": arguments });
        let refused = editor.request_error("workspace/executeCommand", params);
        let message = refused["message"].as_str().expect("it says why");
        assert!(message.contains(refusal), "{message}");
    }
    editor.close();
}

/// Prompts in code have the engine of their framework, which no rule changes.
#[test]
fn the_engine_of_code_is_shown_and_cannot_be_set() {
    let code = "import { PromptTemplate } from '@langchain/core/prompts';\n\
        const a = PromptTemplate.fromTemplate('Hi {name}');\n";
    let mut editor = Editor::start(Workspace::new(&[("a.ts", code)]));
    editor.open_file("a.ts");
    let hover = editor.hover("a.ts", "{na$0me}").expect("a placeholder has a hover");
    let expected = "Without a value, LangChain for JavaScript raises ";
    assert!(hover.contains(expected), "{hover}");
    let arguments = json!([{ "uri": editor.workspace().uri("a.ts"), "engine": "langchain-js" }]);
    let params = json!({ "command": "promptls.nameEngine", "arguments": arguments });
    let refused = editor.request_error("workspace/executeCommand", params);
    let message = refused["message"].as_str().expect("it has a reason");
    assert!(message.starts_with("prompts in code have the engine of their framework"), "{message}");
    editor.close();
}

#[test]
fn a_client_setting_selects_the_engine_if_no_rule_names_one() {
    let settings = json!({ "promptls": { "engine": "adk-go" } });
    let client = Client { settings: Some(settings), ..Client::default() };
    let workspace = Workspace::new(&[
        ("a.adk.prompt", "{list}"),
        ("a.adk.inputs.json", r#"{"list": ["x", "y"]}"#),
        ("b.agentle.prompt", "{{list}}"),
        ("b.agentle.inputs.json", r#"{"list": ["x", "y"]}"#),
        ("promptls.toml", ""),
    ]);
    let mut editor = Editor::start_as(client, workspace);
    editor.open_file("a.adk.prompt");
    editor.open_file("b.agentle.prompt");
    editor.open_file("promptls.toml");
    let text = |editor: &mut Editor, prompt: &str| {
        let uri = editor.workspace().uri(prompt);
        let params = json!({ "textDocument": { "uri": uri } });
        let text = &editor.request("promptls/preview", params)["text"];
        text.as_str().expect("it has a text").to_owned()
    };
    // The server requests the editor's settings after the first documents.
    while text(&mut editor, "a.adk.prompt") != "[x y]" {}
    let answer = engine(&mut editor);
    assert_eq!(answer["label"], "ADK for Go, by a setting");
    assert_eq!(answer["namedBy"], "setting");
    // Prompts of other dialects have other engines.
    assert_eq!(text(&mut editor, "b.agentle.prompt"), "[x, y]");
    editor.set_text("promptls.toml", "[[prompts]]\nfiles = ['a.*']\nengine = 'adk-python'\n");
    assert_eq!(text(&mut editor, "a.adk.prompt"), "['x', 'y']");
    assert_eq!(engine(&mut editor)["namedBy"], "rule");
    editor.wait_for_codes("b.agentle.prompt", &["engine-differs"]);
    editor.close();
}

/// The same in the editor and on the command line: a rule about a file makes it a prompt of the
/// application, whose engine is in its lock file.
#[test]
fn a_rule_without_an_engine_uses_that_of_the_project() {
    let config = "[[prompts]]\nfiles = ['*.adk.prompt']\ndialect = 'adk'\n";
    let workspace = Workspace::new(&[
        ("promptls.toml", config),
        ("a.adk.prompt", "${home} {list}"),
        ("a.adk.inputs.json", r#"{"list": ["x", true]}"#),
        ("uv.lock", LOCK),
    ]);
    let run = |arguments: &[&str]| {
        let output = promptls(arguments).cwd(workspace.root()).run();
        output.stdout + &output.stderr
    };
    assert_eq!(run(&["resolve", "a.adk.prompt"]), "${home} ['x', True]");
    assert!(run(&["config", "--show", "a.adk.prompt"]).contains("adk-python@2.13"));
    assert!(run(&["prompts"]).contains("adk-python@2.13"));
    assert_eq!(run(&["check"]), "1 prompt checked: no problems\n");

    let mut editor = Editor::start(workspace);
    editor.open_file("a.adk.prompt");
    let answer = engine(&mut editor);
    assert_eq!(answer["label"], "ADK for Python 2.13, as in uv.lock");
    assert_eq!(preview_of(&mut editor, "a.adk.prompt")["text"], "${home} ['x', True]");
    editor.close();
}

/// No setting names these engines, and no lock file has a version.
#[test]
fn the_engine_of_data_and_texts_is_that_of_the_framework_that_reads_them() {
    let code = "from crewai import Crew\nfrom google.adk.agents import Agent\n\
        Crew().kickoff(inputs={'year': 1})\n\
        a = Agent(name='a', instruction=open('one.txt').read())\n";
    let tasks = "t:\n  description: Study {topic}.\n  expected_output: A list.\n";
    let workspace =
        Workspace::new(&[("agent.py", code), ("one.txt", "Hi {guest}"), ("tasks.yaml", tasks)]);
    let mut editor = Editor::start(workspace);
    for (file, place, name, expected) in [
        ("one.txt", "H$0i", "guest", "ADK for Python"),
        ("tasks.yaml", "Stu$0dy", "topic", "CrewAI"),
    ] {
        editor.open_file(file);
        editor.wait_for_problems(file, &[&format!("nothing in this app sets `{name}`")]);
        let params = editor.place(file, place);
        let answer = editor.request("promptls/engine", params);
        assert_eq!(answer["label"], expected);
        assert_eq!(answer["namedBy"], "framework");
        let about = format!("{expected}: the engine of the framework that reads it.");
        assert_eq!(answer["about"], about.as_str());
        // The first choice is the same engine.
        let first = answer["choices"][0]["title"].as_str().expect("there are choices");
        assert!(first.starts_with(expected), "{first}");
    }
    editor.close();
}
