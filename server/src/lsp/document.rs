//! One text that the editor has open, and the prompts that are in it.

use std::path::PathBuf;
use std::sync::Arc;

use promptls_analysis::Snapshot;
use promptls_analysis::position::Encoding;
use promptls_syntax::Edit;
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use super::convert;
use super::moment::{Moment, PackMoment};
use crate::workspace::{LoadedPack, LoadedPrompt};

/// A text that the editor has open, or a prompt that an open sidecar belongs to.
pub struct Document {
    /// `None` for what has no file: an untitled buffer, a view of a commit.
    pub path: Option<PathBuf>,
    pub version: i32,
    pub language: String,
    pub text: Rope,
    pub is_open: bool,
    pub prompt: Option<Prompt>,
    /// What makes a pack of it; then it is no prompt itself.
    pub pack: Option<Pack>,
    /// The case that the user looks at, by name; `None` while nobody chose one.
    pub selected: Option<Arc<str>>,
    /// What the files around it looked like when they were read.
    pub fingerprint: u64,
}

impl Document {
    /// The document of a file before anything is read for it.
    pub fn new(path: Option<PathBuf>, text: &str) -> Document {
        Document {
            path,
            version: 0,
            language: String::new(),
            text: Rope::from_str(text),
            is_open: false,
            prompt: None,
            pack: None,
            selected: None,
            fingerprint: 0,
        }
    }

    /// The version that the editor has, if it is open there.
    pub fn open_version(&self) -> Option<i32> {
        self.is_open.then_some(self.version)
    }

    /// The case that the user looks at, of those of one of its prompts.
    fn case(&self, snapshot: &Snapshot) -> Option<usize> {
        let named = self.selected.as_deref();
        let selected = named.and_then(|named| snapshot.case_named(named));
        selected.or_else(|| snapshot.first_case())
    }

    /// The prompts that are in it: one, all of a pack, or none.
    pub fn prompts(&self) -> impl Iterator<Item = &LoadedPrompt> {
        let alone = self.prompt.iter().map(|prompt| &prompt.loaded);
        let packed = self.pack.iter().flat_map(|pack| &pack.loaded.prompts);
        alone.chain(packed.map(|prompt| &prompt.loaded))
    }

    /// Each of them at this moment.
    pub fn moments(&self, uri: &lsp::Uri) -> Vec<Moment> {
        let packed = self.pack.iter().flat_map(|pack| 0..pack.loaded.prompts.len());
        let packed = packed.filter_map(|index| self.packed(index));
        self.alone(uri).into_iter().chain(packed).collect()
    }

    /// The prompt that it is at this moment; `None` for what is none, or a pack.
    pub fn alone(&self, uri: &lsp::Uri) -> Option<Moment> {
        let Prompt { loaded, ropes, .. } = self.prompt.as_ref()?;
        let others = loaded.files.iter().skip(1).map(|path| convert::uri(path));
        Some(Moment {
            snapshot: loaded.snapshot.clone(),
            case: self.case(&loaded.snapshot),
            version: self.open_version(),
            uris: std::iter::once(Some(uri.clone())).chain(others).collect(),
            ropes: ropes.clone(),
            config: loaded.config.clone(),
            in_pack: None,
        })
    }

    /// One of the prompts of a pack at this moment.
    pub fn packed(&self, index: usize) -> Option<Moment> {
        let Pack { loaded: pack, ropes, .. } = self.pack.as_ref()?;
        let mut snapshot = pack.prompts.get(index)?.loaded.snapshot.clone();
        // What this prompt does not read, the others may.
        for case in &mut snapshot.cases {
            case.shared |= pack.prompts.len() > 1;
        }
        Some(Moment {
            case: self.case(&snapshot),
            snapshot,
            version: self.open_version(),
            uris: pack.files.iter().map(|path| convert::uri(path)).collect(),
            ropes: ropes.clone(),
            config: pack.config.clone(),
            in_pack: Some((self.text.clone(), pack.clone(), index)),
        })
    }

    /// Applies one change; `None`, without any, if its range ends before it starts.
    pub fn apply(
        &mut self,
        change: &lsp::TextDocumentContentChangeEvent,
        encoding: Encoding,
    ) -> Option<()> {
        let text = &mut self.text;
        let range = match change.range {
            None => 0..text.len_bytes(),
            Some(range) => {
                let start = convert::nearest_offset(text, range.start, encoding);
                let end = convert::nearest_offset(text, range.end, encoding);
                start..end
            }
        };
        if range.start > range.end {
            return None;
        }
        let characters = text.byte_to_char(range.start)..text.byte_to_char(range.end);
        text.remove(characters.clone());
        text.insert(characters.start, &change.text);
        if let Some(prompt) = &mut self.prompt {
            let edit =
                Edit { start: range.start, removed: range.len(), inserted: change.text.len() };
            prompt.loaded.edit(text, edit);
        }
        Some(())
    }

    /// The pack that it is at this moment; `None` for what is none.
    pub fn pack_moment(&self) -> Option<PackMoment> {
        let Pack { loaded, ropes } = self.pack.as_ref()?;
        Some(PackMoment {
            pack: loaded.clone(),
            is_open: self.is_open,
            uris: loaded.files.iter().map(|path| convert::uri(path)).collect(),
            ropes: ropes.clone(),
        })
    }
}

/// What makes a prompt of a document.
pub struct Prompt {
    pub loaded: LoadedPrompt,
    /// The texts of `loaded.files` for positions; empty ones for what could not be read, and for
    /// the prompt, whose text is the document's.
    pub ropes: Arc<[Rope]>,
}

impl Prompt {
    pub fn new(loaded: LoadedPrompt) -> Self {
        let ropes = ropes(&loaded.texts);
        Prompt { loaded, ropes }
    }
}

/// What makes a pack of a document.
pub struct Pack {
    pub loaded: Arc<LoadedPack>,
    /// The texts of `loaded.files` for positions.
    pub ropes: Arc<[Rope]>,
}

impl Pack {
    pub fn new(loaded: LoadedPack) -> Self {
        let ropes = ropes(&loaded.texts);
        Pack { loaded: Arc::new(loaded), ropes }
    }
}

fn ropes(texts: &[Option<Arc<str>>]) -> Arc<[Rope]> {
    let rope = |text: &Option<Arc<str>>| text.as_deref().map(Rope::from_str).unwrap_or_default();
    texts.iter().map(rope).collect()
}
