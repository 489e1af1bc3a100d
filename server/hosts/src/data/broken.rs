//! Data files that do not parse, and whether a framework or a mark names them.
//!
//! Only a tree of values shows for certain whether a file belongs to a framework. Without one, its
//! lines are examined: a template of another program often does not parse, and contains some of the
//! same words.

use super::markdown::data_range;
use super::recognisers::{RECOGNISERS, Recogniser};
use crate::language::Language;
use crate::marks::{self, Mark, OPENERS};

/// The starts of comments in all formats.
const COMMENTS: [&str; 3] = ["#", "//", "/*"];

/// A file that does not parse.
pub(super) struct BrokenHost<'s> {
    pub language: Language,
    /// Its data, without the text around a front matter.
    body: &'s str,
    /// The spaces before each key of the root, which are those of its first line.
    indent: &'s str,
}

impl<'s> BrokenHost<'s> {
    pub fn new(language: Language, source: &'s str) -> BrokenHost<'s> {
        let range = data_range(language, source).unwrap_or_default();
        let body = source[range].trim_start_matches('\u{feff}');
        let is_content =
            |line: &&str| !line.trim().is_empty() && !line.starts_with(['#', '%', '-']);
        let first = lines(body).find(is_content).unwrap_or_default();
        let indent = &first[..first.len() - first.trim_start_matches(' ').len()];
        BrokenHost { language, body, indent }
    }

    /// `true` if it has a mark, or belongs to a framework.
    pub fn is_meant(&self) -> bool {
        self.recogniser().is_some() || self.has_mark()
    }

    /// The framework whose files have all features that its lines show.
    ///
    /// Cost: a few passes over it.
    pub fn recogniser(&self) -> Option<&'static Recogniser> {
        let is_one =
            |row: &&Recogniser| row.languages.contains(&self.language) && (row.is_broken_one)(self);
        RECOGNISERS.iter().find(is_one)
    }

    /// `true` if a line starts with a key of the root.
    pub fn has_key(&self, key: &str) -> bool {
        lines(self.body)
            .any(|line| line.strip_prefix(self.indent).is_some_and(|it| is_key(it, key)))
    }

    /// `true` if a line starts with a key of a value at any depth.
    pub fn has_inner_key(&self, key: &str) -> bool {
        lines(self.body).any(|line| line.starts_with(' ') && is_key(line.trim_start(), key))
    }

    /// `true` if it contains a word.
    pub fn mentions(&self, word: &str) -> bool {
        memchr::memmem::find(self.body.as_bytes(), word.as_bytes()).is_some()
    }

    fn has_mark(&self) -> bool {
        let is_mark = |line: &str| {
            let opener = OPENERS.iter().filter_map(|opener| line.find(opener)).min();
            let is_comment = |at: usize| COMMENTS.iter().any(|sign| line[..at].contains(sign));
            opener.is_some_and(is_comment) && matches!(marks::mark(line), Some(Mark::Dialect(_)))
        };
        lines(self.body).any(is_mark)
    }
}

/// `true` if a line without its indentation starts with a key.
fn is_key(line: &str, key: &str) -> bool {
    let line = line.trim_start_matches(['\t', '"', '\'']);
    let rest = line.strip_prefix(key).map(|rest| rest.trim_start_matches(['"', '\'']));
    rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
}

/// Lines without their ends; in YAML, a carriage return alone is one.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_data_counts_as_a_prompt_if_a_framework_or_a_mark_names_it() {
        let agent = "name: a\nmodel: m\ninstruction: [\n";
        for (language, source, is_meant) in [
            (Language::Yaml, agent, true),
            (Language::Yaml, &format!("\u{feff}{agent}"), true),
            (Language::Yaml, &agent.replace('\n', "\r"), true),
            (Language::Yaml, &agent.replace('\n', "\r\n"), true),
            (Language::Yaml, "  name: a\n  model: m\n  instruction: [", true),
            (Language::Yaml, "# a\n\n  name: a\n  model: m\n  instruction: [", true),
            (Language::Yaml, "a:\n  name: a\n  model: m\n  instruction: [", false),
            (Language::Yaml, "a: 1 # b\rc: [ # promptls: adk", true),
            (Language::Yaml, "\tname: a\nmodel: m\n'instruction' : [", true),
            (Language::Yaml, "# $schema=x/AgentConfig.json\ninstruction: [", true),
            (Language::Yaml, "agent_class: LlmAgent\ninstruction: [", true),
            (Language::Yaml, "a: [ # promptls: adk", true),
            (Language::Yaml, "a:\n  role: r\n  goal: g\n  backstory: [", true),
            (Language::Yaml, "a:\n  description: d\n  expected_output: [\n  agent: b", true),
            (Language::Yaml, "a:\n  description: d\n  expected_output: [", false),
            (Language::Yaml, "role: r\ngoal: g\nbackstory: [", false),
            // A template of Helm, a workflow, a list of tests.
            (
                Language::Yaml,
                "apiVersion: v1\nkind: x\nname: a\nmodel: m\ninstruction: {{ a",
                false,
            ),
            (Language::Yaml, "name: a\nsteps:\n  - instruction: [", false),
            (Language::Yaml, "a: [ # promptls: off", false),
            (Language::Yaml, "promptls: [", false),
            (Language::Json, "{\"instruction\": \"a\", \"name\": 1, \"model\": 2}\n{}", false),
            (Language::Json, "{\"$schema\": \"x/AgentConfig.json\", \"instruction\": ", true),
            (Language::Json, "{\"template_engine\": {}, \"prompts\": {\"system_template\":", true),
            (Language::Json, "{\"m\": \"promptls: adk\"}\n{}", false),
            (Language::Markdown, &format!("---\n{agent}---\n"), true),
            (Language::Markdown, &format!("\u{feff}---\r{agent}---\r").replace('\n', "\r"), true),
            (Language::Markdown, &format!("---\na: [\n---\n{agent}"), false),
        ] {
            assert_eq!(BrokenHost::new(language, source).is_meant(), is_meant, "{source}");
        }
    }
}
