//! The agents that the configuration of an ADK agent lists: `sub_agents` with a `config_path` each.

use memchr::memmem;
use promptls_data::Tree;

use crate::flow::access::{AgentOrder, SubAgents};

/// The key of the list of agents.
const SUB_AGENTS: &str = "sub_agents";

/// `true` if a text may have such a list.
pub(super) fn may_be(source: &str) -> bool {
    memmem::find(source.as_bytes(), SUB_AGENTS.as_bytes()).is_some()
}

/// The agents of the agent that a file configures.
pub(super) fn of(tree: &Tree<'_>) -> Option<SubAgents> {
    let root = tree.documents.first()?.root?;
    let text = |parent: usize, key: &str| tree.text(tree.target(tree.member(parent, key)?));
    let list = tree.target(tree.member(root, SUB_AGENTS)?);
    let files = tree.children(list).filter_map(|agent| text(tree.target(agent), "config_path"));
    let files = files.map(|path| path.trim().to_owned()).collect();
    let class = text(root, "agent_class").unwrap_or_default().trim();
    let order = match class.rsplit('.').next() {
        Some("LoopAgent") => AgentOrder::Loop,
        Some("SequentialAgent") => AgentOrder::Sequence,
        _ => AgentOrder::Other,
    };
    Some(SubAgents { order, files })
}
