//! Files of code and data whose strings are not read.

use std::path::Path;

use crate::files::paths::extension;

/// Endings of files with strings that may be prompts: source code, notebooks and data.
const WITH_STRINGS: &[&str] = &[
    // Programs.
    "ada",
    "adb",
    "agda",
    "applescript",
    "as",
    "asm",
    "astro",
    "awk",
    "bal",
    "bas",
    "c",
    "c++",
    "cc",
    "cl",
    "clj",
    "cljc",
    "cljs",
    "cls",
    "cob",
    "coffee",
    "cpp",
    "cr",
    "cs",
    "cshtml",
    "csx",
    "cu",
    "cxx",
    "d",
    "dart",
    "el",
    "elm",
    "erl",
    "ex",
    "exs",
    "f",
    "f90",
    "fs",
    "fsi",
    "fsx",
    "gd",
    "gleam",
    "gradle",
    "groovy",
    "gvy",
    "h",
    "h++",
    "hh",
    "hpp",
    "hrl",
    "hs",
    "hx",
    "hxx",
    "idr",
    "inl",
    "ipp",
    "janet",
    "jl",
    "jsm",
    "lhs",
    "lisp",
    "lsp",
    "lua",
    "luau",
    "m",
    "mdx",
    "ml",
    "mli",
    "mm",
    "mojo",
    "nim",
    "nims",
    "pas",
    "php",
    "phtml",
    "pl",
    "pm",
    "pony",
    "pp",
    "purs",
    "pyw",
    "pyx",
    "pxd",
    "q",
    "qml",
    "r",
    "rake",
    "razor",
    "rb",
    "re",
    "rei",
    "res",
    "rkt",
    "rs",
    "ru",
    "sas",
    "sc",
    "scala",
    "scm",
    "sol",
    "ss",
    "sv",
    "svelte",
    "swift",
    "tcl",
    "v",
    "vala",
    "vb",
    "vbs",
    "vhd",
    "vhdl",
    "vue",
    "wat",
    "zig",
    // Scripts of shells, and queries.
    "bash",
    "bat",
    "cmd",
    "cypher",
    "fish",
    "gql",
    "graphql",
    "ksh",
    "nu",
    "ps1",
    "psd1",
    "psm1",
    "sh",
    "sparql",
    "sql",
    "zsh",
    // Descriptions of builds, infrastructure and protocols.
    "bazel",
    "bzl",
    "cmake",
    "cue",
    "dhall",
    "hcl",
    "jsonnet",
    "libsonnet",
    "mk",
    "nix",
    "proto",
    "star",
    "tf",
    "tfvars",
    "thrift",
    // Notebooks, data and tables.
    "cfg",
    "conf",
    "csv",
    "edn",
    "env",
    "geojson",
    "hjson",
    "ini",
    "ipynb",
    "json5",
    "jsonl",
    "jsonld",
    "ndjson",
    "plist",
    "properties",
    "psv",
    "qmd",
    "rmd",
    "ron",
    "tsv",
];

/// Endings of other code and data: styles, and tables in bytes. A glob for a whole folder does not
/// mean these.
const WITHOUT_STRINGS: &[&str] = &[
    "arrow", "avro", "css", "db", "duckdb", "feather", "h5", "hdf5", "less", "npy", "npz", "ods",
    "orc", "parquet", "pickle", "pkl", "rds", "sass", "scss", "sqlite", "sqlite3", "styl", "wasm",
    "xls", "xlsm", "xlsx",
];

/// `true` if a file is code or data of a kind that is not read, by its name.
pub fn is_unsupported(path: &Path) -> bool {
    has_strings(path) || is_one_of(path, WITHOUT_STRINGS)
}

/// `true` if such a file has strings that may be prompts.
pub fn has_strings(path: &Path) -> bool {
    is_one_of(path, WITH_STRINGS)
}

/// Cost: a search in the list. Names in capitals count as well.
fn is_one_of(path: &Path, endings: &[&str]) -> bool {
    extension(path)
        .is_some_and(|ending| endings.iter().any(|known| known.eq_ignore_ascii_case(ending)))
}

#[cfg(test)]
mod tests {
    use promptls_hosts::Language;

    use super::*;

    #[test]
    fn texts_and_supported_files_are_not_unsupported() {
        for ending in WITH_STRINGS.iter().chain(WITHOUT_STRINGS) {
            assert_eq!(Language::from_ending(ending), None, "{ending}");
        }
        for name in ["a", "a.txt", "a.md", "a.html", "a.xml", "a.prompt", "a.j2", "a.tex", ".env"] {
            assert!(!is_unsupported(Path::new(name)), "{name}");
        }
        for name in ["a.rb", "A.RB", "a.b.ipynb", "a.parquet"] {
            assert!(is_unsupported(Path::new(name)), "{name}");
        }
    }
}
