//! `promptls preview`: what becomes of a prompt, for a person.
//!
//! Printed once ([`terminal`]), drawn anew with each change ([`watch`]), as a page in a
//! browser ([`serve`]), or as such a page in a file ([`html`]).

mod changes;
mod html;
mod page;
mod serve;
mod terminal;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::chosen::OpenedPrompt;
use crate::cli::{PreviewArgs, PromptArgs};
use crate::errors::CommandError;
use crate::paths::Paths;
use crate::workspace::Overrides;

/// Shows what becomes of a prompt.
pub fn run(args: &PreviewArgs) -> Result<ExitCode, CommandError> {
    if args.watch {
        watch::run(args)
    } else if args.serve {
        serve::run(args)
    } else if let Some(file) = &args.html {
        html::run(&args.prompt, file)
    } else {
        terminal::run(args)
    }
}

/// A prompt that is followed, for the commands that have a language server of their own.
#[derive(Debug)]
struct Followed {
    /// Absolute.
    path: PathBuf,
    /// What the command line says about it.
    overrides: Overrides,
}

impl Followed {
    /// The prompt that the command line names. Fails as printing it would, so that a wrong call
    /// is told at once.
    fn new(args: &PromptArgs) -> Result<Followed, CommandError> {
        if args.prompt == Path::new("-") {
            return Err(CommandError::NotFollowed);
        }
        let opened = OpenedPrompt::open(args, None)?;
        if args.case.is_some() {
            opened.choose(args.case.as_deref())?;
        }
        opened.mention_guess();
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

/// Waits until somebody ends the program: Ctrl-C, or a signal that asks it to end.
fn ended() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hangup = signal(SignalKind::hangup())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        // It fails only where there is no console to press a key in.
        let _ = tokio::signal::ctrl_c().await;
    })
}
