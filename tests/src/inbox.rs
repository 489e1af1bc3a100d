//! All messages of the server that the test has not read yet.
//!
//! Messages are sorted as they arrive: responses by request, published problems by document, the
//! rest in order. A violation of the protocol becomes a complaint at once. Unread messages at the
//! end are an error, see [`Inbox::unread`].

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use crate::client::Client;
use crate::problems;
use crate::wire::{self, Complaint, Message};

/// The last problems that were published for a document.
#[derive(Debug, Default)]
pub struct Published {
    /// The version of the document; `None` if the server does not send it.
    pub version: Option<i64>,
    /// The diagnostics in the form of the protocol.
    pub diagnostics: Vec<Value>,
    /// The diagnostics that a test has read last. The same ones for a later version count as read.
    pub seen: Vec<Value>,
}

/// A request of the server.
#[derive(Debug)]
pub struct ServerRequest {
    pub method: String,
    pub params: Value,
    /// Whether the client's capabilities allow the request.
    pub is_announced: bool,
}

#[derive(Debug)]
pub struct Inbox {
    client: Client,
    /// The number of messages of the server, except responses.
    pub news: u64,
    /// The requests without a response so far.
    pub open_requests: Vec<u64>,
    pub answers: BTreeMap<u64, Result<Value, Value>>,
    /// Error responses to messages without a readable id.
    pub errors_without_id: VecDeque<Value>,
    /// By the URI of the document.
    pub published: BTreeMap<String, Published>,
    pub notifications: VecDeque<(String, Value)>,
    pub requests: VecDeque<ServerRequest>,
    pub complaints: Vec<Complaint>,
    /// Whether the server has closed its output.
    pub has_ended: bool,
    /// Whether unread problems are accepted.
    pub ignores_problems: bool,
    /// Methods of notifications that need not be read.
    pub ignored_methods: BTreeSet<String>,
    /// Whether unread errors without an id are accepted.
    pub ignores_errors_without_id: bool,
}

impl Inbox {
    pub fn new(client: Client) -> Self {
        Self {
            client,
            news: 0,
            open_requests: Vec::new(),
            answers: BTreeMap::new(),
            errors_without_id: VecDeque::new(),
            published: BTreeMap::new(),
            notifications: VecDeque::new(),
            requests: VecDeque::new(),
            complaints: Vec::new(),
            has_ended: false,
            ignores_problems: false,
            ignored_methods: BTreeSet::new(),
            ignores_errors_without_id: false,
        }
    }

    /// Sorts a message; returns the response to it, if it requires one.
    pub fn accept(&mut self, message: Message) -> Option<Value> {
        self.news += u64::from(!matches!(message, Message::Response { .. }));
        match message {
            Message::Response { id, outcome } => {
                self.accept_answer(&id, outcome);
                None
            }
            Message::Notification { method, params } => {
                match method.as_str() {
                    "textDocument/publishDiagnostics" => self.accept_problems(&params),
                    _ => self.notifications.push_back((method, params)),
                }
                None
            }
            Message::Request { id, method, params } => {
                let outcome = self.client.answer(&method, &params);
                let is_announced = outcome.is_ok();
                if method == "workspace/applyEdit" {
                    self.client.refused_edits = self.client.refused_edits.saturating_sub(1);
                }
                self.requests.push_back(ServerRequest { method, params, is_announced });
                self.client.answers.then(|| wire::response(&id, outcome))
            }
        }
    }

    fn accept_answer(&mut self, id: &Value, outcome: Result<Value, Value>) {
        if id.is_null() {
            self.errors_without_id.extend(outcome.err());
            return;
        }
        let open = self.open_requests.iter().position(|&open| id.as_u64() == Some(open));
        match open {
            Some(index) => {
                self.answers.insert(self.open_requests.swap_remove(index), outcome);
            }
            None => self.complaints.push(format!("an answer to a request never sent: {id}")),
        }
    }

    fn accept_problems(&mut self, params: &Value) {
        let (Some(uri), Some(diagnostics)) =
            (params["uri"].as_str(), params["diagnostics"].as_array())
        else {
            self.complaints.push(format!("problems without a document or a list: {params}"));
            return;
        };
        self.complaints.extend(problems::complaints(diagnostics, &self.client));

        let published = self.published.entry(uri.to_owned()).or_default();
        let version = params["version"].as_i64();
        if version.is_some() && version < published.version {
            self.complaints.push(format!(
                "{uri}: problems of version {version:?} came after those of {:?}",
                published.version
            ));
        }
        published.version = version;
        published.diagnostics.clone_from(diagnostics);
    }

    /// The unread messages, one line each.
    pub fn unread(&self) -> Vec<String> {
        let answers = self.answers.iter().map(|(id, outcome)| match outcome {
            Ok(result) => format!("an answer to request {id}: {result}"),
            Err(error) => format!("an error for request {id}: {error}"),
        });
        let errors = self
            .errors_without_id
            .iter()
            .filter(|_| !self.ignores_errors_without_id)
            .map(|error| format!("an error: {error}"));
        let notifications = self
            .notifications
            .iter()
            .filter(|(method, _)| !self.ignored_methods.contains(method))
            .map(|(method, params)| format!("{method}: {params}"));
        let requests = self
            .requests
            .iter()
            .filter(|request| !request.is_announced)
            .map(|request| format!("a request not announced: {request:?}"));
        let problems = self
            .published
            .iter()
            .filter(|(_, published)| {
                !self.ignores_problems
                    && !published.diagnostics.is_empty()
                    && published.diagnostics != published.seen
            })
            .map(|(uri, published)| {
                format!("problems of {uri}:\n{}", problems::text(&published.diagnostics))
            });
        answers.chain(errors).chain(notifications).chain(requests).chain(problems).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn seen_problems_are_not_new_in_a_later_version() {
        let mut inbox = Inbox::new(Client::default());
        inbox.accept(problems("file:///a", 1));
        assert_eq!(inbox.unread().len(), 1);

        let published = inbox.published.get_mut("file:///a").unwrap();
        published.seen.clone_from(&published.diagnostics);
        inbox.accept(problems("file:///a", 2));
        assert_eq!(inbox.unread(), Vec::<String>::new());
    }

    #[test]
    fn problems_must_come_in_order_of_versions() {
        let mut inbox = Inbox::new(Client::default());
        inbox.accept(problems("file:///a", 2));
        inbox.accept(problems("file:///a", 1));
        assert_eq!(inbox.complaints.len(), 1);
    }

    #[test]
    fn a_response_needs_a_request() {
        let mut inbox = Inbox::new(Client::default());
        inbox.open_requests.push(1);
        inbox.accept(Message::Response { id: json!(1), outcome: Ok(json!(null)) });
        assert_eq!(inbox.complaints, Vec::<String>::new());
        inbox.accept(Message::Response { id: json!(1), outcome: Ok(json!(null)) });
        assert_eq!(inbox.complaints, ["an answer to a request never sent: 1"]);
    }

    #[test]
    fn an_announced_request_is_answered_and_not_unexpected() {
        let mut inbox = Inbox::new(Client::default());
        let answer = inbox.accept(Message::Request {
            id: json!("a"),
            method: "workspace/inlayHint/refresh".to_owned(),
            params: Value::Null,
        });
        assert_eq!(answer, Some(json!({"jsonrpc": "2.0", "id": "a", "result": null})));
        assert_eq!(inbox.unread(), Vec::<String>::new());
    }

    fn problems(uri: &str, version: i64) -> Message {
        let start = json!({"line": 0, "character": 0});
        let diagnostic = json!({"range": {"start": start, "end": start}, "message": "odd"});
        Message::Notification {
            method: "textDocument/publishDiagnostics".to_owned(),
            params: json!({"uri": uri, "version": version, "diagnostics": [diagnostic]}),
        }
    }
}
