//! The output of `promptls diff`: texts that differ, and the words in which they differ.

mod html;
mod markdown;

use std::io;

use anstyle::Style;
use promptls_analysis::{DiffPart, Marks, TokenEncoding, changed_lines};
use promptls_protocol::{
    ComparedPart, ComparedText, DiffOutput, Difference, DifferenceKind, EngineError,
};
use promptls_workspace::{SentText, commit_name};

use crate::args::DiffFormat;
use crate::output::json::to_json;
use crate::output::log_lines::log_lines;
use crate::output::prompt_address::prompt_address;
use crate::output::visible::{visible, visible_line};
use crate::output::word_diff::{counts, marks_of_terminal, words};

/// One side of a comparison: a text with its case and revision.
pub struct Side<'s> {
    /// The text sent to the model; `None` if there is no such text.
    pub sent: Option<&'s SentText>,
    pub case: Option<&'s str>,
    /// The revision; `None` for the current state.
    pub revision: Option<&'s str>,
    /// A note for the reader.
    pub note: Option<String>,
}

/// The difference between two sides of a prompt.
pub fn difference(
    file: String,
    task: Option<String>,
    left: &Side<'_>,
    right: &Side<'_>,
    encoding: TokenEncoding,
) -> Difference {
    let text = |side: &Side<'_>| {
        side.sent.map(|sent| ComparedText {
            case: side.case.map(str::to_owned),
            revision: side.revision.map(str::to_owned),
            note: side.note.clone(),
            text: sent.text.clone(),
            error: sent.error.clone().map(EngineError::from),
        })
    };
    let tokens = |side: &Side<'_>| side.sent.map_or(0, |sent| encoding.split(&sent.text).count());
    let texts = [left, right].map(|side| side.sent.map_or("", |sent| &*sent.text));
    let parts = words(texts[0], texts[1]);
    let [removed_words, added_words] = counts(texts[0], texts[1], &parts);
    let kind = match (left.sent, right.sent) {
        (None, _) => DifferenceKind::Added,
        (_, None) => DifferenceKind::Removed,
        _ => DifferenceKind::Changed,
    };
    let compared = |part: DiffPart| ComparedPart {
        same: part.same,
        left: [part.left.start, part.left.end],
        right: [part.right.start, part.right.end],
    };
    let is_changed = kind == DifferenceKind::Changed;
    let parts = if is_changed { parts.into_iter().map(compared).collect() } else { Vec::new() };
    Difference {
        file,
        moved_from: None,
        task,
        kind,
        left: text(left),
        right: text(right),
        parts,
        removed_words,
        added_words,
        left_tokens: tokens(left),
        right_tokens: tokens(right),
    }
}

/// The report in a format. `colours` is for a terminal.
pub fn text(format: DiffFormat, report: &DiffOutput, colours: bool) -> io::Result<String> {
    Ok(match format {
        DiffFormat::Human => log_lines(&human(report, colours)).into_owned(),
        DiffFormat::Concise => {
            let lines: String = report.differences.iter().map(|it| in_line(it) + "\n").collect();
            log_lines(&lines).into_owned()
        }
        DiffFormat::Markdown => markdown::comment(report),
        DiffFormat::Html => html::page(report),
        DiffFormat::Json => to_json(report)?,
    })
}

/// One line without a line end, such as `both cases become the same text`.
pub fn summary(report: &DiffOutput) -> String {
    let DiffOutput { compared, differences, from, to, .. } = report;
    let Some(from) = from else {
        return match differences.is_empty() {
            true => "both cases give the same text".to_owned(),
            false => "the texts of both cases differ".to_owned(),
        };
    };
    let texts = if *compared == 1 { "text" } else { "texts" };
    let until = to.as_deref().map(|to| format!(" until {}", commit_name(to))).unwrap_or_default();
    let since = format!("since {}{until}", commit_name(from));
    match differences.len() {
        0 => format!("none of {compared} {texts} sent to a model changed {since}"),
        count => format!("{count} of {compared} {texts} sent to a model changed {since}"),
    }
}

fn human(report: &DiffOutput, colours: bool) -> String {
    let bold = if colours { Style::new().bold() } else { Style::new() };
    let marks = marks_of_terminal(colours);
    let mut shown = String::new();
    for difference in &report.differences {
        shown.push_str(&format!("{bold}{}{bold:#}\n", in_line(difference)));
        for line in
            notes(difference).iter().map(|line| visible(line)).chain(lines(difference, &marks))
        {
            shown.push_str(&format!("  {line}\n"));
        }
    }
    shown
}

/// `support.adk.prompt, case angry: changed, +3 -1 words, 120 → 125 tokens`
fn in_line(difference: &Difference) -> String {
    let moved = difference.moved_from.as_deref();
    let moved = moved.map(|was| format!(" (was {was})")).unwrap_or_default();
    let name = format!("{}{moved}{}", name(difference), in_case(difference));
    format!("{}: {}", visible_line(&name), what_changed(difference))
}

/// The file, with the name of a prompt in a pack: `support.pack.json#greeting`.
fn name(difference: &Difference) -> String {
    prompt_address(&difference.file, difference.task.as_deref())
}

/// `, case angry`, or both cases; empty without cases.
fn in_case(difference: &Difference) -> String {
    match &cases(difference)[..] {
        [] => String::new(),
        [case] => format!(", case {case}"),
        cases => format!(", cases {}", cases.join(" and ")),
    }
}

/// The case of both texts, or one for each.
fn cases(difference: &Difference) -> Vec<&str> {
    let sides = [&difference.left, &difference.right].into_iter().flatten();
    let mut cases: Vec<&str> = sides.filter_map(|text| text.case.as_deref()).collect();
    cases.dedup();
    cases
}

/// Whether there are two texts whose words can be compared.
fn has_words(difference: &Difference) -> bool {
    difference.kind == DifferenceKind::Changed
}

/// `changed, +3 -1 words, 120 → 125 tokens`
fn what_changed(difference: &Difference) -> String {
    format!(
        "{}, {} words, {} tokens",
        verb(difference),
        word_counts(difference),
        tokens(difference)
    )
}

fn verb(difference: &Difference) -> &'static str {
    match difference.kind {
        DifferenceKind::Changed => "changed",
        DifferenceKind::Added => "added",
        DifferenceKind::Removed => "removed",
    }
}

fn word_counts(difference: &Difference) -> String {
    format!("+{} -{}", difference.added_words, difference.removed_words)
}

fn tokens(difference: &Difference) -> String {
    format!("{} → {}", difference.left_tokens, difference.right_tokens)
}

/// Notes about the texts, and the engine's errors.
fn notes(difference: &Difference) -> Vec<String> {
    let error = |text: &ComparedText| {
        let error = text.error.as_ref()?;
        let side = match (&text.revision, &text.case) {
            (Some(revision), _) => format!("in {}", commit_name(revision)),
            (None, Some(case)) => format!("now, in case {case}"),
            (None, None) => "now".to_owned(),
        };
        Some(format!("{side}, the engine fails: {}", error.message))
    };
    let of = |text: &ComparedText| [text.note.clone(), error(text)].into_iter().flatten();
    [&difference.left, &difference.right].into_iter().flatten().flat_map(of).collect()
}

/// The lines in which words differ; empty if one of the texts is missing.
fn lines(difference: &Difference, marks: &Marks) -> Vec<String> {
    let (Some(left), Some(right)) = (&difference.left, &difference.right) else {
        return Vec::new();
    };
    let part = |part: &ComparedPart| DiffPart {
        same: part.same,
        left: part.left[0]..part.left[1],
        right: part.right[0]..part.right[1],
    };
    let parts: Vec<DiffPart> = difference.parts.iter().map(part).collect();
    changed_lines(&left.text, &right.text, &parts, marks)
}

/// The same lines, marked up in HTML.
fn html_lines(difference: &Difference) -> Vec<String> {
    let around = |tag: &str| [format!("<{tag}>"), format!("</{tag}>")];
    let marks =
        Marks { gone: around("del"), new: around("ins"), escape: |text| escaped(text).into() };
    let notes = notes(difference).into_iter().map(|line| escaped(&line));
    let lines = notes.chain(lines(difference, &marks));
    lines.map(|line| log_lines(&line).into_owned()).collect()
}

/// HTML for a text, with control characters made visible.
fn escaped(text: &str) -> String {
    quick_xml::escape::escape(visible(text)).into_owned()
}
