//! The handlers of larger features, a file each.

pub mod code_action;
