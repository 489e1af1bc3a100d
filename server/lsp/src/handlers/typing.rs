//! Handlers that react to typing.

pub mod completion;
pub mod formatting;
pub mod linked_editing_range;
pub mod on_type_formatting;
