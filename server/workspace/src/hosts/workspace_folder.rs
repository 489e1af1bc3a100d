//! The folders in which code files may use each other, and the files that mark them.

use std::path::{Path, PathBuf};

use crate::files::Files;
use crate::reach::Reach;
use crate::read_error::Within;

/// The files that mark the root of an application.
const MANIFESTS: [&str; 8] = [
    "pyproject.toml",
    "setup.py",
    "requirements.txt",
    "package.json",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
];

/// A file which declares that the packages below its folder are parts of one application.
struct Joining {
    file: &'static str,
    /// A text in the file, unless each such file declares it.
    text: Option<&'static str>,
    /// The manifests of these packages.
    members: &'static [&'static str],
}

const JOINING: [Joining; 7] = [
    Joining { file: "go.work", text: None, members: &["go.mod"] },
    Joining { file: "pnpm-workspace.yaml", text: None, members: &["package.json"] },
    Joining { file: "package.json", text: Some("\"workspaces\""), members: &["package.json"] },
    Joining { file: "settings.gradle", text: None, members: GRADLE },
    Joining { file: "settings.gradle.kts", text: None, members: GRADLE },
    Joining { file: "pom.xml", text: Some("<modules>"), members: &["pom.xml"] },
    Joining { file: "pyproject.toml", text: Some("[tool.uv.workspace]"), members: PYTHON },
];

const GRADLE: &[&str] = &["build.gradle", "build.gradle.kts"];

const PYTHON: &[&str] = &["pyproject.toml", "setup.py", "requirements.txt"];

/// In Python, a folder with this file is a part of its parent.
const PACKAGE: &str = "__init__.py";

/// `true` for a file that marks the root of an application.
pub fn is_manifest(path: &Path) -> bool {
    let mut files = MANIFESTS.into_iter().chain(JOINING.iter().map(|row| row.file));
    path.file_name().is_some_and(|name| files.any(|file| name == file))
}

pub(crate) fn has_manifest(folder: &Path, files: &dyn Files) -> bool {
    manifests_in(folder, files).next().is_some()
}

/// The files in a folder that mark it as the root of an application.
pub(crate) fn manifests_in<'f>(
    folder: &'f Path,
    files: &'f dyn Files,
) -> impl Iterator<Item = PathBuf> + 'f {
    let paths = MANIFESTS.iter().map(|name| folder.join(name));
    paths.filter(|path| files.is_there(path))
}

/// The manifests of the packages that are one application with the folder around them; none if it
/// declares nothing.
///
/// Cost: a look for each file that may declare it; those that may declare other things are read.
pub(crate) fn members_below(folder: &Path, files: &dyn Files) -> Vec<&'static str> {
    let joins = |row: &&Joining| {
        let path = folder.join(row.file);
        let has = |text: &str| files.read_shared(&path).is_ok_and(|content| content.contains(text));
        files.is_there(&path) && row.text.is_none_or(has)
    };
    JOINING.iter().filter(joins).flat_map(|row| row.members).copied().collect()
}

/// `true` if a folder has manifests, and all of them are among these.
pub(crate) fn is_member(folder: &Path, members: &[&str], files: &dyn Files) -> bool {
    let own = || MANIFESTS.iter().filter(|name| files.is_there(&folder.join(name)));
    !members.is_empty() && own().next().is_some() && own().all(|name| members.contains(name))
}

/// The folder in which code may use the contents of a folder, where `open` are the folders that are
/// searched or open in an editor. Without a repository or a config around it, all code below an
/// open folder is one workspace; else see [`workspace_of`].
///
/// A config below the open folder has settings for its files, which are still used by code beside
/// it: `config/promptls.toml` in a project whose code is in `src`.
///
/// Otherwise each of 400 nested folders is a workspace, and the files in the innermost one are read
/// 400 times.
pub fn workspace_around<'p>(
    folder: &'p Path,
    open: impl IntoIterator<Item = &'p Path>,
    reach: &Reach,
    files: &dyn Files,
) -> PathBuf {
    let around = open.into_iter().filter(|it| folder.starts_with(it));
    let outermost = around.min_by_key(|it| it.as_os_str().len());
    let is_loose = |outermost: &&Path| {
        let root = reach.root(files, folder);
        root.1 == Within::Folder
            || root.1 == Within::OutermostConfig && root.0.starts_with(outermost)
    };
    let start = outermost.filter(is_loose).unwrap_or(folder);
    workspace_of(start, reach, files)
}

/// `true` for a folder that may contain any file, so that it is no application.
pub fn is_home(folder: &Path) -> bool {
    std::env::home_dir().is_some_and(|home| home.starts_with(folder))
}

/// The folder in which code may use the contents of a folder: what the files there may
/// [reach](Reach::root). Without a repository or a config, it is the nearest folder with a
/// manifest, or that of the outermost package.
pub fn workspace_of(folder: &Path, reach: &Reach, files: &dyn Files) -> PathBuf {
    let root = reach.root(files, folder);
    if root.1 != Within::Folder {
        return root.0.clone();
    }
    application_root(folder, None, files)
}

/// The root of the application around a folder that is in no repository: the nearest folder with a
/// manifest, or that which declares it as one of its packages; else that of `open` around it, else that
/// of the outermost package. `open` are the
/// folders that are searched or open in an editor; the outermost one limits the search.
pub fn application_root<'p>(
    folder: &'p Path,
    open: impl IntoIterator<Item = &'p Path>,
    files: &dyn Files,
) -> PathBuf {
    let around = open.into_iter().filter(|it| folder.starts_with(it) && !is_home(it));
    let outermost = around.min_by_key(|it| it.as_os_str().len());
    // A home folder may contain any file, and is no application.
    let home = std::env::home_dir();
    let is_inside = |it: &&Path| {
        Some(*it) != home.as_deref() && outermost.is_none_or(|outermost| it.starts_with(outermost))
    };
    let mut inside = folder.ancestors().take_while(is_inside);
    let is_package = |folder: &&Path| files.is_there(&folder.join(PACKAGE));
    let package = || folder.ancestors().find(|folder| !is_package(folder));
    let nearest = inside.find(|folder| has_manifest(folder, files));
    let joined = nearest.and_then(|nearest| {
        inside.filter(|around| is_member(nearest, &members_below(around, files), files)).last()
    });
    joined.or(nearest).or(outermost).or_else(package).unwrap_or(folder).to_owned()
}
