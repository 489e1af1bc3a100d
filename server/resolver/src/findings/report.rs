//! Collection of problems in declarations.

use rapidfuzz::distance::osa;

use crate::declarations::rules::ALL_PATTERNS_BYTES;
use crate::findings::code::{Code, Severity};
use crate::findings::excerpt;
use crate::findings::problem::{FileId, Location, Problem, Related};
use crate::value::{Object, Value, ValueKind};
use promptls_data::Span;

/// The problems found so far.
pub(crate) struct Report {
    file: FileId,
    pub(crate) problems: Vec<Problem>,
    /// The memory limit for further patterns, in bytes.
    pub(crate) pattern_bytes: usize,
}

impl Report {
    pub(crate) fn new(file: FileId) -> Self {
        Report { file, problems: Vec::new(), pattern_bytes: ALL_PATTERNS_BYTES }
    }

    fn location(&self, span: Span) -> Location {
        Location { file: self.file, range: span.range() }
    }

    /// Adds a problem for a value that is not a declaration.
    pub(crate) fn wrong_shape(&mut self, at: Span, message: impl Into<String>) {
        let problem = Problem::new(Code::InvalidInputs, self.location(at), message);
        self.problems.push(problem);
    }

    /// Adds a problem for a value of the wrong kind.
    pub(crate) fn expected(&mut self, key: &str, expected: &str, value: &Value) {
        let kind = value.kind_name();
        self.wrong_shape(value.span, format!("`{key}` must be {expected}, this is {kind}"));
    }

    /// Adds a problem for a contradictory declaration of a name, perhaps with a related range.
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

    /// Adds a problem for a declaration that is probably a mistake.
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

    /// Adds a problem in a declaration with a lower severity.
    pub(crate) fn remark(&mut self, severity: Severity, at: Span, message: impl Into<String>) {
        let problem = Problem::new(Code::InvalidDeclaration, self.location(at), message);
        self.problems.push(Problem { severity, ..problem });
    }

    /// Reports unknown keys that are probably misspellings of known ones.
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

    /// The string value of a key; `null` counts as missing.
    pub(crate) fn text(&mut self, key: &str, value: &Value) -> Option<Box<str>> {
        match &value.kind {
            ValueKind::String(text) => return Some(text.clone()),
            ValueKind::Null => {}
            _ => self.expected(key, "a string", value),
        }
        None
    }

    /// The boolean value of a key; `null` counts as `false`.
    pub(crate) fn flag(&mut self, key: &str, value: &Value) -> bool {
        match value.kind {
            ValueKind::Bool(flag) => return flag,
            ValueKind::Null => {}
            _ => self.expected(key, "`true` or `false`", value),
        }
        false
    }
}

/// The known key within one or two typing errors; `None` if there is none.
fn near_miss<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    // In a short word, two typing errors yield another word: `date` is not `name`.
    let slips = if written.len() > 5 { 2 } else { 1 };
    known
        .iter()
        .filter(|known| known.len().abs_diff(written.len()) <= slips)
        .map(|known| (osa::distance(written.chars(), known.chars()), *known))
        .filter(|(distance, _)| *distance <= slips)
        .min()
        .map(|(_, known)| known)
}
