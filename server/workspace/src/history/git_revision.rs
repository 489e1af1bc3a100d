//! Files at a commit.
//!
//! Files are read with the `git` program (`git_process.rs`), in ways that run nothing that the
//! repository or its user has configured: `cat-file` without filters, no network, no hooks. One
//! process returns both folders and files, as objects. Files that git ignores have no history, so
//! their current version is used; so are files outside of the repository.
//!
//! Without the current version of ignored files, prompts with private inputs could never be
//! compared. Line endings follow the files on disk.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::files::layer::Layer;
use crate::files::listing::Listing;
use crate::files::paths::folder_of;
use crate::files::paths::normal;
use crate::files::{Files, Reading, expanded, text};
use crate::in_parallel::in_parallel;
use crate::read_error::ReadError;
use crate::walking::walker::{WalkedFile, can_run_git};

use super::git_process::{GitCalls, GitProcess, GitStopped, git};

/// The revision of the last commit.
pub const LAST_COMMIT: &str = "HEAD";

/// The reason why files of a commit are unavailable.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// The `git` program cannot be started.
    #[error("git cannot be started: {0}; install it, or put it on the PATH")]
    NoGit(io::Error),
    /// The file is in no repository.
    #[error("{} is not in a git repository", .0.display())]
    NoRepository(PathBuf),
    /// The repository has no commit.
    #[error("this repository has no commit yet")]
    NoCommit,
    /// No commit has this name, such as a branch, a tag or a hash.
    #[error("unknown git revision `{0}`")]
    NoRevision(String),
    /// The file did not exist at that commit.
    #[error("{0} is not in {commit}", commit = commit_name(.1))]
    NotInCommit(String, String),
    /// The file was not text at that commit.
    #[error("at {commit}, {0}", commit = commit_name(.1))]
    NotReadable(String, String),
    /// Two revisions have no known common ancestor.
    #[error("`{0}` and `{1}` have no common ancestor in git")]
    NoMergeBase(String, String),
    /// The clone is shallow, which may be why something is missing.
    #[error("{0}; this is a shallow clone; fetch the rest with `git fetch --unshallow`")]
    Shallow(Box<CommitError>),
    /// The repository has the commit, but not all of its objects.
    #[error(
        "this clone does not have all objects of {commit}; fetch them with `git fetch --refetch --no-filter`",
        commit = commit_name(.0)
    )]
    Partial(String),
    /// The time limit was exceeded, or the request was cancelled.
    #[error(transparent)]
    Stopped(GitStopped),
    /// Any other error message of git.
    #[error("git failed: {0}")]
    Git(String),
}

/// The repository around a folder.
#[derive(Debug)]
pub struct Repository {
    /// The top folder of the work tree.
    pub top: PathBuf,
    /// The folder, without links up to the repository.
    pub folder: PathBuf,
    calls: GitCalls,
}

impl Repository {
    /// The repository around an existing folder.
    ///
    /// Cost: two git processes.
    pub fn around(folder: &Path, calls: &GitCalls) -> Result<Repository, CommitError> {
        let top = git_output(calls, folder, &["rev-parse", "--show-toplevel"])?;
        let inside = git_output(calls, folder, &["rev-parse", "--show-prefix"])?;
        let top = normal(Path::new(&top));
        let folder = normal(&top.join(inside));
        Ok(Repository { top, folder, calls: calls.clone() })
    }

    /// Its files at a commit; `now` provides the current files.
    pub fn at<'f>(&self, revision: &str, now: &'f dyn Files) -> Result<Committed<'f>, CommitError> {
        let tree = self.or_shallow(tree_of(&self.calls, &self.folder, revision))?;
        let objects = Objects::start(&self.calls, &self.top);
        let objects = Mutex::new(objects.map_err(|error| failed(&self.calls, error))?);
        Ok(Committed {
            calls: self.calls.clone(),
            now,
            top: self.top.clone(),
            tree,
            objects,
            folders: Mutex::default(),
            names: Mutex::default(),
            misses_objects: AtomicBool::new(false),
        })
    }

    /// The nested repository that contains a file below the top, as for submodules.
    ///
    /// Cost: a check of each folder in between.
    pub fn inner(&self, path: &Path, now: &dyn Files) -> Option<PathBuf> {
        let mut between = path.ancestors().skip(1).take_while(|folder| *folder != self.top);
        between.find(|folder| now.is_there(&folder.join(".git"))).map(Path::to_owned)
    }

    /// The id of the common ancestor of two revisions.
    pub fn merge_base(&self, one: &str, other: &str) -> Result<String, CommitError> {
        for revision in [one, other] {
            self.or_shallow(tree_of(&self.calls, &self.folder, revision))?;
        }
        // `git merge-base` prints nothing if there is no common ancestor.
        let found =
            git_output(&self.calls, &self.folder, &["merge-base", one, other]).map_err(|error| {
                match error {
                    CommitError::Git(message) if message.is_empty() => {
                        CommitError::NoMergeBase(one.to_owned(), other.to_owned())
                    }
                    error => error,
                }
            });
        self.or_shallow(found)
    }

    fn or_shallow<T>(&self, found: Result<T, CommitError>) -> Result<T, CommitError> {
        found.map_err(|error| match error {
            CommitError::NoRevision(_) | CommitError::NoMergeBase(..) if self.is_shallow() => {
                CommitError::Shallow(Box::new(error))
            }
            error => error,
        })
    }

    fn is_shallow(&self) -> bool {
        let answer =
            git_output(&self.calls, &self.folder, &["rev-parse", "--is-shallow-repository"]);
        answer.is_ok_and(|it| it == "true")
    }
}

/// A commit as messages describe it.
pub fn commit_name(revision: &str) -> String {
    match revision {
        LAST_COMMIT => "the last commit".to_owned(),
        revision => format!("`{revision}`"),
    }
}

/// The files of a repository at one of its commits.
pub struct Committed<'f> {
    now: &'f dyn Files,
    calls: GitCalls,
    /// The top folder of the work tree.
    top: PathBuf,
    /// The object id of the tree of the commit.
    tree: String,
    objects: Mutex<Objects>,
    folders: Mutex<HashMap<String, Arc<Folder>>>,
    names: Mutex<HashMap<PathBuf, Arc<Listing>>>,
    /// `true` if a requested object is missing in git.
    misses_objects: AtomicBool,
}

/// The entries of a folder, by name.
type Folder = BTreeMap<String, TreeEntry>;

/// An entry of a commit, with its object id.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TreeEntry {
    Folder(String),
    File(String),
    Link(String),
}

/// The maximum number of links to a file: links may form a cycle.
const MAX_LINKS: usize = 16;

impl<'f> Committed<'f> {
    /// A commit of the repository that contains a file, and the path of the file there, with links
    /// up to the repository resolved. `now` provides the current files.
    ///
    /// Fails if the file is not in the commit, or is not text there.
    pub fn open(
        path: &Path,
        revision: &str,
        now: &'f dyn Files,
        calls: &GitCalls,
    ) -> Result<(Self, PathBuf), CommitError> {
        let folder = folder_of(path);
        if !now.is_there(folder) {
            let name = path.display().to_string();
            return Err(CommitError::NotInCommit(name, revision.to_owned()));
        }
        let repository = Repository::around(folder, calls)?;
        let path = repository.folder.join(path.file_name().unwrap_or_default());
        let files = repository.at(revision, now)?;
        if let Err(error) = (&files as &dyn Files).read(&path) {
            let name = path.file_name().unwrap_or_default().display().to_string();
            if let Some(failure) = files.failure(revision) {
                return Err(failure);
            }
            let revision = revision.to_owned();
            return Err(match error {
                ReadError::Io { .. } => CommitError::NotInCommit(name, revision),
                error => CommitError::NotReadable(format!("{name} {}", error.reason()), revision),
            });
        }
        Ok((files, path))
    }

    /// The reason why requested objects looked as if they were missing: git was killed, or does
    /// not have them. `revision` is the name of the commit in the error.
    pub fn failure(&self, revision: &str) -> Option<CommitError> {
        let misses = self.misses_objects.load(Ordering::Relaxed);
        let partial = || misses.then(|| CommitError::Partial(revision.to_owned()));
        self.calls.stopped().map(CommitError::Stopped).or_else(partial)
    }

    /// The entry of a path. The targets of links are also looked up in the commit.
    fn locate(&self, path: &Path, links: usize) -> Option<TreeEntry> {
        if path == self.top {
            return Some(TreeEntry::Folder(self.tree.clone()));
        }
        let parent = path.parent().filter(|parent| parent.starts_with(&self.top))?;
        let TreeEntry::Folder(folder) = self.locate(parent, links)? else { return None };
        let entry = self.folder(&folder)?.get(path.file_name()?.to_str()?)?.clone();
        let TreeEntry::Link(link) = &entry else { return Some(entry) };
        let target = String::from_utf8(self.object(link)?).ok()?;
        self.locate(&normal(&parent.join(target)), links.checked_sub(1)?)
    }

    fn folder(&self, id: &str) -> Option<Arc<Folder>> {
        if let Some(known) = lock(&self.folders).get(id) {
            return Some(known.clone());
        }
        let folder = Arc::new(entries(&self.object(id)?, self.tree.len() / 2));
        lock(&self.folders).insert(id.to_owned(), folder.clone());
        Some(folder)
    }

    /// `true` if a path that is not in the commit is a file that git ignores.
    fn is_ignored(&self, path: &Path) -> bool {
        let parent = path.parent().unwrap_or(path);
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        Files::list(self, parent).iter().any(|other| other == name)
    }

    fn object(&self, id: &str) -> Option<Vec<u8>> {
        let object = lock(&self.objects).read(id);
        if object.is_err() {
            self.misses_objects.store(true, Ordering::Relaxed);
        }
        object.ok()
    }

    /// The files of a folder: those in the commit, and those that git ignores.
    fn names(&self, folder: &Path) -> Vec<String> {
        let found = match self.locate(folder, MAX_LINKS) {
            Some(TreeEntry::Folder(id)) => self.folder(&id),
            _ => None,
        };
        let found = found.unwrap_or_default();
        let is_in_commit = |name: &&String| {
            matches!(self.locate(&folder.join(name), MAX_LINKS), Some(TreeEntry::File(_)))
        };
        let mut names: Vec<String> = found.keys().filter(is_in_commit).cloned().collect();
        let others = self.now.list(folder);
        let others = others.iter().filter(|name| !found.contains_key(*name));
        names.extend(ignored(&self.calls, folder, others.map(String::as_str).collect()));
        names.sort();
        names
    }

    /// The files of the commit below a folder. As on disk, links are not followed.
    fn files_below(&self, folder: &Path) -> Vec<PathBuf> {
        let Some(TreeEntry::Folder(id)) = self.locate(folder, MAX_LINKS) else { return Vec::new() };
        let mut files = Vec::new();
        let mut folders = vec![(folder.to_owned(), id)];
        while let Some((folder, id)) = folders.pop() {
            for (name, entry) in self.folder(&id).unwrap_or_default().iter() {
                let path = folder.join(name);
                match entry {
                    TreeEntry::Folder(id) => folders.push((path, id.clone())),
                    TreeEntry::File(_) => files.push(path),
                    TreeEntry::Link(_) => {}
                }
            }
        }
        files
    }
}

impl Layer for Committed<'_> {
    fn below(&self) -> &dyn Files {
        self.now
    }

    fn read_as(&self, path: &Path, reading: Reading) -> Result<Arc<str>, ReadError> {
        if !path.starts_with(&self.top) {
            return self.now.read_as(path, reading);
        }
        let missing = || ReadError::missing(path);
        match self.locate(path, MAX_LINKS) {
            Some(TreeEntry::File(id)) => {
                let bytes = self.object(&id).ok_or_else(missing)?;
                let committed = text(&bytes, path)?;
                Ok(match self.now.read(path) {
                    Ok(now) => with_line_endings_of(committed, &now),
                    Err(_) => committed,
                })
            }
            Some(_) => Err(missing()),
            None if self.is_ignored(path) => self.now.read_as(path, reading),
            None => Err(missing()),
        }
    }

    fn list(&self, folder: &Path) -> Arc<Listing> {
        if !folder.starts_with(&self.top) {
            return self.now.list(folder);
        }
        if let Some(known) = lock(&self.names).get(folder) {
            return known.clone();
        }
        let names = Listing::of_names(self.names(folder));
        lock(&self.names).insert(folder.to_owned(), names.clone());
        names
    }

    fn is_there(&self, path: &Path) -> bool {
        // The `.git` folder has no history.
        if !path.starts_with(&self.top) || path.file_name().is_some_and(|name| name == ".git") {
            return self.now.is_there(path);
        }
        self.locate(path, MAX_LINKS).is_some() || self.is_ignored(path)
    }

    // Links are resolved as they are now; those in the commit lead only into the commit.

    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        expanded(self, folder, glob)
    }

    fn visit(
        &self,
        folder: &Path,
        places: Option<Vec<PathBuf>>,
        look: &(dyn Fn(WalkedFile) + Sync),
    ) {
        if !folder.starts_with(&self.top) {
            return self.now.visit(folder, places, look);
        }
        let mut files = self.files_below(folder);
        if let Some(places) = places {
            files.retain(|path| places.iter().any(|place| path.starts_with(place)));
        }
        in_parallel(&files, |path| look(WalkedFile { path: path.clone(), is_regular: false }));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The entries of a tree object: a sequence of `MODE NAME\0ID`. Names that are not UTF-8 are left
/// out, because no prompt can refer to them. `id_len` is in bytes.
fn entries(mut object: &[u8], id_len: usize) -> Folder {
    let mut folder = Folder::new();
    while let Some(mode_end) = memchr::memchr(b' ', object)
        && let Some(name_len) = memchr::memchr(0, &object[mode_end + 1..])
    {
        let (mode, rest) = object.split_at(mode_end);
        let (name, rest) = rest[1..].split_at(name_len);
        let Some((id, rest)) = rest[1..].split_at_checked(id_len) else { break };
        object = rest;
        let id = id.iter().map(|byte| format!("{byte:02x}")).collect();
        let entry = match mode {
            b"40000" => TreeEntry::Folder(id),
            b"120000" => TreeEntry::Link(id),
            // A nested repository.
            b"160000" => continue,
            _ => TreeEntry::File(id),
        };
        if let Ok(name) = str::from_utf8(name) {
            folder.insert(name.to_owned(), entry);
        }
    }
    folder
}

/// The text with the line endings of another one, if all lines of each end alike: git may convert
/// them on checkout, which is no change by a user.
fn with_line_endings_of(text: Arc<str>, other: &str) -> Arc<str> {
    let ends_with_return = |text: &str| {
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let returns = memchr::memmem::find_iter(text.as_bytes(), "\r\n").count();
        (lines > 0 && (returns == 0 || returns == lines)).then_some(returns > 0)
    };
    match (ends_with_return(&text), ends_with_return(other)) {
        (Some(false), Some(true)) => text.replace('\n', "\r\n").into(),
        (Some(true), Some(false)) => text.replace("\r\n", "\n").into(),
        _ => text,
    }
}

/// The answer of git, without its trailing newline.
fn git_output(calls: &GitCalls, folder: &Path, arguments: &[&str]) -> Result<String, CommitError> {
    let mut git = git(folder, arguments);
    git.stderr(Stdio::piped());
    let output = calls.start(git).and_then(GitProcess::output);
    let (status, stdout, stderr) = output.map_err(|error| failed(calls, error))?;
    if status.success() {
        let mut answer = String::from_utf8_lossy(&stdout).into_owned();
        if answer.ends_with('\n') {
            answer.pop();
        }
        return Ok(answer);
    }
    let message = String::from_utf8_lossy(&stderr);
    if message.contains("not a git repository") {
        return Err(CommitError::NoRepository(folder.to_owned()));
    }
    let first = message.lines().next().unwrap_or_default();
    Err(CommitError::Git(first.trim_start_matches("fatal: ").to_owned()))
}

/// The error for a git process that could not be started, or was killed.
fn failed(calls: &GitCalls, error: io::Error) -> CommitError {
    calls.stopped().map_or(CommitError::NoGit(error), CommitError::Stopped)
}

/// The object id of the tree of a commit.
fn tree_of(calls: &GitCalls, folder: &Path, revision: &str) -> Result<String, CommitError> {
    // User input is always a revision: never an option, nor a file in a commit.
    let is_name = !revision.starts_with('-') && !revision.contains([':', '\0']);
    if !is_name {
        return Err(CommitError::NoRevision(revision.to_owned()));
    }
    let id =
        |object: &str| git_output(calls, folder, &["rev-parse", "--verify", "--quiet", object]);
    let commit = format!("{revision}^{{commit}}");
    id(&format!("{commit}^{{tree}}")).map_err(|error| match error {
        // Git prints nothing for an unknown revision.
        CommitError::Git(message) if message.is_empty() => match revision {
            _ if id(&commit).is_ok() => CommitError::Partial(revision.to_owned()),
            LAST_COMMIT => CommitError::NoCommit,
            revision => CommitError::NoRevision(revision.to_owned()),
        },
        error => error,
    })
}

/// The files in a folder that git ignores; none if git fails.
fn ignored(calls: &GitCalls, folder: &Path, names: Vec<&str>) -> Vec<String> {
    if names.is_empty() || !can_run_git(folder) {
        return Vec::new();
    }
    let mut git = git(folder, &["check-ignore", "-z", "--stdin"]);
    git.stdin(Stdio::piped());
    let Ok(mut process) = calls.start(git) else { return Vec::new() };
    let Some(mut stdin) = process.stdin.take() else { return Vec::new() };
    // Git answers before it has read all input, so its answer is read concurrently.
    let answer = thread::scope(|scope| {
        scope.spawn(move || {
            // If git stops reading, its answer is short.
            let _ = names.iter().try_for_each(|name| write!(stdin, "./{name}\0"));
        });
        process.output()
    });
    let Ok((_, answer, _)) = answer else { return Vec::new() };
    let found = answer.split(|byte| *byte == 0);
    found
        .filter_map(|name| str::from_utf8(name).ok()?.strip_prefix("./"))
        .map(str::to_owned)
        .collect()
}

/// A process that returns the contents of objects, one after the other.
struct Objects {
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// The last field: the process exits once its stdin is closed, and dropping it waits for that.
    process: GitProcess,
}

impl Objects {
    fn start(calls: &GitCalls, folder: &Path) -> io::Result<Objects> {
        let mut git = git(folder, &["cat-file", "--batch"]);
        git.stdin(Stdio::piped());
        let mut process = calls.start(git)?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (questions, answers) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Objects { process, questions, answers: BufReader::new(answers) })
    }

    /// The content of an object.
    fn read(&mut self, id: &str) -> io::Result<Vec<u8>> {
        let Objects { process, questions, answers } = self;
        process.answer(|| content(id, questions, answers))
    }
}

fn content(
    id: &str,
    questions: &mut impl Write,
    answers: &mut impl BufRead,
) -> io::Result<Vec<u8>> {
    questions.write_all(format!("{id}\n").as_bytes())?;
    // `ID KIND LENGTH`, the content, and a line end; or `ID missing`.
    let mut header = String::new();
    answers.read_line(&mut header)?;
    let length = header.trim_end().rsplit(' ').next().and_then(|length| length.parse().ok());
    let length: u64 = length.ok_or(io::ErrorKind::NotFound)?;
    let mut content = Vec::new();
    answers.by_ref().take(length + 1).read_to_end(&mut content)?;
    match content.pop() {
        Some(b'\n') if content.len() as u64 == length => Ok(content),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_lists_files_folders_and_links() {
        let id = |byte: u8| [byte; 20];
        let mut object = Vec::new();
        for (mode, name, byte) in
            [("100644", "a b.txt", 1), ("40000", "c", 2), ("120000", "d", 3), ("160000", "e", 4)]
        {
            object.extend(format!("{mode} {name}\0").bytes());
            object.extend(id(byte));
        }
        let hex = |byte: u8| format!("{byte:02x}").repeat(20);
        let expected = Folder::from([
            ("a b.txt".to_owned(), TreeEntry::File(hex(1))),
            ("c".to_owned(), TreeEntry::Folder(hex(2))),
            ("d".to_owned(), TreeEntry::Link(hex(3))),
        ]);
        assert_eq!(entries(&object, 20), expected);
        assert_eq!(entries(&object[..object.len() - 30], 20).len(), 2);
    }

    #[test]
    fn consistent_line_endings_of_the_file_are_applied() {
        for (committed, now, expected) in [
            ("a\nb\n", "c\r\n", "a\r\nb\r\n"),
            ("a\r\nb", "c\nd", "a\nb"),
            ("a\nb\r\n", "c\r\n", "a\nb\r\n"),
            ("a\nb\n", "c\nd\r\n", "a\nb\n"),
            ("a\nb\n", "c", "a\nb\n"),
        ] {
            assert_eq!(*with_line_endings_of(committed.into(), now), *expected);
        }
    }
}
