//! Unused memory is returned to the system, and little is kept of closed files.

use std::fs;

use promptls_tests::{Client, Editor, Workspace, memory_kib, wait_until};
use serde_json::json;

const DOCUMENTS: usize = 60;
const PROMPTS: usize = 100;

/// 8 KB of code with prompts, each with two names that nothing sets.
fn agents() -> String {
    let agent = |number| {
        format!(
            "a{number} = Agent(name='a', instruction='Do {{x{number}}} in {{y}}', output_key='k{number}')\n"
        )
    };
    let agents: String = (0..PROMPTS).map(agent).collect();
    format!("from google.adk.agents import Agent\n{agents}")
}

#[test]
fn the_memory_of_closed_code_documents_is_released() {
    let code = agents();
    let names: Vec<String> = (0..DOCUMENTS).map(|number| format!("a{number}.py")).collect();
    let mut editor = Editor::start(Workspace::new(&[]));
    let server = editor.server_id();
    let before = memory_kib(server);
    for name in &names {
        editor.open(name, &code);
    }
    // The names need the whole application, so all documents and their uses have been read by then.
    for name in &names {
        editor.wait_for(name, "a problem for each name", |problems| problems.len() == 2 * PROMPTS);
    }
    editor.ignore_problems();
    let opened = memory_kib(server) - before;
    // Otherwise there is nothing to return.
    assert!(opened > 16 * 1024, "{opened} KiB");
    for name in &names {
        editor.close_document(name);
    }
    wait_until("their memory is given back", || memory_kib(server) < before + opened / 3);
    editor.close();
}

#[test]
fn opening_a_large_prompt_keeps_little_more_than_its_text() {
    const KIB: usize = 10 * 1024;
    let paragraph = format!("{} {{name}}\n", "prose ".repeat(1_700));
    let text = paragraph.repeat(KIB * 1024 / paragraph.len());
    let mut editor = Editor::start(Workspace::new(&[("a.adk.inputs.json", r#"{"name": "A"}"#)]));
    let server = editor.server_id();
    let before = memory_kib(server);
    editor.open("a.adk.prompt", &text);
    editor.wait_for("a.adk.prompt", "no problem", <[_]>::is_empty);
    // The message, the text in it and the tree are gone; a rope takes little more than its text.
    wait_until("the memory of the message is given back", || {
        memory_kib(server) < before + 2 * KIB as u64
    });
    editor.close();
}

/// The peak memory of a process, in KiB.
fn peak_kib(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[test]
fn the_problems_of_closed_files_use_little_memory() {
    /// The maximum number of KiB for each prompt with a problem, at the peak, so that 100,000 take
    /// less than 300 MB with the server itself. A response as a tree of values took 13.
    const MOST: u64 = 3;
    let peak = |count: usize| {
        let workspace = Workspace::new(&[]);
        for number in 0..count {
            let name = format!("f{}/a{number}.adk", number / 100);
            workspace.write(&format!("{name}.prompt"), "Dear {name}, here is {custmer}\n");
            workspace.write(&format!("{name}.inputs.json"), r#"{"name": "A", "customer": "C"}"#);
        }
        let client = Client { pull_diagnostics: true, ..Client::default() };
        let mut editor = Editor::start_as(client, workspace);
        editor.ignore_problems();
        let report = editor.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
        assert_eq!(report["items"].as_array().map(Vec::len), Some(count));
        let peak = peak_kib(editor.server_id());
        editor.close();
        peak
    };
    let (some, more) = (peak(1_000), peak(4_000));
    assert!(more < some + 3_000 * MOST, "{some} KiB, {more} KiB");
}
