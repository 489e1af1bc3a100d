//! The capabilities that the editor announced in `initialize`.

use promptls_analysis::position::Encoding;
use serde_json::Value;
use tower_lsp::ls_types as lsp;

use crate::convert::diagnostic::DiagnosticCapabilities;
use crate::{convert, lsp_ext};

/// The capabilities of the editor.
///
/// A capability that is not announced counts as missing.
#[derive(Clone, Debug, Default)]
pub struct ClientCapabilities {
    /// The unit of columns; UTF-16 unless the editor offers others.
    pub encoding: Encoding,
    /// The supported features of diagnostics.
    pub diagnostics: DiagnosticCapabilities,
    /// Completions may be snippets, with tab stops.
    pub snippets: bool,
    /// A completion may have separate ranges for insert and replace.
    pub insert_replace: bool,
    /// A completion may show details beside its label, in each row of the list.
    pub label_details: bool,
    /// The documentation of a completion may be Markdown.
    pub markdown_items: bool,
    /// Hovers may be Markdown; assumed if the editor does not report formats.
    pub markdown: bool,
    /// A definition may include the range that leads to it.
    pub definition_links: bool,
    /// The same for a declaration.
    pub declaration_links: bool,
    /// The editor sends `prepareRename` before the user enters the new name.
    pub prepares_renames: bool,
    /// File watchers can be registered.
    pub watches_files: bool,
    /// `workspace/configuration` is supported, so settings can be requested.
    pub configuration: bool,
    /// Notifications about changed settings can be registered.
    pub registers_configuration: bool,
    /// Formatting can be registered for selected documents.
    pub registers_formatting: bool,
    /// The same for formatting while typing.
    pub registers_on_type_formatting: bool,
    /// Inputs, variables and configs are formatted by this server, not by another formatter of the
    /// editor.
    pub formats_sidecars: bool,
    /// `workspace/applyEdit` is supported, which commands require.
    pub makes_edits: bool,
    /// The refresh requests that the editor supports.
    pub refreshes: Refreshes,
    /// An edit may name the version of the document that it applies to.
    pub document_changes: bool,
    /// An edit may create files.
    pub creates_files: bool,
    /// An edit may rename files.
    pub renames_files: bool,
    /// The supported features of code actions.
    pub actions: Actions,
    /// The server may start a progress indicator.
    pub shows_progress: bool,
    /// The range of a workspace symbol may be resolved later, when the user goes there.
    pub resolves_symbols: bool,
    /// Parts of an edit may have labels.
    pub annotates_changes: bool,
    /// `window/showDocument` is supported, so followers can reveal a position.
    pub shows_documents: bool,
    /// The names of the client commands that the editor offers.
    pub commands: Vec<String>,
    /// The supported features of hints, tokens, folds and symbols.
    pub display: Display,
    /// The editor reports the workspace as untrusted.
    pub is_untrusted: bool,
    /// Semantic tokens of code files are shown beside those of other servers; `None` if the editor
    /// did not report it.
    pub code_semantic_tokens: Option<bool>,
}

/// The supported features of what is displayed in and beside a text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Display {
    /// A semantic token may span lines.
    pub multiline_tokens: bool,
    /// Only whole lines can be folded.
    pub folds_lines: bool,
    /// The maximum number of folds per document.
    pub fold_limit: Option<usize>,
    /// The symbols of a document may be a tree.
    pub symbol_trees: bool,
    /// The tooltip of an inlay hint may be resolved when it is needed.
    pub resolves_tooltips: bool,
}

impl Display {
    fn of(capabilities: &lsp::TextDocumentClientCapabilities) -> Display {
        let folding = capabilities.folding_range.as_ref();
        let resolved = capabilities.inlay_hint.as_ref();
        let resolved = resolved.and_then(|hint| hint.resolve_support.as_ref());
        Display {
            multiline_tokens: capabilities
                .semantic_tokens
                .as_ref()
                .and_then(|tokens| tokens.multiline_token_support)
                .unwrap_or(false),
            folds_lines: folding.and_then(|folding| folding.line_folding_only).unwrap_or(false),
            fold_limit: folding.and_then(|folding| folding.range_limit).map(|limit| limit as usize),
            symbol_trees: capabilities
                .document_symbol
                .as_ref()
                .and_then(|symbol| symbol.hierarchical_document_symbol_support)
                .unwrap_or(false),
            resolves_tooltips: resolved
                .is_some_and(|resolved| resolved.properties.iter().any(|name| name == "tooltip")),
        }
    }
}

/// The refresh requests that the editor supports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Refreshes {
    /// `workspace/diagnostic/refresh`; pulled diagnostics require it.
    pub diagnostics: bool,
    /// `workspace/inlayHint/refresh`
    pub inlay_hints: bool,
    /// `workspace/codeLens/refresh`
    pub code_lenses: bool,
    /// `workspace/semanticTokens/refresh`
    pub semantic_tokens: bool,
    /// `workspace/textDocumentContent/refresh`, for virtual documents that are shown.
    pub contents: bool,
}

/// The supported features of code actions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Actions {
    /// Code actions may be literals, not only commands.
    pub literals: bool,
    /// The edit of the chosen action may be resolved later.
    pub resolves_edits: bool,
    /// Disabled actions are shown with their reason.
    pub disabled: bool,
}

impl Actions {
    fn of(capabilities: Option<lsp::CodeActionClientCapabilities>) -> Actions {
        let capabilities = capabilities.unwrap_or_default();
        let resolves_edits = capabilities
            .resolve_support
            .is_some_and(|support| support.properties.iter().any(|property| property == "edit"));
        Actions {
            literals: capabilities.code_action_literal_support.is_some(),
            resolves_edits: resolves_edits && capabilities.data_support == Some(true),
            disabled: capabilities.disabled_support.unwrap_or(false),
        }
    }
}

impl ClientCapabilities {
    /// Returns whether the editor offers a client command of this name.
    pub fn offers(&self, command: &str) -> bool {
        self.commands.iter().any(|offered| offered == command)
    }

    /// Reads the capabilities from the `initialize` request.
    pub fn of(params: &lsp::InitializeParams) -> ClientCapabilities {
        let lsp::ClientCapabilities {
            general, workspace, text_document, window, experimental, ..
        } = &params.capabilities;
        let offered = general.as_ref().and_then(|general| general.position_encodings.as_deref());
        let encoding = convert::encoding(offered);
        let mut all = ClientCapabilities { encoding, ..ClientCapabilities::default() };
        all.diagnostics.style.encoding = encoding;
        all.read_workspace(workspace.clone().unwrap_or_default());
        all.read_text_document(text_document.clone().unwrap_or_default());
        all.read_window(window.as_ref());
        // See `lsp_ext.rs`.
        let content = experimental.as_ref().and_then(|more| more.get(lsp_ext::CONTENT));
        all.refreshes.contents = content.is_some_and(Value::is_object);
        all.read_options(params.initialization_options.as_ref());
        all
    }

    fn read_workspace(&mut self, workspace: lsp::WorkspaceClientCapabilities) {
        self.watches_files = workspace
            .did_change_watched_files
            .and_then(|watched| watched.dynamic_registration)
            .unwrap_or(false);
        self.configuration = workspace.configuration.unwrap_or(false);
        self.registers_configuration = workspace
            .did_change_configuration
            .and_then(|changed| changed.dynamic_registration)
            .unwrap_or(false);
        self.refreshes = Refreshes {
            diagnostics: workspace
                .diagnostics
                .and_then(|refresh| refresh.refresh_support)
                .unwrap_or(false),
            inlay_hints: workspace
                .inlay_hint
                .and_then(|refresh| refresh.refresh_support)
                .unwrap_or(false),
            code_lenses: workspace
                .code_lens
                .and_then(|refresh| refresh.refresh_support)
                .unwrap_or(false),
            semantic_tokens: workspace
                .semantic_tokens
                .and_then(|refresh| refresh.refresh_support)
                .unwrap_or(false),
            contents: false,
        };
        self.makes_edits = workspace.apply_edit.unwrap_or(false);
        let edit = workspace.workspace_edit.unwrap_or_default();
        let operations = edit.resource_operations.unwrap_or_default();
        self.document_changes = edit.document_changes.unwrap_or(false);
        self.creates_files = operations.contains(&lsp::ResourceOperationKind::Create);
        self.renames_files = operations.contains(&lsp::ResourceOperationKind::Rename);
        self.annotates_changes = edit.change_annotation_support.is_some();
        self.resolves_symbols = workspace
            .symbol
            .and_then(|symbol| symbol.resolve_support)
            .is_some_and(|it| it.properties.iter().any(|name| name == "location.range"));
    }

    /// Requires those of the workspace.
    fn read_text_document(&mut self, text_document: lsp::TextDocumentClientCapabilities) {
        self.display = Display::of(&text_document);
        let published = text_document.publish_diagnostics.unwrap_or_default();
        self.diagnostics.style.related = published.related_information.unwrap_or(false);
        self.diagnostics.style.data = published.data_support.unwrap_or(false);
        // An editor without this refresh would not notice a change in another file.
        self.diagnostics.pulls = text_document.diagnostic.is_some() && self.refreshes.diagnostics;
        let item = text_document.completion.and_then(|completion| completion.completion_item);
        let item = item.unwrap_or_default();
        self.snippets = item.snippet_support.unwrap_or(false);
        self.insert_replace = item.insert_replace_support.unwrap_or(false);
        self.label_details = item.label_details_support.unwrap_or(false);
        self.markdown_items = item
            .documentation_format
            .is_some_and(|formats| formats.contains(&lsp::MarkupKind::Markdown));
        let hover_formats = text_document.hover.and_then(|hover| hover.content_format);
        self.markdown =
            hover_formats.is_none_or(|formats| formats.contains(&lsp::MarkupKind::Markdown));
        let has_links = |goto: Option<lsp::GotoCapability>| {
            goto.and_then(|goto| goto.link_support).unwrap_or(false)
        };
        self.definition_links = has_links(text_document.definition);
        self.declaration_links = has_links(text_document.declaration);
        self.prepares_renames =
            text_document.rename.and_then(|rename| rename.prepare_support).unwrap_or(false);
        self.registers_formatting = text_document
            .formatting
            .and_then(|formatting| formatting.dynamic_registration)
            .unwrap_or(false);
        self.registers_on_type_formatting = text_document
            .on_type_formatting
            .and_then(|formatting| formatting.dynamic_registration)
            .unwrap_or(false);
        self.actions = Actions::of(text_document.code_action);
    }

    fn read_window(&mut self, window: Option<&lsp::WindowClientCapabilities>) {
        self.shows_progress = window.and_then(|window| window.work_done_progress).unwrap_or(false);
        self.shows_documents = window
            .and_then(|window| window.show_document.as_ref())
            .is_some_and(|show| show.support);
    }

    /// Reads the options of the extensions for editors.
    fn read_options(&mut self, options: Option<&Value>) {
        let option = |name: &str| options.and_then(|options| options.get(name));
        let is_set = |name: &str| option(name).and_then(Value::as_bool);
        self.diagnostics.style.pages = is_set("pages").unwrap_or(false);
        self.diagnostics.previews = is_set("preview").unwrap_or(false);
        self.formats_sidecars = is_set("formatsSidecars").unwrap_or(true);
        self.commands = option("commands")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|command| command.as_str().map(str::to_owned))
            .collect();
        self.is_untrusted = is_set("trusted") == Some(false);
        self.code_semantic_tokens = is_set("hostSemanticTokens");
    }
}
