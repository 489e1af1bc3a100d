//! The server with an editor that is fast or slow.
//!
//! Messages in quick succession have the same results as with pauses between them, and a slow
//! editor loses nothing. Editors with errors are in `robustness.rs`.

use std::fmt::Write;

use promptls_tests::letter::{INPUTS, PROMPT, assert_is_alive, letter, shows, start, start_as};
use promptls_tests::{Client, Editor, LIMIT, RequestId, Workspace};
use serde_json::{Value, json};

// LSP error codes.
const REQUEST_CANCELLED: i64 = -32800;
const CONTENT_MODIFIED: i64 = -32801;

#[test]
fn a_hover_directly_after_opening_has_values() {
    for _ in 0..50 {
        let mut editor = Editor::start(letter());
        editor.ignore_problems();
        editor.open_file(PROMPT);
        assert_is_alive(&mut editor);
        editor.close();
    }
}

#[test]
fn a_hover_directly_after_a_change_sees_it() {
    let mut editor = start_with_many_names();
    for round in 0..1_000 {
        name_the_next(&mut editor, round);
        let id = send_hover_over(&mut editor, round + 1);
        let answer = editor.answer(id);
        assert!(shows(&answer, &value_of(round + 1)), "round {round}: {answer:?}");
    }
    editor.close();
}

#[test]
fn rapid_changes_and_hovers_stay_in_order() {
    let mut editor = start_with_many_names();
    let ids: Vec<RequestId> = (0..1_000)
        .map(|round| {
            name_the_next(&mut editor, round);
            send_hover_over(&mut editor, round + 1)
        })
        .collect();

    for (round, id) in ids.iter().enumerate() {
        let answer = editor.answer(*id);
        // A hover may be cancelled if the text has changed meanwhile, except the last one.
        let is_given_up = matches!(&answer, Err(error) if error["code"] == CONTENT_MODIFIED);
        let is_last = round + 1 == ids.len();
        assert!(
            shows(&answer, &value_of(round + 1)) || is_given_up && !is_last,
            "round {round}: {answer:?}"
        );
    }
    editor.close();
}

#[test]
fn problems_follow_a_burst_of_changes() {
    let mut editor = start();
    for _ in 0..500 {
        editor.replace("letter", "customer", "custmer");
        editor.replace("letter", "custmer", "customer");
    }
    editor.replace("letter", "customer", "custmer");
    let problems = editor.wait_for("letter", "one undefined placeholder", |problems| {
        problems.len() == 1 && problems[0]["code"] == "undefined-placeholder"
    });
    assert_eq!(problems[0]["source"], "promptls");

    editor.replace("letter", "custmer", "customer");
    editor.wait_for_codes("letter", &[]);
    editor.close();
}

#[test]
fn a_request_can_be_cancelled() {
    let mut editor = start();
    editor.notify("$/cancelRequest", json!({"id": 1_000_000}));
    editor.notify("$/cancelRequest", json!({"id": "never sent"}));
    for _ in 0..100 {
        let id = editor.send_hover("letter", "{cust$0omer}");
        editor.notify("$/cancelRequest", json!({"id": id.number()}));
        // Either may come first.
        let answer = editor.answer(id);
        let is_cancelled = matches!(&answer, Err(error) if error["code"] == REQUEST_CANCELLED);
        assert!(is_cancelled || shows(&answer, "Ada"), "{answer:?}");
    }
    assert_is_alive(&mut editor);
    editor.close();
}

#[test]
fn a_client_that_never_responds_still_gets_responses() {
    let client = Client { answers: false, progress: true, ..Client::default() };
    let mut editor = start_as(client);
    editor.ignore_notifications("$/progress");
    for round in 0..20 {
        for _ in 0..25 {
            editor.replace("letter", "{customer}", "{city}");
            editor.replace("letter", "{city}", "{customer}");
        }
        editor.write_file(INPUTS, json!({"customer": "Ada", "city": "London"}).to_string());
        editor.write_file(&format!("{round}.adk.prompt"), "{x}");
        editor.notify("workspace/didChangeConfiguration", json!({"settings": {}}));
        assert_is_alive(&mut editor);
    }
    editor.close();
}

#[test]
fn a_client_that_pauses_reading_loses_no_messages() {
    let mut editor = start();
    editor.stop_reading();
    for _ in 0..2_500 {
        editor.replace("letter", "{customer}", "{custmer} {custmr}");
        editor.replace("letter", "{custmer} {custmr}", "{customer}");
    }
    editor.replace("letter", "Dear", "{custmer}");
    let id = editor.send_hover("letter", "{cust$0omer}");
    editor.read_on();

    let answer = editor.answer(id);
    assert!(shows(&answer, "Ada"), "{answer:?}");
    editor.wait_for_codes("letter", &["undefined-placeholder"]);
    editor.close();
}

#[test]
fn a_client_that_only_writes_gets_the_newest_warnings() {
    const CHANGES: usize = 20_000;
    let mut editor = start();
    editor.stop_reading();
    // Each of them is for an outdated version, and reported as ignored.
    let uri = editor.uri(PROMPT);
    for number in 1..=CHANGES {
        let document = json!({"uri": uri, "version": -(number as i64)});
        let change = json!({"textDocument": document, "contentChanges": [{"text": ""}]});
        editor.notify("textDocument/didChange", change);
    }
    let id = editor.send_hover("letter", "{cust$0omer}");
    editor.read_on();

    assert!(shows(&editor.answer(id), "Ada"));
    let last = format!("version -{CHANGES},");
    let mut received = 0;
    while !editor.next_notification("window/logMessage")["message"]
        .as_str()
        .is_some_and(|message| message.contains(&last))
    {
        received += 1;
    }
    // The contents of the full pipes, the messages that a slow server had not read by then, and the
    // newest hundred.
    assert!(received < CHANGES / 2, "{received} were kept");
    editor.close();
}

#[test]
fn requests_for_a_large_document_are_answered() {
    let mut editor = start();
    let mut text = String::new();
    for line in 0..200_000 {
        writeln!(text, "Line {line} of a letter to someone in {{city}}").unwrap();
    }
    text.push_str("Dear {customer},");
    assert!(text.len() > 8_000_000, "within {LIMIT:?}");
    editor.set_text("letter", &text);
    assert_is_alive(&mut editor);
    editor.close();
}

/// An editor with a prompt that uses one of ten inputs: the one of round 0.
#[track_caller]
fn start_with_many_names() -> Editor {
    let inputs: Value = (0..10).map(|round| (name_of(round), json!(value_of(round)))).collect();
    let mut editor = Editor::start(Workspace::new(&[
        (PROMPT, &format!("Dear {{{}}},", name_of(0))),
        (INPUTS, &inputs.to_string()),
    ]));
    editor.ignore_problems();
    editor.open_file(PROMPT);
    editor
}

/// Replaces the name of this round by that of the next.
fn name_the_next(editor: &mut Editor, round: usize) {
    editor.replace("letter", &name_of(round), &name_of(round + 1));
}

fn send_hover_over(editor: &mut Editor, round: usize) -> RequestId {
    let name = name_of(round);
    editor.send_hover("letter", &format!("{{$0{name}}}"))
}

fn name_of(round: usize) -> String {
    format!("name_{}", round % 10)
}

fn value_of(round: usize) -> String {
    format!("the value of {}", round % 10)
}
