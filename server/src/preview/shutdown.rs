//! Termination of a preview that follows changes.

/// Waits until the user ends the program with Ctrl-C or a termination signal.
pub fn ended() -> std::io::Result<impl Future<Output = ()>> {
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
        // It fails only without a console, where no key can be pressed.
        let _ = tokio::signal::ctrl_c().await;
    })
}
