//! One prompt and one of its cases, as used by `resolve` and `preview`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::position::Encoding;
use promptls_analysis::{DEFAULT_CASE, DEFAULT_MAX_PROBLEMS, Snapshot, did_you_mean};
use promptls_resolver::{
    Code, EngineRef, FileId, Inputs, Location, Problem, Resolution, ResolveContext, Severity,
    SourceMap, Template,
};

use promptls_protocol::FileProblem;

use crate::args::PromptArgs;
use crate::errors::CommandError;
use crate::output::files_read::FilesRead;
use crate::output::json::file_problem;
use crate::output::prompt_address::prompt_address;
use crate::output::terminal;
use crate::output::unread::{in_line, require_config};
use crate::paths::Paths;
use crate::preview::choice::note_others;
use promptls_workspace::{
    Chat, Configs, DISK, Disk, DiskOnce, Files, Layer, Listing, NoSuchPrompt, Overrides, PartFiles,
    Project, Prompt, PromptFile, Scope, Sources, WholeProblems, read_text, unknown_version,
};

/// The name of a prompt from standard input.
const STDIN: &str = "<stdin>";

/// A prompt from the command line with its files.
#[derive(Debug)]
pub struct OpenedPrompt {
    /// The name of the prompt.
    pub name: String,
    pub text: String,
    /// Its files with their texts, for messages with positions.
    pub sources: Sources,
    /// The file that contains it.
    file: PromptFile,
    /// The files with parts of it, and their texts.
    parts: PartFiles,
    part_sources: Vec<Sources>,
    /// The index of the prompt in the file; of a chat, that of a message.
    index: usize,
    /// The name of the chat that it stands for; `None` for a prompt alone.
    chat: Option<String>,
}

/// One case of a prompt.
#[derive(Clone, Debug)]
pub struct OpenedCase {
    /// The name of the case; `None` without any inputs, which are then an empty object.
    pub case: Option<String>,
    scope: Scope,
    /// The prompt without other cases.
    pub snapshot: Snapshot,
    /// The problems that make its files unusable; usually none.
    pub unusable: Vec<Problem>,
}

/// Chooses a prompt of a file by its name, if one is given; returns its index. The last argument is
/// the name of the file in errors.
type Choose = fn(&PromptFile, Option<&str>, &str) -> Result<usize, NoSuchPrompt>;

/// As [`PromptFile::choose`], but the first one without a name.
fn choose_first(file: &PromptFile, name: Option<&str>, shown: &str) -> Result<usize, NoSuchPrompt> {
    let first = file.prompts.first().and_then(|prompt| prompt.name.as_deref());
    file.choose(name.or(first), shown)
}

/// Prints a note if the version of the engine is not a known one.
fn note_engine(args: &PromptArgs) {
    if let Some(engine) = args.engine.filter(EngineRef::is_unknown_version) {
        terminal::complain(&format!("promptls: note: {}", unknown_version(engine)));
    }
}

impl OpenedPrompt {
    /// Reads a prompt and its sidecars. Fails for a chat, which has several texts.
    pub fn open(args: &PromptArgs) -> Result<OpenedPrompt, CommandError> {
        let opened = OpenedPrompt::open_any(args, None)?.into_prompt();
        match opened.chat() {
            Some(chat) => Err(opened.file.names_messages(chat).into()),
            None => Ok(opened),
        }
    }

    /// Reads a prompt or a chat, and its sidecars.
    pub fn open_any(
        args: &PromptArgs,
        inputs: Option<&Path>,
    ) -> Result<OpenedPrompt, CommandError> {
        note_engine(args);
        OpenedPrompt::open_after(args, inputs, None, PromptFile::choose)
    }

    /// The same; of several prompts of a file, the first one is meant, and a note names the others.
    pub fn open_first(args: &PromptArgs) -> Result<OpenedPrompt, CommandError> {
        note_engine(args);
        let opened = OpenedPrompt::open_after(args, None, None, choose_first)?;
        let names = opened.file.addresses();
        if let [first, others @ ..] = &names[..]
            && args.task.is_none()
            && !others.is_empty()
        {
            note_others(&prompt_address(&opened.name, Some(first)), others.iter().copied());
        }
        Ok(opened)
    }

    /// Opens the prompt again after files may have changed. Files that cannot be used keep their
    /// last good content; [`OpenedPrompt::stale`] returns the reason.
    pub fn open_again(&self, args: &PromptArgs) -> Result<OpenedPrompt, CommandError> {
        OpenedPrompt::open_after(args, None, Some(&self.file), choose_first)
    }

    fn open_after(
        args: &PromptArgs,
        inputs: Option<&Path>,
        last: Option<&PromptFile>,
        choose: Choose,
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
            let project = disk.project(&configs);
            let file = PromptFile::read(project, path, text, &overrides, last);
            return OpenedPrompt::in_file(file, project, args.task.as_deref(), choose);
        }
        let (project, path, text): (_, _, Arc<str>) = match args.is_stdin() {
            true => {
                let project = Project::without_program(&StdinLayer, &configs);
                (project, paths.current().join(STDIN), read_stdin()?)
            }
            false => {
                let path = paths.absolute(&args.prompt);
                (disk.project(&configs), path, DISK.read_named(&args.prompt)?)
            }
        };
        let file = PromptFile::read(project, &path, text.into(), &overrides, last);
        // A prompt that is opened again shows its last good state.
        if let Some(config) = file.config().filter(|_| last.is_none()) {
            require_config(config, project)?;
        }
        if let Some(error) = file.unusable(&overrides, &paths.shown(&path)) {
            return Err(error.into());
        }
        OpenedPrompt::in_file(file, project, args.task.as_deref(), choose)
    }

    /// The prompt with a text that replaces that of its file.
    #[cfg(feature = "stores")]
    pub fn of_text(
        path: &Path,
        text: &str,
        dialect: Option<promptls_resolver::Dialect>,
    ) -> Result<OpenedPrompt, CommandError> {
        let (disk, configs) = (DiskOnce::default(), Configs::default());
        let overrides = Overrides { dialect, ..Overrides::default() };
        let project = disk.project(&configs);
        let file = PromptFile::read(project, path, text.into(), &overrides, None);
        OpenedPrompt::in_file(file, project, None, PromptFile::choose)
    }

    /// The absolute path of its file.
    pub fn path(&self) -> &Path {
        &self.file.files[0]
    }

    /// The file that contains it.
    pub fn file(&self) -> &PromptFile {
        &self.file
    }

    /// The index of the prompt in its file.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Whether its text is the whole text of its file.
    pub fn is_whole_file(&self) -> bool {
        self.file.where_prompts_stand().is_none()
    }

    /// The names that it uses.
    #[cfg(feature = "stores")]
    pub fn names(&self) -> std::collections::BTreeSet<String> {
        Template::compile(self.snapshot().engine(), &self.text).names().into_iter().collect()
    }

    /// A prompt of a file by its name there; without a name, the only prompt.
    fn in_file(
        file: PromptFile,
        project: Project<'_>,
        task: Option<&str>,
        choose: Choose,
    ) -> Result<OpenedPrompt, CommandError> {
        let paths = Paths::new()?;
        let sources_of =
            |file: &PromptFile| Sources::of(file, Encoding::Utf32, |path: &Path| paths.shown(path));
        let sources = sources_of(&file);
        let parts = PartFiles::of(&file, project);
        let part_sources = parts.files().iter().map(sources_of).collect();
        let name = sources.name(file.file).to_owned();
        let named = match task {
            Some(task) => file.chat_named(task),
            None => file.only_chat(),
        };
        let of_chat = named.and_then(|chat| Some((chat, file.prompt_of_chat(chat)?)));
        let (chat, index) = match of_chat {
            Some((chat, index)) => (Some(chat), index),
            None => {
                let index = choose(&file, task, &name)?;
                (file.chat_of(index).filter(|_| task.is_none()), index)
            }
        };
        let chat = chat.map(|chat| chat.name.clone());
        let text = file.prompts[index].snapshot.text.to_string();
        Ok(OpenedPrompt { name, text, sources, file, parts, part_sources, index, chat })
    }

    /// The prompt of a chat that is nothing else.
    pub fn into_prompt(self) -> OpenedPrompt {
        let is_one = self.chat().is_some_and(|chat| chat.messages.len() == 1);
        OpenedPrompt { chat: self.chat.clone().filter(|_| !is_one), ..self }
    }

    /// The chat that was named, or whose messages are the only prompts of the file.
    pub fn chat(&self) -> Option<&Chat> {
        self.chat.as_deref().and_then(|name| self.file.chat_named(name))
    }

    /// Its name in its file, or that of the chat; `None` if the whole file is the prompt.
    pub fn task(&self) -> Option<&str> {
        self.chat.as_deref().or(self.prompt().name.as_deref())
    }

    /// The snapshot for all queries.
    pub fn snapshot(&self) -> &Snapshot {
        &self.prompt().snapshot
    }

    fn prompt(&self) -> &Prompt {
        &self.file.prompts[self.index]
    }

    /// Converts a place in the prompt into a place in its file on disk.
    pub fn place_in_files(&self, location: Location) -> Option<Location> {
        self.file.location_in_file(self.prompt(), location)
    }

    /// Converts the places of a source map into places in the file on disk.
    pub fn map_in_files(&self, map: &mut SourceMap) {
        self.file.map_in_file(self.prompt(), map);
    }

    /// The problems in a case, with places in the files.
    pub fn problems_in(&self, opened_case: &OpenedCase) -> WholeProblems {
        self.problems_in_scope(opened_case.scope)
    }

    fn problems_in_scope(&self, scope: Scope) -> WholeProblems {
        let own = match self.chat() {
            Some(chat) => self.file.problems_of_chat(chat, scope, DEFAULT_MAX_PROBLEMS),
            None => self.file.problems_of(self.index, scope, DEFAULT_MAX_PROBLEMS),
        };
        self.with_parts(scope, own)
    }

    /// Some problems in a scope, with those of its parts in other files.
    fn with_parts(&self, scope: Scope, own: Vec<Problem>) -> WholeProblems {
        let indices = match self.chat() {
            Some(chat) => chat.prompts().collect(),
            None => vec![self.index],
        };
        self.parts.problems(&self.file, &indices, scope, own, DEFAULT_MAX_PROBLEMS)
    }

    /// Problems with the texts of the files that their places are in.
    pub fn with_sources<'p>(
        &'p self,
        problems: &'p WholeProblems,
    ) -> impl Iterator<Item = (&'p Problem, &'p Sources)> {
        let own = problems.own.iter().map(|problem| (problem, &self.sources));
        let of_parts = problems.of_parts.iter();
        own.chain(of_parts.map(|(file, problem)| (problem, &self.part_sources[*file])))
    }

    /// Problems with their places, for machine-readable output.
    pub fn file_problems(&self, problems: &WholeProblems) -> Vec<FileProblem> {
        let all = self.with_sources(problems);
        all.map(|(problem, sources)| file_problem(problem, sources)).collect()
    }

    /// The problems in a resolved case, with places in the files.
    pub fn problems_of_resolved(
        &self,
        opened_case: &OpenedCase,
        resolution: &Resolution,
    ) -> WholeProblems {
        let (scope, max) = (opened_case.scope, DEFAULT_MAX_PROBLEMS);
        let own = self.file.problems_of_resolved(self.index, scope, resolution, max);
        self.with_parts(scope, own)
    }

    /// The problems in all cases, with places in the files.
    pub fn problems(&self) -> WholeProblems {
        self.problems_in_scope(Scope::AllCases)
    }

    /// The names of all cases, in display order.
    pub fn cases(&self) -> Vec<&str> {
        let snapshot = self.snapshot();
        let cases = snapshot.cases.iter().map(|case| &*case.name);
        let broken = self.file.broken_cases_of(self.prompt()).into_iter().map(|(name, _)| name);
        cases.chain(broken.filter(|name| snapshot.case_named(name).is_none())).collect()
    }

    /// Why a case or the declarations are older than their file; `None` if they are not.
    pub fn stale(&self, opened_case: &OpenedCase) -> Option<String> {
        Some(self.place_of(self.file.stale(&opened_case.snapshot)?))
    }

    /// The files that it is made from, and those of `$file` values.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.file.all_files().chain(self.parts.files().iter().flat_map(PromptFile::all_files))
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

    /// A case by its name; without a name, `default`, else the first.
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

    /// The prompt as it is sent without any inputs, even if it has cases.
    pub fn without_cases(&self) -> OpenedCase {
        self.in_scope(None, Scope::OneCase(None))
    }

    fn in_scope(&self, case: Option<String>, scope: Scope) -> OpenedCase {
        let snapshot = self.file.snapshot_in(self.prompt(), scope);
        // In a pack, an invalid declaration or fragment does not affect the others.
        let is_unusable = |problem: &&Problem| {
            let file = problem.location.file;
            // Problems of cases that were not requested are at the prompt, in hosts as elsewhere.
            let is_sidecar = file != self.file.file && file != FileId::PROMPT;
            problem.code.is_unusable_file() && is_sidecar && !self.file.is_kept(file)
        };
        let unusable = snapshot.file_problems.iter().filter(is_unusable).cloned();
        let in_file = |problem| self.file.in_file(self.prompt(), problem);
        let mut unusable: Vec<Problem> = unusable.filter_map(in_file).collect();
        // The problem of a pipe or folder is in the prompt, which an editor can open.
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

    /// Reports on stderr that the dialect is a guess, if it is one.
    pub fn mention_guess(&self) {
        let snapshot = self.snapshot();
        if snapshot.is_guessed() && !snapshot.settings.severities.is_off(Code::DialectGuessed) {
            let spec = snapshot.dialect().spec();
            terminal::complain(&format!(
                "promptls: note: the dialect of {} is not given; read as {} ({}); set it with --dialect",
                self.name, spec.title, spec.id
            ));
        }
    }

    /// Reports on stderr that the text may not be the one that the engine of the project sends.
    pub fn mention_unknown_engine(&self) {
        if self.snapshot().settings.unknown_engine.is_none() {
            return;
        }
        let is_meant =
            |it: &&Problem| (it.code, it.severity) == (Code::EngineDiffers, Severity::Information);
        if let Some(problem) = self.problems().own.iter().find(is_meant) {
            terminal::complain(&format!("promptls: note: {}: {}", self.name, problem.message));
        }
    }

    /// Reports on stderr which inputs files are possible, if there are none.
    pub fn mention_no_inputs(&self) {
        if self.snapshot().has_inputs() || self.name == STDIN {
            return;
        }
        let Some(path) = self.file.new_case(self.prompt(), DEFAULT_CASE) else { return };
        let Ok(paths) = Paths::new() else { return };
        let (prompt, inputs) = (&self.name, paths.shown(&path));
        terminal::complain(&format!(
            "promptls: note: {prompt} has no inputs file; values are read from {inputs}"
        ));
    }

    /// Reports on stderr why the files of a case cannot be used.
    pub fn mention_unusable(&self, opened_case: &OpenedCase) {
        for problem in &opened_case.unusable {
            terminal::complain(&format!("promptls: {}", self.place_of(problem)));
        }
    }

    /// The prompt, compiled for the engine of this case.
    pub fn template<'t>(&'t self, opened_case: &OpenedCase) -> Template<'t> {
        Template::compile(opened_case.snapshot.engine(), &self.text)
    }
}

impl OpenedCase {
    /// The values of its inputs file; empty without one.
    pub fn inputs(&self) -> Arc<Inputs> {
        let case = self.snapshot.cases.first();
        case.map(|case| case.inputs.clone()).unwrap_or_default()
    }

    /// The values for the resolver.
    pub fn given(&self, max_output: usize) -> Option<ResolveContext<'_>> {
        let given = self.snapshot.given().into_iter().next()?;
        Some(ResolveContext { max_output, ..given })
    }
}

fn read_stdin() -> Result<Arc<str>, CommandError> {
    let name = Path::new(STDIN);
    Ok(read_text(io::stdin().lock(), name)?)
}

/// Files on disk for a prompt without a folder, which has no sidecars.
struct StdinLayer;

impl Layer for StdinLayer {
    fn below(&self) -> &dyn Files {
        &Disk
    }

    fn list(&self, _: &Path) -> Arc<Listing> {
        Arc::default()
    }

    fn glob(&self, _: &Path, _: &str) -> Arc<[PathBuf]> {
        Arc::default()
    }
}
