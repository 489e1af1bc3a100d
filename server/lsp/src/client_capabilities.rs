//! What the editor can do, as it said at the start.

use promptls_analysis::position::Encoding;
use serde_json::Value;
use tower_lsp::ls_types as lsp;

use crate::diagnostics::{DiagnosticCapabilities, DiagnosticStyle};
use crate::{convert, lsp_ext};

/// What the editor can do.
///
/// What it does not mention, it cannot do.
#[derive(Clone, Debug, Default)]
pub struct ClientCapabilities {
    /// What columns count.
    pub encoding: Encoding,
    /// What it wants to hear of problems.
    pub diagnostics: DiagnosticCapabilities,
    /// Whether completions may be snippets.
    pub snippets: bool,
    /// Whether a completion may say what it replaces and what it leaves.
    pub insert_replace: bool,
    /// Whether a completion may have words beside its label, in each row of the list.
    pub label_details: bool,
    /// Whether what is said about a completion may be Markdown.
    pub markdown_items: bool,
    /// Whether hovers may be Markdown.
    pub markdown: bool,
    /// Whether a definition may say what leads to it.
    pub definition_links: bool,
    /// The same for a declaration.
    pub declaration_links: bool,
    /// Whether it asks what a place would rename, before it asks for the new name.
    pub prepares_renames: bool,
    /// Whether it can be asked to watch files.
    pub watches_files: bool,
    /// Whether it can be asked for its settings.
    pub configuration: bool,
    /// Whether it can be asked to tell of changed settings.
    pub registers_configuration: bool,
    /// Whether it can be told which documents are formatted.
    pub registers_formatting: bool,
    /// The same while they are typed.
    pub registers_on_type_formatting: bool,
    /// Whether inputs, variables and configs are for us to format, or have other formatters there.
    pub formats_sidecars: bool,
    /// Whether it can be asked to make an edit.
    pub makes_edits: bool,
    /// What it can be told to ask for again.
    pub refreshes: Refreshes,
    /// Whether an edit may say which version of a document it is for.
    pub document_changes: bool,
    /// Whether an edit may say that it creates files.
    pub creates_files: bool,
    /// Whether an edit may rename files.
    pub renames_files: bool,
    /// How it takes actions.
    pub actions: Actions,
    /// Whether it can be asked to show how far something is.
    pub shows_progress: bool,
    /// Whether it asks for the place of a name of the workspace when somebody wants to go there.
    pub resolves_symbols: bool,
    /// Whether parts of an edit may be labelled.
    pub annotates_changes: bool,
    /// Whether it can be asked to show a place.
    pub shows_documents: bool,
    /// The commands of its own that it offers, by name.
    pub commands: Vec<String>,
    /// How it draws what stands in and beside a text.
    pub display: Display,
    /// Whether it says that nobody trusts the workspace.
    pub is_untrusted: bool,
    /// Whether it shows semantic tokens of code beside those of other servers, as it said.
    pub code_semantic_tokens: Option<bool>,
}

/// How the editor draws what stands in and beside a text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Display {
    /// Whether a semantic token may span lines.
    pub multiline_tokens: bool,
    /// Whether it folds only whole lines.
    pub folds_lines: bool,
    /// The most folds of a document that it takes.
    pub fold_limit: Option<usize>,
    /// Whether the symbols of a document may be a tree.
    pub symbol_trees: bool,
    /// Whether it asks for the tooltip of an inlay hint when it is needed.
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

/// What the editor asks for again when it is told to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Refreshes {
    /// `workspace/diagnostic/refresh`
    pub diagnostics: bool,
    /// `workspace/inlayHint/refresh`
    pub inlay_hints: bool,
    /// `workspace/codeLens/refresh`
    pub code_lenses: bool,
    /// `workspace/semanticTokens/refresh`
    pub semantic_tokens: bool,
    /// `workspace/textDocumentContent/refresh`
    pub contents: bool,
}

/// How an editor takes code actions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Actions {
    /// Whether they may be more than the names of commands.
    pub literals: bool,
    /// Whether it asks for the edit of the one that was chosen.
    pub resolves_edits: bool,
    /// Whether it shows those that cannot be done, and why.
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
    /// Whether the editor has a command of its own of this name.
    pub fn offers(&self, command: &str) -> bool {
        self.commands.iter().any(|offered| offered == command)
    }

    /// What the first message says.
    pub fn of(params: &lsp::InitializeParams) -> ClientCapabilities {
        let capabilities = &params.capabilities;
        let offered = capabilities.general.as_ref();
        let offered = offered.and_then(|general| general.position_encodings.as_deref());
        let text_document = capabilities.text_document.clone().unwrap_or_default();
        let workspace = capabilities.workspace.clone().unwrap_or_default();
        let display = Display::of(&text_document);
        let published = text_document.publish_diagnostics.unwrap_or_default();
        let refreshes_diagnostics =
            workspace.diagnostics.and_then(|refresh| refresh.refresh_support).unwrap_or(false);
        let item = text_document.completion.and_then(|completion| completion.completion_item);
        let item = item.unwrap_or_default();
        let hover_formats = text_document.hover.and_then(|hover| hover.content_format);
        let has_links = |goto: Option<lsp::GotoCapability>| {
            goto.and_then(|goto| goto.link_support).unwrap_or(false)
        };
        let edit = workspace.workspace_edit.unwrap_or_default();
        let operations = edit.resource_operations.unwrap_or_default();
        let options = params.initialization_options.as_ref();
        let option = |name: &str| options.and_then(|options| options.get(name));
        let encoding = convert::encoding(offered);
        ClientCapabilities {
            encoding,
            diagnostics: DiagnosticCapabilities {
                style: DiagnosticStyle {
                    encoding,
                    related: published.related_information.unwrap_or(false),
                    data: published.data_support.unwrap_or(false),
                    pages: option("pages").and_then(Value::as_bool).unwrap_or(false),
                },
                // Who cannot be told to ask again would not hear of a change in another file.
                pulls: text_document.diagnostic.is_some() && refreshes_diagnostics,
                previews: option("preview").and_then(Value::as_bool).unwrap_or(false),
            },
            snippets: item.snippet_support.unwrap_or(false),
            insert_replace: item.insert_replace_support.unwrap_or(false),
            label_details: item.label_details_support.unwrap_or(false),
            markdown_items: item
                .documentation_format
                .is_some_and(|formats| formats.contains(&lsp::MarkupKind::Markdown)),
            markdown: hover_formats
                .is_none_or(|formats| formats.contains(&lsp::MarkupKind::Markdown)),
            definition_links: has_links(text_document.definition),
            declaration_links: has_links(text_document.declaration),
            prepares_renames: text_document
                .rename
                .and_then(|rename| rename.prepare_support)
                .unwrap_or(false),
            watches_files: workspace
                .did_change_watched_files
                .and_then(|watched| watched.dynamic_registration)
                .unwrap_or(false),
            configuration: workspace.configuration.unwrap_or(false),
            registers_configuration: workspace
                .did_change_configuration
                .and_then(|changed| changed.dynamic_registration)
                .unwrap_or(false),
            registers_formatting: text_document
                .formatting
                .and_then(|formatting| formatting.dynamic_registration)
                .unwrap_or(false),
            registers_on_type_formatting: text_document
                .on_type_formatting
                .and_then(|formatting| formatting.dynamic_registration)
                .unwrap_or(false),
            formats_sidecars: option("formatsSidecars").and_then(Value::as_bool).unwrap_or(true),
            refreshes: Refreshes {
                diagnostics: refreshes_diagnostics,
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
                // See `lsp_ext.rs`.
                contents: capabilities
                    .experimental
                    .as_ref()
                    .is_some_and(|more| more.get(lsp_ext::CONTENT).is_some_and(Value::is_object)),
            },
            makes_edits: workspace.apply_edit.unwrap_or(false),
            document_changes: edit.document_changes.unwrap_or(false),
            creates_files: operations.contains(&lsp::ResourceOperationKind::Create),
            renames_files: operations.contains(&lsp::ResourceOperationKind::Rename),
            actions: Actions::of(text_document.code_action),
            shows_progress: capabilities
                .window
                .as_ref()
                .and_then(|window| window.work_done_progress)
                .unwrap_or(false),
            shows_documents: capabilities
                .window
                .as_ref()
                .and_then(|window| window.show_document.as_ref())
                .is_some_and(|show| show.support),
            resolves_symbols: workspace
                .symbol
                .and_then(|symbol| symbol.resolve_support)
                .is_some_and(|it| it.properties.iter().any(|name| name == "location.range")),
            annotates_changes: edit.change_annotation_support.is_some(),
            commands: option("commands")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(|command| command.as_str().map(str::to_owned))
                .collect(),
            display,
            is_untrusted: option("trusted").and_then(Value::as_bool) == Some(false),
            code_semantic_tokens: option("hostSemanticTokens").and_then(Value::as_bool),
        }
    }
}
