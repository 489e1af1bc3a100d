//! Terminal output: colours and width.
//!
//! Output is written as bytes, never through a stream that strips colours. A prompt may contain
//! escape sequences, and a file or a pipe gets its text unchanged ([`print_text`]). All other
//! external text is made [`visible`](super::visible) first.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use super::log_lines::log_lines;
use super::visible::{VisibleJson, visible};
use crate::errors::CommandError;

/// The width without a terminal.
const DEFAULT_WIDTH: usize = 120;

/// The colours and the width of stdout.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether to use colours: on a terminal, unless `NO_COLOR` or a similar setting overrides it.
    pub colours: bool,
    /// The width in columns: 40 to 160, or 120 without a terminal.
    pub width: usize,
}

impl Terminal {
    /// The properties of the current stdout.
    pub fn of_stdout() -> Terminal {
        let stdout = io::stdout();
        let colours = AutoStream::choice(&stdout) != ColorChoice::Never;
        let width = terminal_size::terminal_size_of(&stdout)
            .map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0).clamp(40, 160));
        Terminal { colours, width }
    }
}

/// Writes human-readable lines to stdout.
pub fn print_lines(text: &str) -> Result<(), CommandError> {
    print(&log_lines(text))
}

/// Writes a text to stdout unchanged, and flushes it.
pub fn print(text: &str) -> Result<(), CommandError> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Writes the text of a prompt, or a patch of it, to stdout: unchanged into a file or a pipe. On a
/// terminal, control characters are made visible, because they would affect it.
pub fn print_text(text: &str) -> Result<(), CommandError> {
    if io::stdout().is_terminal() { print(&visible(text)) } else { print(text) }
}

/// Writes a line to stderr. Errors are ignored, because there is no other place to report them.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", log_lines(&visible(line)));
}

/// Output for stdout or stderr, before it is printed.
#[derive(Debug, PartialEq, Eq)]
pub enum StreamText {
    /// Text for stdout, printed unchanged.
    Stdout(String),
    /// A line for stderr, without a line end.
    Stderr(String),
}

/// Prints all output in order.
pub fn print_all(output: &[StreamText]) -> Result<(), CommandError> {
    for text in output {
        match text {
            StreamText::Stdout(text) => print(text)?,
            StreamText::Stderr(line) => complain(line),
        }
    }
    Ok(())
}

/// Writes a highlighted warning to stderr.
pub fn warn(line: &str) {
    complain(&warning(line));
}

/// A highlighted warning line for stderr.
pub fn warning(line: &str) -> String {
    let is_plain = AutoStream::choice(&io::stderr()) == ColorChoice::Never;
    let style = match is_plain {
        true => Style::new(),
        false => AnsiColor::Yellow.on_default().bold(),
    };
    format!("{style}promptls: warning: {line}{style:#}")
}

/// Writes an object to stdout, in one line.
pub fn print_json(object: &impl serde::Serialize) -> Result<(), CommandError> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    write_json(&mut stdout, object)?;
    stdout.flush()?;
    Ok(())
}

/// Writes an object, in one line.
pub fn write_json(to: &mut impl Write, object: &impl serde::Serialize) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *to, VisibleJson);
    object.serialize(&mut serializer).map_err(io::Error::from)?;
    to.write_all(b"\n")
}
