//! The files that an editor watches for the server, and a filter for its reports.
//!
//! An editor reports a folder that appeared or disappeared, but not the files in it. A glob cannot
//! match only folders, so all creations and deletions are reported, and most are dropped here.

use std::path::Path;

/// The extensions of relevant text files.
const ENDINGS: [&str; 15] = [
    "json", "yaml", "yml", "md", "txt", "prompt", "toml", "py", "java", "kt", "go", "ts", "tsx",
    "js", "jsx",
];

/// Files that the editor reports.
pub struct WatchedFiles {
    /// The pattern of their paths.
    pub glob: String,
    /// Only creations and deletions are reported, not changes.
    pub comes_or_goes: bool,
}

/// The files to watch: relevant text files, and every creation and deletion.
pub fn watched() -> [WatchedFiles; 4] {
    let all = |glob| WatchedFiles { glob, comes_or_goes: false };
    [
        all("**/promptls.toml".to_owned()),
        all("**/{.gitignore,.ignore,.promptlsignore}".to_owned()),
        all(format!("**/*.{{{}}}", ENDINGS.join(","))),
        WatchedFiles { glob: "**/*".to_owned(), comes_or_goes: true },
    ]
}

/// Returns whether an existing file is watched because of its name.
pub fn is_watched(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ending = path.extension().and_then(|ending| ending.to_str());
    ["promptls.toml", ".gitignore", ".ignore", ".promptlsignore"].contains(&name)
        || ending.is_some_and(|ending| ENDINGS.contains(&ending))
}
