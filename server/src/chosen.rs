//! One prompt and one of its cases: what `resolve` and `preview` work on.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::position::Encoding;
use promptls_analysis::{DEFAULT_MAX_PROBLEMS, Snapshot, diagnose, did_you_mean};
use promptls_resolver::{
    Code, FileId, Given, Problem, Resolution, Run, Severity, SourceMap, Template,
};
use ropey::Rope;

use crate::cli::PromptArgs;
use crate::errors::CommandError;
use crate::paths::Paths;
use crate::sources::Sources;
use crate::terminal;
use crate::workspace::{
    Configs, Disk, Files, LoadedPack, LoadedPrompt, Overrides, PackPrompt, ReadError, inputs_path,
    is_pack, load, load_pack, read_from_disk, text,
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
    /// The rest.
    pub loaded: LoadedPrompt,
    /// Its files, for messages.
    pub sources: Sources,
    /// The pack that it stands in, and itself there.
    pack: Option<(LoadedPack, PackPrompt)>,
    /// Whether it was read before.
    is_again: bool,
}

/// One case of a prompt.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// What it is called; `None` without any inputs, which are an empty object.
    pub case: Option<String>,
    /// The prompt as if there were no other case.
    pub snapshot: Snapshot,
    /// What makes its files unusable: nothing, mostly.
    pub unusable: Vec<Problem>,
}

impl OpenedPrompt {
    /// Reads a prompt and its sidecars.
    pub fn open(args: &PromptArgs, inputs: Option<&Path>) -> Result<OpenedPrompt, CommandError> {
        OpenedPrompt::open_after(args, inputs, None)
    }

    /// The same again, after some file may have changed. What cannot be used now stays as it was:
    /// [`OpenedPrompt::stale`] says why.
    pub fn open_again(&self, args: &PromptArgs) -> Result<OpenedPrompt, CommandError> {
        let again = OpenedPrompt::open_after(args, None, Some(self))?;
        Ok(OpenedPrompt { is_again: true, ..again })
    }

    fn open_after(
        args: &PromptArgs,
        inputs: Option<&Path>,
        old: Option<&OpenedPrompt>,
    ) -> Result<OpenedPrompt, CommandError> {
        let mut paths = Paths::new()?;
        let overrides = Overrides {
            dialect: args.dialect,
            language: None,
            inputs: inputs.map(|path| paths.absolute(path)),
            variables: args.variables.as_deref().map(|path| paths.absolute(path)),
        };
        let disk = Disk::default();
        let configs = Configs::default();
        if is_pack(&args.prompt) {
            let text = read_from_disk(&args.prompt)?.into();
            let path = paths.absolute(&args.prompt);
            let mut pack = load_pack(&disk, &configs, &path, text, &overrides);
            if let Some((old, _)) = old.and_then(|old| old.pack.as_ref()) {
                pack.keep_last_good(old);
            }
            return OpenedPrompt::in_pack(pack, args.task.as_deref(), &paths);
        }
        if let Some(task) = &args.task {
            let (prompt, task) = (args.prompt.display().to_string(), task.clone());
            return Err(CommandError::NotAPack { prompt, task });
        }
        let (text, mut loaded) = if args.prompt == Path::new("-") {
            let text = read_stdin()?;
            let path = paths.current().join(STDIN);
            let rope = Rope::from_str(&text);
            (text, load(&Alone(&disk), &configs, &path, rope, None, &overrides))
        } else {
            let text = read_from_disk(&args.prompt)?;
            let path = paths.absolute(&args.prompt);
            let rope = Rope::from_str(&text);
            (text, load(&disk, &configs, &path, rope, None, &overrides))
        };
        if let Some(old) = old {
            loaded.keep_last_good(&old.loaded);
        }
        let sources = Sources::of_prompt(&loaded, Encoding::Utf16, |path: &Path| paths.shown(path));
        let name = sources.name(FileId::PROMPT).to_owned();
        Ok(OpenedPrompt { name, text, loaded, sources, pack: None, is_again: false })
    }

    /// A prompt of a pack by its key; without one, the only prompt.
    fn in_pack(
        pack: LoadedPack,
        task: Option<&str>,
        paths: &Paths,
    ) -> Result<OpenedPrompt, CommandError> {
        let sources = Sources::of_pack(&pack, Encoding::Utf16, |path: &Path| paths.shown(path));
        let name = sources.name(pack.file).to_owned();
        let known: Vec<&str> = pack.prompts.iter().map(|prompt| &*prompt.task).collect();
        let found = match (task, &pack.prompts[..]) {
            (_, []) => {
                let reason = why_empty(&pack, &sources);
                return Err(CommandError::NoPrompts { pack: name, reason });
            }
            (None, [only]) => only,
            (None, _) => {
                return Err(CommandError::WhichPrompt { pack: name, known: known.join(", ") });
            }
            (Some(task), prompts) => {
                let found = prompts.iter().find(|prompt| *prompt.task == *task);
                found.ok_or_else(|| CommandError::UnknownPrompt {
                    pack: name.clone(),
                    task: task.to_owned(),
                    hint: did_you_mean(task, known.iter().copied()),
                    known: known.join(", "),
                })?
            }
        };
        let prompt = found.clone();
        let (text, mut loaded) = (prompt.loaded.snapshot.text.to_string(), prompt.loaded.clone());
        // What this prompt does not read, the others may.
        for case in &mut loaded.snapshot.cases {
            case.shared |= pack.prompts.len() > 1;
        }
        Ok(OpenedPrompt {
            name,
            text,
            loaded,
            sources,
            pack: Some((pack, prompt)),
            is_again: false,
        })
    }

    /// Problems with places in the files that people see: those of a prompt in a pack move from
    /// its decoded text to the pack.
    pub fn in_files(&self, problems: Vec<Problem>) -> Vec<Problem> {
        match &self.pack {
            None => problems,
            Some((pack, prompt)) => {
                problems.into_iter().filter_map(|problem| pack.in_file(prompt, problem)).collect()
            }
        }
    }

    /// The same for a source map.
    pub fn map_in_files(&self, map: &mut SourceMap) {
        if let Some((pack, prompt)) = &self.pack {
            move_runs(&mut map.runs, pack, prompt);
        }
    }

    /// The names of all cases, in the order in which we list them.
    pub fn cases(&self) -> Vec<&str> {
        let snapshot = &self.loaded.snapshot;
        let cases = snapshot.cases.iter().map(|case| &*case.name);
        let broken = self.loaded.broken.iter().map(|(name, _)| &**name);
        cases.chain(broken.filter(|name| snapshot.case_named(name).is_none())).collect()
    }

    /// Why a case, or what is declared, is older than its file; `None` if it is not.
    pub fn stale(&self, chosen: &Chosen) -> Option<String> {
        let snapshot = &chosen.snapshot;
        let counts = |file: FileId| {
            file == snapshot.declarations.file
                || snapshot.cases.iter().any(|case| case.inputs.file == file)
        };
        let mut problems = self.loaded.snapshot.file_problems.iter().filter(|_| self.is_again);
        let problem = problems.find(|problem| {
            let file = problem.location.file;
            problem.code == Code::InvalidInputs && file != FileId::PROMPT && counts(file)
        })?;
        Some(self.place_of(problem))
    }

    /// The files that it is made from, and those behind `$file` values.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let packed = self.pack.iter().flat_map(|(pack, _)| &pack.files);
        let own = self.loaded.files.iter().filter(|_| self.pack.is_none());
        packed.chain(own).chain(&self.loaded.file_values)
    }

    /// A problem in a line, with its place.
    fn place_of(&self, problem: &Problem) -> String {
        let place = self.sources.positions(&problem.location).start;
        let name = self.sources.name(problem.location.file);
        format!("{name}:{}:{}: {}", place.line + 1, place.column + 1, problem.message)
    }

    /// A case by its name; without one, `default`, else the first.
    pub fn choose(&self, case: Option<&str>) -> Result<Chosen, CommandError> {
        let known = self.cases();
        let case = match case {
            Some(case) if known.contains(&case) => Some(case),
            Some(case) => return Err(self.unknown_case(case, &known)),
            None => {
                known.iter().copied().find(|case| *case == "default").or(known.first().copied())
            }
        };
        let index = case.and_then(|case| self.loaded.snapshot.case_named(case));
        let broken = |name: &str| self.loaded.broken.iter().find(|(broken, _)| broken == name);
        let broken = match index {
            Some(_) => None,
            None => case.and_then(broken).map(|(_, file)| *file),
        };
        let mut snapshot = self.loaded.snapshot.of_case(index);
        // Nobody knows which names have values.
        snapshot.has_variables_file &= broken.is_none();
        snapshot.file_problems.retain(|problem| {
            let file = problem.location.file;
            Some(file) == broken || self.loaded.broken.iter().all(|(_, other)| *other != file)
        });
        let unusable = snapshot
            .file_problems
            .iter()
            .filter(|problem| problem.code == Code::InvalidInputs)
            .cloned()
            .collect();
        Ok(Chosen { case: case.map(str::to_owned), snapshot, unusable })
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
        let snapshot = &self.loaded.snapshot;
        let settings = &snapshot.settings.severities;
        if snapshot.is_guessed() && settings.get(&Code::DialectGuessed) != Some(&None) {
            let spec = snapshot.dialect().spec();
            terminal::complain(&format!(
                "promptls: note: nobody said the dialect of {}; read as {} ({}); --dialect makes it certain",
                self.name, spec.title, spec.id
            ));
        }
    }

    /// Says on stderr where values would be looked for, if there are none.
    pub fn mention_no_inputs(&self) {
        if self.loaded.snapshot.has_inputs() || self.name == STDIN {
            return;
        }
        let Some(path) = inputs_path(Path::new(&self.name), "default") else { return };
        let (prompt, inputs) = (&self.name, path.display());
        terminal::complain(&format!(
            "promptls: note: {prompt} has no inputs file; {inputs} would give it values"
        ));
    }

    /// Says on stderr why the files of a case cannot be used.
    pub fn mention_unusable(&self, chosen: &Chosen) {
        for problem in &chosen.unusable {
            let Some(problem) = self.in_files(vec![problem.clone()]).pop() else { continue };
            terminal::complain(&format!("promptls: {}", self.place_of(&problem)));
        }
    }

    /// The prompt, compiled.
    pub fn template<'t>(&'t self, chosen: &Chosen) -> Template<'t> {
        Template::compile(chosen.snapshot.dialect(), &self.text)
    }
}

impl Chosen {
    /// What the resolver gets.
    pub fn given(&self, max_output: usize) -> Option<Given<'_>> {
        let given = self.snapshot.given().into_iter().next()?;
        Some(Given { max_output, ..given })
    }

    /// What is wrong, as the editor shows it; and what only the resolver can know, which is
    /// that the text is too long.
    pub fn problems(&self, resolution: &Resolution) -> Vec<Problem> {
        let mut problems = diagnose(&self.snapshot, DEFAULT_MAX_PROBLEMS);
        let is_limit = |problem: &&Problem| {
            problem.code == Code::LimitExceeded && problem.severity == Severity::Error
        };
        let severity = self.snapshot.settings.severities.get(&Code::LimitExceeded);
        if !problems.iter().any(|problem| is_limit(&problem)) && severity != Some(&None) {
            problems.extend(resolution.problems.iter().filter(is_limit).cloned().map(|problem| {
                Problem {
                    severity: severity.copied().flatten().unwrap_or(problem.severity),
                    ..problem
                }
            }));
        }
        problems
    }
}

fn move_runs(runs: &mut [Run], pack: &LoadedPack, prompt: &PackPrompt) {
    for run in runs {
        if let Some(source) = pack.range_in_file(prompt, &run.source) {
            run.source = source;
        }
        move_runs(&mut run.parts, pack, prompt);
    }
}

/// Why a pack has no prompt that could be chosen.
fn why_empty(pack: &LoadedPack, sources: &Sources) -> String {
    if let Some(syntax) = &pack.foreign_syntax {
        return format!("the syntax `{syntax}` is not supported yet");
    }
    let problems = pack.problems(DEFAULT_MAX_PROBLEMS);
    match problems.iter().find(|problem| problem.code == Code::InvalidInputs) {
        Some(problem) => {
            let place = sources.positions(&problem.location).start;
            format!("{}:{}: {}", place.line + 1, place.column + 1, problem.message)
        }
        None => "a prompt stands in `prompts.TASK.system_template`".to_owned(),
    }
}

fn read_stdin() -> Result<String, CommandError> {
    let name = Path::new(STDIN);
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|source| ReadError::Io { path: name.to_owned(), source })?;
    Ok(text(bytes, name)?)
}

/// Files on disk for a prompt that is in no folder: nothing lies beside it.
struct Alone<'d>(&'d Disk);

impl Files for Alone<'_> {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.0.read(path)
    }

    fn list(&self, _: &Path) -> Arc<[String]> {
        Arc::default()
    }

    fn glob(&self, _: &Path, _: &str) -> Arc<[PathBuf]> {
        Arc::default()
    }
}
