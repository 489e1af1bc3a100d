//! Writes keys and values into incomplete JSON and YAML.

use promptls_data::yaml_form::is_word;
use promptls_resolver::{FileId, Format};
use serde_json::Value as Json;

use super::inputs_cursor::InputsCursor;
use super::proposal::{Completion, CompletionKind, snippet_text};
use super::{json, yaml};

/// The syntax of a text in a file of a format: JSON in a YAML file is written as JSON.
pub(super) fn written_as(text: &str, format: Format) -> Format {
    let is_json = || text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '/']);
    if format == Format::Yaml && is_json() { Format::Json } else { format }
}

/// The position at an offset of a text.
pub(super) fn place_in(text: &str, format: Format, offset: usize) -> Option<InputsCursor> {
    match format {
        Format::Json => json::place(text, offset),
        Format::Yaml => yaml::place(text, offset),
        // Incomplete TOML is not supported yet.
        Format::Toml => None,
    }
}

/// Writes completions at a position.
pub(super) struct CompletionWriter<'a> {
    pub text: &'a str,
    pub format: Format,
    pub place: &'a InputsCursor,
}

impl CompletionWriter<'_> {
    /// A key, with a value unless it has one.
    pub fn key(&self, key: &str, value: Option<Skeleton>) -> Completion {
        let written = self.text_of(key);
        let mut inserted = written.clone();
        let snippet = value.map(|value| {
            let comma = self.comma();
            inserted.push_str(&format!(": {}{comma}", value.text));
            format!("{}: {}{comma}", snippet_text(&written), value.snippet)
        });
        let replaced = self.place.word.clone();
        Completion {
            filter: Some(written),
            snippet,
            comma_at: self.place.comma_before,
            ..Completion::new(CompletionKind::Key, key, replaced, inserted)
        }
    }

    /// A value with its description.
    pub fn value(&self, value: &Json, detail: String) -> Completion {
        let written = self.written(value);
        let label = value.as_str().map_or_else(|| written.clone(), str::to_owned);
        let inserted = format!("{written}{}", self.comma());
        let replaced = self.place.word.clone();
        Completion {
            filter: Some(written),
            detail,
            ..Completion::new(CompletionKind::Value, &label, replaced, inserted)
        }
    }

    fn comma(&self) -> &'static str {
        if self.place.comma_behind { "," } else { "" }
    }

    /// The source form of a value at this position.
    pub fn written(&self, value: &Json) -> String {
        match value {
            Json::String(text) => self.text_of(text),
            _ => one_line(value),
        }
    }

    /// The source form of a text: without quotes if YAML reads it as the same text.
    fn text_of(&self, text: &str) -> String {
        let has_quote = self.text[self.place.word.clone()].starts_with('"');
        let quoted = Json::from(text).to_string();
        if self.format == Format::Json || has_quote {
            return quoted;
        }
        let yaml = promptls_resolver::parse_value(text, Format::Yaml, FileId::PROMPT, "");
        let is_same = yaml.value.is_some_and(|value| value.as_text() == Some(text));
        let is_plain = is_same && !text.contains([':', '#', '\n']) || is_plain_key(text);
        if is_plain && !is_word(text) { text.to_owned() } else { quoted }
    }
}

/// Returns whether a text with a colon is a key that needs no quotes: `app:name`.
fn is_plain_key(text: &str) -> bool {
    let is_plain = |character: char| character.is_alphanumeric() || "_$.:-".contains(character);
    text.starts_with(char::is_alphabetic) && text.chars().all(is_plain) && !text.ends_with(':')
}

fn one_line(value: &Json) -> String {
    let mut skeleton = Skeleton::default();
    skeleton.write(value);
    skeleton.text
}

/// Escapes a text for a tab stop of a snippet.
fn in_stop(text: &str) -> String {
    snippet_text(text).replace('}', "\\}")
}

/// A value on one line: as plain text, and with a tab stop at each scalar.
#[derive(Default)]
pub(super) struct Skeleton {
    text: String,
    snippet: String,
    stops: usize,
}

impl Skeleton {
    pub fn write(&mut self, value: &Json) {
        match value {
            Json::Array(items) => {
                self.both("[");
                for (index, item) in items.iter().enumerate() {
                    self.both(if index > 0 { ", " } else { "" });
                    self.write(item);
                }
                self.both("]");
            }
            Json::Object(members) => {
                self.both("{");
                for (index, (key, value)) in members.iter().enumerate() {
                    self.both(if index > 0 { ", " } else { "" });
                    self.both(&format!("{}: ", Json::from(&**key)));
                    self.write(value);
                }
                self.both("}");
            }
            Json::Bool(first) => {
                self.choice(&[first.to_string(), (!first).to_string()]);
            }
            scalar => {
                self.stops += 1;
                let (stop, text) = (self.stops, scalar.to_string());
                self.snippet.push_str(&match text
                    .strip_prefix('"')
                    .and_then(|t| t.strip_suffix('"'))
                {
                    Some("") => format!("\"${stop}\""),
                    Some(inner) => format!("\"${{{stop}:{}}}\"", in_stop(inner)),
                    None => format!("${{{stop}:{}}}", in_stop(&text)),
                });
                self.text.push_str(&text);
            }
        }
    }

    /// Adds a choice of texts; the first one is the default.
    pub fn choice(&mut self, choices: &[String]) {
        self.stops += 1;
        let escaped =
            choices.iter().map(|choice| in_stop(choice).replace(',', "\\,").replace('|', "\\|"));
        let escaped: Vec<String> = escaped.collect();
        self.snippet.push_str(&format!("${{{}|{}|}}", self.stops, escaped.join(",")));
        self.text.extend(choices.first().cloned());
    }

    fn both(&mut self, text: &str) {
        self.text.push_str(text);
        self.snippet.push_str(&snippet_text(text));
    }
}
