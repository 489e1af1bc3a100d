//! Loading of the sidecars of a file: inputs files, variables, `$file` texts, each read once.

mod of_users;

use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::BuildHasher;
use std::ops::Range;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

use hashbrown::HashTable;
use pathdiff::diff_paths;
use promptls_analysis::{
    Case, DEFAULT_CASE, Detection, Foreign, PromptText, Settings, SharedWith, Snapshot, detect,
};
use promptls_hosts::Inclusion;
use promptls_resolver::{
    Code, Declarations, EngineRef, FileId, Format, Inputs, Location, Parsed, Problem, Severity,
};
use promptls_syntax::{Dialect, Tree};

use crate::config::{Config, Rule};
use crate::files::globs::start_of_glob;
use crate::files::paths::{absolute, file_name, folder_of};
use crate::files::{self, Entry, Files};
use crate::front_matter::has_front_matter;
use crate::hosts::engine::engine_of;
use crate::hosts::workspace_folder::application_root;
use crate::kind::{PromptKind, kind_of, kind_read_by};
use crate::project::Project;
use crate::reach::repository;
use crate::read_error::{ReadError, Within};
use crate::readers::PromptReader;
use of_users::UserCase;

use crate::sidecars::naming::{
    SidecarKind, case_in, case_of, sidecar, sidecar_base, sidecar_home, stem as stem_of,
    unknown_format,
};

/// Settings of the caller that override those of the files.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The dialect, overriding rules and names.
    pub dialect: Option<Dialect>,
    /// The engine, overriding rules; it belongs to the dialect, or determines it.
    pub engine: Option<EngineRef>,
    /// The dialect if neither a rule nor the name sets one: an editor's language id.
    pub language: Option<Dialect>,
    /// The path of the only inputs file.
    pub inputs: Option<PathBuf>,
    /// The path of the variables file.
    pub variables: Option<PathBuf>,
}

/// The sidecars of a file of prompts, and its external settings.
#[derive(Clone, Debug)]
pub struct Sidecars {
    /// The file itself, then its sidecars; a [`FileId`] is an index into this list.
    pub files: Vec<PathBuf>,
    /// Their texts, as read, with U+FFFD for what is not UTF-8; `None` for other unreadable ones, and
    /// for the file itself.
    pub texts: Vec<Option<Arc<str>>>,
    /// The config that applies; `None` if no folder above has one.
    pub config: Option<Arc<Config>>,
    /// The cases with usable inputs; `broken` lists the others.
    pub cases: Vec<Case>,
    /// The names of cases with unusable files; the problems contain the reasons.
    pub broken: Vec<(String, FileId)>,
    /// The unusable files whose last valid content is used.
    pub kept: Vec<FileId>,
    /// `true` if another file of prompts has the same sidecars, so that some may be only for that
    /// file.
    pub has_namesake: bool,
    /// `true` if the user named the inputs: they are for each prompt of the file.
    pub are_inputs_named: bool,
    /// The files of `$file` values.
    pub file_values: Vec<PathBuf>,
    /// The sidecars that could not be read, and why. The range of the problem may be in the prompt.
    pub unread: Vec<(FileId, Problem)>,
    /// The problems of the sidecars.
    pub problems: Vec<Problem>,
    /// The folder that its files may refer to; see [`Reach::root`](crate::reach::Reach::root).
    root: Arc<(PathBuf, Within)>,
    /// The declarations for single prompts of the file, by the part of the file name after the
    /// stem.
    pub named_declarations: Vec<(String, Arc<Declarations>)>,
    /// The cases of prompts in other files that include texts of this one.
    of_users: Vec<UserCase>,
    declarations: Arc<Declarations>,
    has_variables_file: bool,
    shared_variables: bool,
    settings: Arc<Settings>,
    /// The dialect, if it is set explicitly.
    pub(crate) certain: Option<Dialect>,
    /// `true` if the file is a prompt even with front matter.
    claimed: bool,
}

impl Sidecars {
    /// Reads the sidecars of a file of prompts. Never fails: what cannot be read is reported as a
    /// problem.
    ///
    /// `path` is absolute. Cost: each sidecar, read once, and a listing of the folder.
    pub fn load(
        project: Project<'_>,
        path: &Path,
        reader: Option<PromptReader>,
        overrides: &Overrides,
    ) -> Sidecars {
        let folder = folder_of(path);
        let Project { files, configs, .. } = project;
        let config = configs.nearest(files, folder);
        let kind = kind_read_by(reader, path, config.as_deref());
        let mut loader = Loader {
            project,
            overrides,
            ids: HashTable::new(),
            hasher: RandomState::default(),
            paths: Vec::new(),
            texts: Vec::new(),
            file_values: Vec::new(),
            unread: Vec::new(),
            problems: Vec::new(),
        };
        loader.add(path, None);
        let found = loader.find(path, config.as_deref(), kind, overrides);
        loader.problems.extend(found.ambiguous);

        let mut cases = Vec::new();
        let mut broken = Vec::new();
        for (name, path, shared) in found.inputs {
            let is_required = shared != SharedWith::NoOther;
            match loader.required(is_required, |loader| loader.inputs(&path, shared)) {
                Ok(inputs) => cases.push(Case { name: name.into(), inputs, shared }),
                Err(file) => broken.push((name, file)),
            }
        }
        let mut declarations = Declarations::default();
        if let Some((path, by_rule)) = &found.variables {
            let read = loader.required(*by_rule, |loader| loader.declarations(path).ok_or(()));
            declarations = read.unwrap_or_default();
        }

        let named_declarations = found.named_variables.iter();
        let named_declarations = named_declarations
            .filter_map(|(name, path)| Some((name.clone(), Arc::new(loader.declarations(path)?))));
        let named_declarations = named_declarations.collect();
        let of_users = loader.cases_of_users(path, reader);
        let rule = kind.and_then(|kind| kind.rule);
        let mut settings =
            config.as_deref().map_or_else(Arc::default, |config| config.settings(rule));
        let engines = match overrides.engine {
            Some(engine) => vec![engine],
            None => configs.engines(&settings.engines),
        };
        if engines != settings.engines {
            Arc::make_mut(&mut settings).engines = engines;
        }
        let certain = overrides
            .dialect
            .or(overrides.engine.map(|engine| engine.dialect()))
            .or(kind.and_then(|kind| kind.dialect))
            .or(overrides.language);
        let documented = certain.filter(|_| reader.is_none() && settings.engines.is_empty());
        if let Some(dialect) = documented {
            give_engine(&mut settings, project, path, dialect, rule);
        }
        let Loader { paths, texts, file_values, unread, problems, .. } = loader;
        Sidecars {
            files: paths,
            texts,
            cases,
            broken,
            kept: Vec::new(),
            has_namesake: found.has_namesake,
            are_inputs_named: overrides.inputs.is_some(),
            file_values,
            unread,
            problems,
            root: configs.reach().root(files, folder),
            declarations: Arc::new(declarations),
            named_declarations,
            of_users,
            has_variables_file: found.variables.is_some(),
            shared_variables: found.variables.is_some_and(|(_, shared)| shared),
            settings,
            certain,
            // Only a file that is a prompt merely by its extension may belong to another tool.
            claimed: rule.is_some()
                || reader.is_some()
                || overrides.dialect.is_some()
                || overrides.engine.is_some()
                || kind.is_none(),
            config,
        }
    }

    /// A prompt with these sidecars; `tree` is the tokens of its text, if available in the right
    /// grammar.
    pub fn snapshot(&self, text: PromptText, tree: Option<Arc<Tree>>) -> Snapshot {
        self.snapshot_with(self.certain, self.settings.clone(), text, tree)
    }

    fn snapshot_with(
        &self,
        certain: Option<Dialect>,
        settings: Arc<Settings>,
        text: PromptText,
        tree: Option<Arc<Tree>>,
    ) -> Snapshot {
        let Reading { dialect, fits, alike, foreign } = self.reading(certain, &text);
        let grammar = settings.engine_of(dialect).grammar();
        Snapshot {
            tree: match tree {
                Some(tree) if tree.grammar() == grammar => tree,
                _ => Arc::new(Tree::parse(grammar, &text)),
            },
            text,
            host: None,
            fits,
            alike,
            foreign,
            cases: self.cases.clone(),
            declarations: self.declarations.clone(),
            has_variables_file: self.has_variables_file && self.has_names(),
            shared_variables: self.shared_variables,
            ships_without_inputs: false,
            must_declare: false,
            settings,
            file_names: Arc::new(names_of(&self.files, &self.root.0)),
            file_texts: Arc::new(texts_of(&self.texts)),
            file_problems: self.problems.clone(),
            memo: None,
        }
    }

    /// A prompt of a file that holds several, with these sidecars: in its own dialect and for its
    /// own engine, unless they are overridden. `field` is the keyword or key of its text in its
    /// framework.
    pub fn snapshot_as(
        &self,
        dialect: Dialect,
        (engine, field): (Option<EngineRef>, Option<&str>),
        text: PromptText,
    ) -> Snapshot {
        let dialect = self.certain.unwrap_or(dialect);
        let mut settings = self.settings.clone();
        if let Some(engine) = engine.filter(|_| settings.engines_of(dialect).is_empty()) {
            Arc::make_mut(&mut settings).engines = vec![engine];
        }
        let of_field = |engine: &EngineRef| engine.of_field(field.unwrap_or_default());
        if settings.engines.iter().any(|engine| of_field(engine) != *engine) {
            let engines = &mut Arc::make_mut(&mut settings).engines;
            engines.iter_mut().for_each(|engine| *engine = of_field(engine));
        }
        self.snapshot_with(Some(dialect), settings, text, None)
    }

    /// Gives a text that prompts of other files include the cases of these, in addition to its own.
    pub fn give_cases_of_users(&self, included_by: &[Inclusion], snapshot: &mut Snapshot) {
        for UserCase { inclusion, case } in &self.of_users {
            let is_new = snapshot.case_named(&case.name).is_none();
            if is_new && included_by.contains(inclusion) {
                snapshot.cases.push(case.clone());
            }
        }
    }

    /// `false` if no case can be read, so that the names with values are unknown.
    pub fn has_names(&self) -> bool {
        self.broken.is_empty() || !self.cases.is_empty()
    }

    /// Evaluates the text of a snapshot again: its foreignness, and its dialect unless it is set
    /// explicitly.
    pub fn read_again(&self, snapshot: &mut Snapshot) {
        let Reading { dialect, fits, alike, foreign } = self.reading(self.certain, &snapshot.text);
        (snapshot.fits, snapshot.alike, snapshot.foreign) = (fits, alike, foreign);
        let grammar = self.settings.engine_of(dialect).grammar();
        if grammar != snapshot.tree.grammar() {
            snapshot.tree = Arc::new(Tree::parse(grammar, &snapshot.text));
        }
    }

    /// Determines dialect and foreignness of a text.
    fn reading(&self, certain: Option<Dialect>, text: &PromptText) -> Reading {
        let front_matter =
            (!self.claimed && has_front_matter(text)).then_some(Foreign::FrontMatter);
        if let Some(dialect) = certain {
            return Reading { dialect, fits: Vec::new(), alike: &[], foreign: front_matter };
        }
        let keys = self.cases.iter().flat_map(|case| case.inputs.root.entries());
        let keys = keys.map(|entry| &*entry.key).collect();
        let Detection { dialect, fits, alike, language, .. } =
            detect(&text.start(DETECTED_IN), &keys, self.has_variables_file);
        let foreign = front_matter.or(language.map(Foreign::Language));
        Reading { dialect, fits, alike, foreign }
    }

    /// Takes over the inputs and declarations of an earlier state for files that do not parse now.
    pub fn keep_last_good(&mut self, last: &Sidecars) {
        let is_broken = |problem: &&Problem| problem.code.is_unusable_file();
        let broken: BTreeSet<FileId> =
            self.problems.iter().filter(is_broken).map(|problem| problem.location.file).collect();
        for file in broken {
            let path = &self.files[file.0 as usize];
            let Some(index) = last.files.iter().position(|other| other == path) else { continue };
            let old_file = FileId(index as u32);
            let is_there = self.cases.iter().any(|case| case.inputs.file == file);
            let last_case = last.cases.iter().find(|case| case.inputs.file == old_file);
            if let (false, Some(last_case)) = (is_there, last_case) {
                let inputs = Inputs { file, root: last_case.inputs.root.clone() };
                let case = Case { inputs: Arc::new(inputs), ..last_case.clone() };
                // At its previous position: without a selected case, editors show the first one.
                let at = self.cases.partition_point(|case| case.inputs.file < file);
                self.cases.insert(at, case);
                self.kept.push(file);
            }
            let is_declared = !self.declarations.variables.is_empty();
            if last.declarations.file == old_file && !is_declared {
                let mut declarations = (*last.declarations).clone();
                declarations.file = file;
                self.declarations = Arc::new(declarations);
                self.kept.push(file);
            }
        }
    }
}

/// Gives a prompt file without an engine that of its project, if a rule is about it; without a rule,
/// it is a prompt of its dialect as documented.
fn give_engine(
    settings: &mut Arc<Settings>,
    Project { files, configs, .. }: Project<'_>,
    path: &Path,
    dialect: Dialect,
    rule: Option<&Rule>,
) {
    let installed = || configs.project_engines(files, path);
    let engine = rule.and_then(|_| engine_of(None, (dialect, None), installed));
    let unknown = match engine {
        None => configs.unknown_engine(files, path, dialect),
        Some(_) => None,
    };
    if engine.is_some() || unknown.is_some() {
        let settings = Arc::make_mut(settings);
        settings.engines.extend(engine);
        settings.unknown_engine = unknown;
    }
}

/// Dialect and foreignness of a text: the dialect, alternatives if it is a guess, and the reason
/// why the text is ignored, if it is.
struct Reading {
    dialect: Dialect,
    fits: Vec<Dialect>,
    alike: &'static [&'static str],
    foreign: Option<Foreign>,
}

/// The length of the part of a prompt that dialect detection examines, in bytes.
const DETECTED_IN: usize = 64 * 1024;

/// File names relative to the folder of the first one, for messages. They do not reveal the path of
/// the root.
fn names_of(paths: &[PathBuf], root: &Path) -> BTreeMap<FileId, Arc<str>> {
    let folder = folder_of(&paths[0]);
    let name = |path: &PathBuf| {
        if let Some(name) = name_in(path, folder) {
            return Arc::from(name);
        }
        if let Ok(below) = path.strip_prefix(folder) {
            return Arc::from(below.to_string_lossy());
        }
        let relative = diff_paths(path, folder).filter(|_| path.starts_with(root));
        let alone = || path.file_name().unwrap_or_default().into();
        Arc::from(relative.unwrap_or_else(alone).to_string_lossy())
    };
    (0..).map(FileId).zip(paths.iter().map(name)).collect()
}

/// The name of a file in a folder, without a comparison of components: nearly all files are there.
fn name_in<'p>(path: &'p Path, folder: &Path) -> Option<&'p str> {
    let name = path.to_str()?.strip_prefix(folder.to_str()?)?.strip_prefix(MAIN_SEPARATOR)?;
    (!name.contains(MAIN_SEPARATOR)).then_some(name)
}

/// The texts of readable files, by file.
fn texts_of(texts: &[Option<Arc<str>>]) -> BTreeMap<FileId, Arc<str>> {
    (0..).map(FileId).zip(texts).filter_map(|(file, text)| Some((file, text.clone()?))).collect()
}

/// The folder for a new config of a prompt: the top of its repository, else the root of its
/// application. `open` are the folders that are searched or open in an editor.
pub fn config_home<'p>(
    files: &dyn Files,
    prompt: &'p Path,
    open: impl IntoIterator<Item = &'p Path>,
) -> PathBuf {
    let folder = folder_of(prompt);
    match repository(files, folder) {
        Some(repository) => repository.to_owned(),
        None => application_root(folder, open, files),
    }
}

/// The sidecars of a prompt.
#[derive(Default)]
struct SidecarFiles {
    /// Case, path, and the other readers of the file.
    inputs: Vec<(String, PathBuf, SharedWith)>,
    variables: Option<(PathBuf, bool)>,
    /// The variables files of single prompts, by the part of the file name after the stem.
    named_variables: Vec<(String, PathBuf)>,
    ambiguous: Vec<Problem>,
    has_namesake: bool,
}

impl SidecarFiles {
    /// Adds a variables file for the whole prompt; another one is a problem.
    fn add_variables(&mut self, path: PathBuf) {
        let Some((first, _)) = &self.variables else {
            self.variables = Some((path, false));
            return;
        };
        let [first, second] = [first, &path].map(|it| it.file_name().unwrap_or_default().display());
        let message =
            format!("the variables are in two files, {first} and {second}; {first} is used");
        self.ambiguous.push(ambiguous(message));
    }
}

struct Loader<'f> {
    project: Project<'f>,
    overrides: &'f Overrides,
    /// Ids by path. A hash table, because a glob may match thousands of files.
    ids: HashTable<FileId>,
    hasher: RandomState,
    paths: Vec<PathBuf>,
    texts: Vec<Option<Arc<str>>>,
    file_values: Vec<PathBuf>,
    unread: Vec<(FileId, Problem)>,
    problems: Vec<Problem>,
}

impl Loader<'_> {
    fn find(
        &mut self,
        prompt: &Path,
        config: Option<&Config>,
        kind: Option<PromptKind<'_>>,
        overrides: &Overrides,
    ) -> SidecarFiles {
        let mut found = SidecarFiles::default();
        // A virtual document uses rules, but not the current inputs.
        let is_beside = |rule: &&Rule| rule.folder().is_absolute() == prompt.is_absolute();
        let rule = kind.and_then(|kind| kind.rule).filter(is_beside);
        let reader = kind.and_then(|kind| kind.reader);
        let names_prompts = reader.is_some_and(PromptReader::names_prompts_in_sidecars);
        if let Some(inputs) = &overrides.inputs {
            self.own(prompt, config, names_prompts, &mut found);
            found.inputs = vec![(case_in(inputs, prompt), inputs.clone(), SharedWith::NoOther)];
        } else {
            if let Some(rule) = rule {
                self.shared_inputs(prompt, rule, names_prompts, &mut found);
            }
            self.own(prompt, config, names_prompts, &mut found);
        }
        if let Some(variables) = &overrides.variables {
            found.variables = Some((variables.clone(), false));
        } else if let (None, Some(rule)) = (&found.variables, rule)
            && let Some(path) = rule.variables_of(prompt)
        {
            let is_missed = rule.new_variables(prompt).is_none();
            let counts =
                self.may_share(rule, &path) && (is_missed || self.project.files.is_there(&path));
            found.variables = counts.then_some((path, true));
        }
        found
    }

    /// `true` if a rule may refer to a file or a folder. Otherwise adds a problem of the config.
    fn may_share(&self, rule: &Rule, path: &Path) -> bool {
        self.project.configs.reach().check(self.project.files, rule.folder(), path).is_ok()
    }

    /// Inputs files that a rule names for a prompt: each is a case, the default one first.
    fn shared_inputs(
        &mut self,
        prompt: &Path,
        rule: &Rule,
        names_prompts: bool,
        found: &mut SidecarFiles,
    ) {
        // Several globs may match the same file, and one may match thousands.
        let mut known: HashSet<PathBuf> = HashSet::new();
        for glob in rule.inputs.iter().filter(|glob| names_prompts || !glob.has_prompt()) {
            let written = glob.for_prompt(prompt);
            let shared = match glob.has_prompt() {
                true => SharedWith::ItsFile,
                false => SharedWith::ItsRule,
            };
            // A folder outside of the reach is not even listed.
            if !self.may_share(rule, &start_of_glob(rule.folder(), &written).0) {
                continue;
            }
            for path in self.project.files.glob(rule.folder(), &written).iter() {
                let Some(case) = glob.case(path, prompt) else { continue };
                let is_missed = !glob.has_stem() || self.project.files.is_there(path);
                if is_missed && known.insert(path.clone()) {
                    found.inputs.push((case, path.clone(), shared));
                }
            }
        }
        found.inputs.sort_by_key(|(case, ..)| case != DEFAULT_CASE);
    }

    /// The prompt's own sidecars, in the folder of its [`sidecar_home`].
    fn own(
        &mut self,
        prompt: &Path,
        config: Option<&Config>,
        names_prompts: bool,
        found: &mut SidecarFiles,
    ) {
        let home = sidecar_home(prompt);
        let folder = folder_of(&home);
        let Some(name) = file_name(prompt) else { return };
        let stem = stem_of(name);
        let names = self.project.files.list(folder);
        // All sidecars of this prompt start with its stem and a dot, and names are sorted.
        let start_of_own = format!("{stem}.");
        let start = names.partition_point(|other| **other < *start_of_own);
        let near: Vec<&str> = names[start..]
            .iter()
            .take_while(|other| other.starts_with(&start_of_own))
            .map(String::as_str)
            .collect();
        let is_prompt = |other: &str| match config {
            // Without rules, the name decides.
            None => kind_of(Path::new(other), None, self.project).is_some(),
            Some(_) => kind_of(&folder.join(other), config, self.project).is_some(),
        };
        let is_at_home = |other: &str| {
            let path = folder.join(other);
            *sidecar_home(&path) == path
        };
        let other_prompts: Vec<&str> = near
            .iter()
            .copied()
            .filter(|other| sidecar_base(other).is_none() && *other != name)
            .filter(|other| is_at_home(other) && is_prompt(other))
            .collect();

        let mut cases: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for file in &near {
            let owned = |base: &str| {
                let case = case_of(base, stem)?;
                // The prompt with the longest matching stem owns the file.
                let is_other = other_prompts.iter().any(|other| {
                    let other = stem_of(other);
                    other.len() > stem.len() && case_of(base, other).is_some()
                });
                (!is_other).then(|| case.to_owned())
            };
            let Some((kind, base)) = sidecar(file) else { continue };
            let case = owned(base);
            if kind == SidecarKind::Inputs {
                if let Some(case) = case {
                    cases.entry(case).or_default().push(file);
                }
            } else if let Some(name) = case.filter(|name| name != DEFAULT_CASE) {
                if names_prompts {
                    found.named_variables.push((name, folder.join(file)));
                }
            } else if base == stem {
                found.add_variables(folder.join(file));
            }
        }
        for (case, files) in &cases {
            if let [first, second, ..] = files[..] {
                found.ambiguous.push(ambiguous(two_files(case, first, second)));
            }
        }
        let has_sidecars = !cases.is_empty() || found.variables.is_some();
        if has_sidecars {
            let alike = other_prompts.iter().filter(|other| stem_of(other) == stem);
            let alike = alike.map(|other| (*other).to_owned());
            for other in alike.chain(self.shipped_alike(prompt, &home, config)) {
                let message = format!(
                    "{name} and {other} have the same stem, so they share their inputs files; rename one"
                );
                found.ambiguous.push(ambiguous(message));
                found.has_namesake = true;
            }
        }
        // The default case first, then by name.
        let default = cases.remove_entry(DEFAULT_CASE);
        for (case, files) in default.into_iter().chain(cases) {
            let path = folder.join(files[0]);
            match found.inputs.iter().find(|(other, ..)| *other == case) {
                None => found.inputs.push((case, path, SharedWith::NoOther)),
                Some((_, first, _)) => {
                    let first = first.file_name().unwrap_or_default().to_string_lossy();
                    found.ambiguous.push(ambiguous(two_files(&case, &first, files[0])));
                }
            }
        }
    }

    /// Other code with the same stem whose sidecars are in the same folder: its paths, relative to
    /// that folder.
    fn shipped_alike(&self, prompt: &Path, home: &Path, config: Option<&Config>) -> Vec<String> {
        let all = self.project.configs.shipped(self.project.files, home.parent().unwrap_or(home));
        let is_alike = |other: &&PathBuf| {
            other.file_stem() == prompt.file_stem()
                && *other != prompt
                && kind_of(other, config, self.project).is_some()
        };
        let folder = folder_of(prompt);
        let shown = |other: &PathBuf| Some(diff_paths(other, folder)?.display().to_string());
        all.iter().filter(is_alike).filter_map(shown).collect()
    }

    /// Adds a file; returns the existing id if it is already known.
    fn add(&mut self, path: &Path, text: Option<Arc<str>>) -> FileId {
        // The paths are normalized, so equal ones have equal bytes.
        let hash_of = |path: &Path| self.hasher.hash_one(path.as_os_str());
        let (hash, paths) = (hash_of(path), &self.paths);
        let is_it = |known: &FileId| paths[known.0 as usize].as_os_str() == path.as_os_str();
        if let Some(&file) = self.ids.find(hash, is_it) {
            return file;
        }
        let file = FileId(u32::try_from(paths.len()).unwrap_or(u32::MAX));
        self.ids.insert_unique(hash, file, |known| hash_of(&paths[known.0 as usize]));
        self.paths.push(path.to_owned());
        self.texts.push(text);
        file
    }

    /// The text of a sidecar; adds a problem if it cannot be read.
    fn read(&mut self, path: &Path, shared: SharedWith) -> Result<(Arc<str>, FileId), FileId> {
        let text = self.text(path, shared);
        match text {
            Ok(text) => {
                let file = self.add(path, Some(text.clone()));
                Ok((text, file))
            }
            Err(error) => {
                let file = self.add(path, error.readable().cloned());
                let at = error.offset();
                match (&error, path.file_name()) {
                    // Editors open a file that has a problem. They would wait for a pipe forever,
                    // and cannot open a folder.
                    (error, Some(name)) if error.is_no_file() => {
                        let name = format!("`{}`", name.display());
                        self.unread(FileId::PROMPT, 0..0, &name, error);
                    }
                    _ => self.unread(file, at..at, "this file", &error),
                }
                self.unread.extend(self.problems.last().map(|why| (file, why.clone())));
                Err(file)
            }
        }
    }

    fn text(&self, path: &Path, shared: SharedWith) -> Result<Arc<str>, ReadError> {
        let Overrides { inputs, variables, .. } = self.overrides;
        if [inputs, variables].into_iter().flatten().any(|named| named == path) {
            return self.project.files.read_named(path);
        }
        // Files beside the prompt can lead elsewhere only as links.
        let check =
            || self.project.configs.reach().check(self.project.files, folder_of(path), path);
        if shared == SharedWith::ItsRule {
            check()?;
            return self.project.files.read_shared(path);
        }
        let entry = self.project.files.entry(path);
        if entry == Entry::Link {
            check()?;
        }
        let is_regular = entry == Entry::Regular;
        self.project.files.read_as(path, files::Reading::Listed { is_regular, most: u64::MAX })
    }

    /// Adds the problem of an unreadable file, in the file that refers to it, or in itself. A file
    /// that is still being read is only a temporary problem.
    fn unread(&mut self, file: FileId, range: Range<usize>, name: &str, error: &ReadError) {
        self.problem(Code::InvalidInputs, file, range, format!("{name} {}", error.reason()));
        if let (ReadError::Reading { .. }, Some(problem)) = (error, self.problems.last_mut()) {
            problem.severity = Severity::Information;
        }
    }

    fn problem(&mut self, code: Code, file: FileId, range: Range<usize>, message: String) {
        self.problems.push(Problem::new(code, Location { file, range }, message));
    }

    /// Reads a file. If it is required because a rule names it, its errors get another code: without
    /// it, the prompts are not checked as the config demands, so no option may hide them.
    fn required<T, E>(
        &mut self,
        is_required: bool,
        read: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let before = (self.problems.len(), self.unread.len());
        let read = read(self);
        if is_required && read.is_err() {
            self.require_since(before);
        }
        read
    }

    /// Marks the last errors as those of a required file.
    fn require_since(&mut self, (problems, unread): (usize, usize)) {
        let problems = self.problems[problems..].iter_mut();
        let unread = self.unread[unread..].iter_mut().map(|(_, why)| why);
        let is_error = |problem: &&mut Problem| {
            problem.code == Code::InvalidInputs && problem.severity == Severity::Error
        };
        problems.chain(unread).filter(is_error).for_each(|it| it.code = Code::UnreadableFile);
    }

    /// The values of a file; its id if they cannot be used.
    fn inputs(&mut self, path: &Path, shared: SharedWith) -> Result<Arc<Inputs>, FileId> {
        let (text, file) = self.read(path, shared)?;
        let parsed = match shared {
            SharedWith::ItsRule => self.project.configs.shared_inputs.parse(path, &text, file),
            SharedWith::NoOther | SharedWith::ItsFile | SharedWith::ItsUsers => {
                Inputs::parse(&text, Format::of_sidecar(path), file).map(Arc::new)
            }
        };
        let mut inputs = self.parsed(path, parsed).ok_or(file)?;
        if !inputs.has_file_texts() {
            return Ok(inputs);
        }
        let folder = folder_of(path).to_owned();
        let mut refused = Vec::new();
        for (reference, span) in Arc::make_mut(&mut inputs).file_texts_mut() {
            match self.file_text(&folder, &reference.path) {
                Ok(text) => reference.text = Some(text),
                Err(error) => refused.push((span.range(), reference.path.clone(), error)),
            }
        }
        for (range, path, error) in refused {
            self.unread(file, range, &format!("`{path}`"), &error);
        }
        Ok(inputs)
    }

    /// The text of a `$file` value.
    fn file_text(&mut self, folder: &Path, relative: &str) -> Result<Arc<str>, ReadError> {
        let path = absolute(folder, Path::new(relative));
        let may_be_read = self.project.configs.reach().check(self.project.files, folder, &path);
        self.file_values.push(path.clone());
        may_be_read?;
        self.project.files.read(&path)
    }

    fn declarations(&mut self, path: &Path) -> Option<Declarations> {
        let (text, file) = self.read(path, SharedWith::NoOther).ok()?;
        let parsed = Declarations::parse(&text, Format::of_sidecar(path), file);
        self.parsed(path, parsed)
    }

    /// The value of a sidecar, whose problems are added. If the file cannot be used because its
    /// format is unknown, the first problem is about the format.
    fn parsed<T>(&mut self, path: &Path, parsed: Parsed<T>) -> Option<T> {
        let Parsed { value, mut problems } = parsed;
        if value.is_none()
            && let Some(message) = unknown_format(path)
            && let Some(problem) = problems.first_mut()
        {
            problem.message = message;
        }
        self.problems.extend(problems);
        value
    }
}

fn two_files(case: &str, first: &str, second: &str) -> String {
    format!("case {case} is in two files, {first} and {second}; {first} is used")
}

fn ambiguous(message: String) -> Problem {
    Problem::new(Code::AmbiguousSidecar, Location { file: FileId::PROMPT, range: 0..0 }, message)
}
