//! AgentEnsemble's engine, with the longer sentinels of later versions.

use std::sync::LazyLock;

use super::profile::{Language, Profile, Span, Version};
use crate::dialects::agentensemble::{AgentEnsemble, Sentinel, pattern};

const LONG_PREFIX: &str = "__AGENTENSEMBLE_ESCAPED_6f8b2c1e_17a3_4b9c_9a3b_42de8f8c9b2d_";

static FROM_0_1: AgentEnsemble = AgentEnsemble::new(Sentinel::short());

static FROM_0_4_1: AgentEnsemble = AgentEnsemble::new(Sentinel {
    prefix: LONG_PREFIX,
    restored: LazyLock::new(|| pattern(LONG_PREFIX)),
});

pub(super) static JAVA: Profile = Profile {
    id: "agentensemble",
    title: "AgentEnsemble",
    language: Language::Java,
    packages: &["net.agentensemble:agentensemble-core"],
    source: "AgentEnsemble/agentensemble, TemplateResolver.java (e93c2e7)",
    newest: Version([3, 6, 1]),
    fields: &[],
    spans: &[
        Span { from: Version([0, 1, 0]), differs: &[], behaviour: &FROM_0_1 },
        Span {
            from: Version([0, 4, 1]),
            differs: &["what leaks of escapes that touch is longer"],
            behaviour: &FROM_0_4_1,
        },
    ],
};
