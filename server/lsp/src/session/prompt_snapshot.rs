//! Snapshots of prompts: requests are answered from them, independent of later edits.
//!
//! A prompt may be inside a string of its file. This module converts its positions to those in the
//! editor's text and back.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use promptls_analysis::position::Encoding;
use promptls_analysis::{Completion, Markup, Snapshot};
use promptls_protocol as wire;
use promptls_resolver::{FileId, Location, Problem};
use ropey::Rope;

use crate::convert::{self, Uri};
use crate::document_range::DocumentRange;
use promptls_workspace::{Config, Prompt, PromptFile, Scope};

/// A snapshot of a file of prompts.
#[derive(Clone)]
pub struct FileSnapshot {
    /// The prompts and their related files.
    pub file: Arc<PromptFile>,
    /// The text in the editor.
    pub text: Rope,
    /// Its version in the editor; `None` if it is not open.
    pub version: Option<i32>,
    /// The URIs of its files, by index; its own first.
    pub uris: Arc<[Option<Uri>]>,
    /// The texts of its files, by index.
    pub ropes: Arc<[Rope]>,
    /// See [`PromptFile::around`]; the texts for conversions of positions are computed on first
    /// use.
    pub around: Arc<[OnceLock<Rope>]>,
}

impl FileSnapshot {
    /// Returns whether its check takes long: see [`Snapshot::is_heavy`].
    pub fn is_heavy(&self) -> bool {
        self.file.prompts.iter().any(|prompt| prompt.snapshot.is_heavy())
    }

    /// The text and URI of one of its files; `None` if it has no URI. Locations in a prompt must be
    /// converted first: [`PromptSnapshot::in_document`].
    pub fn place(&self, file: FileId) -> Option<(&Rope, Uri)> {
        let index = file.0 as usize;
        let text = match index.checked_sub(self.ropes.len()) {
            _ if index == 0 => &self.text,
            None => &self.ropes[index],
            Some(around) => {
                let file = self.file.around.get(around)?;
                self.around.get(around)?.get_or_init(|| Rope::from_str(&file.text))
            }
        };
        Some((text, self.uris.get(index)?.clone()?))
    }
}

/// A snapshot of a prompt.
#[derive(Clone)]
pub struct PromptSnapshot {
    /// The file that contains it.
    pub of_file: FileSnapshot,
    /// Its index among the prompts of the file.
    pub index: usize,
    /// The index of the selected case; `None` without any inputs.
    pub case: Option<usize>,
}

impl PromptSnapshot {
    /// The prompt in its file.
    pub fn prompt(&self) -> &Prompt {
        &self.of_file.file.prompts[self.index]
    }

    /// The snapshot that all features use.
    pub fn snapshot(&self) -> &Snapshot {
        &self.prompt().snapshot
    }

    /// The file that contains it, with the decisions about its dialect, rule and config.
    pub fn file(&self) -> &PromptFile {
        &self.of_file.file
    }

    /// The effective config of the prompt.
    pub fn config(&self) -> Option<&Arc<Config>> {
        self.file().config()
    }

    /// The version of its file in the editor; `None` if it is not open.
    pub fn version(&self) -> Option<i32> {
        self.of_file.version
    }

    /// The path of the file that contains it.
    pub fn path(&self) -> &Path {
        &self.file().files[0]
    }

    /// The URI of the file that contains it.
    pub fn uri(&self) -> Option<&Uri> {
        self.of_file.uris.first()?.as_ref()
    }

    /// The URI of one of its files.
    pub fn uri_of(&self, file: FileId) -> Option<&Uri> {
        self.of_file.uris.get(file.0 as usize)?.as_ref()
    }

    /// The identity of the prompt: the URI of its document, and its index there.
    pub fn identity(&self) -> (Option<&Uri>, usize) {
        (self.uri(), self.index)
    }

    /// The index of the case of this name; without such a case, the selected one.
    pub fn shown_case(&self, name: Option<&str>) -> Option<usize> {
        name.and_then(|name| self.snapshot().case_named(name)).or(self.case)
    }

    /// Its name in the file; `None` if the file is a single prompt.
    pub fn name(&self) -> Option<&str> {
        self.prompt().name.as_deref()
    }

    /// The name under which it is shown: that of its chat, if it is a message of one.
    pub fn shown_name(&self) -> Option<&str> {
        let chat = self.file().chat_of(self.index);
        chat.map(|chat| &*chat.name).or_else(|| self.name())
    }

    /// The problems of the prompt and its files, with locations in the files.
    pub fn problems(&self, scope: Scope, max: usize) -> Vec<Problem> {
        self.file().problems_of(self.index, scope, max)
    }

    /// The problems of the prompt and its sidecars, with locations in its text.
    pub fn problems_in_text(&self, scope: Scope, max: usize) -> Vec<Problem> {
        self.file().problems_in_text(self.index, scope, max)
    }

    /// The id of an inputs or variables file with this path.
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        self.file().file_at(path)
    }

    /// Returns whether one of its sidecars is longer than `limit` bytes.
    pub fn has_file_above(&self, limit: usize) -> bool {
        self.of_file.ropes.iter().any(|text| text.len_bytes() > limit)
    }

    /// The text in the editor.
    pub fn document_text(&self) -> &Rope {
        &self.of_file.text
    }

    /// The text and URI of one of its files; see [`FileSnapshot::place`].
    pub fn place(&self, file: FileId) -> Option<(&Rope, Uri)> {
        self.of_file.place(file)
    }

    /// Converts a position in the editor to an offset in the prompt; `None` if it is outside of the
    /// prompt.
    pub fn offset(&self, position: wire::Position, encoding: Encoding) -> Option<usize> {
        let offset = convert::offset(self.document_text(), position, encoding)?;
        let (index, offset) = self.file().prompt_at(offset)?;
        (index == self.index).then_some(offset)
    }

    /// The same for a part that the program computes: the offset of its hole.
    pub fn hole_offset(&self, position: wire::Position, encoding: Encoding) -> Option<usize> {
        let offset = convert::offset(self.document_text(), position, encoding)?;
        let (index, offset) = self.file().hole_at(offset)?;
        (index == self.index).then_some(offset)
    }

    /// Converts a location in the prompt or one of its files; `None` if it is gone, or has no URI.
    pub fn location(&self, location: &Location, encoding: Encoding) -> Option<DocumentRange> {
        let location = self.file().location_in_file(self.prompt(), location.clone())?;
        self.location_in_file(&location, encoding)
    }

    /// Converts a location that already refers to one of its files, as those of
    /// [`PromptSnapshot::problems`] do.
    pub fn location_in_file(
        &self,
        location: &Location,
        encoding: Encoding,
    ) -> Option<DocumentRange> {
        let (text, uri) = self.place(location.file)?;
        Some(DocumentRange { uri, range: convert::wire_range(text, &location.range, encoding) })
    }

    /// Converts a range of the prompt to a range of the editor's text; `None` if it is gone.
    pub fn wire_range(&self, range: &Range<usize>, encoding: Encoding) -> Option<wire::Range> {
        let range = self.in_document(range)?;
        Some(convert::wire_range(self.document_text(), &range, encoding))
    }

    /// The same; `None` also in a constant that is shown as a part of another prompt.
    pub fn shown_range(&self, range: &Range<usize>, encoding: Encoding) -> Option<wire::Range> {
        self.prompt().is_shown_here(range).then(|| self.wire_range(range, encoding))?
    }

    /// The range of the whole prompt in the editor's text; `None` if it is gone.
    pub fn whole_range(&self, encoding: Encoding) -> Option<wire::Range> {
        let range = self.file().range_of(self.prompt())?;
        Some(convert::wire_range(self.document_text(), &range, encoding))
    }

    /// Renders text for the user as the editor supports it. Locations are links where possible.
    pub fn markup(&self, sections: &[Markup], markdown: bool, encoding: Encoding) -> String {
        let address = |place: &Location| {
            let DocumentRange { uri, range } = self.location(place, encoding)?;
            // A closing parenthesis would end the link.
            let uri = uri.as_str().replace('(', "%28").replace(')', "%29");
            Some(format!("{uri}#L{}", range.start.line + 1))
        };
        let show = |section: &Markup| match markdown {
            true => section.markdown(address),
            false => section.plain(),
        };
        sections.iter().map(show).collect::<Vec<_>>().join("\n\n")
    }

    /// Returns whether its text is in the document, so that something can be displayed there.
    pub fn is_written_here(&self) -> bool {
        self.prompt().is_written_here()
    }

    /// Converts a range of the prompt to bytes of the editor's text; `None` if it is gone.
    pub fn in_document(&self, range: &Range<usize>) -> Option<Range<usize>> {
        self.file().range_in_file(self.prompt(), range)
    }

    /// The bytes of the prompt within a range of the editor's text.
    pub fn bytes_in(&self, range: wire::Range, encoding: Encoding) -> Range<usize> {
        let offset = |position| convert::nearest_offset(self.document_text(), position, encoding);
        self.file().range_in_text(self.prompt(), offset(range.start)..offset(range.end))
    }

    /// Converts a completion for the editor's text; `None` if it cannot be written there.
    pub fn completion_in_document(&self, completion: Completion) -> Option<Completion> {
        let is_plain = |snippet: &String| self.prompt().is_plain(snippet);
        if !completion.snippet.as_ref().is_none_or(is_plain) {
            return None;
        }
        let inserted = self.prompt().written(&completion.inserted)?;
        let replaced = self.in_document(&completion.replaced)?;
        Some(Completion { inserted, replaced, ..completion })
    }
}

/// A document, as a file of one of the prompts that it belongs to.
pub struct View {
    /// The prompt that the document belongs to.
    pub prompt: PromptSnapshot,
    /// The id of the document among the prompt's files.
    pub file: FileId,
}

impl View {
    /// Converts a position in the editor to an offset in the file; `None` if it is outside of the
    /// text. In a part that the program computes, it is that of the hole.
    pub fn offset(&self, position: wire::Position, encoding: Encoding) -> Option<usize> {
        match self.file {
            FileId::PROMPT => self
                .prompt
                .offset(position, encoding)
                .or_else(|| self.prompt.hole_offset(position, encoding)),
            file => convert::offset(self.prompt.place(file)?.0, position, encoding),
        }
    }

    /// The index of the case whose inputs the document is; `None` for any other file.
    pub fn case(&self) -> Option<usize> {
        let cases = &self.prompt.snapshot().cases;
        cases.iter().position(|case| case.inputs.file == self.file)
    }

    /// The bytes of the file within a range of the editor's text.
    pub fn bytes_in(&self, range: wire::Range, encoding: Encoding) -> Option<Range<usize>> {
        if self.file == FileId::PROMPT {
            return Some(self.prompt.bytes_in(range, encoding));
        }
        let start = self.offset(range.start, encoding)?;
        let end = self.offset(range.end, encoding).unwrap_or(start);
        Some(start..end.max(start))
    }
}
