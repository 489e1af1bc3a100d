//! What the editor has open, and what it said of itself: all that requests are answered from.

pub mod change_log;
pub mod cross_prompt;
mod document;
pub mod documents;
pub mod edits;
mod fingerprint;
mod known_code;
mod large_files;
mod listings;
mod overlay;
pub mod preferences;
pub mod prompt_snapshot;
pub mod stored_texts;

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, OnceLock};

use promptls_analysis::position::Encoding;
use promptls_workspace::Overrides;
use serde_json::Value;
use tokio::sync::Notify;
use tower_lsp::Client;

use crate::client_capabilities::ClientCapabilities;
use crate::diagnostics::{DiagnosticCapabilities, Diagnostics, Telling};
use crate::editor_log::EditorLog;
use crate::followers::Followers;
use crate::give_back::GiveBack;
use crate::handlers::preview::KeptPreviews;
use crate::handlers::semantic_tokens::LastTokens;
use crate::progress::Running;
use crate::refresh::Refresh;
use crate::workspace::Workspace;

use self::documents::Documents;
use self::edits::Edits;
use self::preferences::Preferences;
use self::stored_texts::StoredTexts;

/// A client, and what it has open.
pub struct Session {
    /// To tell it something, or to ask it.
    pub client: Client,
    /// To tell its log something.
    pub log: Arc<EditorLog>,
    /// What is open.
    pub documents: Arc<Documents>,
    /// What is wrong there.
    pub diagnostics: Arc<Diagnostics>,
    /// What the user has set.
    pub preferences: Arc<Preferences>,
    /// Whether the client has said that it is ready.
    pub said_initialized: AtomicBool,
    /// Becomes `true` when the client announces its end.
    pub said_shutdown: Arc<AtomicBool>,
    /// Is told when its process has ended.
    pub client_ended: Arc<Notify>,
    /// The semantic tokens that it has.
    pub last_tokens: LastTokens,
    /// The previews that it has.
    pub kept_previews: KeptPreviews,
    /// Hears of memory that is free.
    pub give_back: Arc<GiveBack>,
    /// What the user waits for, and can cancel.
    pub running: Arc<Running>,
    /// What stores have.
    pub stored_texts: Arc<StoredTexts>,
    /// What is wrong beyond what is open.
    pub workspace: Arc<Workspace>,
    /// What starts this program again; empty for the executable of this process.
    pub program: &'static [OsString],
    edits: Arc<Edits>,
    client_capabilities: Arc<OnceLock<ClientCapabilities>>,
}

impl Session {
    /// A session in which nothing has been said yet. The overrides hold for all its documents.
    pub fn new(client: Client, said_shutdown: Arc<AtomicBool>, overrides: Overrides) -> Session {
        let documents = Arc::new(Documents::new(overrides));
        let diagnostics = Arc::<Diagnostics>::default();
        Session {
            client,
            log: Arc::default(),
            workspace: Arc::new(Workspace::new(documents.clone(), diagnostics.clone())),
            documents,
            diagnostics,
            preferences: Arc::default(),
            said_initialized: AtomicBool::default(),
            said_shutdown,
            client_ended: Arc::default(),
            last_tokens: LastTokens::default(),
            kept_previews: KeptPreviews::default(),
            give_back: Arc::default(),
            running: Arc::default(),
            stored_texts: Arc::default(),
            program: &[],
            edits: Arc::default(),
            client_capabilities: Arc::default(),
        }
    }

    /// A session about the same documents for a follower, who may count something else.
    pub fn for_follower(&self, encoding: Encoding) -> Session {
        let capabilities = ClientCapabilities { encoding, ..ClientCapabilities::default() };
        Session {
            client: self.client.clone(),
            log: self.log.clone(),
            documents: self.documents.clone(),
            diagnostics: self.diagnostics.clone(),
            preferences: self.preferences.clone(),
            said_initialized: AtomicBool::default(),
            said_shutdown: Arc::default(),
            client_ended: Arc::default(),
            last_tokens: LastTokens::default(),
            kept_previews: KeptPreviews::default(),
            give_back: self.give_back.clone(),
            running: self.running.clone(),
            stored_texts: self.stored_texts.clone(),
            workspace: self.workspace.clone(),
            program: self.program,
            edits: self.edits.clone(),
            client_capabilities: Arc::new(capabilities.into()),
        }
    }

    /// What the client can do; nothing before it said so.
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        static NONE: LazyLock<ClientCapabilities> = LazyLock::new(ClientCapabilities::default);
        self.client_capabilities.get().unwrap_or(&NONE)
    }

    /// Takes what the client says of itself; `false` if it has said so before.
    pub fn set_client_capabilities(&self, capabilities: ClientCapabilities) -> bool {
        self.client_capabilities.set(capabilities).is_ok()
    }

    /// What it counts in a line.
    pub fn encoding(&self) -> Encoding {
        self.client_capabilities().encoding
    }

    /// For what is not about problems.
    pub fn refresh(&self) -> &Arc<Refresh> {
        self.diagnostics.refresh()
    }

    /// Takes over a section of the user's settings.
    pub async fn set_preferences(&self, section: &Value) {
        if self.preferences.set(section) {
            self.refresh().display();
        }
        self.diagnostics.mark(self.documents.set_usual_engine(self.preferences.engine()));
        // An editor that asks for problems is told none besides.
        let DiagnosticCapabilities { style, pulls, .. } = self.client_capabilities().diagnostics;
        match self.preferences.workspace_problems().filter(|_| !pulls) {
            Some(most) => {
                self.diagnostics.set_telling(Telling::OfWorkspace(most)).await;
                self.workspace.want_problems(style);
            }
            None if !pulls && self.workspace.wants_problems() => {
                self.workspace.want_no_problems();
                self.diagnostics.forget_others(&self.documents).await;
                self.diagnostics.set_telling(Telling::OfOpenPrompts).await;
                self.diagnostics.mark(self.documents.all());
            }
            None => {}
        }
    }

    /// For other programs.
    pub fn followers(&self) -> &Arc<Followers> {
        self.diagnostics.followers()
    }
}
