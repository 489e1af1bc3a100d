//! Names of files and folders that are not for prompts.

use std::ffi::OsStr;

/// The folders of version control systems.
const VERSION_CONTROL: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

/// The short name that Windows gives to `.git`, without its number.
const SHORT_GIT: &str = "git~";

/// `true` if a name is that of the folder of a version control system, as interpreted by any
/// system: some ignore the case of letters, invisible characters, or dots and spaces at the end.
pub fn is_version_control(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_lowercase();
    let name: String = name.chars().filter(|character| !is_ignored(*character)).collect();
    // The part after a colon names a stream of the file.
    let name = name.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    let is_short = name
        .strip_prefix(SHORT_GIT)
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit()));
    is_short || VERSION_CONTROL.contains(&name)
}

/// `true` if listings hide a name; includes those of version control.
pub fn is_hidden(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with('.') || is_version_control(name)
}

/// Characters that HFS+ ignores in names.
fn is_ignored(character: char) -> bool {
    matches!(
        character,
        '\u{200C}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_version_control_are_recognised_in_any_spelling() {
        let all = [
            ".git",
            ".GIT",
            ".Git.",
            ".git ",
            ".git::$INDEX_ALLOCATION",
            ".g\u{200c}it",
            "GIT~1",
            ".hg",
            ".JJ",
            ".svn",
        ];
        for name in all {
            assert!(is_version_control(OsStr::new(name)), "{name}");
            assert!(is_hidden(OsStr::new(name)), "{name}");
        }
        for name in ["git", ".github", "git~", "git~a", "a.git", ".gitignore", "svn"] {
            assert!(!is_version_control(OsStr::new(name)), "{name}");
        }
        assert!(is_hidden(OsStr::new(".github")));
        assert!(!is_hidden(OsStr::new("a.git")));
    }
}
