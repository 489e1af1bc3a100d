//! What the files of a prompt are called: inputs, cases and variables, by its stem.

use std::path::{Path, PathBuf};

use promptls_analysis::DEFAULT_CASE;

use super::config::Config;
use super::configs::Configs;
use super::files::Files;
use super::kind::{kind_of, kind_read_by};
use super::readers::reader_of;

const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

/// The inputs and variables files that lie beside a file, were it a prompt; none that belong to
/// another one.
pub fn sidecars_beside(path: &Path, files: &dyn Files, config: Option<&Config>) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new("/"));
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
        let owners = prompts_beside(sidecar, files, config);
        owners.iter().all(|owner| owner == path)
    };
    beside.filter(is_free).collect()
}

/// Where the inputs and variables files beside a prompt go, from and to, when it gets another path:
/// those that no other prompt reads, and whose place is free. None if it is no prompt then.
///
/// Cost: a listing of its folder, and a look at each new place.
pub fn moved_sidecars(
    old: &Path,
    new: &Path,
    files: &dyn Files,
    configs: &Configs,
) -> Vec<(PathBuf, PathBuf)> {
    let config_of = |path: &Path| configs.nearest(files, path.parent().unwrap_or(Path::new("/")));
    let (config, new_config) = (config_of(old), config_of(new));
    let Some(kind) = kind_of(old, config.as_deref(), files) else { return Vec::new() };
    // There is nothing to read under the new name yet.
    let reader = reader_of(new).or(kind.reader.filter(|reader| reader.may_claim(new)));
    if kind_read_by(reader, new, new_config.as_deref()).is_none() {
        return Vec::new();
    }
    let name_of = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (old_name, new_name) = (name_of(old), name_of(new));
    let moved = |from: PathBuf| {
        let name = name_of(&from);
        let rest = name.strip_prefix(stem(&old_name))?;
        let to = new.with_file_name(format!("{}{rest}", stem(&new_name)));
        (!files.is_there(&to)).then_some((from, to))
    };
    let is_shared = |path: &PathBuf| config.as_deref().is_some_and(|config| config.shares(path));
    let own = sidecars_beside(old, files, config.as_deref()).into_iter();
    own.filter(|path| !is_shared(path)).filter_map(moved).collect()
}

/// Where the declarations of a prompt are written.
pub fn variables_path(prompt: &Path) -> PathBuf {
    let name = prompt.file_name().unwrap_or_default().to_string_lossy();
    prompt.with_file_name(format!("{}.variables.json", stem(&name)))
}

/// Where the default case of a prompt is written.
pub fn default_inputs(prompt: &Path) -> PathBuf {
    let name = prompt.file_name().unwrap_or_default().to_string_lossy();
    prompt.with_file_name(format!("{}.inputs.json", stem(&name)))
}

/// Where a case of a prompt is written; `None` for a case that no file name can hold.
pub fn inputs_path(prompt: &Path, case: &str) -> Option<PathBuf> {
    if case == DEFAULT_CASE {
        return Some(default_inputs(prompt));
    }
    let is_plain = |c: char| c.is_alphanumeric() || "-_".contains(c);
    let is_fine = !case.is_empty() && case.chars().all(is_plain);
    let name = prompt.file_name()?.to_str()?;
    is_fine.then(|| prompt.with_file_name(format!("{}.{case}.inputs.json", stem(name))))
}

/// Whether a file name is that of an inputs file.
pub fn is_inputs_file(name: &str) -> bool {
    split(name, "inputs").is_some()
}

/// Whether a file name is that of a variables file.
pub fn is_variables_file(name: &str) -> bool {
    split(name, "variables").is_some()
}

/// What stands before the endings of an inputs or variables file; `None` for any other name.
pub fn sidecar_base(name: &str) -> Option<&str> {
    split(name, "inputs").or_else(|| split(name, "variables"))
}

/// The prompts that a sidecar belongs to: the one beside it, and those of the rules that name it.
///
/// `all` gives all files below a folder that may be prompts; it is asked for only when it matters.
pub fn prompts_of(
    sidecar: &Path,
    files: &dyn Files,
    configs: &Configs,
    all: impl FnOnce(&Path) -> Vec<PathBuf>,
) -> Vec<PathBuf> {
    let config_of = |path: &Path| configs.nearest(files, path.parent().unwrap_or(Path::new("/")));
    let config = config_of(sidecar);
    let mut prompts = prompts_beside(sidecar, files, config.as_deref());
    if let Some(folder) = config.as_deref().and_then(|config| config.shared_below(sidecar)) {
        // A config further down may have a rule of its own for a prompt.
        prompts.extend(all(folder).into_iter().filter(|prompt| {
            let config = config_of(prompt);
            let rule = config.as_deref().and_then(|config| config.rule_for(prompt));
            rule.is_some_and(|rule| rule.shares(sidecar))
        }));
    }
    prompts.sort();
    prompts.dedup();
    prompts
}

/// The prompts in the folder of a sidecar that it belongs to by its name.
fn prompts_beside(sidecar: &Path, files: &dyn Files, config: Option<&Config>) -> Vec<PathBuf> {
    let folder = sidecar.parent().unwrap_or(Path::new("/"));
    let name = sidecar.file_name().unwrap_or_default().to_string_lossy();
    let mut prompts = Vec::new();
    if let Some(base) = sidecar_base(&name) {
        let names = files.list(folder);
        let is_owner = |other: &&String| {
            let path = || folder.join(other);
            // Nor does who searches for prompts follow links.
            case_of(base, stem(other)).is_some()
                && !files.is_link(&path())
                && kind_of(&path(), config, files).is_some()
        };
        // The longest stem that fits owns the file; two prompts may have it.
        let longest = names.iter().filter(is_owner).map(|other| stem(other).len()).max();
        let is_longest = |other: &&String| longest == Some(stem(other).len());
        let owners = names.iter().filter(is_owner).filter(is_longest);
        prompts.extend(owners.map(|owner| folder.join(owner)));
    }
    prompts
}

/// What stands before `.inputs.json`, or another ending.
pub fn split<'n>(name: &'n str, what: &str) -> Option<&'n str> {
    let (rest, ending) = name.rsplit_once('.')?;
    let (base, found) = rest.rsplit_once('.')?;
    (ENDINGS.contains(&ending) && found == what).then_some(base)
}

/// What an inputs file is called, without its endings.
pub fn base_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    split(&name, "inputs").unwrap_or_else(|| stem(&name)).to_owned()
}

/// The case that an inputs file from anywhere is for a prompt.
pub fn case_in(inputs: &Path, prompt: &Path) -> String {
    let base = base_of(inputs);
    let name = prompt.file_name().unwrap_or_default().to_string_lossy();
    case_of(&base, stem(&name)).unwrap_or(&base).to_owned()
}

/// The case that a sidecar is of, by what stands before its endings and by the stem of a prompt;
/// `None` if it is not of that prompt.
///
/// This is the rule for names. Of several prompts that fit, the one with the longest stem counts.
pub fn case_of<'b>(base: &'b str, stem: &str) -> Option<&'b str> {
    match base.strip_prefix(stem)? {
        "" => Some(DEFAULT_CASE),
        rest => rest.strip_prefix('.'),
    }
}

/// The stems of the prompts that a file beside them may belong to, or take a sidecar from: what
/// stands before its endings, whole and up to each dot.
pub fn stems_concerned(name: &str) -> impl Iterator<Item = &str> {
    let base = split(name, "inputs").or_else(|| split(name, "variables"));
    let base = base.unwrap_or_else(|| stem(name));
    base.match_indices('.').map(|(dot, _)| &base[..dot]).chain([base])
}

/// The file name without its last extension.
pub fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
