//! `promptls check` on a large folder, against programs that only read it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use memchr::memmem;

use crate::process;
use crate::table::time;
use crate::timing::quantile;
use promptls_tests::workloads::{InputsOf, PROMPTS_PER_FOLDER, write_prompts};

const FOLDERS: usize = 200;
const TURNS: usize = 7;

/// A program and what it found, in one line.
type Runner<'a> = (&'static str, Box<dyn Fn() -> String + 'a>);

pub fn run() {
    let Some(promptls) = process::promptls() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write_prompts(folder.path(), FOLDERS, InputsOf::Each);

    let mut runners: Vec<Runner<'_>> = vec![
        ("promptls check", Box::new(|| check(&promptls, folder.path()))),
        ("walk, read, memmem", Box::new(|| format!("{} files", count(folder.path())))),
    ];
    let has_ripgrep = Command::new("rg")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|it| it.success());
    if has_ripgrep {
        runners.push(("ripgrep --files-with-matches", Box::new(|| ripgrep(folder.path()))));
    }

    // The first turn fills the cache of the file system; it does not count.
    let found: Vec<String> = runners.iter().map(|(_, run)| run()).collect();
    let mut times = vec![Vec::new(); runners.len()];
    for _ in 0..TURNS {
        for ((_, run), times) in runners.iter().zip(&mut times) {
            let start = Instant::now();
            run();
            times.push(start.elapsed());
        }
    }
    let prompts = FOLDERS * PROMPTS_PER_FOLDER;
    println!("## Checking {prompts} prompts of 2 KB, each with its inputs\n");
    println!("| | median | found |\n| --- | ---: | --- |");
    for (((name, _), mut times), found) in runners.iter().zip(times).zip(found) {
        println!("| {name} | {} | {found} |", time(quantile(&mut times, 0.5)));
    }
    println!();
}

fn check(promptls: &Path, folder: &Path) -> String {
    let mut command = Command::new(promptls);
    let output = command.arg("check").arg(folder).args(["--format", "concise"]).output();
    let output = output.expect("promptls starts");
    let lines = output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count();
    let code = output.status.code().map_or("none".to_owned(), |code| code.to_string());
    format!("{lines} lines, exit code {code}")
}

fn ripgrep(folder: &Path) -> String {
    let mut command = Command::new("rg");
    let output = command.args(["--files-with-matches", "--fixed-strings", "name_0"]).arg(folder);
    let output = output.output().expect("it was found before");
    format!("{} files", output.stdout.split(|&byte| byte == b'\n').count() - 1)
}

/// The files that hold a string, found with as many threads as there are cores.
fn count(root: &Path) -> usize {
    let folders: Mutex<Vec<PathBuf>> = Mutex::new(
        fs::read_dir(root)
            .expect("the temporary folder can be read")
            .map(|entry| entry.expect("the temporary folder can be read").path())
            .collect(),
    );
    let next = || folders.lock().expect("no thread panics").pop();
    let found = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(folder) = next() {
                    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                        let bytes = fs::read(entry.path()).unwrap_or_default();
                        let matches = memmem::find(&bytes, b"name_0").is_some();
                        found.fetch_add(usize::from(matches), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    found.into_inner()
}
