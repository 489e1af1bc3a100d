//! Merging of the parts of a prompt.
//!
//! Each call of the builder produces an outline with one part set. Calls have equal priority, so
//! their order does not matter; what a user sets overrides what a template sets.

use std::collections::BTreeSet;

/// Data that can be merged from several sources.
pub(crate) trait Mergeable: Sized {
    /// Merges two values of equal priority. `name` is the name of the part; it is added to
    /// `clashes` if both values are set and differ.
    fn beside(self, other: Self, name: &str, clashes: &mut BTreeSet<String>) -> Self;

    /// Merges two values; `under` counts only where `self` is not set.
    fn over(self, under: Self) -> Self;
}

/// A part that exists once.
impl<T: PartialEq> Mergeable for Option<T> {
    fn beside(self, other: Self, name: &str, clashes: &mut BTreeSet<String>) -> Self {
        if self.is_some() && other.is_some() && self != other {
            clashes.insert(name.replace('_', "-"));
        }
        self.or(other)
    }

    fn over(self, under: Self) -> Self {
        self.or(under)
    }
}

/// A part that accumulates, in the order of the calls.
impl<T> Mergeable for Vec<T> {
    fn beside(mut self, other: Self, _: &str, _: &mut BTreeSet<String>) -> Self {
        self.extend(other);
        self
    }

    fn over(self, mut under: Self) -> Self {
        under.extend(self);
        under
    }
}

/// A part that accumulates, in sorted order.
impl<T: Ord> Mergeable for BTreeSet<T> {
    fn beside(mut self, other: Self, _: &str, _: &mut BTreeSet<String>) -> Self {
        self.extend(other);
        self
    }

    fn over(mut self, under: Self) -> Self {
        self.extend(under);
        self
    }
}

/// A flag, set if either source sets it.
impl Mergeable for bool {
    fn beside(self, other: Self, _: &str, _: &mut BTreeSet<String>) -> Self {
        self || other
    }

    fn over(self, under: Self) -> Self {
        self || under
    }
}

/// Structs whose fields are parts.
macro_rules! parts {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl $crate::part::Mergeable for $name {
            fn beside(
                self,
                other: Self,
                _: &str,
                clashes: &mut std::collections::BTreeSet<String>,
            ) -> Self {
                $name { $($field: self.$field.beside(other.$field, stringify!($field), clashes),)* }
            }

            fn over(self, under: Self) -> Self {
                $name { $($field: self.$field.over(under.$field),)* }
            }
        }
    )*};
}
pub(crate) use parts;
