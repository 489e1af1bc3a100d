//! Messages on the wire: `Content-Length` framing around JSON-RPC.
//!
//! Strict on purpose. Editors tolerate many errors, but not all of them the same ones, so
//! everything that violates the specification is a [`Complaint`] here.

use std::io::{self, BufRead};

use serde_json::{Map, Value, json};

/// A human-readable protocol violation by the server.
pub type Complaint = String;

/// A message from the server.
#[derive(Debug, PartialEq)]
pub enum Message {
    /// Requires a response with the same id.
    Request {
        /// A number or a string.
        id: Value,
        /// The requested method, such as `textDocument/hover`.
        method: String,
        /// `null` if the message has none.
        params: Value,
    },
    /// Requires no response, and has no id.
    Notification {
        /// The method, such as `textDocument/didOpen`.
        method: String,
        /// `null` if the message has none.
        params: Value,
    },
    /// The response to a request of the test.
    Response {
        /// The id of the request; `null` if the server could not read it.
        id: Value,
        /// The result, or the error object.
        outcome: Result<Value, Value>,
    },
}

/// A message with its header, ready to be sent.
pub fn encode(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// A request, without a `params` field where `params` is null.
pub fn request(id: u64, method: &str, params: Value) -> Value {
    let mut message = notification(method, params);
    message["id"] = json!(id);
    message
}

/// A notification, without a `params` field where `params` is null.
pub fn notification(method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    if !params.is_null() {
        message["params"] = params;
    }
    message
}

/// The answer to the request `id`.
pub fn response(id: &Value, outcome: Result<Value, Value>) -> Value {
    match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(error) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
    }
}

/// Waits for the next message; `None` if the stream ends between two messages.
pub fn read(input: &mut impl BufRead) -> Result<Option<Message>, Complaint> {
    let Some(length) = read_header(input)? else {
        return Ok(None);
    };
    let mut body = vec![0; length];
    input.read_exact(&mut body).map_err(|error| format!("half a message: {error}"))?;
    let value = serde_json::from_slice(&body).map_err(|error| {
        format!("the body is not JSON: {error}\n{}", String::from_utf8_lossy(&body))
    })?;
    parse(value).map(Some)
}

/// The length of the body, in bytes.
fn read_header(input: &mut impl BufRead) -> Result<Option<usize>, Complaint> {
    let mut length = None;
    let mut first = true;
    loop {
        let mut line = String::new();
        let bytes = input.read_line(&mut line).map_err(|error| unreadable_header(&error))?;
        if bytes == 0 && first {
            return Ok(None);
        }
        first = false;
        let Some(line) = line.strip_suffix("\r\n") else {
            return Err(format!("a header line ends with CR LF, this one does not: {line:?}"));
        };
        if line.is_empty() {
            return length.map(Some).ok_or_else(|| "a header without Content-Length".to_owned());
        }
        match line.split_once(": ") {
            Some(("Content-Length", digits)) => {
                length = Some(digits.parse().map_err(|_| format!("not a length: {line:?}"))?);
            }
            Some(("Content-Type", _)) => {}
            _ => return Err(format!("not a header line: {line:?}")),
        }
    }
}

fn unreadable_header(error: &io::Error) -> Complaint {
    format!("the header can not be read: {error}")
}

/// Checks that `value` has the shape of a JSON-RPC 2.0 message.
pub fn parse(value: Value) -> Result<Message, Complaint> {
    let shown = value.to_string();
    let complain = |what: &str| format!("{what}: {shown}");

    let Value::Object(mut fields) = value else {
        return Err(complain("a message is an object"));
    };
    if fields.remove("jsonrpc") != Some(json!("2.0")) {
        return Err(complain("a message says `jsonrpc: \"2.0\"`"));
    }
    let id = fields.remove("id");
    if !matches!(id, None | Some(Value::Null | Value::String(_) | Value::Number(_))) {
        return Err(complain("an id is a number or a string"));
    }
    let message = match fields.remove("method") {
        Some(Value::String(method)) => call(id, method, &mut fields),
        Some(_) => Err("a method is a string"),
        None => answer(id, &mut fields),
    };
    let message = message.map_err(complain)?;
    match fields.keys().next() {
        None => Ok(message),
        Some(extra) => Err(complain(&format!("`{extra}` has no place in this message"))),
    }
}

fn call(
    id: Option<Value>,
    method: String,
    fields: &mut Map<String, Value>,
) -> Result<Message, &'static str> {
    let params = fields.remove("params");
    if !matches!(params, None | Some(Value::Null | Value::Object(_) | Value::Array(_))) {
        return Err("params are an object or an array");
    }
    let params = params.unwrap_or_default();
    match id {
        None => Ok(Message::Notification { method, params }),
        Some(Value::Null) => Err("a request has an id"),
        Some(id) => Ok(Message::Request { id, method, params }),
    }
}

fn answer(id: Option<Value>, fields: &mut Map<String, Value>) -> Result<Message, &'static str> {
    let id = id.ok_or("neither a method nor an id")?;
    let outcome = match (fields.remove("result"), fields.remove("error")) {
        (Some(result), None) => Ok(result),
        (None, Some(error)) => Err(error),
        _ => return Err("an answer has either a result or an error"),
    };
    if let Err(error) = &outcome
        && !(error["code"].is_i64() && error["message"].is_string())
    {
        return Err("an error has a whole number as code, and a message");
    }
    if id.is_null() && outcome.is_ok() {
        return Err("a result has the id of its request");
    }
    Ok(Message::Response { id, outcome })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_messages_can_be_parsed() {
        let mut bytes = encode(&request(1, "hover", json!({"é": "😀"})));
        bytes.extend(encode(&notification("exit", Value::Null)));
        let mut input = &bytes[..];

        let first = read(&mut input).unwrap();
        assert_eq!(
            first,
            Some(Message::Request {
                id: json!(1),
                method: "hover".to_owned(),
                params: json!({"é": "😀"}),
            })
        );
        let second = read(&mut input).unwrap();
        assert_eq!(
            second,
            Some(Message::Notification { method: "exit".to_owned(), params: Value::Null })
        );
        assert_eq!(read(&mut input).unwrap(), None);
    }

    #[test]
    fn invalid_framing_is_reported() {
        for (bytes, complaint) in [
            ("Content-Length: 2\n\n{}", "ends with CR LF"),
            ("Content-Length: two\r\n\r\n{}", "not a length"),
            ("Content-Length: 9\r\n\r\n{}", "half a message"),
            ("Content-Type: x\r\n\r\n{}", "without Content-Length"),
            ("hello\r\n\r\n", "not a header line"),
            ("Content-Length: 2\r\n\r\n{]", "not JSON"),
        ] {
            let actual = read(&mut bytes.as_bytes()).unwrap_err();
            assert!(actual.contains(complaint), "{actual}");
        }
    }

    #[test]
    fn invalid_messages_are_reported() {
        for (message, complaint) in [
            (json!([]), "is an object"),
            (json!({"method": "m"}), "jsonrpc"),
            (json!({"jsonrpc": "2.0"}), "neither a method nor an id"),
            (json!({"jsonrpc": "2.0", "id": null, "method": "m"}), "has an id"),
            (json!({"jsonrpc": "2.0", "method": "m", "params": 1}), "an object or an array"),
            (json!({"jsonrpc": "2.0", "method": "m", "result": 1}), "has no place"),
            (json!({"jsonrpc": "2.0", "id": 1, "result": 1, "error": {}}), "either"),
            (json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}), "message"),
            (json!({"jsonrpc": "2.0", "id": null, "result": 1}), "id of its request"),
        ] {
            let actual = parse(message).unwrap_err();
            assert!(actual.contains(complaint), "{actual}");
        }
    }
}
