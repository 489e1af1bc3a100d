//! Path operations without access to the disk.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::ops::Bound;
use std::path::{Component, Path, PathBuf};

/// [`str::rsplit_once`] at an ASCII character, by a loop over bytes: names are short, and the search
/// of the standard library is made for long texts.
pub fn split_last(text: &str, separator: u8) -> Option<(&str, &str)> {
    let at = text.bytes().rposition(|byte| byte == separator)?;
    Some((&text[..at], &text[at + 1..]))
}

/// The folder and the name of a path as its text has them; `None` without a folder, and on systems
/// whose paths are no bytes.
///
/// A search for the last separator, where the standard library parses components.
fn split(path: &Path) -> Option<(&OsStr, &[u8])> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;

        let bytes = path.as_os_str().as_bytes();
        let at = bytes.iter().rposition(|byte| *byte == b'/')?;
        Some((OsStr::from_bytes(&bytes[..at]), &bytes[at + 1..]))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// The entries of a path and of all paths below it, which follow it in the order of paths.
pub fn at_or_below<'m, V>(
    map: &'m BTreeMap<PathBuf, V>,
    path: &Path,
) -> impl Iterator<Item = (&'m PathBuf, &'m V)> {
    let entries = map.range::<Path, _>((Bound::Included(path), Bound::Unbounded));
    entries.take_while(move |(key, _)| key.starts_with(path))
}

/// The folder of a file; `/` for a path without one. Paths that are not normalized give the folder
/// that their text names.
pub fn folder_of(path: &Path) -> &Path {
    match split(path) {
        Some((folder, name)) if !folder.is_empty() && !matches!(name, b"" | b".") => {
            Path::new(folder)
        }
        _ => path.parent().unwrap_or(Path::new("/")),
    }
}

/// The name of a file, as of [`Path::file_name`]; `None` if it is not UTF-8.
pub fn file_name(path: &Path) -> Option<&str> {
    match split(path) {
        Some((_, name)) if !matches!(name, b"" | b"." | b"..") => str::from_utf8(name).ok(),
        _ => path.file_name()?.to_str(),
    }
}

/// The extension of a file, as of [`Path::extension`]; `None` if it is not UTF-8.
pub fn extension(path: &Path) -> Option<&str> {
    let Some((_, name)) = split(path) else { return path.extension()?.to_str() };
    let dot = name.iter().rposition(|byte| *byte == b'.')?;
    match (&name[..dot], &name[dot + 1..]) {
        (stem, extension) if !matches!(stem, b"" | b".") && !extension.is_empty() => {
            str::from_utf8(extension).ok()
        }
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
    fn parts_of_paths_match_the_standard_library() {
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
