//! The path of `variables` in a rule, in which `{stem}` is the name of a prompt.

use std::path::{Path, PathBuf};

use super::stem::{STEM, is_match, name_in, name_of, with_name};
use crate::files::paths::absolute;

/// A path as written, relative to the folder of its config.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariablesPath(String);

impl VariablesPath {
    /// A path from a config.
    pub fn new(path: String) -> VariablesPath {
        VariablesPath(path)
    }

    /// The path in source form.
    pub fn written(&self) -> &str {
        &self.0
    }

    /// `true` if the path differs between prompts with different names. Its files may not exist.
    pub fn has_stem(&self) -> bool {
        self.0.contains(STEM)
    }

    /// The variables file of a prompt. The folder is that of the config.
    pub fn for_prompt(&self, prompt: &Path, folder: &Path) -> PathBuf {
        absolute(folder, Path::new(&*with_name(&self.0, name_of(prompt))))
    }

    /// `true` if the path means this file for any prompt.
    pub fn matches(&self, folder: &Path, path: &Path) -> bool {
        let parts: Vec<String> = self.0.split(STEM).map(globset::escape).collect();
        is_match(folder, &parts.join("?*"), path)
    }

    /// The name of the prompts that use one of its files; `None` if it cannot be determined.
    pub fn name_in<'p>(&self, folder: &Path, path: &'p Path) -> Option<&'p str> {
        name_in(&self.0, folder, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_paths_are_resolved_and_matched() {
        let (folder, prompt) = (Path::new("/p/q"), Path::new("/p/q/r/x.adk.prompt"));
        for (written, file) in [
            ("state.variables.json", "/p/q/state.variables.json"),
            ("../t/{stem}.variables.json", "/p/t/x.variables.json"),
            ("./[a]/{stem}/v.json", "/p/q/[a]/x/v.json"),
        ] {
            let path = VariablesPath::new(written.to_owned());
            assert_eq!(path.for_prompt(prompt, folder), Path::new(file));
            assert!(path.matches(folder, Path::new(file)), "{written}");
            assert!(!path.matches(folder, Path::new("/p/q/other.json")), "{written}");
        }
    }
}
