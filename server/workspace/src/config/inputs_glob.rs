//! A glob of `inputs` in a rule, and its meaning for one prompt.
//!
//! `{stem}` stands for the name of the prompt up to its first dot. So prompts that belong together,
//! such as both texts of a task, share inputs that other prompts do not read. `{prompt}` is the
//! name of a prompt in a file of several; as for sidecars, the file name determines its prompt.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::checked_glob::check;
use super::compiled_globs;
use super::stem::{PROMPT, STEM, beyond_dots, is_match, name_in, name_of, with_name, without_dots};
use crate::files::paths::absolute;
use crate::sidecars::naming::{base_of, case_of, inputs_path, is_variables_file};

/// A glob as written, relative to the folder of its config.
#[derive(Clone, Debug)]
pub struct InputsGlob {
    written: String,
    /// The glob with `{prompt}` replaced by a wildcard.
    in_file: String,
    /// The glob for a prompt of any name, without its leading `..` components.
    for_any: String,
}

impl InputsGlob {
    /// Parses a glob of a config.
    ///
    /// # Errors
    ///
    /// A sentence about a glob that is invalid, too long or nested too deeply.
    pub fn new(glob: String) -> Result<InputsGlob, String> {
        let in_file = glob.replace(&format!("{PROMPT}*"), "*").replace(PROMPT, "*");
        let for_any = beyond_dots(&with_name(&in_file, "?*")).to_owned();
        check(&for_any)?;
        Ok(InputsGlob { written: glob, in_file, for_any })
    }

    /// The glob in source form.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// `true` if the glob differs between the prompts of one file.
    pub fn has_prompt(&self) -> bool {
        self.written.contains(PROMPT)
    }

    /// `true` if the glob differs between prompts with different names. Its files may not exist.
    pub fn has_stem(&self) -> bool {
        self.written.contains(STEM)
    }

    /// `true` if the same files match for all prompts.
    pub fn is_of_all(&self) -> bool {
        !self.has_stem() && !self.has_prompt()
    }

    /// The glob for one prompt, or for all prompts of a file, with `{stem}` and `{prompt}`
    /// replaced.
    pub fn for_prompt(&self, prompt: &Path) -> Cow<'_, str> {
        with_name(&self.in_file, &globset::escape(name_of(prompt)))
    }

    /// `true` if the glob matches a file for any prompt. The folder is that of the config.
    pub fn matches(&self, folder: &Path, path: &Path) -> bool {
        let (folder, _) = without_dots(folder, &self.in_file);
        let relative = path.strip_prefix(folder).ok();
        !is_variables(path)
            && relative.is_some_and(|path| compiled_globs::is_match(&self.for_any, path))
    }

    /// `true` if the glob matches a file for this prompt.
    pub fn matches_for(&self, prompt: &Path, folder: &Path, path: &Path) -> bool {
        let is_of_other = |name: &str| self.has_stem() && name != name_of(prompt);
        self.matches(folder, path)
            && !self.name_in(folder, path).is_some_and(is_of_other)
            && (!self.has_stem() || is_match(folder, &self.for_prompt(prompt), path))
            && self.case(path, prompt).is_some()
    }

    /// The case that one of its files provides for a prompt. If the file name begins with the name
    /// of the prompt, it is the rest, as for files beside prompts; otherwise the file name itself.
    /// `None` for the file of another prompt whose name only shares this beginning.
    pub fn case(&self, path: &Path, prompt: &Path) -> Option<String> {
        if is_variables(path) {
            return None;
        }
        let base = base_of(path);
        match self.begins_with_stem() {
            true => case_of(&base, name_of(prompt)).map(str::to_owned),
            false => Some(base),
        }
    }

    /// The path for a new case of a prompt; `None` unless the glob names files after prompts and
    /// cases.
    pub fn new_case(&self, prompt: &Path, folder: &Path, case: &str) -> Option<PathBuf> {
        let (above, _) = self.in_file.rsplit_once('/').unwrap_or_default();
        // The name of the file is followed by that of its prompt.
        let name = match self.has_prompt() {
            true => prompt.file_stem()?.to_str()?,
            false => name_of(prompt),
        };
        let beside = Path::new(above).join(format!("{name}.prompt"));
        let path = absolute(folder, &inputs_path(&beside, case)?);
        let is_one = self.begins_with_stem() && self.matches_for(prompt, folder, &path);
        is_one.then_some(path)
    }

    /// The name of the prompts that one of its files is for; `None` if it cannot be determined.
    pub fn name_in<'p>(&self, folder: &Path, path: &'p Path) -> Option<&'p str> {
        name_in(&self.in_file, folder, path)
    }

    fn begins_with_stem(&self) -> bool {
        self.written.rsplit('/').next().is_some_and(|name| name.starts_with(STEM))
    }
}

/// `true` if a file is named like a variables file; these are never inputs.
fn is_variables(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(is_variables_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = "/p/q";

    fn new_glob(glob: &str) -> InputsGlob {
        InputsGlob::new(glob.to_owned()).expect("it is a glob")
    }

    #[track_caller]
    fn check(glob: &str, prompt: &str, path: &str, case: Option<&str>) {
        let (glob, prompt) = (new_glob(glob), Path::new(prompt));
        let path = Path::new(path);
        let is_one = glob.matches_for(prompt, Path::new(FOLDER), path);
        assert_eq!(is_one.then(|| glob.case(path, prompt)).flatten().as_deref(), case);
        assert!(!is_one || glob.matches(Path::new(FOLDER), path));
    }

    #[test]
    fn parts_of_one_name_share_cases() {
        for part in ["/p/q/t/x.description.prompt", "/p/q/t/x.expected_output.prompt"] {
            check("t/{stem}*.inputs.json", part, "/p/q/t/x.inputs.json", Some("default"));
            check("t/{stem}*.inputs.json", part, "/p/q/t/x.angry.inputs.json", Some("angry"));
            check("t/{stem}*.inputs.json", part, "/p/q/t/xy.inputs.json", None);
            check("t/{stem}.inputs.json", part, "/p/q/t/x.angry.inputs.json", None);
            check("../{stem}/*.json", part, "/p/x/angry.json", Some("angry"));
            check("all.json", part, "/p/q/all.json", Some("all"));
            check("t/*.json", part, "/p/q/t/all.variables.json", None);
            check("t/{stem}*.json", part, "/p/q/t/x.variables.json", None);
        }
    }

    #[test]
    fn prompts_of_a_file_have_their_own_names() {
        let host = "/p/q/a/planner.py";
        check(
            "t/{stem}.{prompt}*.inputs.json",
            host,
            "/p/q/t/planner.one.inputs.json",
            Some("one"),
        );
        check("t/{stem}.{prompt}*.json", host, "/p/q/t/planner.one.x.json", Some("one.x"));
        check("t/{stem}.{prompt}.json", host, "/p/q/t/other.one.json", None);
        check("t/{stem}/{prompt}*.json", host, "/p/q/t/planner/one.x.json", Some("one.x"));
        let glob = new_glob("t/{stem}.{prompt}*.inputs.json");
        let prompt = Path::new("/p/q/a/planner.one.py");
        let new = glob.new_case(prompt, Path::new(FOLDER), "angry");
        assert_eq!(new, Some(PathBuf::from("/p/q/t/planner.one.angry.inputs.json")));
    }

    #[test]
    fn names_are_escaped_in_globs() {
        check("{stem}.json", "/p/q/[ab].prompt", "/p/q/[ab].json", Some("default"));
        check("{stem}.json", "/p/q/[ab].prompt", "/p/q/a.json", None);
    }

    #[test]
    fn a_new_case_has_a_path_that_its_glob_matches() {
        let prompt = Path::new("/p/q/t/x.description.prompt");
        let new = |glob: &str, case| new_glob(glob).new_case(prompt, Path::new(FOLDER), case);
        let path = |path: &str| Some(PathBuf::from(path));
        assert_eq!(new("t/{stem}*.inputs.json", "default"), path("/p/q/t/x.inputs.json"));
        assert_eq!(new("../t/{stem}*.inputs.json", "angry"), path("/p/t/x.angry.inputs.json"));
        assert_eq!(new("t/{stem}.inputs.json", "angry"), None);
        assert_eq!(new("state.json", "default"), None);
    }
}
