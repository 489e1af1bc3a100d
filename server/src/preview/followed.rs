//! The prompt of the commands that have a language server of their own.

use std::path::{Path, PathBuf};

use promptls_workspace::Overrides;

use crate::args::PromptArgs;
use crate::errors::CommandError;
use crate::opened_prompt::OpenedPrompt;
use crate::paths::Paths;

/// A prompt that is followed, for the commands that have a language server of their own.
#[derive(Debug)]
pub struct Followed {
    /// Absolute.
    pub path: PathBuf,
    /// What the command line says about it.
    pub overrides: Overrides,
}

impl Followed {
    /// The prompt that the command line names. Fails as printing it would, so that a wrong call
    /// is told at once.
    pub fn new(args: &PromptArgs) -> Result<Followed, CommandError> {
        if args.is_stdin() {
            return Err(CommandError::NotFollowed);
        }
        let opened = OpenedPrompt::open(args, None)?;
        if args.case.is_some() {
            opened.choose(args.case.as_deref())?;
        }
        opened.mention_guess();
        opened.mention_config();
        let mut paths = Paths::new()?;
        let mut absolute = |path: &Path| paths.absolute(path);
        Ok(Followed {
            path: absolute(&args.prompt),
            overrides: Overrides {
                dialect: args.dialect,
                variables: args.variables.as_deref().map(&mut absolute),
                ..Overrides::default()
            },
        })
    }
}
