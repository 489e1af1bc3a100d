//! Requests the user's settings from the editor.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use tower_lsp::ls_types::ConfigurationItem;

use crate::session::{Session, preferences};

/// The time the editor has to answer before the request is sent again.
const PATIENCE: Duration = Duration::from_secs(10);

/// Requests the settings after each change, one request at a time. The wait is limited because an
/// editor may never answer.
pub async fn run(session: Arc<Session>) {
    loop {
        session.preferences.wanted().await;
        let section = Some(preferences::SECTION.to_owned());
        let item = ConfigurationItem { scope_uri: None, section };
        let response = timeout(PATIENCE, session.client.configuration(vec![item])).await;
        if let Ok(Ok(sections)) = response
            && let Some(section) = sections.first()
        {
            session.set_preferences(section).await;
        }
    }
}
