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
        let sources = Sources { files: own.chain(around).collect(), encoding };
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
        Sources { files: vec![Source::new(name, text)], encoding }
    }

    /// What a file is called.
    pub fn name(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |file| &file.name)
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
