//! `Files` is the only access to files: code that bypasses it sees neither open editors nor
//! commits. The crate `promptls-writer` is the only way to change them: code that bypasses it
//! follows links out of a project, or overwrites changes of another program.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::source::crates;

/// The files that access the disk directly, and the reasons.
const MAY: [(&str, &str); 11] = [
    ("server/workspace/src/files.rs", "it is where `Files` meets the disk"),
    ("server/workspace/src/files/regular_file.rs", "it reads for `Files`, what is a file"),
    ("server/workspace/src/walking/walker.rs", "it says how folders are walked through"),
    ("server/workspace/src/walking/walk.rs", "it walks; what is found is read through `Files`"),
    ("server/src/commands/init/candidates.rs", "it walks; what is found is read through `Files`"),
    ("server/src/commands/resolve/many.rs", "a table has any size, and is read as it is needed"),
    ("server/lsp/src/transport/stdio.rs", "standard input and output are files, too"),
    ("server/src/preview/watch.rs", "it asks whether standard input is a terminal or a pipe"),
    ("server/src/preview/own_output.rs", "it asks which files standard output goes to"),
    ("server/lsp/src/followers/server.rs", "a socket is a file"),
    (
        "server/lsp/src/followers/socket_dir.rs",
        "the folder of the sockets must be its user's alone",
    ),
];

/// The crates that access files.
const CRATES: [&str; 3] = ["server/workspace/", "server/lsp/", "server/src/"];

/// The functions that read from the disk.
const ASKS: [&str; 12] = [
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
];

#[test]
fn only_a_few_files_ask_the_disk_themselves() {
    let mut found: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
    for module in crates().iter().flat_map(|sources| sources.modules()) {
        let words = module.words.iter().filter(|(word, _)| ASKS.contains(&&**word));
        let knows_files = CRATES.iter().any(|folder| module.file.starts_with(folder));
        if knows_files && words.clone().next().is_some() {
            found.insert(module.file.clone(), words.cloned().collect());
        }
    }
    let mut shown = String::new();
    for (file, words) in &found {
        if !MAY.iter().any(|(may, _)| may == file) {
            for (word, line) in words {
                let _ = writeln!(shown, "  {file}:{line} `{word}`");
            }
        }
    }
    assert!(shown.is_empty(), "files are asked for past `Files`:\n{shown}");
    // A file that no longer does so must be removed from the list.
    for (file, why) in MAY {
        assert!(found.contains_key(file), "{file} does not ask the disk, so not because {why}");
    }
}

/// The files that change the disk directly, and the reasons.
const WRITERS: [(&str, &str); 6] = [
    ("server/writer/src/lib.rs", "it is how all files are written"),
    ("server/writer/src/unfinished.rs", "it writes temporary files"),
    ("server/writer/src/attributes.rs", "it sets permissions of temporary files"),
    ("server/workspace/src/files/regular_file.rs", "it opens files, for reading only"),
    ("server/lsp/src/followers/server.rs", "it makes and removes its own socket"),
    ("server/lsp/src/followers/socket_dir.rs", "it makes the folder of the sockets"),
];

/// Functions that change the disk, or open a file for writing, by the last two names of their
/// paths.
const WRITES: [(&str, &[&str]); 3] = [
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
];

#[test]
fn only_the_writer_changes_files() {
    let changes = |path: &[String]| {
        path.windows(2).any(|pair| {
            let is_it = |(first, last): &(&str, &[&str])| {
                pair[0] == *first && last.contains(&pair[1].as_str())
            };
            WRITES.iter().any(is_it)
        })
    };
    let mut found: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
    for module in crates().iter().flat_map(|sources| sources.modules()) {
        let paths = module.paths().filter(|(path, _)| changes(path));
        let paths: Vec<_> = paths.map(|(path, line)| (path.join("::"), line)).collect();
        if module.file.starts_with("server/") && !paths.is_empty() {
            found.insert(module.file.clone(), paths);
        }
    }
    let mut shown = String::new();
    for (file, paths) in &found {
        if !WRITERS.iter().any(|(writer, _)| writer == file) {
            for (path, line) in paths {
                let _ = writeln!(shown, "  {file}:{line} `{path}`");
            }
        }
    }
    assert!(shown.is_empty(), "files are changed without `promptls-writer`:\n{shown}");
    // A file that no longer changes the disk must be removed from the list.
    for (file, why) in WRITERS {
        assert!(found.contains_key(file), "{file} changes no file, so not because {why}");
    }
}
