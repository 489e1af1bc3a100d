//! Code actions on the real binary: the offered ones, and their effects.

use expect_test::{Expect, expect};
use promptls_tests::{Client, Editor, Workspace, promptls};
use serde_json::{Value, json};

/// The code actions at `$0` in `place`.
#[track_caller]
fn actions(editor: &mut Editor, document: &str, place: &str) -> Vec<Value> {
    actions_of(editor, document, place, json!({ "diagnostics": [] }))
}

#[track_caller]
fn actions_of(editor: &mut Editor, document: &str, place: &str, context: Value) -> Vec<Value> {
    let params = params(editor, document, place, context);
    let found = editor.request("textDocument/codeAction", params);
    found.as_array().cloned().unwrap_or_default()
}

#[track_caller]
fn params(editor: &Editor, document: &str, place: &str, context: Value) -> Value {
    let place = editor.place(document, place);
    json!({
        "textDocument": place["textDocument"],
        "range": { "start": place["position"], "end": place["position"] },
        "context": context,
    })
}

fn title(action: &Value) -> &str {
    action["title"].as_str().expect("an action has a title")
}

/// The action with a title, with its edit.
#[track_caller]
fn resolved(editor: &mut Editor, actions: &[Value], wanted: &str) -> Value {
    let action = actions.iter().find(|action| title(action) == wanted);
    let titles: Vec<&str> = actions.iter().map(title).collect();
    let action = action.unwrap_or_else(|| panic!("no action `{wanted}` in {titles:#?}"));
    if action["edit"].is_object() {
        return action.clone();
    }
    editor.request("codeAction/resolve", action.clone())
}

/// Applies the action with a title, as an editor does when it is selected.
#[track_caller]
fn act(editor: &mut Editor, document: &str, place: &str, wanted: &str) {
    let actions = actions(editor, document, place);
    let action = resolved(editor, &actions, wanted);
    editor.apply(&action["edit"]);
}

#[track_caller]
fn has_codes(editor: &mut Editor, document: &str, codes: &[&str]) {
    editor.wait_for_codes(document, codes);
}

#[test]
fn a_misspelt_name_is_corrected() {
    const PROMPT: &str = "mail.adk.prompt";
    let inputs = ("mail.adk.inputs.json", r#"{"customer": "Ada"}"#);
    let mut editor = Editor::start(Workspace::new(&[(PROMPT, "🎉 Dear {custmer},"), inputs]));
    editor.open_file(PROMPT);
    let known = editor.wait_for(PROMPT, "a problem", |problems| !problems.is_empty());
    let context = json!({ "diagnostics": known, "only": ["quickfix"] });
    let found = actions_of(&mut editor, PROMPT, "{cust$0mer}", context);
    let first = &found[0];
    assert_eq!(title(first), "Change to `customer`");
    assert_eq!(first["isPreferred"], json!(true));
    assert_eq!(first["diagnostics"][0]["code"], json!("undefined-placeholder"));
    assert!(first["edit"].is_null(), "an editor that resolves gets no edit before");
    assert!(found.iter().all(|action| action["kind"] == "quickfix"));

    let action = resolved(&mut editor, &found, "Change to `customer`");
    editor.apply(&action["edit"]);
    assert_eq!(editor.text(PROMPT), "🎉 Dear {customer},");
    editor.wait_for_problems(PROMPT, &[]);
    editor.wait_for_problems(inputs.0, &[]);
    editor.close();
}

#[test]
fn a_missing_key_is_added_to_every_case_without_it() {
    const PROMPT: &str = "mail.agentle.prompt";
    const DEFAULT: &str = "mail.agentle.inputs.json";
    const TRIAL: &str = "mail.agentle.trial.inputs.yaml";
    let mut editor = Editor::start(Workspace::new(&[
        (PROMPT, "{{topic}} {{user.name}}"),
        (DEFAULT, "{\n  // the topic\n  \"topic\": \"AI\", // of today\n}\n"),
        (TRIAL, "# a trial\ntopic: AI # of today\nuser:\n  age: 7\n"),
        ("mail.agentle.full.inputs.json", r#"{"topic": "AI", "user": {"name": "Ada"}}"#),
    ]));
    editor.open_file(PROMPT);
    has_codes(&mut editor, PROMPT, &["undefined-placeholder"]);
    act(&mut editor, PROMPT, "{{user.na$0me}}", "Add `user.name` to all 2 cases without it");
    editor.wait_for_problems(PROMPT, &[]);
    expect![[r#"
        {
          // the topic
          "topic": "AI", // of today
          "user": {
            "name": "<user.name>",
          },
        }
    "#]]
    .assert_eq(editor.text(DEFAULT));
    expect![[r##"
        # a trial
        topic: AI # of today
        user:
          age: 7
          name: "<user.name>"
    "##]]
    .assert_eq(editor.text(TRIAL));
    editor.wait_for_problems(DEFAULT, &[]);
    editor.wait_for_problems(TRIAL, &[]);
    editor.close();
}

/// Their problem is shown at the first line, so users do not look for them at its first letter.
#[test]
fn problems_of_a_whole_prompt_have_fixes_on_its_first_line() {
    let mut editor = Editor::open_one("mail.prompt", "Dear {name},\nbye {name}");
    editor.ignore_problems();
    let mut titles = |place| actions(&mut editor, "mail.prompt", place).len();
    let at_start = titles("$0Dear");
    assert!(at_start > 1, "inputs, and a dialect");
    assert_eq!(titles("De$0ar"), at_start);
    assert_eq!(titles(",$0\n"), at_start);
    assert_eq!(titles("$0bye"), 0);
    editor.close();
}

#[test]
fn another_case_can_be_selected_by_an_action() {
    const PROMPT: &str = "mail.adk.prompt";
    const ANGRY: &str = "mail.adk.angry.inputs.json";
    let files = [
        (PROMPT, "Dear {name},"),
        ("mail.adk.inputs.json", r#"{"name": "Ada"}"#),
        (ANGRY, r#"{"name": "Bob"}"#),
        ("mail.adk.calm.inputs.json", r#"{"name": "Cyd"}"#),
    ];
    let cases = |actions: &[Value]| {
        let shown = actions.iter().filter(|action| action["kind"] == "promptls.case");
        shown.map(|action| title(action).to_owned()).collect::<Vec<_>>()
    };
    let mut editor = Editor::start(Workspace::new(&files));
    editor.ignore_problems();
    editor.open_file(PROMPT);
    let found = actions(&mut editor, PROMPT, "De$0ar");
    assert_eq!(cases(&found), ["Show case angry", "Show case calm"]);
    let action = resolved(&mut editor, &found, "Show case angry");
    let params = json!({
        "command": action["command"]["command"], "arguments": action["command"]["arguments"],
    });
    editor.request("workspace/executeCommand", params);
    let found = actions(&mut editor, PROMPT, "De$0ar");
    assert_eq!(cases(&found), ["Show case default", "Show case calm"]);

    // An inputs file offers its own case.
    editor.open_file(ANGRY);
    assert_eq!(cases(&actions(&mut editor, ANGRY, "{$0")), [""; 0]);
    editor.open_file("mail.adk.calm.inputs.json");
    let found = actions(&mut editor, "mail.adk.calm.inputs.json", "{$0");
    assert_eq!(cases(&found), ["Show case calm"]);
    // A request for fixes returns no cases.
    let only = json!({ "diagnostics": [], "only": ["quickfix", "refactor"] });
    assert_eq!(cases(&actions_of(&mut editor, PROMPT, "De$0ar", only)), [""; 0]);
    editor.close();

    // An editor with a list of cases does not need them in this list.
    let options = json!({ "commands": ["promptls.pickCase"] });
    let client = Client { initialization_options: options, ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&files));
    editor.ignore_problems();
    editor.open_file(PROMPT);
    assert_eq!(cases(&actions(&mut editor, PROMPT, "De$0ar")), [""; 0]);
    editor.close();
}

#[test]
fn inputs_variables_and_cases_are_created() {
    const PROMPT: &str = "reply.promptpack.prompt";
    let mut editor = Editor::open_one(PROMPT, "{{user.name}}");
    has_codes(&mut editor, PROMPT, &["no-inputs", "engine-differs"]);
    act(&mut editor, PROMPT, "$0{{user", "Create the inputs file");
    let inputs = "reply.promptpack.inputs.json";
    expect![[r#"
        {
          "user": {
            "name": "<user.name>"
          }
        }
    "#]]
    .assert_eq(editor.text(inputs));
    editor.wait_for_codes(PROMPT, &["engine-differs"]);

    act(&mut editor, PROMPT, "{{us$0er", "New case with the values of `default`");
    assert_eq!(editor.text("reply.promptpack.new.inputs.json"), editor.text(inputs));
    act(&mut editor, PROMPT, "{{us$0er", "New case with the values of `default`");
    assert_eq!(editor.text("reply.promptpack.new2.inputs.json"), editor.text(inputs));

    act(&mut editor, PROMPT, "{{us$0er", "Create the variables file");
    let variables = "reply.promptpack.variables.json";
    editor.replace(PROMPT, "{{user.name}}", "{{user.name}} {{tone}}");
    editor.replace(inputs, "{\n  \"user\"", "{\n  \"tone\": \"dry\",\n  \"user\"");
    editor.wait_for(PROMPT, "an undeclared variable", |problems| {
        problems.iter().any(|problem| problem["code"] == "undefined-placeholder")
    });
    act(&mut editor, PROMPT, "{{to$0ne}}", "Declare `tone` as a string");
    expect![[r#"
        {
          "variables": [
            {
              "name": "user",
              "type": "object"
            },
            {
              "name": "tone",
              "type": "string"
            }
          ]
        }
    "#]]
    .assert_eq(editor.text(variables));
    editor.ignore_problems();
    editor.close();
}

/// Nothing is written where it would be shipped.
#[test]
fn inputs_of_shipped_code_are_created_beside_its_tests() {
    const HOST: &str = "src/main/java/com/x/A.java";
    const INPUTS: &str = "src/test/prompts/A.planner.inputs.json";
    let java = "import com.google.adk.agents.LlmAgent;\nclass A { Object a = LlmAgent.builder()\
                .name(\"planner\").instruction(\"Go to {city}\").build(); }\n";
    let mut editor = Editor::start(Workspace::new(&[(HOST, java)]));
    editor.open_file(HOST);
    has_codes(&mut editor, HOST, &[]);
    act(&mut editor, HOST, "{ci$0ty}", "Create the inputs file");
    assert_eq!(editor.text(INPUTS), "{\n  \"city\": \"<city>\"\n}\n");
    editor.replace(INPUTS, "\"city\"", "\"town\"");
    editor.wait_for_codes(HOST, &["undefined-placeholder"]);
    editor.write_file("src/test/prompts/A.inputs.json", "{}");
    editor.close_document(INPUTS);
    editor.wait_for_codes(HOST, &["undefined-placeholder"]);
    editor.write_file(INPUTS, "{\"city\": \"Rome\"}");
    editor.wait_for_codes(HOST, &[]);
    editor.ignore_problems();
    editor.close();
}

#[test]
fn without_resource_operations_new_files_are_created_by_edits() {
    const PROMPT: &str = "mail.adk.prompt";
    const INPUTS: &str = "mail.adk.inputs.json";
    const NEW: &str = "mail.adk.new.inputs.json";
    // The forms of Emacs and Vim.
    for says in [
        json!({ "documentChanges": true, "resourceOperations": null }),
        json!({ "documentChanges": null, "resourceOperations": null }),
    ] {
        let more_capabilities = json!({ "workspace": { "workspaceEdit": says } });
        let client = Client { more_capabilities, ..Client::default() };
        let mut editor = Editor::start_as(client, Workspace::new(&[(PROMPT, "Dear {name},")]));
        editor.open_file(PROMPT);
        has_codes(&mut editor, PROMPT, &["no-inputs"]);
        act(&mut editor, PROMPT, "$0Dear", "Create the inputs file");
        assert_eq!(editor.text(INPUTS), "{\n  \"name\": \"<name>\"\n}\n");
        has_codes(&mut editor, PROMPT, &[]);
        act(&mut editor, PROMPT, "{na$0me}", "New case with the values of `default`");
        assert_eq!(editor.text(NEW), editor.text(INPUTS));
        // Both were empty before they had a text.
        has_codes(&mut editor, INPUTS, &[]);
        has_codes(&mut editor, NEW, &[]);
        editor.close();
    }
}

#[test]
fn a_client_with_its_own_new_case_command_gets_that_command() {
    const PROMPT: &str = "reply.adk.prompt";
    let commands = json!({"commands": ["promptls.newCase"]});
    let client = Client { initialization_options: commands, ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&[(PROMPT, "{name}")]));
    editor.open_file(PROMPT);
    editor.ignore_problems();
    for (inputs, title) in [
        (None, "Create the inputs file"),
        (Some(r#"{"name": 1}"#), "New case with the values of `default`"),
    ] {
        if let Some(text) = inputs {
            editor.open("reply.adk.inputs.json", text);
        }
        let mut params = editor.place(PROMPT, "$0{name}");
        let position = params["position"].take();
        params["range"] = json!({ "start": position, "end": position });
        params["context"] = json!({ "diagnostics": [] });
        let found = editor.request("textDocument/codeAction", params);
        let actions = found.as_array().expect("a list");
        let action = actions.iter().find(|it| it["title"] == title).expect(title);
        assert_eq!(action["command"]["command"], "promptls.newCase", "{action}");
        assert_eq!(action["command"]["arguments"], json!([editor.uri(PROMPT)]));
        assert_eq!(action["edit"], Value::Null);
    }
    editor.close();
}

#[test]
fn a_file_becomes_a_prompt_by_a_command() {
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", "# Ours.\n"),
        ("notes/mail.md", "Dear {name}"),
        ("notes/mail.inputs.json", r#"{"name": "Ada"}"#),
    ]));
    editor.ignore_problems();
    editor.open_file("notes/mail.md");
    let cases = json!({ "textDocument": { "uri": editor.uri("notes/mail.md") } });
    assert_eq!(editor.request("promptls/cases", cases.clone()), Value::Null);
    let arguments = json!([{ "uri": editor.uri("notes/mail.md"), "dialect": "adk" }]);
    let command = json!({ "command": "promptls.addPrompt", "arguments": arguments });
    let answer = editor.request("workspace/executeCommand", command);
    assert_eq!(answer["uri"], json!(editor.uri("promptls.toml")));
    editor.apply_next();
    expect![[r#"
        # Ours.

        [[prompts]]
        files = ["notes/mail.md"]
        dialect = "adk"
    "#]]
    .assert_eq(editor.text("promptls.toml"));
    assert_eq!(editor.request("promptls/cases", cases)["case"], "default");
    editor.close();
}

#[test]
#[cfg(unix)]
fn no_edit_is_sent_for_a_link_out_of_the_project() {
    use std::os::unix::fs::symlink;

    let outside = Workspace::new(&[("promptls.toml", "# Theirs.\n")]);
    let workspace = Workspace::new(&[("notes/mail.md", "Dear {name}"), (".git/HEAD", "")]);
    let config = workspace.path("promptls.toml");
    let mut editor = Editor::start(workspace);
    editor.ignore_problems();
    editor.open_file("notes/mail.md");
    let arguments = json!([{ "uri": editor.uri("notes/mail.md"), "dialect": "adk" }]);
    let command = json!({ "command": "promptls.addPrompt", "arguments": arguments });
    // An existing file, which is not read either, and one that an editor would create.
    for target in ["promptls.toml", "new.toml"] {
        symlink(outside.path(target), &config).expect("a link can be made");
        let refused = editor.request_error("workspace/executeCommand", command.clone());
        let message = refused["message"].as_str().expect("it says why");
        assert_eq!(message, "promptls.toml exists already");
        std::fs::remove_file(&config).expect("the link can be removed");
    }
    editor.close();
}

#[test]
fn a_name_is_marked_as_supplied_at_run_time() {
    const PROMPT: &str = "agents/mail.adk.prompt";
    let inputs = ("agents/mail.adk.inputs.json", "{}");
    let mut editor = Editor::start(Workspace::new(&[
        (PROMPT, "{session_id} {user:id}"),
        inputs,
        (".git/HEAD", "ref: refs/heads/main\n"),
    ]));
    editor.open_file(PROMPT);
    let missing = "undefined-placeholder";
    has_codes(&mut editor, PROMPT, &[missing, missing]);
    let wanted = "Mark `session_id` as supplied at run time, in promptls.toml";
    act(&mut editor, PROMPT, "{sess$0ion_id}", wanted);
    has_codes(&mut editor, PROMPT, &[missing]);
    // If the config is open and not saved, its text in the editor counts.
    let wanted = "Mark `user:id` as supplied at run time, in promptls.toml";
    act(&mut editor, PROMPT, "{user$0:id}", wanted);
    editor.wait_for_problems(PROMPT, &[]);
    expect![[r#"
        [[prompts]]
        files = ["agents/mail.adk.prompt"]
        runtime = ["session_id", "user:id"]
    "#]]
    .assert_eq(editor.text("promptls.toml"));
    editor.wait_for_problems("promptls.toml", &[]);
    editor.close();
}

/// Without a repository, a check of the whole folder and one of the application find the config.
#[test]
fn a_new_config_without_a_repository_is_at_the_root_of_the_application() {
    let prompt = "shop/agents/mail.adk.prompt";
    let inputs = ("shop/agents/mail.adk.inputs.json", "{}");
    for (manifest, config, listed) in [
        ("shop/requirements.txt", "shop/promptls.toml", "agents/mail.adk.prompt"),
        ("notes.txt", "promptls.toml", prompt),
    ] {
        let files = [(prompt, "{session_id}"), inputs, (manifest, "")];
        let mut editor = Editor::start(Workspace::new(&files));
        editor.open_file(prompt);
        has_codes(&mut editor, prompt, &["undefined-placeholder"]);
        let wanted = "Mark `session_id` as supplied at run time, in promptls.toml";
        act(&mut editor, prompt, "{sess$0ion_id}", wanted);
        editor.wait_for_problems(prompt, &[]);
        let text = editor.text(config);
        assert!(text.contains(&format!("files = [\"{listed}\"]")), "{text}");
        editor.wait_for_problems(config, &[]);
        editor.close();
    }
}

#[test]
fn a_name_in_code_is_marked_as_supplied_at_run_time() {
    const CODE: &str = "from google.adk.agents import Agent\n\
        a = Agent(name='a', instruction='{order_id} {tone}')\n";
    let workspace = Workspace::new(&[("agent.py", CODE), (".git/HEAD", "")]);
    let mut editor = Editor::start(workspace);
    editor.open_file("agent.py");
    let missing = "undefined-placeholder";
    has_codes(&mut editor, "agent.py", &[missing, missing]);
    let wanted = "Mark `order_id` as supplied at run time, in promptls.toml";
    act(&mut editor, "agent.py", "{order$0_id}", wanted);
    // The file is still code with a prompt in it.
    editor.wait_for_problems("agent.py", &["nothing in this app sets `tone`"]);
    editor.close();
}

/// Outside of a repository, the new config is beside the prompt. The code that gives the other
/// names their values is elsewhere in the open folder.
#[test]
fn a_new_config_in_a_folder_keeps_the_other_problems() {
    const TASKS: &str = "config/tasks.yaml";
    const YAML: &str = "t:\n  description: In {year} {topics}.\n  expected_output: A {topic}.\n";
    const RUN: &str = "from crewai import Crew\nCrew().kickoff(inputs={'topic': 'tea'})\n";
    let mut editor = Editor::start(Workspace::new(&[(TASKS, YAML), ("main.py", RUN)]));
    editor.open_file(TASKS);
    let missing = "undefined-placeholder";
    has_codes(&mut editor, TASKS, &[missing, missing]);
    let wanted = "Mark `year` as supplied at run time, in promptls.toml";
    act(&mut editor, TASKS, "{ye$0ar}", wanted);
    let topics = "nothing in this app sets `topics`; did you mean `topic`?";
    editor.wait_for_problems(TASKS, &[topics]);
    let output = promptls(&["check", "--format", "concise"]);
    let config = "[[prompts]]\nfiles = ['tasks.yaml']\nruntime = ['year']\n";
    let files = [(TASKS, YAML), ("main.py", RUN), ("config/promptls.toml", config)];
    let output = output.cwd(Workspace::new(&files).root()).run().stdout;
    assert_eq!(output, format!("{TASKS}:2:27: warning [undefined-placeholder] {topics}\n"));
    editor.close();
}

#[test]
fn settings_of_a_prompt_are_added_to_the_config_with_its_rule() {
    const PROMPT: &str = "mail/a.txt";
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", "[[prompts]]\nfiles = ['*.txt']\ndialect = 'adk'\n"),
        ("mail/promptls.toml", "[problems]\nunused-input = 'off'\n"),
        (PROMPT, "{session_id}"),
        ("mail/a.inputs.json", "{}"),
    ]));
    editor.open_file(PROMPT);
    has_codes(&mut editor, PROMPT, &["undefined-placeholder"]);
    editor.open_file("promptls.toml");
    let wanted = "Mark `session_id` as supplied at run time, in promptls.toml";
    act(&mut editor, PROMPT, "{sess$0ion_id}", wanted);
    editor.wait_for_problems(PROMPT, &[]);
    expect![[r#"
        [[prompts]]
        files = ['*.txt']
        dialect = 'adk'
        runtime = ["session_id"]
    "#]]
    .assert_eq(editor.text("promptls.toml"));
    editor.wait_for_problems("promptls.toml", &[]);
    editor.close();
}

#[test]
fn a_guessed_dialect_is_set_by_an_action() {
    const PROMPT: &str = "prompts/mail.prompt";
    let mut editor = Editor::start(Workspace::new(&[
        (PROMPT, "{topic}"),
        ("prompts/mail.inputs.json", r#"{"topic": 1}"#),
        ("promptls.toml", "# ours\n[problems]\nunused-input = 'off'\n"),
    ]));
    editor.open_file(PROMPT);
    has_codes(&mut editor, PROMPT, &["dialect-guessed"]);
    act(&mut editor, PROMPT, "$0{topic}", "Read as Google ADK, in promptls.toml");
    editor.wait_for_problems(PROMPT, &[]);
    expect![[r#"
        # ours
        [problems]
        unused-input = 'off'

        [[prompts]]
        files = ["prompts/mail.prompt"]
        dialect = "adk"
    "#]]
    .assert_eq(editor.text("promptls.toml"));
    editor.wait_for_problems("promptls.toml", &[]);
    editor.close();
}

#[test]
fn fix_all_applies_safe_fixes() {
    const PROMPT: &str = "mail.promptpack.prompt";
    let inputs = ("mail.promptpack.inputs.json", r#"{"topic": 1, "tone": 2}"#);
    let mut editor =
        Editor::start(Workspace::new(&[(PROMPT, "{{ topic }} {tone} {{ tpic }}"), inputs]));
    editor.open_file(PROMPT);
    let near = "malformed-placeholder";
    has_codes(&mut editor, PROMPT, &[near, near, near]);
    let context = json!({ "diagnostics": [], "only": ["source.fixAll"] });
    let found = actions_of(&mut editor, PROMPT, "$0{{ topic", context);
    assert_eq!(found[0]["kind"], json!("source.fixAll.promptls"));
    let action = resolved(&mut editor, &found, "Fix everything that has exactly one correct fix");
    editor.apply(&action["edit"]);
    assert_eq!(editor.text(PROMPT), "{{topic}} {{tone}} {{ tpic }}");
    has_codes(&mut editor, PROMPT, &[near]);
    let context = json!({ "diagnostics": [], "only": ["source"] });
    assert_eq!(actions_of(&mut editor, PROMPT, "$0{{topic", context), [] as [Value; 0]);
    editor.close();
}

#[test]
fn an_action_for_an_outdated_text_is_refused() {
    const PROMPT: &str = "mail.adk.prompt";
    let inputs = ("mail.adk.inputs.json", r#"{"customer": "Ada"}"#);
    let mut editor = Editor::start(Workspace::new(&[(PROMPT, "Dear {custmer},"), inputs]));
    editor.open_file(PROMPT);
    let found = actions(&mut editor, PROMPT, "{cust$0mer}");
    editor.replace(PROMPT, "Dear", "My dear");
    let error = editor.request_error("codeAction/resolve", found[0].clone());
    assert_eq!(error["code"], json!(-32801));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn without_resolve_support_actions_contain_their_edits() {
    const PROMPT: &str = "mail.adk.prompt";
    let more_capabilities = json!({
        "workspace": {
            "workspaceEdit": { "documentChanges": false, "resourceOperations": null },
        },
        "textDocument": { "codeAction": { "resolveSupport": null, "disabledSupport": true } },
    });
    let client = Client { more_capabilities, ..Client::default() };
    let inputs = ("mail.adk.inputs.json", r#"{"customer": "Ada"}"#);
    let files = Workspace::new(&[(PROMPT, "Dear {custmer},"), inputs]);
    let mut editor = Editor::start_as(client, files);
    editor.open_file(PROMPT);
    let found = actions(&mut editor, PROMPT, "{cust$0mer}");
    let shown: String = found
        .iter()
        .map(|action| {
            let why = action["disabled"]["reason"].as_str();
            let edit = if action["edit"]["changes"].is_object() { "edit" } else { "no edit" };
            format!("{}: {}\n", title(action), why.unwrap_or(edit))
        })
        .collect();
    expect![[r#"
        Change to `customer`: edit
        Rename the key `customer` to `custmer`: edit
        Add `custmer` to mail.adk.inputs.json: edit
        Make `custmer` optional: edit
        Mark `custmer` as supplied at run time, in promptls.toml: edit
        Create the variables file: edit
        New case with the values of `default`: edit
        Send `{custmer}` unchanged: Google ADK cannot send braces around a name; put them into a value
    "#]].assert_eq(&shown);
    act(&mut editor, PROMPT, "{cust$0mer}", "Make `custmer` optional");
    assert_eq!(editor.text(PROMPT), "Dear {custmer?},");
    editor.ignore_problems();
    editor.close();
}

#[test]
fn an_inputs_file_that_changed_on_disk_is_not_edited_blindly() {
    const PROMPT: &str = "mail.adk.prompt";
    const INPUTS: &str = "mail.adk.inputs.json";
    let mut editor = Editor::start(Workspace::new(&[(PROMPT, "{a}"), (INPUTS, r#"{"b": 1}"#)]));
    editor.open_file(PROMPT);
    let found = actions(&mut editor, PROMPT, "{a$0}");
    let wanted = format!("Add `a` to {INPUTS}");
    let action = found.iter().find(|action| title(action) == wanted).expect("it is offered");
    // On disk, without a notification.
    editor.workspace().write(INPUTS, r#"{"c": {"d": 1}, "b": 1}"#);
    let error = editor.request_error("codeAction/resolve", action.clone());
    assert_eq!(error["code"], json!(-32801));
    editor.ignore_problems();
    editor.close();
}

#[test]
fn unused_keys_are_removed_from_inputs_files_or_renamed() {
    const PROMPT: &str = "mail.adk.prompt";
    const INPUTS: &str = "mail.adk.inputs.yaml";
    let inputs = "topic: AI\n# once\nold: # yes\n  - 1\n  - 2\ntopice: x\n";
    let mut editor =
        Editor::start(Workspace::new(&[(PROMPT, "{topic} {topics}"), (INPUTS, inputs)]));
    editor.open_file(INPUTS);
    has_codes(&mut editor, INPUTS, &["unused-input", "unused-input"]);
    act(&mut editor, INPUTS, "ol$0d", &format!("Remove `old` from {INPUTS}"));
    act(&mut editor, INPUTS, "topi$0ce", "Rename the key to `topics`");
    editor.wait_for_problems(INPUTS, &[]);
    assert_eq!(editor.text(INPUTS), "topic: AI\n# once\ntopics: x\n");
    editor.close();
}

#[test]
fn an_empty_inputs_file_gets_all_names() {
    const PROMPT: &str = "mail.adk.prompt";
    const INPUTS: &str = "mail.adk.inputs.json";
    let mut editor = Editor::start(Workspace::new(&[(PROMPT, "{topic}"), (INPUTS, "")]));
    editor.open_file(INPUTS);
    has_codes(&mut editor, INPUTS, &["invalid-inputs"]);
    let params = json!({
        "textDocument": { "uri": editor.uri(INPUTS) },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } },
        "context": { "diagnostics": [] },
    });
    let found = editor.request("textDocument/codeAction", params);
    let found = found.as_array().cloned().unwrap_or_default();
    let action = resolved(&mut editor, &found, "Add all names that the prompt reads");
    editor.apply(&action["edit"]);
    assert_eq!(editor.text(INPUTS), "{\n  \"topic\": \"<topic>\"\n}\n");
    editor.wait_for_problems(INPUTS, &[]);
    editor.close();
}

#[test]
fn prompts_in_packs_are_fixed_inside_their_strings() {
    const PACK: &str = "p.pack.json";
    const INPUTS: &str = "p.pack.inputs.json";
    let pack = r#"{
  "prompts": {
    "a": {
      "system_template": "\"{{ name }}\"\n{{#x}} {{tone}} {{fragments.styl}}",
      "variables": [{"name": "name", "type": "string"}]
    },
    "b": {"system_template": "{{ tone }} {{city}}"}
  },
  "fragments": {"style": "Be kind"}
}
"#;
    let mut editor = Editor::start(Workspace::new(&[
        (PACK, pack),
        (INPUTS, r#"{"name": "Ada", "tone": ["dry"], "city": "Rome", "old": 1}"#),
    ]));
    editor.open_file(PACK);
    act(&mut editor, PACK, "{{to$0ne}} {{fr", "Declare `tone` as an array");
    act(&mut editor, PACK, "fragments.sty$0l", "Change to `fragments.style`");
    let context = json!({ "diagnostics": [], "only": ["source.fixAll.promptls"] });
    let found = actions_of(&mut editor, PACK, "{{ci$0ty}}", context);
    let action = resolved(&mut editor, &found, "Fix everything that has exactly one correct fix");
    editor.apply(&action["edit"]);
    expect![[r#"
        {
          "prompts": {
            "a": {
              "system_template": "\"{{name}}\"\n{{#x}} {{tone}} {{fragments.style}}",
              "variables": [{"name": "name", "type": "string"}, {"name": "tone", "type": "array"}]
            },
            "b": {"system_template": "{{tone}} {{city}}"}
          },
          "fragments": {"style": "Be kind"}
        }
    "#]]
    .assert_eq(editor.text(PACK));
    editor.open_file(INPUTS);
    act(&mut editor, INPUTS, "\"ol$0d", &format!("Remove `old` from {INPUTS}"));
    editor.wait_for_problems(INPUTS, &[]);
    editor.ignore_problems();
    editor.close();
}

/// The preferred fix of each problem fixes it.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn the_preferred_fix_of_each_problem_fixes_it() {
    let table: &[(&str, &str, &str, &str, Expect)] = &[
        (
            "undefined-placeholder",
            "agentensemble",
            "{}",
            "{a} b",
            expect![[r#"
                Add `a` to x.agentensemble.inputs.json
                {
                  "a": "<a>"
                }"#]],
        ),
        (
            "undefined-placeholder",
            "adk",
            r#"{"user:name": 1}"#,
            "{user:nam}",
            expect![[r#"
            Change to `user:name`
            {user:name}"#]],
        ),
        (
            "undefined-placeholder",
            "entaingine",
            r#"{"A_B": 1}"#,
            "{A_C} {A_B}",
            expect![[r#"
            Change to `A_B`
            {A_B} {A_B}"#]],
        ),
        (
            "undefined-placeholder",
            "promptpack",
            r#"{"u": {"name": 1}}"#,
            "{{u.nmae}}",
            expect![[r#"
                Change to `u.name`
                {{u.name}}"#]],
        ),
        (
            "undefined-placeholder",
            "agentle",
            r#"{"xs": [1]}"#,
            "{{#each xz}}{{this}}{{/each}}",
            expect![[r#"
                Change to `xs`
                {{#each xs}}{{this}}{{/each}}"#]],
        ),
        (
            "malformed-placeholder",
            "agentensemble",
            r#"{"a": 1}"#,
            "{ a }",
            expect![[r#"
            Change to `{a}`
            {a}"#]],
        ),
        (
            "malformed-placeholder",
            "adk",
            r#"{"a": 1}"#,
            "{a ?}",
            expect![[r#"
            Change to `{a?}`
            {a?}"#]],
        ),
        (
            "malformed-placeholder",
            "entaingine",
            r#"{"FILE": 1}"#,
            "{file}",
            expect![[r#"
            Change to `{FILE}`
            {FILE}"#]],
        ),
        (
            "malformed-placeholder",
            "promptpack",
            r#"{"a": 1}"#,
            "{a}",
            expect![[r#"
            Change to `{{a}}`
            {{a}}"#]],
        ),
        (
            "malformed-placeholder",
            "agentle",
            r#"{"a": 1}"#,
            "{a}",
            expect![[r#"
            Change to `{{a}}`
            {{a}}"#]],
        ),
        (
            "swallowed-brace",
            "adk",
            r#"{"a": 1}"#,
            "{\"b\": {a}}",
            expect![[r#"
            Add a space between the braces, so that all are sent
            {"b": {a} }"#]],
        ),
        (
            "escape-hazard",
            "agentensemble",
            "{}",
            "{{a}}_",
            expect![[r#"
            Add a space after the escape
            {{a}} _"#]],
        ),
        (
            "unclosed-block",
            "agentle",
            r#"{"a": 1}"#,
            "{{#if a}}x",
            expect![[r#"
            Close the block with `{{/if}}`
            {{#if a}}x{{/if}}"#]],
        ),
        (
            "stray-closer",
            "agentle",
            "{}",
            "x{{/if}}",
            expect![[r#"
            Remove `{{/if}}`
            x"#]],
        ),
        (
            "mismatched-closer",
            "agentle",
            r#"{"a": 1}"#,
            "{{#if a}}x{{/each}}",
            expect![[r#"
            Change to `{{/if}}`
            {{#if a}}x{{/if}}"#]],
        ),
        (
            "unsupported-syntax",
            "agentle",
            r#"{"a": 1}"#,
            "{{../a}}",
            expect![[r#"
            Change to `{{a}}`
            {{a}}"#]],
        ),
    ];
    for (code, dialect, inputs, text, expected) in table {
        let (prompt, values) = (format!("x.{dialect}.prompt"), format!("x.{dialect}.inputs.json"));
        let mut editor = Editor::start(Workspace::new(&[(&*prompt, *text), (&*values, *inputs)]));
        editor.open_file(&prompt);
        let has = |problems: &[Value]| problems.iter().any(|problem| problem["code"] == *code);
        let problems = editor.wait_for(&prompt, code, has);
        let problem = problems.iter().find(|problem| problem["code"] == *code).expect("it has it");
        let uri = editor.uri(&prompt);
        let found = editor.request(
            "textDocument/codeAction",
            json!({
                "textDocument": { "uri": uri },
                "range": problem["range"],
                "context": { "diagnostics": [problem] },
            }),
        );
        let found = found.as_array().expect("there are actions");
        let is_it = |action: &&Value| {
            action["isPreferred"] == json!(true) && action["diagnostics"][0]["code"] == *code
        };
        let action = found.iter().find(is_it).unwrap_or_else(|| panic!("{code}: {found:#?}"));
        let action = editor.request("codeAction/resolve", action.clone());
        editor.apply(&action["edit"]);
        editor.wait_for(&prompt, "no such problem", |problems| !has(problems));
        let mut after = format!("{}\n{}", title(&action), editor.text(&prompt));
        if !action["edit"].to_string().contains(".prompt\"") {
            after = format!("{}\n{}", title(&action), editor.text(&values));
        }
        expected.assert_eq(&after);
        editor.ignore_problems();
        editor.close();
    }
}

#[test]
fn a_range_over_a_whole_pack_has_fixes_of_prompts_and_declarations() {
    const PACK: &str = "all.pack.json";
    let text = r#"{"prompts": {
  "a": {"system_template": "{{x}} {{y.z}} {{x}}"},
  "b": {"system_template": "{{n}}", "variables": [{"name": "n", "type": "string"}, {"name": "n", "type": "string"}, {"name": "old", "type": "string"}]}
}}
"#;
    let inputs = ("all.pack.inputs.json", r#"{"x": 1, "y": {"z": 2}, "n": "N"}"#);
    let mut editor = Editor::start(Workspace::new(&[(PACK, text), inputs]));
    editor.open_file(PACK);
    editor.ignore_problems();
    let place = editor.place(PACK, "$0{\"prompts\"");
    let params = json!({
        "textDocument": place["textDocument"],
        "range": { "start": place["position"], "end": { "line": 4, "character": 0 } },
        "context": { "diagnostics": [] },
    });
    let found = editor.request("textDocument/codeAction", params);
    let found = found.as_array().cloned().unwrap_or_default();
    let titles: Vec<&str> = found.iter().map(title).collect();
    expect![[r#"
        Declare `x` as a number
        Declare all 2 undeclared names
        Mark `x` as supplied at run time, in promptls.toml
        Declare `y` as an object
        Mark `y` as supplied at run time, in promptls.toml
        New case with the values of `default`
        Remove the declaration of `old`"#]]
    .assert_eq(&titles.join("\n"));
    let all = resolved(&mut editor, &found, "Declare all 2 undeclared names");
    editor.apply(&all["edit"]);
    expect![[r#"
        {"prompts": {
          "a": {"system_template": "{{x}} {{y.z}} {{x}}", "variables": [{"name": "x", "type": "number"}, {"name": "y", "type": "object"}]},
          "b": {"system_template": "{{n}}", "variables": [{"name": "n", "type": "string"}, {"name": "n", "type": "string"}, {"name": "old", "type": "string"}]}
        }}
    "#]].assert_eq(editor.text(PACK));
    editor.close();
}

#[test]
fn variables_are_declared_in_the_file_that_the_rule_names() {
    let rule = "[[prompts]]\nfiles = ['*.txt']\ndialect = 'promptpack'\ninputs = ['in/{stem}*.json']\nvariables = 'in/{stem}.variables.json'\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", rule),
        ("a.txt", "Dear {{name}}"),
        ("in/a.inputs.json", r#"{"name": "Ada"}"#),
    ]));
    // For a moment, the new file exists and is empty, which the server may see.
    editor.ignore_problems();
    editor.open_file("a.txt");
    act(&mut editor, "a.txt", "{{na$0me}}", "Create the variables file");
    assert!(editor.text("in/a.variables.json").contains(r#""name": "name""#));
    editor.close();
}

#[test]
fn the_engine_of_the_project_is_named_where_engines_differ() {
    const PROMPT: &str = "a.adk.prompt";
    let lock = "[[package]]\nname = 'google-adk'\nversion = '2.13.0'\n";
    let mut editor = Editor::start(Workspace::new(&[
        ("promptls.toml", ""),
        (PROMPT, "{é?}"),
        ("a.adk.inputs.json", "{\"é\": \"x\"}"),
        ("uv.lock", lock),
    ]));
    editor.open_file(PROMPT);
    editor.open_file("promptls.toml");
    has_codes(&mut editor, PROMPT, &["engine-differs"]);
    let title = "Set the engine `adk-python@2.13` (from uv.lock) in promptls.toml";
    act(&mut editor, PROMPT, "{$0é?}", title);
    assert!(editor.text("promptls.toml").ends_with("engine = \"adk-python@2.13\"\n"));
    has_codes(&mut editor, PROMPT, &[]);
    editor.close();
}

#[test]
fn a_value_of_data_becomes_a_prompt_by_an_action_and_by_a_command() {
    const ADK: (&str, &str) = ("requirements.txt", "google-adk==2.13.0\n");
    const FLOW: &str = "agents: {one: {prompt: \"Dear {name}\"}}\n";
    const BLOCK: &str = "agents:\n  one:\n    prompt: |\n      Dear {name}\n    title: Hi\n";
    let is_action = |it: &Value| {
        it["title"].as_str().is_some_and(|it| it.starts_with("This value is a prompt"))
    };
    for (file, text, at, files, expected) in [
        ("a.yaml", FLOW, "Dear $0{name}", &[ADK] as &[_], "adk"),
        ("a.yaml", BLOCK, "Dear $0{name}", &[ADK], "adk"),
        (
            "a.json",
            r#"{"agents": {"one": {"prompt": "Dear {name}"}}}"#,
            "Dear $0{name}",
            &[ADK],
            "adk",
        ),
        ("a.toml", "[agents.one]\nprompt = 'Dear {name}'\n", "pro$0mpt", &[ADK], "adk"),
        ("a.yaml", "agents: {one: {prompt: 'Hi {user:name}'}}\n", "Hi $0{", &[], "adk"),
        // Neither the text nor the project shows the dialect.
        ("a.yaml", FLOW, "Dear $0{name}", &[], ""),
        ("a.yaml", BLOCK, "title: $0Hi", &[ADK], ""),
        ("a.inputs.yaml", FLOW, "Dear $0{name}", &[ADK], ""),
    ] {
        let files = [files, &[(file, text), (".git/HEAD", "")]].concat();
        let mut editor = Editor::start(Workspace::new(&files));
        editor.ignore_problems();
        editor.open_file(file);
        let mut params = editor.place(file, at);
        let position = params["position"].take();
        params["range"] = json!({ "start": position, "end": position });
        params["context"] = json!({ "diagnostics": [] });
        let found = editor.request("textDocument/codeAction", params.clone());
        let actions: Vec<Value> = found.as_array().cloned().unwrap_or_default();
        let actions: Vec<&Value> = actions.iter().filter(|it| is_action(it)).collect();
        let rule = |dialect: &str| {
            let rule = "strings = [\"agents.one.prompt\"]\ndialect = ";
            format!("[[prompts]]\nfiles = [\"/{file}\"]\n{rule}\"{dialect}\"\n")
        };
        match expected {
            "" => assert!(actions.is_empty(), "{file} {text}: {found}"),
            dialect => {
                assert_eq!(actions.len(), 1, "{file} {text}: {found}");
                let edit = actions[0]["edit"].clone();
                let edit = match edit.is_null() {
                    true => {
                        editor.request("codeAction/resolve", actions[0].clone())["edit"].clone()
                    }
                    false => edit,
                };
                editor.apply(&edit);
                assert_eq!(editor.text("promptls.toml"), rule(dialect));
                let cases = json!({ "textDocument": { "uri": editor.uri(file) } });
                assert_eq!(editor.request("promptls/cases", cases)["task"], "agents.one.prompt");
                let again = editor.request("textDocument/codeAction", params);
                assert!(!again.as_array().into_iter().flatten().any(is_action), "{again}");
            }
        }
        editor.close();
    }

    let mut editor = Editor::start(Workspace::new(&[("a.yaml", FLOW), (".git/HEAD", "")]));
    editor.ignore_problems();
    editor.open_file("a.yaml");
    let command =
        |argument: Value| json!({ "command": "promptls.addPrompt", "arguments": [argument] });
    let whole = json!({ "uri": editor.uri("a.yaml"), "dialect": "agentle" });
    let refused = editor.request_error("workspace/executeCommand", command(whole.clone()));
    let reason = "data is never one prompt as a whole; place the cursor in the value that is one";
    assert_eq!(refused["message"], reason);
    let mut value = whole;
    value["position"] = editor.place("a.yaml", "Dear$0")["position"].clone();
    editor.request("workspace/executeCommand", command(value));
    editor.apply_next();
    assert!(
        editor.text("promptls.toml").ends_with("[\"agents.one.prompt\"]\ndialect = \"agentle\"\n")
    );
    editor.close();
}

#[test]
fn the_list_of_names_in_code_is_written_from_the_prompt() {
    let code = "from langchain_core.prompts import PromptTemplate\n\
        p = PromptTemplate(template='{a} {b} {d}', input_variables=['c', 'b'])\n";
    let title = "Write the names of this prompt into `input_variables`";
    for place in ["['c$0'", "{a$0} {b}"] {
        let mut editor = Editor::start(Workspace::new(&[("p.py", code)]));
        editor.open_file("p.py");
        let codes = ["undeclared-variable", "undeclared-variable", "unused-variable"];
        has_codes(&mut editor, "p", &codes);
        act(&mut editor, "p", place, title);
        has_codes(&mut editor, "p", &[]);
        assert!(editor.text("p").contains("input_variables=['b', 'a', 'd']"));
        editor.close();
    }
}

#[test]
fn braces_around_a_key_without_quotes_are_doubled() {
    let code = "from langchain_core.prompts import PromptTemplate as P\n\
        p = P.from_template(\"MATCH (n:Person {name: 'x', of: {q}}) RETURN n\")\n";
    let mut editor = Editor::start(Workspace::new(&[("p.py", code)]));
    editor.open_file("p.py");
    has_codes(&mut editor, "p", &["json-braces"]);
    act(&mut editor, "p", "$0{name", "Double these braces, so that they are sent");
    has_codes(&mut editor, "p", &[]);
    assert!(editor.text("p").contains("(n:Person {{name: 'x', of: {q}}})"));
    editor.close();
}

#[test]
fn braces_are_doubled_from_the_line_of_each() {
    let code = "from langchain_core.prompts import PromptTemplate as P\n\
        p = P.from_template(\"\"\"JSON:\n{\n  \"a\": {q},\n  \"b\": {\n    \"c\": 1\n  }\n}\n\"\"\")\n";
    let title = "Double these braces, so that they are sent";
    for place in ["JSON:\n{$0", "\"b\": $0{", "1\n  }$0", "$0}\n\"\"\""] {
        let mut editor = Editor::start(Workspace::new(&[("p.py", code)]));
        editor.open_file("p.py");
        has_codes(&mut editor, "p", &["json-braces"]);
        act(&mut editor, "p", place, title);
        has_codes(&mut editor, "p", &[]);
        assert!(
            editor.text("p").contains("{{\n  \"a\": {q},\n  \"b\": {{\n    \"c\": 1\n  }}\n}}\n")
        );
        editor.close();
    }
    let mut editor = Editor::start(Workspace::new(&[("p.py", code)]));
    editor.open_file("p.py");
    has_codes(&mut editor, "p", &["json-braces"]);
    let offered = actions(&mut editor, "p", "\"c\"$0: 1");
    assert!(offered.iter().all(|action| action["title"] != json!(title)), "{offered:?}");
    editor.close();
}
