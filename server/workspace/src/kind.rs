//! Detection of files that hold prompts.

use std::path::Path;
use std::sync::Arc;

use promptls_syntax::Dialect;

use super::config::{Config, Rule};
use super::hosts::is_code::has_only_strings;
use super::hosts::program_facts::ProgramFacts;
use super::project::Project;
use super::read_error::ReadError;
use super::readers::{PromptReader, reader_of_text};
use crate::files::paths::{file_name, is_prompt_name, split_last};
use crate::sidecars::naming::sidecar_base;

/// The reason why a file holds prompts.
#[derive(Clone, Copy, Debug)]
pub struct PromptKind<'c> {
    /// The dialect from its rule or its name; `None` if neither sets one, and for a file in which
    /// each prompt has its own.
    pub dialect: Option<Dialect>,
    /// The rule of `promptls.toml` that matches it.
    pub rule: Option<&'c Rule>,
    /// The reader that finds the prompts in it; `None` for a file that is itself a prompt, and for
    /// one whose rule names strings that are not read.
    pub reader: Option<PromptReader>,
}

/// The reason why a file holds prompts: its extension is `.prompt`, a rule matches, or it has a
/// reader. `None` for other files. `config` is the one that applies to the file.
///
/// `*.prompt.md` belongs to VS Code, unless a rule matches it. Inputs and variables files are
/// never prompts. Files of code and data are never one prompt, whatever a rule sets. A file of a kind
/// whose strings are not read, and whose rule names some, has no prompts, but an error.
///
/// Cost: nothing, except for JSON and YAML, which are read if their names do not decide.
///
/// ```
/// use std::path::Path;
///
/// use promptls_workspace::{Configs, Disk, Project, kind_of};
///
/// let configs = Configs::default();
/// let project = Project::without_program(&Disk, &configs);
/// let kind = kind_of(Path::new("/work/support.adk.prompt"), None, project).unwrap();
/// assert_eq!(kind.dialect.unwrap().spec().id, "adk");
/// assert!(kind_of(Path::new("/work/notes.txt"), None, project).is_none());
/// ```
pub fn kind_of<'c>(
    path: &Path,
    config: Option<&'c Config>,
    project: Project<'_>,
) -> Option<PromptKind<'c>> {
    kind_of_text(path, config, project.program, || project.files.read(path), None)
}

/// [`kind_of`] for a file whose text is available; `last` is its previous reader.
pub fn kind_of_text<'c>(
    path: &Path,
    config: Option<&'c Config>,
    program: &dyn ProgramFacts,
    text: impl FnOnce() -> Result<Arc<str>, ReadError>,
    last: Option<PromptReader>,
) -> Option<PromptKind<'c>> {
    let is_sidecar = file_name(path).and_then(sidecar_base).is_some();
    if is_sidecar {
        return None;
    }
    kind_read_by(reader_of_text(path, config, program, text, last), path, config)
}

/// [`kind_of`] for a file whose reader is known.
pub fn kind_read_by<'c>(
    reader: Option<PromptReader>,
    path: &Path,
    config: Option<&'c Config>,
) -> Option<PromptKind<'c>> {
    let rule = config.and_then(|config| config.rule_for(path));
    if let Some(reader) = reader {
        return Some(PromptKind { dialect: None, rule, reader: Some(reader) });
    }
    if has_only_strings(path) {
        return None;
    }
    if rule.is_some_and(|rule| rule.names_unread_strings(path)) {
        return Some(PromptKind { dialect: None, rule, reader: None });
    }
    // A file whose rule names strings is not itself a prompt.
    if rule.is_some_and(|rule| rule.strings.is_some()) || rule.is_none() && !is_prompt_name(path) {
        return None;
    }
    let of_name = || infix(&path.file_name()?.to_string_lossy());
    let dialect = rule.and_then(|rule| rule.dialect).or_else(of_name);
    Some(PromptKind { dialect, rule, reader: None })
}

/// The dialect in a name such as `support.adk.prompt`.
fn infix(name: &str) -> Option<Dialect> {
    let (stem, _) = split_last(name, b'.')?;
    let (_, infix) = split_last(stem, b'.')?;
    Dialect::from_id(infix)
}

#[cfg(test)]
mod tests {
    use super::super::configs::Configs;
    use super::super::files::Disk;
    use super::*;

    #[test]
    fn file_names_determine_prompts_and_dialects() {
        let configs = Configs::default();
        let project = Project::without_program(&Disk, &configs);
        let dialect = |name| kind_of(Path::new(name), None, project).map(|kind| kind.dialect);
        assert_eq!(dialect("a.prompt"), Some(None));
        assert_eq!(dialect("a.adk.prompt"), Some(Some(Dialect::Adk)));
        assert_eq!(dialect("a.b.prompt"), Some(None));
        assert_eq!(dialect("a.prompt.md"), None);
        assert_eq!(dialect(".prompt"), None);
        assert_eq!(dialect("a.txt"), None);
        assert_eq!(dialect("a.pack.json"), Some(None));
        assert_eq!(dialect("a.pack.yaml"), Some(None));
        assert_eq!(dialect("nowhere/a.json"), None);
        assert_eq!(dialect("nowhere/a.yaml"), None);
    }

    #[test]
    fn a_rule_makes_any_file_a_prompt_except_code_and_data() {
        let config = Config::parse(Path::new("/p/promptls.toml"), "[[prompts]]\nfiles = ['*']\n");
        let configs = Configs::default();
        let project = Project::without_program(&Disk, &configs);
        let is_prompt =
            |name| kind_of(&Path::new("/p").join(name), Some(&config), project).is_some();
        assert!(is_prompt("a.md") && is_prompt("a"));
        assert!(!is_prompt("a.toml") && !is_prompt("a.json") && is_prompt("a.pack.json"));
        assert!(!is_prompt("a.yaml") && !is_prompt("a.yml") && is_prompt("a.pack.yml"));
        assert!(!is_prompt("a.py") && !is_prompt("a.tsx"));
        assert!(!is_prompt("a.inputs.yaml") && !is_prompt("a.variables.json"));
    }
}
