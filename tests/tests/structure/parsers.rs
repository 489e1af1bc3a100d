//! `promptls-data` parses JSON, YAML and TOML: two parsers of one format would give different
//! results.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::source::crates;

/// The crates that parse these formats.
const PARSERS: [&str; 4] = ["jsonc_parser", "saphyr_parser", "toml_edit", "toml"];

/// The folder of the only parser.
const READER: &str = "server/data/";

/// Other files that use a parser, and the reasons; a path that ends in `/` is for all files of a
/// folder.
const MAY: [(&str, &str); 8] = [
    ("server/workspace/src/config/", "it reads and edits `promptls.toml` and project files"),
    ("server/workspace/src/rewriting/layout.rs", "a module of it has that name"),
    ("server/workspace/src/lock.rs", "it reads a file that promptls writes"),
    ("server/builder/src/language.rs", "it reads a file into a type"),
    ("server/builder/src/template.rs", "it reads a file into a type"),
    ("server/builder/src/error.rs", "it has the errors of these"),
    ("server/src/commands/stats/prices.rs", "it reads a file into a type"),
    ("server/src/commands/init/rules.rs", "it writes `promptls.toml`"),
];

#[test]
fn formats_are_read_in_one_crate() {
    let may = |file: &str| {
        let is_it = |(path, _): &&(&str, &str)| {
            file == *path || path.ends_with('/') && file.starts_with(*path)
        };
        MAY.iter().find(is_it).map(|(path, _)| *path)
    };
    let mut shown = String::new();
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    for module in crates().iter().flat_map(|sources| sources.modules()) {
        let is_elsewhere = module.file.starts_with("server/") && !module.file.starts_with(READER);
        for (path, line) in module.paths().filter(|_| is_elsewhere) {
            if path.len() < 2 || !PARSERS.contains(&path[0].as_str()) {
                continue;
            }
            match may(&module.file) {
                Some(path) => *used.entry(path).or_default() += 1,
                None => _ = writeln!(shown, "  {}:{line} `{}`", module.file, path.join("::")),
            }
        }
    }
    assert!(shown.is_empty(), "formats are read without `promptls-data`:\n{shown}");
    for (path, reason) in MAY {
        assert!(used.contains_key(path), "{path} names no parser, so not because {reason}");
    }
}
