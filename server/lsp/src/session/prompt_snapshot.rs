//! Prompts at one prompt: what a question is answered from, whatever is typed meanwhile.
//!
//! A prompt may stand inside a string of its file; here is where its places and those in the
//! editor's text are converted into each other.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use promptls_analysis::position::Encoding;
use promptls_analysis::{Completion, Markup, Snapshot};
use promptls_resolver::{FileId, Location, Problem};
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use crate::convert;
use promptls_workspace::{Config, Prompt, PromptFile, Scope};

/// A file of prompts at one prompt.
#[derive(Clone)]
pub struct FileSnapshot {
    /// Its prompts.
    pub file: Arc<PromptFile>,
    /// The text that the editor shows.
    pub text: Rope,
    /// The version of it that the editor has open; `None` if it is not open.
    pub version: Option<i32>,
    /// The URIs of its files by their position; its own first.
    pub uris: Arc<[Option<lsp::Uri>]>,
    /// The texts of its files by their position.
    pub ropes: Arc<[Rope]>,
    /// See [`PromptFile::around`]; their texts for positions are made when somebody asks.
    pub around: Arc<[OnceLock<Rope>]>,
}

impl FileSnapshot {
    /// Whether its check takes long: see [`Snapshot::is_heavy`].
    pub fn is_heavy(&self) -> bool {
        self.file.prompts.iter().any(|prompt| prompt.snapshot.is_heavy())
    }

    /// The text that the editor shows and the URI of one of its files; `None` for what has no
    /// URI. Places in a prompt are to be converted before: [`PromptSnapshot::in_document`].
    pub fn place(&self, file: FileId) -> Option<(&Rope, lsp::Uri)> {
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

/// A prompt at one prompt.
#[derive(Clone)]
pub struct PromptSnapshot {
    /// The file that it stands in.
    pub of_file: FileSnapshot,
    /// Which of its prompts it is.
    pub index: usize,
    /// The case that the user looks at; `None` without any inputs.
    pub case: Option<usize>,
}

impl PromptSnapshot {
    /// The prompt in its file.
    pub fn prompt(&self) -> &Prompt {
        &self.of_file.file.prompts[self.index]
    }

    /// For every question about it.
    pub fn snapshot(&self) -> &Snapshot {
        &self.prompt().snapshot
    }

    /// The file that it stands in, and all that is decided about it.
    pub fn file(&self) -> &PromptFile {
        &self.of_file.file
    }

    /// The config that counts for it.
    pub fn config(&self) -> Option<&Arc<Config>> {
        self.file().config()
    }

    /// The version of its file that the editor has open; `None` if it is not open.
    pub fn version(&self) -> Option<i32> {
        self.of_file.version
    }

    /// Where the file is that it stands in.
    pub fn path(&self) -> &Path {
        &self.file().files[0]
    }

    /// The address of the file that it stands in.
    pub fn uri(&self) -> Option<&lsp::Uri> {
        self.of_file.uris.first()?.as_ref()
    }

    /// The address of one of its files.
    pub fn uri_of(&self, file: FileId) -> Option<&lsp::Uri> {
        self.of_file.uris.get(file.0 as usize)?.as_ref()
    }

    /// Which prompt it is: the address of its document, and its place in there.
    pub fn identity(&self) -> (Option<&lsp::Uri>, usize) {
        (self.uri(), self.index)
    }

    /// The case of this name; without one of that name, the case that the user looks at.
    pub fn shown_case(&self, name: Option<&str>) -> Option<usize> {
        name.and_then(|name| self.snapshot().case_named(name)).or(self.case)
    }

    /// What it is called in its file; `None` if it is the file.
    pub fn name(&self) -> Option<&str> {
        self.prompt().name.as_deref()
    }

    /// What is wrong with it and its files, with places in the files.
    pub fn problems(&self, scope: Scope, max: usize) -> Vec<Problem> {
        self.file().problems_of(self.index, scope, max)
    }

    /// What is wrong with it and its sidecars, with places in its text.
    pub fn problems_in_text(&self, scope: Scope, max: usize) -> Vec<Problem> {
        self.file().problems_in_text(self.index, scope, max)
    }

    /// Which of its inputs and variables files a path is.
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        self.file().file_at(path)
    }

    /// Whether one of the files beside it is longer than so many bytes.
    pub fn has_file_above(&self, limit: usize) -> bool {
        self.of_file.ropes.iter().any(|text| text.len_bytes() > limit)
    }

    /// The text that the editor shows.
    pub fn document_text(&self) -> &Rope {
        &self.of_file.text
    }

    /// See [`FileSnapshot::place`].
    pub fn place(&self, file: FileId) -> Option<(&Rope, lsp::Uri)> {
        self.of_file.place(file)
    }

    /// The offset in the prompt that the editor means; `None` if it is not in the prompt.
    pub fn offset(&self, position: lsp::Position, encoding: Encoding) -> Option<usize> {
        let offset = convert::offset(self.document_text(), position, encoding)?;
        let (index, offset) = self.file().prompt_at(offset)?;
        (index == self.index).then_some(offset)
    }

    /// A place in the prompt or one of its files; `None` if it is gone, or has no address.
    pub fn location(&self, location: &Location, encoding: Encoding) -> Option<lsp::Location> {
        let location = self.file().location_in_file(self.prompt(), location.clone())?;
        self.location_in_file(&location, encoding)
    }

    /// A place that is in one of its files already, as those of [`PromptSnapshot::problems`] are.
    pub fn location_in_file(
        &self,
        location: &Location,
        encoding: Encoding,
    ) -> Option<lsp::Location> {
        let (text, uri) = self.place(location.file)?;
        Some(lsp::Location { uri, range: convert::lsp_range(text, &location.range, encoding) })
    }

    /// A range of the prompt in the text that the editor shows; `None` if it is gone.
    pub fn lsp_range(&self, range: &Range<usize>, encoding: Encoding) -> Option<lsp::Range> {
        let range = self.in_document(range)?;
        Some(convert::lsp_range(self.document_text(), &range, encoding))
    }

    /// Text for people as the editor shows it. Places are links where they can be.
    pub fn markup(&self, sections: &[Markup], markdown: bool, encoding: Encoding) -> String {
        let address = |place: &Location| {
            let lsp::Location { uri, range } = self.location(place, encoding)?;
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

    /// Whether its text stands in the document, so that something can be drawn there.
    pub fn is_written_here(&self) -> bool {
        self.prompt().is_written_here()
    }

    /// Where a range of the prompt is in the text that the editor shows.
    pub fn in_document(&self, range: &Range<usize>) -> Option<Range<usize>> {
        self.file().range_in_file(self.prompt(), range)
    }

    /// The bytes of the prompt that stand in a range of the text that the editor shows.
    pub fn bytes_in(&self, range: lsp::Range, encoding: Encoding) -> Range<usize> {
        let offset = |position| convert::nearest_offset(self.document_text(), position, encoding);
        self.file().range_in_text(self.prompt(), offset(range.start)..offset(range.end))
    }

    /// A proposal for the text that the editor shows; `None` if it cannot be written there.
    pub fn completion_in_document(&self, completion: Completion) -> Option<Completion> {
        let written = completion.snippet.as_ref().unwrap_or(&completion.inserted);
        if !self.prompt().is_plain(written) {
            return None;
        }
        let replaced = self.in_document(&completion.replaced)?;
        Some(Completion { replaced, ..completion })
    }
}

/// A document in the eyes of one of the prompts that it belongs to.
pub struct View {
    /// The prompt.
    pub prompt: PromptSnapshot,
    /// Which of the prompt's files the document is.
    pub file: FileId,
}

impl View {
    /// The offset in the file that the editor means; `None` if it is not in the text.
    pub fn offset(&self, position: lsp::Position, encoding: Encoding) -> Option<usize> {
        match self.file {
            FileId::PROMPT => self.prompt.offset(position, encoding),
            file => convert::offset(self.prompt.place(file)?.0, position, encoding),
        }
    }

    /// The bytes of the file that stand in a range of the text that the editor shows.
    pub fn bytes_in(&self, range: lsp::Range, encoding: Encoding) -> Option<Range<usize>> {
        if self.file == FileId::PROMPT {
            return Some(self.prompt.bytes_in(range, encoding));
        }
        let start = self.offset(range.start, encoding)?;
        let end = self.offset(range.end, encoding).unwrap_or(start);
        Some(start..end.max(start))
    }
}
