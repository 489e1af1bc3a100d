//! This promptls and an older one, in turns, so that noise affects both equally.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use promptls_tests::workloads::{InputsOf, PROMPTS_PER_FOLDER, PromptSyntax, write_prompts_in};

use crate::check::processor_time;
use crate::machine::ripgrep;
use crate::programs::Programs;
use crate::report::{Figure, Table, with_commas};
use crate::server::Server;
use crate::timing::{order, quantile};
use crate::{startup, stdio};

/// The folders of a hundred prompts that are checked.
const CORPORA: [(PromptSyntax, &str, usize); 2] =
    [(PromptSyntax::Adk, "ADK", 100), (PromptSyntax::Agentle, "Agentle", 200)];
const CHECKS: usize = 20;

/// The figures of both, and their ratios; where `check` reads files, those of ripgrep, too.
pub fn run(new: &Programs, old: &Programs) -> Table {
    let both = [new, old];
    let mut table = Table::new("against", &["", "now", "before", "ratio", "ripgrep"]);
    for (syntax, name, folders) in CORPORA {
        check(&mut table, both, syntax, name, folders);
    }
    let keystrokes = stdio::in_turns(10, both.map(Server::promptls)).map(|[median, _]| median);
    add(&mut table, "a keystroke over stdio in 10 KB", keystrokes, Figure::Unknown);
    let [[now, idle_now], [before, idle_before]] =
        startup::in_turns([&|| Server::promptls(new), &|| Server::promptls(old)]);
    add(&mut table, "from start to the answer to `initialize`", [now, before], Figure::Unknown);
    add(&mut table, "memory when idle", [idle_now, idle_before], Figure::Unknown);
    let sizes = both.map(|programs| startup::program_size(&programs.promptls));
    add(&mut table, "size of the program", sizes, Figure::Unknown);
    table
}

fn add(table: &mut Table, name: impl Into<String>, [now, before]: [Figure; 2], peer: Figure) {
    let ratio = now.over(&before);
    table.row(name, [now, before, ratio, peer]);
}

fn check(
    table: &mut Table,
    both: [&Programs; 2],
    syntax: PromptSyntax,
    name: &str,
    folders: usize,
) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write_prompts_in(syntax, folder.path(), folders, InputsOf::Each);
    let mut commands: Vec<Vec<OsString>> = both
        .map(|programs| {
            let words: [&OsStr; 5] = [
                programs.promptls.as_ref(),
                "check".as_ref(),
                folder.path().as_ref(),
                "--format".as_ref(),
                "concise".as_ref(),
            ];
            words.map(OsStr::to_owned).into()
        })
        .into();
    if ripgrep().is_some() {
        let words = ["rg", "--files-with-matches", "--fixed-strings", "name_0"].map(OsString::from);
        commands.push([&words[..], &[folder.path().into()]].concat());
    }
    let mut costs = vec![Costs::default(); commands.len()];
    // The first turn fills the file system cache; it does not count.
    for turn in 0..=CHECKS {
        for at in order(turn, commands.len()) {
            let cost = cost_of(&commands[at]);
            if turn > 0 {
                costs[at].add(cost);
            }
        }
    }
    let mut figures = costs.iter_mut().map(Costs::medians);
    let (new, old) = (figures.next().expect("it ran"), figures.next().expect("it ran"));
    let peer = figures.next().unwrap_or([const { Figure::Unknown }; 3]);
    let prompts = with_commas((folders * PROMPTS_PER_FOLDER) as u64);
    let rows = ["time of all processors", "time by the clock", "memory at most"];
    for (((row, new), old), peer) in rows.into_iter().zip(new).zip(old).zip(peer) {
        add(table, format!("`check` of {prompts} {name} prompts: {row}"), [new, old], peer);
    }
}

/// The costs of all runs of a command.
#[derive(Clone, Default)]
struct Costs {
    of_processors: Vec<Duration>,
    elapsed: Vec<Duration>,
    /// The largest memory of each run, in KiB.
    memory: Vec<u64>,
}

impl Costs {
    fn add(&mut self, [of_processors, elapsed, memory]: [u64; 3]) {
        self.of_processors.push(Duration::from_micros(of_processors));
        self.elapsed.push(Duration::from_micros(elapsed));
        self.memory.push(memory);
    }

    fn medians(&mut self) -> [Figure; 3] {
        self.memory.sort_unstable();
        [
            Figure::Time(quantile(&mut self.of_processors, 0.5)),
            Figure::Time(quantile(&mut self.elapsed, 0.5)),
            Figure::Bytes(self.memory[self.memory.len() / 2] * 1024),
        ]
    }
}

/// What a command takes: processor time and time in microseconds, and its largest memory in KiB.
///
/// It runs below another process of this program, since the system reports the largest memory of
/// all finished child processes together.
fn cost_of(command: &[OsString]) -> [u64; 3] {
    let this = env::current_exe().expect("a running program knows its own path");
    let output = Command::new(this).arg("--cost-of").args(command).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<u64> = text.split_whitespace().flat_map(str::parse).collect();
    numbers.try_into().expect("it prints three numbers")
}

/// Runs a command, and prints its cost for [`cost_of`].
pub fn print_cost(command: &[OsString]) -> io::Result<()> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let (start, before) = (Instant::now(), processor_time());
    let mut command = Command::new(program);
    let status = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let (elapsed, of_processors) = (start.elapsed(), processor_time() - before);
    // 1 is a check that has found problems. A command that does not run would be the quickest.
    if !matches!(status.code(), Some(0 | 1)) {
        return Err(io::Error::other(format!("{}: {status}", program.display())));
    }
    let memory = getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss();
    println!("{} {} {memory}", of_processors.as_micros(), elapsed.as_micros());
    Ok(())
}
