//! The files that an editor is asked to watch, and a filter for its reports.
//!
//! An editor reports a folder that appeared or disappeared, but not the files in it. A glob cannot
//! match only folders, so all creations and deletions are reported, and most are dropped here.

use std::path::Path;

use tower_lsp::ls_types as lsp;

/// The extensions of relevant text files.
const ENDINGS: [&str; 15] = [
    "json", "yaml", "yml", "md", "txt", "prompt", "toml", "py", "java", "kt", "go", "ts", "tsx",
    "js", "jsx",
];

/// The watchers to register: relevant text files, and every creation and deletion.
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

/// Returns whether an existing file is watched because of its name.
pub fn is_watched(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ending = path.extension().and_then(|ending| ending.to_str());
    ["promptls.toml", ".gitignore", ".ignore", ".promptlsignore"].contains(&name)
        || ending.is_some_and(|ending| ENDINGS.contains(&ending))
}
