//! Requests the user's settings from the editor.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use crate::session::{Session, preferences};

/// The time the editor has to answer before the request is sent again.
const PATIENCE: Duration = Duration::from_secs(10);

/// Requests the settings after each change, one request at a time. The wait is limited because an
/// editor may never answer.
pub async fn run(session: Arc<Session>) {
    loop {
        session.preferences.requested().await;
        let settings = timeout(PATIENCE, session.editor.settings(preferences::SECTION)).await;
        if let Ok(Some(settings)) = settings {
            session.set_preferences(&settings).await;
        }
    }
}
