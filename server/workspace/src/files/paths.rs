//! Path operations without access to the disk.

use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

/// [`str::rsplit_once`] at an ASCII character, by a loop over bytes: names are short, and the search
/// of the standard library is made for long texts.
pub fn split_last(text: &str, separator: u8) -> Option<(&str, &str)> {
    let at = text.bytes().rposition(|byte| byte == separator)?;
    Some((&text[..at], &text[at + 1..]))
}

/// [`MAIN_SEPARATOR`], which is ASCII on all systems.
const SEPARATOR: u8 = MAIN_SEPARATOR as u8;

/// The folder of a file; `/` for a path without one.
///
/// A search for the last separator, where the standard library parses components. Paths that are
/// not normalized give the folder that their text names.
pub fn folder_of(path: &Path) -> &Path {
    match path.to_str().filter(|_| cfg!(unix)).and_then(|path| split_last(path, SEPARATOR)) {
        Some((folder, name)) if !folder.is_empty() && !matches!(name, "" | ".") => {
            Path::new(folder)
        }
        _ => path.parent().unwrap_or(Path::new("/")),
    }
}

/// The name of a file, as of [`Path::file_name`]; `None` if it is not UTF-8.
pub fn file_name(path: &Path) -> Option<&str> {
    let whole = path.to_str().filter(|_| cfg!(unix));
    match whole.and_then(|path| split_last(path, SEPARATOR)) {
        Some((_, name)) if !matches!(name, "" | "." | "..") => Some(name),
        _ => path.file_name()?.to_str(),
    }
}

/// The extension of a file, as of [`Path::extension`]; `None` if it is not UTF-8.
pub fn extension(path: &Path) -> Option<&str> {
    let Some(whole) = path.to_str().filter(|_| cfg!(unix)) else {
        return path.extension()?.to_str();
    };
    let name = split_last(whole, SEPARATOR).map_or(whole, |(_, name)| name);
    match split_last(name, b'.')? {
        (stem, extension) if !matches!(stem, "" | ".") && !extension.is_empty() => Some(extension),
        // Such as `..`, a hidden file, and a folder with a separator at its end.
        _ => path.extension()?.to_str(),
    }
}

/// `true` if a file is a prompt by its name: `*.prompt`.
pub fn is_prompt_name(path: &Path) -> bool {
    const SUFFIX: &str = ".prompt";
    match file_name(path) {
        Some(name) => name.len() > SUFFIX.len() && name.ends_with(SUFFIX),
        // A prompt may have a name that is not UTF-8.
        None => path.file_name().is_some_and(|name| {
            let name = name.as_encoded_bytes();
            name.len() > SUFFIX.len() && name.ends_with(SUFFIX.as_bytes())
        }),
    }
}

/// The absolute path of a path relative to a folder.
pub fn absolute(folder: &Path, path: &Path) -> PathBuf {
    normal(&folder.join(path))
}

/// The path without `.` and `..`, without access to the disk.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_paths_are_those_of_the_standard_library() {
        for path in [
            "/a/b.c",
            "/a",
            "/",
            "",
            "a",
            "a/b",
            "a/",
            "/a/",
            "/a/b/",
            "/a/..",
            "..",
            "/a/.b",
            "/a/.b.c",
            "/a/b.",
            "/a/b.c.d",
            "a.b",
            "memory:/a/b.c",
            "/a/.",
            "/a//b.c",
            "/a/b/.",
        ] {
            let path = Path::new(path);
            let folder = path.parent().unwrap_or(Path::new("/"));
            assert_eq!(folder_of(path), folder, "{path:?}");
            assert_eq!(extension(path), path.extension().and_then(|it| it.to_str()), "{path:?}");
            assert_eq!(file_name(path), path.file_name().and_then(|it| it.to_str()), "{path:?}");
        }
    }
}
