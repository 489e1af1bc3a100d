//! The prompt of the commands that have a language server of their own.

use std::path::PathBuf;

use promptls_workspace::Overrides;

use crate::args::PromptArgs;
use crate::errors::CommandError;
use crate::opened_prompt::OpenedPrompt;
use crate::paths::Paths;

/// A prompt that is followed, for the commands that have a language server of their own.
#[derive(Debug)]
pub struct Followed {
    /// Absolute; for a prompt in a store, where its file is or would be.
    pub path: PathBuf,
    /// Its text, unless it is one of several in its file.
    pub text: Option<String>,
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
        #[allow(unused_mut, reason = "without stores, nothing else says the dialect")]
        let mut dialect = args.dialect;
        #[cfg(feature = "stores")]
        if crate::stores::is_address(&args.prompt) {
            dialect = Some(opened.snapshot().dialect());
        }
        let mut paths = Paths::new()?;
        Ok(Followed {
            path: opened.path().to_owned(),
            text: opened.is_whole_file().then(|| opened.text.clone()),
            overrides: Overrides {
                dialect,
                engine: args.engine,
                variables: args.variables.as_deref().map(|path| paths.absolute(path)),
                ..Overrides::default()
            },
        })
    }
}
