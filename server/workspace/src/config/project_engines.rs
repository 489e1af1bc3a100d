//! The engines that a project uses, from lock files and manifests of its package managers.
//!
//! They do not affect results by themselves. `init` proposes them, and editors offer to add them to
//! `promptls.toml`; they apply only once they are there.
//!
//! Files are searched from a folder upwards. For each dialect, the nearest folder that names any of
//! its engines decides which ones are used. A version may come from a folder further up, as in
//! workspaces that share a lock file.

mod ecosystem;
mod go;
mod jvm;
mod node;
mod python;

use std::path::{Path, PathBuf};

use promptls_analysis::UnknownEngine;
use promptls_resolver::{ENGINES, EngineRef, Profile, RESERVED, Version};
use promptls_syntax::Dialect;

use self::ecosystem::{Ecosystem, PackageFile, Sort};
use crate::files::Files;
use crate::reach::Reach;

/// An engine that a project uses.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectEngine {
    /// The engine, with its version if known, in the syntax of a rule.
    pub engine: EngineRef,
    /// The file that names the engine.
    pub path: PathBuf,
    /// The path of that file relative to its folder: `uv.lock`, `gradle/libs.versions.toml`.
    pub file: String,
    /// The package of the engine.
    pub package: &'static str,
    /// The version of the package, as written there; `None` unless it is a single version.
    pub version: Option<String>,
}

impl ProjectEngine {
    /// A description of where the engine was found.
    pub fn reason(&self) -> String {
        let ProjectEngine { file, package, version, .. } = self;
        match version {
            Some(version) => format!("{file} has {package} {version}"),
            None => {
                format!("{file} requires {package} without an exact version; the newest is assumed")
            }
        }
    }
}

/// The engines that the project in a folder uses, in the order of [`ENGINES`]. Files are searched
/// from the folder up to `top`, which is the folder or one of its ancestors.
///
/// Nothing is cached, because this is called rarely. Cost: a listing of these folders, and each
/// manifest and lock file in them, read once.
pub fn project_engines(
    files: &dyn Files,
    reach: &Reach,
    folder: &Path,
    top: &Path,
) -> Vec<ProjectEngine> {
    let used = uses(files, reach, &folders(folder, top));
    let is_near = |one: &&Use| {
        let of_dialect = used.iter().filter(|it| it.dialect() == one.dialect());
        of_dialect.map(|it| it.height).min() == Some(one.height)
    };
    let mut found: Vec<ProjectEngine> =
        used.iter().filter(is_near).map(|one| one.found.clone()).collect();
    let place = |found: &ProjectEngine| ENGINES.iter().position(|it| *it == found.engine.profile);
    found.sort_by_key(place);
    found
}

/// `true` if a folder may have files that name packages. Without one, its engines are those of its
/// parent.
///
/// Cost: a listing.
pub fn may_name_packages(files: &dyn Files, folder: &Path) -> bool {
    let names = files.list(folder);
    ECOSYSTEMS.iter().flat_map(|it| it.sources).any(|source| source.may_be_among(&names))
}

fn folders<'f>(folder: &'f Path, top: &Path) -> Vec<&'f Path> {
    let folders = folder.ancestors().take_while(|folder| folder.starts_with(top));
    folders.filter(|folder| folder.is_absolute()).collect()
}

fn uses(files: &dyn Files, reach: &Reach, folders: &[&Path]) -> Vec<Use> {
    let mut used: Vec<Use> = Vec::new();
    for ecosystem in &ECOSYSTEMS {
        let profiles = || ENGINES.iter().filter(|it| ecosystem.languages.contains(&it.language));
        let packages: Vec<&str> = profiles().flat_map(|it| it.packages).copied().collect();
        let mentions = ecosystem.mentions(files, reach, folders, &packages);
        used.extend(profiles().filter_map(|profile| Use::of(profile, &mentions)));
    }
    used
}

/// The engine of a dialect that a project uses although its behaviour is not available. `None` if
/// the same folder, or a nearer one, names another engine of the dialect.
///
/// Cost: see [`project_engines`].
pub fn unknown_engine(
    files: &dyn Files,
    reach: &Reach,
    folder: &Path,
    top: &Path,
    dialect: Dialect,
) -> Option<UnknownEngine> {
    let reserved = RESERVED.iter().find(|it| it.dialect == dialect && !it.packages.is_empty())?;
    let folders = folders(folder, top);
    let ecosystem = ECOSYSTEMS.iter().find(|it| it.languages.contains(&reserved.language))?;
    let mentions = ecosystem.mentions(files, reach, &folders, reserved.packages);
    let nearest = mentions.first()?;
    let known = uses(files, reach, &folders);
    let is_hidden = known.iter().any(|it| it.dialect() == dialect && it.height <= nearest.height);
    let shown = mentions.iter().filter(|it| it.version.is_some()).min_by_key(|it| it.sort);
    let Mention { file, package, version, .. } = shown.unwrap_or(nearest);
    let reason = match version {
        Some(version) => format!("{file} has {package} {version}"),
        None => format!("{file} requires {package}"),
    };
    (!is_hidden).then(|| UnknownEngine { title: reserved.title, reason: Some(reason.into()) })
}

/// Java and Kotlin share packages, as do JavaScript and TypeScript.
static ECOSYSTEMS: [Ecosystem; 4] = [python::PACKAGES, jvm::PACKAGES, go::PACKAGES, node::PACKAGES];

/// The names of the files in which projects list their packages; `*` is a wildcard.
pub fn manifest_names() -> Vec<&'static str> {
    let names = |ecosystem: &Ecosystem| {
        let is_manifest = |source: &&PackageFile| source.sort == Sort::Manifest;
        let has_some = ecosystem.sources.iter().any(|source| is_manifest(&source));
        let sources = ecosystem.sources.iter().filter(move |it| !has_some || is_manifest(it));
        sources.map(|source| source.name.rsplit('/').next().unwrap_or(source.name))
    };
    let mut names: Vec<&str> = ECOSYSTEMS.iter().flat_map(names).collect();
    names.sort_unstable();
    names
}

/// A package in a file.
struct Mention {
    /// The number of folders between the starting folder and the file.
    height: usize,
    sort: Sort,
    path: PathBuf,
    file: String,
    package: &'static str,
    /// The version, if the file names exactly one.
    version: Option<String>,
}

impl Ecosystem {
    /// The mentions of packages, from the nearest folder upwards; within a folder, in order
    /// of precedence.
    fn mentions(
        &self,
        files: &dyn Files,
        reach: &Reach,
        folders: &[&Path],
        packages: &[&'static str],
    ) -> Vec<Mention> {
        let mut mentions = Vec::new();
        for (height, folder) in folders.iter().enumerate() {
            let names = files.list(folder);
            for source in self.sources {
                for file in source.files(&names, packages) {
                    let path = folder.join(&file);
                    let may_be_read = reach.check(files, folder, &path).is_ok();
                    let text = may_be_read.then(|| files.read_shared(&path).ok()).flatten();
                    let Some(text) = text else { continue };
                    // Lock files are long, and most name no engine.
                    let is_named = |package: &&str| text.contains(*package);
                    if source.sort == Sort::Lock && !packages.iter().any(is_named) {
                        continue;
                    }
                    let mentioned = source.mentioned(&text, |name| {
                        packages.iter().copied().find(|package| (self.is_package)(name, package))
                    });
                    mentions.extend(mentioned.into_iter().map(|(package, version)| Mention {
                        height,
                        sort: source.sort,
                        path: path.clone(),
                        file: file.clone(),
                        package,
                        version,
                    }));
                }
            }
        }
        mentions
    }
}

/// A used engine, and its distance.
struct Use {
    found: ProjectEngine,
    height: usize,
}

impl Use {
    fn of(profile: &'static Profile, mentions: &[Mention]) -> Option<Use> {
        let of_it = |mention: &&Mention| profile.packages.contains(&mention.package);
        let nearest = mentions.iter().find(of_it)?;
        let versions = mentions.iter().filter(of_it).filter_map(|mention| {
            let version = mention.version.as_deref()?;
            Some((mention, in_version(profile, version)?))
        });
        let found = match versions.min_by_key(|(mention, _)| mention.sort) {
            Some((mention, engine)) => mention.of_engine(engine, mention.version.clone()),
            None => nearest.of_engine(EngineRef::parse(profile.id).ok()?, None),
        };
        Some(Use { found, height: nearest.height })
    }

    fn dialect(&self) -> Dialect {
        self.found.engine.dialect()
    }
}

impl Mention {
    fn of_engine(&self, engine: EngineRef, version: Option<String>) -> ProjectEngine {
        let Mention { path, file, package, .. } = self;
        ProjectEngine { engine, path: path.clone(), file: file.clone(), package, version }
    }
}

/// An engine in a version, under the shortest equivalent name; `None` for an invalid version.
fn in_version(profile: &Profile, version: &str) -> Option<EngineRef> {
    // `latest` is valid as an engine version, but does not reveal the installed version.
    version.starts_with(|first: char| first.is_ascii_digit()).then_some(())?;
    let exact = EngineRef::parse(&format!("{}@{version}", profile.id)).ok()?;
    let Version([major, minor, _]) = exact.version();
    let short = EngineRef::parse(&format!("{}@{major}.{minor}", profile.id)).ok()?;
    Some(if short.engine() == exact.engine() { short } else { exact })
}

#[cfg(test)]
mod tests;
