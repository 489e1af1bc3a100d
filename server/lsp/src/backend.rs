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
use tower_lsp::{ClientSocket, LanguageServer, LspService};

use crate::client_capabilities::ClientCapabilities;
use crate::client_process;
use crate::code_facts_task;
use crate::context::{Context, DocumentSubject, Subject};
use crate::convert::code_action::{action_data, action_query};
use crate::convert::completion::{completion_data, completion_query};
use crate::convert::diagnostic::document_report;
use crate::convert::workspace_diagnostic::{prepared_reports, workspace_query};
use crate::convert::workspace_edit::workspace_edit;
use crate::convert::{self, Uri, display, navigation};
use crate::disk_polling;
use crate::document_range::{DocumentPosition, DocumentRange};
use crate::editor::Editor;
use crate::editor::progress;
use crate::errors;
use crate::handlers::code_action::AtRange;
use crate::handlers::compare::{CancelledOnDrop, CompareRequest};
use crate::handlers::execute_command::CommandRequest;
use crate::handlers::rename::RenameQuery;
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
use crate::read_large;
use crate::request_preferences;
use crate::server_capabilities::server_capabilities;
use crate::session::Session;
use crate::session::cross_prompt;
use crate::session::preferences;
use crate::session::prompt_snapshot::{PromptSnapshot, View};
use crate::watched_files;
use crate::worker::{Cost, LONG_TEXT, work};
use promptls_workspace::is_code;

/// [`LONG_TEXT`] for requests that resolve and render the text, which costs more.
const LONG_PREVIEW: usize = 16 * 1024;

/// The most computations of an answer while code that it depends on is read or edited.
const MAX_ANSWERS: usize = 4;

/// The server, and the stream of requests and notifications that it sends.
pub fn service(session: impl FnOnce(Editor) -> Session) -> (LspService<Backend>, ClientSocket) {
    let service = LspService::build(|client| {
        let session = session(Editor::new(client));
        Backend { session: Arc::new(session) }
    });
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
        let (editor, documents) = (session.editor.clone(), session.documents.clone());
        let capabilities = session.client_capabilities();
        let (diagnostics, refreshes) = (capabilities.diagnostics, capabilities.refreshes);
        let log = editor.clone();
        let warn = move |line| {
            let log = log.clone();
            async move { log.log_warning(line).await }
        };
        tokio::spawn(session.log.clone().run(warn));
        tokio::spawn(request_preferences::run(session.clone()));
        tokio::spawn(session.refresh().clone().run(editor.clone(), refreshes));
        tokio::spawn(session.memory_release.clone().run());
        tokio::spawn(read_large::run(documents.clone(), session.diagnostics.clone()));
        tokio::spawn(code_facts_task::run(session.clone()));
        tokio::spawn(session.diagnostics.clone().run(editor, documents, diagnostics));
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

    /// The capabilities of the editor.
    fn client(&self) -> &ClientCapabilities {
        self.session.client_capabilities()
    }

    /// The views of a position: one for each prompt that its document belongs to.
    fn views(&self, at: &DocumentPosition) -> Vec<View> {
        self.session.documents.lookup().views(&at.uri, at.position, self.session.encoding())
    }

    /// Answers a request about a position.
    async fn answer_at<T: Send + 'static>(
        &self,
        at: lsp::TextDocumentPositionParams,
        handler: fn(Context<Vec<View>>, DocumentPosition) -> errors::Result<T>,
    ) -> Result<T> {
        let at = convert::document_position(at);
        let views = self.views(&at);
        // Texts of code are followed to other files.
        let cost = match is_code(&convert::path(&at.uri)) {
            true => Cost::Long,
            false => cross_prompt::cost(&views, at.position, self.session.encoding()),
        };
        self.answer(cost, views, at, handler).await
    }

    /// Answers once the code around a request has been read. The first answer may be the first to
    /// require some of it, and is then computed again.
    async fn with_known_code<T, A: Future<Output = Result<T>>>(
        &self,
        answer: impl Fn() -> A,
    ) -> Result<T> {
        let code = self.session.documents.code_facts();
        for _ in 1..MAX_ANSWERS {
            self.session.workspace.know_code().await;
            let collections = code.collections();
            let answer = answer().await;
            if !code.is_pending() && code.collections() == collections {
                return answer;
            }
        }
        answer().await
    }

    /// The prompts of a document; empty if it has none.
    fn prompts(&self, uri: &Uri) -> Vec<PromptSnapshot> {
        self.session.documents.lookup().prompts(uri)
    }

    /// A document with its prompts, or with the prompts that read it.
    fn document(&self, uri: &Uri) -> DocumentSubject {
        let documents = &self.session.documents;
        let prompts = documents.lookup().prompts(uri);
        let readers = match prompts.is_empty() {
            true => documents.lookup().known_readers(uri),
            false => Vec::new(),
        };
        DocumentSubject { file: documents.lookup().file(uri), prompts, readers }
    }

    /// The prompt that a custom request refers to. Fails if the URI is invalid.
    fn prompt(&self, params: &impl handlers::AboutPrompt) -> Result<Option<PromptSnapshot>> {
        let (document, task, position) = params.about();
        let uri = convert::document_uri(document)?;
        let encoding = self.session.encoding();
        Ok(self.session.documents.lookup().requested_prompt(&uri, task, position, encoding))
    }

    /// Registers a capability dynamically. Runs in its own task, because the editor may never
    /// answer.
    fn register(&self, method: &'static str, register_options: Option<Value>) {
        let editor = self.session.editor.clone();
        tokio::spawn(async move {
            if let Err(error) = editor.register(method, register_options).await {
                tracing::warn!(error = %error.message, "the editor does not register {method}");
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
    fn request_preferences(&self) {
        if self.session.client_capabilities().configuration {
            self.session.preferences.want();
        }
    }
}

/// Handlers of `promptls/*` methods, which are not part of the protocol.
impl Backend {
    async fn preview(&self, params: PreviewParams) -> Result<Option<PreviewAnswer>> {
        let prompt = self.prompt(&params)?;
        let has_parts = prompt.as_ref().is_some_and(|prompt| prompt.file().has_parts());
        // The files of the parts are read.
        let cost = if has_parts { Cost::Long } else { Cost::OfText(LONG_PREVIEW) };
        self.answer(cost, prompt, params, preview::preview).await
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
        self.session.running.cancel(&params.token.into());
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
        if session.got_initialized.swap(true, Ordering::Relaxed) {
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
        self.request_preferences();
    }

    async fn shutdown(&self) -> Result<()> {
        self.session.got_shutdown.store(true, Ordering::Relaxed);
        self.session.workspace.close();
        Ok(())
    }

    // In the next handlers, nothing may be awaited before the state has changed: changes must be
    // applied in the order in which they arrive.

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        let opened = convert::opened_document(params.text_document);
        let uri = opened.uri.clone();
        self.session.memory_release.received(opened.text.len());
        let (touched, may_be_shared) = self.session.documents.sync().open(opened);
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
        let Session { documents, diagnostics, memory_release, .. } = &*self.session;
        let changes: Vec<_> =
            params.content_changes.into_iter().map(convert::text_change).collect();
        memory_release.received(changes.iter().map(|change| change.text.len()).sum());
        match documents.sync().change(&uri, version, changes, self.session.encoding()) {
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

    async fn did_save(&self, params: lsp::DidSaveTextDocumentParams) {
        // The text is known from the change notifications, but the file may be new on disk.
        let path = convert::path(&params.text_document.uri.into());
        self.session.diagnostics.mark(self.session.documents.sync().files_changed(&[path]));
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
        let (session, renamed) = (self.session.clone(), convert::renamed_files(&params));
        let edit = move || {
            let client = session.client_capabilities();
            let edits = rename_files::edits(&session.documents, client, &renamed);
            Ok(edits.map(|edits| workspace_edit(edits, client)))
        };
        Ok(work(true, edit).await?)
    }

    async fn did_rename_files(&self, params: lsp::RenameFilesParams) {
        let (old, new): (Vec<_>, Vec<_>) = convert::renamed_files(&params).into_iter().unzip();
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
            _ => self.request_preferences(),
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
        let hover = self.answer_at(params.text_document_position_params, hover::hover).await?;
        Ok(hover.map(|hover| display::hover(hover, self.client().markdown)))
    }

    async fn completion(
        &self,
        params: lsp::CompletionParams,
    ) -> Result<Option<lsp::CompletionResponse>> {
        let query = completion_query(params);
        let views = self.views(&query.at);
        let found = self.answer(Cost::OfNames, views, query, completion::completion).await?;
        Ok(found.map(|found| convert::completion::completions(found, self.client())))
    }

    async fn formatting(
        &self,
        params: lsp::DocumentFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        let document = formatting::document(&self.session, &params.text_document.uri.into());
        let Some(document) = document else { return Ok(None) };
        let encoding = self.session.encoding();
        let indentation = convert::completion::indentation(&params.options);
        let edits = move || Ok(formatting::formatting(&document, indentation, encoding));
        let edits = work(true, edits).await?;
        Ok(Some(edits.into_iter().map(convert::text_edit).collect()))
    }

    async fn on_type_formatting(
        &self,
        params: lsp::DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        let at = convert::document_position(params.text_document_position);
        let (views, cost) = (self.views(&at), Cost::OfText(LONG_TEXT));
        let handler = on_type_formatting::on_type_formatting;
        let edit = self.answer(cost, views, (at, params.ch), handler).await?;
        Ok(edit.map(|edit| vec![convert::text_edit(edit)]))
    }

    async fn completion_resolve(
        &self,
        mut item: lsp::CompletionItem,
    ) -> Result<lsp::CompletionItem> {
        let Some(data) = completion_data(&item) else { return Ok(item) };
        let prompt = completion::prompt_of(&self.session, &data);
        let about = self.answer(Cost::OfNames, prompt, data, completion::resolve).await?;
        let markdown = self.client().markdown_items;
        let about = about.map(|about| convert::completion::documentation(about, markdown));
        item.documentation = about.or(item.documentation);
        Ok(item)
    }

    async fn code_action(
        &self,
        params: lsp::CodeActionParams,
    ) -> Result<Option<lsp::CodeActionResponse>> {
        let query = action_query(params);
        let subject = AtRange::new(&self.session, &query.at.uri, query.at.range);
        let cost = Cost::OfFiles(LONG_TEXT);
        let listed = self.answer(cost, subject, query, code_action::code_action).await?;
        let convert = |action| convert::code_action::code_action(action, self.client());
        Ok(listed.map(|listed| listed.into_iter().map(convert).collect()))
    }

    async fn code_action_resolve(&self, action: lsp::CodeAction) -> Result<lsp::CodeAction> {
        let Some(data) = action_data(&action) else { return Ok(action) };
        let subject = AtRange::of(&self.session, &data);
        let cost = Cost::OfFiles(LONG_TEXT);
        let edits = self.answer(cost, subject, data, code_action::resolve).await?;
        let edit = Some(workspace_edit(edits, self.client()));
        Ok(lsp::CodeAction { edit, ..action })
    }

    async fn goto_definition(
        &self,
        params: lsp::GotoDefinitionParams,
    ) -> Result<Option<lsp::GotoDefinitionResponse>> {
        let at = params.text_document_position_params;
        let targets = self.answer_at(at, definition::definition).await?;
        Ok(navigation::definitions(targets, self.client().definition_links))
    }

    async fn goto_declaration(
        &self,
        params: lsp::request::GotoDeclarationParams,
    ) -> Result<Option<lsp::request::GotoDeclarationResponse>> {
        let at = params.text_document_position_params;
        let targets = self.answer_at(at, definition::declaration).await?;
        Ok(navigation::definitions(targets, self.client().declaration_links))
    }

    async fn references(&self, params: lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>> {
        let token = params.work_done_progress_params.work_done_token.clone().map(Into::into);
        let query = navigation::references_query(params);
        let views = self.views(&query.at);
        let cost = cross_prompt::cost_of_all(&views, query.at.position, self.session.encoding());
        let answer = self.answer(cost, views, query, references::references);
        let title = "Looking for references";
        let found = self.session.with_progress_if_long(token, title, answer).await?;
        Ok(Some(found.into_iter().map(convert::lsp_location).collect()))
    }

    async fn prepare_rename(
        &self,
        params: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::PrepareRenameResponse>> {
        let at = &convert::document_position(params);
        let name = self.with_known_code(|| async move {
            let views = self.views(at);
            let cost = cross_prompt::cost(&views, at.position, self.session.encoding());
            self.answer(cost, views, at.clone(), rename::prepare_rename).await
        });
        let name = name.await?;
        Ok(name.map(navigation::renamable))
    }

    async fn rename(&self, params: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>> {
        let token = params.work_done_progress_params.work_done_token.map(Into::into);
        let at = &convert::document_position(params.text_document_position);
        let new_name = &params.new_name;
        let answer = self.with_known_code(|| async move {
            let generation = self.session.documents.generation();
            let query = RenameQuery { at: at.clone(), new_name: new_name.clone(), generation };
            self.answer(Cost::Long, self.views(at), query, rename::rename).await
        });
        let edits = self.session.with_progress_if_long(token, "Renaming", answer).await?;
        Ok(Some(workspace_edit(edits, self.client())))
    }

    async fn document_highlight(
        &self,
        params: lsp::DocumentHighlightParams,
    ) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
        let at = convert::document_position(params.text_document_position_params);
        // Editors request highlights wherever the cursor comes to rest.
        self.session.followers().cursor_moved(&at.uri, at.position);
        let (views, handler) = (self.views(&at), document_highlight::document_highlight);
        let ranges = self.answer(Cost::OfNames, views, at, handler).await?;
        Ok(Some(navigation::highlights(ranges)))
    }

    async fn diagnostic(
        &self,
        params: lsp::DocumentDiagnosticParams,
    ) -> Result<lsp::DocumentDiagnosticReportResult> {
        let Session { documents, diagnostics, workspace, .. } = &*self.session;
        let style = self.client().diagnostics.style;
        let uri = Uri::from(params.text_document.uri);
        if documents.version(&uri).is_none() {
            // Editors request diagnostics once more for documents that they have closed.
            workspace.settle().await;
        }
        // Waits for a check that is already running, and shares its result.
        let previous = params.previous_result_id.as_deref();
        let list = diagnostics.pull(documents, &uri, previous, style).await;
        Ok(document_report(list.ok_or_else(errors::retrigger)?))
    }

    async fn workspace_diagnostic(
        &self,
        params: lsp::WorkspaceDiagnosticParams,
    ) -> Result<lsp::WorkspaceDiagnosticReportResult> {
        let (session, query) = (self.session.clone(), workspace_query(params));
        let prepared = workspace::diagnostic::workspace_diagnostic(session, query).await?;
        Ok(prepared_reports(prepared))
    }

    async fn symbol(
        &self,
        params: lsp::WorkspaceSymbolParams,
    ) -> Result<Option<lsp::WorkspaceSymbolResponse>> {
        let token = params.work_done_progress_params.work_done_token.map(Into::into);
        let found = workspace::symbol::symbol(self.session.clone(), params.query, token).await?;
        Ok(Some(navigation::workspace_symbols(found)))
    }

    async fn symbol_resolve(
        &self,
        mut symbol: lsp::WorkspaceSymbol,
    ) -> Result<lsp::WorkspaceSymbol> {
        let Some((uri, range)) = navigation::unresolved(&symbol) else { return Ok(symbol) };
        let place = workspace::symbol::resolve(self.session.clone(), uri, range).await?;
        symbol.location = lsp::OneOf::Left(convert::lsp_location(place));
        Ok(symbol)
    }

    async fn semantic_tokens_full(
        &self,
        params: lsp::SemanticTokensParams,
    ) -> Result<Option<lsp::SemanticTokensResult>> {
        let uri = Uri::from(params.text_document.uri);
        let (prompts, cost) = (self.prompts(&uri), Cost::OfText(LONG_TEXT));
        let tokens = self.answer(cost, prompts, uri, semantic_tokens::full).await?;
        Ok(tokens.map(|tokens| display::tokens(tokens).into()))
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: lsp::SemanticTokensDeltaParams,
    ) -> Result<Option<lsp::SemanticTokensFullDeltaResult>> {
        let uri = Uri::from(params.text_document.uri);
        let (prompts, cost) = (self.prompts(&uri), Cost::OfText(LONG_TEXT));
        let previous = (uri, params.previous_result_id);
        let tokens = self.answer(cost, prompts, previous, semantic_tokens::delta).await?;
        Ok(tokens.map(display::changed_tokens))
    }

    async fn semantic_tokens_range(
        &self,
        params: lsp::SemanticTokensRangeParams,
    ) -> Result<Option<lsp::SemanticTokensRangeResult>> {
        let prompts = self.prompts(&params.text_document.uri.into());
        let range = convert::range_from_lsp(params.range);
        let tokens = self.answer(Cost::OfNames, prompts, range, semantic_tokens::range).await?;
        Ok(tokens.map(|tokens| display::tokens(tokens).into()))
    }

    async fn selection_range(
        &self,
        params: lsp::SelectionRangeParams,
    ) -> Result<Option<Vec<lsp::SelectionRange>>> {
        let prompts = self.prompts(&params.text_document.uri.into());
        let positions = params.positions.into_iter().map(convert::from_lsp).collect();
        let (cost, handler) = (Cost::OfText(LONG_TEXT), selection_range::selection_range);
        let ranges = self.answer(cost, prompts, positions, handler).await?;
        Ok(ranges.and_then(|all| all.into_iter().map(navigation::selection_range).collect()))
    }

    async fn linked_editing_range(
        &self,
        params: lsp::LinkedEditingRangeParams,
    ) -> Result<Option<lsp::LinkedEditingRanges>> {
        let at = params.text_document_position_params;
        let ranges = self.answer_at(at, linked_editing_range::linked_editing_range).await?;
        Ok(ranges.map(navigation::linked_ranges))
    }

    async fn folding_range(
        &self,
        params: lsp::FoldingRangeParams,
    ) -> Result<Option<Vec<lsp::FoldingRange>>> {
        let prompts = self.prompts(&params.text_document.uri.into());
        let cost = Cost::OfText(LONG_TEXT);
        let folds = self.answer(cost, prompts, (), folding_range::folding_range).await?;
        let folds_lines = self.client().display.folds_lines;
        let convert = |fold| display::folding_range(fold, folds_lines);
        Ok(folds.map(|folds| folds.into_iter().map(convert).collect()))
    }

    async fn document_symbol(
        &self,
        params: lsp::DocumentSymbolParams,
    ) -> Result<Option<lsp::DocumentSymbolResponse>> {
        let uri = Uri::from(params.text_document.uri);
        let (prompts, cost) = (self.prompts(&uri), Cost::OfText(LONG_TEXT));
        let symbols = self.answer(cost, prompts, (), document_symbol::document_symbol).await?;
        let as_tree = self.client().display.symbol_trees;
        Ok(symbols.map(|symbols| navigation::outline(symbols, &uri, as_tree)))
    }

    async fn document_link(
        &self,
        params: lsp::DocumentLinkParams,
    ) -> Result<Option<Vec<lsp::DocumentLink>>> {
        let uri = Uri::from(params.text_document.uri);
        // Paths in code are followed to their files.
        let is_code = is_code(&convert::path(&uri));
        let cost = if is_code { Cost::Long } else { Cost::OfText(LONG_TEXT) };
        let document = self.document(&uri);
        let links = self.answer(cost, document, uri, document_link::document_link).await?;
        Ok(links.map(|links| links.into_iter().map(navigation::document_link).collect()))
    }

    async fn inlay_hint(
        &self,
        params: lsp::InlayHintParams,
    ) -> Result<Option<Vec<lsp::InlayHint>>> {
        let (uri, range) = (params.text_document.uri.into(), convert::range_from_lsp(params.range));
        let (prompts, at) = (self.prompts(&uri), DocumentRange { uri, range });
        let hints = self.answer(Cost::OfNames, prompts, at, inlay_hint::inlay_hint).await?;
        let convert = |hint| display::inlay_hint(hint, self.client().markdown);
        Ok(hints.map(|hints| hints.into_iter().map(convert).collect()))
    }

    async fn inlay_hint_resolve(&self, mut hint: lsp::InlayHint) -> Result<lsp::InlayHint> {
        let Some(data) = display::inlay_hint_data(&hint) else { return Ok(hint) };
        let prompt = inlay_hint::prompt_of(&self.session, &data);
        let text = self.answer(Cost::OfNames, prompt, data, inlay_hint::resolve).await?;
        let tooltip = text.map(|text| display::tooltip(text, self.client().markdown));
        hint.tooltip = tooltip.or(hint.tooltip);
        Ok(hint)
    }

    async fn code_lens(&self, params: lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>> {
        let uri = Uri::from(params.text_document.uri);
        let document = self.document(&uri);
        let lenses = self.answer(Cost::OfNames, document, uri, code_lens::code_lens).await?;
        Ok(lenses.map(|lenses| lenses.into_iter().map(display::code_lens).collect()))
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        let lsp::ExecuteCommandParams { command, arguments, work_done_progress_params } = params;
        let progress = work_done_progress_params.work_done_token.map(Into::into);
        let request = CommandRequest { command, arguments, progress };
        Ok(execute_command::execute_command(self.session.clone(), request).await?)
    }
}
