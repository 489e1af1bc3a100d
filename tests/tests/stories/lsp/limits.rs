//! Documents with any nesting and repetition: the server continues to work.
//!
//! Each document here once crashed a program, or kept it busy forever. All requests about the
//! document are sent.

use std::time::{Duration, Instant};
use std::{iter, thread};

use promptls_tests::{Editor, LIMIT, Workspace, promptls};
use serde_json::{Value, json};

/// Deep enough to overflow the stack of any recursion.
const DEEP: usize = 2_000;

/// A prompt and its sidecars.
type NamedTexts = Vec<(&'static str, String)>;

fn nested(open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(DEEP), close.repeat(DEEP))
}

/// Fragments that each include the next one this many times, and an empty one.
fn fragments(length: usize, times: usize) -> String {
    let fragment =
        |at: usize| (format!("f{at}"), json!(format!("{{{{f{}}}}}", at + 1).repeat(times)));
    let last = iter::once((format!("f{length}"), json!("")));
    let fragments: serde_json::Map<_, _> = (0..length).map(fragment).chain(last).collect();
    json!({"fragments": fragments}).to_string()
}

const PROMPT: &str = "p.agentle.prompt";
const INPUTS: &str = "p.agentle.inputs.json";
const PACKED: &str = "p.promptpack.prompt";
const NO_INPUTS: &str = "p.promptpack.inputs.json";

fn documents() -> Vec<(&'static str, NamedTexts)> {
    let prompt = |text: String, inputs: &str| vec![(PROMPT, text), (INPUTS, inputs.to_owned())];
    let inputs = |name, text: String| vec![(PROMPT, "{{x}}".to_owned()), (name, text)];
    let included = |text: String| {
        let inputs = (NO_INPUTS, "{}".to_owned());
        vec![(PACKED, "{{f0}} {{x}}".to_owned()), ("p.promptpack.variables.json", text), inputs]
    };
    vec![
        ("conditions", prompt(nested("{{#if a}}", "{{x}}", "{{/if}}"), r#"{"a": true}"#)),
        ("loops", prompt(nested("{{#each this.a}}{{this.b}}", "", "{{/each}}"), r#"{"this": 1}"#)),
        ("openers", prompt(nested("{{#if a}}", "", ""), r#"{"a": true}"#)),
        ("tags", prompt(nested("<a>\n", "{{x}}", "</a>\n"), "{}")),
        ("quotes", prompt(nested(">", "{{x}}", ""), "{}")),
        ("lists", prompt(nested("- ", "{{x}}", ""), "{}")),
        ("braces", prompt(nested("{", "x", "}"), "{}")),
        ("steps", prompt(format!("{{{{{}}}}}", nested("a.", "b", ".c")), r#"{"a": {}}"#)),
        ("lists in JSON", inputs(INPUTS, nested("[", "", "]"))),
        ("objects in JSON", inputs(INPUTS, nested(r#"{"x": "#, "1", "}"))),
        ("lists in YAML", inputs("p.agentle.inputs.yaml", nested("- ", "1", ""))),
        ("brackets in YAML", inputs("p.agentle.inputs.yaml", nested("[", "1", "]"))),
        ("brackets in TOML", inputs("promptls.toml", format!("a = {}", nested("[", "", "]")))),
        ("fragments in fragments", included(fragments(DEEP, 1))),
    ]
}

/// All requests about a document.
fn questions(uri: &str) -> Vec<(&'static str, Value)> {
    let at = json!({"line": 0, "character": 3});
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 9}});
    let about = |more: Value| {
        let mut params = json!({"textDocument": {"uri": uri}});
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        params
    };
    vec![
        ("textDocument/documentSymbol", about(json!({}))),
        ("textDocument/foldingRange", about(json!({}))),
        ("textDocument/documentLink", about(json!({}))),
        ("textDocument/codeLens", about(json!({}))),
        ("textDocument/semanticTokens/full", about(json!({}))),
        ("textDocument/hover", about(json!({"position": at}))),
        ("textDocument/completion", about(json!({"position": at}))),
        ("textDocument/definition", about(json!({"position": at}))),
        ("textDocument/documentHighlight", about(json!({"position": at}))),
        ("textDocument/prepareRename", about(json!({"position": at}))),
        ("textDocument/rename", about(json!({"position": at, "newName": "other"}))),
        (
            "textDocument/references",
            about(json!({"position": at, "context": {"includeDeclaration": true}})),
        ),
        ("textDocument/inlayHint", about(json!({"range": all}))),
        (
            "textDocument/codeAction",
            about(json!({"range": {"start": at, "end": at}, "context": {"diagnostics": []}})),
        ),
        ("promptls/preview", about(json!({}))),
        ("promptls/cases", about(json!({}))),
        ("promptls/inputs", about(json!({}))),
        ("promptls/messages", about(json!({}))),
        ("promptls/prompts", json!({})),
        ("promptls/prompts", json!({"uri": uri})),
        ("promptls/size", about(json!({}))),
        ("promptls/values", about(json!({"range": all}))),
        ("promptls/likelyPrompt", about(json!({}))),
        ("promptls/compare", about(json!({"with": {"case": "other"}}))),
    ]
}

#[test]
fn deeply_nested_documents_do_not_crash_the_server() {
    for (what, files) in documents() {
        let named: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
        let mut editor = Editor::start(Workspace::new(&named));
        editor.ignore_problems();
        editor.ignore_notifications("promptls/promptsChanged");
        for (name, text) in &named {
            editor.open(name, text);
        }
        for (name, _) in &named {
            let uri = editor.uri(name);
            for (method, params) in questions(&uri) {
                let id = editor.send_request(method, params);
                let answer = editor.answer_unless_ended(id);
                assert!(answer.is_some(), "{what}: the server is gone after {method} of {name}");
            }
        }
        editor.close();
    }
}

#[test]
fn deeply_nested_documents_do_not_crash_commands() {
    for (what, files) in documents() {
        let named: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
        let workspace = Workspace::new(&named);
        let prompt = named[0].0;
        let commands: [&[&str]; 6] = [
            &["check", prompt],
            &["check", "--format", "json", prompt],
            &["resolve", prompt],
            &["resolve", "--format", "json", prompt],
            &["preview", "--all-cases", prompt],
            &["preview", "--html", "page.html", prompt],
        ];
        for command in commands {
            let output = promptls(command).cwd(workspace.root()).run();
            assert!(output.code.is_some(), "{what}: {command:?} has crashed: {}", output.stderr);
            assert!(!output.stderr.contains("panicked"), "{what}: {command:?} {}", output.stderr);
        }
    }
}

#[test]
fn exceeded_limits_have_the_same_message_in_commands_and_the_editor() {
    let doubled = fragments(40, 2);
    let named = [(PACKED, "{{f0}}"), ("p.promptpack.variables.json", &*doubled), (NO_INPUTS, "{}")];
    let message =
        "loops and fragments produce more than 1048576 pieces; raise the limit with --max-output";
    let workspace = Workspace::new(&named);
    let run = |arguments: &[&str]| promptls(arguments).cwd(workspace.root()).run();
    let checked = run(&["check", "--format", "concise", PACKED]);
    assert!(checked.stdout.contains(message) && checked.code == Some(1), "{}", checked.stdout);
    let resolved = run(&["resolve", PACKED]);
    assert!(resolved.stderr.contains(message) && resolved.code == Some(1), "{}", resolved.stderr);
    // Twice the output gives twice the steps, which are not enough either.
    let resolved = run(&["resolve", "--max-output", "33554432", PACKED]);
    assert!(resolved.stderr.contains("more than 2097152 pieces"), "{}", resolved.stderr);

    let mut editor = Editor::start(workspace);
    editor.open(PACKED, named[0].1);
    let problems = editor.wait_for(PACKED, "the limit", |problems| {
        problems.iter().any(|problem| problem["code"] == "limit-exceeded")
    });
    assert!(problems.iter().any(|problem| problem["message"] == message), "{problems:?}");
    editor.ignore_problems();
    editor.close();
}

/// The memory for a large document is returned to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn the_memory_of_a_closed_document_is_released() {
    use promptls_tests::memory_kib;

    let mut editor = Editor::start(Workspace::new(&[]));
    let server = editor.server_id();
    let before = memory_kib(server);
    let lines = 400_000;
    let text = "Some words, and then some more of them.\n".repeat(lines);
    editor.open("large.adk.prompt", &format!("Begin\n{text}"));
    editor.ignore_problems();
    editor.hover("large.adk.prompt", "Be$0gin");
    let open = memory_kib(server);
    // Otherwise there is nothing to return.
    assert!(open > before + 16 * 1024, "{before} KiB without it, {open} KiB with it");
    editor.close_document("large.adk.prompt");
    let limit = Instant::now() + LIMIT;
    while memory_kib(server) > before + (open - before) / 4 {
        let closed = memory_kib(server);
        assert!(Instant::now() < limit, "{before} KiB, then {open}, and {closed} in the end");
        thread::sleep(Duration::from_millis(20));
    }
    editor.close();
}
