//! The names of sidecars: inputs, cases and variables, by the stem of the prompt.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use promptls_analysis::DEFAULT_CASE;
use promptls_data::Format;

use crate::files::paths::split_last;
use crate::hosts::is_code::is_code;

/// Files below this folder of a project are included in its build output.
const SHIPPED: &str = "src/main";

/// The folder for sidecars of such code, in the same project.
const NOT_SHIPPED: &str = "src/test/prompts";

/// The path that determines the folder of the sidecars of a file: its own path, unless the sidecars
/// would be shipped with the code.
pub fn sidecar_home(prompt: &Path) -> Cow<'_, Path> {
    if !is_code(prompt) {
        return prompt.into();
    }
    let shipped = prompt.ancestors().find(|folder| folder.ends_with(SHIPPED));
    let project = shipped.and_then(|folder| folder.ancestors().nth(2));
    match project.zip(prompt.file_name()) {
        Some((project, name)) => project.join(NOT_SHIPPED).join(name).into(),
        None => prompt.into(),
    }
}

/// The folder of the code whose sidecars are in this folder; `None` if there is none.
pub fn shipped_from(folder: &Path) -> Option<PathBuf> {
    if !folder.ends_with(NOT_SHIPPED) {
        return None;
    }
    Some(folder.ancestors().nth(3)?.join(SHIPPED))
}

/// The path for the variables file of a prompt.
pub fn variables_path(prompt: &Path) -> PathBuf {
    let name = prompt.file_name().unwrap_or_default().to_string_lossy();
    sidecar_home(prompt).with_file_name(format!("{}.variables.json", stem(&name)))
}

/// The path for the default case of a prompt.
pub fn default_inputs(prompt: &Path) -> PathBuf {
    let name = prompt.file_name().unwrap_or_default().to_string_lossy();
    sidecar_home(prompt).with_file_name(format!("{}.inputs.json", stem(&name)))
}

/// The path for a case of a prompt; `None` if the case cannot be part of a file name.
pub fn inputs_path(prompt: &Path, case: &str) -> Option<PathBuf> {
    if case == DEFAULT_CASE {
        return Some(default_inputs(prompt));
    }
    let is_plain = |c: char| c.is_alphanumeric() || "-_".contains(c);
    let is_fine = !case.is_empty() && case.chars().all(is_plain);
    let name = prompt.file_name()?.to_str()?;
    is_fine
        .then(|| sidecar_home(prompt).with_file_name(format!("{}.{case}.inputs.json", stem(name))))
}

/// `true` if a file name is that of an inputs file.
pub fn is_inputs_file(name: &str) -> bool {
    matches!(sidecar(name), Some((SidecarKind::Inputs, _)))
}

/// `true` if a file name is that of a variables file.
pub fn is_variables_file(name: &str) -> bool {
    matches!(sidecar(name), Some((SidecarKind::Variables, _)))
}

/// The part before the extensions of an inputs or variables file; `None` for any other name.
pub fn sidecar_base(name: &str) -> Option<&str> {
    sidecar(name).map(|(_, base)| base)
}

/// The kind of a sidecar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SidecarKind {
    Inputs,
    Variables,
}

/// The kind of a sidecar, and the part of its name before the extensions; `None` for any other
/// name.
pub fn sidecar(name: &str) -> Option<(SidecarKind, &str)> {
    let (rest, ending) = split_last(name, b'.')?;
    Format::of_ending(ending)?;
    kind_and_base(rest)
}

/// The part before the extensions of a file that is named like inputs or variables, whose last
/// extension may be an unsupported format: `support.inputs.env`.
pub fn sidecar_like(name: &str) -> Option<&str> {
    let (rest, _) = split_last(name, b'.')?;
    kind_and_base(rest).map(|(_, base)| base)
}

/// The message for a file that is no JSON and whose extension names no supported format; `None` for
/// other extensions, and without one.
pub fn unknown_format(path: &Path) -> Option<String> {
    let ending = path.extension()?.to_str()?;
    Format::of_ending(ending).is_none().then(|| {
        format!("`.{ending}` is not a format of inputs and variables; use JSON, YAML or TOML")
    })
}

/// The kind and the base of a name without its last extension.
fn kind_and_base(rest: &str) -> Option<(SidecarKind, &str)> {
    let (base, kind) = split_last(rest, b'.')?;
    let kind = match kind {
        "inputs" => SidecarKind::Inputs,
        "variables" => SidecarKind::Variables,
        _ => return None,
    };
    Some((kind, base))
}

/// The name of an inputs file, without its extensions.
pub fn base_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match sidecar(&name) {
        Some((SidecarKind::Inputs, base)) => base.to_owned(),
        _ => stem(&name).to_owned(),
    }
}

/// The case that an inputs file from any folder provides for a prompt.
pub fn case_in(inputs: &Path, prompt: &Path) -> String {
    let base = base_of(inputs);
    let name = prompt.file_name().unwrap_or_default().to_string_lossy();
    case_of(&base, stem(&name)).unwrap_or(&base).to_owned()
}

/// The case of a sidecar, from the part before its extensions and the stem of a prompt; `None` if
/// it does not belong to that prompt.
///
/// This defines the naming rule. Of several matching prompts, the one with the longest stem owns
/// the file.
pub fn case_of<'b>(base: &'b str, stem: &str) -> Option<&'b str> {
    match base.strip_prefix(stem)? {
        "" => Some(DEFAULT_CASE),
        rest => rest.strip_prefix('.'),
    }
}

/// The stems of prompts that may own a file beside them, or use it: the part before its extensions,
/// whole and up to each dot.
pub fn stems_concerned(name: &str) -> impl Iterator<Item = &str> {
    let base = sidecar_base(name).unwrap_or_else(|| stem(name));
    base.match_indices('.').map(|(dot, _)| &base[..dot]).chain([base])
}

/// The file name without its last extension.
pub fn stem(name: &str) -> &str {
    split_last(name, b'.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sidecars_are_not_shipped_with_code() {
        let inputs = |path: &str| default_inputs(Path::new(path)).display().to_string();
        assert_eq!(inputs("/p/src/main/java/x/A.java"), "/p/src/test/prompts/A.inputs.json");
        assert_eq!(inputs("/p/src/main/A.kt"), "/p/src/test/prompts/A.inputs.json");
        assert_eq!(inputs("/src/main/A.java"), "/src/test/prompts/A.inputs.json");
        for beside in ["/p/src/test/java/A", "/p/src/mains/A", "/p/main/A", "/src/main", "A"] {
            assert_eq!(inputs(&format!("{beside}.java")), format!("{beside}.inputs.json"));
        }
        assert_eq!(inputs("/p/src/main/resources/a.md"), "/p/src/main/resources/a.inputs.json");
        assert_eq!(shipped_from(Path::new("/p/src/test/prompts")), Some("/p/src/main".into()));
        assert_eq!(shipped_from(Path::new("/p/src/test")), None);
    }
}
