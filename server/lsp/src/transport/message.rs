//! Parses the text of a message into a request or a response.
//!
//! One invalid message affects no others. Half of a surrogate pair, which JavaScript writes when a
//! text is cut inside an emoji, becomes U+FFFD, which has the same length in UTF-16. Bytes that are
//! not UTF-8 also become U+FFFD. For any other error, an error response is returned.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};
use tower_lsp::jsonrpc::{Error, Id, Request, Response};

/// A message of the editor.
#[derive(Debug)]
pub enum Incoming {
    /// A request or a notification.
    Request(Request),
    /// A response to a request of the server.
    Response(Response),
    /// An invalid message, with the error response to send.
    Unreadable(Response),
}

/// Parses a message. Cost: its length.
pub fn read(text: &[u8]) -> Incoming {
    let parsed = serde_json::from_slice(text).or_else(|error| match repaired(text) {
        Some(repaired) => serde_json::from_str(&repaired),
        None => Err(error),
    });
    match parsed {
        Ok(Value::Object(message)) => understood(message),
        // Language servers do not support batches.
        Ok(_) => unreadable(Id::Null, Error::invalid_request()),
        Err(_) => unreadable(id_in(text), Error::parse_error()),
    }
}

fn understood(mut message: Map<String, Value>) -> Incoming {
    let id = match message.remove("id") {
        None => None,
        Some(id) => match serde_json::from_value(id) {
            Ok(id) => Some(id),
            Err(_) => return unreadable(Id::Null, Error::invalid_request()),
        },
    };
    if message.remove("jsonrpc") != Some(Value::from("2.0")) {
        return unreadable(id.unwrap_or_default(), Error::invalid_request());
    }
    match (message.remove("method"), id) {
        (Some(Value::String(method)), id) => {
            let mut request = Request::build(method);
            if let Some(params) = message.remove("params") {
                request = request.params(params);
            }
            if let Some(id) = id {
                request = request.id(id);
            }
            Incoming::Request(request.finish())
        }
        (None, Some(id)) if message.contains_key("error") => {
            let error =
                message.remove("error").and_then(|error| serde_json::from_value(error).ok());
            // The sender of the request must be notified, whatever form the error has.
            Incoming::Response(Response::from_error(
                id,
                error.unwrap_or_else(Error::internal_error),
            ))
        }
        (None, Some(id)) if message.contains_key("result") => {
            let result = message.remove("result").unwrap_or_default();
            Incoming::Response(Response::from_ok(id, result))
        }
        (_, id) => unreadable(id.unwrap_or_default(), Error::invalid_request()),
    }
}

fn unreadable(id: Id, error: Error) -> Incoming {
    Incoming::Unreadable(Response::from_error(id, error))
}

/// The id of a message whose other parts cannot be read, so that its sender receives a response.
fn id_in(text: &[u8]) -> Id {
    #[derive(Deserialize)]
    struct WithId {
        id: Id,
    }
    serde_json::from_slice(text).map_or(Id::Null, |WithId { id }| id)
}

/// Replaces invalid characters by U+FFFD; `None` if there are none.
pub fn repaired(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let is_valid = matches!(text, Cow::Borrowed(_));
    let mut repaired = String::with_capacity(text.len());
    let mut copied = 0;
    let mut at = 0;
    while let Some(escape) = memchr::memchr(b'\\', &text.as_bytes()[at..]).map(|found| at + found) {
        let rest = &text.as_bytes()[escape..];
        at = escape + 2;
        match (code_unit(rest), rest.get(6..).and_then(code_unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at = escape + 12,
            (Some(0xD800..=0xDFFF), _) => {
                repaired.push_str(&text[copied..escape]);
                repaired.push('\u{FFFD}');
                at = escape + 6;
                copied = at;
            }
            _ => {}
        }
        // An escape may be cut off at the end.
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    repaired.push_str(&text[copied..]);
    (!is_valid || copied > 0).then_some(repaired)
}

/// The code unit of a `\uXXXX` at the start.
fn code_unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    u16::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| is_hex)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &[u8]) -> String {
        let json = |response| serde_json::to_string(&response).expect("it is JSON");
        match read(text) {
            Incoming::Request(request) => format!("calls {request}"),
            Incoming::Response(response) => format!("answers {}", json(response)),
            Incoming::Unreadable(response) => format!("unreadable: {}", json(response)),
        }
    }

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&shown(text.as_bytes()));
    }

    #[test]
    fn half_a_surrogate_pair_becomes_a_replacement_character() {
        for half in [r"\ud83d", r"\uDE00", r"\ud83d\ud83d", r"\ud83dx", r"a\\\ud83d\n"] {
            let text = format!(r#"{{"jsonrpc":"2.0","method":"m","params":["{half}"]}}"#);
            let Incoming::Request(request) = read(text.as_bytes()) else { panic!("{text}") };
            let params = request.params().expect("they are there").to_string();
            assert!(params.contains('\u{FFFD}'), "{half}: {params}");
        }
        let whole = r#"{"jsonrpc":"2.0","method":"m","params":["\ud83d\ude00 \\ud83d"]}"#;
        let Incoming::Request(request) = read(whole.as_bytes()) else { panic!("it is one") };
        assert_eq!(request.params(), Some(&serde_json::json!(["😀 \\ud83d"])));
    }

    #[test]
    fn invalid_utf_8_loses_no_message() {
        let text = b"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[\"\xFF\xC3\"]}";
        let Incoming::Request(request) = read(text) else { panic!("it is one") };
        assert_eq!(request.params(), Some(&serde_json::json!(["\u{FFFD}\u{FFFD}"])));
    }

    #[test]
    fn unreadable_requests_get_an_error_response() {
        let deep = format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"m","params":{}{}}}"#,
            "[".repeat(200),
            "]".repeat(200)
        );
        check(
            &deep,
            expect![[
                r#"unreadable: {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":7}"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":null}"#,
            expect![[
                r#"unreadable: {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":1}"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{},"params":{}}"#,
            expect![[r#"calls {"jsonrpc":"2.0","method":"m","params":{},"id":1}"#]],
        );
        check(
            r#"{"jsonrpc":"1.0","id":1,"method":"m"}"#,
            expect![[
                r#"unreadable: {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":1}"#
            ]],
        );
        check(
            r#"{"id":"a","method":"m"}"#,
            expect![[
                r#"unreadable: {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":"a"}"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#,
            expect![[
                r#"unreadable: {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null}"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#,
            expect![[
                r#"answers {"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":1}"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
            expect![[r#"answers {"jsonrpc":"2.0","result":null,"id":1}"#]],
        );
        check(
            r#"[{"jsonrpc":"2.0","method":"m"}]"#,
            expect![[
                r#"unreadable: {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null}"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0""#,
            expect![[
                r#"unreadable: {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}"#
            ]],
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_parsed_without_a_panic(text in prop::collection::vec(any::<u8>(), 0..40)) {
            read(&text);
        }

        #[test]
        fn any_escapes_are_repaired(pieces in prop::collection::vec(
            prop::sample::select(vec!["\\", "u", "d83d", "de00", "é", "n", "\"", "a"]), 0..12
        )) {
            let text = format!(r#"{{"jsonrpc":"2.0","method":"{}"}}"#, pieces.concat());
            if let Some(repaired) = repaired(text.as_bytes()) {
                prop_assert!(repaired.len() <= text.len());
            }
        }
    }
}
