//! A folder of prompts that exists as long as the test.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A temporary folder with files in it, removed when it is dropped.
#[derive(Debug)]
pub struct Workspace {
    folder: TempDir,
    /// Separate, so that the workspace contains only files of the test.
    runtime: TempDir,
}

impl Workspace {
    /// A folder with these files: path (with `/`, relative to the folder) and text.
    ///
    /// # Panics
    ///
    /// If writing fails.
    #[track_caller]
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::with_prefix("promptls").expect("a temporary folder can be made");
        let runtime = TempDir::with_prefix("run").expect("a temporary folder can be made");
        let workspace = Self { folder, runtime };
        for (path, text) in files {
            workspace.write(path, text);
        }
        workspace
    }

    /// The folder on disk, deleted when the workspace is dropped.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The folder for sockets of this test's programs, and no others.
    pub fn runtime_folder(&self) -> &Path {
        self.runtime.path()
    }

    /// The path of a workspace file on disk.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root().join(relative)
    }

    /// The `file:` URI of a file, or `path` itself if it is a URI already (`untitled:x`).
    pub fn uri(&self, path: &str) -> String {
        // A scheme has at least two letters; one letter is a Windows drive.
        let is_scheme = |start: &str| {
            start.len() > 1 && start.chars().all(|it| it.is_ascii_alphanumeric() || it == '-')
        };
        if path.split_once(':').is_some_and(|(start, _)| is_scheme(start)) {
            return path.to_owned();
        }
        file_uri(&self.path(path))
    }

    /// Writes a file and its parent folders, without a notification: see `Editor::write_file`.
    ///
    /// # Panics
    ///
    /// If writing fails.
    #[track_caller]
    pub fn write(&self, relative: &str, text: impl AsRef<[u8]>) {
        let path = self.path(relative);
        let folder = path.parent().expect("a file is in a folder");
        fs::create_dir_all(folder).expect("a folder can be made in the workspace");
        fs::write(&path, text).expect("a file can be written in the workspace");
    }

    /// Removes a file.
    ///
    /// # Panics
    ///
    /// If it does not exist.
    #[track_caller]
    pub fn remove(&self, relative: &str) {
        fs::remove_file(self.path(relative)).expect("a file of the workspace can be removed");
    }

    /// The text of a file.
    ///
    /// # Panics
    ///
    /// If it does not exist, or is not UTF-8.
    #[track_caller]
    pub fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).expect("a file of the workspace can be read")
    }
}

/// The `file:` URI of an absolute path, with the same escapes as in VS Code.
fn file_uri(path: &Path) -> String {
    let path = path.to_str().expect("the paths of tests are UTF-8").replace('\\', "/");
    let mut uri = "file://".to_owned();
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_to_their_paths() {
        let workspace = Workspace::new(&[("prompts/a.adk.prompt", "{x}")]);
        assert_eq!(workspace.read("prompts/a.adk.prompt"), "{x}");
        workspace.remove("prompts/a.adk.prompt");
        assert!(!workspace.path("prompts/a.adk.prompt").exists());
    }

    #[test]
    fn uris_are_escaped() {
        assert_eq!(file_uri(Path::new("/a b/é.prompt")), "file:///a%20b/%C3%A9.prompt");
        assert_eq!(Workspace::new(&[]).uri("untitled:Untitled-1"), "untitled:Untitled-1");
    }
}
