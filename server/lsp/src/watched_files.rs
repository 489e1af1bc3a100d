//! The files that an editor watches for the server, and a filter for its reports.
//!
//! An editor reports a folder that appeared or disappeared, but not the files in it. A glob cannot
//! match only folders, so all creations and deletions are reported, and most are dropped here.

use std::path::Path;

use promptls_workspace::endings_of_hosts;

/// The extensions of prompts, and of most text files that code reads.
const TEXTS: [&str; 2] = ["prompt", "txt"];

/// The extensions of files that prompts and their names may be in.
fn endings() -> impl Iterator<Item = &'static str> {
    TEXTS.into_iter().chain(endings_of_hosts())
}

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
        all(format!("**/*.{{{}}}", endings().collect::<Vec<_>>().join(","))),
        WatchedFiles { glob: "**/*".to_owned(), comes_or_goes: true },
    ]
}

/// Returns whether an existing file is watched because of its name.
pub fn is_watched(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ending = path.extension().and_then(|ending| ending.to_str());
    ["promptls.toml", ".gitignore", ".ignore", ".promptlsignore"].contains(&name)
        || ending.is_some_and(|ending| endings().any(|known| known == ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_each_host_language_are_watched() {
        let [.., by_ending, _] = watched();
        for ending in ["prompt", "txt", "pyi", "kts", "mts", "mjs", "jsonc", "markdown", "toml"] {
            assert!(is_watched(Path::new(&format!("a.{ending}"))), "{ending}");
            let is_listed = |listed: &str| listed.trim_end_matches('}') == ending;
            assert!(by_ending.glob.split([',', '{']).any(is_listed), "{ending}");
        }
        assert!(!is_watched(Path::new("a.png")) && !is_watched(Path::new("toml")));
    }
}
