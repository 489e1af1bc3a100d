//! The one way in which git runs: an answer is waited for at most [`GIT_LIMIT`], and no process
//! outlives the request that started it.
//!
//! A repository comes from others, and git opens the files in it whatever they are: it waits for
//! ever for a named pipe that is called `HEAD`.
//!
//! Each process is the leader of a group of its own, because what is called `git` may be a script
//! that starts the real one. A thread beside it kills the group when the time is over.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{env, thread};

/// How long git may take for one answer.
///
/// From a cold cache on a slow disk, it takes a few seconds to find a commit.
pub const GIT_LIMIT: Duration = Duration::from_secs(10);

/// Why git was ended before it answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GitStopped {
    /// It took longer than [`GIT_LIMIT`].
    #[error(
        "git did not answer within {} seconds and was ended; does `git status` work here?",
        GIT_LIMIT.as_secs()
    )]
    TimedOut,
    /// The request that needed the answer was cancelled.
    #[error("the request was cancelled")]
    Cancelled,
}

/// The calls of git that belong to one request. A clone stands for the same ones.
///
/// Once one of them was ended, all others fail at once.
#[derive(Clone, Debug, Default)]
pub struct GitCalls(Arc<Mutex<Option<GitStopped>>>);

impl GitCalls {
    /// Ends those that run, and lets all others fail.
    pub fn cancel(&self) {
        self.stop(GitStopped::Cancelled);
    }

    /// Why these calls fail from now on; `None` while they do not.
    pub fn stopped(&self) -> Option<GitStopped> {
        *lock(&self.0)
    }

    fn stop(&self, why: GitStopped) {
        lock(&self.0).get_or_insert(why);
        lock(&RUNNING)
            .iter()
            .filter(|it| Arc::ptr_eq(&it.calls.0, &self.0))
            .for_each(|it| it.kill());
    }

    /// Starts git. Its stdout is a pipe.
    pub(super) fn start(&self, mut git: Command) -> io::Result<GitProcess> {
        git.stdout(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut git, 0);
        let mut running = lock(&RUNNING);
        if let Some(why) = self.stopped() {
            return Err(io::Error::other(why));
        }
        let mut child = git.spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Arc::new(Running {
            calls: self.clone(),
            child: Mutex::new(child),
            phase: Mutex::new(Phase::Idle),
            changed: Condvar::new(),
        });
        running.push(process.clone());
        drop(running);
        let watched = process.clone();
        thread::spawn(move || watched.watch());
        Ok(GitProcess { running: process, stdin, stdout, stderr })
    }
}

/// All processes of git that run.
static RUNNING: Mutex<Vec<Arc<Running>>> = Mutex::new(Vec::new());

/// Ends every process of git, for a program that ends without waiting for its threads.
pub fn end_all_git() {
    lock(&RUNNING).iter().for_each(|process| process.kill());
}

/// A process of git, and the time that it has.
#[derive(Debug)]
struct Running {
    calls: GitCalls,
    /// Locked to kill it or to take its status, so that no other process of the same id is killed.
    child: Mutex<Child>,
    phase: Mutex<Phase>,
    changed: Condvar,
}

/// What a process of git does.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Nothing is asked of it.
    Idle,
    /// The same, and its thread waits to be woken.
    Asleep,
    /// It is to answer by then.
    AnswersBy(Instant),
    Ended,
}

impl Running {
    /// Kills it once it takes too long. Returns when it has ended.
    fn watch(&self) {
        let mut phase = lock(&self.phase);
        loop {
            phase = match *phase {
                Phase::Ended => return,
                Phase::Idle | Phase::Asleep => {
                    *phase = Phase::Asleep;
                    self.changed.wait(phase).unwrap_or_else(PoisonError::into_inner)
                }
                Phase::AnswersBy(due) => match due.checked_duration_since(Instant::now()) {
                    None => {
                        drop(phase);
                        return self.calls.stop(GitStopped::TimedOut);
                    }
                    Some(left) => {
                        let woken = self.changed.wait_timeout(phase, left);
                        woken.unwrap_or_else(PoisonError::into_inner).0
                    }
                },
            };
        }
    }

    /// Thousands of objects are asked for in a row, so the thread is woken only if it has to know.
    fn enter(&self, phase: Phase) {
        let last = std::mem::replace(&mut *lock(&self.phase), phase);
        if matches!(last, Phase::Asleep) || matches!(phase, Phase::Ended) {
            self.changed.notify_one();
        }
    }

    fn kill(&self) {
        let mut child = lock(&self.child);
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(child.id())
            && let Some(group) = rustix::process::Pid::from_raw(id)
        {
            // It fails only where nothing is left of the group.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
    }

    /// Waits for its end. Meanwhile it can be killed.
    fn wait(&self) -> io::Result<ExitStatus> {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            let id = i32::try_from(lock(&self.child).id()).ok().and_then(Pid::from_raw);
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            if let Some(id) = id {
                // It fails where the status was taken already.
                let _ = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(id), options));
            }
        }
        lock(&self.child).wait()
    }
}

/// A process of git. It is waited for when this is dropped.
#[derive(Debug)]
pub(super) struct GitProcess {
    running: Arc<Running>,
    /// If it was asked for as a pipe. Dropped to end what reads it.
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
}

impl GitProcess {
    /// Does what takes as long as git does, for an answer.
    pub fn answer<T>(&self, wait: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        self.running.enter(Phase::AnswersBy(Instant::now() + GIT_LIMIT));
        let answer = wait();
        self.running.enter(Phase::Idle);
        match self.running.calls.stopped() {
            Some(why) => Err(io::Error::other(why)),
            None => answer,
        }
    }

    /// All that it prints until it ends: its status, stdout and stderr.
    pub fn output(mut self) -> io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
        let (stdout, stderr) = (self.stdout.take(), self.stderr.take());
        self.answer(|| {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            thread::scope(|scope| {
                let reading =
                    scope.spawn(|| stderr.map_or(Ok(0), |mut it| it.read_to_end(&mut err)));
                stdout.map_or(Ok(0), |mut it| it.read_to_end(&mut out))?;
                reading.join().unwrap_or(Ok(0))
            })?;
            Ok((self.running.wait()?, out, err))
        })
    }
}

impl Drop for GitProcess {
    fn drop(&mut self) {
        self.stdin = None;
        // Its end is all that is wanted of it.
        let _ = self.answer(|| self.running.wait());
        self.running.enter(Phase::Ended);
        lock(&RUNNING).retain(|other| !Arc::ptr_eq(other, &self.running));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Variables of git that say how it is installed and configured. All others are about one call
/// of it, as in a hook, and may name another repository.
const KEPT_VARIABLES: [&str; 5] = [
    "GIT_EXEC_PATH",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
];

/// A command of git about the repository around a folder, which runs nothing else.
pub(super) fn git(folder: &Path, arguments: &[&str]) -> Command {
    let mut git = Command::new("git");
    for (variable, _) in env::vars_os() {
        let name = variable.to_string_lossy();
        if name.starts_with("GIT_") && !KEPT_VARIABLES.contains(&&*name) {
            git.env_remove(&variable);
        }
    }
    // A partial clone would fetch what it lacks, over the network and by other programs.
    git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
    git.env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
    git.args(["-c", "core.fsmonitor=false", "-C"]).arg(folder).args(arguments);
    git.stdin(Stdio::null()).stderr(Stdio::null());
    git
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A program that never ends by itself, and has a child of its own.
    fn endless() -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "cat /dev/zero >/dev/null & echo $!; wait"]);
        command
    }

    #[test]
    fn what_is_cancelled_ends_with_its_whole_group_and_all_later_calls_fail() {
        let calls = GitCalls::default();
        let mut process = calls.start(endless()).expect("it starts");
        let mut stdout = io::BufReader::new(process.stdout.take().expect("it is a pipe"));
        let mut child = String::new();
        io::BufRead::read_line(&mut stdout, &mut child).expect("it prints the id of its child");
        calls.cancel();
        // The pipe ends when nobody holds its other end: the child does, while it runs.
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).expect("it ends");
        drop(process);
        assert!(calls.start(endless()).is_err());
        let running = lock(&RUNNING).iter().any(|it| Arc::ptr_eq(&it.calls.0, &calls.0));
        assert!(!running && calls.stopped() == Some(GitStopped::Cancelled));
    }

    #[test]
    fn other_requests_go_on() {
        let (one, other) = (GitCalls::default(), GitCalls::default());
        one.cancel();
        let mut command = Command::new("sh");
        command.args(["-c", "echo answer; echo problem >&2"]).stderr(Stdio::piped());
        let (status, out, err) =
            other.start(command).and_then(GitProcess::output).expect("it runs");
        assert!(status.success());
        assert_eq!((&*out, &*err), (&b"answer\n"[..], &b"problem\n"[..]));
    }
}
