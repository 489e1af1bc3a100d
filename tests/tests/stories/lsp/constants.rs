//! Constants that prompts in code include by their names, in an editor: all features are where the
//! constant is.

use expect_test::expect;
use promptls_tests::{Editor, Workspace};
use serde_json::{Value, json};

const APP: &str = "agent.py";
const TEXT: &str = r#"from google.adk.agents import Agent

a = Agent(name="a", instruction=BASE + " Ask about {topic}.", output_key="topic")
b = Agent(name="b", instruction=f"{BASE} Wish {{user_name}} luck.", output_key="user_name")
BASE = "Greet {user_name}."
"#;

fn open(text: &str) -> Editor {
    let mut editor = Editor::start(Workspace::new(&[(APP, text), ("requirements.txt", "")]));
    editor.open_file(APP);
    editor
}

#[test]
fn problems_are_in_the_constant_and_follow_edits() {
    let mut editor = open(&TEXT.replace("Greet {user_name}", "Greet {usr_name}"));
    expect![""].assert_eq(&editor.problems_text(APP));
    editor.replace(APP, "{usr_name}", "{user_name}");
    editor.wait_for_problems(APP, &[]);
    editor.replace(APP, "Greet {user_name}", "Greet {user_nme}");
    editor.wait_for_problems(
        APP,
        &["nothing in this app sets `user_nme`; did you mean `user_name`?"],
    );
    let mut params = editor.place(APP, "{user_n$0me}");
    let position = params["position"].take();
    let params = json!({
        "textDocument": params["textDocument"],
        "range": { "start": position, "end": position },
        "context": { "diagnostics": [] },
    });
    let actions = editor.request("textDocument/codeAction", params);
    let actions = actions.as_array().expect("there are actions");
    let change = actions.iter().filter(|it| it["title"] == "Change to `user_name`");
    let [change] = change.collect::<Vec<_>>()[..] else { panic!("one action: {actions:?}") };
    let action = editor.request("codeAction/resolve", change.clone());
    editor.apply(&action["edit"]);
    assert_eq!(editor.text(APP), TEXT);
    editor.wait_for_problems(APP, &[]);
    editor.close();
}

#[test]
fn a_constant_has_hovers_colours_and_completions_once() {
    let mut editor = open(TEXT);
    editor.ignore_problems();
    let hover = editor.hover(APP, "Greet {user_$0name}").expect("a placeholder has a hover");
    assert!(hover.starts_with("**`user_name`**"), "{hover}");
    let document = json!({ "textDocument": { "uri": editor.uri(APP) } });
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": document["textDocument"], "range": range });
    let tokens = editor.request("promptls/tokens", params.clone());
    let tokens = tokens.as_array().expect("a list").iter();
    let names = tokens.filter(|token| token["kind"] == "variable").map(|token| {
        let at = |end: &str| token["range"][end]["character"].as_u64().unwrap() as usize;
        let line = token["range"]["start"]["line"].as_u64().unwrap() as usize;
        (line, &TEXT.lines().nth(line).expect("a line")[at("start")..at("end")])
    });
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    assert_eq!(names, [(2, "topic"), (3, "user_name"), (4, "user_name")]);
    let hints = editor.request("textDocument/inlayHint", params);
    let lines = hints.as_array().map_or(&[][..], Vec::as_slice).iter();
    let lines = lines.map(|hint| hint["position"]["line"].clone()).filter(|line| *line == 4);
    assert!(lines.count() <= 1, "{hints}");
    editor.replace(APP, "Greet {user_name}", "Greet {t}");
    let items = editor.complete(APP, "Greet {t$0}");
    assert!(items.iter().any(|item| item["label"] == "topic"), "{items:?}");
    editor.close();
}

#[test]
fn the_name_of_a_constant_leads_to_its_text() {
    let mut editor = open(TEXT);
    editor.ignore_problems();
    for place in ["BA$0SE + ", "{BA$0SE} Wish"] {
        let at = editor.place(APP, place);
        let found = editor.request("textDocument/definition", at);
        let target = &found[0]["targetRange"];
        assert_eq!(target["start"], json!({ "line": 4, "character": 7 }), "{found}");
        assert_eq!(target["end"], json!({ "line": 4, "character": 27 }), "{found}");
        let hover = editor.hover(APP, place).expect("a part has a hover");
        assert_eq!(hover, "**`BASE`** — part of the prompt\n\n`Greet {user_name}.`");
    }
    // What is no part of a prompt belongs to other servers.
    let at = editor.place(APP, "BA$0SE = ");
    assert!(editor.request("textDocument/definition", at).is_null());
    editor.close();
}

#[test]
fn a_rename_changes_the_constant_once() {
    for place in ["Greet {us$0er_name}", "Wish {{us$0er_name}}", "output_key=\"us$0er_name\""] {
        let mut editor = open(TEXT);
        // Then the names of the application are known.
        editor.wait_for_problems(APP, &[]);
        let mut params = editor.place(APP, place);
        params["newName"] = json!("who");
        let edit = editor.request("textDocument/rename", params);
        editor.apply(&edit);
        assert_eq!(editor.text(APP), TEXT.replace("user_name", "who"), "{place}");
        editor.close();
    }
}

/// Values in the inputs of one prompt are not those of the other one.
#[test]
fn a_rename_that_changes_a_shared_constant_is_refused() {
    let text = "from agentle.prompts.models.prompt import Prompt\n\
        BASE = 'Hi {{name}}'\n\
        A = Prompt.from_text(BASE + '!')\n\
        B = Prompt.from_text(BASE + '?')\n";
    let files = [
        ("p.py", text),
        ("p.A.inputs.json", "{\"name\": \"Ada\"}"),
        ("p.B.inputs.json", "{\"name\": \"Bob\"}"),
    ];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file("p.py");
    editor.ignore_problems();
    let mut params = editor.place("p.py", "Hi {{na$0me}}");
    params["newName"] = json!("who");
    let error = editor.request_error("textDocument/rename", params);
    assert_eq!(error["code"], -32803, "{error}");
    editor.close();
}

#[test]
fn the_preview_has_the_whole_text_with_ranges_of_the_constant() {
    let mut editor = open(TEXT);
    editor.ignore_problems();
    let mut about = editor.place(APP, "Ask ab$0out");
    let preview = editor.request("promptls/preview", about.take());
    assert_eq!(preview["text"], "Greet {user_name}. Ask about {topic}.");
    let runs = preview["map"].as_array().expect("a map").iter();
    let lines: Vec<&Value> = runs.map(|run| &run["source"]["start"]["line"]).collect();
    assert!(lines.first() == Some(&&json!(4)) && lines.last() == Some(&&json!(2)), "{preview}");
    editor.close();
}

/// Code without prompts sets a name: from there, too, one gets to the prompts.
#[test]
fn navigation_works_from_the_code_that_sets_a_name() {
    let tools = "def note(tool_context):\n    tool_context.state[\"facts\"] = 1\n";
    let agent = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction='Use {facts} and {other}.')\n";
    let files = [("tools.py", tools), ("agent.py", agent), ("requirements.txt", "")];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file("agent.py");
    editor.open_file("tools.py");
    editor.wait_for_problems("agent.py", &["nothing in this app sets `other`"]);
    let place = editor.place("tools.py", "[\"fa$0cts\"]");
    let references = {
        let mut params = place.clone();
        params["context"] = json!({ "includeDeclaration": true });
        editor.request("textDocument/references", params)
    };
    let found = references.as_array().expect("a list").iter();
    let found = found.map(|it| it["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned());
    let mut found: Vec<String> = found.collect();
    found.sort();
    assert_eq!(found, ["agent.py", "tools.py"]);
    assert!(!editor.request("textDocument/definition", place.clone()).is_null());
    let mut params = place;
    params["newName"] = json!("notes");
    let edit = editor.request("textDocument/rename", params);
    editor.apply(&edit);
    assert_eq!(editor.text("agent.py"), agent.replace("facts", "notes"));
    assert_eq!(editor.text("tools.py"), tools.replace("facts", "notes"));
    // Other strings of the code are nothing to this server.
    for method in ["hover", "definition", "completion", "documentHighlight", "prepareRename"] {
        let params = editor.place("agent.py", "name='$0a'");
        let answer = editor.request(&format!("textDocument/{method}"), params);
        let is_empty = answer.is_null() || answer.as_array().is_some_and(Vec::is_empty);
        assert!(is_empty, "{method}: {answer}");
    }
    editor.ignore_problems();
    editor.close();
}

#[test]
fn hover_of_code_that_sets_a_name_shows_the_prompts_that_read_it() {
    let mut editor = open(TEXT);
    editor.ignore_problems();
    let hover = editor.hover(APP, "output_key=\"top$0ic\"").expect("a place has a hover");
    let read = "read once by [prompt \\`a\\`](agent.py#L3): `{topic}`";
    assert_eq!(hover, format!("**`topic`**\n\n{read}"));
    editor.close();
}
