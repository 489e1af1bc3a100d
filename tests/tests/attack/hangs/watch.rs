//! `check --watch` prints into a file in the folder that it follows, directly or through a pipe.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use promptls_tests::{Workspace, promptls_path, wait_until};

#[test]
fn watching_ignores_own_output_and_irrelevant_files() {
    let workspace =
        Workspace::new(&[("prompts/a.adk.prompt", "{a}"), ("prompts/a.adk.inputs.json", "{}")]);
    // A change of such a file by another program starts a run.
    let report = workspace.path("prompts/report.json");
    let log = workspace.path("prompts/log.yaml");
    let open = |path| File::create(path).expect("the disk takes it");
    let mut command = Command::new(promptls_path());
    command.args(["--log", "debug", "check", "--watch", "--format", "concise"]);
    command.current_dir(workspace.path("prompts")).stdin(Stdio::null());
    command.stdout(open(&report)).stderr(open(&log));
    let mut child = command.spawn().expect("the program starts");
    let read = |path| fs::read_to_string(path).expect("it is there");
    let runs = || read(&log).matches("checking").count();

    wait_until("it says what is wrong", || read(&report).contains("`a` has no value"));
    wait_until("it watches", || read(&log).contains("watching"));
    for line in 0..50 {
        workspace.write("prompts/other.log", &line.to_string());
        // Files next to the folder are not read, whatever they are.
        workspace.write("beside.yaml", &line.to_string());
        workspace.write("beside", &line.to_string());
        fs::remove_file(workspace.path("beside")).expect("it is ours");
    }
    // The next result is printed after all runs that the log could have started.
    workspace.write("prompts/a.adk.prompt", "{b}");
    wait_until("the change is seen", || read(&report).contains("`b` has no value"));
    workspace.write("prompts/a.adk.inputs.json", r#"{"b": 1}"#);
    wait_until("the change is seen", || read(&log).contains("no problems"));
    // A save may be seen in two parts.
    assert!(runs() <= 5, "{} runs", runs());
    // A run with the same result prints nothing.
    let (before, printed) = (runs(), read(&report));
    workspace.write("prompts/new.py", "x = 1\n");
    wait_until("code is looked at", || runs() > before);
    // In one step: a run in the middle of a save would print what an empty prompt has.
    workspace.write("beside", "{b} and {c}");
    fs::rename(workspace.path("beside"), workspace.path("prompts/a.adk.prompt")).expect("it moves");
    wait_until("the next change is seen", || read(&report).contains("`c` has no value"));
    let after = read(&report);
    assert_eq!(after.strip_prefix(&*printed).map(|new| new.lines().count()), Some(1), "{after}");
    child.kill().expect("it runs");
    child.wait().expect("it is our child");
}

/// The program cannot determine that a pipe ends in a file of the folder.
#[test]
#[cfg(unix)]
fn watching_ignores_its_own_log_from_a_pipe() {
    let workspace = Workspace::new(&[("a.adk.prompt", "{a}"), ("a.adk.inputs.json", "{}")]);
    let mut command = Command::new(promptls_path());
    command.args(["--log", "debug", "check", "--watch", "--format", "concise"]);
    command.current_dir(workspace.root()).stdin(Stdio::null());
    let (reader, writer) = std::io::pipe().expect("a pipe");
    command.stdout(writer.try_clone().expect("a pipe")).stderr(writer);
    let mut child = command.spawn().expect("the program starts");
    drop(command);
    let mut tee = Command::new("tee");
    tee.arg(workspace.path("log.yaml")).stdin(reader).stdout(Stdio::null());
    let mut tee = tee.spawn().expect("tee starts");
    let read = || fs::read_to_string(workspace.path("log.yaml")).unwrap_or_default();

    wait_until("it watches", || read().contains("watching"));
    // Each line of the log could start a run, which would write the next line.
    for name in ["b", "c", "d"] {
        workspace.write("new", &format!("{{{name}}}"));
        fs::rename(workspace.path("new"), workspace.path("a.adk.prompt")).expect("it moves");
        wait_until("the change is seen", || read().contains(&format!("`{name}` has no value")));
    }
    let runs = read().matches("checking").count();
    assert!(runs <= 10, "{runs} runs");
    child.kill().expect("it runs");
    child.wait().expect("it is our child");
    tee.wait().expect("it is our child");
}
