//! How a preview that follows comes to its end.

/// Waits until somebody ends the program: Ctrl-C, or a signal that asks it to end.
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
        // It fails only where there is no console to press a key in.
        let _ = tokio::signal::ctrl_c().await;
    })
}
