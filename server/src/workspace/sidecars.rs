//! What belongs to a prompt: inputs files, variables, `$file` texts; all of it in a snapshot.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::{Case, Settings, Snapshot, detect};
use promptls_resolver::{Code, Declarations, FileId, Format, Inputs, Location, Parsed, Problem};
use promptls_syntax::{Dialect, Edit, Tree};
use ropey::Rope;

use super::config::{Config, Configs};
use super::files::{Files, absolute};
use super::prompts::{Kind, kind_of};

const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

/// What the caller knows better than the files do.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The dialect, whatever rules and names say.
    pub dialect: Option<Dialect>,
    /// The dialect, if neither a rule nor the name says one: an editor's language id.
    pub language: Option<Dialect>,
    /// The only inputs file.
    pub inputs: Option<PathBuf>,
    /// The variables file.
    pub variables: Option<PathBuf>,
}

/// A prompt with all that belongs to it.
#[derive(Clone, Debug)]
pub struct LoadedPrompt {
    /// For every question about it.
    pub snapshot: Snapshot,
    /// The files concerned; a [`FileId`] is a position in this list.
    pub files: Vec<PathBuf>,
    /// Their texts, as they were read; `None` for those that could not be.
    pub texts: Vec<Option<Arc<str>>>,
    /// The config that counts.
    pub config: Option<Arc<Config>>,
    /// The cases whose files cannot be used, by name; the problems of the snapshot say why.
    pub broken: Vec<(String, FileId)>,
    /// The files behind `$file` values.
    pub file_values: Vec<PathBuf>,
    /// The dialect, if somebody said it.
    certain: Option<Dialect>,
    /// Whether it is ours even with front matter.
    claimed: bool,
}

impl LoadedPrompt {
    /// Follows an edit of the prompt; `text` is what it is now.
    pub fn edit(&mut self, text: &Rope, edit: Edit) {
        let snapshot = &mut self.snapshot;
        snapshot.text = text.clone();
        // Copied only while a question that was asked before still looks at it.
        Arc::make_mut(&mut snapshot.tree).edit(text, edit);
        snapshot.foreign = !self.claimed && has_front_matter(text);
        if self.certain.is_none() {
            let has_variables = snapshot.has_variables_file;
            let (dialect, fits) = dialect_of(None, text, &snapshot.cases, has_variables);
            snapshot.fits = fits;
            if dialect != snapshot.tree.dialect() {
                snapshot.tree = Arc::new(Tree::parse(dialect, text));
            }
        }
    }

    /// Takes over a text that is newer than the one it was loaded with, and that text's tokens.
    pub fn follow(&mut self, text: &Rope, tree: &Arc<Tree>) {
        let snapshot = &mut self.snapshot;
        if snapshot.text.is_instance(text) {
            return;
        }
        snapshot.text = text.clone();
        snapshot.tree = match tree.dialect() == snapshot.dialect() {
            true => tree.clone(),
            false => Arc::new(Tree::parse(snapshot.dialect(), text)),
        };
    }

    /// Whether a rule names a file as an inputs or variables file of this prompt, be it there
    /// or not.
    pub fn shares(&self, path: &Path) -> bool {
        let Some(config) = &self.config else { return false };
        config.rule_for(&self.files[0]).is_some_and(|rule| rule.shares(config.folder(), path))
    }

    /// Takes over the inputs and declarations of an earlier load where files do not parse now.
    pub fn keep_last_good(&mut self, old: &LoadedPrompt) {
        let broken: Vec<PathBuf> = self
            .snapshot
            .file_problems
            .iter()
            .filter(|problem| problem.code == Code::InvalidInputs)
            .filter_map(|problem| self.files.get(problem.location.file.0 as usize).cloned())
            .collect();
        for path in broken {
            let id = |files: &[PathBuf]| {
                files.iter().position(|file| *file == path).map(|index| FileId(index as u32))
            };
            let (Some(file), Some(old_file)) = (id(&self.files), id(&old.files)) else { continue };
            let is_there = self.snapshot.cases.iter().any(|case| case.inputs.file == file);
            let last = old.snapshot.cases.iter().find(|case| case.inputs.file == old_file);
            if let (false, Some(last)) = (is_there, last) {
                let inputs = Inputs { file, root: last.inputs.root.clone() };
                let case = Case { inputs: Arc::new(inputs), ..last.clone() };
                // At its old place: where nobody has selected a case, the first one is shown.
                let cases = &mut self.snapshot.cases;
                let at = cases.partition_point(|case| case.inputs.file < file);
                cases.insert(at, case);
            }
            let declarations = &old.snapshot.declarations;
            if declarations.file == old_file && self.snapshot.declarations.variables.is_empty() {
                let mut declarations = (**declarations).clone();
                declarations.file = file;
                self.snapshot.declarations = Arc::new(declarations);
            }
        }
    }
}

/// Reads what belongs to a prompt whose text is at hand.
///
/// `path` is absolute; `tree` is the tokens of the text, if they are at hand, too. Never fails:
/// what cannot be read is a problem of the snapshot.
pub fn load(
    files: &dyn Files,
    configs: &Configs,
    path: &Path,
    text: Rope,
    tree: Option<Arc<Tree>>,
    overrides: &Overrides,
) -> LoadedPrompt {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let config = configs.nearest(files, folder);
    let kind = kind_of(path, config.as_deref());
    let mut loader = Loader {
        files,
        config: config.as_deref(),
        prompt_folder: folder,
        root: OnceCell::new(),
        paths: vec![path.to_owned()],
        texts: vec![None],
        file_values: Vec::new(),
        problems: Vec::new(),
    };
    let found = loader.find(path, config.as_deref(), kind, overrides);
    loader.problems.extend(found.ambiguous);

    let mut cases = Vec::new();
    let mut broken = Vec::new();
    for (name, path, shared) in found.inputs {
        match loader.inputs(&path) {
            Ok(inputs) => cases.push(Case { name: name.into(), inputs: Arc::new(inputs), shared }),
            Err(file) => broken.push((name, file)),
        }
    }
    let mut declarations = Declarations::default();
    if let Some((path, _)) = &found.variables {
        declarations = loader.declarations(path).unwrap_or_default();
    }

    let rule = kind.and_then(|kind| kind.rule);
    let certain = overrides.dialect.or(kind.and_then(|kind| kind.dialect)).or(overrides.language);
    // Only what nobody named a prompt but its ending may belong to another tool.
    let claimed = rule.is_some() || overrides.dialect.is_some() || kind.is_none();
    let settings = config.as_deref().map_or_else(Settings::default, |config| config.settings(rule));
    let (dialect, fits) = dialect_of(certain, &text, &cases, found.variables.is_some());
    // Where no case can be read, nobody knows which names have values.
    let knows_names = broken.is_empty() || !cases.is_empty();
    let snapshot = Snapshot {
        tree: match tree {
            Some(tree) if tree.dialect() == dialect => tree,
            _ => Arc::new(Tree::parse(dialect, &text)),
        },
        foreign: !claimed && has_front_matter(&text),
        text,
        fits,
        cases,
        declarations: Arc::new(declarations),
        has_variables_file: found.variables.is_some() && knows_names,
        shared_variables: found.variables.is_some_and(|(_, shared)| shared),
        settings: Arc::new(settings),
        file_names: Arc::new(names_of(&loader.paths, folder)),
        file_texts: Arc::new(texts_of(&loader.texts)),
        file_problems: loader.problems,
    };
    let Loader { paths: files, texts, file_values, .. } = loader;
    LoadedPrompt { snapshot, files, texts, config, broken, file_values, certain, claimed }
}

/// The dialect of a prompt, and all that it may be if that is a guess.
fn dialect_of(
    certain: Option<Dialect>,
    text: &Rope,
    cases: &[Case],
    has_variables: bool,
) -> (Dialect, Vec<Dialect>) {
    if let Some(dialect) = certain {
        return (dialect, Vec::new());
    }
    let keys = cases.iter().flat_map(|case| case.inputs.root.entries());
    let keys = keys.map(|entry| &*entry.key).collect();
    let detection = detect(&beginning(text), &keys, has_variables);
    (detection.dialect, detection.fits)
}

/// How much of a prompt is looked at to guess its dialect, in bytes.
const DETECTED_IN: usize = 64 * 1024;

fn beginning(text: &Rope) -> String {
    let end = text.byte_to_char(text.len_bytes().min(DETECTED_IN));
    text.slice(..end).to_string()
}

/// Whether a text opens with front matter, as the prompts of another tool do.
pub fn has_front_matter(text: &Rope) -> bool {
    const LONGEST: usize = 16;
    let line = text.line(0);
    line.len_bytes() <= LONGEST
        && line.to_string().trim_start_matches('\u{FEFF}').trim_end() == "---"
}

/// File names relative to the prompt's folder, for messages.
fn names_of(paths: &[PathBuf], folder: &Path) -> BTreeMap<FileId, Arc<str>> {
    let name = |path: &PathBuf| {
        let shown = path.strip_prefix(folder).unwrap_or(path);
        Arc::from(shown.display().to_string())
    };
    (0..).map(FileId).zip(paths.iter().map(name)).collect()
}

/// The texts that could be read, by file.
fn texts_of(texts: &[Option<Arc<str>>]) -> BTreeMap<FileId, Arc<str>> {
    (0..).map(FileId).zip(texts).filter_map(|(file, text)| Some((file, text.clone()?))).collect()
}

/// What a `$file` may not leave: the folder of the config, else of the repository, else of the
/// prompt.
fn root(files: &dyn Files, config: Option<&Config>, folder: &Path) -> PathBuf {
    if let Some(config) = config {
        return config.folder().to_owned();
    }
    let is_repository = |folder: &&Path| {
        // A work tree has a file there, a plain repository a folder.
        folder.join(".git").exists() || files.list(folder).iter().any(|name| name == ".git")
    };
    folder.ancestors().find(is_repository).unwrap_or(folder).to_owned()
}

/// The inputs and variables files that lie beside a file, were it a prompt; none that belong to
/// another one.
pub fn sidecars_beside(path: &Path, files: &dyn Files, config: Option<&Config>) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let is_its_own = |other: &&String| {
        let base = split(other, "inputs").or_else(|| split(other, "variables"));
        let rest = base.and_then(|base| base.strip_prefix(stem(name)));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let names = files.list(folder);
    let beside = names.iter().filter(is_its_own).map(|other| folder.join(other));
    let is_free = |sidecar: &PathBuf| {
        let owners = prompts_of(sidecar, files, config, Vec::new);
        owners.iter().all(|owner| owner == path)
    };
    beside.filter(is_free).collect()
}

/// The folder in which a config for a prompt belongs, if there is none yet.
pub fn config_home(files: &dyn Files, prompt: &Path) -> PathBuf {
    root(files, None, prompt.parent().unwrap_or(Path::new("/")))
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
    if case == "default" {
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

/// The prompts that a sidecar belongs to: the one beside it, and those of the rules that name it.
///
/// `all` gives all prompts below the config; it is asked for only when it matters.
pub fn prompts_of(
    sidecar: &Path,
    files: &dyn Files,
    config: Option<&Config>,
    all: impl FnOnce() -> Vec<PathBuf>,
) -> Vec<PathBuf> {
    let folder = sidecar.parent().unwrap_or(Path::new("/"));
    let name = sidecar.file_name().unwrap_or_default().to_string_lossy();
    let mut prompts = Vec::new();
    if let Some(base) = split(&name, "inputs").or_else(|| split(&name, "variables")) {
        let names = files.list(folder);
        let is_owner = |other: &&String| {
            let rest = base.strip_prefix(stem(other));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                && kind_of(&folder.join(other), config).is_some()
        };
        // The longest stem that fits owns the file; two prompts may have it.
        let longest = names.iter().filter(is_owner).map(|other| stem(other).len()).max();
        let is_longest = |other: &&String| longest == Some(stem(other).len());
        let owners = names.iter().filter(is_owner).filter(is_longest);
        prompts.extend(owners.map(|owner| folder.join(owner)));
    }
    if let Some(config) = config.filter(|config| config.shares(sidecar)) {
        prompts.extend(all().into_iter().filter(|prompt| {
            config.rule_for(prompt).is_some_and(|rule| rule.shares(config.folder(), sidecar))
        }));
    }
    prompts.sort();
    prompts.dedup();
    prompts
}

/// What stands before `.inputs.json`, or another ending.
fn split<'n>(name: &'n str, what: &str) -> Option<&'n str> {
    let (rest, ending) = name.rsplit_once('.')?;
    let (base, found) = rest.rsplit_once('.')?;
    (ENDINGS.contains(&ending) && found == what).then_some(base)
}

/// The sidecars of a prompt.
#[derive(Default)]
struct Found {
    /// Case, path, and whether other prompts share it.
    inputs: Vec<(String, PathBuf, bool)>,
    variables: Option<(PathBuf, bool)>,
    ambiguous: Vec<Problem>,
}

struct Loader<'f> {
    files: &'f dyn Files,
    config: Option<&'f Config>,
    prompt_folder: &'f Path,
    /// See [`root`]; looked for only when it matters.
    root: OnceCell<PathBuf>,
    paths: Vec<PathBuf>,
    texts: Vec<Option<Arc<str>>>,
    file_values: Vec<PathBuf>,
    problems: Vec<Problem>,
}

impl Loader<'_> {
    fn find(
        &mut self,
        prompt: &Path,
        config: Option<&Config>,
        kind: Option<Kind<'_>>,
        overrides: &Overrides,
    ) -> Found {
        let mut found = Found::default();
        let rule = kind.and_then(|kind| kind.rule);
        if let Some(inputs) = &overrides.inputs {
            self.own(prompt, config, &mut found);
            found.inputs = vec![(case_in(inputs, prompt), inputs.clone(), false)];
        } else {
            if let (Some(rule), Some(config)) = (rule, config) {
                self.shared_inputs(&rule.inputs, config, &mut found);
            }
            self.own(prompt, config, &mut found);
        }
        if let Some(variables) = &overrides.variables {
            found.variables = Some((variables.clone(), false));
        } else if let (None, Some(rule), Some(config)) = (&found.variables, rule, config)
            && let Some(variables) = &rule.variables
        {
            found.variables = Some((absolute(config.folder(), Path::new(variables)), true));
        }
        found
    }

    /// Inputs files that a rule names: each is a case, called after its stem.
    fn shared_inputs(&mut self, globs: &[String], config: &Config, found: &mut Found) {
        for glob in globs {
            for path in self.files.glob(config.folder(), glob).iter() {
                let base = base_of(path);
                if !found.inputs.iter().any(|(_, other, _)| other == path) {
                    found.inputs.push((base, path.clone(), true));
                }
            }
        }
    }

    /// The prompt's own sidecars, beside it.
    fn own(&mut self, prompt: &Path, config: Option<&Config>, found: &mut Found) {
        let folder = prompt.parent().unwrap_or(Path::new("/"));
        let Some(name) = prompt.file_name().and_then(|name| name.to_str()) else { return };
        let stem = stem(name);
        let names = self.files.list(folder);
        // Everything of this prompt starts with its stem and a dot, and names are sorted.
        let start_of_own = format!("{stem}.");
        let start = names.partition_point(|other| **other < *start_of_own);
        let near: Vec<&str> = names[start..]
            .iter()
            .take_while(|other| other.starts_with(&start_of_own))
            .map(String::as_str)
            .collect();
        let is_prompt = |other: &str| kind_of(&folder.join(other), config).is_some();
        let other_prompts: Vec<&str> =
            near.iter().copied().filter(|other| *other != name && is_prompt(other)).collect();

        let mut cases: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for file in &near {
            let owned = |base: &str| {
                let rest = base.strip_prefix(stem)?;
                let case = if rest.is_empty() { "default" } else { rest.strip_prefix('.')? };
                // The longest prompt stem that fits owns the file.
                let is_other = other_prompts.iter().any(|other| {
                    let other = self::stem(other);
                    other.len() > stem.len()
                        && base
                            .strip_prefix(other)
                            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                });
                (!is_other).then(|| case.to_owned())
            };
            if let Some(case) = split(file, "inputs").and_then(owned) {
                cases.entry(case).or_default().push(file);
            } else if let Some(base) = split(file, "variables")
                && base == stem
            {
                match &found.variables {
                    None => found.variables = Some((folder.join(file), false)),
                    Some((first, _)) => {
                        let first = first.file_name().unwrap_or_default().to_string_lossy();
                        let message = format!(
                            "the variables are in two files, {first} and {file}; {first} counts"
                        );
                        found.ambiguous.push(ambiguous(message));
                    }
                }
            }
        }
        for (case, files) in &cases {
            if let [first, second, ..] = files[..] {
                let message =
                    format!("case {case} is in two files, {first} and {second}; {first} counts");
                found.ambiguous.push(ambiguous(message));
            }
        }
        let has_sidecars = !cases.is_empty() || found.variables.is_some();
        if has_sidecars {
            for other in other_prompts.iter().filter(|other| self::stem(other) == stem) {
                let message = format!(
                    "{name} and {other} have the same stem, so they share their inputs files; rename one"
                );
                found.ambiguous.push(ambiguous(message));
            }
        }
        // The default case first, then by name.
        let default = cases.remove_entry("default");
        for (case, files) in default.into_iter().chain(cases) {
            found.inputs.push((case, folder.join(files[0]), false));
        }
    }

    /// Makes a file known; the id of one that is known already.
    fn add(&mut self, path: &Path, text: Option<Arc<str>>) -> FileId {
        let index = match self.paths.iter().position(|known| known == path) {
            Some(index) => index,
            None => {
                self.paths.push(path.to_owned());
                self.texts.push(text);
                self.paths.len() - 1
            }
        };
        FileId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The text of a sidecar; a problem if there is none.
    fn read(&mut self, path: &Path) -> Result<(Arc<str>, FileId), FileId> {
        match self.files.read(path) {
            Ok(text) => {
                let file = self.add(path, Some(text.clone()));
                Ok((text, file))
            }
            Err(error) => {
                let file = self.add(path, None);
                self.problem(
                    Code::InvalidInputs,
                    file,
                    0..0,
                    format!("this file {}", error.reason()),
                );
                Err(file)
            }
        }
    }

    fn problem(
        &mut self,
        code: Code,
        file: FileId,
        range: std::ops::Range<usize>,
        message: String,
    ) {
        self.problems.push(Problem::new(code, Location { file, range }, message));
    }

    /// The values of a file; its id if they cannot be used.
    fn inputs(&mut self, path: &Path) -> Result<Inputs, FileId> {
        let (text, file) = self.read(path)?;
        let Parsed { value, problems } = Inputs::parse(&text, format_of(path), file);
        self.problems.extend(problems);
        let mut inputs = value.ok_or(file)?;
        let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
        let mut refused = Vec::new();
        for (reference, span) in inputs.file_texts_mut() {
            match self.file_text(&folder, &reference.path) {
                Ok(text) => reference.text = Some(text),
                Err(message) => refused.push((span, message)),
            }
        }
        for (span, message) in refused {
            self.problem(Code::InvalidInputs, file, span.range(), message);
        }
        Ok(inputs)
    }

    /// The text that a `$file` stands for.
    fn file_text(&mut self, folder: &Path, relative: &str) -> Result<Arc<str>, String> {
        let path = absolute(folder, Path::new(relative));
        self.file_values.push(path.clone());
        let root = self.root.get_or_init(|| root(self.files, self.config, self.prompt_folder));
        // Inputs from elsewhere, which the command line names, bring their own files.
        let root = if folder.starts_with(root) { root } else { folder };
        let outside =
            || format!("`{relative}` is outside {}; a `$file` must stay inside", root.display());
        if !path.starts_with(root) {
            return Err(outside());
        }
        // A link may lead out, too.
        if let (Ok(real), Ok(root)) = (path.canonicalize(), root.canonicalize())
            && !real.starts_with(root)
        {
            return Err(outside());
        }
        self.files.read(&path).map_err(|error| format!("`{relative}` {}", error.reason()))
    }

    fn declarations(&mut self, path: &Path) -> Option<Declarations> {
        let (text, file) = self.read(path).ok()?;
        let Parsed { value, problems } = Declarations::parse(&text, format_of(path), file);
        self.problems.extend(problems);
        value
    }
}

fn ambiguous(message: String) -> Problem {
    Problem::new(Code::AmbiguousSidecar, Location { file: FileId::PROMPT, range: 0..0 }, message)
}

/// What an inputs file is called, without its endings.
fn base_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    split(&name, "inputs").unwrap_or_else(|| stem(&name)).to_owned()
}

/// The case that an inputs file from anywhere is for a prompt.
fn case_in(inputs: &Path, prompt: &Path) -> String {
    let base = base_of(inputs);
    let name = prompt.file_name().unwrap_or_default().to_string_lossy();
    match base.strip_prefix(stem(&name)) {
        Some("") => "default".to_owned(),
        Some(rest) => rest.strip_prefix('.').unwrap_or(&base).to_owned(),
        None => base,
    }
}

/// The file name without its last extension.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn format_of(path: &Path) -> Format {
    path.to_str().and_then(Format::from_path).unwrap_or(Format::Json)
}
