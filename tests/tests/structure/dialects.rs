//! A dialect is a row in a table and a file in some folders; few other files mention one.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use promptls_syntax::Dialect;

use super::source::{Module, crates};

/// The path of the table of dialects, relative to the repository.
const TABLE: &str = "syntax/src/dialect.rs";

/// The code patterns of frameworks: a table with a file for each language.
const RECOGNISERS: &str = "server/hosts/src/code/recognisers/";

/// The maximum number of other files that mention a dialect. These are the one match of each crate,
/// the lists of engines and of grammars, the data and code patterns of frameworks, features of one
/// dialect, such as packs, and the formatter and an engine of Python braces.
const MOST: usize = 13;

/// A dialect whose id is a word of all code. It counts only as a variant, directly after `Dialect`.
const COMMON: &str = "format";

/// Counts every word of the code that is the name of a dialect (a variant, a module or a function),
/// and `is_` with such a name. Tests and dialects' own files do not count.
#[test]
fn few_files_name_a_dialect() {
    let mut found: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
    for module in crates().iter().flat_map(|sources| sources.modules()) {
        let words = names(module);
        if !words.is_empty() && !is_of_dialect(module) {
            found.entry(place(module)).or_default().extend(words);
        }
    }
    let mut shown = String::new();
    for (file, words) in &found {
        for (word, line) in words {
            let _ = writeln!(shown, "  {file}:{line} `{word}`");
        }
    }
    assert!(found.len() <= MOST, "dialects are named in {} files:\n{shown}", found.len());
    // An empty result would mean that the wrong files were searched.
    assert!(found.contains_key("syntax/src/lexer.rs"), "{shown}");
}

/// The file of a module, or the table that it is a part of.
fn place(module: &Module) -> String {
    match module.file.strip_prefix(RECOGNISERS) {
        Some(_) => RECOGNISERS.to_owned(),
        None => module.file.clone(),
    }
}

/// The words of a module that name a dialect, with their lines.
fn names(module: &Module) -> Vec<(String, usize)> {
    let before = std::iter::once("").chain(module.words.iter().map(|(word, _)| word.as_str()));
    let is_name = |((word, _), before): &(&(String, usize), &str)| {
        is_dialect(word) && (*before == "Dialect" || !word.eq_ignore_ascii_case(COMMON))
    };
    module.words.iter().zip(before).filter(is_name).map(|(word, _)| word.clone()).collect()
}

fn is_dialect(word: &str) -> bool {
    let word = word.strip_prefix("is_").unwrap_or(word).to_ascii_lowercase();
    Dialect::from_id(&word).is_some()
}

/// Whether a file is the table, or belongs to one dialect by its path; some tests are also for one
/// dialect.
fn is_of_dialect(module: &Module) -> bool {
    let path = Path::new(&module.file);
    let mut parts = path.iter().filter_map(|part| Path::new(part).file_stem()?.to_str());
    module.file == TABLE || module.file.starts_with("tests/") || parts.any(is_dialect)
}
