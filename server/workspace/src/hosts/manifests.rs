//! The application that a folder belongs to, by the manifests around it.

use std::path::{Path, PathBuf};

use super::workspace_folder::{has_manifest, is_member, members_below};
use crate::files::Files;
use crate::files::path_map::PathMap;

/// Within this number of enclosing applications, a manifest starts no further one: each reads all
/// files below it, so the innermost files would be read once per application.
const MOST_AROUND: usize = 16;

/// The folders of applications. Each folder is checked once.
#[derive(Debug, Default)]
pub struct Manifests {
    known: PathMap<Around>,
}

/// The application of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Around {
    /// `None` for a folder without a manifest around it.
    app: Option<PathBuf>,
    /// The number of applications around each other, with this one.
    depth: usize,
    /// The manifests of packages below it that are parts of it.
    members: Vec<&'static str>,
}

impl Around {
    /// The application of a folder in one of this application.
    fn of(&self, folder: &Path, files: &dyn Files) -> Around {
        if self.depth > MOST_AROUND || is_member(folder, &self.members, files) {
            return self.clone();
        }
        let members = members_below(folder, files);
        match !members.is_empty() || has_manifest(folder, files) {
            true => Around { app: Some(folder.to_owned()), depth: self.depth + 1, members },
            false => self.clone(),
        }
    }
}

impl Manifests {
    /// The nearest folder at or above a folder that has a manifest, up to `root`, and is inside at
    /// most [`MOST_AROUND`] others. Packages that a folder around them declares as its parts are one
    /// application with it.
    pub fn nearest(&self, folder: &Path, root: &Path, files: &dyn Files) -> Option<PathBuf> {
        let (mut unknown, mut around) = (Vec::new(), Around::default());
        for folder in folder.ancestors().take_while(|folder| folder.starts_with(root)) {
            if let Some(known) = self.known.get(folder) {
                around = known.clone();
                break;
            }
            unknown.push(folder);
        }
        for folder in unknown.into_iter().rev() {
            around = around.of(folder, files);
            self.known.insert(folder.to_owned(), around.clone());
        }
        around.app.filter(|nearest| nearest.starts_with(root))
    }

    /// `true` if the manifests of a folder make another application of it than when it was checked.
    pub fn are_old(&self, folder: &Path, files: &dyn Files) -> bool {
        let Some(known) = self.known.get(folder).map(|known| known.clone()) else { return false };
        let parent = folder.parent().and_then(|parent| self.known.get(parent));
        let around = parent.map(|parent| parent.clone()).unwrap_or_default();
        known != around.of(folder, files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Disk;
    use crate::files::paths::folder_of;
    use crate::hosts::workspace_folder::application_root;

    #[test]
    fn declared_packages_are_parts_of_the_application_around_them() {
        for (declared, text, manifest) in [
            ("go.work", "", "go.mod"),
            ("pnpm-workspace.yaml", "", "package.json"),
            ("package.json", r#"{"workspaces": ["*"]}"#, "package.json"),
            ("settings.gradle.kts", "", "build.gradle"),
            ("pom.xml", "<modules>", "pom.xml"),
            ("pyproject.toml", "[tool.uv.workspace]", "setup.py"),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let root = folder.path();
            let write = |name: &str, text: &str| {
                let path = root.join(name);
                std::fs::create_dir_all(folder_of(&path)).expect("it is made");
                std::fs::write(path, text).expect("it is written");
            };
            let nearest = |manifests: &Manifests, name: &str| {
                let found = manifests.nearest(&root.join(name), root, &Disk);
                found.map(|it| it.strip_prefix(root).expect("it is inside").to_owned())
            };
            write(&format!("a/{manifest}"), "");
            write(&format!("b/x/{manifest}"), "");
            let other = if manifest == "go.mod" { "setup.py" } else { "go.mod" };
            write(&format!("c/{other}"), "");
            let manifests = Manifests::default();
            assert_eq!(nearest(&manifests, "a/src"), Some("a".into()), "{declared}");
            write(declared, text);
            assert!(manifests.are_old(root, &Disk), "{declared}");
            let manifests = Manifests::default();
            for (name, expected) in [("a/src", ""), ("b/x", ""), ("b", ""), ("c", "c")] {
                assert_eq!(nearest(&manifests, name), Some(expected.into()), "{declared} {name}");
            }
            assert!(!manifests.are_old(&root.join("a"), &Disk), "{declared}");
            assert_eq!(application_root(&root.join("b/x"), None, &Disk), root, "{declared}");
        }
    }

    #[test]
    fn nested_applications_are_counted() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut nested = vec![folder.path().to_owned()];
        for _ in 0..MOST_AROUND + 4 {
            let inner = nested[nested.len() - 1].join("a");
            std::fs::create_dir(&inner).expect("it is made");
            std::fs::write(inner.join("setup.py"), "").expect("it is written");
            nested.push(inner);
        }
        // The order of the calls does not affect the results.
        for turn in [0, 1] {
            let manifests = Manifests::default();
            let nearest = |at: usize| manifests.nearest(&nested[at], folder.path(), &Disk);
            if turn == 0 {
                assert_eq!((nearest(0), nearest(3)), (None, Some(nested[3].clone())));
            }
            let innermost = Some(nested[MOST_AROUND + 1].clone());
            assert_eq!(nearest(MOST_AROUND + 4), innermost);
            assert_eq!(nearest(MOST_AROUND + 1), innermost);
            assert_eq!(nearest(MOST_AROUND), Some(nested[MOST_AROUND].clone()));
            assert_eq!(nearest(0), None);
        }
    }
}
