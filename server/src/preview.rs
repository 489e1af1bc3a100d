//! `promptls preview`: the resolved text with its problems, for a person at a terminal.

use std::collections::HashSet;
use std::ops::Range;
use std::process::ExitCode;

use anstyle::{AnsiColor, Effects, Style};
use promptls_analysis::{DEFAULT_MAX_PROBLEMS, Settings, diagnose};
use promptls_resolver::{DEFAULT_MAX_OUTPUT, Problem, Resolution, Run, RunKind};

use crate::chosen::{Chosen, OpenedPrompt};
use crate::cli::{COULD_NOT_RUN, PreviewArgs};
use crate::errors::CommandError;
use crate::excerpts::Excerpts;
use crate::report::Stats;
use crate::terminal::{self, Terminal};

const VALUE: Style = AnsiColor::Cyan.on_default();
const ESCAPE: Style = AnsiColor::Magenta.on_default();
const MIXED: Style = AnsiColor::Yellow.on_default();
const MISSING: Style = AnsiColor::Red.on_default().effects(Effects::INVERT);
const FAILURE: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
const HEADING: Style = Style::new().bold();
const RULE: Style = Style::new().dimmed();

/// Shows what becomes of a prompt.
pub fn run(args: &PreviewArgs) -> Result<ExitCode, CommandError> {
    let opened = OpenedPrompt::open(&args.prompt, None)?;
    let shows_all = args.all_cases && !opened.cases().is_empty();
    let chosen = if shows_all {
        let names = opened.cases();
        names.into_iter().map(|case| opened.choose(Some(case))).collect::<Result<Vec<_>, _>>()?
    } else {
        vec![opened.choose(args.prompt.case.as_deref())?]
    };
    opened.mention_guess();

    let terminal = Terminal::of_stdout();
    let mut shown = Shown { terminal, text: String::new() };
    let mut problems = Vec::new();
    let mut failed = false;
    let mut size = None;
    for (index, chosen) in chosen.iter().enumerate() {
        opened.mention_unusable(chosen);
        let case = chosen.case.as_deref().filter(|_| shows_all);
        if !chosen.unusable.is_empty() {
            shown.heading(case, None, index > 0);
            shown.styled(FAILURE, "its files cannot be used");
            shown.text.push('\n');
            problems.extend(chosen.unusable.iter().cloned());
            continue;
        }
        let Some(given) = chosen.given(DEFAULT_MAX_OUTPUT) else { continue };
        let resolution = opened.template(chosen).resolve(&given);
        failed |= resolution.error.is_some();
        let own_size = size_of(&resolution.text, &chosen.snapshot.settings);
        shown.heading(case, Some(&own_size), index > 0);
        shown.resolution(&resolution);
        if !shows_all {
            problems.extend(chosen.problems(&resolution));
            size = Some(own_size);
        }
    }
    if shows_all {
        problems = diagnose(&opened.loaded.snapshot, DEFAULT_MAX_PROBLEMS);
    }
    shown.problems(&problems, &opened);
    shown.size(size.as_deref());
    terminal::print(&shown.text)?;

    let is_usable = chosen.iter().all(|chosen: &Chosen| chosen.unusable.is_empty());
    Ok(match (is_usable, failed) {
        (false, _) => ExitCode::from(COULD_NOT_RUN),
        (true, true) => ExitCode::FAILURE,
        (true, false) => ExitCode::SUCCESS,
    })
}

/// What is shown so far.
struct Shown {
    terminal: Terminal,
    text: String,
}

impl Shown {
    fn styled(&mut self, style: Style, text: &str) {
        if !self.terminal.colours {
            self.text.push_str(text);
            return;
        }
        let text = visible(text);
        // Pagers and terminals forget a style at the end of a line.
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.text.push('\n');
            }
            if !line.is_empty() {
                self.text.push_str(&format!("{style}{line}{style:#}"));
            }
        }
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// The heading of a case, if there is one, with the size of its text at the right.
    fn heading(&mut self, case: Option<&str>, size: Option<&str>, has_gap: bool) {
        let Some(case) = case else { return };
        if has_gap {
            self.text.push('\n');
        }
        let start = format!("── case {case} ");
        let end = size.map(|size| format!(" {size} ──")).unwrap_or_default();
        let used = start.chars().count() + end.chars().count();
        let rest = self.terminal.width.min(80).saturating_sub(used).max(1);
        self.styled(HEADING, &format!("{start}{}", "─".repeat(rest)));
        self.styled(RULE, &end);
        self.text.push('\n');
    }

    fn rule(&mut self) {
        self.styled(RULE, &"─".repeat(self.terminal.width.min(80)));
        self.text.push('\n');
    }

    /// The last line.
    fn size(&mut self, size: Option<&str>) {
        let Some(size) = size else { return };
        self.rule();
        self.styled(RULE, size);
        self.text.push('\n');
    }

    fn resolution(&mut self, resolution: &Resolution) {
        if let Some(error) = &resolution.error {
            self.styled(FAILURE, &format!("the engine would send nothing: {}", error.message));
            self.text.push_str("\n\n");
        }
        let missing = resolution.missing();
        for run in &resolution.map.runs {
            let style = style_of(run, &missing);
            match &run.path {
                // Agentle sends nothing there; that must be seen, too.
                Some(path) if style == MISSING && run.output.is_empty() => {
                    self.styled(style, &format!("⟨{path}⟩"));
                }
                _ => self.styled(style, &resolution.text[run.output.clone()]),
            }
        }
        self.end_line();
    }

    fn problems(&mut self, problems: &[Problem], opened: &OpenedPrompt) {
        if problems.is_empty() {
            return;
        }
        self.rule();
        let excerpts = Excerpts::new(self.terminal);
        for problem in opened.in_files(problems.to_vec()) {
            self.text.push_str(&excerpts.show(&problem, &opened.sources));
        }
    }
}

/// "12 words, 80 characters, 20 of 2000 tokens"
fn size_of(text: &str, settings: &Settings) -> String {
    let Stats { words, characters, .. } = Stats::of(text);
    let tokens = settings.encoding.split(text).count();
    let counted =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
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

/// The text with its control characters made visible: a value must not steer the terminal.
fn visible(text: &str) -> String {
    let picture = |character: char| match character {
        '\n' | '\t' => character,
        '\u{0}'..='\u{1F}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(character),
        '\u{7F}' => '␡',
        '\u{80}'..='\u{9F}' => '\u{FFFD}',
        _ => character,
    };
    text.chars().map(picture).collect()
}
