//! Documents at one moment: what a question is answered from, whatever is typed meanwhile.
//!
//! A prompt in a pack stands inside a JSON string; here is where its places and
//! those in the editor's text are converted into each other.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use promptls_analysis::position::Encoding;
use promptls_analysis::{Completion, Snapshot};
use promptls_resolver::FileId;
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use super::convert;
use crate::workspace::{Config, LoadedPack};

/// A pack at one moment.
pub struct PackMoment {
    /// For its problems.
    pub pack: Arc<LoadedPack>,
    /// Whether the editor has it open.
    pub is_open: bool,
    /// The URIs of its files by their position.
    pub uris: Vec<Option<lsp::Uri>>,
    /// The texts of its files by their position.
    pub ropes: Arc<[Rope]>,
}

impl PackMoment {
    /// Whether its check takes long: see [`Snapshot::is_heavy`].
    pub fn is_heavy(&self) -> bool {
        self.pack.prompts.iter().any(|prompt| prompt.loaded.snapshot.is_heavy())
    }

    /// The text and the address of one of its files.
    pub fn place(&self, file: FileId) -> Option<(&Rope, lsp::Uri)> {
        let index = file.0 as usize;
        Some((self.ropes.get(index)?, self.uris.get(index)?.clone()?))
    }
}

/// A prompt at one moment.
pub struct Moment {
    /// For every question about it.
    pub snapshot: Snapshot,
    /// The case that the user looks at; `None` without any inputs.
    pub case: Option<usize>,
    /// The version of its text that the editor has open; `None` if it is not open.
    pub version: Option<i32>,
    /// The URIs of its files by their position; its own first.
    pub uris: Vec<Option<lsp::Uri>>,
    /// The texts of its files by their position.
    pub ropes: Arc<[Rope]>,
    /// The config that counts for it.
    pub config: Option<Arc<Config>>,
    /// The document that it stands in, if that is a pack: its text, and which prompt it is.
    pub in_pack: Option<(Rope, Arc<LoadedPack>, usize)>,
}

impl Moment {
    /// Which prompt it is: the address of its document, and its place in a pack.
    pub fn identity(&self) -> (Option<&lsp::Uri>, usize) {
        let index = self.in_pack.as_ref().map_or(0, |(_, _, index)| *index);
        (self.uris.first().and_then(Option::as_ref), index)
    }

    /// The case of this name; without one of that name, the case that the user looks at.
    pub fn shown_case(&self, name: Option<&str>) -> Option<usize> {
        name.and_then(|name| self.snapshot.case_named(name)).or(self.case)
    }

    /// Which prompt of a pack it is: the key it stands under.
    pub fn task(&self) -> Option<&str> {
        self.in_pack.as_ref().map(|(_, pack, index)| &*pack.prompts[*index].task)
    }

    /// Which of its inputs and variables files a path is.
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        let is_it = |uri: &Option<lsp::Uri>| {
            let own = uri.as_ref().and_then(|uri| uri.to_file_path());
            own.is_some_and(|own| own == path)
        };
        // A pack is its prompts' last one.
        let index = self.uris.iter().rposition(is_it).filter(|index| *index > 0)?;
        Some(FileId(u32::try_from(index).ok()?))
    }

    /// The text that the editor shows.
    pub fn document_text(&self) -> &Rope {
        self.in_pack.as_ref().map_or(&self.snapshot.text, |(text, _, _)| text)
    }

    /// The text that the editor shows and the URI of one of its files; `None` for what has no
    /// URI. Places in a prompt are to be converted before: [`Moment::in_document`].
    pub fn place(&self, file: FileId) -> Option<(&Rope, lsp::Uri)> {
        let index = file.0 as usize;
        let text =
            if file == FileId::PROMPT { self.document_text() } else { self.ropes.get(index)? };
        Some((text, self.uris.get(index)?.clone()?))
    }

    /// The offset in the prompt that the editor means; `None` if it is not in the prompt.
    pub fn offset(&self, position: lsp::Position, encoding: Encoding) -> Option<usize> {
        let offset = convert::offset(self.document_text(), position, encoding)?;
        let Some((_, pack, index)) = &self.in_pack else { return Some(offset) };
        let (prompt, offset) = pack.prompt_at(offset)?;
        std::ptr::eq(prompt, &pack.prompts[*index]).then_some(offset)
    }

    /// Where a range of the prompt is in the text that the editor shows.
    pub fn in_document(&self, range: &Range<usize>) -> Option<Range<usize>> {
        match &self.in_pack {
            None => Some(range.clone()),
            Some((_, pack, index)) => pack.range_in_file(&pack.prompts[*index], range),
        }
    }

    /// A proposal for the text that the editor shows; `None` if it cannot be written there.
    pub fn completion_in_document(&self, completion: Completion) -> Option<Completion> {
        let needs_escape = |character: char| character.is_control() || "\"\\".contains(character);
        let written = completion.snippet.as_ref().unwrap_or(&completion.inserted);
        if self.in_pack.is_some() && written.contains(needs_escape) {
            return None;
        }
        let replaced = self.in_document(&completion.replaced)?;
        Some(Completion { replaced, ..completion })
    }
}

/// A document in the eyes of one of the prompts that it belongs to.
pub struct View {
    /// The prompt.
    pub moment: Moment,
    /// Which of the prompt's files the document is.
    pub file: FileId,
}

impl View {
    /// The offset in the file that the editor means; `None` if it is not in the text.
    pub fn offset(&self, position: lsp::Position, encoding: Encoding) -> Option<usize> {
        match self.file {
            FileId::PROMPT => self.moment.offset(position, encoding),
            file => convert::offset(self.moment.place(file)?.0, position, encoding),
        }
    }
}
