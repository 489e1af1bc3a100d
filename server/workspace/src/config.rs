//! `promptls.toml`: which files are prompts, what they share, and the severity of problems.
//!
//! A config inherits from its parents (`configs.rs` finds them): its own rules come first, and its
//! own single settings take precedence. A rule records its config file, because its globs are
//! relative to that file.

mod by_name;
pub mod checked_glob;
pub mod compiled_globs;
pub mod complete;
pub mod edit;
pub mod engines;
mod ignore;
pub mod inputs_glob;
pub mod name;
pub mod project_engines;
pub mod rule_globs;
pub mod schema;
pub mod stem;
mod stores;
mod string_entry;
pub mod variables_path;
pub mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use promptls_analysis::{Settings, SeverityOverrides, TokenEncoding, did_you_mean};
use promptls_resolver::{Code, EngineRef, FileId, Location, Problem, Severity};
use promptls_syntax::Dialect;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use self::string_entry::why_unusable;
use super::files::address::relative;
use super::files::globs::start_of_glob;
use super::files::paths::absolute;
use super::read_error::ReadError;
use checked_glob::check_length;
use inputs_glob::InputsGlob;
use rule_globs::{GlobIndex, RuleGlobs};
use variables_path::VariablesPath;

pub use self::ignore::{IGNORE_KEYS, Ignores, UsedIgnores};
pub use name::CONFIG_NAME;
pub use stores::{STORE_KEYS, STORE_KINDS, StoreConfig, StoreKind};

/// A key of the config, as completion and hover present it.
pub struct ConfigKey {
    /// The name of the key.
    pub name: &'static str,
    /// A template of its value: `[""]`. Empty for tables.
    pub value: &'static str,
    /// Its documentation in Markdown, which editors show on hover.
    pub about: &'static str,
}

/// The tables of the file, by header.
pub const TABLES: [(&str, ConfigKey); 4] = [
    (
        "[[prompts]]",
        ConfigKey {
            name: "prompts",
            value: "",
            about: "A rule: which files are prompts, their dialect, and what they share. The first rule that matches a file applies.",
        },
    ),
    (
        "[problems]",
        ConfigKey {
            name: "problems",
            value: "",
            about: "Severity of problems: a code, and `error`, `warning`, `info`, `hint` or `off`.",
        },
    ),
    (
        "[[ignore]]",
        ConfigKey {
            name: "ignore",
            value: "",
            about: "Problems that are known and accepted: they are not reported. An entry that matches no problem is reported itself.",
        },
    ),
    (
        "[stores.name]",
        ConfigKey {
            name: "stores",
            value: "",
            about: "A store of prompts, for `promptls store`: a folder, or Langfuse, with a name of your choice.",
        },
    ),
];

/// The keys above all tables.
pub const TOP_KEYS: [ConfigKey; 2] = [
    ConfigKey {
        name: "root",
        value: "true",
        about: "Whether this is the outermost config. Otherwise, configs in parent folders also apply.",
    },
    ConfigKey {
        name: "templates",
        value: "\"\"",
        about: "The folder of your own templates for `promptls new`, relative to this file: one TOML file for each.",
    },
];

/// The keys of a `[[prompts]]` rule.
pub const RULE_KEYS: [ConfigKey; 15] = [
    ConfigKey {
        name: "files",
        value: "[\"\"]",
        about: "Which files are prompts of this rule: globs as in `.gitignore`, relative to this file.",
    },
    ConfigKey {
        name: "strings",
        value: "[\"\"]",
        about: "Which strings in its files are prompts, in addition to those that are recognised: key paths in YAML, JSON and TOML (`agents.*.prompt`); in code, names of constants (`*_PROMPT`) and arguments, by name or position (`make_agent(instruction)`, `.system(0)`). With an empty list, none are. Without this key, each file is one prompt.",
    },
    ConfigKey { name: "dialect", value: "\"\"", about: "The dialect of its prompts." },
    ConfigKey {
        name: "engine",
        value: "\"\"",
        about: "The engine that sends its prompts, optionally with a version: `adk-python@2.13`. Without one, they are resolved as documented for their dialect. `promptls engines` lists the engines.",
    },
    ConfigKey {
        name: "engines",
        value: "[\"\"]",
        about: "Several engines that send its prompts, instead of `engine`: the first is shown, and differences between them are reported.",
    },
    ConfigKey {
        name: "agent",
        value: "\"\"",
        about: "The name of the agent that has its prompts, for engine errors that contain it.",
    },
    ConfigKey {
        name: "inputs",
        value: "[\"\"]",
        about: "Inputs files that all its prompts share: globs, relative to this file. Each file is a case, named after its stem. `{stem}` in a glob is the name of a prompt up to its first dot: `{stem}*.inputs.json` is shared only by `x.description.prompt` and `x.expected_output.prompt`. `{prompt}` after it is the name of a prompt in a file with several: `{stem}.{prompt}*.inputs.json`.",
    },
    ConfigKey {
        name: "variables",
        value: "\"\"",
        about: "The variables file that all its prompts share, relative to this file. `{stem}` is the name of a prompt up to its first dot, as in `inputs`; such a file is optional.",
    },
    ConfigKey {
        name: "runtime",
        value: "[\"\"]",
        about: "Names that the application supplies at run time: never undefined, and shown as placeholders in previews.",
    },
    ConfigKey {
        name: "literal",
        value: "[\"\"]",
        about: "Names that stay in braces on purpose: they are not reported.",
    },
    ConfigKey {
        name: "max_tokens",
        value: "8000",
        about: "The maximum number of tokens of the resolved text in any case; more are reported as `too-many-tokens`.",
    },
    ConfigKey {
        name: "max_output_tokens",
        value: "32000",
        about: "entAIngine: the maximum number of tokens of all outputs of a task, or of a whole document; 32000 by default. More are reported as `too-many-tokens`.",
    },
    ConfigKey {
        name: "task",
        value: "0",
        about: "entAIngine: the position of its prompts in the process, from 0; outputs of this task and of later ones do not exist yet.",
    },
    ConfigKey {
        name: "encoding",
        value: "\"\"",
        about: "The encoding that tokens are counted with: `o200k_base` (the default) or `cl100k_base`.",
    },
    ConfigKey {
        name: "problems",
        value: "{}",
        about: "Severity of problems of its prompts, as in `[problems]`, which it overrides. Also written as a separate table, `[prompts.problems]`.",
    },
];

/// The word that disables a problem; other severities have their [`Severity::id`].
pub const OFF: &str = "off";

/// The maximum number of rules in a file.
pub const MAX_RULES: usize = 20_000;

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
}

/// A `[[prompts]]` table: a set of files, and the settings for their prompts.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The config that contains the rule.
    pub config: Arc<Path>,
    /// The folder that its globs are relative to; see [`Config::folder`].
    folder: Arc<Path>,
    /// The index of the rule in its file, from 0; unusable rules count.
    pub position: usize,
    /// The range of its globs.
    pub range: Range<usize>,
    /// `true` if it names files that a walk skips because they are hidden.
    names_hidden: bool,
    files: RuleGlobs,
    /// The file extensions that its globs name.
    endings: Vec<String>,
    /// The folders of its prompts, relative to [`Rule::folder`]; `None` for any.
    prompt_folders: Option<Vec<String>>,
    /// The strings in its files that are prompts; `None` if the files themselves are prompts.
    pub strings: Option<Vec<String>>,
    /// The dialect of its prompts, if set.
    pub dialect: Option<Dialect>,
    /// The key `engines`, or the only one of `engine`; see [`Settings::engines`].
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
    severities: SeverityOverrides,
}

impl Rule {
    /// The folder that its globs and files are relative to.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// `true` if a file is one of its prompts. A virtual document is matched by its
    /// [place](place_of).
    pub fn matches(&self, path: &Path) -> bool {
        let relative = relative(self.folder(), path);
        relative.is_some_and(|relative| self.files.matches(&relative))
    }

    /// The warning that the rule matches no file.
    fn unused(&self) -> Problem {
        let location = Location { file: FileId::PROMPT, range: self.range.clone() };
        let message = "this rule matches no file; fix its globs, or delete it";
        Problem::new(Code::UnusedRule, location, message)
    }

    /// `true` if a file could be one of its prompts, given its path without extension.
    pub fn may_match(&self, stem: &Path) -> bool {
        let with = |ending: &String| {
            let mut path = stem.as_os_str().to_owned();
            path.push(ending);
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

impl Config {
    /// Parses a config. Invalid parts are left out and reported as problems.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use promptls_workspace::Config;
    ///
    /// let text = "[[prompts]]\nfiles = [\"prompts/*.txt\"]\ndialect = \"adk\"\n";
    /// let config = Config::parse(Path::new("/work/promptls.toml"), text);
    /// let rule = config.rule_for(Path::new("/work/prompts/a.txt")).unwrap();
    /// assert_eq!(rule.dialect.unwrap().spec().id, "adk");
    /// ```
    pub fn parse(path: &Path, text: &str) -> Config {
        Config::parse_for(path.parent().unwrap_or(Path::new("")), path, text)
    }

    /// Like [`Config::parse`], for a file that acts as the config of another folder.
    pub fn parse_for(folder: &Path, path: &Path, text: &str) -> Config {
        let mut reader = ConfigReader::new(folder, path);
        let (document, errors) = DeTable::parse_recoverable(text);
        match errors.is_empty() {
            true => reader.document(document.get_ref()),
            false => reader.config.problems = problems_of(&errors),
        }
        reader.config
    }

    /// A config that cannot be read.
    pub fn unread(path: &Path, error: &ReadError) -> Config {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut reader = ConfigReader::new(folder, path);
        reader.problem(0..0, format!("`{CONFIG_NAME}` {}", error.reason()));
        reader.config
    }

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

    /// Warnings for its own rules that match none of the given files. `prompts` are tried first,
    /// then, if some rules are left, all files.
    ///
    /// Cost: finding the rules of each file.
    pub fn unused_rules(
        &self,
        prompts: &[PathBuf],
        all_files: impl FnOnce() -> Vec<PathBuf>,
    ) -> Vec<Problem> {
        // Walks skip hidden files.
        let rules = self.own_rules.iter().filter(|rule| !rule.names_hidden);
        let mut unused: BTreeMap<usize, &Rule> = rules.map(|rule| (rule.position, rule)).collect();
        let mut look = |files: &[PathBuf]| {
            for file in files {
                if unused.is_empty() {
                    return true;
                }
                for rule in self.own_rules_for(file) {
                    unused.remove(&rule.position);
                }
            }
            unused.is_empty()
        };
        if look(prompts) || look(&all_files()) {
            return Vec::new();
        }
        let problems = unused.into_values().map(Rule::unused);
        problems.filter_map(|problem| self.severities.apply(problem)).collect()
    }

    /// All rules that apply: its own, then those of its parents.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.and_outer().flat_map(|config| &config.own_rules)
    }

    /// The first rule that makes a file a prompt.
    pub fn rule_for(&self, path: &Path) -> Option<&Rule> {
        self.rules_for(path).next()
    }

    /// All rules that match a file, in order.
    ///
    /// Cost: the globs that may match it.
    pub fn rules_for(&self, path: &Path) -> impl Iterator<Item = &Rule> {
        self.and_outer().flat_map(move |config| config.own_rules_for(path))
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

/// The files that the text of a config names, with their ranges; globs are left out.
pub fn named_files(text: &str) -> Vec<(Range<usize>, String)> {
    let is_one = |(_, name): &(_, String)| !name.contains(['*', '?', '[', '{']);
    files_and_globs(text).into_iter().filter(is_one).collect()
}

/// The files and globs that the text of a config names, with their ranges.
pub(crate) fn files_and_globs(text: &str) -> Vec<(Range<usize>, String)> {
    let (document, _) = DeTable::parse_recoverable(text);
    let Some(rules) =
        document.get_ref().get("prompts").and_then(|rules| rules.get_ref().as_array())
    else {
        return Vec::new();
    };
    let mut named = Vec::new();
    for rule in rules.iter().filter_map(|rule| rule.get_ref().as_table()) {
        let inputs = rule.get("inputs").and_then(|inputs| inputs.get_ref().as_array());
        for value in
            inputs.into_iter().flat_map(|inputs| inputs.iter()).chain(rule.get("variables"))
        {
            let DeValue::String(name) = value.get_ref() else { continue };
            if let Some(range) = between_quotes(text, value.span()) {
                named.push((range, name.to_string()));
            }
        }
    }
    named
}

/// The syntax errors of a TOML text; empty if it is valid.
///
/// Cost: the text.
pub(crate) fn toml_errors(text: &str) -> Vec<Problem> {
    problems_of(&DeTable::parse_recoverable(text).1)
}

fn problems_of(errors: &[toml::de::Error]) -> Vec<Problem> {
    let problem = |error: &toml::de::Error| {
        let location = Location { file: FileId::PROMPT, range: error.span().unwrap_or(0..0) };
        let message = format!("not valid TOML: {}", error.message());
        Problem::new(Code::InvalidConfig, location, message)
    };
    errors.iter().map(problem).collect()
}

/// The range of a string without its quotes; `None` if quotes are missing, as during typing.
fn between_quotes(text: &str, string: Range<usize>) -> Option<Range<usize>> {
    const QUOTES: [&str; 4] = ["\"\"\"", "'''", "\"", "'"];
    let written = text.get(string.clone())?;
    let is_in = |quote: &&str| {
        written.strip_prefix(*quote).is_some_and(|rest| rest.strip_suffix(*quote).is_some())
    };
    let quote = QUOTES.into_iter().find(is_in)?.len();
    Some(string.start + quote..string.end - quote)
}

struct ConfigReader {
    config: Config,
    /// The path and the folder of the config, shared by all its rules.
    path: Arc<Path>,
    folder: Arc<Path>,
}

type TomlKey<'i> = Spanned<std::borrow::Cow<'i, str>>;

impl ConfigReader {
    fn new(folder: &Path, path: &Path) -> ConfigReader {
        ConfigReader {
            config: Config::empty(folder, path),
            path: path.into(),
            folder: folder.into(),
        }
    }

    fn problem(&mut self, range: Range<usize>, message: impl Into<String>) {
        // The config is the only file in this context.
        let location = Location { file: FileId::PROMPT, range };
        self.config.problems.push(Problem::new(Code::InvalidConfig, location, message));
    }

    fn unknown_key(&mut self, key: &TomlKey<'_>, known: impl Iterator<Item = &'static str>) {
        let known: Vec<&str> = known.collect();
        let name = key.get_ref();
        let hint = did_you_mean(name, known.iter().copied());
        self.problem(
            key.span(),
            format!("unknown key `{name}`; known: {}{hint}", known.join(", ")),
        );
    }

    fn document(&mut self, document: &DeTable<'_>) {
        for (key, value) in document {
            match &**key.get_ref() {
                "prompts" => match value.get_ref() {
                    DeValue::Array(rules) => {
                        if let Some(rule) = rules.get(MAX_RULES) {
                            let message = format!(
                                "a file has at most {MAX_RULES} rules; the rules from here on are ignored"
                            );
                            self.problem(rule.span(), message);
                        }
                        for (position, rule) in rules.iter().take(MAX_RULES).enumerate() {
                            match rule.get_ref() {
                                DeValue::Table(table) => self.rule(position, table, rule.span()),
                                _ => self.problem(rule.span(), "a rule is a table: `[[prompts]]`"),
                            }
                        }
                    }
                    _ => self
                        .problem(key.span(), "rules are written `[[prompts]]`, with two brackets"),
                },
                "problems" => match value.get_ref() {
                    DeValue::Table(table) => self.config.severities = self.severities(table),
                    _ => {
                        self.problem(key.span(), "`[problems]` is a table of codes and severities");
                    }
                },
                "ignore" => self.ignores(key, value),
                "stores" => self.stores(key, value),
                "root" => self.config.is_root = self.boolean(key, value),
                "templates" => {
                    let folder = self.string(key, value);
                    let base = self.config.folder();
                    self.config.templates = folder.map(|folder| absolute(base, Path::new(&folder)));
                }
                _ => {
                    let tables = TABLES.iter().map(|(_, table)| table.name);
                    self.unknown_key(key, tables.chain(TOP_KEYS.iter().map(|key| key.name)));
                }
            }
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each key of a rule")]
    fn rule(&mut self, position: usize, table: &DeTable<'_>, span: Range<usize>) {
        let mut patterns = None;
        let mut rule = Rule {
            config: self.path.clone(),
            folder: self.folder.clone(),
            position,
            range: span.clone(),
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
        };
        for (key, value) in table {
            match &**key.get_ref() {
                "files" => {
                    rule.range = value.span();
                    patterns = Some(self.strings(key, value));
                }
                "strings" => rule.strings = Some(self.strings(key, value)),
                "dialect" => {
                    rule.dialect =
                        self.string(key, value).and_then(|id| self.dialect(&id, value.span()));
                }
                // Engines are read after the dialect is known.
                "engine" | "engines" => {}
                "agent" => rule.agent = self.string(key, value),
                "inputs" => {
                    for glob in self.strings(key, value) {
                        match InputsGlob::new(glob) {
                            Ok(glob) => rule.inputs.push(glob),
                            Err(reason) => self.problem(value.span(), reason),
                        }
                    }
                }
                "variables" => {
                    let path = self.string(key, value);
                    match path.as_deref().map_or(Ok(()), check_length) {
                        Ok(()) => rule.variables = path.map(VariablesPath::new),
                        Err(reason) => self.problem(value.span(), reason),
                    }
                }
                "runtime" => rule.runtime = self.names(key, value),
                "literal" => rule.literal = self.names(key, value),
                "max_tokens" => rule.max_tokens = self.positive(key, value),
                "max_output_tokens" => rule.max_output_tokens = self.positive(key, value),
                "task" => rule.task = self.number(key, value),
                "encoding" => {
                    rule.encoding = self
                        .string(key, value)
                        .and_then(|id| self.encoding(&id, value.span()))
                        .unwrap_or_default();
                }
                "problems" => match value.get_ref() {
                    DeValue::Table(table) => rule.severities = self.severities(table),
                    _ => {
                        self.problem(value.span(), "`problems` is a table of codes and severities");
                    }
                },
                _ => self.unknown_key(key, RULE_KEYS.iter().map(|key| key.name)),
            }
        }
        self.engines(&mut rule, table);
        if let Some((key, _)) = table.get_key_value("strings")
            && rule.strings.as_ref().is_some_and(|strings| !strings.is_empty())
            && rule.dialect.is_none()
        {
            self.problem(key.span(), "a rule with `strings` needs `dialect` or `engine`");
        }
        if let Some(DeValue::Array(entries)) = table.get("strings").map(Spanned::get_ref) {
            for entry in entries {
                let why = entry.get_ref().as_str().and_then(why_unusable);
                if let Some(why) = why {
                    self.problem(entry.span(), why);
                }
            }
        }
        let Some(patterns) = patterns else {
            self.problem(span, "a rule needs `files`: the globs of its prompts");
            return;
        };
        rule.prompt_folders = folders_of(&patterns);
        let is_hidden = |part: &str| part.len() > 1 && part.starts_with('.') && part != "..";
        rule.names_hidden = patterns.iter().any(|pattern| pattern.split('/').any(is_hidden));
        rule.endings = patterns.iter().map(|pattern| ending_of(pattern)).collect();
        rule.files = self.globs(patterns, span);
        self.config.own_rules.push(rule);
    }

    /// Parses globs with `.gitignore` syntax; invalid ones become problems.
    fn globs(&mut self, patterns: Vec<String>, span: Range<usize>) -> RuleGlobs {
        let (globs, errors) = RuleGlobs::new(patterns);
        for reason in errors {
            self.problem(span.clone(), reason);
        }
        globs
    }

    fn dialect(&mut self, id: &str, span: Range<usize>) -> Option<Dialect> {
        let dialect = Dialect::from_id(id);
        if dialect.is_none() {
            let known = Dialect::ALL.map(|dialect| dialect.spec().id);
            let hint = did_you_mean(id, known);
            self.problem(
                span,
                format!("unknown dialect `{id}`; known: {}{hint}", known.join(", ")),
            );
        }
        dialect
    }

    fn encoding(&mut self, id: &str, span: Range<usize>) -> Option<TokenEncoding> {
        let encoding = TokenEncoding::from_id(id);
        if encoding.is_none() {
            let known = TokenEncoding::ALL.map(TokenEncoding::id);
            let hint = did_you_mean(id, known);
            self.problem(
                span,
                format!("unknown encoding `{id}`; known: {}{hint}", known.join(", ")),
            );
        }
        encoding
    }

    fn severities(&mut self, table: &DeTable<'_>) -> SeverityOverrides {
        let mut severities = SeverityOverrides::default();
        let known: Vec<&str> = Code::ALL.iter().map(|code| code.id()).collect();
        for (key, value) in table {
            let id = key.get_ref();
            let Some(code) = Code::from_id(id) else {
                let hint = did_you_mean(id, known.iter().copied());
                self.problem(key.span(), format!("unknown problem code `{id}`{hint}"));
                continue;
            };
            let severity = match value.get_ref() {
                DeValue::String(text) => severity(text),
                _ => None,
            };
            match severity {
                Some(severity) => severities.set(code, severity),
                None => self.problem(
                    value.span(),
                    "a severity is \"error\", \"warning\", \"info\", \"hint\" or \"off\"",
                ),
            }
        }
        severities
    }

    fn string(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.problem(value.span(), format!("`{}` must be a string", key.get_ref()));
                None
            }
        }
    }

    fn boolean(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> bool {
        let boolean = value.get_ref().as_bool();
        if boolean.is_none() {
            self.problem(value.span(), format!("`{}` must be true or false", key.get_ref()));
        }
        boolean.unwrap_or_default()
    }

    fn positive(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> Option<usize> {
        let number = whole(value).filter(|number| *number > 0);
        if number.is_none() {
            self.problem(value.span(), format!("`{}` must be a positive integer", key.get_ref()));
        }
        number
    }

    fn number(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> Option<usize> {
        let number = whole(value);
        if number.is_none() {
            let message = format!("`{}` must be a non-negative integer", key.get_ref());
            self.problem(value.span(), message);
        }
        number
    }

    fn names(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> Arc<BTreeSet<String>> {
        Arc::new(self.strings(key, value).into_iter().collect())
    }

    fn strings(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> Vec<String> {
        let DeValue::Array(items) = value.get_ref() else {
            self.problem(value.span(), format!("`{}` must be a list of strings", key.get_ref()));
            return Vec::new();
        };
        let mut strings = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::String(text) => strings.push(text.to_string()),
                _ => self
                    .problem(item.span(), format!("`{}` must contain only strings", key.get_ref())),
            }
        }
        strings
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

/// The extension of the files that a glob matches, with its dot; a common one if it has none.
fn ending_of(pattern: &str) -> String {
    let name = pattern.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let is_plain = |ending: &&str| ending.chars().all(char::is_alphanumeric);
    format!(".{}", ending.filter(is_plain).unwrap_or("txt"))
}

/// The severity of a word; `Some(None)` for "off".
fn severity(word: &str) -> Option<Option<Severity>> {
    let all = [Severity::Error, Severity::Warning, Severity::Information, Severity::Hint];
    match word {
        OFF => Some(None),
        _ => all.into_iter().find(|severity| severity.id() == word).map(Some),
    }
}

/// The value as a non-negative integer; `None` for any other value.
fn whole(value: &Spanned<DeValue<'_>>) -> Option<usize> {
    match value.get_ref() {
        DeValue::Integer(number) => usize::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let config = Config::parse(Path::new("/p/promptls.toml"), text);
        let problems: Vec<String> = config
            .problems
            .iter()
            .map(|problem| {
                format!("{:?} {}\n", &text[problem.location.range.clone()], problem.message)
            })
            .collect();
        expected.assert_eq(&format!("{} rules\n{}", config.own_rules.len(), problems.concat()));
    }

    #[test]
    fn a_rule_matches_as_gitignore_does() {
        let config = Config::parse(
            Path::new("/p/promptls.toml"),
            "[[prompts]]\nfiles = ['agents/**/*.txt', '!agents/notes.txt']\ndialect = 'adk'\n",
        );
        let dialect = |path| config.rule_for(Path::new(path)).and_then(|rule| rule.dialect);
        assert_eq!(dialect("/p/agents/a/b.txt"), Some(Dialect::Adk));
        assert_eq!(dialect("/p/agents/notes.txt"), None);
        assert_eq!(dialect("/p/b.txt"), None);
        assert_eq!(dialect("/q/agents/b.txt"), None);
    }

    #[test]
    fn more_rules_than_any_file_has_are_ignored_with_an_error() {
        let rules = "[[prompts]]\nfiles = ['a/*.txt']\n".repeat(MAX_RULES + 1);
        let config = Config::parse(Path::new("/p/promptls.toml"), &rules);
        assert_eq!(config.own_rules.len(), MAX_RULES);
        let messages: Vec<&str> = config.problems.iter().map(|it| &*it.message).collect();
        assert_eq!(
            messages,
            ["a file has at most 20000 rules; the rules from here on are ignored"]
        );
    }

    #[test]
    fn a_rule_may_share_files_outside_of_its_folder() {
        let rule = "[[prompts]]\nfiles = ['*.txt']\ninputs = ['../in/*.json', './own.json']\nvariables = '../v.json'\n";
        let config = Config::parse(Path::new("/p/q/promptls.toml"), rule);
        for (path, is_shared) in [
            ("/p/in/a.json", true),
            ("/p/q/own.json", true),
            ("/p/v.json", true),
            ("/p/q/in/a.json", false),
            ("/p/in/a/b.json", false),
        ] {
            assert_eq!(config.shares(Path::new(path)), is_shared, "{path}");
        }
    }

    #[test]
    fn what_is_unknown_is_named_with_what_was_meant() {
        check(
            "[[prompts]]\nfiles = ['a']\ndialekt = 'adk'\ndialect = 'adq'\n[problems]\nunusd-input = 'off'\nunused-input = 'loud'\n[probs]\n",
            expect![[r#"
                1 rules
                "unusd-input" unknown problem code `unusd-input`; did you mean `unused-input`?
                "'loud'" a severity is "error", "warning", "info", "hint" or "off"
                "probs" unknown key `probs`; known: prompts, problems, ignore, stores, root, templates
                "'adq'" unknown dialect `adq`; known: agentensemble, adk, entaingine, promptpack, agentle, langfuse; did you mean `adk`?
                "dialekt" unknown key `dialekt`; known: files, strings, dialect, engine, engines, agent, inputs, variables, runtime, literal, max_tokens, max_output_tokens, task, encoding, problems; did you mean `dialect`?
            "#]],
        );
    }

    #[test]
    fn named_files_are_found_where_they_stand() {
        let text = "[[prompts]]\ninputs = ['a.json', \"b/*.json\"]\nvariables = \"c.json\"\n";
        let named = named_files(text).into_iter();
        let named: Vec<_> = named.map(|(range, name)| (text[range].to_owned(), name)).collect();
        let same = |name: &str| (name.to_owned(), name.to_owned());
        assert_eq!(named, [same("a.json"), same("c.json")]);
        assert_eq!(named_files("prompts = 1\n["), []);
        // During typing, a quote may be missing.
        assert_eq!(named_files("[[prompts]]\ninputs = [\"a\u{FEFF}]\nvariables = \"b"), []);
    }

    #[test]
    fn what_is_no_toml_is_a_problem_where_it_stands() {
        check(
            "[[prompts]]\nfiles = [",
            expect![[r#"
            0 rules
            "" not valid TOML: unclosed array, expected `]`
        "#]],
        );
    }

    #[test]
    fn a_budget_is_a_number_of_tokens_that_are_known() {
        let rule = |more| format!("[[prompts]]\nfiles = ['a']\n{more}\n");
        let config = Config::parse(
            Path::new("/p/promptls.toml"),
            &rule("max_tokens = 8_000\nencoding = 'cl100k_base'"),
        );
        let settings = config.settings(config.own_rules.first());
        assert_eq!(settings.max_tokens, Some(8000));
        assert_eq!(settings.encoding, TokenEncoding::Cl100kBase);
        check(
            &rule("max_tokens = 0\nencoding = 'o200k'"),
            expect![[r#"
            1 rules
            "'o200k'" unknown encoding `o200k`; known: o200k_base, cl100k_base
            "0" `max_tokens` must be a positive integer
        "#]],
        );
        check(
            &rule("max_tokens = '9'\nencoding = 1"),
            expect![[r#"
            1 rules
            "1" `encoding` must be a string
            "'9'" `max_tokens` must be a positive integer
        "#]],
        );
        check(
            &rule("max_tokens = -1"),
            expect![[r#"
            1 rules
            "-1" `max_tokens` must be a positive integer
        "#]],
        );
    }

    #[test]
    fn a_store_has_a_kind_and_no_keys() {
        let config = Config::parse(
            Path::new("/p/promptls.toml"),
            "[stores.dev]\nkind = 'filesystem'\nfolder = '../dev'\ndialect = 'adk'\n[stores.prod]\nkind = 'langfuse'\nprompts = 'in'\nsecret_key_env = 'PROD_KEY'\n",
        );
        assert!(config.problems.is_empty(), "{:?}", config.problems);
        let dev = &config.stores["dev"];
        assert_eq!(dev.kind, StoreKind::Filesystem { folder: "/dev".into() });
        assert_eq!((dev.dialect, &*dev.prompts), (Dialect::Adk, Path::new("/p")));
        let prod = &config.stores["prod"];
        assert_eq!((prod.dialect, &*prod.prompts), (Dialect::Agentle, Path::new("/p/in")));
        assert!(
            matches!(&prod.kind, StoreKind::Hosted { url: None, host_env, public_key_env, secret_key_env }
            if [host_env, public_key_env, secret_key_env]
                == ["LANGFUSE_HOST", "LANGFUSE_PUBLIC_KEY", "PROD_KEY"])
        );

        check(
            "[stores.a]\nkind = 'langfus'\n[stores.b]\n[stores.c]\nkind = 'filesystem'\n[stores.d]\nkind = 'langfuse'\nfolder = 'x'\nsecret_key_env = 'sk-lf-1'\nsecret_key = 'x'\n[stores.'e:f']\n[stores]\ng = 1\n",
            expect![[r#"
                0 rules
                "'langfus'" unknown kind `langfus`; known: filesystem, langfuse; did you mean `langfuse`?
                "b" a store needs a `kind`: "filesystem" or "langfuse"
                "c" a store of this kind needs a `folder`
                "secret_key" unknown key `secret_key`; known: kind, dialect, prompts, folder, url, host_env, public_key_env, secret_key_env
                "'sk-lf-1'" `secret_key_env` must be the name of an environment variable, in capitals, not its value
                "'x'" a store of this kind has no `folder`
                "'e:f'" the name of a store cannot contain `:` or `/`
                "g" stores are written `[stores.NAME]`
            "#]],
        );
    }

    #[test]
    fn an_ignore_says_what_it_keeps_back() {
        check(
            "[[ignore]]\nreason = 'x'\n[[ignore]]\ncodes = ['unusd-input']\nfiles = ['a']\n[[ignore]]\ncodes = []\n[[ignore]]\nname = ['x']\n",
            expect![[r#"
                0 rules
                "[[ignore]]" an ignore needs `codes`, `names` or `files`
                "'unusd-input'" unknown problem code `unusd-input`; did you mean `unused-input`?
                "[[ignore]]" an ignore needs `codes`, `names` or `files`
                "name" unknown key `name`; known: files, codes, names, reason; did you mean `names`?
            "#]],
        );
        check(
            "[ignore]\ncodes = ['unused-input']\n",
            expect![[r#"
            0 rules
            "ignore" ignores are written `[[ignore]]`, with two brackets
        "#]],
        );
        check(
            "[[prompts]]\nfiles = ['a']\nproblems = 'off'\n[[prompts]]\nfiles = ['a']\n[prompts.problems]\nx = 'off'\n",
            expect![[r#"
                2 rules
                "'off'" `problems` is a table of codes and severities
                "x" unknown problem code `x`
            "#]],
        );
    }

    #[test]
    fn a_rule_says_more_of_problems_than_its_config() {
        let text = "[[prompts]]\nfiles = ['a']\nproblems = { unused-input = 'error' }\n[problems]\nunused-input = 'off'\nno-inputs = 'off'\n";
        let config = Config::parse(Path::new("/p/promptls.toml"), text);
        let severities = &config.settings(config.own_rules.first()).severities;
        assert!(!severities.is_off(Code::UnusedInput) && severities.is_off(Code::NoInputs));
        assert!(config.settings(None).severities.is_off(Code::UnusedInput));
    }

    #[test]
    fn wrong_types_are_problems() {
        check(
            "[[prompts]]\nfiles = 'a'\nruntime = [1]\n[[prompts]]\n",
            expect![[r#"
            1 rules
            "'a'" `files` must be a list of strings
            "1" `runtime` must contain only strings
            "[[prompts]]" a rule needs `files`: the globs of its prompts
        "#]],
        );
    }
}
