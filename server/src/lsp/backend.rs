//! The handlers: convert, ask, convert back.

use std::collections::HashSet;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use promptls_analysis::position::Encoding;
use promptls_analysis::{Definition, Snapshot, declaration, definition, document_highlights};
use promptls_resolver::{FileId, Location};
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types as lsp;
use tower_lsp::{Client, LanguageServer};

use super::abilities::Abilities;
use super::commands::COMMANDS;
use super::compare::{CompareParams, Comparison, compare};
use super::documents::Documents;
use super::features::inlay_hint::{ValueInfo, ValuesParams};
use super::features::semantic_tokens::LastTokens;
use super::features::{
    code_action, code_lens, document_link, document_symbol, folding_range, inlay_hint, references,
    rename, semantic_tokens,
};
use super::moment::{Moment, View};
use super::preferences::{self, Preferences};
use super::preview::{Cases, Kept, Preview, PreviewParams, cases, preview};
use super::publisher::Publisher;
use super::size::{SizeAnswer, SizeParams, size};
use super::{convert, disk, newer};
use crate::workspace::Overrides;

/// The server, as tower-lsp sees it.
pub struct Backend {
    pub(super) client: Client,
    pub(super) documents: Arc<Documents>,
    pub(super) publisher: Arc<Publisher>,
    pub(super) preferences: Arc<Preferences>,
    last_tokens: LastTokens,
    kept: Arc<Kept>,
    abilities: Arc<OnceLock<Abilities>>,
    said_shutdown: Arc<AtomicBool>,
}

/// What other programs share with the editor.
#[cfg(unix)]
#[derive(Clone)]
pub struct Shared {
    pub client: Client,
    pub documents: Arc<Documents>,
    pub peers: Arc<super::peers::Peers>,
    publisher: Arc<Publisher>,
    preferences: Arc<Preferences>,
    abilities: Arc<OnceLock<Abilities>>,
}

#[cfg(unix)]
impl Shared {
    /// What the editor can do; nothing before it said so.
    pub fn abilities(&self) -> &Abilities {
        abilities(&self.abilities)
    }

    /// A server for what the editor wants as well.
    pub fn as_editor(&self) -> Backend {
        Backend {
            client: self.client.clone(),
            documents: self.documents.clone(),
            publisher: self.publisher.clone(),
            preferences: self.preferences.clone(),
            last_tokens: LastTokens::default(),
            kept: Arc::default(),
            abilities: self.abilities.clone(),
            said_shutdown: Arc::default(),
        }
    }

    /// A server of the same documents for somebody who counts something else.
    pub fn for_peer(&self, encoding: Encoding) -> Backend {
        let abilities = Abilities { encoding, ..Abilities::default() };
        Backend { abilities: Arc::new(abilities.into()), ..self.as_editor() }
    }
}

fn abilities(known: &OnceLock<Abilities>) -> &Abilities {
    static NONE: LazyLock<Abilities> = LazyLock::new(Abilities::default);
    known.get().unwrap_or(&NONE)
}

impl Backend {
    /// `said_shutdown` becomes `true` when the editor announces its end.
    pub fn new(client: Client, said_shutdown: Arc<AtomicBool>) -> Self {
        Backend::with_overrides(client, said_shutdown, Overrides::default())
    }

    /// The same where the caller knows some things better than the files do.
    pub fn with_overrides(
        client: Client,
        said_shutdown: Arc<AtomicBool>,
        overrides: Overrides,
    ) -> Self {
        Backend {
            client,
            documents: Arc::new(Documents::new(overrides)),
            publisher: Arc::default(),
            preferences: Arc::default(),
            last_tokens: LastTokens::default(),
            kept: Arc::default(),
            abilities: Arc::default(),
            said_shutdown,
        }
    }

    /// For other programs.
    #[cfg(unix)]
    pub fn shared(&self) -> Shared {
        Shared {
            client: self.client.clone(),
            documents: self.documents.clone(),
            peers: self.publisher.peers().clone(),
            publisher: self.publisher.clone(),
            preferences: self.preferences.clone(),
            abilities: self.abilities.clone(),
        }
    }

    /// Answers for a message that could not be read; see `frames.rs`.
    pub async fn unreadable(&self) -> Result<()> {
        Err(Error::parse_error())
    }

    /// What the editor can do; nothing before it said so.
    pub(super) fn abilities(&self) -> &Abilities {
        abilities(&self.abilities)
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.abilities().encoding
    }

    /// Tells the editor's log, without waiting for it.
    fn warn(&self, message: String) {
        let client = self.client.clone();
        tokio::spawn(async move {
            client.log_message(lsp::MessageType::WARNING, message).await;
        });
    }

    /// Asks to be told of something. It runs apart: the editor may never answer.
    fn register(&self, method: &'static str, register_options: Option<Value>) {
        let client = self.client.clone();
        tokio::spawn(async move {
            let id = format!("promptls {method}");
            let registration =
                lsp::Registration { id, method: method.to_owned(), register_options };
            if let Err(error) = client.register_capability(vec![registration]).await {
                tracing::warn!(%error, "the editor does not register {method}");
            }
        });
    }

    /// Asks to be told of files that change.
    fn watch_files(&self) {
        let watchers = ["**/promptls.toml", "**/*.{json,yaml,yml,md,txt,prompt}"]
            .map(|glob| lsp::FileSystemWatcher {
                glob_pattern: lsp::GlobPattern::String(glob.to_owned()),
                kind: None,
            })
            .to_vec();
        let options = lsp::DidChangeWatchedFilesRegistrationOptions { watchers };
        self.register("workspace/didChangeWatchedFiles", serde_json::to_value(options).ok());
    }

    /// Asks for the user's settings, apart as well.
    fn ask_preferences(&self) {
        if !self.abilities().configuration {
            return;
        }
        let (client, preferences) = (self.client.clone(), self.preferences.clone());
        let refresher = self.publisher.refresher().clone();
        tokio::spawn(async move {
            let section = Some(preferences::SECTION.to_owned());
            let item = lsp::ConfigurationItem { scope_uri: None, section };
            if let Ok(sections) = client.configuration(vec![item]).await
                && let Some(section) = sections.first()
                && preferences.set(section)
            {
                refresher.display();
            }
        });
    }

    /// The prompt that a request of ours is about: see [`Documents::moment_of`].
    pub(super) fn prompt_at(
        &self,
        uri: &lsp::Uri,
        task: Option<&str>,
        position: Option<lsp::Position>,
    ) -> Option<Moment> {
        self.documents.moment_of(uri, task, position, self.encoding())
    }

    /// Answers `promptls/preview`.
    pub async fn preview(&self, params: PreviewParams) -> Result<Option<Preview>> {
        let encoding = self.encoding();
        let Some(moment) =
            self.prompt_at(&params.text_document.uri, params.task.as_deref(), params.position)
        else {
            return Ok(None);
        };
        let is_heavy =
            moment.snapshot().is_heavy() || moment.snapshot().text.len_bytes() > LONG_TEXT;
        let kept = self.kept.clone();
        work(is_heavy, move || preview(&moment, &params, &kept, encoding)).await
    }

    /// Answers `promptls/size`.
    pub async fn size(&self, params: SizeParams) -> Result<Option<SizeAnswer>> {
        let encoding = self.encoding();
        let tokens = params.token_encoding()?;
        let Some(moment) =
            self.prompt_at(&params.text_document.uri, params.task.as_deref(), params.position)
        else {
            return Ok(None);
        };
        let case = params.case;
        // Unpacking a vocabulary takes longer than anything else here.
        work(true, move || size(&moment, case.as_deref(), tokens, encoding)).await
    }

    /// Answers `promptls/cases`.
    pub async fn cases(&self, params: PreviewParams) -> Result<Option<Cases>> {
        let Some(moment) =
            self.prompt_at(&params.text_document.uri, params.task.as_deref(), params.position)
        else {
            return Ok(None);
        };
        work(moment.snapshot().is_heavy(), move || cases(&moment, params.case.as_deref())).await
    }

    /// Answers `promptls/values`.
    pub async fn values(&self, params: ValuesParams) -> Result<Option<Vec<ValueInfo>>> {
        inlay_hint::values(&self.documents, self.encoding(), params).await
    }

    /// Takes `promptls/cursor`: editors that ask for no highlights tell where the cursor is.
    pub async fn cursor(&self, at: lsp::TextDocumentPositionParams) {
        self.publisher.peers().cursor_moved(&at.text_document.uri, at.position);
    }

    /// Answers `promptls/compare`.
    pub async fn compare(&self, params: CompareParams) -> Result<Option<Comparison>> {
        let encoding = self.encoding();
        let Some(moment) =
            self.prompt_at(&params.text_document.uri, params.task.as_deref(), params.position)
        else {
            return Ok(None);
        };
        let documents = self.documents.clone();
        work(true, move || compare(&moment, &documents, &params, encoding)).await?
    }
}

/// The protocol's `ServerCancelled`.
const SERVER_CANCELLED: i64 = -32802;

/// A preview of a longer text is made in a thread, in bytes: the rest of it costs more than the
/// hop to one.
const LONG_TEXT: usize = 16 * 1024;

/// Asks all prompts that a document belongs to; what several of them say counts once.
pub(super) async fn ask_all<T: Clone + Eq + Hash + Send + 'static>(
    views: Vec<View>,
    question: impl Fn(&View) -> Option<Vec<T>> + Send + 'static,
) -> Result<Vec<T>> {
    let is_heavy = views.iter().any(|view| view.moment.snapshot().is_heavy());
    let answers = move || {
        let mut seen = HashSet::new();
        let answers = views.iter().filter_map(question).flatten();
        answers.filter(|answer| seen.insert(answer.clone())).collect()
    };
    work(is_heavy, answers).await
}

/// Does some work, in a thread if it is heavy. A panic costs this one answer.
pub(super) async fn work<T: Send + 'static>(
    is_heavy: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let answer = move || catch_unwind(AssertUnwindSafe(work));
    let answer = if is_heavy {
        tokio::task::spawn_blocking(answer).await.map_err(|_| Error::internal_error())?
    } else {
        answer()
    };
    answer.map_err(|_| Error {
        code: ErrorCode::InternalError,
        message: "promptls made a mistake with this request; please report it".into(),
        data: None,
    })
}

/// Where the place in a request leads to, in the eyes of one prompt.
fn targets(
    view: &View,
    position: lsp::Position,
    encoding: Encoding,
    feature: fn(&Snapshot, FileId, usize) -> Option<Definition>,
) -> Option<Vec<(lsp::Range, lsp::Location)>> {
    let offset = view.offset(position, encoding)?;
    let found = feature(view.moment.snapshot(), view.file, offset)?;
    convert::targets(view, found, encoding)
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        let abilities = Abilities::of(&params);
        let encoding = abilities.encoding;
        let (wanted, refreshes) = (abilities.wanted, abilities.refreshes);
        let rename_provider = rename::provider(&abilities);
        let experimental = refreshes.contents.then(newer::announced);
        // tower-lsp lets a second initialize not come this far, so this is a server beside that of
        // the editor.
        if self.abilities.set(abilities).is_err() {
            return Ok(lsp::InitializeResult::default());
        }
        let publisher = self.publisher.clone();
        let refresher = publisher.refresher().clone();
        tokio::spawn(refresher.run(self.client.clone(), refreshes));
        tokio::spawn(publisher.run(self.client.clone(), self.documents.clone(), wanted));

        let sync = lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
            ..lsp::TextDocumentSyncOptions::default()
        };
        let triggers = ["{", ".", "[", "#", "/", ":", " ", "\""].map(str::to_owned).to_vec();
        Ok(lsp::InitializeResult {
            capabilities: lsp::ServerCapabilities {
                position_encoding: Some(convert::encoding_kind(encoding)),
                text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(sync)),
                hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
                definition_provider: Some(lsp::OneOf::Left(true)),
                declaration_provider: Some(lsp::DeclarationCapability::Simple(true)),
                references_provider: Some(lsp::OneOf::Left(true)),
                document_highlight_provider: Some(lsp::OneOf::Left(true)),
                rename_provider: Some(rename_provider),
                completion_provider: Some(lsp::CompletionOptions {
                    trigger_characters: Some(triggers),
                    resolve_provider: Some(true),
                    ..lsp::CompletionOptions::default()
                }),
                code_action_provider: Some(code_action::provider()),
                semantic_tokens_provider: Some(semantic_tokens::options().into()),
                folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
                document_symbol_provider: Some(lsp::OneOf::Left(true)),
                document_link_provider: Some(lsp::DocumentLinkOptions {
                    resolve_provider: Some(false),
                    work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
                }),
                inlay_hint_provider: Some(lsp::OneOf::Right(inlay_hint::options())),
                code_lens_provider: Some(lsp::CodeLensOptions { resolve_provider: Some(false) }),
                // An editor that asks for problems would get them twice if they were pushed as well.
                diagnostic_provider: wanted.pulls.then(|| {
                    lsp::DiagnosticServerCapabilities::Options(lsp::DiagnosticOptions {
                        inter_file_dependencies: true,
                        workspace_diagnostics: false,
                        ..lsp::DiagnosticOptions::default()
                    })
                }),
                execute_command_provider: Some(lsp::ExecuteCommandOptions {
                    commands: COMMANDS.map(str::to_owned).to_vec(),
                    ..lsp::ExecuteCommandOptions::default()
                }),
                experimental,
                ..lsp::ServerCapabilities::default()
            },
            server_info: Some(lsp::ServerInfo {
                name: "promptls".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..lsp::InitializeResult::default()
        })
    }

    async fn initialized(&self, _: lsp::InitializedParams) {
        if self.abilities().watches_files {
            self.watch_files();
        } else {
            tokio::spawn(disk::watch(self.documents.clone(), self.publisher.clone()));
        }
        if self.abilities().registers_configuration {
            self.register("workspace/didChangeConfiguration", None);
        }
        self.ask_preferences();
    }

    async fn shutdown(&self) -> Result<()> {
        self.said_shutdown.store(true, Ordering::Relaxed);
        Ok(())
    }

    // In the next handlers, nothing may wait before the state has changed: changes must be
    // applied in the order in which they arrive.

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        let uri = params.text_document.uri.clone();
        let (touched, has_more) = self.documents.open(params.text_document);
        self.publisher.peers().documents_changed();
        if !has_more {
            self.publisher.mark(touched);
            return;
        }
        // Nothing is said of names while their values are still being read.
        let (documents, publisher) = (self.documents.clone(), self.publisher.clone());
        tokio::task::spawn_blocking(move || {
            let readers = documents.read_rest(&uri);
            if !readers.is_empty() {
                // Who reads this file is told above it.
                publisher.refresher().display();
                publisher.peers().documents_changed();
            }
            publisher.mark(touched.into_iter().chain(readers));
        });
    }

    async fn did_change(&self, params: lsp::DidChangeTextDocumentParams) {
        let lsp::VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        match self.documents.change(&uri, version, params.content_changes, self.encoding()) {
            Ok(touched) => self.publisher.mark(touched),
            Err(error) => self.warn(error.to_string()),
        }
    }

    async fn did_close(&self, params: lsp::DidCloseTextDocumentParams) {
        self.publisher.mark(self.documents.close(&params.text_document.uri));
        self.last_tokens.forget(&params.text_document.uri);
        self.publisher.peers().documents_changed();
    }

    async fn did_save(&self, _: lsp::DidSaveTextDocumentParams) {
        // What is saved is known already.
    }

    async fn did_change_watched_files(&self, params: lsp::DidChangeWatchedFilesParams) {
        let paths: Vec<_> = params
            .changes
            .iter()
            .filter_map(|change| Some(change.uri.to_file_path()?.into_owned()))
            .collect();
        self.publisher.mark(self.documents.files_changed(&paths));
    }

    async fn did_change_configuration(&self, params: lsp::DidChangeConfigurationParams) {
        // Editors that can be asked send nothing, or all settings that there are.
        match params.settings.get(preferences::SECTION) {
            Some(section) if !self.abilities().configuration => {
                if self.preferences.set(section) {
                    self.publisher.refresher().display();
                }
            }
            _ => self.ask_preferences(),
        }
    }

    async fn did_change_workspace_folders(&self, _: lsp::DidChangeWorkspaceFoldersParams) {
        // What belongs to a prompt is found from its own folder.
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        self.hover_at(params.text_document_position_params).await
    }

    async fn completion(
        &self,
        params: lsp::CompletionParams,
    ) -> Result<Option<lsp::CompletionResponse>> {
        self.completion_at(params.text_document_position).await
    }

    async fn completion_resolve(&self, item: lsp::CompletionItem) -> Result<lsp::CompletionItem> {
        self.resolved(item).await
    }

    async fn code_action(
        &self,
        params: lsp::CodeActionParams,
    ) -> Result<Option<lsp::CodeActionResponse>> {
        self.code_actions(params).await
    }

    async fn code_action_resolve(&self, action: lsp::CodeAction) -> Result<lsp::CodeAction> {
        self.resolve_code_action(action).await
    }

    async fn goto_definition(
        &self,
        params: lsp::GotoDefinitionParams,
    ) -> Result<Option<lsp::GotoDefinitionResponse>> {
        let at = params.text_document_position_params;
        let &Abilities { encoding, definition_links, .. } = self.abilities();
        let views = self.documents.views(&at.text_document.uri, at.position, encoding);
        let found = ask_all(views, move |view| targets(view, at.position, encoding, definition));
        Ok(convert::definition_response(found.await?, definition_links))
    }

    async fn goto_declaration(
        &self,
        params: lsp::request::GotoDeclarationParams,
    ) -> Result<Option<lsp::request::GotoDeclarationResponse>> {
        let at = params.text_document_position_params;
        let &Abilities { encoding, declaration_links, .. } = self.abilities();
        let views = self.documents.views(&at.text_document.uri, at.position, encoding);
        let found = ask_all(views, move |view| targets(view, at.position, encoding, declaration));
        Ok(convert::definition_response(found.await?, declaration_links))
    }

    async fn references(&self, params: lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>> {
        references::references(&self.documents, self.abilities(), params).await
    }

    async fn prepare_rename(
        &self,
        params: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::PrepareRenameResponse>> {
        rename::prepare(&self.documents, self.abilities(), params).await
    }

    async fn rename(&self, params: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>> {
        rename::edit(&self.documents, self.abilities(), params).await
    }

    async fn document_highlight(
        &self,
        params: lsp::DocumentHighlightParams,
    ) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
        let at = params.text_document_position_params;
        let encoding = self.encoding();
        // Editors ask wherever the cursor comes to rest.
        self.publisher.peers().cursor_moved(&at.text_document.uri, at.position);
        let views = self.documents.views(&at.text_document.uri, at.position, encoding);
        let found = ask_all(views, move |view| {
            let View { moment, file } = view;
            let offset = view.offset(at.position, encoding)?;
            let ranges = document_highlights(moment.snapshot(), *file, offset);
            let highlights = ranges.into_iter().filter_map(|range| {
                let location = Location { file: *file, range };
                Some(convert::location(moment, &location, encoding)?.range)
            });
            Some(highlights.collect())
        });
        let highlight = |range| lsp::DocumentHighlight { range, kind: None };
        Ok(Some(found.await?.into_iter().map(highlight).collect()))
    }

    async fn diagnostic(
        &self,
        params: lsp::DocumentDiagnosticParams,
    ) -> Result<lsp::DocumentDiagnosticReportResult> {
        let uri = &params.text_document.uri;
        let previous = params.previous_result_id.as_deref();
        let shown = self.abilities().wanted.shown;
        let pulled = self.publisher.pull(&self.documents, uri, previous, shown).await;
        // The editor asks for the newer text itself, or is told to.
        let (result_id, items) = pulled.ok_or_else(|| Error {
            code: ErrorCode::ServerError(SERVER_CANCELLED),
            message: "the document changed meanwhile".into(),
            data: serde_json::to_value(lsp::DiagnosticServerCancellationData {
                retrigger_request: true,
            })
            .ok(),
        })?;
        let report = match items {
            Some(items) => {
                lsp::DocumentDiagnosticReport::Full(lsp::RelatedFullDocumentDiagnosticReport {
                    related_documents: None,
                    full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport {
                        result_id: Some(result_id),
                        items,
                    },
                })
            }
            None => lsp::DocumentDiagnosticReport::Unchanged(
                lsp::RelatedUnchangedDocumentDiagnosticReport {
                    related_documents: None,
                    unchanged_document_diagnostic_report: lsp::UnchangedDocumentDiagnosticReport {
                        result_id,
                    },
                },
            ),
        };
        Ok(report.into())
    }

    async fn semantic_tokens_full(
        &self,
        params: lsp::SemanticTokensParams,
    ) -> Result<Option<lsp::SemanticTokensResult>> {
        let uri = params.text_document.uri;
        semantic_tokens::full(&self.documents, &self.last_tokens, self.abilities(), uri).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: lsp::SemanticTokensDeltaParams,
    ) -> Result<Option<lsp::SemanticTokensFullDeltaResult>> {
        semantic_tokens::delta(&self.documents, &self.last_tokens, self.abilities(), params).await
    }

    async fn semantic_tokens_range(
        &self,
        params: lsp::SemanticTokensRangeParams,
    ) -> Result<Option<lsp::SemanticTokensRangeResult>> {
        semantic_tokens::range(&self.documents, self.abilities(), params).await
    }

    async fn folding_range(
        &self,
        params: lsp::FoldingRangeParams,
    ) -> Result<Option<Vec<lsp::FoldingRange>>> {
        folding_range::answer(&self.documents, self.abilities(), &params.text_document.uri).await
    }

    async fn document_symbol(
        &self,
        params: lsp::DocumentSymbolParams,
    ) -> Result<Option<lsp::DocumentSymbolResponse>> {
        document_symbol::answer(&self.documents, self.abilities(), params.text_document.uri).await
    }

    async fn document_link(
        &self,
        params: lsp::DocumentLinkParams,
    ) -> Result<Option<Vec<lsp::DocumentLink>>> {
        document_link::answer(&self.documents, self.abilities(), &params.text_document.uri).await
    }

    async fn inlay_hint(
        &self,
        params: lsp::InlayHintParams,
    ) -> Result<Option<Vec<lsp::InlayHint>>> {
        if !self.preferences.inlay_hints() {
            return Ok(None);
        }
        inlay_hint::answer(&self.documents, self.abilities(), &self.preferences, params).await
    }

    async fn inlay_hint_resolve(&self, hint: lsp::InlayHint) -> Result<lsp::InlayHint> {
        inlay_hint::resolve(&self.documents, self.abilities(), hint).await
    }

    async fn code_lens(&self, params: lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>> {
        if !self.preferences.code_lens() {
            return Ok(None);
        }
        code_lens::answer(&self.documents, self.abilities(), params.text_document.uri).await
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        self.do_command(params)
    }
}
