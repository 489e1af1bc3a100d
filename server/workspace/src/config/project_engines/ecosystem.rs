//! What has packages of its own, and files that say which of them a project has.

use std::collections::BTreeSet;

use promptls_resolver::Language;

/// The packages of some languages.
pub struct Ecosystem {
    pub languages: &'static [Language],
    /// Its files, those first whose versions count before the others.
    pub sources: &'static [Source],
    /// Whether a name, as a file has it, is that of a package.
    pub is_package: fn(&str, &str) -> bool,
}

/// A kind of file that names packages.
pub struct Source {
    /// Where it is, from the folder of the project. `*` is anything, `{package}` the name of one.
    pub name: &'static str,
    pub sort: Sort,
    /// Reads a text, and tells which packages it names; in which version, where it says a single
    /// one. A text that is broken names none.
    pub read: fn(&str, &mut Found<'_>),
}

/// Takes the name of a package, and its version.
pub type Found<'f> = dyn FnMut(&str, Option<&str>) + 'f;

/// What a file is good for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// It has what is installed.
    Lock,
    /// It has what is wanted.
    Manifest,
}

impl Source {
    /// The files of this kind in a folder that has some `names`.
    pub fn files(&self, names: &[String], packages: &[&str]) -> Vec<String> {
        if self.name.contains("{package}") {
            return packages.iter().map(|it| self.name.replace("{package}", it)).collect();
        }
        if self.name.contains('/') {
            return vec![self.name.to_owned()];
        }
        let (start, end) = self.name.split_once('*').unwrap_or((self.name, ""));
        let is_it = |name: &&String| match self.name.contains('*') {
            true => name.starts_with(start) && name[start.len()..].ends_with(end),
            false => *name == self.name,
        };
        names.iter().filter(is_it).cloned().collect()
    }

    /// The packages that a text names, and the only version that it says of each.
    pub fn said(
        &self,
        text: &str,
        package: impl Fn(&str) -> Option<&'static str>,
    ) -> Vec<(&'static str, Option<String>)> {
        let mut said: Vec<(&'static str, BTreeSet<String>)> = Vec::new();
        (self.read)(text, &mut |name, version| {
            let Some(package) = package(name) else { return };
            let at = said.iter().position(|(known, _)| *known == package).unwrap_or_else(|| {
                said.push((package, BTreeSet::new()));
                said.len() - 1
            });
            said[at].1.extend(version.map(str::to_owned));
        });
        let only = |versions: BTreeSet<String>| {
            let mut versions = versions.into_iter();
            versions.next().filter(|_| versions.next().is_none())
        };
        said.into_iter().map(|(package, versions)| (package, only(versions))).collect()
    }
}
