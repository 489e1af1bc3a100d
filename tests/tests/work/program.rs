//! The number of system calls of the program, counted by tracing it.
//!
//! It runs on one processor, so that the number of its threads, one per processor, is always the
//! same.

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use pete::ptracer::Options;
use pete::{Pid, Ptracer, Restart, Stop};
use promptls_tests::code_workload::write_code;
use promptls_tests::workloads::{
    InputsOf, PROMPTS_PER_FOLDER, long_prompt, places_to_type, write_prompts,
};
use promptls_tests::{Client, Editor, Workspace, promptls_path};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::counts::Counts;

const FOLDERS: usize = 2;
const KEYSTROKES: usize = 100;

const FILES_OF_CODE: usize = 1_000;

/// The number of documents of one folder that are opened.
const DOCUMENTS: usize = 400;

pub fn count(counts: &mut Counts) {
    stay_on_one_processor();
    let prompts = FOLDERS * PROMPTS_PER_FOLDER;
    for (inputs_of, what) in [(InputsOf::Each, "of their own"), (InputsOf::All, "in common")] {
        let work = format!("promptls check, {prompts} prompts with inputs {what}");
        counts.add(&work, "system calls", check(inputs_of));
    }
    for files in [100, 200] {
        counts.add(&format!("promptls check, {files} shared inputs"), "system calls", named(files));
    }
    let work = format!("promptls check, {FILES_OF_CODE} files of code");
    counts.add(&work, "system calls", check_code());
    counts.add(&format!("promptls lsp, {KEYSTROKES} keystrokes"), "system calls", keystrokes());
    let work = format!("promptls lsp, {DOCUMENTS} documents of a folder opened");
    counts.add(&work, "system calls", openings());
}

fn check(inputs_of: InputsOf) -> u64 {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write_prompts(folder.path(), FOLDERS, inputs_of);
    let mut command = Command::new(promptls_path());
    command.arg("check").arg(folder.path());
    calls_of(command, 1)
}

/// The calls of a check of an application whose prompts have all required values: each file is read
/// once.
fn check_code() -> u64 {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write_code(folder.path(), FILES_OF_CODE);
    let mut command = Command::new(promptls_path());
    command.arg("check").arg(folder.path());
    calls_of(command, 0)
}

/// The calls of a check with arguments that prompts share, as a hook passes the files of a commit;
/// half of them are orphans.
fn named(files: usize) -> u64 {
    let workspace = Workspace::new(&[
        ("promptls.toml", "[[prompts]]\nfiles = ['*.prompt']\ninputs = ['in/*.json']\n"),
        ("a.adk.prompt", "Dear {name},"),
    ]);
    for file in 0..files / 2 {
        workspace.write(&format!("in/{file}.json"), "{}");
        workspace.write(&format!("lost/{file}.adk.inputs.json"), "{}");
    }
    let mut command = Command::new(promptls_path());
    command.args(["check", "in/*", "lost/*"]).current_dir(workspace.root());
    calls_of(command, 1)
}

/// The system calls of a check with this exit code: 1 if it finds problems.
fn calls_of(mut command: Command, code: i32) -> u64 {
    // Cargo sets it, and the loader then looks for each library in folders that differ by machine.
    command.env_remove("LD_LIBRARY_PATH");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut tracer = Ptracer::new();
    let mut child = tracer.spawn(command).expect("the program starts, and can be traced");
    let mut calls = 0;
    follow(&mut tracer, |stop| {
        calls += u64::from(stop == Stop::SyscallEnter);
        ControlFlow::Continue(())
    });
    let status = child.wait().expect("it is our child");
    assert_eq!(status.code(), Some(code));
    calls
}

/// The calls for key presses, once the prompt is analyzed.
fn keystrokes() -> u64 {
    let (text, inputs) = long_prompt(10);
    let prompt = "long.agentle.prompt";
    let workspace =
        Workspace::new(&[(prompt, &text), ("long.agentle.inputs.json", &inputs.to_string())]);
    let mut editor = start(workspace);
    editor.open_file(prompt);
    editor.wait_for_problems(prompt, &[]);
    let mut places = places_to_type(&text, KEYSTROKES);
    places.push(0);
    counted(editor, places, |editor, at| {
        editor.replace_bytes(prompt, at..at, "x");
        editor.wait_for_problems(prompt, &[]);
    })
}

/// The calls for opening documents in a folder that has not changed for an hour.
fn openings() -> u64 {
    let names: Vec<String> = (0..=DOCUMENTS).map(|number| format!("{number}.adk.prompt")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "Dear {name},")).collect();
    let workspace = Workspace::new(&files);
    let folder = File::open(workspace.path(&names[0]).parent().expect("it is in a folder"));
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    folder.and_then(|folder| folder.set_modified(long_ago)).expect("a folder has a date");
    counted(start(workspace), names, |editor, name| {
        editor.open_file(&name);
        editor.wait_for_codes(&name, &["no-inputs"]);
    })
}

fn start(workspace: Workspace) -> Editor {
    let mut command = Command::new(promptls_path());
    command.arg("lsp");
    let mut editor = Editor::launch(command, Client::default(), workspace);
    editor.initialize();
    editor
}

/// The calls of a server while an editor does several things in order, except the last one, during
/// which the tracer detaches.
fn counted<T>(mut editor: Editor, mut things: Vec<T>, do_it: impl Fn(&mut Editor, T)) -> u64 {
    let last = things.pop().expect("there is something to do");
    let (calls, is_over) = <(Arc<AtomicU64>, Arc<AtomicBool>)>::default();
    let tracing = trace_running(editor.server_id(), Arc::clone(&calls), Arc::clone(&is_over));
    let before = calls.load(Ordering::Relaxed);
    for thing in things {
        do_it(&mut editor, thing);
    }
    let counted = calls.load(Ordering::Relaxed) - before;
    // The tracer detaches at the server's next call, so no other thread may wait for the server
    // before.
    is_over.store(true, Ordering::Relaxed);
    do_it(&mut editor, last);
    tracing.join().expect("tracing does not fail");
    editor.close();
    counted
}

/// Counts the calls of a running program until `is_over`. Returns once counting has started.
fn trace_running(process: u32, calls: Arc<AtomicU64>, is_over: Arc<AtomicBool>) -> JoinHandle<()> {
    let (attached, wait) = mpsc::channel();
    let tracing = thread::spawn(move || {
        let mut tracer = Ptracer::new();
        let mut left = 0;
        for thread in fs::read_dir(format!("/proc/{process}/task")).expect("it runs") {
            let name = thread.expect("it runs").file_name();
            let id = name.to_string_lossy().parse().expect("a thread has a number");
            tracer.attach(Pid::from_raw(id)).expect("a child can be traced");
            left += 1;
        }
        follow(&mut tracer, |stop| {
            calls.fetch_add(u64::from(stop == Stop::SyscallEnter), Ordering::Relaxed);
            if stop == Stop::Attach {
                left -= 1;
                if left == 0 {
                    let _ = attached.send(());
                }
            }
            match is_over.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        // Programs traced by this thread continue when it ends.
    });
    wait.recv().expect("it is traced");
    tracing
}

/// Continues a traced program from call to call, until it ends or `stopped` breaks.
fn follow(tracer: &mut Ptracer, mut stopped: impl FnMut(Stop) -> ControlFlow<()>) {
    while let Some(mut tracee) = tracer.wait().expect("it can be waited for") {
        if tracee.stop == Stop::Attach {
            // Distinguishes its calls from signals, and keeps it alive after its tracer.
            let options = tracer.default_options() - Options::PTRACE_O_EXITKILL;
            tracee.set_options(options).expect("it is stopped");
        }
        if stopped(tracee.stop).is_break() {
            return;
        }
        tracer.restart(tracee, Restart::Syscall).expect("it goes on");
    }
}

/// Pins this thread, and the programs that it starts, to one processor.
fn stay_on_one_processor() {
    let Ok(all) = sched_getaffinity(None) else { return };
    if let Some(first) = (0..CpuSet::MAX_CPU).find(|&number| all.is_set(number)) {
        let mut one = CpuSet::new();
        one.set(first);
        let _ = sched_setaffinity(None, &one);
    }
}
