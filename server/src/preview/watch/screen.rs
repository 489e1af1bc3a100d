//! The screen of `--watch`: the text, where it is scrolled to, and a line below it.

use anstyle::{AnsiColor, Effects};
use crossterm::event::{Event, EventStream, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use futures_util::StreamExt;
use promptls_resolver::Severity;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::{DefaultTerminal, Frame};
use unicode_width::UnicodeWidthStr;

use super::Watched;
use crate::errors::CommandError;
use crate::preview::terminal::{Drawing, FAILURE, Piece, Which, visible};
use crate::terminal::Terminal;

/// How much of the screen the reason may take why a text is old.
const STALE_ROWS: usize = 3;

/// Columns between two tab stops.
const TAB: usize = 8;

/// What somebody at the screen wants.
#[derive(Clone, Copy, Debug)]
pub enum Wish {
    /// To leave.
    End,
    /// To see the case so many steps away.
    Case(isize),
    /// To see the same again: another part of it, or in another size.
    Redraw,
}

/// The screen. It is given back when this is dropped.
pub struct Screen {
    terminal: DefaultTerminal,
    keys: EventStream,
    shown: Option<Shown>,
    /// The first row that is seen, and how many rows fit.
    top: usize,
    height: usize,
}

/// What can be seen by scrolling.
struct Shown {
    rows: Vec<Line<'static>>,
    /// The columns that it was made for.
    width: usize,
    /// What the line below says.
    about: String,
    /// Why it is older than the files; nothing if it is not.
    stale: Vec<Line<'static>>,
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

impl Screen {
    /// Takes the screen; a panic gives it back as well.
    pub fn open() -> Result<Screen, CommandError> {
        let terminal = ratatui::try_init()?;
        Ok(Screen { terminal, keys: EventStream::new(), shown: None, top: 0, height: 1 })
    }

    /// What is watched is not what is shown any more.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// Draws what is watched.
    pub fn draw(&mut self, watched: &Watched<'_>) -> Result<(), CommandError> {
        let width = usize::from(self.terminal.size()?.width).max(1);
        let shown = match self.shown.take().filter(|shown| shown.width == width) {
            Some(shown) => shown,
            None => Shown::new(watched, width)?,
        };
        let Shown { rows, about, stale, .. } = self.shown.insert(shown);
        let (top, height) = (&mut self.top, &mut self.height);
        self.terminal.draw(|frame| {
            let stale_height = stale.len().min(STALE_ROWS) as u16;
            let parts =
                [Constraint::Fill(1), Constraint::Length(stale_height), Constraint::Length(1)];
            let [body, older, below] = Layout::vertical(parts).areas(frame.area());
            *height = usize::from(body.height).max(1);
            *top = (*top).min(rows.len().saturating_sub(*height));
            for (row, line) in rows.iter().skip(*top).take(*height).enumerate() {
                frame.buffer_mut().set_line(body.x, body.y + row as u16, line, body.width);
            }
            for (row, line) in stale.iter().take(STALE_ROWS).enumerate() {
                frame.buffer_mut().set_line(older.x, older.y + row as u16, line, older.width);
            }
            draw_status(frame, below, about, *top, *height, rows.len());
        })?;
        Ok(())
    }

    /// Waits for somebody to press a key that means something. May be given up while it waits.
    pub async fn next_wish(&mut self) -> Result<Wish, CommandError> {
        loop {
            let Some(event) = self.keys.next().await else { return Ok(Wish::End) };
            match event? {
                Event::Resize(..) => return Ok(Wish::Redraw),
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    if let Some(wish) = self.pressed(key) {
                        return Ok(wish);
                    }
                }
                _ => {}
            }
        }
    }

    fn pressed(&mut self, key: KeyEvent) -> Option<Wish> {
        let page = self.height.saturating_sub(1).max(1);
        let rows = self.shown.as_ref().map_or(0, |shown| shown.rows.len());
        let last = rows.saturating_sub(self.height);
        self.top = match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Some(Wish::End);
            }
            KeyCode::Char('q') | KeyCode::Esc => return Some(Wish::End),
            KeyCode::Char('n') | KeyCode::Tab => return Some(Wish::Case(1)),
            KeyCode::Char('p') | KeyCode::BackTab => return Some(Wish::Case(-1)),
            KeyCode::Down | KeyCode::Char('j') => self.top + 1,
            KeyCode::Up | KeyCode::Char('k') => self.top.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.top + page,
            KeyCode::PageUp => self.top.saturating_sub(page),
            KeyCode::Home | KeyCode::Char('g') => 0,
            KeyCode::End | KeyCode::Char('G') => last,
            _ => return None,
        };
        self.top = self.top.min(last);
        Some(Wish::Redraw)
    }
}

impl Shown {
    fn new(watched: &Watched<'_>, width: usize) -> Result<Shown, CommandError> {
        let terminal = Terminal { colours: false, width: width.max(20) };
        let drawing = Drawing::new(&watched.opened, &watched.which, terminal)?;
        let mut stale = Rows::new(width);
        if let Some(reason) = watched.lost.as_ref().or(drawing.stale.as_ref()) {
            stale.add(&format!(" an older text: {reason}"), on_screen(FAILURE));
        }
        let about = about(watched, &drawing);
        Ok(Shown { rows: Rows::of(&drawing, width).done(), width, about, stale: stale.done() })
    }
}

/// What the line below says of the text.
fn about(watched: &Watched<'_>, drawing: &Drawing) -> String {
    let cases = watched.opened.cases();
    let case = match (&watched.which, &drawing.chosen[..]) {
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

fn counted(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

fn draw_status(
    frame: &mut Frame<'_>,
    area: ratatui::layout::Rect,
    about: &str,
    top: usize,
    height: usize,
    rows: usize,
) {
    let style = Style::new().add_modifier(Modifier::REVERSED);
    let mut place = match rows > height {
        true => format!("{}–{} of {rows} ", top + 1, (top + height).min(rows)),
        false => String::new(),
    };
    let room = |place: &str| usize::from(area.width).saturating_sub(place.width() + 1);
    const HINT: &str = " q ends ";
    if room(&place) >= about.width() + HINT.width() {
        place.push_str(HINT);
    }
    let room = room(&place);
    let buffer = frame.buffer_mut();
    buffer.set_style(area, style);
    buffer.set_stringn(area.x, area.y, about, room, style);
    let start = usize::from(area.width).saturating_sub(place.width());
    let start = area.x + u16::try_from(start).unwrap_or_default();
    buffer.set_stringn(start, area.y, &place, usize::from(area.right() - start), style);
}

/// Breaks styled text into rows of a width, as a terminal does: anywhere.
struct Rows {
    width: usize,
    rows: Vec<Line<'static>>,
    /// The row that is being filled, and the columns that are taken.
    row: Vec<Span<'static>>,
    column: usize,
}

impl Rows {
    fn new(width: usize) -> Rows {
        Rows { width, rows: Vec::new(), row: Vec::new(), column: 0 }
    }

    fn of(drawing: &Drawing, width: usize) -> Rows {
        let mut rows = Rows::new(width);
        for piece in &drawing.pieces {
            match piece {
                Piece::Styled(style, text) => rows.add(text, on_screen(*style)),
                Piece::Problem(severity, text) => {
                    // The first line is the message, the others are excerpts.
                    let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
                    rows.add(title, style_of(*severity));
                    rows.add("\n", Style::new());
                    rows.add(rest, Style::new());
                }
            }
        }
        rows
    }

    fn add(&mut self, text: &str, style: Style) {
        for (index, line) in visible(text).split('\n').enumerate() {
            if index > 0 {
                self.end_row();
            }
            for (index, piece) in line.split('\t').enumerate() {
                if index > 0 {
                    let columns = TAB - self.column % TAB;
                    self.add_piece(&" ".repeat(columns), style);
                }
                self.add_piece(piece, style);
            }
        }
    }

    /// Adds a text without line ends and tabs.
    fn add_piece(&mut self, text: &str, style: Style) {
        let span = Span::raw(text);
        let mut part = String::new();
        for grapheme in span.styled_graphemes(style) {
            let width = grapheme.symbol.width();
            if self.column + width > self.width && self.column > 0 {
                self.push(std::mem::take(&mut part), style);
                self.end_row();
            }
            part.push_str(grapheme.symbol);
            self.column += width;
        }
        self.push(part, style);
    }

    fn push(&mut self, part: String, style: Style) {
        if !part.is_empty() {
            self.row.push(Span::styled(part, style));
        }
    }

    fn end_row(&mut self) {
        self.rows.push(Line::from(std::mem::take(&mut self.row)));
        self.column = 0;
    }

    fn done(mut self) -> Vec<Line<'static>> {
        if !self.row.is_empty() {
            self.end_row();
        }
        self.rows
    }
}

/// A style of the printed preview.
fn on_screen(style: anstyle::Style) -> Style {
    let colour = match style.get_fg_color() {
        Some(anstyle::Color::Ansi(AnsiColor::Red)) => Color::Red,
        Some(anstyle::Color::Ansi(AnsiColor::Yellow)) => Color::Yellow,
        Some(anstyle::Color::Ansi(AnsiColor::Magenta)) => Color::Magenta,
        Some(anstyle::Color::Ansi(AnsiColor::Cyan)) => Color::Cyan,
        _ => Color::Reset,
    };
    let effects = style.get_effects();
    let modifiers = [
        (Effects::BOLD, Modifier::BOLD),
        (Effects::DIMMED, Modifier::DIM),
        (Effects::INVERT, Modifier::REVERSED),
    ];
    let modifiers = modifiers.into_iter().filter(|(effect, _)| effects.contains(*effect));
    Style::new().fg(colour).add_modifier(modifiers.map(|(_, modifier)| modifier).collect())
}

fn style_of(severity: Severity) -> Style {
    let colour = match severity {
        Severity::Error => Color::Red,
        Severity::Warning => Color::Yellow,
        Severity::Information | Severity::Hint => Color::Blue,
    };
    Style::new().fg(colour).add_modifier(Modifier::BOLD)
}
