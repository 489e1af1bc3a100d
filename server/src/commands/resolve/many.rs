//! `promptls resolve --rows` and `--all-cases`: one result for each row of a table, or each case.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use promptls_resolver::{Inputs, Object, Values};
use promptls_rows::{
    Overlay, Resolver, RowError, RowPrompt, RowReader, Table, in_order, list_names,
};

use super::chat::mention_unknown;
use super::rows_output::{ChunkFormatter, ChunkOutput, RowsWriter};
use super::sent_row::Sender;
use crate::args::{COULD_NOT_RUN, ResolveArgs, ResolveFormat};
use crate::errors::CommandError;
use crate::opened_prompt::OpenedPrompt;
use crate::output::interrupt::{INTERRUPTED, Interrupt};
use crate::output::progress::Progress;
use crate::output::terminal::complain;

/// The target output size of a chunk of rows, in bytes. With smaller chunks, threads wait for each
/// other; larger chunks use more memory.
const OUTPUT_OF_A_CHUNK: u64 = 256 * 1024;

/// The number of rows in the first chunks, before the output size of a row is known.
const FIRST_ROWS: usize = 16;

/// Resolves a prompt for each row of a table.
pub fn rows(
    args: &ResolveArgs,
    opened: &OpenedPrompt,
    table: &Path,
) -> Result<ExitCode, CommandError> {
    let format = format_of(args)?;
    let without_cases = opened.without_cases();
    opened.mention_unusable(&without_cases);
    if !without_cases.unusable.is_empty() {
        return Ok(ExitCode::from(COULD_NOT_RUN));
    }
    let sender = sender(opened);
    let prompt = RowPrompt::of(&without_cases.snapshot).with_max_output(args.max_output);
    let prompt = sender.columns(prompt);
    let above = above(&args.set);
    let resolver = Resolver { prompt: &prompt, above: &above };
    let failed = |reason: String| CommandError::Rows { file: table.display().to_string(), reason };
    let (kind, file, bytes) = open(args, table).map_err(failed)?;
    let interrupt = Interrupt::listen();
    let reader = match bytes {
        Some(_) => RowReader::of_file(kind, file),
        None => RowReader::new(kind, interrupt.reading(file)),
    };
    let mut reader = match reader {
        Err(_) if interrupt.is_requested() => return Ok(ExitCode::from(INTERRUPTED)),
        reader => reader.map_err(|error| failed(error.to_string()))?,
    };
    look_at_columns(&reader, &resolver, table)?;

    let files_read = opened.files_read();
    files_read.add([table]);
    let mut writer = RowsWriter::new(args, format, &reader, &files_read)?;
    let formatter = ChunkFormatter { format, fail_fast: args.many.fail_fast, sender };
    let progress = Progress::of_rows(bytes);
    let mut summary = RowsSummary::default();
    let rows_at_once = AtomicUsize::new(FIRST_ROWS);
    let unread = OnceLock::new();
    let chunks = std::iter::from_fn(|| {
        if interrupt.is_requested() {
            return None;
        }
        reader.take_rows(rows_at_once.load(Ordering::Relaxed));
        match reader.next()? {
            Ok(chunk) => Some(chunk),
            Err(error) => {
                _ = unread.set(error);
                None
            }
        }
    });
    let ended = in_order(
        chunks,
        |chunk| formatter.format_chunk(&chunk, &resolver),
        |output: ChunkOutput| {
            summary.note(&output);
            progress.is_at(output.bytes, summary.rows);
            let size = output.size.max(1);
            let fitting = output.rows * OUTPUT_OF_A_CHUNK / size;
            let fitting = usize::try_from(fitting).unwrap_or(usize::MAX);
            rows_at_once.store(fitting, Ordering::Relaxed);
            let is_last = args.many.fail_fast && output.failed > 0;
            writer.write(output).map_err(End::Output)?;
            if is_last { Err(End::FirstFailure) } else { Ok(()) }
        },
    );
    drop(progress);
    match ended {
        Ok(()) | Err(End::FirstFailure) => {}
        Err(End::Output(error)) => return Err(error),
    }
    if interrupt.is_requested() {
        writer.give_up(summary.rows)?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    writer.finish()?;
    summary.print("row");
    if let Some(error) = unread.get() {
        return Err(failed(format!("row {} cannot be read: {error}", summary.rows)));
    }
    Ok(summary.exit_code())
}

/// Resolves a prompt for each of its cases.
pub fn cases(args: &ResolveArgs, opened: &OpenedPrompt) -> Result<ExitCode, CommandError> {
    let format = format_of(args)?;
    if format == ResolveFormat::Parquet {
        return Err(wrong_format(format, "--all-cases"));
    }
    let above = above(&args.set);
    let mut writer = RowsWriter::of_lines(args, &opened.files_read())?;
    let (mut summary, mut is_usable) = (RowsSummary::default(), true);
    let sender = sender(opened);
    let all = opened.cases();
    if all.is_empty() {
        // Declarations may be unreadable even without cases.
        let without_cases = opened.without_cases();
        opened.mention_unusable(&without_cases);
        is_usable = without_cases.unusable.is_empty();
    }
    for case in all {
        let opened_case = opened.choose(Some(case))?;
        opened.mention_unusable(&opened_case);
        if !opened_case.unusable.is_empty() {
            is_usable = false;
            continue;
        }
        let Some(mut given) = opened_case.given(args.max_output) else { continue };
        let overlay = Overlay::new(&above, given.values);
        given.values = &overlay;
        let render = |_: &dyn Values| {
            opened_case.snapshot.render_with(&opened.template(&opened_case), &given)
        };
        let sent = sender.send(format, given.values, args.max_output, render);
        let output = ChunkOutput::of_case(case, sent.map_err(RowError::Engine));
        summary.note(&output);
        writer.write(output)?;
    }
    writer.finish()?;
    summary.print("case");
    match is_usable {
        true => Ok(summary.exit_code()),
        false => Ok(ExitCode::from(COULD_NOT_RUN)),
    }
}

/// The sender of a prompt or a chat; reports messages of a chat that are not followed.
fn sender(opened: &OpenedPrompt) -> Sender<'_> {
    if let Some(chat) = opened.chat() {
        mention_unknown(&opened.file().resolve_chat(chat, &Inputs::empty(), usize::MAX));
    }
    Sender::of(opened)
}

enum End {
    Output(CommandError),
    FirstFailure,
}

fn format_of(args: &ResolveArgs) -> Result<ResolveFormat, CommandError> {
    match args.format.unwrap_or(ResolveFormat::Jsonl) {
        format @ (ResolveFormat::Text | ResolveFormat::Json) => {
            Err(wrong_format(format, if args.many.all_cases { "--all-cases" } else { "--rows" }))
        }
        format => Ok(format),
    }
}

fn wrong_format(format: ResolveFormat, with: &'static str) -> CommandError {
    CommandError::FormatOfMany { format: format.id(), with }
}

/// The format of a table, its file, and the file's size in bytes; `None` for a pipe.
fn open(args: &ResolveArgs, path: &Path) -> Result<(Table, File, Option<u64>), String> {
    if path.as_os_str() == "-" {
        if args.prompt.is_stdin() {
            return Err("standard input is already used for the prompt".to_owned());
        }
        return Ok((Table::JsonLines, stdin().map_err(|error| error.to_string())?, None));
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let about = file.metadata().map_err(|error| error.to_string())?;
    if about.is_dir() {
        return Err("it is a folder".to_owned());
    }
    if is_endless(&about) {
        return Err("it is a device without rows".to_owned());
    }
    let table = Table::from_path(path)
        .ok_or("unknown table format; use .jsonl, .ndjson, .csv or .parquet")?;
    Ok((table, file, about.is_file().then_some(about.len())))
}

#[cfg(unix)]
fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn stdin() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

/// Whether a file is a device; some of these are endless.
#[cfg(unix)]
fn is_endless(about: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    about.file_type().is_char_device() || about.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_endless(_: &std::fs::Metadata) -> bool {
    false
}

/// Fails before the first row if columns of a table are missing or duplicate. Reports unused
/// columns.
fn look_at_columns(
    reader: &RowReader,
    resolver: &Resolver<'_>,
    table: &Path,
) -> Result<(), CommandError> {
    let Some(columns) = reader.columns() else { return Ok(()) };
    let needs = resolver.prompt.needs();
    let above = resolver.above.entries().iter().map(|entry| &*entry.key);
    let missing =
        needs.missing_columns(&columns.iter().copied().chain(above).collect::<Vec<&str>>());
    let file = table.display().to_string();
    if !missing.is_empty() {
        let missing = missing.iter().map(ToString::to_string).collect::<Vec<String>>();
        return Err(CommandError::Rows { file, reason: missing.join("; ") });
    }
    if let Some(name) = needs.twice(&columns) {
        return Err(CommandError::Rows { file, reason: format!("duplicate column `{name}`") });
    }
    let unread = needs.unread(&columns);
    if !unread.is_empty() {
        complain(&format!(
            "promptls: note: the prompt does not read these columns of {file}: {}",
            list_names(&unread)
        ));
    }
    Ok(())
}

/// The summary for the end.
#[derive(Default)]
struct RowsSummary {
    rows: u64,
    failed: u64,
    first: Option<String>,
}

impl RowsSummary {
    fn note(&mut self, output: &ChunkOutput) {
        self.rows += output.rows;
        self.failed += output.failed;
        self.first = self.first.take().or_else(|| output.first_failure.clone());
    }

    fn print(&self, what: &str) {
        if let Some(first) = &self.first {
            let (failed, all) = (self.failed, self.rows);
            complain(&format!("promptls: {failed} of {all} {what}s failed, first {what} {first}"));
        }
    }

    fn exit_code(&self) -> ExitCode {
        if self.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// The values that override those of all rows.
pub fn above(set: &[(String, String)]) -> Object {
    set.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
}
