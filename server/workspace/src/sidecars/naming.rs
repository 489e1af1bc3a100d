//! What the files of a prompt are called: inputs, cases and variables, by its stem.

use std::path::{Path, PathBuf};

use promptls_analysis::DEFAULT_CASE;

const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

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

/// The names that begin so, of some that are sorted.
pub fn starting<'n>(names: &'n [String], start: &str) -> &'n [String] {
    let names = &names[names.partition_point(|name| name.as_str() < start)..];
    &names[..names.partition_point(|name| name.starts_with(start))]
}

/// The file name without its last extension.
pub fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
