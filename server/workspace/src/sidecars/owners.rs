//! The sidecars beside a prompt, and the prompts of a sidecar.

use std::path::{Path, PathBuf};

use promptls_analysis::DEFAULT_CASE;

use crate::config::Config;
use crate::files::paths::folder_of;
use crate::kind::{kind_of, kind_read_by};
use crate::project::Project;
use crate::readers::PromptReader;
use crate::sidecars::naming::{
    case_of, default_inputs, inputs_path, sidecar_base, sidecar_home, stem, variables_path,
};

/// The inputs and variables files in the sidecar folder of a file that would belong to it as a
/// prompt; files of other prompts are left out. `shipped` is the code that also has its sidecars
/// there.
pub fn sidecars_beside(
    path: &Path,
    project: Project<'_>,
    config: Option<&Config>,
    shipped: &[PathBuf],
) -> Vec<PathBuf> {
    let files = project.files;
    let home = sidecar_home(path);
    let folder = folder_of(&home);
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let is_its_own = |other: &&String| {
        sidecar_base(other).is_some_and(|base| case_of(base, stem(name)).is_some())
    };
    let names = files.list(folder);
    let beside = names.iter().filter(is_its_own).map(|other| folder.join(other));
    let is_free = |sidecar: &PathBuf| {
        if files.is_link(sidecar) {
            return false;
        }
        let owners = prompts_beside(sidecar, project, config, shipped);
        owners.iter().all(|owner| owner == path)
    };
    beside.filter(is_free).collect()
}

/// The moves of the inputs and variables files of a prompt, from and to, when it gets another path:
/// those beside it, and those that its rule names by `{stem}`. Files that other prompts read, and
/// files whose target exists, are left out. Empty if the new path is no prompt.
///
/// Cost: a listing of its folder and of those of its rule, and a check of each target.
pub fn moved_sidecars(old: &Path, new: &Path, project: Project<'_>) -> Vec<(PathBuf, PathBuf)> {
    let Project { files, configs, .. } = project;
    let config_of = |path: &Path| configs.nearest(files, folder_of(path));
    let (config, new_config) = (config_of(old), config_of(new));
    let Some(kind) = kind_of(old, config.as_deref(), project) else { return Vec::new() };
    // The new path has no file to read yet.
    let reader = PromptReader::by_name(new).or(kind.reader.filter(|reader| reader.may_read(new)));
    if kind_read_by(reader, new, new_config.as_deref()).is_none() {
        return Vec::new();
    }
    let name_of = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (old_name, new_name) = (name_of(old), name_of(new));
    let moved = |from: PathBuf| {
        let name = name_of(&from);
        let rest = name.strip_prefix(stem(&old_name))?;
        let to = sidecar_home(new).with_file_name(format!("{}{rest}", stem(&new_name)));
        (!files.is_there(&to)).then_some((from, to))
    };
    let is_shared = |path: &PathBuf| config.as_deref().is_some_and(|config| config.shares(path));
    let shipped = configs.shipped(files, sidecar_home(old).parent().unwrap_or(old));
    let own = sidecars_beside(old, project, config.as_deref(), &shipped).into_iter();
    let mut all: Vec<_> = own.filter(|path| !is_shared(path)).filter_map(moved).collect();
    if let Some(rule) = config.as_deref().and_then(|config| config.rule_for(old)) {
        let may_move = |path: &Path| configs.reach().check(files, rule.folder(), path).is_ok();
        let is_fine = |(from, to): &(PathBuf, PathBuf)| {
            files.is_there(from) && !files.is_there(to) && may_move(from) && may_move(to)
        };
        all.extend(rule.moved_by_name(old, new, files).into_iter().filter(is_fine));
    }
    all
}

/// The path for a new case of a prompt: where its rule would find it, else beside the prompt.
/// `None` if the case cannot be part of a file name.
pub fn new_case(prompt: &Path, config: Option<&Config>, case: &str) -> Option<PathBuf> {
    let rule = config.and_then(|config| config.rule_for(prompt));
    rule.and_then(|rule| rule.new_case(prompt, case)).or_else(|| inputs_path(prompt, case))
}

/// The path for the first variables of a prompt, as for [`new_case`].
pub fn new_variables(prompt: &Path, config: Option<&Config>) -> PathBuf {
    let rule = config.and_then(|config| config.rule_for(prompt));
    rule.and_then(|rule| rule.new_variables(prompt)).unwrap_or_else(|| variables_path(prompt))
}

/// The path for the first inputs of a prompt, as for [`new_case`].
pub fn first_inputs(prompt: &Path, config: Option<&Config>) -> PathBuf {
    new_case(prompt, config, DEFAULT_CASE).unwrap_or_else(|| default_inputs(prompt))
}

/// The files of prompts that use a sidecar: the one beside it, those of the rules that name it, and
/// those with texts that they include.
///
/// `all` returns all files below a folder that may be prompts; it is called only if needed.
pub fn prompts_of<A: AsRef<[PathBuf]>>(
    sidecar: &Path,
    project: Project<'_>,
    all: impl FnOnce(&Path) -> A,
) -> Vec<PathBuf> {
    let Project { files, configs, .. } = project;
    let config_of = |path: &Path| configs.nearest(files, folder_of(path));
    let config = config_of(sidecar);
    let shipped = configs.shipped(files, sidecar.parent().unwrap_or(sidecar));
    let mut prompts = prompts_beside(sidecar, project, config.as_deref(), &shipped);
    if let Some(folder) = config.as_deref().and_then(|config| config.shared_below(sidecar)) {
        // A nested config may have its own rule for a prompt.
        let is_reader = |prompt: &&PathBuf| {
            let config = config_of(prompt);
            let rule = config.as_deref().and_then(|config| config.rule_for(prompt));
            rule.is_some_and(|rule| rule.shares_with(prompt, sidecar))
        };
        prompts.extend(all(folder).as_ref().iter().filter(is_reader).cloned());
    }
    let parts = prompts.iter().flat_map(|prompt| project.program.parts_of(prompt));
    let parts: Vec<PathBuf> = parts.collect();
    prompts.extend(parts);
    prompts.sort();
    prompts.dedup();
    prompts
}

/// The prompts that a sidecar belongs to by its name, among those in its folder and the code with
/// sidecars there.
fn prompts_beside(
    sidecar: &Path,
    project: Project<'_>,
    config: Option<&Config>,
    shipped: &[PathBuf],
) -> Vec<PathBuf> {
    let files = project.files;
    let folder = folder_of(sidecar);
    let name = sidecar.file_name().unwrap_or_default().to_string_lossy();
    let Some(base) = sidecar_base(&name) else { return Vec::new() };
    let candidates = files.list(folder);
    let beside = candidates.iter().map(|other| folder.join(other));
    let beside = beside.filter(|path| *sidecar_home(path) == **path);
    let is_owner = |path: &PathBuf| {
        // The search for prompts does not follow links either.
        case_of(base, stem_of(path)).is_some()
            && !files.is_link(path)
            && kind_of(path, config, project).is_some()
    };
    let mut prompts: Vec<PathBuf> =
        beside.chain(shipped.iter().cloned()).filter(is_owner).collect();
    // The longest matching stem owns the file; two prompts may have it.
    let longest = prompts.iter().map(|path| stem_of(path).len()).max();
    prompts.retain(|path| longest == Some(stem_of(path).len()));
    prompts
}

fn stem_of(path: &Path) -> &str {
    stem(path.file_name().and_then(|name| name.to_str()).unwrap_or_default())
}
