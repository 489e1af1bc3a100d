//! The capabilities that the server announces in the response of `initialize`.

use promptls_analysis::CLOSED_BEHIND;
use promptls_protocol::methods::{self, Method};
use promptls_syntax::Dialect;
use serde_json::{Value, json};
use tower_lsp::ls_types as lsp;

use crate::client_capabilities::ClientCapabilities;
use crate::handlers::typing::completion;
use crate::handlers::{code_action, execute_command, semantic_tokens};
use crate::{convert, lsp_ext};

/// The capabilities of the server for a client.
pub fn server_capabilities(client: &ClientCapabilities) -> lsp::ServerCapabilities {
    // Editors with dynamic registration receive the document selectors once they are ready.
    let formats = !client.registers_formatting;
    let formats_typed = !client.registers_on_type_formatting;
    let mut experimental = json!({ "promptls": own_methods() });
    if client.refreshes.contents {
        experimental[lsp_ext::CONTENT] = lsp_ext::announced();
    }
    let sync = lsp::TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
        // Reports files that appear, also in editors that watch none.
        save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
        ..lsp::TextDocumentSyncOptions::default()
    };
    let triggers = ["{", ".", "[", completion::HEADER_END, "#", "/", ":", " ", "\""];
    let triggers = triggers.map(str::to_owned).to_vec();
    lsp::ServerCapabilities {
        position_encoding: Some(convert::encoding_kind(client.encoding)),
        text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        definition_provider: Some(lsp::OneOf::Left(true)),
        declaration_provider: Some(lsp::DeclarationCapability::Simple(true)),
        references_provider: Some(lsp::OneOf::Left(true)),
        document_highlight_provider: Some(lsp::OneOf::Left(true)),
        rename_provider: Some(renames(client)),
        document_formatting_provider: formats.then_some(lsp::OneOf::Left(true)),
        document_on_type_formatting_provider: formats_typed.then(typed_formatting),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(triggers),
            resolve_provider: Some(true),
            ..lsp::CompletionOptions::default()
        }),
        code_action_provider: Some(code_actions()),
        semantic_tokens_provider: Some(semantic_tokens(client)),
        selection_range_provider: Some(lsp::SelectionRangeProviderCapability::Simple(true)),
        linked_editing_range_provider: Some(lsp::LinkedEditingRangeServerCapabilities::Simple(
            true,
        )),
        folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
        document_symbol_provider: Some(lsp::OneOf::Left(true)),
        workspace_symbol_provider: Some(lsp::OneOf::Right(lsp::WorkspaceSymbolOptions {
            resolve_provider: Some(true),
            work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
        })),
        document_link_provider: Some(lsp::DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
        }),
        inlay_hint_provider: Some(lsp::OneOf::Right(lsp::InlayHintServerCapabilities::Options(
            lsp::InlayHintOptions {
                resolve_provider: Some(true),
                ..lsp::InlayHintOptions::default()
            },
        ))),
        code_lens_provider: Some(lsp::CodeLensOptions { resolve_provider: Some(false) }),
        // An editor that pulls diagnostics would show pushed ones twice.
        diagnostic_provider: client.diagnostics.pulls.then(|| {
            lsp::DiagnosticServerCapabilities::Options(lsp::DiagnosticOptions {
                // Without an identifier, Helix replaces pushed diagnostics by the pulled
                // ones as well.
                identifier: Some("promptls".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                ..lsp::DiagnosticOptions::default()
            })
        }),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: execute_command::known(),
            ..lsp::ExecuteCommandOptions::default()
        }),
        workspace: Some(lsp::WorkspaceServerCapabilities {
            workspace_folders: Some(lsp::WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(lsp::OneOf::Left(true)),
            }),
            file_operations: Some(renamed_files()),
        }),
        experimental: Some(experimental),
        ..lsp::ServerCapabilities::default()
    }
}

/// The methods beyond the protocol, as the server announces them.
fn own_methods() -> Value {
    let is_here =
        |method: &&Method| cfg!(feature = "templates") || method.name != methods::TEMPLATES;
    let here = methods::METHODS.iter().filter(is_here);
    let names: Vec<&str> = here.map(|method| method.name).collect();
    json!({ "version": methods::METHODS_VERSION, "methods": names })
}

/// Semantic tokens. An editor in which they would replace the tokens of code gets them only for other
/// documents.
fn semantic_tokens(client: &ClientCapabilities) -> lsp::SemanticTokensServerCapabilities {
    if client.code_semantic_tokens != Some(false) {
        return token_options().into();
    }
    let languages = semantic_tokens::LANGUAGES.into_iter().map(str::to_owned);
    let dialects = Dialect::ALL.into_iter().map(|dialect| format!("prompt-{}", dialect.spec().id));
    let filter =
        |language| lsp::DocumentFilter { language: Some(language), scheme: None, pattern: None };
    let selector = languages.chain(dialects).map(filter).collect();
    lsp::SemanticTokensRegistrationOptions {
        text_document_registration_options: lsp::TextDocumentRegistrationOptions {
            document_selector: Some(selector),
        },
        semantic_tokens_options: token_options(),
        static_registration_options: lsp::StaticRegistrationOptions::default(),
    }
    .into()
}

fn token_options() -> lsp::SemanticTokensOptions {
    let types = semantic_tokens::TYPES.iter().map(|(_, name)| lsp::SemanticTokenType::new(name));
    let modifiers = semantic_tokens::MODIFIERS.iter();
    let modifiers = modifiers.map(|(_, name)| lsp::SemanticTokenModifier::new(name));
    lsp::SemanticTokensOptions {
        legend: lsp::SemanticTokensLegend {
            token_types: types.collect(),
            token_modifiers: modifiers.collect(),
        },
        range: Some(true),
        full: Some(lsp::SemanticTokensFullOptions::Delta { delta: Some(true) }),
        ..lsp::SemanticTokensOptions::default()
    }
}

/// Renames are tried first only for an editor that supports `prepareRename`.
fn renames(client: &ClientCapabilities) -> lsp::OneOf<bool, lsp::RenameOptions> {
    if !client.prepares_renames {
        return lsp::OneOf::Left(true);
    }
    lsp::OneOf::Right(lsp::RenameOptions {
        prepare_provider: Some(true),
        work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
    })
}

/// The renames that the editor should report: those of any file, because a rule may make a prompt
/// of it. Folders are excluded: all files in them move as well.
fn renamed_files() -> lsp::WorkspaceFileOperationsServerCapabilities {
    let pattern = lsp::FileOperationPattern {
        glob: "**/*".to_owned(),
        matches: Some(lsp::FileOperationPatternKind::File),
        options: None,
    };
    let filter = lsp::FileOperationFilter { scheme: Some("file".to_owned()), pattern };
    let all = lsp::FileOperationRegistrationOptions { filters: vec![filter] };
    lsp::WorkspaceFileOperationsServerCapabilities {
        will_rename: Some(all.clone()),
        did_rename: Some(all),
        ..lsp::WorkspaceFileOperationsServerCapabilities::default()
    }
}

/// Formatting of text that is typed, after each of these characters.
fn typed_formatting() -> lsp::DocumentOnTypeFormattingOptions {
    let [first, more @ ..] = CLOSED_BEHIND.map(String::from);
    lsp::DocumentOnTypeFormattingOptions {
        first_trigger_character: first,
        more_trigger_character: Some(more.into()),
    }
}

/// Code actions of the kinds that can be requested on their own.
fn code_actions() -> lsp::CodeActionProviderCapability {
    let kinds = code_action::ANNOUNCED.map(lsp::CodeActionKind::new).to_vec();
    lsp::CodeActionProviderCapability::Options(lsp::CodeActionOptions {
        code_action_kinds: Some(kinds),
        resolve_provider: Some(true),
        ..lsp::CodeActionOptions::default()
    })
}
