//! `promptls preview --watch`: the preview in a terminal, drawn again after each change.
//!
//! On a terminal it is a scrollable [`screen`]; elsewhere the text is printed again after a rule.
//! While a file is broken or missing, the last good text stays.

mod rows;
mod screen;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use self::screen::{Screen, UserCommand};
use super::changes::Changes;
use super::terminal::{Drawing, Which, printed_rule};
use crate::args::PreviewArgs;
use crate::errors::CommandError;
use crate::opened_prompt::OpenedPrompt;
use crate::output::terminal::{self, Terminal};
use crate::paths::Paths;

/// Draws a prompt until the program is interrupted.
pub fn run(args: &PreviewArgs) -> Result<ExitCode, CommandError> {
    if args.prompt.is_stdin() {
        return Err(CommandError::NotFollowed);
    }
    let mut watched = Watched::open(args)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(async {
        match io::stdout().is_terminal() {
            true => on_screen(&mut watched).await,
            false => printed(&mut watched).await,
        }
    });
    // Does not wait for a thread that waits for a key.
    runtime.shutdown_background();
    outcome.map(|()| ExitCode::SUCCESS)
}

/// Draws on the screen. The terminal is restored at the end, including after errors.
async fn on_screen(watched: &mut Watched<'_>) -> Result<(), CommandError> {
    let ended = super::shutdown::ended()?;
    tokio::pin!(ended);
    let mut screen = Screen::open()?;
    loop {
        screen.draw(watched)?;
        tokio::select! {
            () = &mut ended => return Ok(()),
            _ = watched.changes.next() => {
                watched.read_again();
                screen.forget();
            }
            command = screen.next_command() => match command? {
                UserCommand::End => return Ok(()),
                UserCommand::Case(step) => {
                    watched.other_case(step);
                    screen.forget();
                }
                UserCommand::Redraw => {}
            },
        }
    }
}

/// Prints the text, and again whenever it changes.
async fn printed(watched: &mut Watched<'_>) -> Result<(), CommandError> {
    let ended = super::shutdown::ended()?;
    let closed = closed();
    tokio::pin!(ended, closed);
    let terminal = Terminal::of_stdout();
    let mut last = None;
    loop {
        let now = watched.draw(terminal)?;
        if last.as_ref() != Some(&now) {
            let rule = last.as_ref().map(|_| printed_rule(terminal)).unwrap_or_default();
            if let Some(reason) = &now.1 {
                terminal::complain(&format!("promptls: the text is stale: {reason}"));
            }
            terminal::print_lines(&(rule + &now.0))?;
            last = Some(now);
        }
        tokio::select! {
            () = &mut ended => return Ok(()),
            () = &mut closed => return Ok(()),
            _ = watched.changes.next() => watched.read_again(),
        }
    }
}

/// A prompt on disk, read again after changes of its files.
pub struct Watched<'a> {
    args: &'a PreviewArgs,
    path: PathBuf,
    opened: OpenedPrompt,
    which: Which,
    changes: Changes,
    /// The error because of which it could not be read again.
    lost: Option<String>,
}

impl<'a> Watched<'a> {
    fn open(args: &'a PreviewArgs) -> Result<Watched<'a>, CommandError> {
        let opened = OpenedPrompt::open_first(&args.prompt)?;
        let which = Which::of(args);
        if let Which::One(case) = &which {
            opened.choose(case.as_deref())?;
        }
        opened.mention_guess();
        let mut watched = Watched {
            path: Paths::new()?.absolute(&args.prompt.prompt),
            args,
            opened,
            which,
            changes: Changes::new(),
            lost: None,
        };
        watched.follow();
        Ok(watched)
    }

    fn follow(&mut self) {
        self.changes.follow(self.opened.files().chain([&self.path]));
    }

    fn read_again(&mut self) {
        match self.opened.open_again(&self.args.prompt) {
            Ok(opened) => (self.opened, self.lost) = (opened, None),
            Err(error) => self.lost = Some(error.to_string()),
        }
        if let Which::One(Some(case)) = &self.which
            && !self.opened.cases().contains(&&**case)
        {
            // The file of the case was deleted.
            self.which = Which::One(None);
        }
        self.follow();
    }

    /// The text for a terminal without scrolling, and why it is old.
    fn draw(&self, terminal: Terminal) -> Result<(String, Option<String>), CommandError> {
        let drawing = Drawing::new(&self.opened, &self.which, terminal)?;
        Ok((drawing.printed(), self.lost.clone().or(drawing.stale)))
    }

    /// Shows another case, this many steps away.
    fn other_case(&mut self, step: isize) {
        let names = self.opened.cases();
        if names.is_empty() {
            return;
        }
        let shown = match &self.which {
            Which::One(case) => self.opened.choose(case.as_deref()).ok(),
            Which::All => None,
        };
        let shown = shown.and_then(|opened_case| opened_case.case);
        let index = shown.and_then(|shown| names.iter().position(|name| *name == shown));
        let last = names.len() as isize;
        let index = index.map_or(0, |index| (index as isize + step).rem_euclid(last));
        self.which = Which::One(Some(names[index as usize].to_owned()));
    }
}

/// Waits until the reader of stdout closes it. Only a pipe can be closed.
async fn closed() {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, poll};
        use rustix::fs::{FileType, fstat};
        use rustix::io::Errno;

        let stdout = io::stdout();
        let is_pipe = fstat(&stdout).is_ok_and(|stat| {
            matches!(FileType::from_raw_mode(stat.st_mode), FileType::Fifo | FileType::Socket)
        });
        if is_pipe {
            let (sender, closed) = tokio::sync::oneshot::channel();
            // No events are polled, so only an error ends it. The thread ends with the program.
            std::thread::spawn(move || {
                let mut stdout = [PollFd::new(&stdout, PollFlags::empty())];
                while poll(&mut stdout, None) == Err(Errno::INTR) {}
                let _ = sender.send(());
            });
            let _ = closed.await;
            return;
        }
    }
    std::future::pending::<()>().await;
}
