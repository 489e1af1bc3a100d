//! Where output goes: whether it may have colours, and how wide it is.
//!
//! Output is written as bytes, never through a stream that strips colours: a prompt may hold escape
//! sequences, and a file or a pipe gets its text unchanged ([`print_text`]). All other text that is
//! not ours is made [`visible`](super::visible) before.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use super::log_lines::log_lines;
use super::visible::{VisibleJson, visible};
use crate::errors::CommandError;

/// The width where there is no terminal.
const DEFAULT_WIDTH: usize = 120;

/// What is known about stdout.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether colours are wanted: on a terminal, unless `NO_COLOR` and the like say otherwise.
    pub colours: bool,
    /// In columns.
    pub width: usize,
}

impl Terminal {
    /// What stdout is connected to.
    pub fn of_stdout() -> Terminal {
        let stdout = io::stdout();
        let colours = AutoStream::choice(&stdout) != ColorChoice::Never;
        let width = terminal_size::terminal_size_of(&stdout)
            .map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0).clamp(40, 160));
        Terminal { colours, width }
    }
}

/// Writes lines for people to stdout.
pub fn print_lines(text: &str) -> Result<(), CommandError> {
    print(&log_lines(text))
}

/// Writes to stdout, as it is.
pub fn print(text: &str) -> Result<(), CommandError> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Writes the text of a prompt to stdout: unchanged into a file or a pipe, and on a terminal with
/// visible control characters, since they would steer it.
pub fn print_text(text: &str) -> Result<(), CommandError> {
    if io::stdout().is_terminal() { print(&visible(text)) } else { print(text) }
}

/// Writes a line to stderr. If even that fails there is nobody left to tell.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", log_lines(&visible(line)));
}

/// Output for one of the two streams, before it is printed.
#[derive(Debug, PartialEq, Eq)]
pub enum StreamText {
    /// Text for stdout, printed unchanged.
    Stdout(String),
    /// A line for stderr.
    Stderr(String),
}

/// Prints in order.
pub fn print_all(output: &[StreamText]) -> Result<(), CommandError> {
    for text in output {
        match text {
            StreamText::Stdout(text) => print(text)?,
            StreamText::Stderr(line) => complain(line),
        }
    }
    Ok(())
}

/// Writes a warning to stderr, so that it stands out.
pub fn warn(line: &str) {
    complain(&warning(line));
}

/// The line of a warning on stderr.
pub fn warning(line: &str) -> String {
    let is_plain = AutoStream::choice(&io::stderr()) == ColorChoice::Never;
    let style = match is_plain {
        true => Style::new(),
        false => AnsiColor::Yellow.on_default().bold(),
    };
    format!("{style}promptls: warning: {line}{style:#}")
}

/// Writes an object to stdout, on a line.
pub fn print_json(object: &impl serde::Serialize) -> Result<(), CommandError> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    write_json(&mut stdout, object)?;
    stdout.flush()?;
    Ok(())
}

/// Writes an object, on a line.
pub fn write_json(to: &mut impl Write, object: &impl serde::Serialize) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *to, VisibleJson);
    object.serialize(&mut serializer).map_err(io::Error::from)?;
    to.write_all(b"\n")
}
