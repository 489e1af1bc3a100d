//! Files that a rule names with `{stem}`, and the prompts with that name.
//!
//! If the globs of the rule name the folders, the prompts of such a file are found without a walk.

use std::path::{Path, PathBuf};

use super::stem::name_of;
use super::{Config, Rule};
use crate::files::Files;
use crate::files::paths::absolute;
use crate::sidecars::naming::{base_of, case_of, sidecar_base};

impl Rule {
    /// The prompts of this rule with a name; `None` if they may be in any folder.
    ///
    /// Cost: a listing of each folder that its globs name.
    fn prompts_named(&self, name: &str, files: &dyn Files) -> Option<Vec<PathBuf>> {
        let mut prompts = Vec::new();
        for folder in self.prompt_folders.as_ref()? {
            let folder = absolute(self.folder(), Path::new(folder));
            let names = files.list(&folder);
            let start = names.partition_point(|other| &**other < name);
            let alike = names[start..].iter().take_while(|other| other.starts_with(name));
            let is_one = |other: &&String| {
                name_of(Path::new(other)) == name
                    && sidecar_base(other).is_none()
                    && self.matches(&folder.join(other))
            };
            prompts.extend(alike.filter(is_one).map(|other| folder.join(other)));
        }
        Some(prompts)
    }

    /// The name of the prompts that a file is for, if no prompt has that name; `None` also if this
    /// cannot be determined.
    fn lost_name<'p>(&self, sidecar: &'p Path, files: &dyn Files) -> Option<&'p str> {
        let folder = self.folder();
        let inputs = self.inputs.iter().filter(|glob| glob.matches(folder, sidecar));
        let inputs = inputs.map(|glob| glob.name_in(folder, sidecar));
        let variables = self.variables.iter().filter(|path| path.matches(folder, sidecar));
        let variables = variables.map(|path| path.name_in(folder, sidecar));
        // If several globs match the file, one without a name matches it for all prompts.
        let names: Option<Vec<&str>> = inputs.chain(variables).collect();
        let names = names?;
        let is_lost = |name: &&str| self.prompts_named(name, files).is_some_and(|it| it.is_empty());
        names.iter().all(is_lost).then(|| names.first().copied())?
    }

    /// The files named after a prompt, with their old and new paths when the prompt moves. Files
    /// that other prompts also use are left out.
    pub fn moved_by_name(
        &self,
        old: &Path,
        new: &Path,
        files: &dyn Files,
    ) -> Vec<(PathBuf, PathBuf)> {
        let (old_name, new_name) = (name_of(old), name_of(new));
        let owners = self.prompts_named(old_name, files).unwrap_or_default();
        if old_name == new_name || !self.matches(new) || owners.iter().any(|path| path != old) {
            return Vec::new();
        }
        let globs = self.inputs.iter().filter(|glob| glob.has_stem());
        let means = globs.flat_map(|glob| {
            let all = files.glob(self.folder(), &glob.for_prompt(old));
            let own = all.iter().filter(|path| glob.matches_for(old, self.folder(), path));
            own.cloned().collect::<Vec<_>>()
        });
        let moved = means.filter_map(|from| {
            case_of(&base_of(&from), old_name)?;
            let rest = from.file_name()?.to_str()?.strip_prefix(old_name)?;
            let to = from.with_file_name(format!("{new_name}{rest}"));
            self.shares_with(new, &to).then_some((from, to))
        });
        let variables = self.new_variables(old).zip(self.new_variables(new));
        moved.chain(variables).collect()
    }
}

impl Config {
    /// The name of the prompts that a file is for by `{stem}`, if no prompt has that name and no
    /// rule uses the file for others.
    pub fn lost_name<'p>(&self, sidecar: &'p Path, files: &dyn Files) -> Option<&'p str> {
        let sharing = self.rules().filter(|rule| rule.shares(sidecar));
        let names: Option<Vec<&str>> = sharing.map(|rule| rule.lost_name(sidecar, files)).collect();
        names?.first().copied()
    }

    /// `true` if the prompts of some rule share the file, and these prompts may exist.
    pub fn has_readers(&self, sidecar: &Path, files: &dyn Files) -> bool {
        self.shares(sidecar) && self.lost_name(sidecar, files).is_none()
    }
}
