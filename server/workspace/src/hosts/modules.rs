//! Where the module stands that code imports.

use std::path::{Path, PathBuf};

use promptls_hosts::Language;

use crate::files::Files;

/// The files that a module is written in, as a host names it; none where it is not in the
/// workspace.
///
/// `root` is the folder above which nobody looks. Cost: a look at a few places for each folder
/// between both.
pub fn hosts_of(
    language: Language,
    module: &str,
    host: &Path,
    root: &Path,
    files: &dyn Files,
) -> Vec<PathBuf> {
    match language {
        Language::Python => python(module, host, root, files).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// A module or package. A relative one starts at the folder of the host, and each further dot is
/// one folder up; any other one at one of the folders above, or `src` in it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Disk;

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
            let hosts = hosts_of(Language::Python, module, &host, &root, &Disk);
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
}
