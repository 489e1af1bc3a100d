//! Converts code actions, and the requests about them.

use tower_lsp::ls_types as lsp;

use super::display::command;
use super::range_from_lsp;
use super::workspace_edit::workspace_edit;
use crate::client_capabilities::ClientCapabilities;
use crate::document_range::DocumentRange;
use crate::handlers::code_action::ActionQuery;
use crate::handlers::listed_action::{ActionData, ListedAction};

/// Converts a request for code actions.
pub fn action_query(params: lsp::CodeActionParams) -> ActionQuery {
    let lsp::CodeActionParams { text_document, range, context, .. } = params;
    let only = context.only.map(|only| only.iter().map(|kind| kind.as_str().to_owned()).collect());
    ActionQuery {
        at: DocumentRange { uri: text_document.uri.into(), range: range_from_lsp(range) },
        only,
        is_invoked: context.trigger_kind == Some(lsp::CodeActionTriggerKind::INVOKED),
        diagnostics: context.diagnostics.into_iter().map(Into::into).collect(),
    }
}

/// The data of an action; `None` if it is not one of this server.
pub fn action_data(action: &lsp::CodeAction) -> Option<ActionData> {
    serde_json::from_value(action.data.clone()?).ok()
}

pub fn code_action(listed: ListedAction, client: &ClientCapabilities) -> lsp::CodeActionOrCommand {
    let ListedAction { title, kind, fixes, is_preferred, disabled, .. } = listed;
    let fixes: Vec<lsp::Diagnostic> = fixes.into_iter().map(Into::into).collect();
    lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
        title,
        kind: Some(lsp::CodeActionKind::new(kind)),
        diagnostics: (!fixes.is_empty()).then_some(fixes),
        edit: listed.edits.map(|edits| workspace_edit(edits, client)),
        command: listed.command.map(command),
        is_preferred: is_preferred.then_some(true),
        disabled: disabled.map(|reason| lsp::CodeActionDisabled { reason }),
        data: listed.data.and_then(|data| serde_json::to_value(data).ok()),
    })
}
