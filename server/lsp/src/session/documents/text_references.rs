//! Finds the places in code that stand for texts which are written elsewhere, and these texts.

use promptls_workspace::{TextReference, is_code, text_references, text_references_at, written_at};
use ropey::Rope;

use super::unstored::UnstoredPrompts;
use crate::convert::{self, Uri};
use crate::document_range::DocumentRange;
use crate::session::overlay::Wait;
use promptls_analysis::position::Encoding;

impl UnstoredPrompts<'_> {
    /// The places in a document of code that stand for texts which are written elsewhere.
    ///
    /// Cost: that of [`text_references`].
    pub fn text_references(&self, uri: &Uri, text: &Rope) -> Vec<TextReference> {
        let path = convert::path(uri);
        let files = self.documents.overlay_with(Wait::ForLarge);
        match is_code(&path) {
            true => text_references(self.documents.project_with(&files), &path, &text.to_string()),
            false => Vec::new(),
        }
    }

    /// Those of the innermost place at an offset.
    pub fn text_references_at(&self, uri: &Uri, text: &Rope, offset: usize) -> Vec<TextReference> {
        let all = self.text_references(uri, text);
        text_references_at(&all, offset).into_iter().cloned().collect()
    }

    /// The places where the text of a reference in a document is written.
    ///
    /// Cost: that of [`written_at`].
    pub fn written_at(
        &self,
        uri: &Uri,
        reference: &TextReference,
        encoding: Encoding,
    ) -> Vec<DocumentRange> {
        let files = self.documents.overlay_with(Wait::ForLarge);
        let project = self.documents.project_with(&files);
        let written = written_at(project, &convert::path(uri), &reference.target).into_iter();
        let place = written.filter_map(|written| {
            let text = Rope::from_str(&files.as_files().read(&written.path).ok()?);
            let range = convert::wire_range(&text, &written.range, encoding);
            Some(DocumentRange { uri: self.documents.uri(&written.path)?, range })
        });
        place.collect()
    }
}
