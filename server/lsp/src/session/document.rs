//! A text that the editor has open, and the prompts in it.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use promptls_analysis::position::Encoding;
use promptls_protocol as wire;
use promptls_resolver::Problem;
use promptls_syntax::Edit;
use ropey::Rope;

use crate::convert::{self, Uri};
use crate::session::prompt_snapshot::{FileSnapshot, PromptSnapshot};
use crate::session::selected_cases::SelectedCases;
use promptls_workspace::{Prompt, PromptFile, SharedReads};

/// A text that the editor has open, or a prompt that an open sidecar belongs to.
pub struct Document {
    /// From [`convert::path`]; not absolute if the document is no file.
    pub path: PathBuf,
    pub version: i32,
    pub language: String,
    pub text: Rope,
    pub is_open: bool,
    /// Its file was deleted while it was open, and it was not edited since. The text in the editor
    /// then stands for no file.
    pub is_deleted: bool,
    /// The prompts in it; `None` for a sidecar, a config or an unrelated document.
    pub held: Option<DocumentPrompts>,
    /// The cases that the user selected.
    pub selected: SelectedCases,
    /// Identifies the state on disk of its files when they were read; see
    /// [`fingerprint`](super::fingerprint).
    pub fingerprint: u64,
}

/// A document that the editor opens.
pub struct OpenedDocument {
    pub uri: Uri,
    pub language: String,
    pub version: i32,
    pub text: String,
}

/// A change of a document's text.
pub struct TextChange {
    /// The range that is replaced; `None` for the whole text.
    pub range: Option<wire::Range>,
    pub text: String,
}

/// A document at one moment, with everything that its check depends on.
#[derive(Default)]
pub struct DocumentSnapshot {
    /// Its path and text; empty if it is not loaded.
    pub path: PathBuf,
    pub text: Rope,
    /// Its version in the editor; `None` if it is not open.
    pub version: Option<i32>,
    /// Its prompts; `None` for any other document.
    pub file: Option<FileSnapshot>,
    /// It is a config, and open in the editor.
    pub is_open_config: bool,
    /// The check of the workspace reports the problems that the next two fields stand for.
    pub is_reported_elsewhere: bool,
    /// The problems about its unused keys, if prompts share it by a rule and all are loaded.
    pub unused: Option<Vec<Problem>>,
    /// It is an open inputs or variables file that no loaded prompt reads.
    pub is_unread_sidecar: bool,
    /// The prompts of an open document include its texts, though it is not open itself.
    pub is_part_of_open: bool,
}

/// The prompts of a document.
#[derive(Clone)]
pub struct DocumentPrompts {
    pub file: Arc<PromptFile>,
    /// The URIs of its files, by index.
    uris: Arc<[Option<Uri>]>,
    /// The keys that its prompts read from shared files; computed on first use.
    reads: OnceLock<Arc<SharedReads>>,
    /// The texts of its files, for conversions of positions. Empty for the document itself and for
    /// files that could not be read.
    ropes: Arc<[Rope]>,
    /// The same for files of the surrounding program, whose ids follow; computed on first use.
    around: Arc<[OnceLock<Rope>]>,
}

impl DocumentPrompts {
    /// `uris` are those of its files, by index.
    pub fn new(file: PromptFile, uris: Arc<[Option<Uri>]>) -> DocumentPrompts {
        let rope = |text: &Option<Arc<str>>| text.as_deref().map(Rope::from_str);
        DocumentPrompts {
            uris,
            ropes: file.texts.iter().map(|text| rope(text).unwrap_or_default()).collect(),
            around: file.around.iter().map(|_| OnceLock::new()).collect(),
            file: Arc::new(file),
            reads: OnceLock::new(),
        }
    }

    /// See [`SharedReads`]. Cost: the names in its prompts, once after each change.
    pub fn reads(&self) -> &Arc<SharedReads> {
        self.reads.get_or_init(|| Arc::new(SharedReads::of(&self.file)))
    }
}

impl Document {
    /// A document for which no files have been read yet.
    pub fn new(path: PathBuf, text: Rope) -> Document {
        Document {
            path,
            version: 0,
            language: String::new(),
            text,
            is_open: false,
            is_deleted: false,
            held: None,
            selected: SelectedCases::default(),
            fingerprint: 0,
        }
    }

    /// Returns whether its text takes precedence over the file on disk.
    pub fn counts(&self) -> bool {
        self.is_open && !self.is_deleted
    }

    /// The version in the editor; `None` if it is not open there.
    pub fn open_version(&self) -> Option<i32> {
        self.is_open.then_some(self.version)
    }

    /// The index of the selected case of a prompt.
    fn case(&self, Prompt { name, snapshot, .. }: &Prompt) -> Option<usize> {
        let mut selected = self.selected.of(name.as_deref());
        selected.find_map(|case| snapshot.case_named(case)).or_else(|| snapshot.first_case())
    }

    /// The file of prompts; `None` if it contains none.
    pub fn file(&self) -> Option<&Arc<PromptFile>> {
        self.held.as_ref().map(|held| &held.file)
    }

    /// The prompts in it; may be empty.
    pub fn prompts(&self) -> &[Prompt] {
        self.file().map_or(&[], |file| &file.prompts)
    }

    /// A snapshot of the file of prompts; `None` if it contains none.
    pub fn of_file(&self) -> Option<FileSnapshot> {
        let DocumentPrompts { file, uris, ropes, around, .. } = self.held.clone()?;
        Some(FileSnapshot {
            file,
            text: self.text.clone(),
            version: self.open_version(),
            uris,
            ropes,
            around,
        })
    }

    /// A snapshot of one of its prompts; `None` if there is none with this index.
    pub fn snapshot(&self, index: usize) -> Option<PromptSnapshot> {
        let case = self.case(self.prompts().get(index)?);
        Some(PromptSnapshot { of_file: self.of_file()?, index, case })
    }

    /// Snapshots of all its prompts.
    pub fn snapshots(&self) -> Vec<PromptSnapshot> {
        (0..self.prompts().len()).filter_map(|index| self.snapshot(index)).collect()
    }

    /// Applies changes in order. Returns `None` and applies none of them if a range ends before it
    /// starts.
    pub fn apply(&mut self, changes: &[TextChange], encoding: Encoding) -> Option<()> {
        if changes.len() > 1 {
            // Each range refers to the text after the change before it, so they are validated on a
            // copy.
            let mut tried = self.text.clone();
            changes
                .iter()
                .try_for_each(|change| replace(&mut tried, change, encoding).map(drop))?;
        }
        for change in changes {
            let edit = replace(&mut self.text, change, encoding)?;
            if let Some(held) = self.held.as_mut().filter(|held| held.file.follows_edits()) {
                // Copied only while an earlier request still uses it.
                Arc::make_mut(&mut held.file).edit(&self.text, edit);
                held.reads = OnceLock::new();
            }
        }
        Some(())
    }
}

/// Applies a change to a text. Returns `None` without applying it if its range ends before it
/// starts.
fn replace(text: &mut Rope, change: &TextChange, encoding: Encoding) -> Option<Edit> {
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
    Some(Edit { start: range.start, removed: range.len(), inserted: change.text.len() })
}
