//! A git repository in a workspace.

use std::path::Path;
use std::process::Command;

use crate::workspace::Workspace;

/// A workspace that has a history.
#[derive(Debug)]
pub struct Repository<'w>(pub &'w Workspace);

impl<'w> Repository<'w> {
    /// A new repository with the branch `main`, without commits.
    ///
    /// # Panics
    ///
    /// If git fails.
    #[track_caller]
    pub fn new(workspace: &'w Workspace) -> Self {
        let repository = Repository(workspace);
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    /// Runs git in it.
    ///
    /// # Panics
    ///
    /// If git fails.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) {
        git(self.0.root(), arguments);
    }

    /// Commits all files.
    ///
    /// # Panics
    ///
    /// If git fails, also if there is nothing to commit.
    #[track_caller]
    pub fn commit_all(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "a"]);
    }
}

/// Runs git in a folder.
///
/// # Panics
///
/// If git fails.
#[track_caller]
pub fn git(folder: &Path, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(folder).args(["-c", "user.name=A", "-c", "user.email=a@b"]);
    // The developer's configuration must not affect the test.
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let output = git.args(arguments).output().expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
}
