//! What only a few files may do: code that bypasses them has another result, or another effect,
//! than the rest of the program.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::source::{Module, crates};

/// Something that one part of the program does for all others.
struct Seam {
    /// What a file of another part does.
    what: &'static str,
    /// The folders that are examined.
    within: &'static [&'static str],
    /// Code that does it.
    uses: Uses,
    /// The files that may, and the reasons; a path that ends in `/` is for all files of a folder.
    may: &'static [(&'static str, &'static str)],
}

/// Code that is searched for.
enum Uses {
    /// Any of these words, wherever they stand.
    Words(&'static [&'static str]),
    /// A path that starts with one of these names.
    Crates(&'static [&'static str]),
    /// A path with one of the first names, followed by one of the others.
    Pairs(&'static [(&'static str, &'static [&'static str])]),
}

/// The crates with files that `Files` gives access to.
const READING: &[&str] = &["server/workspace/", "server/lsp/", "server/src/"];

const SEAMS: [Seam; 5] = [
    Seam {
        // `Files` has the unsaved texts of editors, and files of commits.
        what: "reads from the disk without `Files`",
        within: READING,
        uses: Uses::Words(&[
            "fs",
            "exists",
            "try_exists",
            "is_file",
            "is_dir",
            "is_symlink",
            "metadata",
            "symlink_metadata",
            "canonicalize",
            "read_dir",
            "read_link",
            "WalkBuilder",
        ]),
        may: &[
            ("server/workspace/src/files.rs", "it implements `Files` for the disk"),
            ("server/workspace/src/files/regular_file.rs", "it opens files for `Files`"),
            ("server/workspace/src/walking/walker.rs", "it configures how folders are walked"),
            ("server/workspace/src/walking/walk.rs", "it walks; files are read through `Files`"),
            ("server/src/commands/init/candidates.rs", "it walks; files are read through `Files`"),
            ("server/src/commands/resolve/many.rs", "a table has any size, and is streamed"),
            ("server/lsp/src/transport/stdio.rs", "standard input and output are files"),
            ("server/src/preview/watch.rs", "standard input may be a terminal or a pipe"),
            ("server/src/preview/own_output.rs", "standard output may be a watched file"),
            ("server/lsp/src/followers/server.rs", "a socket is a file"),
            ("server/lsp/src/followers/socket_dir.rs", "only the user may access the sockets"),
        ],
    },
    Seam {
        // The writer compares with what was read, and follows no link out of the project.
        what: "changes files without `promptls-writer`",
        within: &["server/"],
        uses: Uses::Pairs(&[
            (
                "fs",
                &[
                    "copy",
                    "create_dir",
                    "create_dir_all",
                    "hard_link",
                    "remove_dir",
                    "remove_dir_all",
                    "remove_file",
                    "rename",
                    "set_permissions",
                    "soft_link",
                    "write",
                    "OpenOptions",
                    "DirBuilder",
                ],
            ),
            ("File", &["create", "create_new", "options"]),
            ("tempfile", &["Builder", "NamedTempFile", "tempfile", "tempdir", "TempDir"]),
        ]),
        may: &[
            ("server/writer/src/lib.rs", "it writes all files"),
            ("server/writer/src/unfinished.rs", "it writes temporary files"),
            ("server/writer/src/attributes.rs", "it sets permissions of temporary files"),
            ("server/workspace/src/files/regular_file.rs", "it opens files, for reading only"),
            ("server/lsp/src/followers/server.rs", "it creates and removes its own socket"),
            ("server/lsp/src/followers/socket_dir.rs", "it creates the folder of the sockets"),
        ],
    },
    Seam {
        // Two parsers of one format would give different results.
        what: "parses data without `promptls-data`",
        within: &["server/"],
        uses: Uses::Crates(&[
            "jsonc_parser",
            "quick_xml",
            "saphyr_parser",
            "toml",
            "toml_edit",
            "toml_parser",
        ]),
        may: &[
            ("server/data/", "it is the reader of data"),
            ("server/workspace/src/config/", "it reads and edits `promptls.toml` and manifests"),
            ("server/workspace/src/rewriting/layout.rs", "a module of it is called `toml`"),
            ("server/workspace/src/rewriting/layout/toml.rs", "it needs tokens, not values"),
            ("server/workspace/src/lock.rs", "it reads a file that promptls writes"),
            ("server/builder/src/language.rs", "it reads a file into a type"),
            ("server/builder/src/template.rs", "it reads a file into a type"),
            ("server/builder/src/error.rs", "it has the errors of these"),
            ("server/src/commands/stats/prices.rs", "it reads a file into a type"),
            ("server/src/commands/init/rules.rs", "it writes `promptls.toml`"),
            ("server/src/output/", "it writes XML"),
        ],
    },
    Seam {
        what: "uses the network or a socket",
        within: &["server/", "syntax/"],
        uses: Uses::Words(&[
            "TcpListener",
            "TcpStream",
            "UdpSocket",
            "UnixListener",
            "UnixStream",
            "axum",
            "hyper",
            "hyper_util",
            "net",
            "reqwest",
        ]),
        may: &[
            ("server/stores/src/langfuse", "stores that a config names are on the network"),
            ("server/src/preview/serve", "the page is served on this machine only"),
            ("server/lsp/src/followers/", "previews follow a server through a local socket"),
            ("server/lsp/src/transport/stdio.rs", "a client may use a socket as standard input"),
        ],
    },
    Seam {
        // There are three encodings of columns and three line endings.
        what: "converts offsets to lines without `position.rs`",
        within: &["server/", "syntax/"],
        uses: Uses::Words(&["byte_to_line", "char_to_line", "line_to_byte", "line_to_char"]),
        may: &[
            ("server/analysis/src/position.rs", "it converts them"),
            ("server/analysis/src/features/folding_range.rs", "it needs the ends of whole lines"),
            ("server/analysis/src/features/code_action.rs", "it needs the end of a line"),
            ("server/src/output/excerpts.rs", "it prints whole lines"),
        ],
    },
];

impl Seam {
    /// The lines of a module that do it, with the words.
    fn uses_of(&self, module: &Module) -> Vec<(usize, String)> {
        let paths = |is_use: &dyn Fn(&[String]) -> bool| {
            let paths = module.paths().filter(|(path, _)| is_use(path));
            paths.map(|(path, line)| (line, path.join("::"))).collect()
        };
        match self.uses {
            Uses::Words(searched) => {
                let words = module.words.iter().filter(|(word, _)| searched.contains(&&**word));
                words.map(|(word, line)| (*line, word.clone())).collect()
            }
            Uses::Crates(names) => {
                paths(&|path| path.len() > 1 && names.contains(&path[0].as_str()))
            }
            Uses::Pairs(pairs) => paths(&|path| {
                path.windows(2).any(|found| {
                    let is_it = |(first, others): &(&str, &[&str])| {
                        found[0] == *first && others.contains(&found[1].as_str())
                    };
                    pairs.iter().any(is_it)
                })
            }),
        }
    }

    /// The reason that allows a file to do it.
    fn permission(&self, file: &str) -> Option<&'static str> {
        let is_it = |(path, _): &&(&str, &str)| {
            file.strip_prefix(path).is_some_and(|rest| {
                rest.is_empty() || path.ends_with('/') || rest.starts_with(['/', '.'])
            })
        };
        self.may.iter().find(is_it).map(|(path, _)| *path)
    }
}

#[test]
fn each_seam_is_used_only_by_the_files_that_may() {
    let crates = crates();
    let mut shown = String::new();
    for seam in &SEAMS {
        let mut used: BTreeMap<&str, usize> = BTreeMap::new();
        for module in crates.iter().flat_map(|sources| sources.modules()) {
            if !seam.within.iter().any(|folder| module.file.starts_with(folder)) {
                continue;
            }
            for (line, word) in seam.uses_of(module) {
                match seam.permission(&module.file) {
                    Some(path) => *used.entry(path).or_default() += 1,
                    None => {
                        let _ = writeln!(shown, "{}:{line} {}: `{word}`", module.file, seam.what);
                    }
                }
            }
        }
        // A permission without a use is removed from the list.
        for (path, reason) in seam.may.iter().filter(|(path, _)| !used.contains_key(path)) {
            let _ = writeln!(shown, "no file of {path} {}, so not because {reason}", seam.what);
        }
    }
    assert!(shown.is_empty(), "{shown}");
}
