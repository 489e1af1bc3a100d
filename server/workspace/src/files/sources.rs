//! The files that problems point into: their names, texts and positions.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use promptls_analysis::position::{Encoding, Position, positions};
use promptls_resolver::{FileId, Location};
use ropey::Rope;

use crate::prompt_file::PromptFile;

/// All files of a prompt; a [`FileId`] is an index into this list.
#[derive(Debug)]
pub struct Sources {
    files: Vec<SourceFile>,
    encoding: Encoding,
    prompts: NamedPrompts,
}

/// The prompts of a file that holds several, in source order.
#[derive(Debug, Default)]
struct NamedPrompts {
    file: FileId,
    entries: Vec<(Range<usize>, Arc<str>)>,
}

impl NamedPrompts {
    fn of(file: &PromptFile) -> NamedPrompts {
        let named = file.prompts.iter();
        let named = named.filter_map(|it| Some((it.entry.clone(), it.name.clone()?)));
        let mut entries: Vec<_> = named.collect();
        entries.sort_by_key(|(entry, _)| entry.start);
        NamedPrompts { file: file.file, entries }
    }
}

#[derive(Debug)]
struct SourceFile {
    name: String,
    text: Option<Arc<str>>,
    /// The same text; built on the first request for a position.
    rope: OnceCell<Rope>,
}

impl SourceFile {
    fn new(name: String, text: Option<Arc<str>>) -> SourceFile {
        SourceFile { name, text, rope: OnceCell::new() }
    }

    fn rope(&self) -> &Rope {
        self.rope.get_or_init(|| Rope::from_str(self.text.as_deref().unwrap_or_default()))
    }
}

impl Sources {
    /// The files of prompts, named by `name`. `encoding` is the unit of columns.
    pub fn of(file: &PromptFile, encoding: Encoding, name: impl Fn(&Path) -> String) -> Sources {
        let own = file.files.iter().zip(&file.texts);
        let own = own.map(|(path, text)| SourceFile::new(name(path), text.clone()));
        let around = file.around.iter();
        let around = around.map(|file| SourceFile::new(name(&file.path), Some(file.text.clone())));
        let prompts = NamedPrompts::of(file);
        let sources = Sources { files: own.chain(around).collect(), encoding, prompts };
        // The text of a file that is a prompt is not in `texts`.
        if let (Some(first), [prompt]) = (sources.files.first(), &file.prompts[..])
            && prompt.map.is_identity()
        {
            // The cell is empty at this point.
            let _ = first.rope.set(prompt.snapshot.text.rope().clone());
        }
        sources
    }

    /// A single file; its id is that of a prompt.
    pub fn of_file(name: String, text: Option<Arc<str>>, encoding: Encoding) -> Sources {
        let prompts = NamedPrompts::default();
        Sources { files: vec![SourceFile::new(name, text)], encoding, prompts }
    }

    /// The name of a file.
    pub fn name(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |file| &file.name)
    }

    /// The name of the prompt that contains a location; `None` outside of all prompts, and in a
    /// file that is itself a prompt.
    pub fn prompt(&self, location: &Location) -> Option<&str> {
        let NamedPrompts { file, entries } = &self.prompts;
        let start = location.range.start;
        let after = entries.partition_point(|(entry, _)| entry.start <= start);
        let (entry, name) = entries[..after].last()?;
        (location.file == *file && start < entry.end).then_some(&**name)
    }

    /// The text of a file; `None` if it could not be read.
    pub fn text(&self, file: FileId) -> Option<&Rope> {
        self.files.get(file.0 as usize).map(SourceFile::rope)
    }

    /// The lines and columns of a location, from 0.
    pub fn positions(&self, location: &Location) -> Range<Position> {
        match self.text(location.file) {
            Some(text) => positions(text, &location.range, self.encoding),
            None => Position::default()..Position::default(),
        }
    }
}
