//! Prompts that share files, and equivalent symbols in them.
//!
//! Shared files connect the symbols of different prompts. Where a name occurs in such a file, each
//! prompt that reads the file has its own symbol for that place. So dialects may differ, and paths
//! of different prompts are never compared.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

use promptls_analysis::position::Encoding;
use promptls_analysis::{Case, Symbol, name_in_program, references_to, symbol_at};
use promptls_protocol as wire;
use promptls_resolver::FileId;

use crate::convert;
use crate::document_range::DocumentPosition;
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::{PromptSnapshot, View};
use crate::worker::Cost;

/// A prompt, and its symbols that are equivalent to the requested one.
pub struct Sharing {
    pub prompt: PromptSnapshot,
    /// In all files of the prompt; usually one.
    pub symbols: Vec<Symbol>,
}

/// The cost of a request about all prompts that share a name with those of some views. Prompts that
/// are not open may have to be read for it.
pub fn cost_of_all(views: &[View], position: wire::Position, encoding: Encoding) -> Cost {
    let may_share = |view: &View| {
        let snapshot = view.prompt.snapshot();
        snapshot.shared_variables
            || snapshot.cases.iter().any(Case::is_shared)
            || snapshot.program().is_some_and(|program| !program.places.is_empty())
    };
    if views.iter().any(may_share) { Cost::Long } else { cost(views, position, encoding) }
}

/// The cost of a request about some views. Without a name at the position, prompts may have to be
/// read from disk.
pub fn cost(views: &[View], position: wire::Position, encoding: Encoding) -> Cost {
    if have_name(views, position, encoding) { Cost::OfNames } else { Cost::Long }
}

/// Returns whether a position is in a prompt, or at a name of one of its files.
fn have_name(views: &[View], position: wire::Position, encoding: Encoding) -> bool {
    let is_name = |view: &View| {
        let offset = view.offset(position, encoding)?;
        symbol_at(view.prompt.snapshot(), view.file, offset)
    };
    views.iter().any(|view| view.file == FileId::PROMPT || is_name(view).is_some())
}

/// The views of a position. If no loaded prompt has a name there, the views of prompts that are not
/// open: those that read the name at a place in code, or that read the file.
///
/// Cost: as for [`Documents::unstored`] if no loaded prompt has a name there.
pub fn views_or_readers(
    documents: &Documents,
    views: Vec<View>,
    at: &DocumentPosition,
    encoding: Encoding,
) -> Vec<View> {
    if have_name(&views, at.position, encoding) {
        return views;
    }
    let (path, text) = (convert::path(&at.uri), documents.lookup().text(&at.uri));
    let offset = text.and_then(|text| convert::offset(&text, at.position, encoding));
    let of_place = offset.map(|offset| documents.unstored().readers_of_place(&path, offset));
    match of_place {
        Some(of_place) if !of_place.is_empty() => of_place,
        _ if !views.is_empty() => views,
        _ => {
            let readers = documents.unstored().readers(&path).into_iter();
            let view = |prompt: PromptSnapshot| Some(View { file: prompt.file_at(&path)?, prompt });
            readers.filter_map(view).collect()
        }
    }
}

/// All prompts with a symbol equivalent to that at a position. Searches the prompts that the
/// document belongs to, and those that share files with them.
///
/// Cost: that of [`Documents::unstored`], for each file that mentions the symbol.
pub fn same_in_all_prompts(
    documents: &Documents,
    views: Vec<View>,
    position: wire::Position,
    encoding: Encoding,
) -> Vec<Sharing> {
    let mut family = Family::new(documents);
    for view in views {
        if let Some(offset) = view.offset(position, encoding)
            && let Some(symbol) = symbol_at(view.prompt.snapshot(), view.file, offset)
        {
            let prompt = family.prompt(view.prompt);
            family.note(prompt, symbol);
        }
    }
    while let Some((prompt, symbol)) = family.waiting.pop_front() {
        family.carry(prompt, &symbol);
    }
    family.prompts.retain(|relative| !relative.symbols.is_empty());
    family.prompts
}

struct Family<'d> {
    documents: &'d Documents,
    prompts: Vec<Sharing>,
    /// The prompts that read each file.
    readers: HashMap<PathBuf, Vec<usize>>,
    /// The symbols that still have to be looked up in other prompts.
    waiting: VecDeque<(usize, Symbol)>,
}

impl<'d> Family<'d> {
    fn new(documents: &'d Documents) -> Self {
        Family { documents, prompts: Vec::new(), readers: HashMap::new(), waiting: VecDeque::new() }
    }

    /// The index of a prompt, which is added if it is new.
    fn prompt(&mut self, prompt: PromptSnapshot) -> usize {
        let is_it = |known: &Sharing| known.prompt.identity() == prompt.identity();
        self.prompts.iter().position(is_it).unwrap_or_else(|| {
            self.prompts.push(Sharing { prompt, symbols: Vec::new() });
            self.prompts.len() - 1
        })
    }

    fn note(&mut self, prompt: usize, symbol: Symbol) {
        let symbols = &mut self.prompts[prompt].symbols;
        if !symbols.contains(&symbol) {
            symbols.push(symbol.clone());
            self.waiting.push_back((prompt, symbol));
        }
    }

    /// Finds the symbols of other prompts that are equivalent to one of this prompt.
    fn carry(&mut self, prompt: usize, symbol: &Symbol) {
        let prompt = &self.prompts[prompt].prompt;
        let prompt = prompt.clone();
        let snapshot = prompt.snapshot();
        let found = references_to(snapshot, symbol);
        // State is shared by all agents of an application.
        if let Some(name) = name_in_program(snapshot, symbol) {
            for other in self.of_app(&prompt, name) {
                let is_alike =
                    self.prompts[other].prompt.snapshot().dialect() == snapshot.dialect();
                if is_alike && self.reads(other, symbol) {
                    self.note(other, symbol.clone());
                }
            }
        }
        for place in found.uses.into_iter().chain(found.declaration) {
            let (file, offset) = (place.file, place.range.start);
            // A place may refer to more than one symbol; only the first counts for other prompts.
            if file == FileId::PROMPT || symbol_at(snapshot, file, offset).as_ref() != Some(symbol)
            {
                continue;
            }
            let Some(path) = prompt.uri_of(file).map(convert::path) else { continue };
            for reader in self.readers(&path) {
                let Sharing { prompt, .. } = &self.prompts[reader];
                let same = prompt
                    .file_at(&path)
                    .and_then(|file| symbol_at(prompt.snapshot(), file, offset));
                if let Some(same) = same {
                    self.note(reader, same);
                }
            }
        }
    }

    /// Returns whether a prompt's text has uses of a symbol.
    fn reads(&self, prompt: usize, symbol: &Symbol) -> bool {
        let snapshot = self.prompts[prompt].prompt.snapshot();
        references_to(snapshot, symbol).uses.iter().any(|place| place.file == FileId::PROMPT)
    }

    fn of_app(&mut self, prompt: &PromptSnapshot, name: &str) -> Vec<usize> {
        let prompts = self.documents.unstored().of_app(prompt.path(), name).into_iter();
        prompts.map(|prompt| self.prompt(prompt)).collect()
    }

    fn readers(&mut self, path: &Path) -> Vec<usize> {
        if let Some(readers) = self.readers.get(path) {
            return readers.clone();
        }
        let found = self.documents.unstored().readers(path);
        let readers: Vec<usize> = found.into_iter().map(|prompt| self.prompt(prompt)).collect();
        self.readers.insert(path.to_owned(), readers.clone());
        readers
    }
}
