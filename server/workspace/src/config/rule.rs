//! `[[prompts]]`: a rule, with the files that are its prompts.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::{SeverityOverrides, TokenEncoding};
use promptls_resolver::{Code, EngineRef, FileId, Location, Problem};
use promptls_syntax::Dialect;

use super::inputs_glob::InputsGlob;
use super::rule_globs::RuleGlobs;
use super::variables_path::VariablesPath;
use crate::files::address::relative;
use crate::files::paths::{extension, is_prompt_name};
use crate::hosts::is_code::host_language;
use crate::hosts::unsupported::has_strings;

/// A `[[prompts]]` table: a set of files, and the settings for their prompts.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The config that contains the rule.
    pub config: Arc<Path>,
    /// The folder that its globs are relative to; see [`Config::folder`](super::Config::folder).
    pub(super) folder: Arc<Path>,
    /// The index of the rule in its file, from 0; unusable rules count.
    pub position: usize,
    /// The range of its globs.
    pub range: Range<usize>,
    /// `true` if it names files that a walk skips because they are hidden.
    pub(super) names_hidden: bool,
    pub(super) files: RuleGlobs,
    /// The file extension that each of its globs names, without the dot; `None` for one that names
    /// none.
    endings: Vec<Option<String>>,
    /// The folders of its prompts, relative to [`Rule::folder`]; `None` for any.
    pub(super) prompt_folders: Option<Vec<String>>,
    /// The strings in its files that are prompts; `None` if the files themselves are prompts, or, in
    /// code and data, if it names none in addition.
    pub strings: Option<Vec<String>>,
    /// The dialect of its prompts, if set.
    pub dialect: Option<Dialect>,
    /// The key `engines`, or the only one of `engine`; see
    /// [`Settings::engines`](promptls_analysis::Settings::engines).
    pub engines: Vec<EngineRef>,
    /// The key `agent`: a name for error messages of an engine.
    pub agent: Option<String>,
    /// The inputs files that its prompts share, relative to [`Rule::folder`].
    pub inputs: Vec<InputsGlob>,
    /// The variables file that its prompts share, relative to [`Rule::folder`].
    pub variables: Option<VariablesPath>,
    /// The key `runtime`: names that the application supplies at run time.
    pub runtime: Arc<BTreeSet<String>>,
    /// The key `literal`: names in braces that are literal text.
    pub literal: Arc<BTreeSet<String>>,
    /// The key `max_tokens`, above 0; `None` for no limit.
    pub max_tokens: Option<usize>,
    /// The key `max_output_tokens`, above 0; `None` for the default of 32,000.
    pub max_output_tokens: Option<usize>,
    /// The key `task`, from 0; `None` if the order is unknown.
    pub task: Option<usize>,
    /// The key `encoding`, or the default encoding of tokens.
    pub encoding: TokenEncoding,
    /// Severities that take precedence over those of the config.
    pub(super) severities: SeverityOverrides,
}

impl Rule {
    /// A rule without any settings, at a position of a config. `folder` is the one that its globs
    /// are relative to.
    pub(super) fn empty(
        config: Arc<Path>,
        folder: Arc<Path>,
        position: usize,
        range: Range<usize>,
    ) -> Rule {
        Rule {
            config,
            folder,
            position,
            range,
            names_hidden: false,
            files: RuleGlobs::default(),
            endings: Vec::new(),
            prompt_folders: None,
            strings: None,
            dialect: None,
            engines: Vec::new(),
            agent: None,
            inputs: Vec::new(),
            variables: None,
            runtime: Arc::default(),
            literal: Arc::default(),
            max_tokens: None,
            max_output_tokens: None,
            task: None,
            encoding: TokenEncoding::default(),
            severities: SeverityOverrides::default(),
        }
    }

    /// Sets the files that are its prompts. For invalid globs, returns sentences with the reason.
    pub(super) fn set_files(&mut self, patterns: Vec<String>) -> Vec<String> {
        self.prompt_folders = folders_of(&patterns);
        let is_hidden = |part: &str| part.len() > 1 && part.starts_with('.') && part != "..";
        self.names_hidden = patterns.iter().any(|pattern| pattern.split('/').any(is_hidden));
        self.endings = patterns.iter().map(|pattern| ending_of(pattern)).collect();
        let (files, errors) = RuleGlobs::new(patterns);
        self.files = files;
        errors
    }

    /// The folder that its globs and files are relative to.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// `true` if a file is one of its prompts. A virtual document is matched by its
    /// [place](crate::place_of).
    pub fn matches(&self, path: &Path) -> bool {
        let relative = relative(self.folder(), path);
        relative.is_some_and(|relative| self.files.matches(&relative))
    }

    /// `true` if its prompts are strings in its files.
    pub(crate) fn selects_strings(&self) -> bool {
        self.strings.as_ref().is_some_and(|strings| !strings.is_empty())
    }

    /// `true` if it names strings in a file, one of its own, whose strings are not read: a kind of
    /// code or data with strings, or one whose extension is in a glob.
    pub(crate) fn names_unread_strings(&self, path: &Path) -> bool {
        let has_ending = || {
            let ending = extension(path);
            self.endings.iter().flatten().any(|named| Some(&**named) == ending)
        };
        self.selects_strings()
            && host_language(path).is_none()
            && !is_prompt_name(path)
            && (has_strings(path) || has_ending())
    }

    /// `true` if it can apply to a file that its globs match, or reports it.
    pub(super) fn may_read(&self, path: &Path) -> bool {
        !self.selects_strings() || host_language(path).is_some() || self.names_unread_strings(path)
    }

    /// The warning that the rule applies to no file.
    pub(super) fn unused(&self) -> Problem {
        let location = Location { file: FileId::PROMPT, range: self.range.clone() };
        let message = match self.selects_strings() {
            true => "this rule matches no file of code or data; fix its globs, or delete it",
            false => "this rule matches no file; fix its globs, or delete it",
        };
        Problem::new(Code::UnusedRule, location, message)
    }

    /// The warning that the rule matches only symbolic links.
    pub(super) fn only_links(&self) -> Problem {
        let location = Location { file: FileId::PROMPT, range: self.range.clone() };
        let message = "this rule matches only symbolic links, which are not followed; match the \
            files to which they lead, or delete it";
        Problem::new(Code::UnusedRule, location, message)
    }

    /// `true` if it makes prompts of a dialect, but names no strings that are prompts in code.
    pub(super) fn needs_strings(&self) -> bool {
        self.strings.is_none() && self.dialect.is_some()
    }

    /// The error that it is for code in which no prompt is found.
    pub(super) fn without_strings(&self) -> Problem {
        let location = Location { file: FileId::PROMPT, range: self.range.clone() };
        let message = "no prompt is found in this code; write which strings are prompts, such as \
            `strings = [\"*_PROMPT\"]`";
        Problem::new(Code::InvalidConfig, location, message)
    }

    /// The warning that a glob of its inputs matches no file.
    pub(super) fn unused_inputs(&self, glob: &InputsGlob) -> Problem {
        let location = Location { file: FileId::PROMPT, range: self.range.clone() };
        let message = format!(
            "`inputs` of this rule matches no file with `{}`; fix the glob, or delete it",
            glob.written()
        );
        Problem::new(Code::UnusedRule, location, message)
    }

    /// `true` if a file could be one of its prompts, given its path without extension.
    pub fn may_match(&self, stem: &Path) -> bool {
        let with = |ending: &Option<String>| {
            let mut path = stem.as_os_str().to_owned();
            path.push(".");
            path.push(ending.as_deref().unwrap_or("txt"));
            self.matches(Path::new(&path))
        };
        self.endings.iter().any(with)
    }

    /// `true` if its prompts share any files.
    pub fn has_shared_files(&self) -> bool {
        !self.inputs.is_empty() || self.variables.is_some()
    }

    /// `true` if its prompts share the file.
    pub fn shares(&self, path: &Path) -> bool {
        let is_input = |glob: &InputsGlob| glob.matches(self.folder(), path);
        self.inputs.iter().any(is_input) || self.is_variables(path)
    }

    /// `true` if one of its prompts shares a file with others.
    pub fn shares_with(&self, prompt: &Path, path: &Path) -> bool {
        let is_input = |glob: &InputsGlob| glob.matches_for(prompt, self.folder(), path);
        self.inputs.iter().any(is_input)
            || self.variables_of(prompt).is_some_and(|variables| variables == path)
    }

    /// The variables file of one of its prompts.
    pub fn variables_of(&self, prompt: &Path) -> Option<PathBuf> {
        let variables = self.variables.as_ref()?;
        Some(variables.for_prompt(prompt, self.folder()))
    }

    fn is_variables(&self, path: &Path) -> bool {
        self.variables.as_ref().is_some_and(|variables| variables.matches(self.folder(), path))
    }

    /// The path for the first variables of one of its prompts; `None` if the rule names no such
    /// path per prompt.
    pub fn new_variables(&self, prompt: &Path) -> Option<PathBuf> {
        self.variables_of(prompt)
            .filter(|_| self.variables.as_ref().is_some_and(VariablesPath::has_stem))
    }

    /// The path for a new case of one of its prompts; `None` if the rule names no such path.
    pub fn new_case(&self, prompt: &Path, case: &str) -> Option<PathBuf> {
        self.inputs.iter().find_map(|glob| glob.new_case(prompt, self.folder(), case))
    }
}

/// The folders of the files that globs match; `None` unless all of them are folders with literal
/// names.
fn folders_of(globs: &[String]) -> Option<Vec<String>> {
    let added = globs.iter().filter(|glob| !glob.starts_with('!'));
    let folder = |glob: &String| {
        // A glob without a slash matches in any folder.
        let (folder, _) = glob.rsplit_once('/')?;
        let is_plain = !folder.contains(['*', '?', '[', '{', '\\']);
        is_plain.then(|| folder.trim_start_matches('/').to_owned())
    };
    added.map(folder).collect()
}

/// The extension of the files that a glob matches, without the dot; `None` if it names none.
fn ending_of(pattern: &str) -> Option<String> {
    let name = pattern.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let is_plain = |ending: &&str| ending.chars().all(char::is_alphanumeric);
    ending.filter(is_plain).map(str::to_owned)
}
