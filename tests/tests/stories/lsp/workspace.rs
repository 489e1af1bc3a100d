//! Problems of the whole workspace, open or not. `one_answer/workspace.rs` verifies that they are
//! those of `check`.

use std::fs;

use promptls_tests::{Client, Editor, RequestId, Workspace};
use serde_json::{Value, json};

const RULE: &str = "[[prompts]]\nfiles = ['*.txt']\ndialect = 'adk'\ninputs = ['shared.json']\n";

fn puller() -> Client {
    Client { pull_diagnostics: true, ..Client::default() }
}

fn shared() -> Workspace {
    Workspace::new(&[
        ("promptls.toml", RULE),
        ("shared.json", r#"{"name": "Ada"}"#),
        ("a.txt", "Dear {name},"),
        ("b.txt", "Hello {name}"),
    ])
}

/// Requests the workspace, as an editor with partial results.
fn request_reports(editor: &mut Editor, known: &[(String, Value)]) -> RequestId {
    let known = known.iter().map(|(path, name)| json!({ "uri": editor.uri(path), "value": name }));
    let params = json!({
        "previousResultIds": known.collect::<Vec<_>>(),
        "partialResultToken": "piece",
    });
    editor.send_request("workspace/diagnostic", params)
}

/// Path, codes and id of each list; for an unchanged list, its kind instead of codes.
fn lists(editor: &Editor, report: &Value) -> Vec<(String, Vec<String>, Value)> {
    let folder = editor.uri("");
    let list = |item: &Value| {
        let path = item["uri"].as_str().and_then(|uri| uri.strip_prefix(&folder));
        let codes = match item["kind"].as_str() {
            Some("full") => {
                let items = item["items"].as_array().expect("a full report has problems");
                items.iter().filter_map(|item| item["code"].as_str().map(str::to_owned)).collect()
            }
            kind => {
                assert!(item.get("items").is_none(), "{item}");
                vec![kind.expect("a report has a kind").to_owned()]
            }
        };
        (path.unwrap_or_default().to_owned(), codes, item["resultId"].clone())
    };
    let items = report["items"].as_array().expect("a report has items");
    let mut lists: Vec<_> = items.iter().map(list).collect();
    lists.sort_by(|one, other| one.0.cmp(&other.0));
    lists
}

/// The result of [`lists`] for an unchanged list.
fn unchanged() -> Vec<String> {
    vec!["unchanged".to_owned()]
}

#[track_caller]
fn next_piece(editor: &mut Editor) -> Vec<(String, Vec<String>, Value)> {
    let piece = editor.next_notification("$/progress");
    assert_eq!(piece["token"], "piece");
    lists(editor, &piece["value"])
}

/// A new request is answered before a request that waits for changes.
fn has_answer(editor: &mut Editor, id: RequestId) -> bool {
    let params = json!({ "textDocument": { "uri": editor.uri("a.txt") } });
    editor.request("promptls/cases", params);
    editor.has_answer(id)
}

/// The end of the connection ends a waiting request.
#[track_caller]
fn end(mut editor: Editor, id: RequestId) {
    assert!(editor.request("shutdown", Value::Null).is_null());
    assert_eq!(editor.answer(id), Ok(json!({ "items": [] })));
    editor.notify("exit", Value::Null);
    assert_eq!(editor.wait_for_end().code, Some(0));
}

#[test]
fn a_key_that_is_renamed_is_a_problem_of_every_prompt_that_reads_it() {
    let mut editor = Editor::start_as(puller(), shared());
    assert_eq!(
        editor.server_capabilities()["diagnosticProvider"]["workspaceDiagnostics"],
        json!(true)
    );
    let id = request_reports(&mut editor, &[]);
    assert!(!has_answer(&mut editor, id), "there is nothing to say");
    editor.write_file("shared.json", r#"{"greeting": "Ada"}"#);
    // The name has no value in both prompts, and the new one is unused.
    let mut reports = Vec::new();
    while reports.len() < 3 {
        reports.extend(next_piece(&mut editor));
    }
    reports.sort_by(|one, other| one.0.cmp(&other.0));
    let codes: Vec<_> = reports.iter().map(|(path, codes, _)| (&**path, codes.join(" "))).collect();
    let undefined = "undefined-placeholder".to_owned();
    let expected = [
        ("a.txt", undefined.clone()),
        ("b.txt", undefined),
        ("shared.json", "unused-input".into()),
    ];
    assert_eq!(codes, expected);

    // A client that has all of it receives once that it is unchanged; then what was removed, and
    // nothing else.
    let known: Vec<_> = reports.into_iter().map(|(path, _, name)| (path, name)).collect();
    let again = request_reports(&mut editor, &known);
    assert_eq!(editor.answer(id), Ok(json!({ "items": [] })));
    let same = known.iter().map(|(path, name)| (path.clone(), unchanged(), name.clone()));
    assert_eq!(next_piece(&mut editor), same.collect::<Vec<_>>());
    assert!(!has_answer(&mut editor, again), "it waits");
    editor.write_file("b.txt", "Hello");
    let reports = next_piece(&mut editor);
    assert_eq!((reports.len(), &*reports[0].0, reports[0].1.len()), (1, "b.txt", 0));
    end(editor, again);
}

#[test]
fn an_unsaved_shared_file_is_used() {
    let mut editor = Editor::start_as(puller(), shared());
    let id = request_reports(&mut editor, &[]);
    editor.open_file("shared.json");
    editor.set_text("shared.json", r#"{"name": "Ada", "more": 1}"#);
    let reports = next_piece(&mut editor);
    assert_eq!(
        (&*reports[0].0, &reports[0].1[..]),
        ("shared.json", &["unused-input".to_owned()][..])
    );
    editor.wait_for_codes("shared.json", &["unused-input"]);
    // The first result may come before all prompts are found.
    editor.ignore_notifications("$/progress");
    end(editor, id);
}

#[test]
fn without_progress_reports_are_immediate_and_refreshed_later() {
    let mut editor = Editor::start_as(puller(), shared());
    let params = json!({ "previousResultIds": [] });
    assert_eq!(editor.request("workspace/diagnostic", params.clone()), json!({ "items": [] }));
    editor.write_file("a.txt", "Dear {x}, {name}");
    editor.next_server_request("workspace/diagnostic/refresh");
    let report = editor.request("workspace/diagnostic", params);
    assert_eq!(lists(&editor, &report)[0].0, "a.txt");
    editor.close();
}

#[test]
fn unchanged_lists_are_reported_to_clients_that_send_their_versions() {
    let workspace = shared();
    workspace.write("shared.json", b"{}");
    workspace.write("c.txt", b"{name}");
    let mut editor = Editor::start_as(puller(), workspace);
    let request = |editor: &mut Editor, known: &[(&str, &Value)]| {
        let known = known.iter();
        let known = known.map(|(path, name)| json!({ "uri": editor.uri(path), "value": name }));
        let known = json!({ "previousResultIds": known.collect::<Vec<_>>() });
        let report = editor.request("workspace/diagnostic", known);
        lists(editor, &report)
    };
    let all = request(&mut editor, &[]);
    let [(_, codes, a), (_, _, b), _] = &all[..] else { panic!("three have problems: {all:?}") };
    editor.write_file("b.txt", "Hello");
    editor.next_server_request("workspace/diagnostic/refresh");
    let old = json!("of another server");
    let reports =
        request(&mut editor, &[("a.txt", a), ("b.txt", b), ("c.txt", &old), ("d.txt", &old)]);
    let codes_of = |path: &str| reports.iter().find(|(other, ..)| other == path).map(|it| &it.1);
    assert_eq!(codes_of("a.txt"), Some(&unchanged()));
    assert_eq!(codes_of("b.txt"), Some(&Vec::new()), "its problems are gone");
    assert_eq!(codes_of("c.txt"), Some(codes));
    // A document unknown to the server has no problems.
    assert_eq!(codes_of("d.txt"), Some(&Vec::new()));
    // An empty list can also be unchanged.
    let b = &reports.iter().find(|(path, ..)| path == "b.txt").expect("it was told").2;
    assert_eq!(request(&mut editor, &[("b.txt", b)])[1].1, unchanged());
    editor.close();
}

#[test]
fn a_newer_request_ends_a_waiting_one() {
    let mut editor = Editor::start_as(puller(), shared());
    let first = request_reports(&mut editor, &[]);
    let second = request_reports(&mut editor, &[]);
    assert_eq!(editor.answer(first), Ok(json!({ "items": [] })));
    assert!(!has_answer(&mut editor, second));
    end(editor, second);
}

#[test]
fn a_waiting_request_ends_when_the_input_closes() {
    let mut editor = Editor::start_as(puller(), shared());
    let id = request_reports(&mut editor, &[]);
    assert!(!has_answer(&mut editor, id));
    editor.close_stdin();
    assert_eq!(editor.answer(id), Ok(json!({ "items": [] })));
    // No shutdown request was sent.
    assert_eq!(editor.wait_for_end().code, Some(1));
}

#[test]
fn a_waiting_request_can_be_cancelled() {
    let mut editor = Editor::start_as(puller(), shared());
    let id = request_reports(&mut editor, &[]);
    editor.notify("$/cancelRequest", json!({ "id": id.number() }));
    assert_eq!(editor.answer(id).unwrap_err()["code"], -32800);
    editor.close();
}

#[test]
fn workspace_problems_are_pushed_for_a_limited_number_of_files() {
    let setting = json!({ "enabled": true, "maximumFiles": 1 });
    let settings = Some(json!({ "promptls": { "workspaceProblems": setting } }));
    let client = Client { settings, ..Client::default() };
    let workspace =
        Workspace::new(&[("a.adk.prompt", "{x}"), ("b.adk.prompt", "{y}"), ("c.prompt", "fine")]);
    let mut editor = Editor::start_as(client, workspace);
    editor.wait_for_pushed("a.adk.prompt", &["no-inputs"]);
    let message = editor.next_notification("window/logMessage");
    let words = "1 more file of the workspace has problems; `promptls check` lists all";
    assert_eq!(message["message"], words);
    editor.write_file("a.adk.inputs.json", r#"{"x": 1}"#);
    editor.wait_for_pushed("a.adk.prompt", &[]);
    editor.wait_for_pushed("b.adk.prompt", &["no-inputs"]);
    // An open document has its own list.
    editor.open_file("c.prompt");
    editor.replace("c", "fine", "{z");
    editor.ignore_problems();
    editor.close();
}

#[test]
fn workspace_folders_can_be_added_and_removed() {
    let workspace = Workspace::new(&[
        ("one/a.adk.prompt", "{x}"),
        ("one/in/b.adk.prompt", "{x}"),
        ("two/c.adk.prompt", "{x}"),
    ]);
    let mut editor = Editor::start_as(puller(), workspace);
    let params = json!({ "previousResultIds": [] });
    let paths = |editor: &mut Editor| -> Vec<String> {
        let report = editor.request("workspace/diagnostic", params.clone());
        lists(editor, &report).into_iter().map(|(path, ..)| path).collect()
    };
    assert_eq!(paths(&mut editor), ["one/a.adk.prompt", "one/in/b.adk.prompt", "two/c.adk.prompt"]);
    let folder = |editor: &Editor, path: &str| json!({ "uri": editor.uri(path), "name": path });
    let change = |editor: &mut Editor, added: Value, removed: Value| {
        let event = json!({ "added": added, "removed": removed });
        editor.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    };
    let root = editor.uri("").trim_end_matches('/').to_owned();
    let root = json!({ "uri": root, "name": "workspace" });
    // One of them is inside another; the others contain no files.
    let added = json!([
        folder(&editor, "one"),
        folder(&editor, "one/in"),
        { "uri": "vscode-vfs://github/o/r", "name": "elsewhere" },
        folder(&editor, "nowhere"),
    ]);
    change(&mut editor, added, json!([root]));
    assert_eq!(paths(&mut editor), ["one/a.adk.prompt", "one/in/b.adk.prompt"]);
    let removed = json!([folder(&editor, "one"), folder(&editor, "nowhere")]);
    change(&mut editor, json!([]), removed);
    assert_eq!(paths(&mut editor), ["one/in/b.adk.prompt"]);
    let removed = json!([folder(&editor, "one/in")]);
    change(&mut editor, json!([]), removed);
    assert_eq!(paths(&mut editor), Vec::<String>::new());
    editor.close();
}

/// Watchers report a folder, not its contents.
#[test]
fn moving_or_removing_a_folder_affects_its_files() {
    let workspace = Workspace::new(&[
        ("one/in/a.adk.prompt", "{x}"),
        ("texts/hello.md", "Hello"),
        ("b.adk.prompt", "{text}"),
        ("b.adk.inputs.json", r#"{"text": {"$file": "texts/hello.md"}}"#),
        ("build/x.o", ""),
    ]);
    let mut editor = Editor::start_as(puller(), workspace);
    editor.ignore_problems();
    editor.open_file("b.adk.prompt");
    let paths = |editor: &mut Editor| -> Vec<String> {
        let report = editor.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
        lists(editor, &report).into_iter().map(|(path, ..)| path).collect()
    };
    assert_eq!(paths(&mut editor), ["one/in/a.adk.prompt"]);
    let tell = |editor: &mut Editor, changes: &[(&str, u8)]| {
        let change = |(path, kind): &(&str, u8)| json!({ "uri": editor.uri(path), "type": kind });
        let changes: Vec<_> = changes.iter().map(change).collect();
        editor.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    };
    let (created, deleted) = (1, 3);
    let place = |editor: &Editor, path: &str| editor.workspace().path(path);
    fs::rename(place(&editor, "one"), place(&editor, "two")).expect("it can be moved");
    tell(&mut editor, &[("one", deleted), ("two", created)]);
    assert_eq!(paths(&mut editor), ["two/in/a.adk.prompt"]);
    fs::remove_dir_all(place(&editor, "two")).expect("it can be removed");
    tell(&mut editor, &[("two", deleted), ("build/x.o", deleted), ("build/y.o", created)]);
    assert_eq!(paths(&mut editor), Vec::<String>::new());
    // An open prompt reads from it.
    fs::remove_dir_all(place(&editor, "texts")).expect("it can be removed");
    tell(&mut editor, &[("texts", deleted)]);
    assert_eq!(paths(&mut editor), ["b.adk.inputs.json"]);
    editor.close();
}

/// Name, kind, file and place of each matching symbol.
fn symbols(editor: &mut Editor, query: &str) -> Vec<String> {
    let found = editor.request("workspace/symbol", json!({ "query": query }));
    let found = found.as_array().expect("there are symbols").clone();
    let shown = |symbol: Value| {
        let is_whole = symbol["location"].get("range").is_some();
        let symbol = match is_whole {
            true => symbol,
            false => editor.request("workspaceSymbol/resolve", symbol),
        };
        let start = &symbol["location"]["range"]["start"];
        let [name, file] = ["name", "containerName"].map(|key| symbol[key].as_str().unwrap_or("?"));
        format!("{name} {} {file}:{}:{}", symbol["kind"], start["line"], start["character"])
    };
    found.into_iter().map(shown).collect()
}

#[test]
fn workspace_symbols_are_found() {
    let resolves = json!({
        "workspace": { "symbol": { "resolveSupport": { "properties": ["location.range"] } } },
    });
    for more_capabilities in [json!({}), resolves] {
        let workspace = Workspace::new(&[
            ("in/greeting.agentensemble.prompt", "{{name}} {{fragments.grit}}"),
            ("in/greeting.agentensemble.inputs.json", "{\n  \"name\": \"Ada\", \"greeted\": 1 }"),
            ("in/greeting.agentensemble.angry.inputs.json", r#"{"name": "Bo"}"#),
            (
                "in/greeting.agentensemble.variables.json",
                r#"{"variables": [{"name": "greet_me"}], "fragments": {"grit": "x"}}"#,
            ),
            ("a.pack.json", "{\"prompts\": {\n\"great\": {\"system_template\": \"x\"}}}"),
        ]);
        let mut editor =
            Editor::start_as(Client { more_capabilities, ..Client::default() }, workspace);
        assert_eq!(
            symbols(&mut editor, "grt"),
            [
                "grit 15 in/greeting.agentensemble.variables.json:0:52",
                "great 2 a.pack.json:1:0",
                "greeting.agentensemble 2 in/greeting.agentensemble.prompt:0:0",
                "greet_me 13 in/greeting.agentensemble.variables.json:0:24",
                "greeted 7 in/greeting.agentensemble.inputs.json:1:17",
            ]
        );
        assert_eq!(
            symbols(&mut editor, "ANGRY"),
            ["angry 10 in/greeting.agentensemble.angry.inputs.json:0:0"]
        );
        // Unsaved text counts, and deleted text does not.
        editor.open_file("in/greeting.agentensemble.angry.inputs.json");
        editor.set_text("in/greeting.agentensemble.angry.inputs.json", r#"{"typed": 1}"#);
        assert_eq!(symbols(&mut editor, "typed").len(), 1);
        editor.remove_file("a.pack.json");
        assert_eq!(
            symbols(&mut editor, "great"),
            ["greeting.agentensemble 2 in/greeting.agentensemble.prompt:0:0"]
        );
        editor.ignore_problems();
        editor.close();
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_unreadable_files_do_not_block_workspace_reports() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let workspace = Workspace::new(&[
        ("a.adk.prompt", "{x}"),
        ("shut/b.adk.prompt", "{x}"),
        ("pipes/c.adk.prompt", "{x}"),
        ("latin.adk.prompt", ""),
    ]);
    workspace.write("latin.adk.prompt", b"\xe9 {x}");
    let pipes = ["promptls.toml", "d.adk.prompt", "a.adk.inputs.json", "pipes/.gitignore"];
    for path in pipes {
        let mode = Mode::RUSR | Mode::WUSR;
        mknodat(CWD, workspace.path(path), FileType::Fifo, mode, 0).expect("a pipe can be made");
    }
    symlink(workspace.root(), workspace.path("round")).expect("a link can be made");
    let shut = workspace.path("shut");
    fs::set_permissions(&shut, PermissionsExt::from_mode(0o000)).expect("a folder can be shut");
    let is_shut = fs::read_dir(&shut).is_err();
    let mut editor = Editor::start_as(puller(), workspace);
    let report = editor.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    fs::set_permissions(&shut, PermissionsExt::from_mode(0o755)).expect("a folder can be opened");
    let mut paths: Vec<String> =
        lists(&editor, &report).into_iter().map(|(path, ..)| path).collect();
    // Root may read all folders.
    paths.retain(|path| is_shut || !path.starts_with("shut"));
    assert_eq!(paths, ["a.adk.prompt", "latin.adk.prompt"]);
    editor.close();
}
