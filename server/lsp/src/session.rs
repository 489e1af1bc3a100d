//! The state of a session: the open documents and the client's capabilities. All requests are
//! answered from it.

pub mod change_log;
mod code_facts;
pub mod cross_prompt;
pub mod document;
pub mod documents;
pub mod edits;
mod fingerprint;
mod large_files;
pub mod last_tokens;
mod listings;
mod overlay;
pub mod preferences;
pub mod prompt_snapshot;
mod selected_cases;
pub mod sent_previews;
pub mod stored_texts;

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, OnceLock};

use promptls_analysis::position::Encoding;
use promptls_workspace::Overrides;
use serde_json::Value;
use tokio::sync::Notify;

use crate::client_capabilities::ClientCapabilities;
use crate::convert::diagnostic::DiagnosticCapabilities;
use crate::diagnostics::{Diagnostics, PublishPolicy};
use crate::editor::Editor;
use crate::editor::log::EditorLog;
use crate::editor::progress::Running;
use crate::editor::refresh::Refresh;
use crate::followers::Followers;
use crate::memory_release::MemoryRelease;
use crate::workspace::Workspace;

use self::documents::Documents;
use self::edits::Edits;
use self::last_tokens::LastTokens;
use self::preferences::Preferences;
use self::sent_previews::SentPreviews;
use self::stored_texts::StoredTexts;

/// A client and its open documents.
pub struct Session {
    /// Sends requests and notifications to the client.
    pub editor: Editor,
    /// Sends lines to the client's log.
    pub log: Arc<EditorLog>,
    /// The open documents, and prompts loaded for open sidecars.
    pub documents: Arc<Documents>,
    /// The diagnostics of these documents.
    pub diagnostics: Arc<Diagnostics>,
    /// Settings of the editor's section `promptls`, with defaults.
    pub preferences: Arc<Preferences>,
    /// The client has sent `initialized`.
    pub got_initialized: AtomicBool,
    /// Becomes `true` when the client sends `shutdown`.
    pub got_shutdown: Arc<AtomicBool>,
    /// Notified when the client's process has ended.
    pub client_ended: Arc<Notify>,
    /// The semantic tokens that were sent last.
    pub last_tokens: LastTokens,
    /// The previews that were sent last.
    pub sent_previews: SentPreviews,
    /// Counts memory that can be returned to the system.
    pub memory_release: Arc<MemoryRelease>,
    /// Work that the user can cancel.
    pub running: Arc<Running>,
    /// Texts from prompt stores, cached for up to a minute.
    pub stored_texts: Arc<StoredTexts>,
    /// The check of files that are not open.
    pub workspace: Arc<Workspace>,
    /// The command that starts this program again; empty for the executable of this process.
    pub program: &'static [OsString],
    edits: Arc<Edits>,
    client_capabilities: Arc<OnceLock<ClientCapabilities>>,
}

impl Session {
    /// A new session without documents. The overrides apply to all of its documents.
    pub fn new(editor: Editor, got_shutdown: Arc<AtomicBool>, overrides: Overrides) -> Session {
        let documents = Arc::new(Documents::new(overrides));
        let diagnostics = Arc::<Diagnostics>::default();
        Session {
            editor,
            log: Arc::default(),
            workspace: Arc::new(Workspace::new(documents.clone(), diagnostics.clone())),
            documents,
            diagnostics,
            preferences: Arc::default(),
            got_initialized: AtomicBool::default(),
            got_shutdown,
            client_ended: Arc::default(),
            last_tokens: LastTokens::default(),
            sent_previews: SentPreviews::default(),
            memory_release: Arc::default(),
            running: Arc::default(),
            stored_texts: Arc::default(),
            program: &[],
            edits: Arc::default(),
            client_capabilities: Arc::default(),
        }
    }

    /// A session with the same documents for a follower, which may use another encoding.
    pub fn for_follower(&self, encoding: Encoding) -> Session {
        let capabilities = ClientCapabilities { encoding, ..ClientCapabilities::default() };
        Session {
            editor: self.editor.clone(),
            log: self.log.clone(),
            documents: self.documents.clone(),
            diagnostics: self.diagnostics.clone(),
            preferences: self.preferences.clone(),
            got_initialized: AtomicBool::default(),
            got_shutdown: Arc::default(),
            client_ended: Arc::default(),
            last_tokens: LastTokens::default(),
            sent_previews: SentPreviews::default(),
            memory_release: self.memory_release.clone(),
            running: self.running.clone(),
            stored_texts: self.stored_texts.clone(),
            workspace: self.workspace.clone(),
            program: self.program,
            edits: self.edits.clone(),
            client_capabilities: Arc::new(capabilities.into()),
        }
    }

    /// The capabilities of the client; none before `initialize`.
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        static NONE: LazyLock<ClientCapabilities> = LazyLock::new(ClientCapabilities::default);
        self.client_capabilities.get().unwrap_or(&NONE)
    }

    /// Sets the capabilities of the client; `false` if they are set already.
    pub fn set_client_capabilities(&self, capabilities: ClientCapabilities) -> bool {
        self.client_capabilities.set(capabilities).is_ok()
    }

    /// The encoding of columns in the protocol.
    pub fn encoding(&self) -> Encoding {
        self.client_capabilities().encoding
    }

    /// Refresh requests, for features other than diagnostics.
    pub fn refresh(&self) -> &Arc<Refresh> {
        self.diagnostics.refresh()
    }

    /// Applies a section of the user's settings.
    pub async fn set_preferences(&self, section: &Value) {
        if self.preferences.set(section) {
            self.refresh().display();
        }
        self.diagnostics.mark(self.documents.loader().set_usual_engine(self.preferences.engine()));
        // An editor that pulls diagnostics receives no pushed ones for the workspace.
        let DiagnosticCapabilities { style, pulls, .. } = self.client_capabilities().diagnostics;
        match self.preferences.workspace_problems().filter(|_| !pulls) {
            Some(most) => {
                self.diagnostics.set_policy(PublishPolicy::Workspace(most)).await;
                self.workspace.want_problems(style);
            }
            None if !pulls && self.workspace.needs_problems() => {
                self.workspace.want_no_problems();
                self.diagnostics.forget_others(&self.documents).await;
                self.diagnostics.set_policy(PublishPolicy::OpenPrompts).await;
                self.diagnostics.mark(self.documents.all());
            }
            None => {}
        }
    }

    /// Other programs that follow a prompt.
    pub fn followers(&self) -> &Arc<Followers> {
        self.diagnostics.followers()
    }
}
