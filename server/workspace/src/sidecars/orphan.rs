//! Orphans: inputs and variables files whose prompt was renamed or deleted.
//!
//! Files of other tools end in `.inputs.json` as well. So a file is an orphan only if there is
//! evidence that it belonged to a prompt: prompts beside it, its name, or a rule that would match
//! its prompt.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::did_you_mean;
use promptls_resolver::{Code, FileId, Location, Problem};
use promptls_syntax::Dialect;

use crate::config::{CONFIG_NAME, Config, UsedIgnores};
use crate::configs::Configs;
use crate::files::Files;
use crate::files::paths::{file_name, folder_of};
use crate::hosts::is_code::is_code;
use crate::kind::kind_read_by;
use crate::readers::PromptReader;
use crate::sidecars::naming::{
    case_of, sidecar_base, sidecar_like, stem, stems_concerned, unknown_format,
};
use crate::walking::walk::configs_below;

/// The files of a folder that are neither sidecars nor configs, so that they may be prompts.
pub struct Siblings {
    folder: PathBuf,
    names: Vec<String>,
    /// The names without their last extensions.
    stems: HashSet<String>,
}

impl Siblings {
    /// Those beside a file. Cost: a listing of its folder.
    pub fn of(file: &Path, files: &dyn Files) -> Siblings {
        let folder = folder_of(file).to_owned();
        let listed = files.list(&folder);
        let may_be_prompt = |name: &&String| sidecar_like(name).is_none() && *name != CONFIG_NAME;
        let names: Vec<String> = listed.iter().filter(may_be_prompt).cloned().collect();
        let stems = names.iter().map(|name| stem(name).to_owned()).collect();
        Siblings { folder, names, stems }
    }

    /// `true` if they are beside a file.
    pub fn are_beside(&self, file: &Path) -> bool {
        self.folder.as_os_str() == folder_of(file).as_os_str()
    }

    /// `true` if a name and the rules of a config make one of them a prompt.
    fn is_prompt(&self, name: &str, config: Option<&Config>) -> bool {
        let path = self.folder.join(name);
        kind_read_by(PromptReader::by_name(&path), &path, config).is_some()
    }
}

/// The problem of an inputs or variables file without a prompt, with a range in that file and the
/// severity of its config; `None` for any other file. `siblings` are beside it.
///
/// `is_shared` returns `true` if a rule outside of its ancestor folders names it; it is called only
/// for files that are otherwise orphans. See [`is_shared_below`]. Ignores that suppress the problem
/// are recorded.
///
/// Cost: constant, unless it is an orphan.
pub fn orphan(
    sidecar: &Path,
    siblings: &Siblings,
    files: &dyn Files,
    configs: &Configs,
    is_shared: impl FnOnce() -> bool,
    used: &mut UsedIgnores,
) -> Option<Problem> {
    let name = sidecar.file_name()?.to_str()?;
    let base = sidecar_like(name)?;
    let folder = siblings.folder.as_path();
    let find_config = || configs.nearest(files, folder);
    if let Some(message) = unknown_format(sidecar) {
        let config = find_config();
        let config = config.as_deref();
        let mut alike = siblings.names.iter().filter(|name| case_of(base, stem(name)).is_some());
        return match alike.any(|name| siblings.is_prompt(name, config)) {
            true => problem(message, sidecar, config, used),
            false => None,
        };
    }
    // A prompt may have any extension if it is named on the command line. Usually one of the same
    // name exists, and no other files of the folder are examined.
    if stems_concerned(name).any(|stem| siblings.stems.contains(stem)) {
        return None;
    }
    let config = find_config();
    let config = config.as_deref();
    let names = siblings.names.iter().map(String::as_str);
    let prompts: Vec<&str> = names.filter(|name| siblings.is_prompt(name, config)).collect();
    let lost_name = config.and_then(|config| config.lost_name(sidecar, files));
    let is_ours = lost_name.is_some()
        || !prompts.is_empty()
        || is_named_as_ours(base)
        || config.is_some_and(|config| has_rule_for(config, folder, base));
    let is_read = config.is_some_and(|config| config.has_readers(sidecar, files));
    if !is_ours || is_read || is_shared() {
        return None;
    }
    let why = match lost_name {
        Some(name) => format!("the rule that names it has no prompt `{name}`"),
        None => {
            let hint = did_you_mean(base, prompts.iter().map(|prompt| stem(prompt)));
            format!("no prompt in this folder has the stem `{base}`{hint}")
        }
    };
    let message = format!(
        "this file is not used by any prompt: {why}; rename it with its prompt, or delete it"
    );
    problem(message, sidecar, config, used)
}

/// The problem of a sidecar, with the severity of its config; `None` if it is off.
fn problem(
    message: String,
    sidecar: &Path,
    config: Option<&Config>,
    used: &mut UsedIgnores,
) -> Option<Problem> {
    let location = Location { file: FileId::PROMPT, range: 0..0 };
    let problem = Problem::new(Code::OrphanSidecar, location, message);
    match config {
        Some(config) => {
            let problem = config.severities.apply(problem);
            problem.filter(|problem| !config.ignores.cover(sidecar, problem, used))
        }
        None => Some(problem),
    }
}

/// `true` if a file is an inputs or variables file, by its name or by a rule of its project.
///
/// Cost: for data with another name, that of [`is_shared_below`].
pub fn is_sidecar(path: &Path, files: &dyn Files, configs: &Configs) -> bool {
    let is_named = || file_name(path).and_then(sidecar_base).is_some();
    !is_code(path) && (is_named() || is_shared_below(path, files, configs))
}

/// `true` if a rule of any config in the same project names the file.
///
/// Cost: a walk through [`project_of`] the file.
pub fn is_shared_below(sidecar: &Path, files: &dyn Files, configs: &Configs) -> bool {
    let project = project_of(sidecar, files, configs);
    is_shared_in(&configs_below(&project, files, configs), sidecar, files)
}

/// The same with the configs of the project, for checks of many files.
pub fn is_shared_in(configs: &[Arc<Config>], sidecar: &Path, files: &dyn Files) -> bool {
    configs.iter().any(|config| config.has_readers(sidecar, files))
}

/// The folder of the outermost config at or above a file, else its own folder.
pub fn project_of(sidecar: &Path, files: &dyn Files, configs: &Configs) -> PathBuf {
    let folder = folder_of(sidecar);
    let config = configs.nearest(files, folder);
    let outermost = config.as_deref().and_then(|config| config.and_outer().last());
    outermost.map_or(folder, Config::folder).to_owned()
}

/// `true` if a name contains a dialect, or is that of a pack's sidecar.
fn is_named_as_ours(base: &str) -> bool {
    base.split('.').skip(1).any(|part| part == "pack" || Dialect::from_id(part).is_some())
}

/// `true` if a rule would match the prompt, as far as its extension can be guessed. The name may
/// end in that of a case.
fn has_rule_for(config: &Config, folder: &Path, base: &str) -> bool {
    let ends = base.match_indices('.').map(|(at, _)| at).chain([base.len()]);
    let mut stems = ends.map(|end| folder.join(&base[..end]));
    stems.any(|stem| config.rules().any(|rule| rule.may_match(&stem)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::files::layer::Layer;
    use crate::files::listing::Listing;
    use crate::files::{NoFiles, Reading};
    use crate::read_error::ReadError;

    /// The file names in `/p`, and the text of its config.
    struct Folder<'f>(&'f [&'f str], &'f str);

    impl Layer for Folder<'_> {
        fn below(&self) -> &dyn Files {
            &NoFiles
        }

        fn read_as(&self, path: &Path, _: Reading) -> Result<Arc<str>, ReadError> {
            match path.ends_with(CONFIG_NAME) {
                true => Ok(self.1.into()),
                false => Err(ReadError::missing(path)),
            }
        }

        fn list(&self, folder: &Path) -> Arc<Listing> {
            let mut names: Vec<String> = self.0.iter().map(|name| (*name).to_owned()).collect();
            names.extend((!self.1.is_empty()).then(|| CONFIG_NAME.to_owned()));
            names.sort();
            if folder == Path::new("/p") { Listing::of_names(names) } else { Arc::default() }
        }
    }

    #[track_caller]
    fn check(names: &[&str], config: &str, is_orphan: bool) {
        let sidecar = Path::new("/p").join(names[0]);
        let files = Folder(names, config);
        let found = orphan(
            &sidecar,
            &Siblings::of(&sidecar, &files),
            &files,
            &Configs::default(),
            || false,
            &mut UsedIgnores::default(),
        );
        assert_eq!(found.is_some(), is_orphan, "{names:?} {found:?}");
    }

    const RULE: &str = "[[prompts]]\nfiles = ['*.md', 'fixed.txt']\n";

    #[test]
    fn a_sidecar_without_its_prompt_is_an_orphan() {
        check(&["a.inputs.json", "b.prompt"], "", true);
        check(&["a.angry.inputs.yaml", "b.prompt"], "", true);
        check(&["a.variables.json", "b.md"], RULE, true);
        check(&["a.adk.inputs.json"], "", true);
        check(&["a.pack.angry.inputs.json"], "", true);
        check(&["a.inputs.json"], RULE, true);
        check(&["fixed.angry.inputs.json"], RULE, true);
    }

    #[test]
    fn an_unsupported_format_beside_its_prompt_is_an_orphan() {
        check(&["a.inputs.env", "a.prompt"], "", true);
        check(&["a.angry.inputs.ini", "a.md"], RULE, true);
        check(&["a.variables.properties", "a.prompt"], "", true);
        check(&["a.inputs.env", "b.prompt"], "", false);
        check(&["a.inputs.env", "a.txt"], "", false);
        check(&["a.inputs.toml", "a.prompt"], "", false);
        check(&["a.inputs.toml", "b.prompt"], "", true);
    }

    #[test]
    fn a_sidecar_of_a_prompt_with_any_extension_is_no_orphan() {
        check(&["a.inputs.json", "a.prompt"], "", false);
        check(&["a.angry.inputs.json", "a.json", "b.prompt"], "", false);
        check(&["a.inputs.json", "a", "b.prompt"], "", false);
    }

    #[test]
    fn files_shared_by_a_rule_are_no_orphans() {
        let rule =
            "[[prompts]]\nfiles = ['*.md']\ninputs = ['*.json']\nvariables = 'v.variables.yml'\n";
        check(&["a.inputs.json", "b.md"], rule, false);
        check(&["v.variables.yml", "b.md"], rule, false);
        check(&["w.variables.yml", "b.md"], rule, true);
    }

    #[test]
    fn files_of_other_tools_are_no_orphans() {
        check(&["workflow.inputs.json"], "", false);
        check(&["dev.variables.yml", "pipeline.yml"], "", false);
        check(&["dev.variables.yml"], "[[prompts]]\nfiles = ['prompts/*']\n", false);
        check(&["inputs.json", "b.prompt"], "", false);
        check(&["a.json", "b.prompt"], "", false);
    }

    #[test]
    fn orphans_have_the_severity_of_the_config() {
        check(&["a.adk.inputs.json"], "[problems]\norphan-sidecar = 'off'\n", false);
    }
}
