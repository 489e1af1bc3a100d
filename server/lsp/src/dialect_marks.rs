//! Marks: comments that select the dialect of a text that frameworks read differently.

use promptls_analysis::position::Encoding;
use promptls_analysis::{ActionId, ActionName};
use promptls_protocol as wire;
use promptls_resolver::Code;
use promptls_syntax::Dialect;

use crate::convert;
use crate::convert::diagnostic::Diagnostic;
use crate::document_range::RangeEdit;
use crate::session::prompt_snapshot::FileSnapshot;

/// A mark that can be inserted.
pub struct Mark {
    /// The dialect that it selects.
    pub dialect: Dialect,
    /// The title of the code action.
    pub title: String,
    /// The range of the diagnostic that the mark fixes.
    pub fixes: wire::Range,
    /// The edit that inserts the comment.
    pub edit: RangeEdit,
}

impl Mark {
    /// The id of the code action.
    pub fn id(&self) -> ActionId {
        ActionId::new(ActionName::InsertMark, self.dialect.spec().id)
    }

    /// Returns whether the mark fixes a diagnostic.
    pub fn fixes_diagnostic(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.is_at(self.fixes, Code::DialectGuessed)
    }
}

/// The possible marks for the first ambiguous text in a range, one for each of its dialects.
///
/// Cost: if there is such a text, a few scans of the document.
pub fn marks(file: &FileSnapshot, range: wire::Range, encoding: Encoding) -> Vec<Mark> {
    let (text, file) = (&file.text, &file.file);
    // Ranges in a broken file are those of an earlier text.
    if file.conflicts.is_empty() || file.is_broken {
        return Vec::new();
    }
    let offset = |position| convert::nearest_offset(text, position, encoding);
    let (start, end) = (offset(range.start), offset(range.end));
    let is_touched =
        |literal: &std::ops::Range<usize>| literal.start <= end && start <= literal.end;
    let touched = file.conflicts.iter().find(|conflict| is_touched(&conflict.literal()));
    let Some(conflict) = touched else { return Vec::new() };
    let source = text.to_string();
    let fixes = convert::wire_range(text, &conflict.literal(), encoding);
    let marks = conflict.marks(&source).into_iter();
    let marks = marks.map(|(dialect, mark)| {
        let place = if mark.is_above { "above" } else { "before" };
        let title = dialect.spec().title;
        let title = format!("Read as {title}: write `{}` {place} it", mark.comment);
        let range = convert::wire_range(text, &(mark.at..mark.at), encoding);
        Mark { dialect, title, fixes, edit: RangeEdit { range, new_text: mark.written } }
    });
    marks.collect()
}
