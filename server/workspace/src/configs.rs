//! The `promptls.toml` files that apply to a folder: the nearest at or above it, and the parents
//! that it inherits from.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use promptls_analysis::UnknownEngine;
use promptls_resolver::{Code, EngineRef, FileId, Location, Problem};
use promptls_syntax::Dialect;

use super::config::named_files::files_and_globs;
use super::config::project_engines::{
    ProjectEngine, may_name_packages, project_engines, unknown_engine,
};
use super::config::{CONFIG_NAME, Config};
use super::files::Files;
use super::files::address::place_of;
use super::files::globs::start_of_glob;
use super::files::path_map::PathMap;
use super::hosts::is_code::is_code;
use super::hosts::workspace_folder::workspace_of;
use super::reach::Reach;
use super::read_error::ReadError;
use super::shared_inputs::SharedInputs;
use super::sidecars::naming::shipped_from;
use crate::files::paths::folder_of;

/// The configs of all folders. Each is read once.
#[derive(Debug, Default)]
pub struct Configs {
    by_folder: PathMap<Option<Arc<Config>>>,
    /// Replaces the configs of all folders.
    only: Option<Only>,
    /// The last valid version of each config, without its parents.
    last_good: PathMap<Config>,
    /// The inputs files that rules share.
    pub(crate) shared_inputs: SharedInputs,
    reach: Reach,
    engine: Option<EngineRef>,
    usual_engine: Arc<RwLock<Option<EngineRef>>>,
    /// By folder, the one whose files name its packages.
    project_folders: PathMap<Arc<ProjectFolder>>,
    /// The code whose sidecars are in another folder, by that folder.
    shipped: PathMap<Arc<[PathBuf]>>,
    /// How often caches were cleared.
    cleared: RwLock<u64>,
}

/// A folder whose files may name packages, and the engines that these name.
#[derive(Debug)]
struct ProjectFolder {
    folder: PathBuf,
    /// The topmost folder of the project.
    root: PathBuf,
    engines: OnceLock<Vec<ProjectEngine>>,
    /// The results of [`Configs::unknown_engine`], by dialect.
    unknown_engines: RwLock<Vec<(Dialect, Option<UnknownEngine>)>>,
}

/// The config for all folders, or none.
type Only = Option<Arc<Config>>;

impl Configs {
    /// Uses one config for all folders, or none; the configs in folders are ignored.
    pub fn only(config: Option<Arc<Config>>) -> Configs {
        Configs { only: Some(config), ..Configs::default() }
    }

    /// The nearest config at or above a folder, with its parents. For virtual documents, the
    /// configs of their [place](place_of) come after those beside them.
    pub fn nearest(&self, files: &dyn Files, folder: &Path) -> Option<Arc<Config>> {
        if let Some(only) = &self.only {
            return only.clone();
        }
        // Not recursive: there may be thousands of nested folders.
        let mut below: Vec<(&Path, Option<Config>)> = Vec::new();
        let mut nearest = None;
        let mut since = None;
        for folder in folder.ancestors() {
            if let Some(known) = self.by_folder.get(folder) {
                nearest = known.clone();
                break;
            }
            since = since.or_else(|| Some(self.cleared()));
            let own = self.own(files, folder);
            let is_outermost = own.as_ref().is_some_and(|own| own.is_root);
            below.push((folder, own));
            if is_outermost {
                break;
            }
        }
        for (folder, own) in below.into_iter().rev() {
            let is_outermost = own.as_ref().is_some_and(|own| own.is_root);
            let is_here = |config: &Arc<Config>| config.path.is_absolute();
            let outer = match place_of(folder) {
                Some(place) if !is_outermost && nearest.as_ref().is_none_or(is_here) => {
                    self.nearest(files, &place)
                }
                _ => nearest,
            };
            nearest = match (own, outer) {
                (None, outer) => outer,
                (Some(own), None) => Some(Arc::new(own)),
                (Some(own), Some(outer)) => Some(Arc::new(own.within(outer))),
            };
            self.keep(since, || self.by_folder.insert(folder.to_owned(), nearest.clone()));
        }
        nearest
    }

    fn cleared(&self) -> u64 {
        *self.cleared.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a result in a cache, unless caches were cleared since it was begun: another thread may
    /// do so while older files are read.
    fn keep<T>(&self, since: Option<u64>, store: impl FnOnce() -> T) {
        let cleared = self.cleared.read().unwrap_or_else(PoisonError::into_inner);
        if since == Some(*cleared) {
            store();
        }
    }

    /// Clears caches. What was begun before is not stored after it.
    fn clear(&self, clear: impl FnOnce()) {
        let mut cleared = self.cleared.write().unwrap_or_else(PoisonError::into_inner);
        *cleared += 1;
        clear();
    }

    /// The config in a folder, without its parents.
    fn own(&self, files: &dyn Files, folder: &Path) -> Option<Config> {
        let names = files.list(folder);
        let has_config = names.binary_search_by(|name| name.as_str().cmp(CONFIG_NAME)).is_ok();
        has_config.then(|| self.read(files, &folder.join(CONFIG_NAME)))
    }

    /// The same settings for another version of the files, with nothing cached.
    pub fn afresh(&self) -> Configs {
        let (only, reach) = (self.only.clone(), self.reach.afresh());
        let (engine, usual_engine) = (self.engine, self.usual_engine.clone());
        Configs { only, reach, engine, usual_engine, ..Configs::default() }
    }

    /// The same with an engine for all prompts of its dialect, overriding their rules.
    pub fn with_engine(self, engine: Option<EngineRef>) -> Configs {
        Configs { engine, ..self }
    }

    /// The engines of a prompt whose rule names `of_rule`. An engine set for the dialect takes
    /// precedence; if the rule names none, the usual engine applies.
    pub fn engines(&self, of_rule: &[EngineRef]) -> Vec<EngineRef> {
        let is_of = |engine: &EngineRef| {
            of_rule.first().is_none_or(|first| first.dialect() == engine.dialect())
        };
        let usual = || self.usual_engine().filter(|_| of_rule.is_empty());
        match self.engine.filter(is_of).or_else(usual) {
            Some(engine) => vec![engine],
            None => of_rule.to_vec(),
        }
    }

    /// The engine for prompts of its dialect whose rule names none, as set in an editor. No config
    /// contains it, and `check` does not use it.
    pub fn usual_engine(&self) -> Option<EngineRef> {
        *self.usual_engine.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the [usual engine](Configs::usual_engine), here and in all copies made with
    /// [`afresh`](Configs::afresh). Returns `true` if it changed; files that were read before must
    /// then be read again.
    pub fn set_usual_engine(&self, engine: Option<EngineRef>) -> bool {
        let mut usual = self.usual_engine.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *usual, engine) != engine
    }

    /// The code whose sidecars are in a folder without it; see [`shipped_from`].
    ///
    /// Cost: a walk through the code, once until [`forget`](Configs::forget) is called.
    pub fn shipped(&self, files: &dyn Files, folder: &Path) -> Arc<[PathBuf]> {
        let Some(code) = shipped_from(folder) else { return Arc::default() };
        if let Some(known) = self.shipped.get(folder) {
            return known.clone();
        }
        let since = Some(self.cleared());
        let mut found = if files.is_there(&code) { files.walk(&code) } else { Vec::new() };
        found.retain(|path| is_code(path));
        found.sort_unstable();
        let found: Arc<[PathBuf]> = found.into();
        self.keep(since, || self.shipped.insert(folder.to_owned(), found.clone()));
        found
    }

    /// The engines that the project around a file uses. Manifests and lock files are read once per
    /// folder, until [`forget`](Configs::forget) is called.
    pub fn project_engines(&self, files: &dyn Files, path: &Path) -> Vec<ProjectEngine> {
        let project = self.project_folder(files, folder_of(path));
        let found = || project_engines(files, &self.reach, &project.folder, &project.root);
        project.engines.get_or_init(found).clone()
    }

    /// The nearest folder at or above a folder that may name packages.
    ///
    /// Cost: a listing for each folder between them, once. A repository may have thousands of folders
    /// below one large lock file.
    fn project_folder(&self, files: &dyn Files, folder: &Path) -> Arc<ProjectFolder> {
        if let Some(known) = self.project_folders.get(folder) {
            return known.clone();
        }
        let since = Some(self.cleared());
        let parent = folder.parent().filter(|_| !may_name_packages(files, folder));
        let root = workspace_of(folder, &self.reach, files);
        let found = match parent.filter(|parent| parent.starts_with(&root)) {
            Some(parent) => self.project_folder(files, parent),
            None => Arc::new(ProjectFolder {
                folder: folder.to_owned(),
                root,
                engines: OnceLock::new(),
                unknown_engines: RwLock::default(),
            }),
        };
        self.keep(since, || self.project_folders.insert(folder.to_owned(), found.clone()));
        found
    }

    /// The engine of a dialect that the project around a file uses although its behaviour is not
    /// available. Cached like [`Configs::project_engines`].
    pub fn unknown_engine(
        &self,
        files: &dyn Files,
        path: &Path,
        dialect: Dialect,
    ) -> Option<UnknownEngine> {
        let project = self.project_folder(files, folder_of(path));
        let known = project.unknown_engines.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = known.iter().find(|(of, _)| *of == dialect) {
            return known.clone();
        }
        drop(known);
        let found = unknown_engine(files, &self.reach, &project.folder, &project.root, dialect);
        let mut known = project.unknown_engines.write().unwrap_or_else(PoisonError::into_inner);
        known.push((dialect, found.clone()));
        found
    }

    /// The limits on which files may be read.
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// The current text of one config file, and its parsed form.
    pub fn parse(&self, files: &dyn Files, path: &Path) -> Result<(Arc<str>, Config), ReadError> {
        let folder = folder_of(path);
        if files.is_link(path) {
            self.reach.check(files, folder, path)?;
        }
        let text = files.read(path)?;
        let mut config = Config::parse(path, &text);
        for (range, name) in files_and_globs(&text) {
            let (start, _) = start_of_glob(folder, &name);
            if let Err(error) = self.reach.check(files, folder, &start) {
                let location = Location { file: FileId::PROMPT, range };
                let message = format!("`{name}` {}", error.reason());
                config.problems.push(Problem::new(Code::InvalidConfig, location, message));
            }
        }
        // Nothing is written outside of the reach, either.
        config.forget_shared(|start| self.reach.check(files, folder, start).is_err());
        Ok((text, config))
    }

    /// Reads one config file. If problems leave it without rules, its last valid version applies,
    /// with the new problems.
    fn read(&self, files: &dyn Files, path: &Path) -> Config {
        let config = match self.parse(files, path) {
            Ok((_, config)) => config,
            Err(error) => Config::unread(path, &error),
        };
        if config.problems.is_empty() {
            self.last_good.insert(path.to_owned(), config.clone());
            return config;
        }
        // During typing, the last valid rules stay in force.
        match self.last_good.get(path) {
            Some(good) if config.own_rules.is_empty() => good.with_problems(config.problems),
            _ => config,
        }
    }

    /// Clears all caches, after a config appeared, changed or disappeared.
    pub fn forget(&self) {
        self.forget_configs();
        self.forget_projects();
    }

    /// Clears what configs decide, after one may have appeared.
    pub fn forget_configs(&self) {
        self.clear(|| {
            self.by_folder.clear();
            self.shipped.clear();
        });
        self.shared_inputs.forget();
        self.reach.forget();
    }

    /// Clears what manifests and lock files decide, after one may have changed.
    pub fn forget_projects(&self) {
        self.clear(|| self.project_folders.clear());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use promptls_syntax::Dialect;

    use super::super::files::layer::Layer;
    use super::super::files::listing::Listing;
    use super::super::files::{Disk, NoFiles, Reading};
    use super::super::walking::walker::WalkedFile;
    use super::*;

    /// Config texts by folder, instead of files on disk.
    struct TestConfigs(BTreeMap<&'static str, &'static str>);

    impl Layer for TestConfigs {
        fn below(&self) -> &dyn Files {
            &NoFiles
        }

        fn read_as(&self, path: &Path, _: Reading) -> Result<Arc<str>, ReadError> {
            let folder = path.parent().and_then(Path::to_str).unwrap_or_default();
            self.0.get(folder).map(|text| (*text).into()).ok_or_else(|| ReadError::missing(path))
        }

        fn list(&self, folder: &Path) -> Arc<Listing> {
            let is_here = self.0.contains_key(folder.to_str().unwrap_or_default());
            Listing::of_names(is_here.then(|| CONFIG_NAME.to_owned()).into_iter().collect())
        }

        fn is_there(&self, path: &Path) -> bool {
            (self as &dyn Files).read(path).is_ok()
        }
    }

    const OUTER: &str = "[[prompts]]\nfiles = ['*.txt']\ndialect = 'adk'\ninputs = ['s.json']\n\
        [problems]\nunused-input = 'off'\nno-inputs = 'off'\n";

    /// The config of `/p/q`, where the one in `/p` contains [`OUTER`].
    fn nested(text: &'static str) -> Arc<Config> {
        let files = TestConfigs(BTreeMap::from([("/p", OUTER), ("/p/q", text)]));
        Configs::default().nearest(&files, Path::new("/p/q")).expect("there is one")
    }

    /// Files of which a config changes while it is read for the first time.
    struct ChangedMeanwhile<'c>(&'c Configs, AtomicUsize);

    impl Layer for ChangedMeanwhile<'_> {
        fn below(&self) -> &dyn Files {
            &NoFiles
        }

        fn read_as(&self, _: &Path, _: Reading) -> Result<Arc<str>, ReadError> {
            if self.1.fetch_add(1, Ordering::Relaxed) > 0 {
                return Ok(OUTER.into());
            }
            self.0.forget();
            Ok("".into())
        }

        fn list(&self, folder: &Path) -> Arc<Listing> {
            let is_here = folder == Path::new("/p");
            Listing::of_names(is_here.then(|| CONFIG_NAME.to_owned()).into_iter().collect())
        }
    }

    #[test]
    fn a_config_that_changes_while_it_is_read_is_read_again() {
        let configs = Configs::default();
        let files = ChangedMeanwhile(&configs, AtomicUsize::new(0));
        let rules = || configs.nearest(&files, Path::new("/p")).map(|it| it.own_rules.len());
        assert_eq!([rules(), rules(), rules()], [Some(0), Some(1), Some(1)]);
        assert_eq!(files.1.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_nested_config_adds_to_those_around_it() {
        let config = nested("[problems]\nunused-input = 'error'\n");
        let rule = config.rule_for(Path::new("/p/q/a.txt")).expect("the rule of the outer one");
        assert_eq!((rule.dialect, rule.folder()), (Some(Dialect::Adk), Path::new("/p")));
        assert!(config.shares(Path::new("/p/s.json")) && !config.shares(Path::new("/p/q/s.json")));
        for of in [Some(rule), None] {
            let severities = &config.settings(of).severities;
            assert!(!severities.is_off(Code::UnusedInput) && severities.is_off(Code::NoInputs));
        }
    }

    #[test]
    fn the_nearest_rule_is_used() {
        let config = nested("[[prompts]]\nfiles = ['a.txt']\ndialect = 'agentle'\n");
        let dialect = |path| config.rule_for(Path::new(path)).and_then(|rule| rule.dialect);
        assert_eq!(dialect("/p/q/a.txt"), Some(Dialect::Agentle));
        assert_eq!(dialect("/p/q/b.txt"), Some(Dialect::Adk));
    }

    #[test]
    fn a_root_config_inherits_nothing() {
        let config = nested("root = true\n[problems]\nunused-input = 'error'\n");
        assert!(config.rule_for(Path::new("/p/q/a.txt")).is_none());
        assert!(!config.severities.is_off(Code::NoInputs));
        assert_eq!(config.and_outer().count(), 1);
    }

    #[test]
    fn each_config_reports_its_own_problems() {
        let config = nested("[probs]\n");
        let problems: Vec<usize> = config.and_outer().map(|it| it.problems.len()).collect();
        assert_eq!(problems, [1, 0]);
    }
    /// A file source that counts what it reads.
    #[derive(Default)]
    struct Reads(AtomicUsize);

    impl Layer for Reads {
        fn below(&self) -> &dyn Files {
            &Disk
        }

        fn read_as(&self, path: &Path, reading: Reading) -> Result<Arc<str>, ReadError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Disk.read_as(path, reading)
        }
    }

    #[test]
    fn a_manifest_around_many_folders_is_read_once() {
        let project = tempfile::tempdir().expect("a folder");
        let root = project.path();
        let manifest = "[project]\nname = 'x'\ndependencies = ['google-adk==2.13.0']\n";
        std::fs::write(root.join("pyproject.toml"), manifest).expect("it is written");
        let (configs, files) = (Configs::default(), Reads::default());
        let read = |folder: &str| {
            let folder = root.join(folder);
            std::fs::create_dir_all(&folder).expect("it is made");
            let found = configs.project_engines(&files, &folder.join("a.prompt"));
            assert_eq!(found[0].file, "pyproject.toml");
            configs.unknown_engine(&files, &folder.join("a.prompt"), Dialect::Adk);
            files.0.load(Ordering::Relaxed)
        };
        let first = read("a/b");
        assert_eq!([read("a/c"), read("d"), read("a/b/c/d")], [first; 3]);
    }

    /// A file source that counts walks.
    #[derive(Default)]
    struct Walks(AtomicUsize);

    impl Layer for Walks {
        fn below(&self) -> &dyn Files {
            &Disk
        }

        fn visit(
            &self,
            folder: &Path,
            places: Option<Vec<PathBuf>>,
            look: &(dyn Fn(WalkedFile) + Sync),
        ) {
            self.0.fetch_add(1, Ordering::Relaxed);
            Disk.visit(folder, places, look);
        }
    }

    #[test]
    fn shipped_code_is_searched_once() {
        let project = tempfile::tempdir().expect("a folder");
        let (code, sidecars) =
            (project.path().join("src/main/java"), project.path().join("src/test/prompts"));
        std::fs::create_dir_all(&code).expect("it is made");
        std::fs::write(code.join("A.java"), "").expect("it is written");
        std::fs::write(code.join("a.txt"), "").expect("it is written");
        let (configs, files) = (Configs::default(), Walks::default());
        for _ in 0..3 {
            assert_eq!(*configs.shipped(&files, &sidecars), [code.join("A.java")]);
            assert_eq!(configs.shipped(&files, &code).len(), 0);
        }
        assert_eq!(files.0.load(Ordering::Relaxed), 1);
        configs.forget();
        configs.shipped(&files, &sidecars);
        assert_eq!(files.0.load(Ordering::Relaxed), 2);
    }
}
