//! Resolution of imported modules to files.

mod builds;
mod go;
mod packages;
mod script_paths;

use std::path::{Path, PathBuf};

use promptls_hosts::Language;

use crate::files::Files;
use builds::modules_of_build;
pub use packages::Packages;

/// A search for the files of modules.
pub struct ModuleSearch<'s> {
    /// The topmost folder of the search.
    pub root: &'s Path,
    /// The files of the workspace, as they are now.
    pub files: &'s dyn Files,
    /// The index of their packages, for Go and Kotlin.
    pub packages: &'s Packages,
}

impl ModuleSearch<'_> {
    /// The files of a module that may declare a name, as a host writes both; empty if there is none
    /// in the workspace.
    ///
    /// Cost: a check of a few paths for each folder between the host and the root; for a package,
    /// that of [`Packages::declaring`].
    pub fn hosts_of(
        &self,
        language: Language,
        module: &str,
        name: &str,
        host: &Path,
    ) -> Vec<PathBuf> {
        let (root, files) = (self.root, self.files);
        match language {
            // Configurations of agents name classes of Python.
            Language::Python | Language::Yaml => {
                python(module, host, root, files).into_iter().collect()
            }
            Language::Java | Language::Kotlin => self.class(module, name, host),
            Language::TypeScript | Language::Tsx | Language::JavaScript => {
                script(module, host, root, files).into_iter().collect()
            }
            Language::Go => {
                let Some(folder) = go::package(module, host, root, files) else {
                    return Vec::new();
                };
                let declaring = self.packages.declaring(&folder, "go", name, files);
                declaring.into_iter().filter(|path| go::may_see(host, path)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A class, by its package and name; nested classes are in the file of the outermost one. A
    /// package alone means the Kotlin files in its folder, which may hold top-level declarations.
    fn class(&self, path: &str, name: &str, host: &Path) -> Vec<PathBuf> {
        let names: Vec<&str> = path.split('.').collect();
        if names.contains(&"") {
            return Vec::new();
        }
        let is_class = |name: &&str| name.starts_with(char::is_uppercase);
        let class = names.iter().position(is_class);
        let package = &names[..class.unwrap_or(names.len())];
        let own = host.ancestors().skip(1).take_while(|folder| folder.starts_with(self.root));
        // Other modules of the same build.
        let others = own.clone().flat_map(|folder| {
            let modules = modules_of_build(folder, self.files).into_iter();
            modules.map(|module| joined(folder, &module))
        });
        let folders = own.map(Path::to_owned).chain(others.filter(|it| it.starts_with(self.root)));
        for folder in folders.flat_map(|folder| SOURCES.map(|sources| folder.join(sources))) {
            let folder = package.iter().fold(folder, |path, name| path.join(name));
            let mut found = class.map_or(Vec::new(), |class| self.files_of(&folder, names[class]));
            if found.is_empty() {
                // In Kotlin, any file of a package may declare a class.
                let name = class.map_or(name, |class| names[class]);
                found = self.packages.declaring(&folder, "kt", name, self.files);
                found.retain(|path| path != host);
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The files in a folder with the name of a class.
    fn files_of(&self, folder: &Path, class: &str) -> Vec<PathBuf> {
        let class = folder.join(class);
        let mut found = CLASSES.map(|ending| class.with_extension(ending)).to_vec();
        // In Java, names outside of the classes of a Kotlin file belong to a class.
        let of_file = class.to_str().and_then(|class| class.strip_suffix("Kt"));
        found.extend(of_file.map(|file| Path::new(file).with_extension("kt")));
        found.retain(|path| self.files.is_there(path));
        found
    }
}

/// The source folders of JVM projects.
const SOURCES: [&str; 5] =
    ["", "src/main/java", "src/main/kotlin", "src/test/java", "src/test/kotlin"];

/// The extensions of files with classes.
const CLASSES: [&str; 2] = ["java", "kt"];

/// A module or package. A relative one starts at the folder of the host, and each further dot is
/// one folder up. Any other one starts at one of the ancestor folders, or `src` in it.
fn python(module: &str, host: &Path, root: &Path, files: &dyn Files) -> Option<PathBuf> {
    let folder = host.parent()?;
    let names = module.trim_start_matches('.');
    let dots = module.len() - names.len();
    let parts: Vec<&str> = match names {
        "" => Vec::new(),
        names => names.split('.').collect(),
    };
    if parts.contains(&"") {
        return None;
    }
    let below = |folder: &Path| {
        let path = parts.iter().fold(folder.to_owned(), |path, name| path.join(name));
        let package = path.join("__init__.py");
        let module = (path != folder).then(|| path.with_extension("py"));
        [Some(package), module].into_iter().flatten().find(|path| files.is_there(path))
    };
    let mut folders = folder.ancestors().take_while(|folder| folder.starts_with(root));
    match dots {
        0 => folders.find_map(|folder| below(folder).or_else(|| below(&folder.join("src")))),
        dots => below(folders.nth(dots - 1)?),
    }
}

/// The extensions of TypeScript and JavaScript modules, in order of precedence.
const SCRIPTS: [&str; 8] = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

/// The extension of a module in an import, and in its source: TypeScript imports use the extension
/// of the compiled file.
const COMPILED: [(&str, &[&str]); 4] = [
    ("js", &["ts", "tsx", "js", "jsx"]),
    ("jsx", &["tsx", "jsx"]),
    ("mjs", &["mts", "mjs"]),
    ("cjs", &["cts", "cjs"]),
];

/// A module: a file, or the index of a folder. Only relative ones, and those with paths in
/// `tsconfig.json`, are in the workspace; packages are not searched.
fn script(module: &str, host: &Path, root: &Path, files: &dyn Files) -> Option<PathBuf> {
    let is_relative = matches!(module.split('/').next(), Some("." | ".."));
    let paths = match is_relative {
        true => vec![joined(host.parent()?, module)],
        false => script_paths::paths_of(module, host, root, files),
    };
    paths.into_iter().find_map(|path| script_file(path, root, files))
}

/// The file of a module with a path.
fn script_file(path: PathBuf, root: &Path, files: &dyn Files) -> Option<PathBuf> {
    if !path.starts_with(root) {
        return None;
    }
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let written = match COMPILED.iter().find(|(compiled, _)| *compiled == ending) {
        Some((_, sources)) => sources.iter().map(|source| path.with_extension(source)).collect(),
        None if SCRIPTS.contains(&ending) => vec![path],
        None => {
            let file = path.to_str()?;
            let files = SCRIPTS.iter().map(|ending| PathBuf::from(format!("{file}.{ending}")));
            let indexes = SCRIPTS.iter().map(|ending| path.join("index").with_extension(ending));
            files.chain(indexes).collect()
        }
    };
    written.into_iter().find(|path| files.is_there(path))
}

/// `true` for a file that is the module of its folder.
pub fn is_of_folder(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "index" || stem == "__init__")
}

/// A path relative to a folder, in the notation of any system.
pub(super) fn joined(folder: &Path, path: &str) -> PathBuf {
    let mut joined = folder.to_owned();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = joined.pop(),
            name => joined.push(name),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Disk;

    fn search(root: &Path) -> ModuleSearch<'_> {
        let packages = Box::leak(Box::new(Packages::default()));
        ModuleSearch { root, files: &Disk, packages }
    }

    #[test]
    fn a_module_of_python_is_a_file_or_a_package() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("repo");
        let all = ["a/agent.py", "a/prompt.py", "a/texts/__init__.py", "src/lib/p.py", "p.py"];
        for name in all.into_iter().map(|name| root.join(name)).chain([folder.path().join("q.py")])
        {
            std::fs::create_dir_all(name.parent().expect("a folder")).expect("it is made");
            std::fs::write(name, "").expect("it is written");
        }
        let host = root.join("a/agent.py");
        let found = |module| {
            let hosts = search(&root).hosts_of(Language::Python, module, "", &host);
            let name = |path: &PathBuf| path.strip_prefix(&root).ok()?.to_str().map(str::to_owned);
            hosts.iter().filter_map(name).collect::<Vec<_>>().concat()
        };
        assert_eq!(found(".prompt"), "a/prompt.py");
        assert_eq!(found("prompt"), "a/prompt.py");
        assert_eq!(found("a.prompt"), "a/prompt.py");
        assert_eq!(found(".texts"), "a/texts/__init__.py");
        assert_eq!(found("lib.p"), "src/lib/p.py");
        assert_eq!(found("..p"), "p.py");
        for nowhere in ["...q", "q", ".", "os", "..", "a..prompt.", ""] {
            assert_eq!(found(nowhere), "", "{nowhere}");
        }
    }

    #[test]
    fn a_class_of_the_jvm_is_a_file_of_its_package() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let all = [
            "app/src/main/java/com/x/Agent.java",
            "app/src/main/java/com/x/Prompts.java",
            "app/src/main/kotlin/com/x/y/Texts.kt",
            "lib/src/main/java/com/lib/Shared.java",
        ];
        for path in all.map(|name| root.join(name)) {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
            std::fs::write(path, "val declared = 1").expect("it is written");
        }
        let host = root.join(all[0]);
        let found = |module| {
            let hosts = search(root).hosts_of(Language::Java, module, "declared", &host);
            let name = |path: &PathBuf| path.strip_prefix(root).ok()?.to_str().map(str::to_owned);
            hosts.iter().filter_map(name).collect::<Vec<_>>().concat()
        };
        assert_eq!(found("com.x.Prompts"), all[1]);
        assert_eq!(found("Prompts"), all[1]);
        assert_eq!(found("com.x.Prompts.Inner"), all[1]);
        assert_eq!(found("com.x.y.Texts"), all[2]);
        assert_eq!(found("com.x.y.TextsKt"), all[2]);
        assert_eq!(found("com.x.y"), all[2]);
        for nowhere in ["com.x.None", "com..x", "", "java.util.List", "com.lib.Shared"] {
            assert_eq!(found(nowhere), "", "{nowhere}");
        }
    }
    #[test]
    fn a_module_of_scripts_is_a_file_or_the_index_of_a_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("repo");
        let all = ["a/agent.ts", "a/p.ts", "a/q.js", "a/texts/index.tsx", "r.mts", "a/p.js"];
        for name in all.into_iter().map(|name| root.join(name)).chain([folder.path().join("s.ts")])
        {
            std::fs::create_dir_all(name.parent().expect("a folder")).expect("it is made");
            std::fs::write(name, "").expect("it is written");
        }
        let host = root.join(all[0]);
        let found = |module| {
            let hosts = search(&root).hosts_of(Language::TypeScript, module, "", &host);
            let name = |path: &PathBuf| path.strip_prefix(&root).ok()?.to_str().map(str::to_owned);
            hosts.iter().filter_map(name).collect::<Vec<_>>().concat()
        };
        for module in ["./p", "./p.js", "./p.ts", ".//p", "../a/p"] {
            assert_eq!(found(module), "a/p.ts", "{module}");
        }
        assert_eq!(found("./q"), "a/q.js");
        assert_eq!(found("./texts"), "a/texts/index.tsx");
        assert_eq!(found("../r.mjs"), "r.mts");
        for nowhere in ["p", "@google/adk", "./none", "../../s", "", "./", "/a/p", "./agent.css"] {
            assert_eq!(found(nowhere), "", "{nowhere}");
        }
    }

    #[test]
    fn paths_of_modules_are_those_of_the_nearest_config() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("repo");
        let base = r#"{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["lib/src/*"]}}}"#;
        let app = r#"{
            // A comment, and a comma at the end.
            "extends": "../tsconfig.base",
            "compilerOptions": {"paths": {"@/*": ["./src/*"], "@/x/*": ["./none/*", "./x/*"], "p": ["./src/p.ts"],}}
        }"#;
        let web = r#"{"files": [], "references": [{"path": "./tsconfig.app.json"}]}"#;
        let circle = r#"{"extends": "./tsconfig.json"}"#;
        for (name, text) in [
            ("tsconfig.base.json", base),
            ("app/tsconfig.json", app),
            ("app/src/p.ts", ""),
            ("app/src/deep/index.ts", ""),
            ("app/x/q.ts", ""),
            ("lib/src/l.ts", ""),
            ("service/tsconfig.json", r#"{"extends": ["../tsconfig.base.json"]}"#),
            ("web/tsconfig.json", web),
            ("web/tsconfig.app.json", r#"{"compilerOptions": {"paths": {"~/*": ["./*"]}}}"#),
            ("web/w.js", ""),
            ("circle/tsconfig.json", circle),
            ("circle/c.ts", ""),
            ("../outside.ts", ""),
        ] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
            std::fs::write(path, text).expect("it is written");
        }
        for (host, module, expected) in [
            ("app/src/a.ts", "@/p", "app/src/p.ts"),
            ("app/src/a.ts", "@/p.js", "app/src/p.ts"),
            ("app/src/a.ts", "@/deep", "app/src/deep/index.ts"),
            ("app/src/a.ts", "@/x/q", "app/x/q.ts"),
            ("app/src/a.ts", "p", "app/src/p.ts"),
            ("app/src/a.ts", "@lib/l", ""),
            ("service/a.ts", "@lib/l", "lib/src/l.ts"),
            ("app/src/a.ts", "lib/src/l", "lib/src/l.ts"),
            ("app/src/a.ts", "@/none", ""),
            ("app/src/a.ts", "@/../../../outside", ""),
            ("app/src/a.ts", "@google/adk", ""),
            ("web/a.tsx", "~/w", "web/w.js"),
            ("circle/a.ts", "c", ""),
        ] {
            let found = search(&root).hosts_of(Language::TypeScript, module, "", &root.join(host));
            let name = |path: &PathBuf| path.strip_prefix(&root).ok()?.to_str().map(str::to_owned);
            assert_eq!(found.iter().filter_map(name).collect::<String>(), expected, "{module}");
        }
    }

    #[test]
    fn files_of_go_share_their_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.go", "b.go", "a_test.go", "c.txt"] {
            std::fs::write(folder.path().join(name), "var P = 1").expect("it is written");
        }
        let found = |host: &str| {
            let host = folder.path().join(host);
            let mut hosts = search(folder.path()).hosts_of(Language::Go, ".", "P", &host);
            hosts.sort();
            let name = |path: &PathBuf| path.file_name()?.to_str().map(str::to_owned);
            hosts.iter().filter_map(name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(found("a.go"), "b.go");
        assert_eq!(found("a_test.go"), "a.go b.go");
    }
}
