//! The screen of `--watch`: the text, its scroll position, and a status line.
//!
//! A frame is written as one piece: it is a few kilobytes, and a terminal shows a synchronized
//! update at once. So the current content of the screen need not be tracked.

use std::io::{self, Write};
use std::ops::Range;
use std::{iter, panic};

use anstyle::{AnsiColor, Style};
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{Event, EventStream, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::style::Print;
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, DisableLineWrap, EnableLineWrap,
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
};
use crossterm::{execute, queue};
use futures_util::StreamExt;
use promptls_resolver::Severity;
use unicode_width::UnicodeWidthStr;

use super::Watched;
use super::rows::{Row, Rows, fitting};
use crate::errors::CommandError;
use crate::output::counted::counted;
use crate::output::terminal::Terminal;
use crate::output::visible::visible;
use crate::preview::terminal::{Drawing, FAILURE, PreviewPiece, Which};

/// The maximum number of rows for the reason why a text is old.
const STALE_ROWS: usize = 3;

/// The style of the status line.
const STATUS: Style = Style::new().invert();

/// A command of the user.
#[derive(Clone, Copy, Debug)]
pub enum UserCommand {
    End,
    /// Show another case, this many steps away.
    Case(isize),
    /// Draw the same case again, at another position or size.
    Redraw,
}

/// The screen. Dropping it restores the terminal.
pub struct Screen {
    keys: EventStream,
    shown: Option<ScreenContent>,
    /// The first visible row, and the number of rows that fit.
    top: usize,
    height: usize,
}

/// The scrollable content: rows that are ready to be written.
struct ScreenContent {
    rows: Vec<Row>,
    /// The width for which the rows were made, in columns.
    width: usize,
    /// The text of the status line.
    about: String,
    /// Why the text is older than the files; empty if it is not.
    stale: Vec<Row>,
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Restores the terminal. Errors are ignored, because there is no place to report them.
fn give_back() {
    let _ = terminal::disable_raw_mode();
    let _ = execute!(io::stdout(), EnableLineWrap, Show, LeaveAlternateScreen);
}

impl Screen {
    /// Opens the screen. A panic closes it before its message is printed.
    pub fn open() -> Result<Screen, CommandError> {
        let print_panic = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            give_back();
            print_panic(panic);
        }));
        terminal::enable_raw_mode()?;
        let screen = Screen { keys: EventStream::new(), shown: None, top: 0, height: 1 };
        // If a terminal counts a character as wider than this program does, the row is only cut.
        execute!(io::stdout(), EnterAlternateScreen, Hide, DisableLineWrap)?;
        Ok(screen)
    }

    /// Discards the content, because the watched prompt has changed.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// Draws the whole screen; rows are wrapped again if the width has changed.
    pub fn draw(&mut self, watched: &Watched<'_>) -> Result<(), CommandError> {
        let (width, height) = terminal::size()?;
        let (width, height) = (usize::from(width).max(1), usize::from(height));
        let shown = match self.shown.take() {
            Some(shown) if shown.width == width => shown,
            Some(wider) => {
                let shown = ScreenContent::new(watched, width)?;
                // The line at the top stays at the top, however many rows it takes now.
                let line = wider.rows.get(self.top).map_or(0, |row| row.line);
                self.top = shown.rows.partition_point(|row| row.line < line);
                shown
            }
            None => ScreenContent::new(watched, width)?,
        };
        let ScreenContent { rows, about, stale, .. } = self.shown.insert(shown);
        let stale = &stale[..stale.len().min(STALE_ROWS)];
        self.height = height.saturating_sub(stale.len() + 1).max(1);
        self.top = self.top.min(rows.len().saturating_sub(self.height));
        let seen = self.top..rows.len().min(self.top + self.height);
        let status = status(about, &seen, rows.len(), width);

        let blanks = iter::repeat_n("", self.height - seen.len());
        let text_rows = rows[seen].iter().map(|row| &*row.text);
        let stale_rows = stale.iter().map(|row| &*row.text);
        let lines = text_rows.chain(blanks).chain(stale_rows).chain([&*status]);
        let mut frame = Vec::new();
        queue!(frame, BeginSynchronizedUpdate)?;
        for (row, line) in (0..).zip(lines) {
            // Cleared first: after a full row, some terminals would clear its last character.
            queue!(frame, MoveTo(0, row), Clear(ClearType::CurrentLine), Print(line))?;
        }
        queue!(frame, EndSynchronizedUpdate)?;
        let mut stdout = io::stdout().lock();
        stdout.write_all(&frame)?;
        stdout.flush()?;
        Ok(())
    }

    /// Waits for a key with a meaning, or a change of size. Cancel-safe.
    pub async fn next_command(&mut self) -> Result<UserCommand, CommandError> {
        loop {
            let Some(event) = self.keys.next().await else { return Ok(UserCommand::End) };
            match event? {
                Event::Resize(..) => return Ok(UserCommand::Redraw),
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    if let Some(command) = self.pressed(key) {
                        return Ok(command);
                    }
                }
                _ => {}
            }
        }
    }

    fn pressed(&mut self, key: KeyEvent) -> Option<UserCommand> {
        let page = self.height.saturating_sub(1).max(1);
        let rows = self.shown.as_ref().map_or(0, |shown| shown.rows.len());
        let last = rows.saturating_sub(self.height);
        self.top = match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Some(UserCommand::End);
            }
            KeyCode::Char('q') | KeyCode::Esc => return Some(UserCommand::End),
            KeyCode::Char('n') | KeyCode::Tab => return Some(UserCommand::Case(1)),
            KeyCode::Char('p') | KeyCode::BackTab => return Some(UserCommand::Case(-1)),
            KeyCode::Down | KeyCode::Char('j') => self.top + 1,
            KeyCode::Up | KeyCode::Char('k') => self.top.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.top + page,
            KeyCode::PageUp => self.top.saturating_sub(page),
            KeyCode::Home | KeyCode::Char('g') => 0,
            KeyCode::End | KeyCode::Char('G') => last,
            _ => return None,
        };
        self.top = self.top.min(last);
        Some(UserCommand::Redraw)
    }
}

impl ScreenContent {
    fn new(watched: &Watched<'_>, width: usize) -> Result<ScreenContent, CommandError> {
        let colours = Terminal::of_stdout().colours;
        let terminal = Terminal { colours: false, width: width.max(20) };
        let drawing = Drawing::new(&watched.opened, &watched.which, terminal)?;
        let mut rows = Rows::new(width, colours);
        for piece in &drawing.pieces {
            match piece {
                PreviewPiece::Styled(style, text) => rows.add(text, *style),
                PreviewPiece::Problem(severity, text) => {
                    // The first line is the message, the others are excerpts.
                    let title = text.find('\n').unwrap_or(text.len());
                    rows.add(&text[..title], style_of(*severity));
                    rows.add(&text[title..], Style::new());
                }
            }
        }
        let mut stale = Rows::new(width, colours);
        if let Some(reason) = watched.lost.as_ref().or(drawing.stale.as_ref()) {
            stale.add(&format!(" stale text: {reason}"), FAILURE);
        }
        let about = about(watched, &drawing);
        Ok(ScreenContent { rows: rows.done(), width, about, stale: stale.done() })
    }
}

/// The text of the status line.
fn about(watched: &Watched<'_>, drawing: &Drawing) -> String {
    let cases = watched.opened.cases();
    let case = match (&watched.which, &drawing.cases[..]) {
        (Which::All, chosen @ [_, _, ..]) => format!("{} cases", chosen.len()),
        (_, [chosen, ..]) => match &chosen.case {
            Some(case) if cases.len() > 1 => {
                let number =
                    cases.iter().position(|name| name == case).map_or(0, |index| index + 1);
                format!("case {case} ({number} of {})", cases.len())
            }
            Some(case) => format!("case {case}"),
            None => "no inputs".to_owned(),
        },
        _ => String::new(),
    };
    let size = drawing.size.iter().map(|size| format!("{size} · ")).collect::<String>();
    let problems = match (drawing.problems, drawing.errors) {
        (0, _) => "no problems".to_owned(),
        (all, 0) => counted(all, "problem"),
        (all, errors) if all == errors => counted(errors, "error"),
        (all, errors) => format!("{}, {}", counted(all, "problem"), counted(errors, "error")),
    };
    visible(&format!(" {} · {case} · {size}{problems}", watched.opened.name))
}

/// The status line: a summary of the text, and the visible rows if not all are visible.
fn status(about: &str, seen: &Range<usize>, rows: usize, width: usize) -> String {
    const HINT: &str = " q ends ";
    let mut place = match seen.len() < rows {
        true => format!("{}–{} of {rows} ", seen.start + 1, seen.end),
        false => String::new(),
    };
    if about.width() + place.width() + HINT.width() < width {
        place.push_str(HINT);
    }
    let place = fitting(&place, width);
    let about = fitting(about, width.saturating_sub(place.width() + 1));
    let gap = " ".repeat(width.saturating_sub(about.width() + place.width()));
    format!("{STATUS}{about}{gap}{place}{STATUS:#}")
}

fn style_of(severity: Severity) -> Style {
    let colour = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Information | Severity::Hint => AnsiColor::Blue,
    };
    colour.on_default().bold()
}
