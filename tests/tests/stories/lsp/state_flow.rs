//! Names whose values come from application code: the places that set them, and names that are
//! never set.

use std::time::{Duration, Instant};

use expect_test::expect;
use promptls_tests::{Editor, Workspace};
use serde_json::{Value, json};

/// The protocol's error for a request about an outdated text.
const CONTENT_MODIFIED: i64 = -32801;

const AGENT: &str = "agent.py";
const AGENT_TEXT: &str = r#"from google.adk.agents import LlmAgent

root = LlmAgent(
    name="root",
    instruction="Do {plan} in {city} for {usr} {maybe?} {topic}.",
    output_key="answer",
)
"#;
const TOOLS: &str = "tools/tools.py";
const TOOLS_TEXT: &str = r#"from google.adk.agents import LlmAgent

planner = LlmAgent(name="planner", instruction="Plan, {user}: {answer}", output_key="plan")

def remember(context):
    context.state["city"] = "Rome"
    context.state["user"] = context.state["city"]
    return {"topic": 1}
"#;

fn start() -> Editor {
    let files = [(AGENT, AGENT_TEXT), (TOOLS, TOOLS_TEXT), ("pyproject.toml", "")];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file(AGENT);
    editor.wait_for_problems(AGENT, &["nothing in this app sets `usr`; did you mean `user`?"]);
    editor
}

/// Renames the name at a place. The server processes typed text within a moment.
fn rename(editor: &mut Editor, file: &str, place: &str, name: &str) {
    let mut params = editor.place(file, place);
    params["newName"] = json!(name);
    let edit = loop {
        let id = editor.send_request("textDocument/rename", params.clone());
        match editor.answer(id) {
            Ok(edit) => break edit,
            Err(error) => assert_eq!(error["code"], CONTENT_MODIFIED, "{error}"),
        }
    };
    editor.apply(&edit);
}

/// Waits until the code that sets the name at a place is analyzed.
fn wait_for_places(editor: &mut Editor, place: &Value) {
    let mut params = place.clone();
    params["context"] = json!({ "includeDeclaration": true });
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let found = editor.request("textDocument/references", params.clone());
        if places(editor, &found).len() > 1 {
            return;
        }
        assert!(Instant::now() < end, "it is not set");
    }
}

/// The places in a response, as `file:line:column`.
fn places(editor: &Editor, answer: &Value) -> Vec<String> {
    let one = |place: &Value| {
        let uri = place["uri"].as_str().or(place["targetUri"].as_str()).expect("a place");
        let range =
            if place["range"].is_null() { &place["targetSelectionRange"] } else { &place["range"] };
        let start = &range["start"];
        let file = [AGENT, TOOLS].into_iter().find(|file| editor.uri(file) == uri);
        format!("{}:{}:{}", file.unwrap_or(uri), start["line"], start["character"])
    };
    answer.as_array().into_iter().flatten().map(one).collect()
}

#[test]
fn a_name_that_no_code_sets_is_a_warning_until_code_sets_it() {
    let mut editor = start();
    editor.open_file(TOOLS);
    editor.replace(TOOLS, "[\"user\"] =", "[\"usr\"] =");
    editor.wait_for_problems(AGENT, &[]);
    editor.replace(TOOLS, "[\"usr\"] =", "[key] =");
    editor.wait_for_problems(AGENT, &["nothing in this app sets `usr`"]);
    // These keys cannot be determined.
    expect![[r#"
        5:43-5:46 hint undefined-placeholder nothing in this app sets `usr`
    "#]]
    .assert_eq(&editor.problems_text(AGENT));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn creating_or_deleting_a_manifest_updates_applications() {
    let agent = "from google.adk.agents import Agent\nAgent(name='a', instruction='In {city}')\n";
    let files = [
        ("pyproject.toml", ""),
        (TOOLS, TOOLS_TEXT),
        ("inner/one.py", agent),
        ("inner/two.py", agent),
    ];
    let hosts = ["inner/one.py", "inner/two.py"];
    let mut editor = Editor::start(Workspace::new(&files));
    let wait = |editor: &mut Editor, problems: &[&str]| {
        hosts.iter().for_each(|host| editor.wait_for_problems(host, problems));
    };
    hosts.iter().for_each(|host| editor.open_file(host));
    wait(&mut editor, &[]);
    editor.write_file("inner/requirements.txt", "");
    wait(&mut editor, &["nothing in this app sets `city`"]);
    editor.remove_file("inner/requirements.txt");
    wait(&mut editor, &[]);
    editor.ignore_problems();
    editor.close();
}

#[test]
fn an_import_joins_packages_while_it_is_written() {
    let tools = "def f(context):\n    context.state['city'] = 1\n";
    let files = [
        (".git/HEAD", ""),
        ("ask/requirements.txt", ""),
        (
            "ask/agent.py",
            "from google.adk.agents import Agent\nAgent(name='a', instruction='In {city}')\n",
        ),
        ("tools/requirements.txt", ""),
        ("tools/keep.py", tools),
    ];
    let mut editor = Editor::start(Workspace::new(&files));
    let agent = "ask/agent.py";
    editor.open_file(agent);
    editor.wait_for_problems(agent, &["nothing in this app sets `city`"]);
    let import = "from tools import keep\n";
    editor.replace(agent, "Agent(name", &format!("{import}Agent(name"));
    editor.wait_for_problems(agent, &[]);
    // A change in the other package counts, too.
    editor.write_file("tools/keep.py", "");
    editor.wait_for_problems(agent, &["nothing in this app sets `city`"]);
    editor.write_file("tools/keep.py", tools);
    editor.wait_for_problems(agent, &[]);
    editor.replace(agent, import, "");
    editor.wait_for_problems(agent, &["nothing in this app sets `city`"]);
    // So does a path in a manifest.
    editor.write_file("ask/requirements.txt", "-e ../tools\n");
    editor.wait_for_problems(agent, &[]);
    editor.write_file("ask/requirements.txt", "");
    editor.wait_for_problems(agent, &["nothing in this app sets `city`"]);
    editor.ignore_problems();
    editor.close();
}

#[test]
fn code_that_sets_a_name_is_in_hovers_and_definitions() {
    let mut editor = start();
    let hover = editor.hover(AGENT, "{pl$0an}").expect("a placeholder has a hover");
    expect![[r#"
        **`plan`**

        set at run time: `output_key` in [tools/tools.py](tools/tools.py#L3)"#]]
    .assert_eq(&hover);
    let params = editor.place(AGENT, "{ci$0ty}");
    let found = editor.request("textDocument/definition", params);
    expect!["tools/tools.py:5:19"].assert_eq(&places(&editor, &found).join("\n"));
    let mut params = editor.place(AGENT, "{ci$0ty}");
    params["context"] = json!({ "includeDeclaration": true });
    let found = editor.request("textDocument/references", params);
    expect![[r#"
        agent.py:4:31
        tools/tools.py:5:19
        tools/tools.py:6:43"#]]
    .assert_eq(&places(&editor, &found).join("\n"));
    editor.replace(AGENT, "{usr}", "{");
    let items = editor.complete(AGENT, "for {$0");
    let labels: Vec<&Value> = items.iter().map(|item| &item["label"]).collect();
    expect![[
        r#"["answer","city","plan","user","maybe","topic","app:","user:","temp:","artifact."]"#
    ]]
    .assert_eq(&json!(labels).to_string());
    let detail = items.iter().find(|item| item["label"] == "user").expect("it is there");
    expect!["set in tools.py"].assert_eq(detail["detail"].as_str().unwrap_or_default());
    editor.close();
}

#[test]
fn code_that_sets_a_name_has_a_hover_with_its_readers() {
    let mut editor = start();
    editor.open_file(TOOLS);
    let mut hover = |place: &str| editor.hover(TOOLS, place).unwrap_or_default();
    expect![[r#"
        **`plan`**

        read once by [prompt \`root\`](agent.py#L5): `{plan}`"#]]
    .assert_eq(&hover("output_key=\"pl$0an\""));
    expect![[r#"
        **`city`**

        read once by [prompt \`root\`](agent.py#L5): `{city}`"#]]
    .assert_eq(&hover("state[\"ci$0ty\"] ="));
    expect![""].assert_eq(&hover("re$0turn"));
    editor.ignore_problems();
    rename(&mut editor, TOOLS, "output_key=\"pl$0an\"", "draft");
    assert!(editor.text(AGENT).contains("Do {draft} in"));
    assert!(editor.text(TOOLS).contains("output_key=\"draft\""));
    editor.close();
}

#[test]
fn a_rename_includes_code() {
    let mut editor = start();
    editor.open_file(TOOLS);
    rename(&mut editor, AGENT, "{pl$0an}", "draft");
    assert!(editor.text(AGENT).contains("Do {draft} in"));
    assert!(editor.text(TOOLS).contains("output_key=\"draft\""));
    rename(&mut editor, AGENT, "{ci$0ty}", "town");
    expect![[r#"
        from google.adk.agents import LlmAgent

        planner = LlmAgent(name="planner", instruction="Plan, {user}: {answer}", output_key="draft")

        def remember(context):
            context.state["town"] = "Rome"
            context.state["user"] = context.state["town"]
            return {"topic": 1}
    "#]]
    .assert_eq(editor.text(TOOLS));
    // The prompt of another agent uses the name that this one sets.
    rename(&mut editor, TOOLS, "{ans$0wer}", "reply");
    assert!(editor.text(AGENT).contains("output_key=\"reply\""));
    assert!(editor.text(TOOLS).contains("{user}: {reply}"));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn a_rename_is_refused_if_a_string_is_ambiguous() {
    let mut editor = start();
    editor.open_file(TOOLS);
    editor.replace(TOOLS, "return {\"topic\": 1}", "return \"plan\"");
    editor.wait_for_problems(
        AGENT,
        &[
            "nothing in this app sets `usr`; did you mean `user`?",
            "nothing in this app sets `topic`",
        ],
    );
    for (place, name, expected) in [
        (
            "{pl$0an}",
            "draft",
            "`plan` is also a string in tools.py, line 8, which may have another meaning; rename it by hand",
        ),
        ("{ci$0ty}", "user", "`user` already exists in tools.py; choose another name"),
    ] {
        let mut params = editor.place(AGENT, place);
        params["newName"] = json!(name);
        let error = editor.request_error("textDocument/rename", params);
        assert_eq!(error["message"], expected);
    }
    editor.close();
}

#[test]
fn a_rename_is_refused_if_a_name_is_joined_from_parts() {
    let tools = "PREFIX = \"trip_\"\nCITY = PREFIX + \"city\"\n\n\ndef start(state):\n    \
        state[CITY] = 1\n    state[f\"{PREFIX}day\"] = 1\n";
    let agent = "from google.adk.agents import LlmAgent\n\n\
        a = LlmAgent(name=\"a\", instruction=\"Go {trip_day} to {trip_city} {mood}.\")\n";
    let files = [(AGENT, agent), (TOOLS, tools), ("pyproject.toml", "")];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file(AGENT);
    editor.wait_for_problems(AGENT, &["nothing in this app sets `mood`"]);
    for (place, expected) in [
        ("{trip_$0day}", "`trip_day` is joined from parts in tools.py, line 7; rename it by hand"),
        (
            "{trip_$0city}",
            "`trip_city` is joined from parts in tools.py, line 2; rename it by hand",
        ),
    ] {
        let mut params = editor.place(AGENT, place);
        params["newName"] = json!("other");
        let error = editor.request_error("textDocument/rename", params);
        assert_eq!(error["message"], expected);
    }
    editor.close();
}

#[test]
fn names_that_code_sets_may_be_missing_in_inputs() {
    let inputs = ("agent.root.inputs.json", r#"{"usr": "Ada"}"#);
    let files = [(AGENT, AGENT_TEXT), (TOOLS, TOOLS_TEXT), ("pyproject.toml", ""), inputs];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file(AGENT);
    editor.wait_for_problems(AGENT, &["`topic` has no value"]);
    editor.close();
}

#[test]
fn a_rename_is_refused_if_a_name_has_too_many_occurrences() {
    let many = "state[\"plan\"]\n".repeat(101);
    let files = [(AGENT, AGENT_TEXT), (TOOLS, &*many), ("pyproject.toml", "")];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file(AGENT);
    editor.ignore_problems();
    let mut params = editor.place(AGENT, "{pl$0an}");
    wait_for_places(&mut editor, &params);
    params["newName"] = json!("draft");
    let error = editor.request_error("textDocument/rename", params);
    assert_eq!(
        error["message"],
        "`plan` occurs in more than 100 places of this app; rename it by hand"
    );
    editor.close();
}

#[test]
fn hints_are_refreshed_only_if_something_relevant_changes() {
    const REFRESH: &str = "workspace/inlayHint/refresh";
    let mut editor = start();
    editor.open_file(TOOLS);
    for letter in 0..30 {
        editor.replace(TOOLS, "from google", &format!("# {letter}\nfrom google"));
        let text = json!({ "textDocument": { "uri": editor.uri(TOOLS) } });
        editor.request("textDocument/documentSymbol", text);
    }
    editor.replace(TOOLS, "[\"user\"] =", "[\"usr\"] =");
    editor.wait_for_problems(AGENT, &[]);
    editor.next_server_request(REFRESH);
    // Some for the opened documents, more on slower machines, and one for the last change; but not
    // one for each letter.
    let others = editor.waiting_server_requests(REFRESH);
    assert!(others < 15, "{others}");
    editor.ignore_problems();
    editor.close();
}

#[test]
fn an_artifact_is_linked_to_the_code_that_saves_it() {
    const AGENT_TEXT: &str = "from google.adk.agents import LlmAgent\n\
        a = LlmAgent(name='a', instruction='Read {artifact.report.txt} and {artifact.reprt.txt}, {artifact.upload.txt}.')\n";
    const TOOLS_TEXT: &str = "async def keep(context, part):\n\
        \x20   await context.save_artifact('report.txt', part)\n\
        \x20   return await context.load_artifact('report.txt')\n";
    let files = [(AGENT, AGENT_TEXT), (TOOLS, TOOLS_TEXT), ("pyproject.toml", "")];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file(AGENT);
    let misspelt =
        "nothing in this app sets `artifact.reprt.txt`; did you mean `artifact.report.txt`?";
    editor.wait_for_problems(AGENT, &[misspelt]);
    let hover = editor.hover(AGENT, "{artifact.rep$0ort.txt}").expect("it has a hover");
    assert!(hover.contains("set at run time: `artifact` in [tools/tools.py]"), "{hover}");
    let place = editor.place(AGENT, "{artifact.rep$0ort.txt}");
    let found = editor.request("textDocument/definition", place);
    expect!["tools/tools.py:1:33"].assert_eq(&places(&editor, &found).join("\n"));

    // An artifact whose name is computed may be any.
    editor.open_file(TOOLS);
    editor.replace(TOOLS, "'report.txt', part", "f'{x}.txt', part");
    editor.wait_for_problems(AGENT, &[]);
    editor.replace(TOOLS, "f'{x}.txt', part", "'report.txt', part");
    editor.wait_for_problems(AGENT, &[misspelt]);

    rename(&mut editor, AGENT, "{artifact.rep$0ort.txt}", "summary.md");
    assert!(editor.text(AGENT).contains("Read {artifact.summary.md} and"));
    expect![[r"
        async def keep(context, part):
            await context.save_artifact('summary.md', part)
            return await context.load_artifact('summary.md')
    "]]
    .assert_eq(editor.text(TOOLS));
    rename(&mut editor, TOOLS, "save_artifact('sum$0mary.md'", "a.md");
    assert!(editor.text(AGENT).contains("Read {artifact.a.md} and"));
    assert!(editor.text(TOOLS).contains("load_artifact('a.md')"));

    editor.replace(TOOLS, "return await", "print('a.md')\n    return await");
    editor.ignore_problems();
    let mut params = editor.place(AGENT, "{artifact.a$0.md}");
    params["newName"] = json!("b.md");
    let error = loop {
        let error = editor.request_error("textDocument/rename", params.clone());
        if error["code"] != CONTENT_MODIFIED {
            break error;
        }
    };
    let message = error["message"].as_str().unwrap_or_default();
    assert!(
        message.starts_with("`artifact.a.md` is also a string in tools.py, line 3"),
        "{message}"
    );
    editor.close();
}

#[test]
fn new_inputs_contain_the_literals_that_code_assigns() {
    const AGENT_TEXT: &str = "from google.adk.agents import LlmAgent\n\
        a = LlmAgent(name='a', instruction='Go to {city} for {nights}, {user} {app:mode}.')\n";
    const TOOLS_TEXT: &str = "def remember(context, user):\n\
        \x20   context.state['city'] = 'Rome'\n\
        \x20   context.state['user'] = user\n\
        \x20   context.state.update({'nights': 3, 'app:mode': 'l\\'ami'})\n";
    let files = [(AGENT, AGENT_TEXT), (TOOLS, TOOLS_TEXT), ("pyproject.toml", "")];
    let mut editor = Editor::start(Workspace::new(&files));
    editor.open_file(AGENT);
    let place = editor.place(AGENT, "{ci$0ty}");
    wait_for_places(&mut editor, &place);
    let argument = json!({ "uri": editor.uri(AGENT), "position": place["position"] });
    let params = json!({ "command": "promptls.createInputs", "arguments": [argument] });
    editor.request("workspace/executeCommand", params);
    editor.apply_next();
    expect![[r#"
        {
          "city": "Rome",
          "nights": 3,
          "user": "<user>",
          "app:mode": "l'ami"
        }
    "#]]
    .assert_eq(editor.text("agent.a.inputs.json"));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn new_inputs_contain_the_literals_that_calls_pass() {
    const TEMPLATE: &str = "from langchain_core.prompts import PromptTemplate as P\n\
        PLAN = P.from_template('{city} {nights} {user}')\nPLAN.format(city='Rome', user=user, nights=2)\n";
    let mut editor = Editor::start(Workspace::new(&[(AGENT, TEMPLATE), ("pyproject.toml", "")]));
    editor.open_file(AGENT);
    let place = editor.place(AGENT, "{ci$0ty}");
    let argument = json!({ "uri": editor.uri(AGENT), "position": place["position"] });
    let params = json!({ "command": "promptls.createInputs", "arguments": [argument] });
    editor.request("workspace/executeCommand", params);
    editor.apply_next();
    expect![[r#"
        {
          "city": "Rome",
          "nights": 2,
          "user": "<user>"
        }
    "#]]
    .assert_eq(editor.text("agent.PLAN.inputs.json"));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn names_are_completed_in_an_f_string_with_doubled_braces() {
    for (agent, place, expected) in [
        ("f\"Ask {{city}} {{\"", "}} {{$0", "city}}"),
        ("\"Ask {city} {\"", "} {$0", "city}"),
        // The braces of a mixed text may be written in two ways.
        ("\"Ask {city} {\" f\"{{\"", "} {$0", "none"),
    ] {
        let text = format!(
            "from google.adk.agents import LlmAgent\n\
             LlmAgent(name='a', instruction={agent}, output_key='city')\n"
        );
        let files = [(AGENT, &*text), ("pyproject.toml", "")];
        let mut editor = Editor::start(Workspace::new(&files));
        editor.ignore_problems();
        editor.open_file(AGENT);
        let items = editor.complete(AGENT, place);
        let city = items.iter().find(|item| item["label"] == "city");
        let inserted = city.map_or("none", |item| item["textEdit"]["newText"].as_str().unwrap());
        assert_eq!(inserted, expected, "{agent}");
        editor.close();
    }
}
