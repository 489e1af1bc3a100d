//! Asks the editor for the user's settings.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use tower_lsp::ls_types::ConfigurationItem;

use crate::session::{Session, preferences};

/// How long the editor may take to answer before it is asked again.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks whenever somebody wants them, once at a time: the editor may never answer.
pub async fn run(session: Arc<Session>) {
    loop {
        session.preferences.wanted().await;
        let section = Some(preferences::SECTION.to_owned());
        let item = ConfigurationItem { scope_uri: None, section };
        let asked = timeout(PATIENCE, session.client.configuration(vec![item])).await;
        if let Ok(Ok(sections)) = asked
            && let Some(section) = sections.first()
        {
            session.set_preferences(section).await;
        }
    }
}
