//! `promptls convert`: writes a prompt, its inputs and its variables in another dialect.
//!
//! All changes are computed and compared first; then they are shown, or written into files that do
//! not exist yet. Constructs that the other dialect does not support and cases that would send
//! another text are reported on stderr.

use std::path::Path;
use std::process::ExitCode;

use promptls_analysis::{
    Conversion, Difference, NotConverted, Unsupported, changed_lines, convert,
};
use promptls_resolver::{EngineError, FileId, Location};
use promptls_workspace::{
    CannotConvert, Configs, ConvertedFile, DISK, Disk, DiskOnce, Files, Target, convert_files,
    converted_path,
};

use promptls_writer::Over;

use crate::args::{ConvertArgs, PromptArgs};
use crate::errors::CommandError;
use crate::opened_prompt::OpenedPrompt;
use crate::output::files_read::FilesRead;
use crate::output::rewritten::diff;
use crate::output::terminal::{self, complain};
use crate::output::unread::in_line;
use crate::output::visible::visible_line;
use crate::output::word_diff::{marks_of_terminal, words};
use crate::output::write;
use crate::paths::Paths;

pub fn run(args: &ConvertArgs) -> Result<ExitCode, CommandError> {
    let mut paths = Paths::new()?;
    let named =
        PromptArgs { dialect: args.dialect, ..PromptArgs::of(&args.prompt, args.task.as_deref()) };
    let opened = OpenedPrompt::open(&named)?;
    opened.mention_guess();
    let to = args.to;
    if named.is_stdin() && args.output.is_none() {
        return match convert(opened.snapshot(), to.engine()) {
            Ok(conversion) => {
                let is_accepted = report_differences(&opened, &conversion, args.force);
                if is_accepted {
                    terminal::print_text(&conversion.text)?;
                }
                Ok(exit_code(is_accepted))
            }
            Err(error) => refused(&opened, error),
        };
    }
    let output = match &args.output {
        Some(output) => paths.absolute(output),
        None => match opened.snapshot().dialect() == to.dialect && opened.is_whole_file() {
            true => opened.path().to_owned(),
            false => converted_path(opened.path(), opened.task(), to.dialect),
        },
    };
    let (disk, configs) = (DiskOnce::default(), Configs::default());
    let project = disk.project(&configs);
    let converted = convert_files(project, opened.file(), opened.index(), to, &output);
    let converted = match converted {
        Ok(converted) => converted,
        Err(CannotConvert::Prompt(error)) => return refused(&opened, error),
        Err(CannotConvert::Broken(path)) => {
            let file = opened.file();
            let mut unread = file.unread_sidecars().iter();
            let why = unread.find(|(id, _)| file.path_of(*id) == Some(&path));
            return Err(match why {
                Some((_, why)) => CommandError::NotConverted(in_line(why, &opened.sources)),
                None => CommandError::NotReadNow(paths.shown(&path)),
            });
        }
        Err(error) => return Err(CommandError::NotConverted(error.to_string())),
    };
    let is_accepted = report_differences(&opened, &converted.conversion, args.force);
    // A conversion to the same dialect keeps the file.
    let stays = opened.snapshot().dialect() == to.dialect;
    let is_new = |file: &&ConvertedFile| !stays || file.like.as_ref() != Some(&file.path);
    let files: Vec<&ConvertedFile> = converted.files.iter().filter(is_new).collect();
    if args.diff {
        terminal::print_text(&shown(&opened, &converted.files, &paths))?;
    } else if is_accepted {
        write_files(&files, args.force, &opened.files_read(), &paths)?;
    }
    for (old, new) in &converted.conversion.names {
        complain(&visible_line(&format!("note: `{old}` is renamed to `{new}`")));
    }
    let is_same = converted.conversion.differences.is_empty();
    if is_same {
        report_no_difference(&opened, files.is_empty());
    }
    if is_accepted {
        report_engine(to);
    }
    Ok(exit_code(is_same || (args.force && !args.diff)))
}

fn exit_code(is_well: bool) -> ExitCode {
    if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Reports the constructs that the other dialect does not support.
fn refused(opened: &OpenedPrompt, error: NotConverted) -> Result<ExitCode, CommandError> {
    let NotConverted::Unsupported(all) = error else {
        return Err(CommandError::NotConverted(error.to_string()));
    };
    for Unsupported { range, reason } in all {
        let location = Location { file: FileId::PROMPT, range };
        let place = opened.place_in_files(location);
        let place = place.map(|place| opened.sources.positions(&place).start).unwrap_or_default();
        let (name, line, column) = (&opened.name, place.line + 1, place.column + 1);
        complain(&visible_line(&format!("promptls: {name}:{line}:{column}: {reason}")));
    }
    complain("promptls: nothing is written");
    Ok(ExitCode::FAILURE)
}

/// Reports the cases that would send another text. Returns whether the files are to be written.
fn report_differences(opened: &OpenedPrompt, conversion: &Conversion, force: bool) -> bool {
    let differences = &conversion.differences;
    for Difference { case, before, after } in differences {
        let case = match case {
            Some(case) => format!("in case `{case}`"),
            None => "with names as values".to_owned(),
        };
        let name = &opened.name;
        complain(&visible_line(&format!(
            "promptls: {name}: {case}, a different text would be sent"
        )));
        match (before, after) {
            (Ok(before), Ok(after)) => {
                let marks = marks_of_terminal(false);
                for line in changed_lines(before, after, &words(before, after), &marks) {
                    complain(&format!("  {line}"));
                }
            }
            _ => {
                complain(&format!("  before: {}", sent(before)));
                complain(&format!("  then: {}", sent(after)));
            }
        }
    }
    if !differences.is_empty() && !force {
        complain("promptls: nothing is written; --force writes it anyway");
    }
    differences.is_empty() || force
}

fn sent(sent: &Result<String, EngineError>) -> String {
    match sent {
        Ok(_) => "a text".to_owned(),
        Err(error) => visible_line(&format!("the engine fails: {error}")),
    }
}

/// The changes of each file, as a patch. A prompt that is a part of its file is compared alone, because
/// the file stays.
fn shown(opened: &OpenedPrompt, files: &[ConvertedFile], paths: &Paths) -> String {
    let diff = |(index, file): (usize, &ConvertedFile)| {
        if index == 0 && !opened.is_whole_file() {
            let before = opened.snapshot().text.whole();
            return diff(&opened.name, &paths.shown(&file.path), &before, &file.text);
        }
        let like = file.like.as_ref().unwrap_or(&file.path);
        let before = file.like.as_ref().and_then(|like| DISK.read(like).ok());
        let before = before.as_deref().unwrap_or_default();
        diff(&paths.shown(like), &paths.shown(&file.path), before, &file.text)
    };
    files.iter().enumerate().map(diff).collect()
}

/// Writes all files or none.
fn write_files(
    files: &[&ConvertedFile],
    force: bool,
    read: &FilesRead,
    paths: &Paths,
) -> Result<(), CommandError> {
    for file in files {
        // Where -o names the prompt itself, it and its sidecars are converted in place.
        if file.like.as_ref() != Some(&file.path) {
            read.keep_from(&file.path, paths.shown(&file.path))?;
        }
    }
    let there: Vec<String> = files
        .iter()
        .filter(|file| Disk.is_there(&file.path))
        .map(|file| paths.shown(&file.path))
        .collect();
    if !there.is_empty() && !force {
        return Err(CommandError::AlreadyThere(there.join(", ")));
    }
    let texts: Vec<(&Path, &[u8])> =
        files.iter().map(|file| (file.path.as_path(), file.text.as_bytes())).collect();
    let over = if force { Over::Files } else { Over::Nothing };
    let written = write::writer(force).write_all(&texts, over);
    written.map_err(|(path, source)| write::failed(paths.shown(path))(source))?;
    if !files.is_empty() {
        let names: Vec<String> = files.iter().map(|file| paths.shown(&file.path)).collect();
        complain(&format!("written: {}", names.join(", ")));
    }
    Ok(())
}

/// Reports on stderr that the converted prompt sends the same texts.
fn report_no_difference(opened: &OpenedPrompt, nothing_to_write: bool) {
    let compared = match opened.snapshot().cases.len() {
        0 => "with names as values".to_owned(),
        1 => "in its case".to_owned(),
        cases => format!("in all of its {cases} cases"),
    };
    complain(&format!("the same is sent {compared}"));
    if nothing_to_write {
        complain("nothing is written: it already has that dialect");
    }
}

/// Reports the engine of the argument, and how to set it permanently.
fn report_engine(to: Target) {
    if let Some(engine) = to.engine {
        complain(&format!(
            "note: it was compared for {engine}; to use that engine everywhere, add `engine = \"{engine}\"` to its rule in promptls.toml"
        ));
    }
}
