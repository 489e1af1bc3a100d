//! How the parts of a prompt are put together.
//!
//! Everything that can be said about a prompt is data, and each call of the builder is such data
//! with one thing said. Calls stand beside each other, so their order does not count; what a user
//! says stands over what a template says.

use std::collections::BTreeSet;

/// Data that is put together from what several say.
pub(crate) trait Part: Sized {
    /// What two say who have the same rank. `name` is what it is called, and goes to `clashes`
    /// if both say something and it is not the same.
    fn beside(self, other: Self, name: &str, clashes: &mut BTreeSet<String>) -> Self;

    /// What two say of whom the second only counts where the first is silent.
    fn over(self, under: Self) -> Self;
}

/// Said once.
impl<T: PartialEq> Part for Option<T> {
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

/// Adds up, in the order in which it was said.
impl<T> Part for Vec<T> {
    fn beside(mut self, other: Self, _: &str, _: &mut BTreeSet<String>) -> Self {
        self.extend(other);
        self
    }

    fn over(self, mut under: Self) -> Self {
        under.extend(self);
        under
    }
}

/// Adds up, in an order of its own.
impl<T: Ord> Part for BTreeSet<T> {
    fn beside(mut self, other: Self, _: &str, _: &mut BTreeSet<String>) -> Self {
        self.extend(other);
        self
    }

    fn over(mut self, under: Self) -> Self {
        self.extend(under);
        self
    }
}

/// Either said or not.
impl Part for bool {
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

        impl $crate::part::Part for $name {
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
