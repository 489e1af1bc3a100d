//! How the readers of declarations say what is wrong.

use rapidfuzz::distance::osa;

use crate::declarations::rules::ALL_PATTERNS_BYTES;
use crate::findings::code::{Code, Severity};
use crate::findings::excerpt;
use crate::findings::problem::{FileId, Location, Problem, Related};
use crate::value::{Object, Value, ValueKind};
use promptls_data::Span;

/// The problems found so far, and how to add one.
pub(crate) struct Report {
    file: FileId,
    pub(crate) problems: Vec<Problem>,
    /// How much memory further patterns may take.
    pub(crate) pattern_bytes: usize,
}

impl Report {
    pub(crate) fn new(file: FileId) -> Self {
        Report { file, problems: Vec::new(), pattern_bytes: ALL_PATTERNS_BYTES }
    }

    fn location(&self, span: Span) -> Location {
        Location { file: self.file, range: span.range() }
    }

    /// Something that is no declaration.
    pub(crate) fn wrong_shape(&mut self, at: Span, message: impl Into<String>) {
        let problem = Problem::new(Code::InvalidInputs, self.location(at), message);
        self.problems.push(problem);
    }

    /// The value of a key is of the wrong kind.
    pub(crate) fn expected(&mut self, key: &str, expected: &str, value: &Value) {
        let kind = value.kind_name();
        self.wrong_shape(value.span, format!("`{key}` must be {expected}, this is {kind}"));
    }

    /// A declaration of this name that cannot be meant so, perhaps because of another place.
    pub(crate) fn contradiction(
        &mut self,
        at: Span,
        message: impl Into<String>,
        name: &str,
        related: Option<(Span, &str)>,
    ) {
        let related = related.map(|(span, message)| Related {
            location: self.location(span),
            message: message.to_owned(),
        });
        let problem = Problem::new(Code::InvalidDeclaration, self.location(at), message);
        let related = related.into_iter().collect();
        self.problems.push(Problem { related, ..problem.about(name) });
    }

    /// The same where it may yet be meant so.
    pub(crate) fn doubt(
        &mut self,
        at: Span,
        message: impl Into<String>,
        name: &str,
        related: Option<(Span, &str)>,
    ) {
        self.contradiction(at, message, name, related);
        if let Some(problem) = self.problems.last_mut() {
            problem.severity = Severity::Warning;
        }
    }

    /// Something in a declaration that is worth less than an error.
    pub(crate) fn remark(&mut self, severity: Severity, at: Span, message: impl Into<String>) {
        let problem = Problem::new(Code::InvalidDeclaration, self.location(at), message);
        self.problems.push(Problem { severity, ..problem });
    }

    /// Keys that nobody reads, where one that is read can be meant.
    ///
    /// Other unknown keys belong to other tools.
    pub(crate) fn near_misses(&mut self, object: &Object, known: &[&str]) {
        for entry in object.entries() {
            if known.contains(&&*entry.key) {
                continue;
            }
            let meant = near_miss(&entry.key, known).filter(|meant| object.get(meant).is_none());
            let Some(meant) = meant else { continue };
            let key = excerpt::of_text(&entry.key);
            let message = format!("unknown key `{key}`; did you mean `{meant}`?");
            self.remark(Severity::Warning, entry.key_span, message);
        }
    }

    /// The text of a key that must be a string; `null` is nothing.
    pub(crate) fn text(&mut self, key: &str, value: &Value) -> Option<Box<str>> {
        match &value.kind {
            ValueKind::String(text) => return Some(text.clone()),
            ValueKind::Null => {}
            _ => self.expected(key, "a string", value),
        }
        None
    }

    /// The truth of a key that must be a boolean; `null` is nothing.
    pub(crate) fn flag(&mut self, key: &str, value: &Value) -> bool {
        match value.kind {
            ValueKind::Bool(flag) => return flag,
            ValueKind::Null => {}
            _ => self.expected(key, "`true` or `false`", value),
        }
        false
    }
}

/// The known key that one or two slips of the finger turn into this one.
fn near_miss<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    // In a short word two slips make another word: `date` is not `name`.
    let slips = if written.len() > 5 { 2 } else { 1 };
    known
        .iter()
        .filter(|known| known.len().abs_diff(written.len()) <= slips)
        .map(|known| (osa::distance(written.chars(), known.chars()), *known))
        .filter(|(distance, _)| *distance <= slips)
        .min()
        .map(|(_, known)| known)
}
