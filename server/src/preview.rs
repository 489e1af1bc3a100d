//! `promptls preview`: the resolved prompt, human-readable.
//!
//! Printed once ([`terminal`]), drawn again after each change ([`watch`]), as a page in a browser
//! ([`serve`]), or as a page in a file ([`html`]).

pub mod changes;
pub mod choice;
mod followed;
mod html;
mod own_output;
mod page;
mod page_messages;
mod serve;
pub mod shutdown;
mod terminal;
mod watch;

use std::process::ExitCode;

use crate::args::PreviewArgs;
use crate::errors::CommandError;

/// Shows the preview of a prompt.
pub fn run(args: &mut PreviewArgs) -> Result<ExitCode, CommandError> {
    choice::complete(&mut args.prompt)?;
    #[cfg(feature = "stores")]
    if (args.watch || args.serve) && crate::stores::is_address(&args.prompt.prompt) {
        return Err(crate::stores::StoreFailure::NotFollowed.into());
    }
    if args.watch {
        watch::run(args)
    } else if args.serve {
        serve::run(args)
    } else if let Some(file) = &args.html {
        html::run(&args.prompt, file, args.force)
    } else {
        terminal::run(args)
    }
}
