//! Registers the requests and notifications of the protocol and their handlers.
//!
//! The snapshot that a handler uses is taken when its message arrives, before anything is awaited.
//! [`Cost`] decides whether the handler then runs on the message task or on a worker.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use promptls_protocol::{
    Chat, CompareParams, Comparison, CursorParams, InputsForm, LikelyPrompt, LikelyPromptParams,
    PreviewAnswer, PreviewParams, PromptCases, PromptEngine, PromptParams, PromptToken, PromptTree,
    PromptsParams, ShownValue, Size, SizeParams, TokensParams, ValuesParams, methods,
};
use serde_json::Value;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;
use tower_lsp::{Client, ClientSocket, LanguageServer, LspService};

use crate::ask_preferences;
use crate::client_capabilities::ClientCapabilities;
use crate::client_process;
use crate::code_facts_task;
use crate::context::{Context, DocumentSubject, Subject};
use crate::convert::{self, Uri};
use crate::disk_polling;
use crate::errors;
use crate::handlers::code_action::AtRange;
use crate::handlers::compare::{CancelledOnDrop, CompareRequest};
use crate::handlers::stores;
#[cfg(feature = "templates")]
use crate::handlers::templates;
use crate::handlers::typing::{completion, formatting, linked_editing_range, on_type_formatting};
use crate::handlers::{
    self, cases, code_action, code_lens, compare, definition, document_highlight, document_link,
    document_symbol, execute_command, folding_range, hover, inlay_hint, inputs, likely_prompt,
    preview, references, rename, rename_files, selection_range, semantic_tokens, size,
    text_document_content, values, workspace,
};
use crate::progress;
use crate::read_large;
use crate::server_capabilities::server_capabilities;
use crate::session::Session;
use crate::session::preferences;
use crate::session::prompt_snapshot::{PromptSnapshot, View};
use crate::watched_files;
use crate::worker::{Cost, LONG_TEXT, work};

/// [`LONG_TEXT`] for requests that resolve and render the text, which costs more.
const LONG_PREVIEW: usize = 16 * 1024;

/// The server, and the stream of requests and notifications that it sends.
pub fn service(session: impl FnOnce(Client) -> Session) -> (LspService<Backend>, ClientSocket) {
    let service = LspService::build(|client| Backend { session: Arc::new(session(client)) });
    #[cfg(feature = "templates")]
    let service = service.custom_method(methods::TEMPLATES, Backend::templates);
    let service = service.custom_method(progress::CANCEL, Backend::progress_cancelled);
    service
        .custom_method(methods::PREVIEW, Backend::preview)
        .custom_method(methods::SIZE, Backend::size)
        .custom_method(methods::MESSAGES, Backend::messages)
        .custom_method(methods::COMPARE, Backend::compare)
        .custom_method(methods::INPUTS, Backend::inputs)
        .custom_method(methods::CASES, Backend::cases)
        .custom_method(methods::PROMPTS, Backend::prompt_tree)
        .custom_method(methods::ENGINE, Backend::engine)
        .custom_method(methods::LIKELY_PROMPT, Backend::likely_prompt)
        .custom_method(methods::CURSOR, Backend::cursor)
        .custom_method(methods::VALUES, Backend::values)
        .custom_method(methods::TOKENS, Backend::tokens)
        .custom_method(text_document_content::METHOD, Backend::text_document_content)
        .finish()
}

/// The server as tower-lsp uses it.
pub struct Backend {
    session: Arc<Session>,
}

impl Backend {
    /// The session that all requests are answered from.
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// Starts the tasks of the session, once the capabilities of the client are known.
    fn start_tasks(&self) {
        let session = &self.session;
        let (client, documents) = (session.client.clone(), session.documents.clone());
        let capabilities = session.client_capabilities();
        let (diagnostics, refreshes) = (capabilities.diagnostics, capabilities.refreshes);
        let editor = client.clone();
        let warn = move |line| {
            let editor = editor.clone();
            async move { editor.log_message(lsp::MessageType::WARNING, line).await }
        };
        tokio::spawn(session.log.clone().run(warn));
        tokio::spawn(ask_preferences::run(session.clone()));
        tokio::spawn(session.refresh().clone().run(client.clone(), refreshes));
        tokio::spawn(session.memory_release.clone().run());
        tokio::spawn(read_large::run(documents.clone(), session.diagnostics.clone()));
        tokio::spawn(code_facts_task::run(session.clone()));
        tokio::spawn(session.diagnostics.clone().run(client, documents, diagnostics));
    }

    /// Answers a request about some prompts.
    async fn answer<S: Subject, P: Send + 'static, T: Send + 'static>(
        &self,
        cost: Cost,
        subject: S,
        params: P,
        handler: fn(Context<S>, P) -> errors::Result<T>,
    ) -> Result<T> {
        let on_worker = cost.is_for_worker(subject.prompts());
        let context = Context { session: self.session.clone(), subject };
        Ok(work(on_worker, move || handler(context, params)).await?)
    }

    /// The views of a position: one for each prompt that its document belongs to.
    fn views(&self, at: &lsp::TextDocumentPositionParams) -> Vec<View> {
        let uri = Uri::from(at.text_document.uri.clone());
        self.session.documents.lookup().views(&uri, at.position, self.session.encoding())
    }

    /// The prompts of a document; empty if it has none.
    fn prompts(&self, document: &lsp::TextDocumentIdentifier) -> Vec<PromptSnapshot> {
        self.session.documents.lookup().prompts(&document.uri.clone().into())
    }

    /// A document with its prompts, or with the prompts that read it.
    fn document(&self, document: &lsp::TextDocumentIdentifier) -> DocumentSubject {
        let documents = &self.session.documents;
        let uri = Uri::from(document.uri.clone());
        let prompts = documents.lookup().prompts(&uri);
        let readers = match prompts.is_empty() {
            true => documents.lookup().known_readers(&uri),
            false => Vec::new(),
        };
        DocumentSubject { file: documents.lookup().file(&uri), prompts, readers }
    }

    /// The prompt that a custom request refers to. Fails if the URI is invalid.
    fn prompt(&self, asked: &impl handlers::AboutPrompt) -> Result<Option<PromptSnapshot>> {
        let (document, task, position) = asked.about();
        let (uri, position) = (convert::document_uri(document)?, position.map(convert::from_wire));
        let encoding = self.session.encoding();
        Ok(self.session.documents.lookup().prompt_asked_for(&uri, task, position, encoding))
    }

    /// Registers a capability dynamically. Runs in its own task, because the editor may never
    /// answer.
    fn register(&self, method: &'static str, register_options: Option<Value>) {
        let client = self.session.client.clone();
        tokio::spawn(async move {
            let id = format!("promptls {method}");
            let registration =
                lsp::Registration { id, method: method.to_owned(), register_options };
            if let Err(error) = client.register_capability(vec![registration]).await {
                tracing::warn!(%error, "the editor does not register {method}");
            }
        });
    }

    /// Registers for changes of watched files.
    fn watch_files(&self) {
        let watchers = convert::watchers(watched_files::watched());
        let options = lsp::DidChangeWatchedFilesRegistrationOptions { watchers };
        self.register("workspace/didChangeWatchedFiles", serde_json::to_value(options).ok());
    }

    /// Requests the user's settings, also in its own task.
    fn ask_preferences(&self) {
        if self.session.client_capabilities().configuration {
            self.session.preferences.want();
        }
    }
}

/// Handlers of `promptls/*` methods, which are not part of the protocol.
impl Backend {
    async fn preview(&self, params: PreviewParams) -> Result<Option<PreviewAnswer>> {
        let cost = Cost::OfText(LONG_PREVIEW);
        self.answer(cost, self.prompt(&params)?, params, preview::preview).await
    }

    async fn cases(&self, params: PromptParams) -> Result<Option<PromptCases>> {
        self.answer(Cost::OfNames, self.prompt(&params)?, params, cases::cases).await
    }

    async fn prompt_tree(&self, params: PromptsParams) -> Result<Option<PromptTree>> {
        Ok(workspace::prompts::prompts(self.session.clone(), params).await?)
    }

    async fn messages(&self, params: PromptParams) -> Result<Option<Chat>> {
        let cost = Cost::OfText(LONG_PREVIEW);
        self.answer(cost, self.prompt(&params)?, params, preview::messages::messages).await
    }

    async fn inputs(&self, params: PromptParams) -> Result<Option<InputsForm>> {
        self.answer(Cost::OfNames, self.prompt(&params)?, params, inputs::inputs).await
    }

    #[cfg(feature = "templates")]
    async fn templates(
        &self,
        params: promptls_protocol::TemplatesParams,
    ) -> Result<promptls_protocol::TemplateList> {
        let session = self.session.clone();
        Ok(work(true, move || templates::templates(&session, params)).await?)
    }

    async fn size(&self, params: SizeParams) -> Result<Option<Size>> {
        // Unpacking a vocabulary takes longer than anything else here.
        self.answer(Cost::Long, self.prompt(&params)?, params, size::size).await
    }

    async fn compare(&self, params: CompareParams) -> Result<Option<Comparison>> {
        let prompt = self.prompt(&params)?;
        let sides = [&params.left, &params.right];
        let stored = stores::texts(&self.session, prompt.as_ref(), sides).await?;
        // Cancelling the request drops it here, while a worker may still wait for git.
        let calls = CancelledOnDrop::default();
        let request = CompareRequest { params, stored, calls: calls.0.clone() };
        self.answer(Cost::Long, prompt, request, compare::compare).await
    }

    /// The user has cancelled something.
    async fn progress_cancelled(&self, params: lsp::WorkDoneProgressCancelParams) {
        self.session.running.cancel(&params.token);
    }

    async fn values(&self, params: ValuesParams) -> Result<Option<Vec<ShownValue>>> {
        let uri = convert::document_uri(&params.text_document)?;
        let prompts = self.session.documents.lookup().prompts(&uri);
        self.answer(Cost::OfNames, prompts, params, values::values).await
    }

    async fn tokens(&self, params: TokensParams) -> Result<Option<Vec<PromptToken>>> {
        let uri = convert::document_uri(&params.text_document)?;
        let prompts = self.session.documents.lookup().prompts(&uri);
        self.answer(Cost::OfNames, prompts, params, semantic_tokens::in_range).await
    }

    async fn engine(&self, params: PromptParams) -> Result<Option<PromptEngine>> {
        self.answer(Cost::Long, self.prompt(&params)?, params, preview::engine::engine).await
    }

    async fn likely_prompt(&self, params: LikelyPromptParams) -> Result<Option<LikelyPrompt>> {
        self.answer(Cost::Long, (), params, likely_prompt::likely).await
    }

    /// Cursor positions from editors that do not request document highlights.
    async fn cursor(&self, at: CursorParams) {
        // An invalid URI is ignored: no document has it.
        if let Ok(uri) = convert::document_uri(&at.text_document) {
            self.session.followers().cursor_moved(&uri, at.position);
        }
    }

    async fn text_document_content(
        &self,
        params: text_document_content::ContentParams,
    ) -> Result<text_document_content::DocumentContent> {
        let subject = text_document_content::subject(&self.session, &params)?;
        self.answer(Cost::Long, subject, params, text_document_content::content).await
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        let client_capabilities = ClientCapabilities::of(&params);
        let capabilities = server_capabilities(&client_capabilities);
        let is_untrusted = client_capabilities.is_untrusted;
        // tower-lsp rejects a second `initialize`. If capabilities are set already, this is the
        // server of a follower, besides that of the editor.
        let session = &self.session;
        if !session.set_client_capabilities(client_capabilities) {
            return Ok(lsp::InitializeResult::default());
        }
        if is_untrusted {
            session.documents.distrust();
        }
        session.documents.set_folders(convert::first_folders(&params));
        if let Some(process) = params.process_id {
            let client_ended = session.client_ended.clone();
            tokio::spawn(async move {
                client_process::ended(process).await;
                client_ended.notify_one();
            });
        }
        self.start_tasks();
        Ok(lsp::InitializeResult {
            capabilities,
            server_info: Some(lsp::ServerInfo {
                name: "promptls".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..lsp::InitializeResult::default()
        })
    }

    async fn initialized(&self, _: lsp::InitializedParams) {
        let session = &self.session;
        // A repeated `initialized` must not repeat these steps.
        if session.said_initialized.swap(true, Ordering::Relaxed) {
            return;
        }
        if session.client_capabilities().watches_files {
            self.watch_files();
        } else {
            tokio::spawn(disk_polling::run(session.documents.clone(), session.diagnostics.clone()));
        }
        if session.client_capabilities().registers_configuration {
            self.register("workspace/didChangeConfiguration", None);
        }
        if session.client_capabilities().registers_formatting {
            let sidecars = session.client_capabilities().formats_sidecars;
            self.register("textDocument/formatting", Some(formatting::registration(sidecars)));
        }
        if session.client_capabilities().registers_on_type_formatting {
            let registration = on_type_formatting::registration();
            self.register("textDocument/onTypeFormatting", Some(registration));
        }
        self.ask_preferences();
    }

    async fn shutdown(&self) -> Result<()> {
        self.session.said_shutdown.store(true, Ordering::Relaxed);
        self.session.workspace.close();
        Ok(())
    }

    // In the next handlers, nothing may be awaited before the state has changed: changes must be
    // applied in the order in which they arrive.

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        let uri = Uri::from(params.text_document.uri.clone());
        let (touched, may_be_shared) = self.session.documents.sync().open(params.text_document);
        self.session.followers().documents_changed();
        self.session.diagnostics.mark(touched);
        if !may_be_shared {
            return;
        }
        let session = self.session.clone();
        tokio::task::spawn_blocking(move || {
            let readers = session.documents.loader().open_sharing(&uri);
            if !readers.is_empty() {
                // A lens above this file lists the prompts that read it.
                session.refresh().display();
                session.followers().documents_changed();
            }
            // Unused keys of this file are known now, even if all its readers were loaded earlier.
            session.diagnostics.mark(readers.into_iter().chain([uri]));
        });
    }

    async fn did_change(&self, params: lsp::DidChangeTextDocumentParams) {
        let lsp::VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        let uri = uri.into();
        let Session { documents, diagnostics, .. } = &*self.session;
        match documents.sync().change(
            &uri,
            version,
            params.content_changes,
            self.session.encoding(),
        ) {
            Ok(touched) => diagnostics.mark(touched),
            Err(error) => self.session.log.warn(error.to_string()),
        }
    }

    async fn did_close(&self, params: lsp::DidCloseTextDocumentParams) {
        let uri = &Uri::from(params.text_document.uri);
        let bytes = self.session.documents.bytes(uri);
        self.session.diagnostics.mark(self.session.documents.sync().close(uri));
        self.session.memory_release.closed(bytes);
        self.session.last_tokens.forget(uri);
        self.session.followers().documents_changed();
    }

    async fn did_save(&self, _: lsp::DidSaveTextDocumentParams) {
        // Saved text is known already from the change notifications.
    }

    async fn did_change_watched_files(&self, params: lsp::DidChangeWatchedFilesParams) {
        let paths: Vec<_> =
            params.changes.into_iter().map(|change| convert::path(&change.uri.into())).collect();
        self.session.diagnostics.mark(self.session.documents.sync().files_changed(&paths));
    }

    async fn will_rename_files(
        &self,
        params: lsp::RenameFilesParams,
    ) -> Result<Option<lsp::WorkspaceEdit>> {
        let session = self.session.clone();
        let edit = move || {
            Ok(rename_files::edit(&session.documents, session.client_capabilities(), &params))
        };
        Ok(work(true, edit).await?)
    }

    async fn did_rename_files(&self, params: lsp::RenameFilesParams) {
        let (old, new): (Vec<_>, Vec<_>) = rename_files::paths(&params).into_iter().unzip();
        self.session
            .diagnostics
            .mark(self.session.documents.sync().files_changed(&[old, new].concat()));
    }

    async fn did_change_configuration(&self, params: lsp::DidChangeConfigurationParams) {
        // Editors that support `workspace/configuration` send nothing here, or all their settings.
        match params.settings.get(preferences::SECTION) {
            Some(section) if !self.session.client_capabilities().configuration => {
                self.session.set_preferences(section).await;
            }
            _ => self.ask_preferences(),
        }
    }

    async fn did_change_workspace_folders(&self, params: lsp::DidChangeWorkspaceFoldersParams) {
        // Related files of a prompt are found from its own folder; only the workspace uses these.
        let log = self.session.documents.log();
        let lsp::WorkspaceFoldersChangeEvent { added, removed } = params.event;
        let removed = convert::folders(&removed);
        let mut folders = log.folders();
        folders.retain(|folder| !removed.contains(folder));
        folders.extend(convert::folders(&added));
        self.session.documents.set_folders(folders);
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        let views = self.views(&params.text_document_position_params);
        self.answer(Cost::OfNames, views, params, hover::hover).await
    }

    async fn completion(
        &self,
        params: lsp::CompletionParams,
    ) -> Result<Option<lsp::CompletionResponse>> {
        let views = self.views(&params.text_document_position);
        self.answer(Cost::OfNames, views, params, completion::completion).await
    }

    async fn formatting(
        &self,
        params: lsp::DocumentFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        let document =
            formatting::document(&self.session, &params.text_document.uri.clone().into());
        let Some(document) = document else { return Ok(None) };
        let encoding = self.session.encoding();
        let edits = move || Ok(Some(formatting::formatting(&document, &params.options, encoding)));
        Ok(work(true, edits).await?)
    }

    async fn on_type_formatting(
        &self,
        params: lsp::DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        let views = self.views(&params.text_document_position);
        let cost = Cost::OfText(LONG_TEXT);
        self.answer(cost, views, params, on_type_formatting::on_type_formatting).await
    }

    async fn completion_resolve(&self, item: lsp::CompletionItem) -> Result<lsp::CompletionItem> {
        let prompt = completion::prompt_of(&self.session, &item);
        self.answer(Cost::OfNames, prompt, item, completion::resolve).await
    }

    async fn code_action(
        &self,
        params: lsp::CodeActionParams,
    ) -> Result<Option<lsp::CodeActionResponse>> {
        let uri = Uri::from(params.text_document.uri.clone());
        let subject = AtRange::new(&self.session, &uri, params.range);
        self.answer(Cost::OfFiles(LONG_TEXT), subject, params, code_action::code_action).await
    }

    async fn code_action_resolve(&self, action: lsp::CodeAction) -> Result<lsp::CodeAction> {
        let subject = AtRange::of(&self.session, &action);
        self.answer(Cost::OfFiles(LONG_TEXT), subject, action, code_action::resolve).await
    }

    async fn goto_definition(
        &self,
        params: lsp::GotoDefinitionParams,
    ) -> Result<Option<lsp::GotoDefinitionResponse>> {
        let views = self.views(&params.text_document_position_params);
        self.answer(Cost::OfNames, views, params, definition::definition).await
    }

    async fn goto_declaration(
        &self,
        params: lsp::request::GotoDeclarationParams,
    ) -> Result<Option<lsp::request::GotoDeclarationResponse>> {
        let views = self.views(&params.text_document_position_params);
        self.answer(Cost::OfNames, views, params, definition::declaration).await
    }

    async fn references(&self, params: lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>> {
        let views = self.views(&params.text_document_position);
        let cost = references::cost(&views);
        let token = params.work_done_progress_params.work_done_token.clone();
        let answer = self.answer(cost, views, params, references::references);
        self.session.with_progress_if_long(token, "Looking for references", answer).await
    }

    async fn prepare_rename(
        &self,
        params: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::PrepareRenameResponse>> {
        self.session.workspace.know_code().await;
        let views = self.views(&params);
        // Without any view, prompts have to be read from disk.
        let cost = if views.is_empty() { Cost::Long } else { Cost::OfNames };
        self.answer(cost, views, params, rename::prepare_rename).await
    }

    async fn rename(&self, params: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>> {
        self.session.workspace.know_code().await;
        let generation = self.session.documents.generation();
        let views = self.views(&params.text_document_position);
        let token = params.work_done_progress_params.work_done_token.clone();
        let answer = self.answer(Cost::Long, views, (params, generation), rename::rename);
        self.session.with_progress_if_long(token, "Renaming", answer).await
    }

    async fn document_highlight(
        &self,
        params: lsp::DocumentHighlightParams,
    ) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
        let at = &params.text_document_position_params;
        // Editors request highlights wherever the cursor comes to rest.
        let (uri, position) =
            (at.text_document.uri.clone().into(), convert::wire_position(at.position));
        self.session.followers().cursor_moved(&uri, position);
        let views = self.views(at);
        self.answer(Cost::OfNames, views, params, document_highlight::document_highlight).await
    }

    async fn diagnostic(
        &self,
        params: lsp::DocumentDiagnosticParams,
    ) -> Result<lsp::DocumentDiagnosticReportResult> {
        let Session { documents, diagnostics, workspace, .. } = &*self.session;
        let style = self.session.client_capabilities().diagnostics.style;
        if documents.version(&params.text_document.uri.clone().into()).is_none() {
            // Editors request diagnostics once more for documents that they have closed.
            workspace.settle().await;
        }
        // Waits for a check that is already running, and shares its result.
        Ok(diagnostics.pull(documents, params, style).await.ok_or_else(errors::retrigger)?)
    }

    async fn workspace_diagnostic(
        &self,
        params: lsp::WorkspaceDiagnosticParams,
    ) -> Result<lsp::WorkspaceDiagnosticReportResult> {
        Ok(workspace::diagnostic::workspace_diagnostic(self.session.clone(), params).await?)
    }

    async fn symbol(
        &self,
        params: lsp::WorkspaceSymbolParams,
    ) -> Result<Option<lsp::WorkspaceSymbolResponse>> {
        Ok(workspace::symbol::symbol(self.session.clone(), params).await?)
    }

    async fn symbol_resolve(&self, symbol: lsp::WorkspaceSymbol) -> Result<lsp::WorkspaceSymbol> {
        Ok(workspace::symbol::resolve(self.session.clone(), symbol).await?)
    }

    async fn semantic_tokens_full(
        &self,
        params: lsp::SemanticTokensParams,
    ) -> Result<Option<lsp::SemanticTokensResult>> {
        let prompts = self.prompts(&params.text_document);
        self.answer(Cost::OfText(LONG_TEXT), prompts, params, semantic_tokens::full).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: lsp::SemanticTokensDeltaParams,
    ) -> Result<Option<lsp::SemanticTokensFullDeltaResult>> {
        let prompts = self.prompts(&params.text_document);
        self.answer(Cost::OfText(LONG_TEXT), prompts, params, semantic_tokens::delta).await
    }

    async fn semantic_tokens_range(
        &self,
        params: lsp::SemanticTokensRangeParams,
    ) -> Result<Option<lsp::SemanticTokensRangeResult>> {
        let prompts = self.prompts(&params.text_document);
        self.answer(Cost::OfNames, prompts, params, semantic_tokens::range).await
    }

    async fn selection_range(
        &self,
        params: lsp::SelectionRangeParams,
    ) -> Result<Option<Vec<lsp::SelectionRange>>> {
        let prompts = self.prompts(&params.text_document);
        let handler = selection_range::selection_range;
        self.answer(Cost::OfText(LONG_TEXT), prompts, params, handler).await
    }

    async fn linked_editing_range(
        &self,
        params: lsp::LinkedEditingRangeParams,
    ) -> Result<Option<lsp::LinkedEditingRanges>> {
        let views = self.views(&params.text_document_position_params);
        let handler = linked_editing_range::linked_editing_range;
        self.answer(Cost::OfNames, views, params, handler).await
    }

    async fn folding_range(
        &self,
        params: lsp::FoldingRangeParams,
    ) -> Result<Option<Vec<lsp::FoldingRange>>> {
        let prompts = self.prompts(&params.text_document);
        self.answer(Cost::OfText(LONG_TEXT), prompts, params, folding_range::folding_range).await
    }

    async fn document_symbol(
        &self,
        params: lsp::DocumentSymbolParams,
    ) -> Result<Option<lsp::DocumentSymbolResponse>> {
        let prompts = self.prompts(&params.text_document);
        let cost = Cost::OfText(LONG_TEXT);
        self.answer(cost, prompts, params, document_symbol::document_symbol).await
    }

    async fn document_link(
        &self,
        params: lsp::DocumentLinkParams,
    ) -> Result<Option<Vec<lsp::DocumentLink>>> {
        let document = self.document(&params.text_document);
        self.answer(Cost::OfText(LONG_TEXT), document, params, document_link::document_link).await
    }

    async fn inlay_hint(
        &self,
        params: lsp::InlayHintParams,
    ) -> Result<Option<Vec<lsp::InlayHint>>> {
        let prompts = self.prompts(&params.text_document);
        self.answer(Cost::OfNames, prompts, params, inlay_hint::inlay_hint).await
    }

    async fn inlay_hint_resolve(&self, hint: lsp::InlayHint) -> Result<lsp::InlayHint> {
        let prompt = inlay_hint::prompt_of(&self.session, &hint);
        self.answer(Cost::OfNames, prompt, hint, inlay_hint::resolve).await
    }

    async fn code_lens(&self, params: lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>> {
        let document = self.document(&params.text_document);
        self.answer(Cost::OfNames, document, params, code_lens::code_lens).await
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        Ok(execute_command::execute_command(self.session.clone(), params).await?)
    }
}
