//! `promptls explain`: a page for each problem code, and for each engine.

use promptls_analysis::did_you_mean;
use promptls_resolver::Code;

use anstyle::{AnsiColor, Style};

use super::engines;
use crate::addresses::page_of;
use crate::errors::CommandError;
use crate::output::terminal::{self, Terminal};
use promptls_workspace::explain::{page, summary};
use promptls_workspace::parse_engine;

/// The prefix of engine names.
const ENGINE: &str = "engine:";

/// Prints the page about a code, or all codes.
pub fn run(code: Option<&str>) -> Result<(), CommandError> {
    let terminal = Terminal::of_stdout();
    let Some(id) = code else {
        return terminal::print(&list());
    };
    if let Some(engine) = id.strip_prefix(ENGINE) {
        return terminal::print(&engines::page(
            parse_engine(engine).map_err(CommandError::Engine)?,
        ));
    }
    let code = Code::from_id(id)
        .ok_or_else(|| CommandError::UnknownCode { code: id.to_owned(), hint: suggestion(id) })?;
    let page = page(code);
    let text = if terminal.colours { with_bold_headings(page) } else { page.to_owned() };
    terminal::print(&format!("{text}\n{}\n", page_of(code)))
}

/// The code with a similar spelling; else the codes that contain the word; else all codes.
fn suggestion(id: &str) -> String {
    let codes = || Code::ALL.iter().map(|code| code.id());
    let near = did_you_mean(id, codes());
    if !near.is_empty() {
        return near;
    }
    let with_word: Vec<&str> =
        codes().filter(|code| code.split('-').any(|word| word == id)).collect();
    let known = if with_word.is_empty() { codes().collect() } else { with_word };
    format!("; there are {}", known.join(", "))
}

/// All codes, with their severities and titles.
fn list() -> String {
    let mut list = String::new();
    for code in Code::ALL {
        let summary = summary(*code);
        list.push_str(&format!("{} ({})\n    {summary}\n", code.id(), code.severity().id()));
    }
    list.push_str("\nSee `promptls explain CODE` for details.\n");
    list
}

fn with_bold_headings(page: &str) -> String {
    const HEADING: Style = Style::new().bold();
    const CODE: Style = AnsiColor::Cyan.on_default();
    let mut in_code = false;
    let mut shown = String::new();
    for line in page.lines() {
        let is_fence = line.starts_with("```");
        let style = match () {
            () if in_code || is_fence => CODE,
            () if line.starts_with('#') => HEADING,
            () => Style::new(),
        };
        in_code ^= is_fence;
        shown.push_str(&format!("{style}{line}{style:#}\n"));
    }
    shown
}
