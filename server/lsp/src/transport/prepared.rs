//! Large responses, serialized in advance.
//!
//! The library represents a response as a tree of values, which takes ten times as much memory as
//! its text. So the items of a large response are serialized first, and the response contains their
//! address.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::convert::Uri;

/// The prefix of an address that stands for prepared items.
const SCHEME: &str = "promptls-prepared:";

/// Items are stored in pieces of about this many bytes, because a single text is copied as it
/// grows.
const PIECE: usize = 64 * 1024;

/// The items that were prepared and not yet written, by number.
static PREPARED: Mutex<(u64, BTreeMap<u64, Items>)> = Mutex::new((0, BTreeMap::new()));

/// The items of a JSON array, as text.
#[derive(Debug, Default)]
pub struct Items {
    /// The text of the array, without its brackets.
    pieces: Vec<ResponsePart>,
}

/// A part of the text.
#[derive(Debug)]
enum ResponsePart {
    Own(Vec<u8>),
    /// Shared with a text that is stored elsewhere.
    Shared(Arc<str>),
}

impl Items {
    /// Adds an item by its text.
    pub fn push(&mut self, item: &str) {
        self.push_list([item, ""], std::iter::empty());
    }

    /// Adds an item by its text, with the elements of a list between its two parts.
    pub fn push_list(&mut self, [head, tail]: [&str; 2], list: impl Iterator<Item = Arc<str>>) {
        if !self.pieces.is_empty() {
            self.push_text(",");
        }
        self.push_text(head);
        for (index, item) in list.enumerate() {
            if index > 0 {
                self.push_text(",");
            }
            self.pieces.push(ResponsePart::Shared(item));
        }
        self.push_text(tail);
    }

    fn push_text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(ResponsePart::Own(last)) if last.len() < PIECE => {
                last.extend_from_slice(text.as_bytes());
            }
            _ => self.pieces.push(ResponsePart::Own(text.as_bytes().to_vec())),
        }
    }

    /// The parts of the text, in order.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().map(|piece| match piece {
            ResponsePart::Own(text) => &text[..],
            ResponsePart::Shared(text) => text.as_bytes(),
        })
    }

    /// Stores the items until the response that contains their address is written. Returns the
    /// address; `None` if there are no items.
    pub fn keep(self) -> Option<Uri> {
        if self.pieces.is_empty() {
            return None;
        }
        let mut prepared = PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, items) = &mut *prepared;
        *last += 1;
        items.insert(*last, self);
        format!("{SCHEME}{last}").parse().ok()
    }
}

/// Takes the items that a result `{"items": [{"uri": ADDRESS}]}` stands for.
pub fn take(result: &Value) -> Option<Items> {
    let [item] = &result.get("items")?.as_array()?[..] else { return None };
    let number = item.get("uri")?.as_str()?.strip_prefix(SCHEME)?.parse().ok()?;
    PREPARED.lock().unwrap_or_else(PoisonError::into_inner).1.remove(&number)
}

/// Returns the result with its prepared items in place of their address.
pub fn written(result: Value) -> Value {
    let Some(items) = take(&result) else { return result };
    let array = [b"[", &items.texts().collect::<Vec<_>>().concat()[..], b"]"].concat();
    // The items are valid JSON.
    json!({ "items": serde_json::from_slice::<Value>(&array).unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_in_the_same_process_gets_the_items() {
        let mut items = Items::default();
        items.push("1");
        items.push("[2]");
        let result = json!({ "items": [{ "uri": items.keep().expect("there are some") }] });
        assert_eq!(written(result.clone()), json!({ "items": [1, [2]] }));
        // Items can be taken once; other results are unchanged.
        assert_eq!(written(result.clone()), result);
        assert_eq!(written(json!(null)), json!(null));
    }

    #[test]
    fn items_are_an_array_and_can_be_taken_once() {
        let mut items = Items::default();
        let texts: Vec<String> = (0..20_000).map(|number| format!("item {number}")).collect();
        for text in &texts {
            items.push(&json!(text).to_string());
        }
        assert!(items.pieces.len() > 1);
        let list = ["1", "2"].map(Arc::from);
        items.push_list([r#"{"a":["#, "]}"], list.into_iter());
        items.push_list([r#"{"a":["#, "]}"], [].into_iter());
        let result = json!({ "items": [{ "uri": items.keep().expect("there are some") }] });
        let kept = take(&result).expect("they are kept");
        let array = [b"[", &kept.texts().collect::<Vec<_>>().concat()[..], b"]"].concat();
        let mut array: Vec<Value> = serde_json::from_slice(&array).expect("an array");
        assert_eq!(array.split_off(texts.len()), [json!({"a": [1, 2]}), json!({"a": []})]);
        assert_eq!(json!(array), json!(texts));
        assert!(take(&result).is_none() && Items::default().keep().is_none());
    }
}
