//! Tests whether keys are valid as names in placeholders.

use promptls_resolver::Engine;
use promptls_syntax::{name_range, tokenize};

/// Returns whether a key can be written as a placeholder.
pub(crate) fn is_placeholder(engine: Engine, key: &str) -> bool {
    let spec = engine.dialect().spec();
    let text = format!("{}{key}{}", spec.open, spec.close);
    let mut is_one = false;
    tokenize(engine, &text, |token| {
        is_one = token.kind.reads()
            && token.range() == (0..text.len())
            && text[name_range(engine, token.kind, &text)] == *key;
    });
    is_one
}

/// Returns whether a misspelt name may refer to a known key: a placeholder can contain it, or the
/// engine supplies its value.
pub(crate) fn is_meant(engine: Engine, key: &str) -> bool {
    engine.dialect().is_engine_key(key) || is_placeholder(engine, key)
}
