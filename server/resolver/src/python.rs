//! Values as Python formats them: replacement fields, format specifications, attributes.

pub(crate) mod attributes;
pub(crate) mod formatter;
mod specification;
