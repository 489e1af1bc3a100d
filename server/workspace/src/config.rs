//! `promptls.toml`: which files are prompts, what they share, and the severity of problems.
//!
//! A config inherits from its parents (`configs.rs` finds them): its own rules come first, and its
//! own single settings take precedence. A rule records its config file, because its globs are
//! relative to that file. `reading.rs` reads the text, and `keys.rs` documents its keys.

mod by_name;
pub mod checked_glob;
pub mod compiled_globs;
pub mod complete;
pub mod edit;
pub mod engines;
mod ignore;
pub mod inputs_glob;
mod keys;
pub mod name;
pub mod named_files;
pub mod named_strings;
pub mod project_engines;
pub mod reading;
mod rule;
pub mod rule_globs;
pub mod schema;
pub mod stem;
mod stores;
mod string_entry;
pub mod variables_path;
pub mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use promptls_analysis::{Settings, SeverityOverrides};
use promptls_resolver::Problem;

use super::files::address::relative;
use super::files::globs::start_of_glob;
use super::files::paths::is_prompt_name;
use super::hosts::is_code::{host_language, is_code};
use inputs_glob::InputsGlob;
use named_strings::NamedStrings;
use rule_globs::GlobIndex;

pub use self::ignore::{Ignores, UsedIgnores};
pub use name::CONFIG_NAME;
pub use rule::Rule;
pub use stores::{StoreConfig, StoreKind};

/// A `promptls.toml`, including what it inherits from its parents.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The path of the file.
    pub path: PathBuf,
    folder: PathBuf,
    /// `true` if parent configs do not apply.
    pub is_root: bool,
    /// The folder of templates for new prompts.
    pub templates: Option<PathBuf>,
    /// Its own rules; see [`Config::rules`].
    pub own_rules: Vec<Rule>,
    /// The tables `[stores.NAME]`, by that name.
    pub stores: BTreeMap<String, StoreConfig>,
    /// Overrides of default severities; those of a rule take precedence.
    pub severities: SeverityOverrides,
    /// Ignores of this config and of its parents.
    pub ignores: Ignores,
    /// Problems of this file. The valid rest of it applies.
    pub problems: Vec<Problem>,
    /// The nearest parent config, if it applies.
    outer: Option<Arc<Config>>,
    /// An index of which own rules may match a file.
    index: OnceLock<Arc<GlobIndex>>,
    /// The settings for the prompts of a rule, by the config and the position of the rule; `None`
    /// is the key for prompts without a rule. See [`Config::settings`].
    settings: DashMap<Option<(Arc<Path>, usize)>, Arc<Settings>>,
    /// The strings that rules name together, by these rules: the number of configs between, and the
    /// position in the config. See [`Config::strings_for`].
    strings: DashMap<Vec<(usize, usize)>, Option<Arc<NamedStrings>>>,
}

/// The maximum number of combinations of rules whose strings are kept. Few configs have more than
/// ten.
const MAX_COMBINATIONS: usize = 256;

impl Config {
    fn empty(folder: &Path, path: &Path) -> Config {
        Config { path: path.to_owned(), folder: folder.to_owned(), ..Config::default() }
    }

    /// This earlier valid config, with the problems of its current text.
    pub(crate) fn with_problems(&self, problems: Vec<Problem>) -> Config {
        Config { problems, ..self.clone() }
    }

    /// Drops shared files where `is_bad` holds for the folder in which their search starts.
    pub(crate) fn forget_shared(&mut self, is_bad: impl Fn(&Path) -> bool) {
        for rule in &mut self.own_rules {
            let folder = rule.folder().to_owned();
            let is_fine = |written: &str| !is_bad(&start_of_glob(&folder, written).0);
            rule.inputs.retain(|glob| is_fine(glob.written()));
            rule.variables = rule.variables.take().filter(|path| is_fine(path.written()));
        }
    }

    /// This config with a parent. Rules of the parent come after its own, and settings of the
    /// parent apply where it has none.
    pub fn within(mut self, outer: Arc<Config>) -> Config {
        self.severities.take_over(&outer.severities);
        self.ignores.add(&outer.ignores);
        self.templates = self.templates.or_else(|| outer.templates.clone());
        for (name, store) in &outer.stores {
            self.stores.entry(name.clone()).or_insert_with(|| store.clone());
        }
        self.outer = Some(outer);
        self
    }

    /// The folder that its globs and files are relative to: the folder of the file, unless the
    /// config was named for one call.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// This config and its parents that apply, the nearest first.
    pub fn and_outer(&self) -> impl Iterator<Item = &Config> {
        std::iter::successors(Some(self), |config| config.outer.as_deref())
    }

    /// Warnings for its own rules that match none of the given files, or only links, which walks do
    /// not follow, and errors for those that should make prompts of code in which none is found.
    /// `prompts` are tried first, then, if some rules are left, all files.
    ///
    /// Cost: finding the rules of each file.
    pub fn unused_rules(
        &self,
        prompts: &[PathBuf],
        all_files: impl FnOnce() -> Vec<PathBuf>,
        is_link: impl Fn(&Path) -> bool,
    ) -> Vec<Problem> {
        // Walks skip hidden files.
        let rules = self.own_rules.iter().filter(|rule| !rule.names_hidden);
        let mut unused: BTreeMap<usize, &Rule> = rules.map(|rule| (rule.position, rule)).collect();
        let (mut of_code, mut of_links) = (BTreeSet::new(), BTreeSet::new());
        let mut look = |files: &[PathBuf], are_prompts: bool| {
            for file in files {
                if unused.is_empty() {
                    return true;
                }
                for rule in self.own_rules_for(file).filter(|rule| rule.may_read(file)) {
                    if !are_prompts && rule.needs_strings() && is_code(file) {
                        of_code.insert(rule.position);
                    } else if !are_prompts && unused.contains_key(&rule.position) && is_link(file) {
                        of_links.insert(rule.position);
                    } else {
                        unused.remove(&rule.position);
                    }
                }
            }
            unused.is_empty()
        };
        if look(prompts, true) || look(&all_files(), false) {
            return Vec::new();
        }
        let problems = unused.into_values().map(|rule| {
            let is_in = |rules: &BTreeSet<usize>| rules.contains(&rule.position);
            match (is_in(&of_code), is_in(&of_links)) {
                (true, _) => rule.without_strings(),
                (false, true) => rule.only_links(),
                (false, false) => rule.unused(),
            }
        });
        problems.filter_map(|problem| self.severities.apply(problem)).collect()
    }

    /// Reports globs of `inputs` that match no file, in rules of this file that some prompts have.
    /// `is_used` is whether a glob of a rule matches a file.
    pub fn unused_inputs(
        &self,
        prompts: &[PathBuf],
        is_used: impl Fn(&Rule, &InputsGlob) -> bool,
    ) -> Vec<Problem> {
        let globs =
            self.own_rules.iter().flat_map(|rule| rule.inputs.iter().map(move |glob| (rule, glob)));
        let unused: Vec<(&Rule, &InputsGlob)> =
            globs.filter(|(rule, glob)| glob.is_of_all() && !is_used(rule, glob)).collect();
        if unused.is_empty() {
            return Vec::new();
        }
        // Rules of other configs have positions of their own.
        let rules = prompts.iter().filter_map(|path| self.rule_for(path));
        let own = rules.filter(|rule| *rule.config == *self.path);
        let with_prompts: BTreeSet<usize> = own.map(|rule| rule.position).collect();
        let unused = unused.into_iter().filter(|(rule, _)| with_prompts.contains(&rule.position));
        let problems = unused.map(|(rule, glob)| rule.unused_inputs(glob));
        problems.filter_map(|problem| self.severities.apply(problem)).collect()
    }

    /// All rules that apply: its own, then those of its parents.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.and_outer().flat_map(|config| &config.own_rules)
    }

    /// The first rule that applies to a file.
    ///
    /// A rule with `strings` is about files with strings. It is passed over for others, unless no
    /// rule is left for a file that is no prompt by its name.
    pub fn rule_for(&self, path: &Path) -> Option<&Rule> {
        let mut rules = self.rules_for(path);
        let first = rules.next()?;
        if !first.selects_strings() || host_language(path).is_some() {
            return Some(first);
        }
        let whole = rules.find(|rule| !rule.selects_strings());
        whole.or_else(|| (!is_prompt_name(path)).then_some(first))
    }

    /// All rules that match a file, in order.
    ///
    /// Cost: the globs that may match it.
    pub fn rules_for(&self, path: &Path) -> impl Iterator<Item = &Rule> {
        self.and_outer().flat_map(move |config| config.own_rules_for(path))
    }

    /// The strings that the rules for a file name, in order of precedence; `None` if a rule names
    /// that there are none.
    ///
    /// Cost: the globs that may match the file; once for each combination of rules, also their
    /// strings.
    pub fn strings_for(&self, path: &Path) -> Option<Arc<NamedStrings>> {
        let configs = self.and_outer().enumerate();
        let rules: Vec<(usize, &Rule)> = configs
            .flat_map(|(depth, config)| config.own_rules_for(path).map(move |rule| (depth, rule)))
            .filter(|(_, rule)| rule.strings.is_some())
            .collect();
        let key: Vec<(usize, usize)> =
            rules.iter().map(|(depth, rule)| (*depth, rule.position)).collect();
        if let Some(known) = self.strings.get(&key) {
            return known.clone();
        }
        let strings = rules
            .iter()
            .filter_map(|(_, rule)| Some((rule.strings.as_ref()?.as_slice(), rule.dialect)));
        let strings = NamedStrings::new(strings).map(Arc::new);
        if self.strings.len() < MAX_COMBINATIONS {
            self.strings.insert(key, strings.clone());
        }
        strings
    }

    fn own_rules_for(&self, path: &Path) -> impl Iterator<Item = &Rule> + use<'_> {
        let globs = || self.own_rules.iter().map(|rule| &rule.files);
        let index = self.index.get_or_init(|| Arc::new(GlobIndex::new(globs())));
        let relative = relative(&self.folder, path).into_iter();
        let rules = relative.flat_map(|path| index.rules_for(path, |at| &self.own_rules[at].files));
        rules.map(|at| &self.own_rules[at])
    }

    /// The config that contains a rule, with its own parents.
    pub fn of_rule(&self, rule: &Rule) -> &Config {
        self.and_outer().find(|config| *config.path == *rule.config).unwrap_or(self)
    }

    /// The config file in which settings of a prompt are added: that of its rule, or this one if it
    /// has no rule.
    pub fn path_for(&self, prompt: &Path) -> &Path {
        self.rule_for(prompt).map_or(&self.path, |rule| &rule.config)
    }

    /// `true` if the prompts of some rule share the file.
    pub fn shares(&self, path: &Path) -> bool {
        self.rules().any(|rule| rule.shares(path))
    }

    /// The folder that contains all prompts which share a file: the outermost folder of the rules
    /// that name it.
    pub fn shared_below(&self, path: &Path) -> Option<&Path> {
        // The rules of parent configs come last.
        Some(self.rules().filter(|rule| rule.shares(path)).last()?.folder())
    }

    /// The severities of problems for the prompts of a rule, or for those without one.
    pub fn severities_of(&self, rule: Option<&Rule>) -> SeverityOverrides {
        let mut severities = rule.map(|rule| rule.severities.clone()).unwrap_or_default();
        severities.take_over(&self.severities);
        severities
    }

    /// The settings for the prompts of a rule, or for those without one.
    pub fn settings(&self, rule: Option<&Rule>) -> Arc<Settings> {
        // A rule of a parent has different settings here than in the parent.
        let key = rule.map(|rule| (rule.config.clone(), rule.position));
        if let Some(made) = self.settings.get(&key) {
            return made.clone();
        }
        let made = Settings {
            presets: Arc::default(),
            unknown_engine: None,
            runtime: rule.map(|rule| rule.runtime.clone()).unwrap_or_default(),
            literal: rule.map(|rule| rule.literal.clone()).unwrap_or_default(),
            severities: self.severities_of(rule),
            max_tokens: rule.and_then(|rule| rule.max_tokens),
            max_output_tokens: rule.and_then(|rule| rule.max_output_tokens),
            task: rule.and_then(|rule| rule.task),
            encoding: rule.map(|rule| rule.encoding).unwrap_or_default(),
            engines: rule.map(|rule| rule.engines.clone()).unwrap_or_default(),
            agent: rule.and_then(|rule| rule.agent.clone()),
        };
        let made = Arc::new(made);
        self.settings.insert(key, made.clone());
        made
    }
}
