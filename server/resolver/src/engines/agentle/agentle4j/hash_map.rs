//! The order of keys in a Java `HashMap`: by the bits of their hashes.

use std::borrow::Cow;
use std::rc::Rc;

use super::members::text_hash;
use crate::engines::agentle::{PathTarget, Scope};

/// All inputs as the engine stores them: it copies the application's map, once more for each loop
/// item, which it adds under `this`.
pub(super) fn context<'a>(scope: Scope<'_, 'a>) -> PathTarget<'a> {
    let Some(Cow::Borrowed(inputs)) = scope.given.values.all() else {
        return PathTarget::Unknown("these inputs cannot be listed");
    };
    let inputs = inputs.entries();
    let item = scope.item.map(|item| PathTarget::ItemEntry(Rc::new(item.clone())));
    let keys = order(inputs.iter().map(|entry| &*entry.key), scope.loops);
    let entries = keys.into_iter().map(|index| match (inputs.get(index), &item) {
        (Some(entry), Some(item)) if &*entry.key == "this" => item.clone(),
        (Some(entry), _) => PathTarget::Entry(entry),
        (None, item) => item.clone().unwrap_or(PathTarget::Missing),
    });
    PathTarget::Context(entries.collect())
}

/// The positions of keys in the order of the map, copied for a number of nested loops. After the
/// last one is the position of `this`, unless it is one of them.
fn order<'k>(keys: impl Iterator<Item = &'k str>, loops: usize) -> Vec<usize> {
    let mut has_item = false;
    let mut map: Vec<(usize, u32)> = keys
        .enumerate()
        .inspect(|(_, key)| has_item |= *key == "this")
        .map(|(index, key)| (index, spread(key)))
        .collect();
    let mut buckets = capacity(map.len());
    let sort = |map: &mut Vec<(usize, u32)>, buckets: u32| {
        map.sort_by_key(|(_, hash)| hash & (buckets - 1));
    };
    sort(&mut map, buckets);
    for _ in 0..loops {
        buckets = capacity(map.len());
        sort(&mut map, buckets);
        if !has_item {
            has_item = true;
            map.push((map.len(), spread("this")));
            let is_crowded = map.len() > buckets as usize * 3 / 4;
            sort(&mut map, if is_crowded { buckets * 2 } else { buckets });
        }
    }
    map.into_iter().map(|(index, _)| index).collect()
}

/// The number of buckets of a copied map of this size.
fn capacity(entries: usize) -> u32 {
    match u32::try_from(entries) {
        Ok(0) => 16,
        Ok(entries) => (entries as f32 / 0.75 + 1.0).min(1e9) as u32,
        Err(_) => 1 << 30,
    }
    .next_power_of_two()
}

fn spread(key: &str) -> u32 {
    let hash = text_hash(key).cast_unsigned();
    hash ^ hash >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_the_order_of_their_buckets() {
        let check = |keys: &[&str], loops, expected: &[usize]| {
            assert_eq!(order(keys.iter().copied(), loops), expected, "{keys:?}");
        };
        check(&[], 0, &[]);
        check(&["b", "a"], 0, &[1, 0]);
        check(&["items", "fa", "z", "n"], 0, &[2, 1, 0, 3]);
        check(&["items", "fa", "z", "n"], 2, &[4, 2, 1, 0, 3]);
        // Printed by the engine: {this=q, n0=v, n1=v, l=[q]}.
        check(&["n0", "n1", "l"], 1, &[3, 0, 1, 2]);
    }
}
