//! The scope of a check: files, optionally stdin, and the configs that apply to them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_resolver::EngineRef;
use promptls_workspace::{
    Config, Configs, DISK, DiskOnce, FileGlobs, Project, Walking, WithTexts, absolute, read_text,
};

use super::walk::{self, Walked};
use crate::args::{CheckArgs, LookingArgs};
use crate::errors::CommandError;
use crate::paths::Paths;

/// The name of stdin on the command line.
const STDIN: &str = "-";

/// The scope of a check, read once.
pub struct Looking {
    pub walking: Walking,
    /// The prompt whose text is read from stdin.
    pub stdin: Option<(PathBuf, Arc<str>)>,
    config: Which,
    engine: Option<EngineRef>,
}

enum Which {
    /// Each file has the nearest config at or above its folder.
    InFolders,
    /// Only this config, or none.
    Only(Option<Arc<Config>>),
}

impl Looking {
    /// Reads stdin and the config if the arguments name them.
    pub fn new(args: &LookingArgs, named: &[PathBuf], paths: &Paths) -> Result<Self, CommandError> {
        let current = paths.current();
        let excluded = match &args.exclude[..] {
            [] => None,
            globs => Some(FileGlobs::parse(current, globs).map_err(CommandError::Exclude)?),
        };
        let walking =
            Walking { hidden: args.hidden, ignored: args.no_ignore, excluded, places: None };
        let stdin = match &args.stdin_filename {
            Some(_) if named.iter().any(|path| path != Path::new(STDIN)) => {
                return Err(CommandError::StdinAlone);
            }
            Some(name) => {
                let text = read_text(io::stdin().lock(), Path::new(STDIN))?;
                Some((absolute(current, name), text))
            }
            None if named.iter().any(|path| path == Path::new(STDIN)) => {
                return Err(CommandError::StdinWithoutName);
            }
            None => None,
        };
        let config = match &args.config {
            Some(path) => {
                let (text, path) = (DISK.read_named(path)?, absolute(current, path));
                Which::Only(Some(Arc::new(Config::parse_for(current, &path, &text))))
            }
            None if args.isolated => Which::Only(None),
            None => Which::InFolders,
        };
        Ok(Looking { walking, stdin, config, engine: args.engine })
    }

    /// Finds the prompts of the arguments, and other files with texts of their code.
    pub fn walk_with_texts(
        &self,
        args: &CheckArgs,
        paths: &mut Paths,
        project: Project<'_>,
    ) -> Walked {
        let mut walked = self.walk(args, paths, project);
        walked.add_texts(&self.walking, project);
        walked
    }

    /// Finds the prompts of the arguments.
    pub fn walk(&self, args: &CheckArgs, paths: &mut Paths, project: Project<'_>) -> Walked {
        let stdin = args.looking.stdin_filename.as_slice();
        let named = if stdin.is_empty() { &args.paths } else { stdin };
        walk::walk(named, args.as_prompts, &self.walking, paths, project)
    }

    /// The files on disk, with the configs that the arguments select.
    pub fn disk(&self) -> DiskOnce {
        DiskOnce::with_configs(self.configs())
    }

    /// The files on disk, and what is on stdin.
    pub fn files<'d>(&self, disk: &'d DiskOnce) -> WithTexts<'d> {
        let texts: BTreeMap<PathBuf, Arc<str>> = self.stdin.iter().cloned().collect();
        WithTexts { files: disk, program: disk, texts }
    }

    /// The configs that apply, not read yet.
    pub fn configs(&self) -> Configs {
        let configs = match &self.config {
            Which::InFolders => Configs::default(),
            Which::Only(config) => Configs::only(config.clone()),
        };
        configs.with_engine(self.engine)
    }
}
