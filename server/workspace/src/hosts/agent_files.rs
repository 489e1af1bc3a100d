//! Configurations of agents that run others, such as a loop in YAML whose agents are in files of their
//! own. Loops in code are in `promptls_hosts`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use promptls_hosts::{AgentOrder, SubAgents};

use crate::files::paths::{absolute, folder_of};

/// The maximum number of levels of agents in agents.
const MAX_LEVELS: usize = 4;

/// The agents of each agent, by the paths of their configurations.
#[derive(Debug, Default)]
pub struct AgentFiles(BTreeMap<PathBuf, (AgentOrder, Vec<PathBuf>)>);

impl AgentFiles {
    /// Adds the agents of one agent.
    pub fn add(&mut self, path: &Path, agents: &SubAgents) {
        let in_folder = |file: &String| absolute(folder_of(path), Path::new(file));
        let files = agents.files.iter().map(in_folder).collect();
        self.0.insert(path.to_owned(), (agents.order, files));
    }

    /// The agents that run only after another one, in its loop. Empty outside of loops, and for an
    /// agent of several.
    pub fn later(&self, path: &Path) -> BTreeSet<PathBuf> {
        let loops = self.0.iter().filter(|(_, (order, _))| *order == AgentOrder::Loop);
        let orders = loops.map(|(path, _)| self.order_of(path, 0));
        let has = |turn: &BTreeSet<PathBuf>| turn.contains(path);
        let mut around = orders.filter_map(|order| Some((order.iter().position(has)?, order)));
        let (Some((place, order)), None) = (around.next(), around.next()) else {
            return BTreeSet::new();
        };
        let later = order[place + 1..].iter().flatten();
        let is_earlier = |it: &&PathBuf| order[..=place].iter().any(|turn| turn.contains(*it));
        later.filter(|it| !is_earlier(it)).cloned().collect()
    }

    /// The agents of an agent in the order in which they run. Those of one entry run in no certain
    /// order.
    fn order_of(&self, path: &Path, level: usize) -> Vec<BTreeSet<PathBuf>> {
        let Some((_, files)) = self.0.get(path).filter(|_| level < MAX_LEVELS) else {
            return Vec::new();
        };
        let turns = |file: &PathBuf| {
            let own = BTreeSet::from([file.clone()]);
            let inner = self.order_of(file, level + 1);
            match self.0.get(file) {
                Some((AgentOrder::Other, _)) => {
                    vec![own.into_iter().chain(inner.into_iter().flatten()).collect()]
                }
                _ => std::iter::once(own).chain(inner).collect::<Vec<_>>(),
            }
        };
        files.iter().flat_map(turns).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_after_another_one_run_later() {
        let mut agents = AgentFiles::default();
        for (path, order, files) in [
            ("/a/loop.yaml", AgentOrder::Loop, &["w.yaml", "in/s.yaml", "both.yaml"][..]),
            ("/a/in/s.yaml", AgentOrder::Sequence, &["c.yaml", "../w.yaml", "d.yaml"]),
            ("/a/both.yaml", AgentOrder::Other, &["e.yaml", "f.yaml"]),
        ] {
            let files = files.iter().map(|file| (*file).to_owned()).collect();
            agents.add(Path::new(path), &SubAgents { order, files });
        }
        let later = |path: &str| {
            let later = agents.later(Path::new(path));
            let names = later.iter().filter_map(|path| path.file_stem()?.to_str());
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(later("/a/in/c.yaml"), "both e f d");
        assert_eq!(later("/a/in/d.yaml"), "both e f");
        assert_eq!(later("/a/w.yaml"), "both e f c d s");
        assert_eq!(later("/a/e.yaml"), "");
        assert_eq!(later("/a/other.yaml"), "");
    }
}
