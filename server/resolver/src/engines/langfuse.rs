//! Langfuse's SDK for Python, the only known engine of its dialect; and its older versions and the
//! one for JavaScript, whose templates are Mustache.

use promptls_syntax::Dialect;

use super::profile::{Language, Profile, ReservedEngine, Span, Version};
use crate::dialects::langfuse::Langfuse;

static EACH_VERSION: Langfuse = Langfuse::new();

pub(super) static PYTHON: Profile = Profile {
    id: "langfuse-python",
    title: "Langfuse for Python",
    language: Language::Python,
    packages: &["langfuse"],
    source: "PyPI langfuse, TemplateParser.compile_template",
    newest: Version([5, 0, 4]),
    fields: &[],
    spans: &[Span { from: Version([2, 24, 0]), differs: &[], behaviour: &EACH_VERSION }],
};

pub(super) static CHEVRON: ReservedEngine = ReservedEngine {
    id: "langfuse-chevron",
    title: "Langfuse for Python before 2.24.0",
    dialect: Dialect::Langfuse,
    language: Language::Python,
    packages: &[],
    older_than: Some("langfuse-python"),
    reason: "its templates are Mustache, which is not a supported dialect",
};

pub(super) static JAVASCRIPT: ReservedEngine = ReservedEngine {
    id: "langfuse-js",
    title: "Langfuse for JavaScript",
    dialect: Dialect::Langfuse,
    language: Language::JavaScript,
    packages: &["@langfuse/client", "langfuse"],
    older_than: None,
    reason: "its templates are Mustache, which is not a supported dialect",
};
