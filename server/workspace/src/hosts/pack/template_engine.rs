//! The template engine of a pack: its version, the syntax of placeholders, and the features of its
//! prompts.
//!
//! Document: RFC 0003 has the version `v1`, the syntax `{{variable}}`, and the features
//! `basic_substitution` and `fragments`. The schema of packs names further features, which no
//! document describes.

use promptls_analysis::did_you_mean;
use promptls_resolver::{Code, FileId, Location, Problem, Severity, Value};

/// The supported syntax, which is also the default.
const SYNTAX: &str = "{{variable}}";

/// The version of the document.
const VERSION: &str = "v1";

/// The feature that enables fragments.
pub(super) const FRAGMENTS: &str = "fragments";

/// The features of the document.
const FEATURES: [&str; 2] = ["basic_substitution", FRAGMENTS];

/// Features that the schema names, but no document describes.
const UNDESCRIBED: [&str; 3] = ["conditionals", "loops", "filters"];

/// The `template_engine` of a pack.
pub(super) struct TemplateEngine<'p> {
    /// The list of its features, if it has one.
    pub features: Option<&'p Value>,
    /// `true` if its prompts use the supported syntax.
    pub is_ours: bool,
    /// The problems of this object.
    pub problems: Vec<Problem>,
}

impl<'p> TemplateEngine<'p> {
    /// Reads `template_engine` from a pack; `None` for a pack without it.
    pub fn read(engine: Option<&'p Value>, file: FileId) -> TemplateEngine<'p> {
        let mut read = TemplateEngine { features: None, is_ours: true, problems: Vec::new() };
        let Some(engine) = engine else { return read };
        let mut report = Report { file, problems: &mut read.problems };
        let Some(members) = engine.as_object() else {
            report.expected("`template_engine`", "an object", engine);
            return read;
        };
        let member = |key| members.get(key).map(|entry| &entry.value).filter(|it| !it.is_null());
        if let Some(version) = member("version") {
            report.version(version);
        }
        if let Some(syntax) = member("syntax") {
            read.is_ours = report.syntax(syntax);
        }
        if let Some(features) = member("features") {
            match features.as_list() {
                Some(listed) => {
                    listed.iter().for_each(|feature| report.feature(feature));
                    read.features = Some(features);
                }
                None => report.expected("`features`", "an array", features),
            }
        }
        read
    }

    /// `true` if it lists its features without this one.
    pub fn is_without(&self, feature: &str) -> bool {
        let listed = self.features.and_then(Value::as_list);
        listed.is_some_and(|listed| listed.iter().all(|it| it.as_text() != Some(feature)))
    }
}

struct Report<'r> {
    file: FileId,
    problems: &'r mut Vec<Problem>,
}

impl Report<'_> {
    fn unsupported(&mut self, severity: Severity, at: &Value, message: String) {
        let location = Location { file: self.file, range: at.span.range() };
        let problem = Problem::new(Code::UnsupportedSyntax, location, message);
        self.problems.push(Problem { severity, ..problem });
    }

    /// Reports that `what` has an unexpected value.
    fn expected(&mut self, what: &str, expected: &str, value: &Value) {
        let location = Location { file: self.file, range: value.span.range() };
        let message = format!("{what} must be {expected}, this is {}", value.kind_name());
        self.problems.push(Problem::new(Code::InvalidInputs, location, message));
    }

    /// Reads a value that must be a string.
    fn text<'v>(&mut self, what: &str, value: &'v Value) -> Option<&'v str> {
        let text = value.as_text();
        if text.is_none() {
            self.expected(what, "a string", value);
        }
        text
    }

    fn version(&mut self, value: &Value) {
        let Some(version) = self.text("`version`", value).filter(|it| *it != VERSION) else {
            return;
        };
        let version = excerpt(version);
        let message = format!(
            "the version `{version}` is not known; prompts are read as those of `{VERSION}`"
        );
        self.unsupported(Severity::Warning, value, message);
    }

    /// `true` if the syntax is the supported one.
    fn syntax(&mut self, value: &Value) -> bool {
        let Some(syntax) = self.text("`syntax`", value).filter(|it| *it != SYNTAX) else {
            return true;
        };
        let syntax = excerpt(syntax);
        let message =
            format!("PromptPack writes `{SYNTAX}`; prompts in the syntax `{syntax}` are not read");
        self.unsupported(Severity::Error, value, message);
        false
    }

    fn feature(&mut self, value: &Value) {
        let Some(name) = self.text("a feature", value) else { return };
        if UNDESCRIBED.contains(&name) {
            let message = format!("`{name}` is not specified, so it is ignored");
            self.unsupported(Severity::Information, value, message);
        } else if !FEATURES.contains(&name) {
            let hint = did_you_mean(name, FEATURES);
            let message = format!("there is no feature `{}`{hint}", excerpt(name));
            self.unsupported(Severity::Warning, value, message);
        }
    }
}

/// The part of a text that fits into a message.
fn excerpt(text: &str) -> &str {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
