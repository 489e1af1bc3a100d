//! Sends requests and notifications to the editor. Handlers pass their own types; what is sent has
//! those of the protocol.

pub mod log;
pub mod progress;
pub mod refresh;

use promptls_protocol::methods::{PREVIEW_CHANGED, PROMPTS_CHANGED};
use promptls_protocol::{PreviewChangedParams, PromptsChangedParams};
use serde_json::{Value, json};
use tower_lsp::Client;
use tower_lsp::jsonrpc::Request;
use tower_lsp::ls_types as lsp;
use tower_service::Service;

use crate::client_capabilities::ClientCapabilities;
use crate::convert::diagnostic::{Diagnostic, NamedList, report};
use crate::convert::workspace_edit::workspace_edit;
use crate::convert::{ProgressToken, Uri, lsp_range};
use crate::document_range::DocumentRange;
use crate::errors::{Result, refused};
use crate::workspace_edits::WorkspaceEdits;

/// `promptls/previewChanged`, as tower-lsp sends it.
enum PreviewChanged {}

impl lsp::notification::Notification for PreviewChanged {
    type Params = PreviewChangedParams;
    const METHOD: &'static str = PREVIEW_CHANGED;
}

/// `promptls/promptsChanged`, as tower-lsp sends it.
enum PromptsChanged {}

impl lsp::notification::Notification for PromptsChanged {
    type Params = PromptsChangedParams;
    const METHOD: &'static str = PROMPTS_CHANGED;
}

/// `$/progress` with a partial result, for which tower-lsp has no type.
enum PartialResult {}

impl lsp::notification::Notification for PartialResult {
    type Params = PartialResultParams;
    const METHOD: &'static str = "$/progress";
}

#[derive(serde::Serialize, serde::Deserialize)]
struct PartialResultParams {
    token: ProgressToken,
    value: lsp::WorkspaceDiagnosticReportPartialResult,
}

/// The editor at the other end of the connection. Copies are cheap.
#[derive(Clone)]
pub struct Editor(Client);

impl Editor {
    /// The editor that tower-lsp is connected to.
    pub fn new(client: Client) -> Editor {
        Editor(client)
    }

    /// Writes a warning into the log of the editor.
    pub async fn log_warning(&self, line: String) {
        self.0.log_message(lsp::MessageType::WARNING, line).await;
    }

    /// Writes a line into the log of the editor.
    pub async fn log_information(&self, line: String) {
        self.0.log_message(lsp::MessageType::INFO, line).await;
    }

    /// Shows a message to the user.
    pub async fn show_information(&self, message: String) {
        self.0.show_message(lsp::MessageType::INFO, message).await;
    }

    /// Requests a section of the user's settings; `None` if the editor returns an error.
    pub async fn settings(&self, section: &str) -> Option<Value> {
        let section = Some(section.to_owned());
        let item = lsp::ConfigurationItem { scope_uri: None, section };
        self.0.configuration(vec![item]).await.ok()?.into_iter().next()
    }

    /// Registers a capability. Fails with the message of the editor.
    pub async fn register(&self, method: &str, register_options: Option<Value>) -> Result<()> {
        let (id, method) = (format!("promptls {method}"), method.to_owned());
        let registration = lsp::Registration { id, method, register_options };
        Ok(self.0.register_capability(vec![registration]).await?)
    }

    /// Replaces the diagnostics of a document.
    pub async fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        let diagnostics = diagnostics.into_iter().map(lsp::Diagnostic::from).collect();
        self.0.publish_diagnostics(uri.into(), diagnostics, version).await;
    }

    /// Sends lists of diagnostics, each with the version of its document, as a partial result.
    pub async fn send_lists(
        &self,
        token: &ProgressToken,
        lists: impl Iterator<Item = (NamedList, Option<i64>)>,
    ) {
        let items = lists.map(|(list, version)| report(&list, version)).collect();
        let value = lsp::WorkspaceDiagnosticReportPartialResult { items };
        let params = PartialResultParams { token: token.clone(), value };
        self.0.send_notification::<PartialResult>(params).await;
    }

    pub async fn preview_changed(&self, params: PreviewChangedParams) {
        self.0.send_notification::<PreviewChanged>(params).await;
    }

    pub async fn prompts_changed(&self, params: PromptsChangedParams) {
        self.0.send_notification::<PromptsChanged>(params).await;
    }

    /// Applies edits to files. Fails with the reason of the editor.
    pub async fn apply(&self, edits: WorkspaceEdits, client: &ClientCapabilities) -> Result<()> {
        let response = self.0.apply_edit(workspace_edit(edits, client)).await?;
        if response.applied {
            return Ok(());
        }
        Err(refused(match response.failure_reason {
            Some(reason) if !reason.is_empty() => reason,
            _ => "the editor did not apply the edit".to_owned(),
        }))
    }

    /// Shows a range of a document and moves the cursor there; `false` if the editor does not.
    pub async fn show(&self, DocumentRange { uri, range }: DocumentRange) -> bool {
        let params = lsp::ShowDocumentParams {
            uri: uri.into(),
            external: None,
            take_focus: Some(true),
            selection: Some(lsp_range(range)),
        };
        self.0.show_document(params).await.unwrap_or(false)
    }

    /// Sends a request without `params`; those of tower-lsp have `null`, which the protocol does not
    /// allow. The answer has no content, and an error has no effect here.
    pub async fn refresh(&self, method: &'static str) {
        let request = Request::build(method).id(self.0.next_request_id()).finish();
        let _ = self.0.clone().call(request).await;
    }

    /// Requests that the editor reads a virtual document again. An error has no effect here.
    pub async fn refresh_content(&self, uri: String) {
        let request = Request::build("workspace/textDocumentContent/refresh")
            .params(json!({ "uri": uri }))
            .id(self.0.next_request_id())
            .finish();
        let _ = self.0.clone().call(request).await;
    }

    /// Creates a progress indicator; `false` if the editor does not.
    pub async fn create_progress(&self, token: &ProgressToken) -> bool {
        self.0.create_work_done_progress(token.clone().into()).await.is_ok()
    }

    pub async fn begin_progress(&self, token: &ProgressToken, title: String, is_cancellable: bool) {
        let begin = lsp::WorkDoneProgressBegin {
            title,
            cancellable: Some(is_cancellable),
            ..lsp::WorkDoneProgressBegin::default()
        };
        self.progress(token, lsp::WorkDoneProgress::Begin(begin)).await;
    }

    /// Changes the message beside a progress indicator.
    pub async fn report_progress(&self, token: &ProgressToken, message: String) {
        let message = Some(message);
        let report = lsp::WorkDoneProgressReport { message, ..Default::default() };
        self.progress(token, lsp::WorkDoneProgress::Report(report)).await;
    }

    pub async fn end_progress(&self, token: &ProgressToken) {
        self.progress(token, lsp::WorkDoneProgress::End(lsp::WorkDoneProgressEnd::default())).await;
    }

    async fn progress(&self, token: &ProgressToken, progress: lsp::WorkDoneProgress) {
        let value = lsp::ProgressParamsValue::WorkDone(progress);
        let params = lsp::ProgressParams { token: token.clone().into(), value };
        self.0.send_notification::<lsp::notification::Progress>(params).await;
    }
}
