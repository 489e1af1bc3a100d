//! Workspace symbols: prompts, their cases, the variables and fragments that they declare, and the
//! keys of their inputs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use promptls_resolver::{FileId, Inputs};
use smol_str::SmolStr;

use super::prompt_file::{Prompt, PromptFile};
use crate::sidecars::naming::stem;

/// The kind of a symbol. Of equally good matches, earlier kinds come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SymbolKind {
    /// A prompt: its name in its file, else the name of the file.
    Prompt,
    /// A case, at the start of its inputs file.
    Case,
    /// A variable, where its declaration names it.
    Variable,
    /// A fragment, where its declaration names it.
    Fragment,
    /// A top-level key of an inputs file.
    Key,
}

/// A name, and its range in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceSymbol {
    /// The text of the name.
    pub name: SmolStr,
    /// The kind: a prompt, a case, a variable, a fragment or a key.
    pub kind: SymbolKind,
    start: u32,
    end: u32,
}

impl WorkspaceSymbol {
    fn new(kind: SymbolKind, name: &str, range: Range<usize>) -> WorkspaceSymbol {
        let place = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        WorkspaceSymbol {
            name: name.into(),
            kind,
            start: place(range.start),
            end: place(range.end),
        }
    }

    /// Its range, in bytes of its file.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// All symbols of a workspace, by file.
#[derive(Debug, Default)]
pub struct WorkspaceSymbols {
    by_file: BTreeMap<PathBuf, Box<[WorkspaceSymbol]>>,
}

impl WorkspaceSymbols {
    /// The symbols in a file of prompts and in its sidecars, by file.
    pub fn of(file: &PromptFile) -> Vec<(PathBuf, Vec<WorkspaceSymbol>)> {
        let mut found: BTreeMap<FileId, Vec<WorkspaceSymbol>> = BTreeMap::new();
        for prompt in &file.prompts {
            let (name, range) = called(file, prompt);
            let own = found.entry(file.file).or_default();
            own.push(WorkspaceSymbol::new(SymbolKind::Prompt, name, range));
            let declared = &prompt.snapshot.declarations;
            let names = found.entry(declared.file).or_default();
            names.extend(declared.variables.iter().map(|it| {
                WorkspaceSymbol::new(SymbolKind::Variable, &it.name, it.name_span.range())
            }));
            names.extend(declared.fragments.iter().map(|it| {
                WorkspaceSymbol::new(SymbolKind::Fragment, &it.name, it.name_span.range())
            }));
        }
        // All prompts of a file have the same cases.
        for case in file.prompts.iter().take(1).flat_map(|prompt| &prompt.snapshot.cases) {
            let names = found.entry(case.inputs.file).or_default();
            names.push(WorkspaceSymbol::new(SymbolKind::Case, &case.name, 0..0));
            names.extend(keys(&case.inputs));
        }
        let path = |FileId(index)| file.files.get(index as usize).cloned();
        let found = found.into_iter().filter(|(_, names)| !names.is_empty());
        let found = found.filter_map(|(id, mut names)| {
            // Prompts of a file may share declarations.
            names.sort_by(|a, b| (a.start, a.kind, &a.name).cmp(&(b.start, b.kind, &b.name)));
            names.dedup();
            Some((path(id)?, names))
        });
        found.collect()
    }

    /// Replaces the symbols of a file.
    pub fn set(&mut self, path: PathBuf, names: Vec<WorkspaceSymbol>) {
        self.by_file.insert(path, names.into());
    }

    /// Removes the symbols of a file.
    pub fn forget(&mut self, path: &Path) {
        self.by_file.remove(path);
    }

    /// Removes the symbols of all files.
    pub fn clear(&mut self) {
        self.by_file.clear();
    }

    /// The symbols that contain the letters of a query in this order, ignoring case: the best
    /// matches first, at most `most`.
    ///
    /// Cost: all names.
    pub fn search(&self, query: &str, most: usize) -> Vec<(PathBuf, WorkspaceSymbol)> {
        let query: Vec<char> =
            query.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
        let mut found: Vec<(Fit, &Path, &WorkspaceSymbol)> = Vec::new();
        for (path, names) in &self.by_file {
            for symbol in names {
                if let Some(fit) = fit(&symbol.name, &query) {
                    found.push((fit, path, symbol));
                }
            }
        }
        let order = |(fit, path, symbol): &(Fit, &Path, &WorkspaceSymbol)| {
            (*fit, symbol.kind, symbol.name.len(), path.as_os_str().to_owned(), symbol.start)
        };
        if found.len() > most && most > 0 {
            found.select_nth_unstable_by_key(most - 1, |it| (it.0, it.2.kind, it.2.name.len()));
        }
        found.truncate(most);
        found.sort_by_cached_key(order);
        let found = found.into_iter();
        found.map(|(_, path, symbol)| (path.to_owned(), symbol.clone())).collect()
    }
}

/// The quality of a match; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// The number of letters between those of the query.
    gaps: usize,
    /// `true` if the match does not start at the start of a word.
    is_inside: bool,
    /// Reversed, so that matches at the start of the name (`true`) come first.
    is_later: Reverse<bool>,
}

/// `None` for a name without a letter of the query; the query is in lower case.
fn fit(name: &str, query: &[char]) -> Option<Fit> {
    let Some((first, _)) = query.split_first() else {
        return Some(Fit { gaps: 0, is_inside: false, is_later: Reverse(true) });
    };
    let letters = || name.chars().flat_map(char::to_lowercase);
    let mut best: Option<Fit> = None;
    let mut before = None;
    for (start, letter) in letters().enumerate() {
        if letter == *first
            && let Some(gaps) = gaps(letters().skip(start), query)
        {
            let is_inside = before.is_some_and(char::is_alphanumeric);
            let fit = Fit { gaps, is_inside, is_later: Reverse(start == 0) };
            best = Some(best.map_or(fit, |best| best.min(fit)));
        }
        before = Some(letter);
    }
    best
}

/// The number of letters between those of a query that matches from here.
fn gaps(letters: impl Iterator<Item = char>, query: &[char]) -> Option<usize> {
    let (mut left, mut gaps) = (query, 0);
    for letter in letters {
        match left.split_first() {
            None => break,
            Some((next, rest)) if letter == *next => left = rest,
            Some(_) => gaps += 1,
        }
    }
    left.is_empty().then_some(gaps)
}

fn called<'f>(file: &'f PromptFile, prompt: &'f Prompt) -> (&'f str, Range<usize>) {
    match &prompt.name {
        Some(name) => (name, prompt.entry.clone()),
        None => {
            let name = file.files[0].file_name().and_then(|name| name.to_str());
            (name.map_or("", |name| stem(name)), 0..0)
        }
    }
}

fn keys(inputs: &Inputs) -> impl Iterator<Item = WorkspaceSymbol> {
    let entries = inputs.root.entries().iter();
    entries.map(|it| WorkspaceSymbol::new(SymbolKind::Key, &it.key, it.key_span.range()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(names: &[&str]) -> WorkspaceSymbols {
        let mut symbols = WorkspaceSymbols::default();
        let of = |name: &&str| WorkspaceSymbol::new(SymbolKind::Key, name, 0..0);
        symbols.set("/p/a".into(), names.iter().map(of).collect());
        symbols
    }

    #[track_caller]
    fn check(query: &str, most: usize, expected: &[&str]) {
        let names =
            ["customer_name", "Customer", "cust", "the_customer", "accustom", "order", "cxuxsxt"];
        let found = symbols(&names).search(query, most);
        let found: Vec<&str> = found.iter().map(|(_, symbol)| &*symbol.name).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn names_with_the_query_as_a_prefix_are_first() {
        let all = ["cust", "Customer", "customer_name", "the_customer", "accustom", "cxuxsxt"];
        check("cust", 10, &all);
        check("CUST", 10, &all);
        check("cust", 2, &all[..2]);
        check("cn", 10, &["customer_name"]);
        check("order", 10, &["order"]);
        check("none", 10, &[]);
        check("cust", 0, &[]);
    }

    #[test]
    fn an_empty_query_matches_all_names() {
        check("", 3, &["cust", "order", "cxuxsxt"]);
    }
}
