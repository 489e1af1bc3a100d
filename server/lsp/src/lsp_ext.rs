//! Support for a feature that is missing in the types of the protocol: `workspace.textDocumentContent` of
//! LSP 3.18, in the capabilities of both sides.
//!
//! The types drop unknown fields, so the capability is moved into `experimental` between here and
//! the backend. Other messages pass unchanged.

use std::pin::Pin;
use std::task::{Context, Poll};

use serde_json::{Value, json};
use tower_lsp::ExitedError;
use tower_lsp::jsonrpc::{Request, Response};
use tower_service::Service;

use crate::virtual_uri::SCHEME;

/// The name of the capability in the group `workspace`.
pub const CONTENT: &str = "textDocumentContent";

/// The capability that the server announces to an editor that supports it.
pub fn announced() -> Value {
    json!({ "schemes": [SCHEME] })
}

/// A service that accepts messages of LSP 3.18.
pub struct LspExt<S>(pub S);

type ResponseFuture = Pin<Box<dyn Future<Output = Result<Option<Response>, ExitedError>> + Send>>;

impl<S> Service<Request> for LspExt<S>
where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
    S::Future: Send + 'static,
{
    type Response = Option<Response>;
    type Error = ExitedError;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), ExitedError>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> ResponseFuture {
        if request.method() != "initialize" {
            return Box::pin(self.0.call(request));
        }
        let (method, id, mut params) = request.into_parts();
        if let Some(capabilities) = params.as_mut().and_then(|it| it.get_mut("capabilities")) {
            move_content(capabilities, "workspace", "experimental");
        }
        let mut request = Request::build(method);
        if let Some(id) = id {
            request = request.id(id);
        }
        if let Some(params) = params {
            request = request.params(params);
        }
        let answer = self.0.call(request.finish());
        Box::pin(async move {
            let Some(response) = answer.await? else { return Ok(None) };
            let (id, mut body) = response.into_parts();
            if let Ok(result) = &mut body
                && let Some(capabilities) = result.get_mut("capabilities")
            {
                move_content(capabilities, "experimental", "workspace");
            }
            Ok(Some(Response::from_parts(id, body)))
        })
    }
}

/// Moves the capability from one group to another. A group that becomes empty is removed.
fn move_content(capabilities: &mut Value, from: &str, to: &str) {
    let Some(capabilities) = capabilities.as_object_mut() else { return };
    let Some(group) = capabilities.get_mut(from).and_then(Value::as_object_mut) else { return };
    let Some(content) = group.shift_remove(CONTENT) else { return };
    if group.is_empty() {
        capabilities.shift_remove(from);
    }
    let group = capabilities.entry(to).or_insert_with(|| json!({}));
    // Other values of `experimental` from an editor are not used.
    if !group.is_object() {
        *group = json!({});
    }
    group[CONTENT] = content;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(mut capabilities: Value, expected: Value) {
        move_content(&mut capabilities, "workspace", "experimental");
        assert_eq!(capabilities, expected);
    }

    #[test]
    fn only_the_text_document_content_capability_moves_to_experimental() {
        check(
            json!({"workspace": {"textDocumentContent": {"x": 1}, "a": 2}, "experimental": {"b": 3}}),
            json!({"workspace": {"a": 2}, "experimental": {"b": 3, "textDocumentContent": {"x": 1}}}),
        );
        check(
            json!({"workspace": {"textDocumentContent": {}}, "experimental": null}),
            json!({"experimental": {"textDocumentContent": {}}}),
        );
        check(json!({"workspace": null}), json!({"workspace": null}));
        check(json!([]), json!([]));
    }
}
