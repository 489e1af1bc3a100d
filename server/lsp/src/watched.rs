//! Which files an editor is asked to watch, and what it says of others.
//!
//! It tells of a folder that came or went, and not of what is in it. A glob cannot mean folders
//! alone, so all that comes or goes is told of, and most of it is dropped here.

use std::path::Path;

use tower_lsp::ls_types as lsp;

/// The endings of texts that count.
const ENDINGS: [&str; 15] = [
    "json", "yaml", "yml", "md", "txt", "prompt", "toml", "py", "java", "kt", "go", "ts", "tsx",
    "js", "jsx",
];

/// What the editor is asked to tell of.
pub fn watchers() -> Vec<lsp::FileSystemWatcher> {
    let watcher = |glob: String, kind| lsp::FileSystemWatcher {
        glob_pattern: lsp::GlobPattern::String(glob),
        kind,
    };
    let comes_or_goes = lsp::WatchKind::Create | lsp::WatchKind::Delete;
    vec![
        watcher("**/promptls.toml".to_owned(), None),
        watcher("**/{.gitignore,.ignore,.promptlsignore}".to_owned(), None),
        watcher(format!("**/*.{{{}}}", ENDINGS.join(",")), None),
        watcher("**/*".to_owned(), Some(comes_or_goes)),
    ]
}

/// Whether a file that is there is one of those that are watched by their names.
pub fn is_watched(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ending = path.extension().and_then(|ending| ending.to_str());
    ["promptls.toml", ".gitignore", ".ignore", ".promptlsignore"].contains(&name)
        || ending.is_some_and(|ending| ENDINGS.contains(&ending))
}
