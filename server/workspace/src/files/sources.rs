//! The files that problems point into: what they are called, their texts, places in them.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use promptls_analysis::position::{Encoding, Position, positions};
use promptls_resolver::{FileId, Location};
use ropey::Rope;

use crate::prompt_file::PromptFile;

/// All files of a prompt; a [`FileId`] is a position in this list.
#[derive(Debug)]
pub struct Sources {
    files: Vec<Source>,
    encoding: Encoding,
    prompts: NamedPrompts,
}

/// The prompts of a file that holds several, in the order of their places.
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
struct Source {
    name: String,
    text: Option<Arc<str>>,
    /// The same text; made when somebody asks for a place in it.
    rope: OnceCell<Rope>,
}

impl Source {
    fn new(name: String, text: Option<Arc<str>>) -> Source {
        Source { name, text, rope: OnceCell::new() }
    }

    fn rope(&self) -> &Rope {
        self.rope.get_or_init(|| Rope::from_str(self.text.as_deref().unwrap_or_default()))
    }
}

impl Sources {
    /// The files of prompts, called as `name` calls them. `encoding` says what columns count.
    pub fn of(file: &PromptFile, encoding: Encoding, name: impl Fn(&Path) -> String) -> Sources {
        let own = file.files.iter().zip(&file.texts);
        let own = own.map(|(path, text)| Source::new(name(path), text.clone()));
        let around = file.around.iter();
        let around = around.map(|file| Source::new(name(&file.path), Some(file.text.clone())));
        let prompts = NamedPrompts::of(file);
        let sources = Sources { files: own.chain(around).collect(), encoding, prompts };
        // The text of a file that is a prompt is not among those that were read.
        if let (Some(first), [prompt]) = (sources.files.first(), &file.prompts[..])
            && prompt.map.is_identity()
        {
            // Nobody asked before us.
            let _ = first.rope.set(prompt.snapshot.text.rope().clone());
        }
        sources
    }

    /// A file alone; its id is that of a prompt.
    pub fn of_file(name: String, text: Option<Arc<str>>, encoding: Encoding) -> Sources {
        let prompts = NamedPrompts::default();
        Sources { files: vec![Source::new(name, text)], encoding, prompts }
    }

    /// What a file is called.
    pub fn name(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |file| &file.name)
    }

    /// The name of the prompt that a place is in; `None` outside of all, and in a file that is one.
    pub fn prompt(&self, location: &Location) -> Option<&str> {
        let NamedPrompts { file, entries } = &self.prompts;
        let start = location.range.start;
        let after = entries.partition_point(|(entry, _)| entry.start <= start);
        let (entry, name) = entries[..after].last()?;
        (location.file == *file && start < entry.end).then_some(&**name)
    }

    /// The text of a file; nothing for one that could not be read.
    pub fn text(&self, file: FileId) -> Option<&Rope> {
        self.files.get(file.0 as usize).map(Source::rope)
    }

    /// The lines and columns of a place, from 0.
    pub fn positions(&self, location: &Location) -> Range<Position> {
        match self.text(location.file) {
            Some(text) => positions(text, &location.range, self.encoding),
            None => Position::default()..Position::default(),
        }
    }
}
