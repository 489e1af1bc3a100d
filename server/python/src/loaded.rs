//! Prompts opened from a file, as in the program.

use std::path::{Path, PathBuf};

use promptls_analysis::Snapshot;
use promptls_analysis::position::Encoding;
use promptls_resolver::Problem;
use promptls_workspace::{
    Configs, DISK, Disk, DiskOnce, FileProblems, Files, NoSuchPrompt, Overrides, Project,
    PromptFile, ReadError, Sources, absolute, find_below, split_name,
};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::prelude::*;

use crate::classes::load_error;
use crate::prompt_arguments::language;

/// A prompt in a file.
pub struct Loaded {
    pub file: PromptFile,
    pub index: usize,
}

/// Why a prompt cannot be loaded.
enum NotLoaded {
    Missing(String),
    Other(String),
}

/// Chooses a prompt of a file: [`PromptFile::choose`], or [`PromptFile::choose_text`].
type Choose = fn(&PromptFile, Option<&str>, &str) -> Result<usize, NoSuchPrompt>;

impl From<NoSuchPrompt> for NotLoaded {
    fn from(error: NoSuchPrompt) -> NotLoaded {
        NotLoaded::Other(error.to_string())
    }
}

impl From<ReadError> for NotLoaded {
    fn from(error: ReadError) -> NotLoaded {
        match error.is_missing() {
            true => NotLoaded::Missing(error.to_string()),
            false => NotLoaded::Other(error.to_string()),
        }
    }
}

impl NotLoaded {
    fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            NotLoaded::Missing(message) => PyFileNotFoundError::new_err(message),
            NotLoaded::Other(message) => load_error(py, &message),
        }
    }
}

impl Loaded {
    /// Opens a prompt: `agents/planner.py#root_agent`, or a path with a separate name.
    pub fn open(
        py: Python<'_>,
        path: PathBuf,
        name: Option<String>,
        dialect: Option<&str>,
        engine: Option<&str>,
        choose: Choose,
    ) -> PyResult<Loaded> {
        let (dialect, engine) = language(py, dialect, engine)?;
        // An engine determines the dialect of its own prompts, as on the command line.
        let dialect = dialect.filter(|_| engine.is_none());
        let overrides = Overrides { dialect, engine, ..Overrides::default() };
        let current = current_folder()?;
        let read = || Loaded::read(&current, path, name, &overrides, choose);
        py.detach(read).map_err(|error| error.raise(py))
    }

    fn read(
        current: &Path,
        written: PathBuf,
        name: Option<String>,
        overrides: &Overrides,
        choose: Choose,
    ) -> Result<Loaded, NotLoaded> {
        let (written, name) = match name {
            Some(name) => (written, Some(name)),
            None => match split_name(&written) {
                Some((file, name)) => (file, Some(name)),
                None => (written, None),
            },
        };
        let path = absolute(current, &written);
        let text = DISK.read_named(&written)?;
        let (disk, configs) = (DiskOnce::default(), Configs::default());
        let project = disk.project(&configs);
        let file = PromptFile::read(project, &path, text.into(), overrides, None);
        let shown = shown(current, &path);
        require_config(&file, project, current)?;
        if let Some(error) = file.unusable(overrides, &shown) {
            return Err(error.into());
        }
        let index = choose(&file, name.as_deref(), &shown)?;
        Ok(Loaded { file, index })
    }

    /// The snapshot for all queries.
    pub fn snapshot(&self) -> &Snapshot {
        &self.file.prompts[self.index].snapshot
    }

    /// The displayed name: the file, and the name in it.
    pub fn name(&self) -> String {
        let file = current_folder().map(|current| shown(&current, &self.file.files[0]));
        let file = file.unwrap_or_else(|_| self.file.files[0].display().to_string());
        match &self.file.prompts[self.index].name {
            Some(name) => format!("{file}#{name}"),
            None => file,
        }
    }

    /// Its files, to locate places.
    pub fn sources(&self) -> PyResult<Sources> {
        let current = current_folder()?;
        Ok(Sources::of(&self.file, Encoding::Utf32, |path| shown(&current, path)))
    }
}

/// Fails if a config that applies to a file cannot be read or contains unknown keys.
fn require_config(
    file: &PromptFile,
    project: Project<'_>,
    current: &Path,
) -> Result<(), NotLoaded> {
    let Some(config) = file.config() else { return Ok(()) };
    let broken = project.broken_configs(std::slice::from_ref(config)).into_iter().next();
    let Some(FileProblems { path, text, problems }) = broken else { return Ok(()) };
    let name = shown(current, &path);
    let sources = Sources::of_file(name.clone(), text, Encoding::Utf32);
    let in_line = |problem: &Problem| {
        let place = sources.positions(&problem.location).start;
        format!("{name}:{}:{}: {}", place.line + 1, place.column + 1, problem.message)
    };
    Err(NotLoaded::Other(problems.iter().map(in_line).collect::<Vec<_>>().join("; ")))
}

fn current_folder() -> PyResult<PathBuf> {
    std::env::current_dir().map_err(PyOSError::new_err)
}

/// A path relative to the current folder if it is inside, else unchanged.
fn shown(current: &Path, path: &Path) -> String {
    path.strip_prefix(current).unwrap_or(path).display().to_string()
}

/// The prompts at or below a path: the arguments of `Prompt.load` for each of them.
#[pyfunction]
#[pyo3(name = "_prompts_in")]
pub fn prompts_in(py: Python<'_>, path: PathBuf) -> PyResult<Vec<(PathBuf, Option<String>)>> {
    let current = current_folder()?;
    let path = absolute(&current, &path);
    py.detach(|| {
        if !Disk.is_there(&path) {
            let message = format!("there is nothing at {}", shown(&current, &path));
            return Err(NotLoaded::Missing(message));
        }
        let (disk, configs) = (DiskOnce::default(), Configs::default());
        let project = disk.project(&configs);
        let mut files = match Disk.is_folder(&path) {
            true => find_below(std::slice::from_ref(&path), project).prompts,
            false => vec![path.clone()],
        };
        files.sort();
        let mut found = Vec::new();
        for file in files {
            let read = project.read(&file)?;
            require_config(&read, project, &current)?;
            if let Some(error) = read.unusable(&Overrides::default(), &shown(&current, &file)) {
                return Err(error.into());
            }
            for prompt in &read.prompts {
                if prompt.snapshot.foreign.is_none() {
                    found.push((file.clone(), prompt.name.as_deref().map(str::to_owned)));
                }
            }
        }
        Ok(found)
    })
    .map_err(|error| error.raise(py))
}
