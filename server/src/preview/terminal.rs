//! The preview as text for a terminal: the resolved text with highlights, and its problems.

use std::collections::HashSet;
use std::ops::Range;
use std::process::ExitCode;

use anstyle::{AnsiColor, Effects, Style};
use promptls_analysis::{MessageSpan, Settings};
use promptls_resolver::{
    DEFAULT_MAX_OUTPUT, EngineError, Problem, Resolution, Run, RunKind, Severity,
};

use crate::args::{COULD_NOT_RUN, PreviewArgs};
use crate::errors::CommandError;
use crate::opened_prompt::{OpenedCase, OpenedPrompt};
use crate::output::counted::counted;
use crate::output::excerpts::Excerpts;
use crate::output::terminal::{self, Terminal};
use crate::output::visible::visible;
use promptls_protocol::Stats;
use promptls_workspace::{ChatResolution, MessageSource, Sources, WholeProblems};
use unicode_width::UnicodeWidthStr;

const VALUE: Style = AnsiColor::Cyan.on_default();
const ESCAPE: Style = AnsiColor::Magenta.on_default();
const MIXED: Style = AnsiColor::Yellow.on_default();
const MISSING: Style = AnsiColor::Red.on_default().effects(Effects::INVERT);
pub const FAILURE: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
const HEADING: Style = Style::new().bold();
const RULE: Style = Style::new().dimmed();

/// Prints the preview of a prompt.
pub fn run(args: &PreviewArgs) -> Result<ExitCode, CommandError> {
    let opened = OpenedPrompt::open_first(&args.prompt)?;
    let which = Which::of(args);
    let drawing = Drawing::new(&opened, &which, Terminal::of_stdout())?;
    opened.mention_guess();
    if drawing.has_missing {
        opened.mention_no_inputs();
    }
    for opened_case in &drawing.cases {
        opened.mention_unusable(opened_case);
    }
    terminal::print_lines(&drawing.printed())?;
    Ok(match (drawing.is_usable(), drawing.failed) {
        (false, _) => ExitCode::from(COULD_NOT_RUN),
        (true, true) => ExitCode::FAILURE,
        (true, false) => ExitCode::SUCCESS,
    })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// All, one after the other.
    All,
    /// The case with this name; without a name, `default`, else the first.
    One(Option<String>),
}

impl Which {
    /// The cases of the command line.
    pub fn of(args: &PreviewArgs) -> Which {
        if args.all_cases { Which::All } else { Which::One(args.prompt.case.clone()) }
    }
}

/// A piece of the preview.
#[derive(Debug)]
pub enum PreviewPiece {
    /// External or own text in one style.
    Styled(Style, String),
    /// A problem, already formatted for the terminal.
    Problem(Severity, String),
}

/// The preview of a prompt.
#[derive(Debug)]
pub struct Drawing {
    /// The text and the problems, in display order.
    pub pieces: Vec<PreviewPiece>,
    /// The cases that are shown.
    pub cases: Vec<OpenedCase>,
    /// Whether the engine would fail in one of them.
    pub failed: bool,
    /// Whether a value is missing in one of them.
    has_missing: bool,
    /// The human-readable size of the text; `None` for all cases, whose headings contain it.
    pub size: Option<String>,
    /// The number of problems, and the number of errors among them.
    pub problems: usize,
    pub errors: usize,
    /// Why it is older than the files; `None` if it is not.
    pub stale: Option<String>,
    terminal: Terminal,
}

impl Drawing {
    /// Formats the preview of a prompt for a terminal.
    pub fn new(
        opened: &OpenedPrompt,
        which: &Which,
        terminal: Terminal,
    ) -> Result<Drawing, CommandError> {
        let shows_all = *which == Which::All && !opened.cases().is_empty();
        let cases = match which {
            Which::All if shows_all => {
                let names = opened.cases().into_iter();
                names.map(|case| opened.choose(Some(case))).collect::<Result<Vec<_>, _>>()?
            }
            Which::All => vec![opened.choose(None)?],
            Which::One(case) => vec![opened.choose(case.as_deref())?],
        };
        let mut drawing = Drawing {
            pieces: Vec::new(),
            failed: false,
            has_missing: false,
            size: None,
            problems: 0,
            errors: 0,
            stale: cases.iter().find_map(|opened_case| opened.stale(opened_case)),
            cases: Vec::new(),
            terminal,
        };
        let mut problems = WholeProblems::default();
        for (index, opened_case) in cases.iter().enumerate() {
            let case = opened_case.case.as_deref().filter(|_| shows_all);
            // The last good state is shown, and the reason is reported elsewhere.
            if !opened_case.unusable.is_empty() && drawing.stale.is_none() {
                drawing.heading(case, None, index > 0);
                drawing.styled(FAILURE, "its files cannot be used\n");
                if !shows_all {
                    problems = opened.problems_in(opened_case);
                }
                continue;
            }
            if let Some(chat) = opened.chat() {
                let inputs = opened_case.inputs();
                let resolved = opened.file().resolve_chat(chat, &inputs, DEFAULT_MAX_OUTPUT);
                let size = size_of(&resolved.text, &opened_case.snapshot.settings);
                drawing.heading(case, Some(&size), index > 0);
                drawing.chat(&resolved);
                if !shows_all {
                    problems = opened.problems_in(opened_case);
                    drawing.size = Some(size);
                }
                continue;
            }
            let Some(given) = opened_case.given(DEFAULT_MAX_OUTPUT) else { continue };
            let template = opened.template(opened_case);
            let resolution = opened_case.snapshot.resolve_with(&template, &given);
            drawing.failed |= resolution.error.is_some();
            drawing.has_missing |= !resolution.missing().is_empty();
            let size = size_of(&resolution.text, &opened_case.snapshot.settings);
            drawing.heading(case, Some(&size), index > 0);
            drawing.resolution(&resolution);
            if !shows_all {
                problems = opened.problems_of_resolved(opened_case, &resolution);
                drawing.size = Some(size);
            }
        }
        if shows_all {
            problems = opened.problems();
        }
        drawing.show_problems(&problems, opened);
        drawing.cases = cases;
        Ok(drawing)
    }

    /// Whether the files of all cases can be used.
    fn is_usable(&self) -> bool {
        self.cases.iter().all(|opened_case| opened_case.unusable.is_empty())
    }

    fn styled(&mut self, style: Style, text: impl Into<String>) {
        self.pieces.push(PreviewPiece::Styled(style, text.into()));
    }

    /// The heading of a case, if there is one, with the size of its text on the right.
    fn heading(&mut self, case: Option<&str>, size: Option<&str>, has_gap: bool) {
        let Some(case) = case else { return };
        if has_gap {
            self.styled(Style::new(), "\n");
        }
        let start = format!("── case {case} ");
        let end = size.map(|size| format!(" {size} ──")).unwrap_or_default();
        let used = start.width() + end.width();
        let rest = self.terminal.width.min(80).saturating_sub(used).max(1);
        self.styled(HEADING, format!("{start}{}", "─".repeat(rest)));
        self.styled(RULE, end + "\n");
    }

    /// The messages of a chat, each below its role.
    fn chat(&mut self, chat: &ChatResolution) {
        self.failed |= chat.error.is_some();
        self.error(chat.error.as_ref());
        for message in &chat.messages {
            let MessageSpan { heading, body, .. } = &message.span;
            if heading.start > 0 {
                self.styled(Style::new(), "\n");
            }
            self.styled(HEADING, &chat.text[heading.clone()]);
            let text = &chat.text[body.clone()];
            match &message.source {
                MessageSource::Prompt(_, resolution) => {
                    self.has_missing |= !resolution.missing().is_empty();
                    self.runs(text, resolution);
                }
                source => {
                    let style = match source {
                        MessageSource::Inputs(..) => VALUE,
                        MessageSource::Code => Style::new(),
                        _ => RULE,
                    };
                    self.styled(style, text);
                    self.end_line(text.ends_with('\n'));
                }
            }
        }
    }

    fn resolution(&mut self, resolution: &Resolution) {
        self.error(resolution.error.as_ref());
        self.runs(&resolution.text, resolution);
    }

    fn error(&mut self, error: Option<&EngineError>) {
        if let Some(error) = error {
            let message = match error.instead {
                Some(instead) => format!("the engine fails: {}\n{instead}", error.message),
                None => format!("the engine would send nothing: {}", error.message),
            };
            self.styled(FAILURE, message);
            self.styled(Style::new(), "\n\n");
        }
    }

    /// The text of a resolution, run by run.
    fn runs(&mut self, all: &str, resolution: &Resolution) {
        let missing = resolution.missing();
        let mut ends_line = true;
        for run in &resolution.map.runs {
            let style = style_of(run, &missing);
            let text = match &run.path {
                // Agentle sends nothing for a missing value, which must be visible.
                Some(path) if style == MISSING && run.output.is_empty() => format!("⟨{path}⟩"),
                _ => all[run.output.clone()].to_owned(),
            };
            if !text.is_empty() {
                ends_line = text.ends_with('\n');
                self.styled(style, text);
            }
        }
        self.end_line(ends_line);
    }

    fn end_line(&mut self, is_ended: bool) {
        if !is_ended {
            self.styled(Style::new(), "\n");
        }
    }

    fn show_problems(&mut self, problems: &WholeProblems, opened: &OpenedPrompt) {
        let problems: Vec<(&Problem, &Sources)> = opened.with_sources(problems).collect();
        if problems.is_empty() {
            return;
        }
        self.problems = problems.len();
        let is_error = |(problem, _): &&(&Problem, &Sources)| problem.severity == Severity::Error;
        self.errors = problems.iter().filter(is_error).count();
        let rule = rule(self.terminal);
        self.styled(RULE, rule + "\n");
        let excerpts = Excerpts::new(self.terminal);
        for (problem, sources) in problems {
            let shown = excerpts.show(problem, sources);
            self.pieces.push(PreviewPiece::Problem(problem.severity, shown));
        }
    }

    /// The whole preview for stdout.
    pub fn printed(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                PreviewPiece::Styled(style, piece) => {
                    print_styled(&mut text, *style, piece, self.terminal);
                }
                PreviewPiece::Problem(_, piece) => text.push_str(piece),
            }
        }
        if let Some(size) = &self.size {
            let last = format!("{}\n{size}\n", rule(self.terminal));
            print_styled(&mut text, RULE, &last, self.terminal);
        }
        text
    }
}

/// A horizontal rule for a terminal.
fn rule(terminal: Terminal) -> String {
    "─".repeat(terminal.width.min(80))
}

/// A printed horizontal rule for a terminal.
pub fn printed_rule(terminal: Terminal) -> String {
    let mut text = String::new();
    print_styled(&mut text, RULE, &(rule(terminal) + "\n"), terminal);
    text
}

fn print_styled(to: &mut String, style: Style, text: &str, terminal: Terminal) {
    let text = visible(text);
    if !terminal.colours {
        to.push_str(&text);
        return;
    }
    // Pagers and terminals reset styles at the end of a line.
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            to.push('\n');
        }
        if !line.is_empty() {
            to.push_str(&format!("{style}{line}{style:#}"));
        }
    }
}

/// The size in words: "12 words, 80 characters, 20 of 2000 tokens".
fn size_of(text: &str, settings: &Settings) -> String {
    let Stats { words, characters, .. } = Stats::of(text);
    let tokens = settings.encoding.split(text).count();
    let tokens = match settings.max_tokens {
        Some(limit) => format!("{tokens} of {}", counted(limit, "token")),
        None => counted(tokens, "token"),
    };
    format!("{}, {}, {tokens}", counted(words, "word"), counted(characters, "character"))
}

fn style_of(run: &Run, missing: &HashSet<&Range<usize>>) -> Style {
    let is_missing = run.origin.is_none() && missing.contains(&run.source);
    match run.kind {
        RunKind::Literal | RunKind::Value if is_missing => MISSING,
        RunKind::Literal => Style::new(),
        RunKind::Value => VALUE,
        RunKind::Escape => ESCAPE,
        RunKind::Mixed => MIXED,
    }
}
