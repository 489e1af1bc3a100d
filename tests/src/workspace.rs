//! A folder of prompts that lives as long as the test.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A temporary folder with files in it, removed when it is dropped.
#[derive(Debug)]
pub struct Workspace {
    folder: TempDir,
    /// Apart: nothing but files of the test is in the workspace.
    runtime: TempDir,
}

impl Workspace {
    /// A folder with these files: path (with `/`, relative to the folder) and text.
    ///
    /// # Panics
    ///
    /// If the disk refuses.
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

    /// The folder itself.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Where programs of this test meet, and no others.
    pub fn runtime_folder(&self) -> &Path {
        self.runtime.path()
    }

    /// Where a file of the workspace is on disk.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root().join(relative)
    }

    /// The `file:` address of a file, or `path` itself where it is an address already (`untitled:x`).
    pub fn uri(&self, path: &str) -> String {
        // A scheme has at least two letters; one is a Windows drive.
        let is_scheme = |start: &str| {
            start.len() > 1 && start.chars().all(|it| it.is_ascii_alphanumeric() || it == '-')
        };
        if path.split_once(':').is_some_and(|(start, _)| is_scheme(start)) {
            return path.to_owned();
        }
        file_uri(&self.path(path))
    }

    /// Writes a file and the folders it needs. Tells nobody: see `Editor::write_file`.
    ///
    /// # Panics
    ///
    /// If the disk refuses.
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
    /// If it is not there.
    #[track_caller]
    pub fn remove(&self, relative: &str) {
        fs::remove_file(self.path(relative)).expect("a file of the workspace can be removed");
    }

    /// The text of a file.
    ///
    /// # Panics
    ///
    /// If it is not there, or not UTF-8.
    #[track_caller]
    pub fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).expect("a file of the workspace can be read")
    }
}

/// The `file:` address of an absolute path, escaped as VS Code escapes it.
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
    fn files_are_where_they_were_put() {
        let workspace = Workspace::new(&[("prompts/a.adk.prompt", "{x}")]);
        assert_eq!(workspace.read("prompts/a.adk.prompt"), "{x}");
        workspace.remove("prompts/a.adk.prompt");
        assert!(!workspace.path("prompts/a.adk.prompt").exists());
    }

    #[test]
    fn addresses_are_escaped() {
        assert_eq!(file_uri(Path::new("/a b/é.prompt")), "file:///a%20b/%C3%A9.prompt");
        assert_eq!(Workspace::new(&[]).uri("untitled:Untitled-1"), "untitled:Untitled-1");
    }
}
