//! Detects the end of the editor's process. A closed pipe does not show it, because another process
//! may have inherited its end.

/// Waits for the end of the process that `initialize` names. Never returns where that cannot be
/// determined.
pub async fn ended(id: u32) {
    #[cfg(unix)]
    if let Some(id) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw)
        && let Ok(true) = tokio::task::spawn_blocking(move || unix::wait_for_end(id)).await
    {
        return;
    }
    let _ = id;
    std::future::pending::<()>().await;
}

#[cfg(target_os = "linux")]
mod unix {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::{Errno, retry_on_intr};
    use rustix::process::{Pid, PidfdFlags, pidfd_open};

    /// Waits for the end of the process; `false` if it cannot be observed.
    pub fn wait_for_end(id: Pid) -> bool {
        match pidfd_open(id, PidfdFlags::empty()) {
            Ok(process) => {
                let mut polled = [PollFd::new(&process, PollFlags::IN)];
                retry_on_intr(|| poll(&mut polled, None)).is_ok()
            }
            Err(error) => error == Errno::SRCH,
        }
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod unix {
    use std::thread;
    use std::time::Duration;

    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    /// Waits for the end of the process by polling; `false` if it cannot be observed.
    pub fn wait_for_end(id: Pid) -> bool {
        while test_kill_process(id) != Err(Errno::SRCH) {
            thread::sleep(Duration::from_secs(3));
        }
        true
    }
}
