//! The meaning of a name, given the inputs of a case.

use std::borrow::Cow;

use crate::blocks::this;
use crate::engine::Engine;
use crate::outcome::Lookup;
use crate::path;
use crate::resolve_context::ResolveContext;
use crate::template::{Item, This};
use crate::value::key_hash;

/// The meaning of a name to an engine, outside of all loops.
///
/// ```
/// use promptls_resolver::{Declarations, Dialect, Object, ResolveContext, Value, lookup_name};
///
/// let user: Object = [("name", "Ada")].into_iter().collect();
/// let values: Object = [("user", Value::from(user))].into_iter().collect();
/// let nothing_declared = Declarations::default();
/// let given = ResolveContext::new(&values, &nothing_declared);
/// let found = lookup_name(Dialect::Agentle, "user.name", &given);
/// assert_eq!(found.text(80).as_deref(), Some("Ada"));
/// assert!(lookup_name(Dialect::Agentle, "user.age", &given).is_missing());
/// ```
pub fn lookup_name<'a>(
    engine: impl Into<Engine>,
    name: &str,
    given: &ResolveContext<'a>,
) -> Lookup<'a> {
    let engine = engine.into();
    let name = &*effective_name(engine, name);
    let root_hash = key_hash(path::first_key(engine.dialect(), name));
    engine.behaviour().look_up(name, root_hash, given)
}

/// The meaning of a name inside a loop, at an item.
pub fn lookup_at_item<'a>(
    engine: impl Into<Engine>,
    name: &str,
    item: Item<'a>,
    given: &ResolveContext<'a>,
) -> Lookup<'a> {
    let engine = engine.into();
    match this(engine.dialect(), name) {
        This::No => lookup_name(engine, name, given),
        this => engine.behaviour().of_item(item, this, given.values.file()),
    }
}

/// The name that the engine looks up for the text between the braces: the same, unless an escape in
/// it was converted.
#[inline]
pub fn effective_name(engine: impl Into<Engine>, written: &str) -> Cow<'_, str> {
    engine.into().behaviour().effective_name(written)
}
