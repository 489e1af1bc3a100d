//! Styles that separate sections.

use crate::outline::named;
use serde::Deserialize;

named! {
    /// The style that separates sections.
    pub enum Delimiters {
        /// Elements such as `<document name="faq.md">` … `</document>`, named by the heading in
        /// lower case.
        Xml = "xml",
        /// A heading, and a fence of backticks around the text.
        Backticks = "backticks",
        /// Markdown headings: `# Task`, with one more `#` per nesting level.
        Headers = "headers",
        /// `--- Task ---` before each section, without a closing delimiter.
        Dashes = "dashes",
        /// `[Task]` … `[/Task]`; an error if the text contains `[/Task]`.
        Brackets = "brackets",
        /// `{Task}` … `{/Task}`; an error if the dialect parses such braces.
        Braces = "braces",
    }
}

impl Delimiters {
    /// The style of a prompt, detected from its first heading.
    pub fn of(text: &str) -> Option<Delimiters> {
        let mut before = "";
        for line in text.lines().map(str::trim_end) {
            let between = |open: &str, close: &str| line.strip_prefix(open)?.strip_suffix(close);
            let is_closed = |name: Option<&str>, open: &str, close: &str| {
                name.is_some_and(|name| text.contains(&format!("{open}{name}{close}")))
            };
            let found = if line.trim_start_matches('#').starts_with(' ') && line.starts_with('#') {
                Delimiters::Headers
            } else if between("--- ", " ---").is_some() {
                Delimiters::Dashes
            } else if is_closed(between("<", ">").and_then(element), "</", ">") {
                Delimiters::Xml
            } else if is_closed(between("[", "]"), "[/", "]") {
                Delimiters::Brackets
            } else if line.starts_with("```") && before.ends_with(':') {
                Delimiters::Backticks
            } else {
                before = line;
                continue;
            };
            return Some(found);
        }
        None
    }
}

/// The element name in a tag.
fn element(tag: &str) -> Option<&str> {
    tag.split_whitespace().next()
}

/// The text before and after the text of a section.
pub(crate) struct Frame {
    pub open: String,
    pub close: String,
    /// A text that would end the section if its body contained it.
    pub ends: Option<String>,
}

impl Delimiters {
    /// The frame of a section that contains `body` and is nested in `depth` others.
    ///
    /// `label` distinguishes sections with the same heading: the name of a document, a number.
    pub(crate) fn frame(
        self,
        heading: &str,
        label: Option<(&str, &str)>,
        depth: usize,
        body: &str,
    ) -> Frame {
        let title = match label {
            Some((_, label)) => format!("{heading} {label}"),
            None => heading.to_owned(),
        };
        let between = |open: String, close: String| Frame {
            open: format!("{open}\n"),
            close: format!("\n{close}"),
            ends: Some(close),
        };
        let before = |open: String| Frame { open, close: String::new(), ends: None };
        match self {
            Delimiters::Xml => {
                let tag = xml_name(heading);
                let attribute =
                    label.map(|(name, value)| format!(" {name}=\"{}\"", attribute_value(value)));
                between(format!("<{tag}{}>", attribute.unwrap_or_default()), format!("</{tag}>"))
            }
            Delimiters::Backticks => {
                let fence = "`".repeat(3.max(longest_run(body, '`') + 1));
                Frame {
                    open: format!("{title}:\n{fence}\n"),
                    close: format!("\n{fence}"),
                    ends: None,
                }
            }
            Delimiters::Headers => before(format!("{} {title}\n\n", "#".repeat(depth + 1))),
            Delimiters::Dashes => before(format!("--- {title} ---\n")),
            Delimiters::Brackets => between(format!("[{title}]"), format!("[/{title}]")),
            Delimiters::Braces => {
                // Only a valid name can collide with a placeholder of the dialect.
                let title = xml_name(&title);
                between(format!("{{{title}}}"), format!("{{/{title}}}"))
            }
        }
    }
}

/// A heading as the name of an element: `Output format` is `output_format`.
///
/// It keeps letters and digits of all scripts, which XML allows, too.
fn xml_name(heading: &str) -> String {
    let is_of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let mut name: String = heading
        .trim()
        .to_lowercase()
        .chars()
        .map(|letter| if is_of_name(letter) { letter } else { '_' })
        .collect();
    // Names that start with `xml` belong to XML itself.
    if !name.starts_with(|letter: char| letter.is_alphabetic()) || name.starts_with("xml") {
        name.insert(0, '_');
    }
    name
}

fn attribute_value(text: &str) -> String {
    let mut value = String::new();
    for letter in text.chars() {
        match letter {
            '&' => value.push_str("&amp;"),
            '<' => value.push_str("&lt;"),
            '"' => value.push_str("&quot;"),
            letter if letter.is_control() => value.push(' '),
            letter => value.push(letter),
        }
    }
    value
}

fn longest_run(text: &str, letter: char) -> usize {
    text.split(|other| other != letter).map(str::len).max().unwrap_or(0)
}
