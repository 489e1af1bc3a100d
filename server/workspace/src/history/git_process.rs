//! Runs git processes with a time limit of [`GIT_LIMIT`] per answer. No process outlives the
//! request that started it.
//!
//! A repository comes from a third party, and git opens any of its files: a named pipe called
//! `HEAD` would block it forever.
//!
//! Each process leads its own process group, because `git` may be a script that starts the real
//! one. A watcher thread kills the group on timeout.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{env, thread};

/// The time limit for one answer of git.
///
/// With a cold cache on a slow disk, finding a commit takes a few seconds.
pub const GIT_LIMIT: Duration = Duration::from_secs(10);

/// The reason why git was killed before it answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GitStopped {
    /// It took longer than [`GIT_LIMIT`].
    #[error(
        "git did not finish within {} seconds and was stopped; does `git status` work here?",
        GIT_LIMIT.as_secs()
    )]
    TimedOut,
    /// The request that needed the answer was cancelled.
    #[error("the request was cancelled")]
    Cancelled,
}

/// The git calls that belong to one request. Clones share the state.
///
/// Once one of them was killed, all others fail immediately.
#[derive(Clone, Debug, Default)]
pub struct GitCalls(Arc<Mutex<Option<GitStopped>>>);

impl GitCalls {
    /// Kills the running processes, and makes all other calls fail.
    pub fn cancel(&self) {
        self.stop(GitStopped::Cancelled);
    }

    /// The reason why calls fail from now on; `None` if they do not.
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

    /// Starts git with its stdout as a pipe.
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

/// All running git processes, for [`end_all_git`].
static RUNNING: Mutex<Vec<Arc<Running>>> = Mutex::new(Vec::new());

/// Kills every git process, for a program that exits without waiting for its threads.
pub fn end_all_git() {
    lock(&RUNNING).iter().for_each(|process| process.kill());
}

/// A git process, with its time limit.
#[derive(Debug)]
struct Running {
    calls: GitCalls,
    /// Locked to kill it or to reap its status, so that no other process with a reused id is
    /// killed.
    child: Mutex<Child>,
    phase: Mutex<Phase>,
    changed: Condvar,
}

/// The state of a git process.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// No answer is pending, and the watcher thread is not asleep.
    Idle,
    /// No answer is pending, and the watcher thread sleeps until it is woken.
    Asleep,
    /// An answer is due at this time.
    AnswersBy(Instant),
    Ended,
}

impl Running {
    /// Kills the process on timeout. Returns when it has exited.
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

    /// Thousands of objects are requested in a row, so the watcher is woken only if needed.
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
            // The call fails only if the group no longer exists.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
    }

    /// Waits for its exit. It can be killed meanwhile.
    fn wait(&self) -> io::Result<ExitStatus> {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            let id = i32::try_from(lock(&self.child).id()).ok().and_then(Pid::from_raw);
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            if let Some(id) = id {
                // The call fails if the status was already reaped.
                let _ = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(id), options));
            }
        }
        lock(&self.child).wait()
    }
}

/// A git process. Dropping this waits for its exit.
#[derive(Debug)]
pub(super) struct GitProcess {
    running: Arc<Running>,
    /// Its stdin, if it was requested as a pipe. Dropping it ends a process that reads it.
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
}

impl GitProcess {
    /// Runs `wait`, which blocks until git answers, within the time limit.
    pub fn answer<T>(&self, wait: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        self.running.enter(Phase::AnswersBy(Instant::now() + GIT_LIMIT));
        let answer = wait();
        self.running.enter(Phase::Idle);
        match self.running.calls.stopped() {
            Some(why) => Err(io::Error::other(why)),
            None => answer,
        }
    }

    /// Waits for the exit, and returns the status, stdout and stderr.
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
        // Only the exit matters here.
        let _ = self.answer(|| self.running.wait());
        self.running.enter(Phase::Ended);
        lock(&RUNNING).retain(|other| !Arc::ptr_eq(other, &self.running));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Environment variables that describe how git is installed and configured. All others concern a
/// single call of git, as in a hook, and may name another repository.
const KEPT_VARIABLES: [&str; 5] = [
    "GIT_EXEC_PATH",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
];

/// A git command for the repository around a folder that runs no other programs.
pub(super) fn git(folder: &Path, arguments: &[&str]) -> Command {
    let mut git = Command::new("git");
    for (variable, _) in env::vars_os() {
        let name = variable.to_string_lossy();
        if name.starts_with("GIT_") && !KEPT_VARIABLES.contains(&&*name) {
            git.env_remove(&variable);
        }
    }
    // A partial clone would fetch missing objects, over the network and with other programs.
    git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
    git.env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
    git.args(["-c", "core.fsmonitor=false", "-C"]).arg(folder).args(arguments);
    git.stdin(Stdio::null()).stderr(Stdio::null());
    git
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A program that never exits by itself, with a child process.
    fn endless() -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "cat /dev/zero >/dev/null & echo $!; wait"]);
        command
    }

    #[test]
    fn cancelling_kills_the_process_group_and_fails_later_calls() {
        let calls = GitCalls::default();
        let mut process = calls.start(endless()).expect("it starts");
        let mut stdout = io::BufReader::new(process.stdout.take().expect("it is a pipe"));
        let mut child = String::new();
        io::BufRead::read_line(&mut stdout, &mut child).expect("it prints the id of its child");
        calls.cancel();
        // The pipe closes when no process holds its other end; the child holds it while it runs.
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).expect("it ends");
        drop(process);
        assert!(calls.start(endless()).is_err());
        let running = lock(&RUNNING).iter().any(|it| Arc::ptr_eq(&it.calls.0, &calls.0));
        assert!(!running && calls.stopped() == Some(GitStopped::Cancelled));
    }

    #[test]
    fn cancelling_does_not_affect_other_requests() {
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
