//! Package ecosystems, and the files that list the packages of a project.

use std::collections::BTreeSet;

use promptls_resolver::Language;

/// The packages of some languages.
pub struct Ecosystem {
    pub languages: &'static [Language],
    /// Its files, in order of precedence for versions.
    pub sources: &'static [PackageFile],
    /// `true` if a name in a file is that of a package.
    pub is_package: fn(&str, &str) -> bool,
}

/// A kind of file that names packages.
pub struct PackageFile {
    /// Its path from the folder of the project. `*` is a wildcard, `{package}` a package name.
    pub name: &'static str,
    pub sort: Sort,
    /// Reports the packages that a text names, each with its version if that is a single one. An
    /// invalid text names none.
    pub read: fn(&str, &mut PackageVisitor<'_>),
}

/// Receives the name of a package, and its version.
pub type PackageVisitor<'f> = dyn FnMut(&str, Option<&str>) + 'f;

/// The kind of information in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// The file lists installed versions.
    Lock,
    /// The file lists required versions.
    Manifest,
}

impl PackageFile {
    /// The files of this kind in a folder that contains the sorted `names`.
    pub fn files(&self, names: &[String], packages: &[&str]) -> Vec<String> {
        if self.name.contains("{package}") {
            return packages.iter().map(|it| self.name.replace("{package}", it)).collect();
        }
        if self.name.contains('/') {
            return vec![self.name.to_owned()];
        }
        like(self.name, names).cloned().collect()
    }

    /// `true` if a folder that contains the sorted `names` may have files of this kind.
    pub fn may_be_among(&self, names: &[String]) -> bool {
        let first = self.name.split('/').next().unwrap_or(self.name);
        like(first, names).next().is_some()
    }

    /// The packages that a text names, each with its version if that is a single one.
    pub fn mentioned(
        &self,
        text: &str,
        package: impl Fn(&str) -> Option<&'static str>,
    ) -> Vec<(&'static str, Option<String>)> {
        let mut mentioned: Vec<(&'static str, BTreeSet<String>)> = Vec::new();
        (self.read)(text, &mut |name, version| {
            let Some(package) = package(name) else { return };
            let at =
                mentioned.iter().position(|(known, _)| *known == package).unwrap_or_else(|| {
                    mentioned.push((package, BTreeSet::new()));
                    mentioned.len() - 1
                });
            mentioned[at].1.extend(version.map(str::to_owned));
        });
        let only = |versions: BTreeSet<String>| {
            let mut versions = versions.into_iter();
            versions.next().filter(|_| versions.next().is_none())
        };
        mentioned.into_iter().map(|(package, versions)| (package, only(versions))).collect()
    }
}

/// The sorted names that a pattern matches, in which `*` is a wildcard.
///
/// Cost: a binary search. A folder may have thousands of names, and there are twenty patterns.
fn like<'n>(pattern: &str, names: &'n [String]) -> impl Iterator<Item = &'n String> {
    let (start, end) = pattern.split_once('*').unwrap_or((pattern, ""));
    let is_whole = start.len() == pattern.len();
    let first = names.partition_point(|name| name.as_str() < start);
    let rest = names[first..].iter().map_while(move |name| Some((name, name.strip_prefix(start)?)));
    let rest = rest.take_while(move |(_, rest)| !is_whole || rest.is_empty());
    rest.filter(move |(_, rest)| rest.ends_with(end)).map(|(name, _)| name)
}
