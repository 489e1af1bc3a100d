//! Prompts in strings of code, in an editor: all features of other prompts, in place.

use expect_test::expect;
use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

const HOST: &str = "planner.py";
const TEXT: &str = r#"from google.adk.agents import LlmAgent

city = input()
planner = LlmAgent(
    name="planner",
    instruction=f"Plan for {city}: {{task}},\n" "as {mod}.",
)
print(f"nothing {city} here")
"#;
const INPUTS: (&str, &str) =
    ("planner.planner.inputs.json", r#"{"task": "a trip", "mood": "gay"}"#);

fn open() -> Editor {
    let mut editor = Editor::start(Workspace::new(&[(HOST, TEXT), INPUTS]));
    editor.open_file(HOST);
    editor
}

#[test]
fn problems_follow_edits_of_the_string() {
    let mut editor = open();
    expect![[r#"
        6:54-6:57 error undefined-placeholder `mod` has no value; did you mean `mood`?
            planner.planner.inputs.json 1:20-1:26 case default has `mood`
    "#]]
    .assert_eq(&editor.problems_text(HOST));
    editor.replace(HOST, "{mod}", "{mood}");
    editor.wait_for_problems(HOST, &[]);
    // A line that is typed before the prompt moves it.
    editor.replace(HOST, "city = input()", "city = input()\nland = \"Italy\"");
    editor.replace(HOST, "{mood}", "{moo}");
    editor.wait_for_problems(HOST, &["`moo` has no value; did you mean `mood`?"]);
    expect![[r#"
        7:54-7:57 error undefined-placeholder `moo` has no value; did you mean `mood`?
            planner.planner.inputs.json 1:20-1:26 case default has `mood`
    "#]]
    .assert_eq(&editor.problems_text(HOST));
    editor.close();
}

#[test]
fn requests_outside_of_prompts_have_an_empty_response() {
    let mut editor = open();
    editor.ignore_problems();
    let hover = editor.hover(HOST, "{{ta$0sk}}").expect("a placeholder has a hover");
    expect![[r#"
        **`task`**

        `a trip` — [planner.planner.inputs.json](planner.planner.inputs.json#L1)"#]]
    .assert_eq(&hover);
    for place in ["print(f\"noth$0ing", "for {ci$0ty}", "Llm$0Agent("] {
        let is_hole = place.contains("{ci");
        assert_eq!(editor.hover(HOST, place).is_some(), is_hole, "{place}");
        for method in ["definition", "prepareRename", "completion", "documentHighlight"] {
            let params = editor.place(HOST, place);
            let answer = editor.request(&format!("textDocument/{method}"), params);
            let is_empty = answer.is_null() || answer.as_array().is_some_and(Vec::is_empty);
            assert!(is_empty, "{method} at {place}: {answer}");
        }
    }
    let document = json!({ "textDocument": { "uri": editor.uri(HOST) } });
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let mut params = document;
    params["options"] = options;
    let formatted = editor.request("textDocument/formatting", params);
    assert!(formatted.is_null() || formatted == json!([]), "{formatted}");
    editor.close();
}

#[test]
fn a_rename_is_escaped_for_its_literal() {
    let mut editor = open();
    editor.ignore_problems();
    editor.replace(HOST, "{mod}", "{mood}");
    let mut params = editor.place(HOST, "{{ta$0sk}}");
    params["newName"] = json!("plan");
    let edit = editor.request("textDocument/rename", params);
    editor.apply(&edit);
    expect![[r#"
        from google.adk.agents import LlmAgent

        city = input()
        planner = LlmAgent(
            name="planner",
            instruction=f"Plan for {city}: {{plan}},\n" "as {mood}.",
        )
        print(f"nothing {city} here")
    "#]]
    .assert_eq(editor.text(HOST));
    expect![[r#"{"plan": "a trip", "mood": "gay"}"#]].assert_eq(editor.text(INPUTS.0));
    editor.close();
}

#[test]
fn names_are_completed_after_a_brace() {
    let text = "from google.adk.agents import Agent\nAgent(name='planner', instruction='as {')\n";
    let mut editor = Editor::start(Workspace::new(&[(HOST, text), INPUTS]));
    editor.open_file(HOST);
    editor.ignore_problems();
    let items = editor.complete(HOST, "as {$0");
    let edits: Vec<&Value> = items.iter().map(|item| &item["textEdit"]["newText"]).collect();
    expect![[r#"["mood}","task}","app:","user:","temp:","artifact."]"#]]
        .assert_eq(&json!(edits).to_string());
    editor.close();
}

#[test]
fn code_without_prompts_has_empty_responses() {
    let mut editor = Editor::start(Workspace::new(&[("plain.py", "print('Hi {name}')\n")]));
    editor.open_file("plain.py");
    assert_eq!(editor.problems_text("plain.py"), "");
    assert_eq!(editor.hover("plain.py", "{na$0me}"), None);
    // The import makes it a host while it is typed.
    editor.replace(
        "plain.py",
        "print('Hi {name}')",
        "from google.adk.agents import Agent\nAgent(name='a', instruction='Hi ${name}')",
    );
    let hover = editor.hover("plain.py", "{na$0me}");
    expect![[r#""#]].assert_eq(&hover.unwrap_or_default());
    editor.close();
}

#[test]
fn a_constant_is_a_prompt_while_an_agent_of_another_file_uses_it() {
    let agent = "from google.adk.agents import LlmAgent\nfrom .texts import PLAN\n\
        planner = LlmAgent(name='planner', instruction=PLAN)\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("app/agent.py", agent),
        ("app/texts.py", "PLAN = 'Plan {task}, {mod}.'\n"),
        ("app/texts.PLAN.inputs.json", r#"{"task": "a trip", "mood": "gay"}"#),
    ]));
    editor.open_file("app/texts.py");
    editor.wait_for_problems("app/texts.py", &["`mod` has no value; did you mean `mood`?"]);
    editor.open_file("app/agent.py");
    editor.replace("app/agent.py", "instruction=", "description=");
    editor.wait_for_problems("app/texts.py", &[]);
    editor.replace("app/agent.py", "description=", "instruction=");
    editor.wait_for_problems("app/texts.py", &["`mod` has no value; did you mean `mood`?"]);
    // While the agent is half typed, the last result stays.
    editor.replace("app/agent.py", "planner = ", "\"\"\"\nplanner = ");
    editor.wait_for_codes("app/agent.py", &["unreadable-file"]);
    editor.replace("app/texts.py", "{mod}", "{mood_}");
    editor.wait_for_problems("app/texts.py", &["`mood_` has no value; did you mean `mood`?"]);
    editor.close();
}

#[test]
fn a_call_is_a_prompt_while_its_function_passes_the_text_to_an_agent() {
    let make = "from google.adk.agents import LlmAgent\n\
        def make(name, text): return LlmAgent(name=name, instruction=text)\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("app/make.py", make),
        ("app/plan.py", "from .make import make\nplan = make('plan', 'Plan {task}, {mod}.')\n"),
        ("app/plan.plan.inputs.json", r#"{"task": "a trip", "mood": "gay"}"#),
    ]));
    let message = "`mod` has no value; did you mean `mood`?";
    editor.open_file("app/plan.py");
    editor.wait_for_problems("app/plan.py", &[message]);
    editor.open_file("app/make.py");
    for (now, other) in [("instruction=", "description="), ("def make", "def create")] {
        editor.replace("app/make.py", now, other);
        editor.wait_for_problems("app/plan.py", &[]);
        editor.replace("app/make.py", other, now);
        editor.wait_for_problems("app/plan.py", &[message]);
    }
    // Both names are new, and neither file is saved.
    editor.replace("app/make.py", "def make", "def create");
    editor.wait_for_problems("app/plan.py", &[]);
    editor.replace("app/plan.py", "import make", "import create");
    editor.replace("app/plan.py", "= make(", "= create(");
    editor.wait_for_problems("app/plan.py", &[message]);
    editor.close();
}

#[test]
fn uses_in_code_follow_moves_of_whole_folders() {
    let agent = "from google.adk.agents import LlmAgent\nfrom app.texts import PLAN\n\
        planner = LlmAgent(name='planner', instruction=PLAN)\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("agents/agent.py", agent),
        ("app/texts.py", "PLAN = 'Plan {task}, {mod}.'\n"),
        ("app/texts.PLAN.inputs.json", r#"{"task": "a trip", "mood": "gay"}"#),
    ]));
    let message = "`mod` has no value; did you mean `mood`?";
    editor.open_file("app/texts.py");
    editor.wait_for_problems("app/texts.py", &[message]);
    // Editors report the folder, not its contents.
    editor.move_folder("agents", ".agents");
    editor.wait_for_problems("app/texts.py", &[]);
    editor.move_folder(".agents", "agents");
    editor.wait_for_problems("app/texts.py", &[message]);
    editor.close();
}

#[test]
fn semantic_tokens_for_code_are_sent_only_if_the_client_supports_them() {
    let tokens = |editor: &mut Editor, method: &str| {
        let range =
            json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
        let params = json!({ "textDocument": { "uri": editor.uri(HOST) }, "range": range });
        editor.request(method, params)
    };
    for (options, has_tokens) in [(json!({}), false), (json!({ "hostSemanticTokens": true }), true)]
    {
        let workspace = Workspace::new(&[(HOST, TEXT), INPUTS]);
        let client = Client { initialization_options: options, ..Client::default() };
        let mut editor = Editor::start_as(client, workspace);
        editor.open_file(HOST);
        editor.ignore_problems();
        assert_eq!(!tokens(&mut editor, "textDocument/semanticTokens/range").is_null(), has_tokens);
        let coloured = tokens(&mut editor, "promptls/tokens");
        let names: Vec<&Value> = coloured
            .as_array()
            .expect("a list")
            .iter()
            .filter(|it| it["kind"] == "variable")
            .collect();
        assert_eq!(names.len(), 2);
        assert_eq!((&names[0]["isMissing"], &names[1]["isMissing"]), (&json!(false), &json!(true)));
        editor.close();
    }
    let refused = json!({ "hostSemanticTokens": false });
    let client = Client { initialization_options: refused, ..Client::default() };
    let editor = Editor::start_as(client, Workspace::new(&[]));
    let selector = &editor.server_capabilities()["semanticTokensProvider"]["documentSelector"];
    let selector = selector.as_array().expect("a list").iter();
    let languages: Vec<&Value> = selector.map(|filter| &filter["language"]).collect();
    assert!(languages.contains(&&json!("prompt-adk")) && !languages.contains(&&json!("python")));
    editor.close();
}

#[test]
fn computed_parts_have_a_value_from_inputs_or_are_shown_in_source_form() {
    let mut editor = open();
    editor.ignore_problems();
    let preview = |editor: &mut Editor| {
        let place = editor.place(HOST, "Pl$0an");
        editor.request("promptls/preview", place)["text"].clone()
    };
    assert_eq!(preview(&mut editor), "Plan for {city}: a trip,\nas {mod}.");
    editor.open_file(INPUTS.0);
    editor.replace(INPUTS.0, "\"gay\"", "\"gay\", \"\": 1");
    let keys = editor.complete(INPUTS.0, ", \"$0\"");
    assert!(keys.iter().any(|key| key["label"] == "=city"), "{keys:?}");
    editor.replace(INPUTS.0, "\"\": 1", "\"=city\": \"Oslo {mood}\"");
    assert_eq!(preview(&mut editor), "Plan for Oslo gay: a trip,\nas {mod}.");
    expect![[r#"
        **`city`** — computed by the program

        `Oslo {mood}` — [planner.planner.inputs.json](planner.planner.inputs.json#L1)"#]]
    .assert_eq(&editor.hover(HOST, "for {ci$0ty}").expect("a hole has a hover"));
    expect![[r#"
        **`=city`**

        read once by [prompt \`planner\`](planner.py#L6): `{city}`"#]]
    .assert_eq(&editor.hover(INPUTS.0, "\"=ci$0ty").expect("its key has a hover"));
    editor.close();
}

/// The fields of a prompt: its label, its key, the origin of its value, and the value.
fn fields(editor: &mut Editor, prompt: &str) -> String {
    let uri = editor.uri("agent.py");
    let params = json!({ "textDocument": { "uri": uri }, "task": prompt });
    let form = editor.request("promptls/inputs", params);
    let line = |field: &Value| {
        let [path, key, from] = [&field["path"], &field["keys"][0], &field["from"]];
        format!("{path} {key} {from} {}\n", field["value"])
    };
    form["fields"].as_array().into_iter().flatten().map(line).collect()
}

#[test]
fn what_the_program_computes_is_a_field_of_the_inputs() {
    let agent = r#"from google.adk.agents import LlmAgent
a = LlmAgent(name="a", instruction=f"{who()} in {{city}}, {key}: {who()} {d['{k}']}")
b = LlmAgent(name="b", instruction="Go to %s." % place)
c = LlmAgent(name="c", instruction="Go to " + place)
"#;
    let mut editor = Editor::start(Workspace::new(&[("agent.py", agent)]));
    editor.ignore_problems();
    editor.open_file("agent.py");
    expect![[r#"
        "city" "city" "missing" null
        "who()" "=who()" "runtime" null
        "key" "=key" "runtime" null
        "d['{k}']" "=d['{k}']" "runtime" null

        "%s" "=%s" "runtime" null

        "place" "=place" "runtime" null
    "#]]
    .assert_eq(&["a", "b", "c"].map(|prompt| fields(&mut editor, prompt)).join("\n"));
    let command = |editor: &mut Editor, command: &str, argument: Value| {
        let mut argument = argument;
        argument["uri"] = json!(editor.uri("agent.py"));
        let params = json!({ "command": command, "arguments": [argument] });
        let id = editor.send_request("workspace/executeCommand", params);
        editor.apply_next();
        editor.answer(id).expect("it is applied");
    };
    command(&mut editor, "promptls.createInputs", json!({ "task": "a" }));
    expect![[r#"
        {
          "city": "<city>",
          "=who()": "<who()>",
          "=key": "<key>",
          "=d['{k}']": ""
        }
    "#]]
    .assert_eq(editor.text("agent.a.inputs.json"));
    command(
        &mut editor,
        "promptls.setInput",
        json!({ "task": "a", "keys": ["=who()"], "value": "Ann" }),
    );
    expect![[r#"
        "city" "city" "inputs" "<city>"
        "who()" "=who()" "inputs" "Ann"
        "key" "=key" "inputs" "<key>"
        "d['{k}']" "=d['{k}']" "inputs" ""
    "#]]
    .assert_eq(&fields(&mut editor, "a"));
    let params = json!({ "textDocument": { "uri": editor.uri("agent.py") }, "task": "a" });
    let preview = editor.request("promptls/preview", params);
    assert_eq!(preview["text"], "Ann in <city>, <key>: Ann ");
    editor.close();
}

#[test]
fn no_rule_about_the_engine_of_code_is_proposed() {
    let mut editor = open();
    editor.ignore_problems();
    let mut params = editor.place(HOST, "{mo$0d}");
    let at = params["position"].take();
    params["range"] = json!({ "start": at, "end": at });
    params["context"] = json!({ "diagnostics": [] });
    let actions = editor.request("textDocument/codeAction", params);
    let titles: Vec<&str> =
        actions.as_array().expect("a list").iter().filter_map(|it| it["title"].as_str()).collect();
    assert!(titles.iter().any(|title| title.contains("mood")), "{titles:?}");
    let in_config: Vec<&&str> = titles.iter().filter(|it| it.contains("promptls.toml")).collect();
    assert_eq!(in_config, [&"Mark `mod` as supplied at run time, in promptls.toml"]);
    let place = editor.place(HOST, "Pl$0an");
    let engine = editor.request("promptls/engine", place);
    assert_eq!((&engine["namedBy"], &engine["choices"]), (&json!("language"), &json!([])));
    editor.close();
}

/// One constant used by two frameworks has two meanings.
#[test]
fn a_fix_adds_a_comment_that_selects_the_dialect() {
    const PLAN: &str = "from google.adk.agents import LlmAgent\n\
        from agentle.prompts import Prompt\nPLAN = (\n    'Plan {{city}}'\n)\n\
        a = LlmAgent(name='a', instruction=PLAN)\nb = Prompt.from_text(PLAN)\n";
    let workspace = Workspace::new(&[(HOST, PLAN)]);
    let mut editor = Editor::start(workspace);
    editor.open_file(HOST);
    let message = "Google ADK and Agentle receive this text and read it differently, so it is not checked; \
        choose one with a comment `promptls: adk` before it";
    let is_reported = |found: &[Value]| found.iter().any(|it| it["message"] == message);
    let found = editor.wait_for(HOST, message, is_reported);
    let mut params = editor.place(HOST, "'Pl$0an");
    let at = params["position"].take();
    params["range"] = json!({ "start": at, "end": at });
    params["context"] = json!({ "diagnostics": found });
    let actions = editor.request("textDocument/codeAction", params);
    let actions = actions.as_array().expect("a list");
    let titles: Vec<&str> = actions.iter().filter_map(|it| it["title"].as_str()).collect();
    assert_eq!(
        titles,
        [
            "Read as Google ADK: write `# promptls: adk` above it",
            "Read as Agentle: write `# promptls: agentle` above it"
        ]
    );
    let second = &actions[1];
    assert_eq!(
        (&second["kind"], second["diagnostics"][0]["code"].as_str()),
        (&json!("quickfix"), Some("dialect-guessed"))
    );
    let edit = editor.request("codeAction/resolve", second.clone())["edit"].take();
    editor.apply(&edit);
    let written = PLAN.replace("    'Plan", "    # promptls: agentle\n    'Plan");
    assert_eq!(editor.text(HOST), written);
    editor.wait_for_problems(HOST, &[]);
    let hover = editor.hover(HOST, "{{ci$0ty}}").expect("it is a prompt by now");
    assert!(hover.contains("city"), "{hover}");
    editor.close();
}

/// Errors of the engine of the code have the name of its agent, as when the prompt is resolved.
#[test]
fn a_hover_has_the_error_of_the_engine_with_the_agent() {
    let code =
        "from google.adk.agents import Agent\na = Agent(name='a', instruction='Hi {guest}')\n";
    let mut editor = Editor::start(Workspace::new(&[("agent.py", code)]));
    // Nothing sets the name, which is reported once the code has been read.
    editor.ignore_problems();
    editor.open_file("agent.py");
    let hover = editor.hover("agent.py", "{gu$0est}").expect("a placeholder has a hover");
    let error = "ADK for Python raises `` Context variable not found: `guest` in agent 'a' ``;";
    assert!(hover.contains(error), "{hover}");
    editor.close();
}

/// The parts from run time come last, also those of the first of several prompts.
#[test]
fn missing_names_are_proposed_before_parts_from_run_time() {
    let code = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction=f'Hi {{guest}} in {city}. ' + make())\n\
        b = Agent(name='b', instruction='Bye {host}.')\n";
    let files = [("agent.py", code), ("agent.inputs.json", "{\"\"}")];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file("agent.py");
    editor.open_file("agent.inputs.json");
    editor.ignore_problems();
    let items = editor.complete("agent.inputs.json", "{\"$0\"}");
    let labels: Vec<_> = items.iter().filter_map(|item| item["label"].as_str()).collect();
    assert_eq!(labels, ["guest", "host", "=city", "=make()"]);
    editor.close();
}
