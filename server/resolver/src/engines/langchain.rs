//! LangChain for Python and for JavaScript, with templates in Python braces.

mod javascript;
mod messages;
mod python;

pub(super) use javascript::JAVASCRIPT;
pub(super) use python::{FORMAT, PYTHON};
