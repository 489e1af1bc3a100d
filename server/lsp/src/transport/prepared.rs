//! Large responses, written as text.
//!
//! A response is a tree of values for the library, which takes ten times as much memory as its text.
//! So the items of a large one are prepared as text, and the response names them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::Value;
use tower_lsp::ls_types as lsp;

/// The start of the address that stands for prepared items.
const SCHEME: &str = "promptls-prepared:";

/// Items are kept in pieces of about this many bytes: a single text is copied as it grows.
const PIECE: usize = 64 * 1024;

/// Items that were prepared and not yet written, by number.
static PREPARED: Mutex<(u64, BTreeMap<u64, Items>)> = Mutex::new((0, BTreeMap::new()));

/// Items of a JSON array, as text.
#[derive(Debug, Default)]
pub struct Items {
    /// The text of the array, without its brackets.
    pub pieces: Vec<Vec<u8>>,
}

impl Items {
    /// Adds an item.
    pub fn push(&mut self, item: &impl Serialize) -> serde_json::Result<()> {
        let is_first = self.pieces.is_empty();
        if self.pieces.last().is_none_or(|piece| piece.len() >= PIECE) {
            self.pieces.push(Vec::new());
        }
        let Some(piece) = self.pieces.last_mut() else { return Ok(()) };
        if !is_first {
            piece.push(b',');
        }
        serde_json::to_writer(piece, item)
    }

    /// Keeps the items until the response that names them is written. Returns their address; `None`
    /// if there are none.
    pub fn keep(self) -> Option<lsp::Uri> {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn items_are_an_array_and_taken_once() {
        let mut items = Items::default();
        let texts: Vec<String> = (0..20_000).map(|number| format!("item {number}")).collect();
        for text in &texts {
            items.push(text).expect("a text is JSON");
        }
        assert!(items.pieces.len() > 1);
        let result = json!({ "items": [{ "uri": items.keep().expect("there are some") }] });
        let pieces = take(&result).expect("they are kept").pieces.concat();
        let array = [b"[", &pieces[..], b"]"].concat();
        assert_eq!(serde_json::from_slice::<Vec<String>>(&array).expect("an array"), texts);
        assert!(take(&result).is_none() && Items::default().keep().is_none());
    }
}
