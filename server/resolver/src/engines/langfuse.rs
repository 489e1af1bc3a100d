//! Langfuse's SDK for Python, the only known engine of its dialect.

use super::profile::{Language, Profile, Span, Version};
use crate::dialects::langfuse::Langfuse;

static EACH_VERSION: Langfuse = Langfuse::new();

pub(super) static PYTHON: Profile = Profile {
    id: "langfuse-python",
    title: "Langfuse for Python",
    language: Language::Python,
    packages: &["langfuse"],
    source: "PyPI langfuse, TemplateParser.compile_template",
    newest: Version([5, 0, 4]),
    spans: &[Span { from: Version([0, 1, 0]), differs: &[], behaviour: &EACH_VERSION }],
};
