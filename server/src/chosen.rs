//! One prompt and one of its cases: what `resolve` and `preview` work on.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::position::Encoding;
use promptls_analysis::{DEFAULT_MAX_PROBLEMS, Snapshot, diagnose, did_you_mean};
use promptls_resolver::{Code, FileId, Given, Problem, Resolution, Severity, Template};
use ropey::Rope;

use crate::cli::PromptArgs;
use crate::errors::CommandError;
use crate::paths::Paths;
use crate::sources::Sources;
use crate::terminal;
use crate::workspace::{
    Configs, Disk, Files, LoadedPrompt, Overrides, ReadError, load, read_from_disk, text,
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
        let mut paths = Paths::new()?;
        let overrides = Overrides {
            dialect: args.dialect,
            language: None,
            inputs: inputs.map(|path| paths.absolute(path)),
            variables: args.variables.as_deref().map(|path| paths.absolute(path)),
        };
        let disk = Disk::default();
        let configs = Configs::default();
        let (text, loaded) = if args.prompt == Path::new("-") {
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
        let sources = Sources::of_prompt(&loaded, Encoding::Utf16, |path: &Path| paths.shown(path));
        let name = sources.name(FileId::PROMPT).to_owned();
        Ok(OpenedPrompt { name, text, loaded, sources })
    }

    /// The names of all cases, in the order in which we list them.
    pub fn cases(&self) -> Vec<&str> {
        let cases = self.loaded.snapshot.cases.iter().map(|case| &*case.name);
        cases.chain(self.loaded.broken.iter().map(|(name, _)| &**name)).collect()
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
        let index = case.and_then(|case| self.loaded.case(case));
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

    /// Says on stderr why the files of a case cannot be used.
    pub fn mention_unusable(&self, chosen: &Chosen) {
        for problem in &chosen.unusable {
            let place = self.sources.positions(&problem.location).start;
            terminal::complain(&format!(
                "promptls: {}:{}:{}: {}",
                self.sources.name(problem.location.file),
                place.line + 1,
                place.column + 1,
                problem.message
            ));
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
