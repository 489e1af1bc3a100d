//! Path operations without access to the disk.

use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

/// The folder of a file; `/` for a path without one.
///
/// A search for the last separator, where the standard library parses components. Paths that are
/// not normalized give the folder that their text names.
pub fn folder_of(path: &Path) -> &Path {
    match path.to_str().filter(|_| cfg!(unix)).and_then(|path| path.rsplit_once(MAIN_SEPARATOR)) {
        Some((folder, name)) if !folder.is_empty() && !matches!(name, "" | ".") => {
            Path::new(folder)
        }
        _ => path.parent().unwrap_or(Path::new("/")),
    }
}

/// The extension of a file, as of [`Path::extension`]; `None` if it is not UTF-8.
pub fn extension(path: &Path) -> Option<&str> {
    let Some(whole) = path.to_str().filter(|_| cfg!(unix)) else {
        return path.extension()?.to_str();
    };
    let name = whole.rsplit_once(MAIN_SEPARATOR).map_or(whole, |(_, name)| name);
    match name.rsplit_once('.')? {
        (stem, extension) if !matches!(stem, "" | ".") && !extension.is_empty() => Some(extension),
        // Such as `..`, a hidden file, and a folder with a separator at its end.
        _ => path.extension()?.to_str(),
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
    fn folders_and_extensions_are_those_of_the_standard_library() {
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
        }
    }
}
