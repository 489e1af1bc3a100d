//! `promptls preview --serve`: the page, its access control, and its features.

use std::io::Read;

use promptls_tests::{Served, Workspace, promptls};
use serde_json::{Value, json};

const PROMPT: (&str, &str) = ("p.adk.prompt", "Dear {name}.");
const ADA: (&str, &str) = ("p.adk.inputs.json", r#"{"name": "Ada"}"#);
const BOB: (&str, &str) = ("p.adk.bob.inputs.json", r#"{"name": "Bob"}"#);

fn code(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

/// Makes the server create the inputs of a case: an edit that needs no existing file.
#[track_caller]
fn create_inputs(page: &mut promptls_tests::Page, case: &str) -> Value {
    let argument = json!({ "uri": page.front(), "case": case });
    let params = json!({ "command": "promptls.createInputs", "arguments": [argument] });
    page.request("workspace/executeCommand", params)
}

fn unsaved(workspace: &Workspace, names: &[&str]) -> Value {
    let file = |name: &&str| json!({ "uri": workspace.uri(name), "name": name });
    json!({ "files": names.iter().map(file).collect::<Vec<_>>() })
}

#[test]
fn the_page_shows_the_prompt_and_follows_its_files() {
    let workspace = Workspace::new(&[PROMPT, ADA]);
    let served = Served::start(&workspace, "p.adk.prompt", &[]);
    let mut page = served.page();
    assert_eq!(page.front(), workspace.uri("p.adk.prompt"));
    let can =
        json!({"reveal": false, "follow": false, "edit": true, "save": true, "saveAs": false});
    assert_eq!(page.start["can"], can);
    assert_eq!(page.preview()["text"], json!("Dear Ada."));

    workspace.write("p.adk.prompt", "Hi {name}!");
    page.wait_for_text("Hi Ada!");
    // As an editor does that saves by renaming.
    workspace.write("new", r#"{"name": "Zoë 😀"}"#);
    std::fs::rename(workspace.path("new"), workspace.path("p.adk.inputs.json")).expect("renamed");
    page.wait_for_text("Hi Zoë 😀!");
    // A later case and a later config also count.
    workspace.write("p.adk.bob.inputs.json", BOB.1);
    while page.preview()["cases"].as_array().expect("cases").len() < 2 {
        page.wait_for("promptls/previewChanged");
    }
    workspace.write("promptls.toml", "[[prompts]]\nfiles = ['*.prompt']\ndialect = 'agentle'\n");
    page.wait_for_text("Hi {name}!");
}

#[test]
fn the_last_text_is_kept_while_a_file_is_broken_or_missing() {
    let workspace = Workspace::new(&[PROMPT, ADA]);
    let served = Served::start(&workspace, "p.adk.prompt", &[]);
    let mut page = served.page();
    workspace.write("p.adk.inputs.json", r#"{"name": "#);
    while page.preview()["stale"].is_null() {
        page.wait_for("promptls/previewChanged");
    }
    assert_eq!(page.preview()["text"], json!("Dear Ada."));
    workspace.write("p.adk.inputs.json", ADA.1);
    while !page.preview()["stale"].is_null() {
        page.wait_for("promptls/previewChanged");
    }

    workspace.remove("p.adk.prompt");
    let message = "p.adk.prompt cannot be read: there is no such file";
    page.wait_for_params("page/lost", &json!({ "message": message }));
    assert_eq!(page.preview()["text"], json!("Dear Ada."));
    // A new page also receives it.
    served.page().wait_for_params("page/lost", &json!({ "message": message }));
    workspace.write("p.adk.prompt", "Back, {name}.");
    page.wait_for_params("page/lost", &json!({ "message": null }));
    page.wait_for_text("Back, Ada.");
}

#[test]
fn all_pages_show_the_same_case() {
    let workspace = Workspace::new(&[PROMPT, ADA, BOB]);
    let served = Served::start(&workspace, "p.adk.prompt", &["--case", "bob"]);
    let (mut one, mut other) = (served.page(), served.page());
    assert_eq!(one.preview()["case"], json!("bob"));
    let argument = json!({ "uri": one.front(), "case": "default" });
    let params = json!({ "command": "promptls.selectCase", "arguments": [argument] });
    one.request("workspace/executeCommand", params);
    one.wait_for_text("Dear Ada.");
    other.wait_for_text("Dear Ada.");
    // Closing one page does not affect the other.
    drop(one);
    workspace.write("p.adk.prompt", "{name}!");
    other.wait_for_text("Ada!");
}

#[test]
fn an_edit_is_shown_immediately_and_saved_on_request() {
    let workspace = Workspace::new(&[("p.adk.prompt", "{name}{place?}"), ADA]);
    let served = Served::start(&workspace, "p.adk.prompt", &[]);
    let (mut page, mut other) = (served.page(), served.page());
    assert_eq!(page.try_request("page/undo", json!(null)), Err("there is nothing to undo".into()));
    let created = create_inputs(&mut page, "trial");
    let name = "p.adk.trial.inputs.json";
    assert_eq!(created["uri"], json!(workspace.uri(name)));
    page.wait_for_params("page/unsaved", &unsaved(&workspace, &[name]));
    other.wait_for_params("page/unsaved", &unsaved(&workspace, &[name]));
    assert_eq!(page.preview()["cases"].as_array().map(Vec::len), Some(2));
    assert!(!workspace.path(name).exists(), "nothing is written before it is saved");

    page.request("page/undo", json!(null));
    page.wait_for_params("page/unsaved", &json!({ "files": [] }));
    assert_eq!(page.preview()["cases"].as_array().map(Vec::len), Some(1));

    create_inputs(&mut page, "trial");
    page.wait_for_params("page/unsaved", &unsaved(&workspace, &[name]));
    page.request("page/save", json!(null));
    page.wait_for_params("page/unsaved", &json!({ "files": [] }));
    assert!(workspace.read(name).contains("\"name\""), "{}", workspace.read(name));
    assert_eq!(page.preview()["cases"].as_array().map(Vec::len), Some(2));
}

#[test]
fn files_changed_by_other_programs_are_not_overwritten() {
    let workspace = Workspace::new(&[PROMPT, ADA]);
    let served = Served::start(&workspace, "p.adk.prompt", &[]);
    let mut page = served.page();
    let name = "p.adk.trial.inputs.json";
    create_inputs(&mut page, "trial");
    page.wait_for_params("page/unsaved", &unsaved(&workspace, &[name]));
    workspace.write(name, r#"{"name": "another user's"}"#);
    let refused = page.try_request("page/save", json!(null)).expect_err("it is not saved");
    assert_eq!(
        refused,
        "p.adk.trial.inputs.json was not saved: it has changed on disk since it was read; undo the \
         edits here to see its current text"
    );
    assert_eq!(workspace.read(name), r#"{"name": "another user's"}"#);
    // Unsaved edits count until they are reverted.
    let case = json!({ "textDocument": { "uri": page.front() }, "case": "trial" });
    assert_eq!(page.request("promptls/preview", case.clone())["text"], json!("Dear <name>."));
    page.request("page/undo", json!(null));
    assert_eq!(page.request("promptls/preview", case)["text"], json!("Dear another user's."));
}

#[test]
fn requests_without_the_token_get_no_content() {
    let workspace = Workspace::new(&[PROMPT, ADA]);
    let served = Served::start(&workspace, "p.adk.prompt", &[]);
    let page = served.get(&served.path(""));
    assert_eq!(code(&page), "200");
    assert!(page.contains("<div id=\"app\"></div>") && !page.contains("Ada"), "{page}");
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; ",
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r\n",
        "x-content-type-options: nosniff\r\n",
        "referrer-policy: no-referrer\r\n",
        "cross-origin-opener-policy: same-origin\r\n",
        "cross-origin-resource-policy: same-origin\r\n",
        "cache-control: no-store\r\n",
    ] {
        assert!(page.contains(header), "{header} is missing:\n{page}");
        assert!(served.get("/").contains(header), "{header} is missing where nothing is found");
    }
    assert_eq!(code(&served.get(&served.path("page.js"))), "200");
    assert_eq!(code(&served.get(&served.path("page.css"))), "200");

    let token = served.path("");
    for path in [
        "/",
        "/page.js",
        "/socket",
        "/00112233445566778899aabbccddeeff0011223344556677/",
        &token.to_uppercase(),
        token.trim_end_matches('/'),
        &served.path("p.adk.prompt"),
        &served.path("page.css/"),
        &served.path("../page.js"),
        &served.path("../../../../../../etc/passwd"),
        &served.path("..%2f..%2f..%2fetc%2fpasswd"),
        &served.path("%2e%2e/p.adk.prompt"),
        &served.path("..\\..\\etc\\passwd"),
        &served.path("./page.js"),
        "/../../etc/passwd",
        "//etc/passwd",
    ] {
        let answer = served.get(path);
        // An invalid path is rejected earlier.
        assert!(["404", "400"].contains(&code(&answer)), "{path}: {answer}");
        assert!(!answer.contains("root:") && !answer.contains("Dear"), "{path}: {answer}");
    }
    assert_eq!(
        code(&served.http(&format!("POST {token} HTTP/1.1\nhost: {}\n", served.host()))),
        "405"
    );
}

#[test]
fn requests_of_other_origins_are_refused() {
    let workspace = Workspace::new(&[PROMPT, ADA]);
    let served = Served::start(&workspace, "p.adk.prompt", &[]);
    let (host, path) = (served.host(), served.path(""));
    let port = host.split(':').next_back().expect("a port");
    // A foreign name that resolves to this machine.
    for foreign in [format!("evil.example:{port}"), "evil.example".into(), format!("[::1]:{port}")]
    {
        let answer = served.http(&format!("GET {path} HTTP/1.1\nhost: {foreign}\n"));
        assert_eq!(code(&answer), "421", "{foreign}");
    }
    assert_eq!(code(&served.http(&format!("GET {path} HTTP/1.0\n"))), "421");
    let local = format!("GET {path} HTTP/1.1\nhost: localhost:{port}\n");
    assert_eq!(code(&served.http(&local)), "200");
    let foreign = format!("GET {path} HTTP/1.1\nhost: {host}\norigin: http://evil.example\n");
    assert_eq!(code(&served.http(&foreign)), "403");

    for (header, value, refused) in [
        ("origin", "http://evil.example", 403),
        ("origin", "null", 403),
        ("origin", &format!("https://{host}"), 403),
        ("host", &format!("evil.example:{port}"), 421),
    ] {
        let outcome = served.open_socket(|request| {
            let value = value.parse().expect("a header");
            request.headers_mut().insert(header, value);
        });
        assert_eq!(outcome.err(), Some(refused), "{header}: {value}");
    }
    let without = served.open_socket(|request| {
        request.headers_mut().remove("origin");
    });
    assert_eq!(without.err(), Some(403));
    let elsewhere = served.open_socket(|request| {
        let uri = format!("ws://{host}/0000/socket");
        *request.uri_mut() = uri.parse().expect("an address");
    });
    assert_eq!(elsewhere.err(), Some(404));
}

#[test]
fn a_page_can_request_only_previews() {
    let workspace = Workspace::new(&[PROMPT, ADA, ("notes.txt", "secret")]);
    let served = Served::start(&workspace, "p.adk.prompt", &[]);
    let mut page = served.page();
    for method in ["shutdown", "initialize", "textDocument/didOpen", "textDocument/hover", "exit"] {
        let refused = page.try_request(method, json!({})).expect_err(method);
        assert_eq!(refused, format!("`{method}` is not available here"));
    }
    let params = json!({ "command": "other.command", "arguments": [] });
    assert_eq!(
        page.try_request("workspace/executeCommand", params),
        Err("only commands of promptls can be given".to_owned())
    );
    let notes = json!({ "textDocument": { "uri": workspace.uri("notes.txt") } });
    assert_eq!(page.request("promptls/preview", notes), json!(null));
    let reveal = json!({ "uri": page.front(), "range": {} });
    assert!(page.try_request("page/reveal", reveal).is_err());

    // An invalid message does no harm, and one that is too long closes only this page.
    page.send("{".to_owned());
    page.send(r#"{"id": "x", "method": 1}"#.to_owned());
    page.send(r#"{"method": "page/shows", "params": {}}"#.to_owned());
    assert_eq!(page.preview()["text"], json!("Dear Ada."));
    let long = served.page();
    long.send_and_be_left(format!(r#"{{"id": 1, "method": "{}"}}"#, "x".repeat(17 << 20)));
    assert_eq!(page.preview()["text"], json!("Dear Ada."));
}

#[test]
fn all_requests_of_a_page_get_a_response() {
    let workspace = Workspace::new(&[PROMPT, ADA]);
    let served = Served::start(&workspace, "p.adk.prompt", &[]);
    let mut page = served.page();
    let answer = |page: &mut promptls_tests::Page, text: String| {
        page.send(text);
        page.next_answer()
    };
    // As JavaScript encodes a lone surrogate.
    let half = json!({ "uri": page.front(), "case": "default", "name": "name", "value": "HALF" });
    let params = json!({ "command": "promptls.setInput", "arguments": [half] });
    let call = json!({ "id": 70, "method": "workspace/executeCommand", "params": params });
    let response = answer(&mut page, call.to_string().replace("HALF", r"\ud83d"));
    assert_eq!(response["id"], json!(70), "{response}");
    for (text, id) in [
        (r#"{"id": 71, "method": 1}"#, json!(71)),
        (r#"{"id": 72}"#, json!(72)),
        (r#"{"id": "x", "method": "promptls/preview"}"#, json!(null)),
        ("{", json!(null)),
    ] {
        let response = answer(&mut page, text.to_owned());
        assert_eq!((&response["id"], &response["error"]["code"]), (&id, &json!(-32600)), "{text}");
    }
}

#[test]
fn a_connection_without_a_request_is_closed() {
    let workspace = Workspace::new(&[PROMPT, ADA]);
    let served = Served::start(&workspace, "p.adk.prompt", &[]);
    // More connections than the limit, so that a page waits until they are closed.
    let starts =
        ["", "GET / HTTP/1.1\r\nhost: x", "GET /socket HTTP/1.1\r\nupgrade: websocket\r\n"];
    let open: Vec<_> =
        (0..90).map(|number| served.open_with(starts[number % starts.len()])).collect();
    assert_eq!(served.page().preview()["text"], json!("Dear Ada."));
    for mut connection in open {
        // It ends, with or without a response.
        connection.read_to_end(&mut Vec::new()).expect("it ends in time");
    }
}

#[test]
fn a_page_that_does_not_read_does_not_block_others() {
    let text = "x".repeat(1 << 20);
    let workspace = Workspace::new(&[("p.adk.prompt", &format!("{text}{{name}}")), ADA]);
    let served = Served::start(&workspace, "p.adk.prompt", &[]);
    let mut slow = served.page();
    let uri = slow.front().to_owned();
    // Several times what the system buffers for a page that does not read, but no more: on a busy
    // machine, each response takes long.
    for id in 100..140 {
        let params = json!({ "textDocument": { "uri": uri } });
        slow.send(json!({ "id": id, "method": "promptls/preview", "params": params }).to_string());
    }
    let mut page = served.page();
    workspace.write("p.adk.prompt", "short {name}");
    page.wait_for_text("short Ada");
}

#[cfg(unix)]
#[test]
fn interrupting_closes_all_connections_and_exits() {
    let workspace = Workspace::new(&[PROMPT, ADA]);
    let mut served = Served::start(&workspace, "p.adk.prompt", &[]);
    let (one, other) = (served.page(), served.silent_page());
    let ended = served.interrupt();
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    one.wait_for_end();
    other.wait_for_end();
    assert!(!served.listens());
}

#[cfg(target_os = "linux")]
#[test]
fn the_browser_gets_a_single_use_url() {
    use std::os::unix::fs::PermissionsExt;

    let workspace = Workspace::new(&[
        PROMPT,
        ADA,
        ("bin/xdg-open", "#!/bin/sh\nprintf %s \"$1\" > opening && mv opening opened\n"),
    ]);
    let browser = workspace.path("bin/xdg-open");
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).expect("allowed");
    let path = format!("{}:/usr/bin:/bin", workspace.path("bin").display());
    let served = Served::start_in(&workspace, "p.adk.prompt", &[], &[("PATH", &path)]);
    let mut page = served.page();
    let deadline = std::time::Instant::now() + promptls_tests::LIMIT;
    while !workspace.path("opened").exists() {
        assert!(std::time::Instant::now() < deadline, "no browser is opened");
        page.preview();
    }
    let opened = workspace.read("opened");
    assert_ne!(opened, served.address());
    let ticket = opened.strip_prefix(&format!("http://{}", served.host())).expect("our address");
    let answer = served.get(ticket);
    assert_eq!(code(&answer), "303");
    assert!(answer.contains(&format!("location: {}\r\n", served.path(""))), "{answer}");
    assert_eq!(code(&served.get(ticket)), "404");
}

#[test]
fn invalid_arguments_are_reported_immediately() {
    let workspace = Workspace::new(&[PROMPT, ADA]);
    let served = Served::start(&workspace, "p.adk.prompt", &[]);
    let port = served.host().split(':').next_back().expect("a port").to_owned();
    for (arguments, message) in [
        (
            vec!["preview", "p.adk.prompt", "--serve", "--no-open", "--port", &port],
            format!(
                "port {port} is in use; choose another one with --port, or omit it for any free port"
            ),
        ),
        (
            vec!["preview", "q.prompt", "--serve", "--no-open"],
            "cannot read q.prompt: there is no such file".to_owned(),
        ),
        (
            vec!["preview", "p.adk.prompt", "--serve", "--no-open", "--case", "bob"],
            "p.adk.prompt has no case `bob`, only default".to_owned(),
        ),
        (
            vec!["preview", "-", "--serve", "--no-open"],
            "a prompt from standard input cannot be followed; name a file".to_owned(),
        ),
    ] {
        let output = promptls(&arguments).cwd(workspace.root()).run();
        assert_eq!((output.code, &*output.stdout), (Some(2), ""), "{arguments:?}");
        assert_eq!(output.stderr, format!("promptls: {message}\n"));
    }
}

#[test]
fn a_prompt_of_a_pack_and_another_dialect_are_shown() {
    let pack = r#"{"prompts": {
  "a": {"system_template": "A {{x}}"},
  "b": {"system_template": "B {{y}}"}
}}"#;
    let workspace = Workspace::new(&[
        ("t.pack.json", pack),
        ("t.pack.inputs.json", r#"{"x": 1, "y": 2}"#),
        ("p.txt", "{name} {{name}}"),
        ("p.inputs.json", r#"{"name": "Ada"}"#),
    ]);
    let served = Served::start(&workspace, "t.pack.json", &["--prompt", "b"]);
    let mut page = served.page();
    let front = page.start["front"].clone();
    let params = json!({ "textDocument": { "uri": front["uri"] }, "task": front["task"] });
    assert_eq!(page.request("promptls/preview", params)["text"], json!("B 2"));

    let served = Served::start(&workspace, "p.txt", &["--dialect", "agentle"]);
    let answer = served.page().preview();
    assert_eq!((&answer["dialect"], &answer["text"]), (&json!("agentle"), &json!("{name} Ada")));
}
