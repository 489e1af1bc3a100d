//! The capabilities that the server announces in the response of `initialize`.

use promptls_protocol::methods::{self, Method};
use serde_json::{Value, json};
use tower_lsp::ls_types as lsp;

use crate::client_capabilities::ClientCapabilities;
use crate::handlers::typing::{completion, on_type_formatting};
use crate::handlers::{
    code_action, execute_command, inlay_hint, rename, rename_files, semantic_tokens,
};
use crate::{convert, lsp_ext};

/// The capabilities of the server for a client.
pub fn server_capabilities(client: &ClientCapabilities) -> lsp::ServerCapabilities {
    // Editors with dynamic registration receive the document selectors once they are ready.
    let formats = !client.registers_formatting;
    let formats_typed = !client.registers_on_type_formatting;
    let mut experimental = json!({ "promptls": methods_of_ours() });
    if client.refreshes.contents {
        experimental[lsp_ext::CONTENT] = lsp_ext::announced();
    }
    let sync = lsp::TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
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
        rename_provider: Some(rename::provider(client)),
        document_formatting_provider: formats.then_some(lsp::OneOf::Left(true)),
        document_on_type_formatting_provider: formats_typed.then(on_type_formatting::options),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(triggers),
            resolve_provider: Some(true),
            ..lsp::CompletionOptions::default()
        }),
        code_action_provider: Some(code_action::provider()),
        semantic_tokens_provider: Some(semantic_tokens::provider(client)),
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
        inlay_hint_provider: Some(lsp::OneOf::Right(inlay_hint::options())),
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
            file_operations: Some(rename_files::operations()),
        }),
        experimental: Some(experimental),
        ..lsp::ServerCapabilities::default()
    }
}

/// The methods beyond the protocol, as the server announces them.
fn methods_of_ours() -> Value {
    let is_here =
        |method: &&Method| cfg!(feature = "templates") || method.name != methods::TEMPLATES;
    let here = methods::METHODS.iter().filter(is_here);
    let names: Vec<&str> = here.map(|method| method.name).collect();
    json!({ "version": methods::METHODS_VERSION, "methods": names })
}
