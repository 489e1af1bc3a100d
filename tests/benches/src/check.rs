//! `promptls check` on a large folder, against programs that only read it.
//!
//! The ratio of times depends on the number of threads of each program, and on the machine; so the
//! processor time is also reported.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use memchr::memmem;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use promptls_tests::code_workload::{FILES_PER_PROMPT, write_code};
use promptls_tests::workloads::{InputsOf, PROMPTS_PER_FOLDER, write_prompts};

use crate::machine::ripgrep;
use crate::programs::Programs;
use crate::report::{Figure, Table, with_commas};
use crate::timing::quantile;

const FOLDERS: usize = 200;
const FILES_OF_CODE: usize = 100_000;
const TURNS: usize = 7;

/// The name in each prompt, and the strings in files that use frameworks.
const NAME: [&str; 1] = ["name_0"];
const FRAMEWORKS: [&str; 5] =
    ["google.adk", "google/adk", "google.golang.org/adk", "agentensemble", "LlmAgent"];

/// A program, and its result in one line.
type Runner<'a> = (&'static str, Box<dyn Fn() -> String + 'a>);

pub fn run(programs: &Programs) -> Vec<Table> {
    let mut tables = of_prompts(programs);
    tables.push(of_code(programs));
    tables
}

fn of_code(programs: &Programs) -> Table {
    let holding = FILES_OF_CODE / FILES_PER_PROMPT;
    let [files, holding] = [FILES_OF_CODE, holding].map(|count| with_commas(count as u64));
    let title = format!("{files} files of source code, of which {holding} hold a prompt");
    let table = Table::new("check, source code", &COLUMNS).titled(title);
    let write = |folder: &Path| write_code(folder, FILES_OF_CODE);
    race(table, programs, write, FILES_OF_CODE, &FRAMEWORKS)
}

fn of_prompts(programs: &Programs) -> Vec<Table> {
    let prompts = FOLDERS * PROMPTS_PER_FOLDER;
    [
        ("check, own inputs", InputsOf::Each, 2 * prompts, "each with an inputs file of its own"),
        ("check, shared inputs", InputsOf::All, prompts + 1, "which share one inputs file"),
    ]
    .map(|(name, inputs_of, files, whose)| {
        let title = format!("{} prompts, {whose}", with_commas(prompts as u64));
        let write = |folder: &Path| write_prompts(folder, FOLDERS, inputs_of);
        race(Table::new(name, &COLUMNS).titled(title), programs, write, files, &NAME)
    })
    .into()
}

const COLUMNS: [&str; 5] = ["", "median", "of all processors", "files", "found"];

/// Runs the programs on the files that `write` creates; the other programs search for `words`.
fn race(
    mut table: Table,
    programs: &Programs,
    write: impl Fn(&Path),
    files: usize,
    words: &[&str],
) -> Table {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path());
    let mut runners: Vec<Runner<'_>> = vec![
        ("promptls check", Box::new(|| check(&programs.promptls, folder.path()))),
        ("walk, read, memmem", Box::new(|| count(folder.path(), words))),
    ];
    if ripgrep().is_some() {
        runners.push(("ripgrep -F", Box::new(|| search(folder.path(), words))));
    }

    // The first turn fills the file system cache; it does not count.
    let found: Vec<String> = runners.iter().map(|(_, run)| run()).collect();
    let mut times = vec![(Vec::new(), Vec::new()); runners.len()];
    for _ in 0..TURNS {
        for ((_, run), (elapsed, of_processors)) in runners.iter().zip(&mut times) {
            let (start, before) = (Instant::now(), processor_time());
            run();
            elapsed.push(start.elapsed());
            of_processors.push(processor_time() - before);
        }
    }
    for (((name, _), (mut elapsed, mut of_processors)), found) in
        runners.iter().zip(times).zip(found)
    {
        let median = quantile(&mut elapsed, 0.5);
        let figures = [
            Figure::Time(median),
            Figure::Time(quantile(&mut of_processors, 0.5)),
            Figure::PerSecond(files as f64 / median.as_secs_f64()),
            Figure::Words(found),
        ];
        table.row(*name, figures);
    }
    table
}

/// The processor time of this process and its finished child processes.
pub fn processor_time() -> Duration {
    let seconds = |time: TimeVal| {
        Duration::from_secs(time.tv_sec() as u64) + Duration::from_micros(time.tv_usec() as u64)
    };
    [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN]
        .map(|who| {
            let usage = getrusage(who).expect("the system keeps account");
            seconds(usage.user_time()) + seconds(usage.system_time())
        })
        .into_iter()
        .sum()
}

fn check(promptls: &Path, folder: &Path) -> String {
    let mut command = Command::new(promptls);
    let output = command.arg("check").arg(folder).args(["--format", "concise"]).output();
    let output = output.expect("promptls starts");
    let lines = output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count();
    let code = output.status.code().map_or("none".to_owned(), |code| code.to_string());
    format!("{lines} lines, exit code {code}")
}

fn search(folder: &Path, words: &[&str]) -> String {
    let mut command = Command::new("rg");
    command.args(["--files-with-matches", "--fixed-strings"]).arg(folder);
    command.args(words.iter().flat_map(|word| ["--regexp", word]));
    let output = command.output().expect("it was found before");
    files_found(output.stdout.split(|&byte| byte == b'\n').count() - 1)
}

/// The number of files that contain one of a few strings, found with as many threads as cores.
fn count(root: &Path, words: &[&str]) -> String {
    let finders: Vec<_> = words.iter().map(memmem::Finder::new).collect();
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
                        let matches = finders.iter().any(|it| it.find(&bytes).is_some());
                        found.fetch_add(usize::from(matches), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    files_found(found.into_inner())
}

fn files_found(count: usize) -> String {
    format!("{} files", with_commas(count as u64))
}
