//! The prompt of commands with an embedded language server.

use std::path::PathBuf;

use promptls_workspace::Overrides;

use crate::args::PromptArgs;
use crate::errors::CommandError;
use crate::opened_prompt::OpenedPrompt;
use crate::paths::Paths;

/// A followed prompt, for commands with an embedded language server.
#[derive(Debug)]
pub struct Followed {
    /// Absolute; for a prompt in a store, the actual or future path of its file.
    pub path: PathBuf,
    /// Its text; `None` if it is one of several in its file.
    pub text: Option<String>,
    /// The overrides of the command line.
    pub overrides: Overrides,
}

impl Followed {
    /// The prompt of the command line. Fails like printing the prompt would, so that an invalid
    /// call fails at once.
    pub fn new(args: &PromptArgs) -> Result<Followed, CommandError> {
        if args.is_stdin() {
            return Err(CommandError::NotFollowed);
        }
        let opened = OpenedPrompt::open_first(args)?;
        if args.case.is_some() {
            opened.choose(args.case.as_deref())?;
        }
        opened.mention_guess();
        #[cfg_attr(
            not(feature = "stores"),
            expect(unused_mut, reason = "without stores, nothing else gives the dialect")
        )]
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
