//! Sections that can be added to a prompt: their texts, and their placement.

use std::ops::Range;

use promptls_analysis::{
    ActionId, ActionKind, ActionName, Change, CodeAction, Completion, CompletionKind, Snapshot,
    TextEdit,
};
use promptls_builder::{Delimiters, Language, Template, builder};
use promptls_resolver::{FileId, Location};

/// The number of bytes of a prompt that are searched for the style of its headings.
const MAX_HEAD: usize = 64 * 1024;

/// The number of bytes around a position that are searched for the ends of its line. Longer lines
/// get no sections.
const MAX_LINE: usize = 4 * 1024;

/// Marks a gap in a text, to be filled in by the user.
const GAP: char = '…';

/// A line to which sections can be added.
struct SectionLine {
    /// The line without its line break.
    range: Range<usize>,
    line: String,
    /// The separator between a section that replaces the line and the text above it.
    above: &'static str,
    /// The separator from the text below it.
    below: &'static str,
    has_carriage_returns: bool,
}

impl SectionLine {
    fn at(snapshot: &Snapshot, offset: usize) -> Option<SectionLine> {
        let text = &snapshot.text;
        let head = text.before(offset, MAX_LINE);
        let tail = text.after(offset, MAX_LINE);
        let start = head.rfind('\n').map_or(0, |at| at + 1);
        if start == 0 && head.len() < offset {
            return None;
        }
        let (rest, next) = match tail.split_once('\n') {
            Some((rest, next)) => (rest, Some(next)),
            None => (&*tail, None),
        };
        let has_carriage_returns = rest.ends_with('\r');
        let rest = rest.strip_suffix('\r').unwrap_or(rest);
        let previous = head[..start].lines().next_back().unwrap_or_default();
        let next_line = next.and_then(|next| next.lines().next());
        Some(SectionLine {
            range: offset - (head.len() - start)..offset + rest.len(),
            line: format!("{}{rest}", &head[start..]),
            above: if previous.trim().is_empty() { "" } else { "\n" },
            below: match next_line {
                Some(line) if line.trim().is_empty() => "",
                _ => "\n",
            },
            has_carriage_returns,
        })
    }

    fn is_blank(&self) -> bool {
        self.line.trim().is_empty()
    }

    /// A section, adapted to this line.
    fn fitted(&self, section: &str) -> String {
        let above = if self.is_blank() { self.above } else { "\n\n" };
        let text = format!("{above}{section}{}", self.below);
        if self.has_carriage_returns { text.replace('\n', "\r\n") } else { text }
    }
}

/// A section of a prompt.
struct Section {
    name: &'static str,
    summary: &'static str,
    text: String,
}

/// All sections of the prompt's dialect, in the style of the prompt.
fn sections(snapshot: &Snapshot, language: &str) -> Vec<Section> {
    let language = Language::find(language).unwrap_or(Language::english());
    let style = Delimiters::of(&snapshot.text.start(MAX_HEAD)).unwrap_or(Delimiters::Headers);
    let section = |(name, template): (&'static String, &'static Template)| {
        let prompt = builder(snapshot.dialect(), language).delimiters(style);
        let text = prompt.apply(template, [""; 0]).build().ok()?.text;
        Some(Section { name, summary: &template.summary, text })
    };
    language.sections().iter().filter_map(section).collect()
}

/// The actions that add a section. It replaces a blank line; with `in_any_line`, it is also added
/// after other lines.
pub fn actions(
    snapshot: &Snapshot,
    offset: usize,
    in_any_line: bool,
    language: &str,
) -> Vec<CodeAction> {
    let place = SectionLine::at(snapshot, offset).filter(|place| in_any_line || place.is_blank());
    let Some(place) = place else { return Vec::new() };
    let range = match place.is_blank() {
        true => place.range.clone(),
        false => place.range.end..place.range.end,
    };
    let action = |section: Section| CodeAction {
        id: ActionId::new(ActionName::InsertSection, section.name),
        title: format!("Insert section: {}", section.name),
        kind: ActionKind::Insert,
        fixes: None,
        is_preferred: false,
        is_safe: false,
        changes: vec![Change::Text(TextEdit {
            location: Location { file: FileId::PROMPT, range: range.clone() },
            text: place.fitted(&section.text),
        })],
        disabled: None,
    };
    sections(snapshot, language).into_iter().map(action).collect()
}

/// Completions for sections whose names begin with the only word of a paragraph that is being
/// typed.
pub fn proposals(snapshot: &Snapshot, offset: usize, language: &str) -> Vec<Completion> {
    let Some(place) = SectionLine::at(snapshot, offset) else { return Vec::new() };
    let word = place.line.trim_end();
    let is_typed = offset == place.range.start + word.len();
    if !is_typed || word.is_empty() || !place.above.is_empty() {
        return Vec::new();
    }
    let replaced = place.range.start..offset;
    let is_it = |section: &Section| section.name.starts_with(&*word.to_lowercase());
    let proposal = |section: Section| {
        let text = section.text;
        let new =
            |text| Completion::new(CompletionKind::Block, section.name, replaced.clone(), text);
        Completion {
            snippet: Some(snippet(&text)),
            detail: section.summary.to_owned(),
            ..new(text)
        }
    };
    sections(snapshot, language).into_iter().filter(is_it).map(proposal).collect()
}

/// Converts a text to a snippet with a tab stop in each gap.
fn snippet(text: &str) -> String {
    let mut snippet = String::new();
    let mut stops = 0;
    for letter in text.chars() {
        match letter {
            GAP => {
                stops += 1;
                snippet.push_str(&format!("${{{stops}:{GAP}}}"));
            }
            '\\' | '$' | '}' => snippet.extend(['\\', letter]),
            letter => snippet.push(letter),
        }
    }
    snippet
}
