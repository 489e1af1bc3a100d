//! Langfuse's SDK for Python, the only known engine of its dialect; and the one for JavaScript,
//! whose texts are only known where both agree.

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
    spans: &[Span { from: Version([0, 1, 0]), differs: &[], behaviour: &EACH_VERSION }],
};

pub(super) static JAVASCRIPT: ReservedEngine = ReservedEngine {
    id: "langfuse-js",
    title: "Langfuse for JavaScript",
    dialect: Dialect::Langfuse,
    language: Language::JavaScript,
    packages: &["@langfuse/client", "langfuse"],
    reason: "its templates are Mustache, which is not a supported dialect",
};
