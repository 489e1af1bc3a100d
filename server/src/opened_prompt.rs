//! One prompt and one of its cases: what `resolve` and `preview` work on.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::position::Encoding;
use promptls_analysis::{DEFAULT_CASE, DEFAULT_MAX_PROBLEMS, Snapshot, did_you_mean};
use promptls_resolver::{
    Code, EngineRef, FileId, Given, Location, Problem, Resolution, SourceMap, Template,
};

use crate::args::PromptArgs;
use crate::errors::CommandError;
use crate::output::files_read::FilesRead;
use crate::output::terminal;
use crate::output::unread::{in_line, require_config};
use crate::paths::Paths;
use promptls_workspace::{
    Check, Configs, Disk, DiskOnce, Files, Overrides, Prompt, PromptFile, ReadError, Scope,
    Sources, read_text, unknown_version,
};

/// What a prompt from standard input is called.
const STDIN: &str = "<stdin>";

/// A prompt from the command line with all that belongs to it.
#[derive(Debug)]
pub struct OpenedPrompt {
    /// What it is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its files, for messages.
    pub sources: Sources,
    /// The file that it stands in.
    file: PromptFile,
    /// Which of the prompts there it is.
    index: usize,
}

/// One case of a prompt.
#[derive(Clone, Debug)]
pub struct OpenedCase {
    /// What it is called; `None` without any inputs, which are an empty object.
    pub case: Option<String>,
    scope: Scope,
    /// The prompt as if there were no other case.
    pub snapshot: Snapshot,
    /// What makes its files unusable: nothing, mostly.
    pub unusable: Vec<Problem>,
}

impl OpenedPrompt {
    /// Reads a prompt and its sidecars.
    pub fn open(args: &PromptArgs, inputs: Option<&Path>) -> Result<OpenedPrompt, CommandError> {
        if let Some(engine) = args.engine.filter(EngineRef::is_unknown_version) {
            terminal::complain(&format!("promptls: note: {}", unknown_version(engine)));
        }
        OpenedPrompt::open_after(args, inputs, None)
    }

    /// The same again, after some file may have changed. What cannot be used now stays as it was:
    /// [`OpenedPrompt::stale`] says why.
    pub fn open_again(&self, args: &PromptArgs) -> Result<OpenedPrompt, CommandError> {
        OpenedPrompt::open_after(args, None, Some(&self.file))
    }

    fn open_after(
        args: &PromptArgs,
        inputs: Option<&Path>,
        last: Option<&PromptFile>,
    ) -> Result<OpenedPrompt, CommandError> {
        let mut paths = Paths::new()?;
        let overrides = Overrides {
            dialect: args.dialect,
            engine: args.engine,
            language: None,
            inputs: inputs.map(|path| paths.absolute(path)),
            variables: args.variables.as_deref().map(|path| paths.absolute(path)),
        };
        let disk = DiskOnce::default();
        let configs = Configs::default();
        #[cfg(feature = "stores")]
        if let Some(fetched) = crate::stores::fetch(args)? {
            let dialect = args.dialect.or(Some(fetched.dialect));
            let overrides = Overrides { dialect, ..overrides };
            let (path, text) = (&fetched.path, fetched.text.as_str().into());
            let file = PromptFile::read(&disk, &configs, path, text, &overrides, last);
            return OpenedPrompt::in_file(file, args.task.as_deref(), &paths);
        }
        let (files, path, text): (&dyn Files, _, Arc<str>) = match args.is_stdin() {
            true => (&Alone, paths.current().join(STDIN), read_stdin()?.into()),
            false => (&disk, paths.absolute(&args.prompt), Disk.read_named(&args.prompt)?),
        };
        let file = PromptFile::read(files, &configs, &path, text.into(), &overrides, last);
        // One that is opened again shows what it last said.
        if let Some(config) = file.config().filter(|_| last.is_none()) {
            require_config(config, Check { files, configs: &configs })?;
        }
        if let Some(error) = file.unusable(&overrides, &paths.shown(&path)) {
            return Err(error.into());
        }
        OpenedPrompt::in_file(file, args.task.as_deref(), &paths)
    }

    /// A prompt with another text than its file has.
    #[cfg(feature = "stores")]
    pub fn of_text(
        path: &Path,
        text: &str,
        dialect: Option<promptls_resolver::Dialect>,
    ) -> Result<OpenedPrompt, CommandError> {
        let (disk, configs) = (DiskOnce::default(), Configs::default());
        let overrides = Overrides { dialect, ..Overrides::default() };
        let file = PromptFile::read(&disk, &configs, path, text.into(), &overrides, None);
        OpenedPrompt::in_file(file, None, &Paths::new()?)
    }

    /// Where its file is; absolute.
    pub fn path(&self) -> &Path {
        &self.file.files[0]
    }

    /// The file that it stands in.
    pub fn file(&self) -> &PromptFile {
        &self.file
    }

    /// Which of the prompts there it is.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Whether its text is that of its file.
    pub fn is_whole_file(&self) -> bool {
        self.file.where_prompts_stand().is_none()
    }

    /// The names that it reads.
    #[cfg(feature = "stores")]
    pub fn names(&self) -> std::collections::BTreeSet<String> {
        Template::compile(self.snapshot().engine(), &self.text).names().into_iter().collect()
    }

    /// A prompt of a file by its name there; without one, the only prompt.
    fn in_file(
        file: PromptFile,
        task: Option<&str>,
        paths: &Paths,
    ) -> Result<OpenedPrompt, CommandError> {
        let sources = Sources::of(&file, Encoding::Utf32, |path: &Path| paths.shown(path));
        let name = sources.name(file.file).to_owned();
        let index = file.choose(task, &name)?;
        let text = file.prompts[index].snapshot.text.to_string();
        Ok(OpenedPrompt { name, text, sources, file, index })
    }

    /// What it is called in its file; `None` if it is the file.
    pub fn task(&self) -> Option<&str> {
        self.prompt().name.as_deref()
    }

    /// For every question about it.
    pub fn snapshot(&self) -> &Snapshot {
        &self.prompt().snapshot
    }

    fn prompt(&self) -> &Prompt {
        &self.file.prompts[self.index]
    }

    /// A place in the prompt as a place in the file that people see.
    pub fn place_in_files(&self, location: Location) -> Option<Location> {
        self.file.location_in_file(self.prompt(), location)
    }

    /// Moves the places of a source map into the file that people see.
    pub fn map_in_files(&self, map: &mut SourceMap) {
        self.file.map_in_file(self.prompt(), map);
    }

    /// What is wrong in a case, with places in the files.
    pub fn problems_in(&self, opened_case: &OpenedCase) -> Vec<Problem> {
        self.file.problems_of(self.index, opened_case.scope, DEFAULT_MAX_PROBLEMS)
    }

    /// What is wrong in a case that was resolved, with places in the files.
    pub fn problems_of_resolved(
        &self,
        opened_case: &OpenedCase,
        resolution: &Resolution,
    ) -> Vec<Problem> {
        let max = DEFAULT_MAX_PROBLEMS;
        self.file.problems_of_resolved(self.index, opened_case.scope, resolution, max)
    }

    /// What is wrong in any case, with places in the files.
    pub fn problems(&self) -> Vec<Problem> {
        self.file.problems_of(self.index, Scope::AllCases, DEFAULT_MAX_PROBLEMS)
    }

    /// The names of all cases, in the order in which we list them.
    pub fn cases(&self) -> Vec<&str> {
        let snapshot = self.snapshot();
        let cases = snapshot.cases.iter().map(|case| &*case.name);
        let broken = self.file.broken_cases_of(self.prompt()).into_iter().map(|(name, _)| name);
        cases.chain(broken.filter(|name| snapshot.case_named(name).is_none())).collect()
    }

    /// Why a case, or what is declared, is older than its file; `None` if it is not.
    pub fn stale(&self, opened_case: &OpenedCase) -> Option<String> {
        Some(self.place_of(self.file.stale(&opened_case.snapshot)?))
    }

    /// The files that it is made from, and those behind `$file` values.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.file.all_files()
    }

    /// The files that an output must not replace: [`OpenedPrompt::files`] and the configs.
    pub fn files_read(&self) -> FilesRead {
        let read = FilesRead::default();
        read.add_prompts(&self.file);
        read
    }

    fn place_of(&self, problem: &Problem) -> String {
        in_line(problem, &self.sources)
    }

    /// A case by its name; without one, `default`, else the first.
    pub fn choose(&self, case: Option<&str>) -> Result<OpenedCase, CommandError> {
        let known = self.cases();
        let case = match case {
            Some(case) if known.contains(&case) => Some(case),
            Some(case) => return Err(self.unknown_case(case, &known)),
            None => {
                known.iter().copied().find(|case| *case == DEFAULT_CASE).or(known.first().copied())
            }
        };
        let index = case.and_then(|case| self.snapshot().case_named(case));
        let mut broken = self.file.broken_cases_of(self.prompt()).into_iter();
        let broken = broken.find(|(name, _)| Some(*name) == case).filter(|_| index.is_none());
        let scope = match broken {
            Some((_, file)) => Scope::BrokenCase(file),
            None => Scope::OneCase(index),
        };
        Ok(self.in_scope(case.map(str::to_owned), scope))
    }

    /// The prompt as if it had no case.
    pub fn without_cases(&self) -> OpenedCase {
        self.in_scope(None, Scope::OneCase(None))
    }

    fn in_scope(&self, case: Option<String>, scope: Scope) -> OpenedCase {
        let snapshot = self.file.snapshot_in(self.prompt(), scope);
        // In a pack, one bad declaration or fragment leaves the others.
        let is_unusable = |problem: &&Problem| {
            let file = problem.location.file;
            // What a case lacks that is not asked for is said at the prompt, in hosts as elsewhere.
            let is_sidecar = file != self.file.file && file != FileId::PROMPT;
            problem.code == Code::InvalidInputs && is_sidecar && !self.file.is_kept(file)
        };
        let unusable = snapshot.file_problems.iter().filter(is_unusable).cloned();
        let in_file = |problem| self.file.in_file(self.prompt(), problem);
        let mut unusable: Vec<Problem> = unusable.filter_map(in_file).collect();
        // A pipe or a folder has its problem in the prompt, where an editor can open it.
        let counts = |file: FileId| match scope {
            Scope::BrokenCase(broken) => file == broken,
            _ => !self.file.broken_cases().iter().any(|(_, broken)| *broken == file),
        };
        let unread = self.file.unread_sidecars().iter();
        let unread = unread.filter(|(file, _)| counts(*file) && !self.file.is_kept(*file));
        for (_, why) in unread.filter(|(_, why)| why.location.file == FileId::PROMPT) {
            unusable.push(why.clone());
        }
        OpenedCase { case, scope, snapshot, unusable }
    }

    fn unknown_case(&self, case: &str, known: &[&str]) -> CommandError {
        let prompt = self.name.clone();
        let case = case.to_owned();
        if known.is_empty() {
            return CommandError::NoCases { prompt, case };
        }
        let hint = did_you_mean(&case, known.iter().copied());
        CommandError::UnknownCase { prompt, case, hint, known: known.join(", ") }
    }

    /// Says on stderr that the dialect is a guess, if it is one.
    pub fn mention_guess(&self) {
        let snapshot = self.snapshot();
        if snapshot.is_guessed() && !snapshot.settings.severities.is_off(Code::DialectGuessed) {
            let spec = snapshot.dialect().spec();
            terminal::complain(&format!(
                "promptls: note: nobody said the dialect of {}; read as {} ({}); --dialect makes it certain",
                self.name, spec.title, spec.id
            ));
        }
    }

    /// Says on stderr where values would be looked for, if there are none.
    pub fn mention_no_inputs(&self) {
        if self.snapshot().has_inputs() || self.name == STDIN {
            return;
        }
        let Some(path) = self.file.new_case(self.prompt(), DEFAULT_CASE) else { return };
        let Ok(paths) = Paths::new() else { return };
        let (prompt, inputs) = (&self.name, paths.shown(&path));
        terminal::complain(&format!(
            "promptls: note: {prompt} has no inputs file; {inputs} would give it values"
        ));
    }

    /// Says on stderr why the files of a case cannot be used.
    pub fn mention_unusable(&self, opened_case: &OpenedCase) {
        for problem in &opened_case.unusable {
            terminal::complain(&format!("promptls: {}", self.place_of(problem)));
        }
    }

    /// The prompt, compiled.
    pub fn template<'t>(&'t self, opened_case: &OpenedCase) -> Template<'t> {
        Template::compile(opened_case.snapshot.engine(), &self.text)
    }
}

impl OpenedCase {
    /// What the resolver gets.
    pub fn given(&self, max_output: usize) -> Option<Given<'_>> {
        let given = self.snapshot.given().into_iter().next()?;
        Some(Given { max_output, ..given })
    }
}

fn read_stdin() -> Result<String, CommandError> {
    let name = Path::new(STDIN);
    Ok(read_text(io::stdin().lock(), name)?)
}

/// Files on disk for a prompt that is in no folder: nothing lies beside it.
struct Alone;

impl Files for Alone {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        Disk.read(path)
    }

    fn read_named(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        Disk.read_named(path)
    }

    fn list(&self, _: &Path) -> Arc<[String]> {
        Arc::default()
    }

    fn is_there(&self, path: &Path) -> bool {
        Disk.is_there(path)
    }

    fn is_link(&self, path: &Path) -> bool {
        Disk.is_link(path)
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        Disk.without_links(path)
    }

    fn glob(&self, _: &Path, _: &str) -> Arc<[PathBuf]> {
        Arc::default()
    }
}
