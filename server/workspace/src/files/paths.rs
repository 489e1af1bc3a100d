//! Path operations without access to the disk.

use std::path::{Component, Path, PathBuf};

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
