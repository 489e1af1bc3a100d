//! The choice of one prompt of a folder.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::args::PromptArgs;
use crate::errors::CommandError;
use crate::output::prompt_address::prompt_address;
use crate::output::terminal::complain;
use crate::output::visible::visible;
use crate::paths::Paths;
use promptls_workspace::{Configs, Disk, DiskOnce, prompts_in};

/// The maximum number of prompts that are listed.
const SHOWN: usize = 20;

/// A prompt to choose: its file, and its name if the file has several.
struct Choice {
    path: PathBuf,
    name: Option<String>,
    /// Both as in `FILE#NAME`, relative to the current folder.
    shown: String,
}

/// Replaces a folder by a prompt in it. On a terminal, the user chooses; else the first one is meant,
/// and a note names the others.
pub fn complete(args: &mut PromptArgs) -> Result<(), CommandError> {
    if args.task.is_some() || !Disk.is_folder(&args.prompt) {
        return Ok(());
    }
    let choices = choices(&args.prompt)?;
    let Some(first) = choices.first() else { return Err(CommandError::NoPromptsThere) };
    let is_terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
    let chosen = match choices.len() {
        1 => first,
        _ if is_terminal => &choices[read_number(&choices)?],
        _ => {
            let others = choices[1..].iter().map(|choice| &*choice.shown);
            note_others(&first.shown, others);
            first
        }
    };
    args.prompt.clone_from(&chosen.path);
    args.task.clone_from(&chosen.name);
    Ok(())
}

/// Notes which of several prompts is meant.
pub fn note_others<'c>(chosen: &str, others: impl ExactSizeIterator<Item = &'c str>) {
    let more = match others.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let others = others.take(SHOWN).collect::<Vec<_>>().join(", ");
    let (chosen, others) = (visible(chosen), visible(&others));
    complain(&format!("promptls: note: this is {chosen}; the others are {others}{more}"));
}

fn choices(folder: &Path) -> Result<Vec<Choice>, CommandError> {
    let mut paths = Paths::new()?;
    let (disk, configs) = (DiskOnce::default(), Configs::default());
    let project = disk.project(&configs);
    let mut choices = Vec::new();
    for path in prompts_in(&paths.absolute(folder), project) {
        let Ok(file) = project.read(&path) else { continue };
        let mut names: Vec<Option<&str>> = file.addresses().into_iter().map(Some).collect();
        // The name of the only prompt is not needed.
        if names.len() < 2 {
            names = file.own_prompts().take(1).map(|_| None).collect();
        }
        for name in names {
            let shown = prompt_address(&paths.shown(&path), name);
            choices.push(Choice { path: path.clone(), name: name.map(str::to_owned), shown });
        }
    }
    Ok(choices)
}

/// Reads lines until one is the number of a prompt. Returns its index.
fn read_number(choices: &[Choice]) -> Result<usize, CommandError> {
    let mut stderr = io::stderr().lock();
    for (index, choice) in choices.iter().enumerate() {
        writeln!(stderr, "{:>3}  {}", index + 1, visible(&choice.shown))?;
    }
    loop {
        write!(stderr, "Which prompt (1 to {})? [1] ", choices.len())?;
        stderr.flush()?;
        let mut line = String::new();
        let is_end = io::stdin().read_line(&mut line)? == 0;
        let line = line.trim();
        let number = if line.is_empty() { Some(1) } else { line.parse().ok() };
        match number.filter(|number| (1..=choices.len()).contains(number)) {
            Some(number) => return Ok(number - 1),
            None if is_end => return Ok(0),
            None => writeln!(stderr, "promptls: there is no prompt {}", visible(line))?,
        }
    }
}
