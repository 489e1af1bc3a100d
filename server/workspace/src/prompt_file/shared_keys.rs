//! The keys that prompts of a file read from the inputs files that they share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use promptls_analysis::{SharedWith, is_of_hole, keys_needed, unused_inputs};
use promptls_resolver::{FileId, Inputs, Problem};

use super::PromptFile;
use super::chats::supplied;

/// The readers of each inputs file that prompts of a file share.
pub(crate) struct SharedKeys(BTreeMap<FileId, Readers>);

#[derive(Default)]
struct Readers {
    inputs: Option<Arc<Inputs>>,
    keys: BTreeSet<String>,
    /// The chats of the readers; `None` for a reader outside of chats.
    chats: BTreeSet<Option<String>>,
    /// `true` if a part of a reader is computed, so that it may read any key.
    has_hole: bool,
}

impl SharedKeys {
    /// The readers of all shared inputs files of a file of prompts.
    ///
    /// Cost: all its prompts.
    pub fn new(file: &PromptFile) -> SharedKeys {
        let mut shared: BTreeMap<FileId, Readers> = BTreeMap::new();
        for (index, prompt) in file.prompts.iter().enumerate() {
            let of_file = prompt.snapshot.cases.iter();
            let mut of_file = of_file.filter(|case| case.shared == SharedWith::ItsFile).peekable();
            if of_file.peek().is_none() {
                continue;
            }
            let (keys, chat) = (keys_needed(&prompt.snapshot), file.chat_of(index));
            for case in of_file {
                let readers = shared.entry(case.inputs.file).or_default();
                readers.inputs.get_or_insert_with(|| case.inputs.clone());
                readers.keys.extend(keys.iter().cloned());
                readers.keys.extend(chat.iter().flat_map(|it| supplied(it)).map(str::to_owned));
                readers.has_hole |= !prompt.snapshot.holes().is_empty();
                readers.chats.insert(chat.map(|chat| chat.name.clone()));
            }
        }
        SharedKeys(shared)
    }

    /// The keys of some inputs files that none of their readers reads. `name` is the name of the file
    /// with the prompts.
    pub fn unused(&self, files: &BTreeSet<FileId>, name: &str) -> Vec<Problem> {
        let meant = self.0.iter().filter(|(file, _)| files.contains(file));
        let unused = meant.flat_map(|(_, readers)| {
            let reader = match readers.chats.first() {
                Some(Some(chat)) if readers.chats.len() == 1 => format!("any message of `{chat}`"),
                _ => format!("any prompt of {name}"),
            };
            let inputs = readers.inputs.iter();
            let unused =
                inputs.flat_map(move |inputs| unused_inputs(inputs, &readers.keys, &reader));
            unused.filter(|it| !readers.has_hole || it.names.iter().any(|name| is_of_hole(name)))
        });
        unused.collect()
    }
}
