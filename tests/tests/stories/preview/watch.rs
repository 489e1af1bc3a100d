//! `promptls preview --watch`, in a terminal and in a pipe.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::iter;
use std::process::{Command, Stdio};

use promptls_tests::{Terminal, Workspace, promptls_path};

const PROMPT: (&str, &str) = ("p.adk.prompt", "Dear {name}.\n");
const ADA: (&str, &str) = ("p.adk.inputs.json", r#"{"name": "Ada"}"#);
const BOB: (&str, &str) = ("p.adk.bob.inputs.json", r#"{"name": "Bob"}"#);
const WATCH: [&str; 3] = ["preview", "p.adk.prompt", "--watch"];

#[test]
fn the_screen_follows_the_files_and_is_restored() {
    let workspace = Workspace::new(&[PROMPT, ADA, BOB]);
    let mut terminal = Terminal::run(&workspace, &WATCH, 10, 50);
    let screen = terminal.wait_for_text("Dear Ada.");
    assert!(terminal.is_alternate());
    let last = screen.lines().last().expect("a line below");
    assert!(last.starts_with(" p.adk.prompt · case default (1 of 2) · 2 words"), "{last}");

    workspace.write("p.adk.prompt", "Hello {name}.\n");
    terminal.wait_for_text("Hello Ada.");
    workspace.write("p.adk.inputs.json", r#"{"name": "Zoë"}"#);
    terminal.wait_for_text("Hello Zoë.");

    // The last good text stays, with the reason.
    workspace.write("p.adk.inputs.json", r#"{"name": "#);
    let screen = terminal.wait_for_text("stale text");
    assert!(screen.contains("Hello Zoë.") && screen.contains("p.adk.inputs.json:1:"), "{screen}");
    workspace.write("p.adk.inputs.json", ADA.1);
    terminal.wait_for(|screen| screen.contains("Hello Ada.") && !screen.contains("older"));
    workspace.remove("p.adk.prompt");
    let screen = terminal.wait_for_text("cannot read p.adk.prompt");
    assert!(screen.contains("Hello Ada."), "{screen}");
    workspace.write("p.adk.prompt", "Back, {name}.\n");
    terminal.wait_for(|screen| screen.contains("Back, Ada.") && !screen.contains("older"));

    terminal.press("n");
    terminal.wait_for_text("Back, Bob.");
    terminal.press("\t");
    terminal.wait_for_text("Back, Ada.");
    terminal.press("p");
    terminal.wait_for_text("case bob (2 of 2)");
    // A case whose file was deleted is no longer shown.
    workspace.remove("p.adk.bob.inputs.json");
    terminal.wait_for_text("Back, Ada.");

    terminal.press("q");
    assert_eq!(terminal.wait_for_end(), Some(0));
    terminal.wait_for(|screen| screen.is_empty());
    assert!(!terminal.is_alternate());
}

#[test]
fn a_long_text_is_scrolled_and_fits_into_any_window() {
    let text: String = (1..=100).map(|line| format!("line {line}\n")).collect();
    let workspace = Workspace::new(&[("p.adk.prompt", &text)]);
    let mut terminal = Terminal::run(&workspace, &WATCH, 10, 40);
    let first = |line: u32| move |screen: &str| screen.starts_with(&format!("line {line}\n"));
    terminal.wait_for(first(1));
    for (key, line) in [
        ("j", 2),
        ("\x1b[B", 3),
        ("k", 2),
        ("\x1b[A", 1),
        ("\x1b[6~", 9),
        ("\x1b[5~", 1),
        ("G", 92),
        ("g", 1),
        ("k", 1),
    ] {
        terminal.press(key);
        terminal.wait_for(first(line));
    }
    terminal.press("G");
    terminal.wait_for(|screen| screen.contains("line 100") && screen.contains("of 100"));
    terminal.resize(5, 4);
    // The line at the top stays there, now in two rows.
    terminal.wait_for(|screen| screen.starts_with("line\n 92\n"));
    terminal.resize(20, 80);
    terminal.wait_for_text("line 100");
    terminal.terminate();
    assert_eq!(terminal.wait_for_end(), Some(0));
    terminal.wait_for(|screen| !screen.contains("line"));
    assert!(!terminal.is_alternate());
}

#[test]
fn values_are_escaped_and_wide_ones_fit() {
    let value = r#"{"name": "\u001b[2J\u001b]0;title\u0007x\u009b31m|\ta|日本語日本語|"}"#;
    let workspace = Workspace::new(&[PROMPT, ("p.adk.inputs.json", value)]);
    let mut terminal = Terminal::run(&workspace, &WATCH, 10, 30);
    let screen = terminal.wait_for_text("Dear ");
    assert!(screen.starts_with("Dear ␛[2J␛]0;title␇x"), "{screen}");
    // A character of two columns is not split at the edge.
    assert!(screen.contains("日本語"), "{screen}");
    // Ctrl-C is a key in this mode.
    terminal.press("\x03");
    assert_eq!(terminal.wait_for_end(), Some(0));
    assert!(!terminal.is_alternate());
}

#[test]
fn in_a_pipe_each_text_is_printed_until_the_pipe_closes() {
    let workspace = Workspace::new(&[PROMPT, ADA]);
    let mut child = Command::new(promptls_path())
        .args(WATCH)
        .current_dir(workspace.root())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = move || lines.next().map(|line| line.expect("a line of text"));
    assert_eq!(next().as_deref(), Some("Dear Ada."));
    workspace.write("p.adk.prompt", "Hello {name}.\n");
    let before: Vec<String> =
        iter::from_fn(&mut next).take_while(|line| line != "Hello Ada.").collect();
    assert_eq!(before.last().map(|line| line.trim_matches('─')), Some(""));
    // There is no further output, and it still ends.
    drop(next);
    let status = promptls_tests::wait_for(&mut child);
    assert_eq!(status.code(), Some(0));
}
