//! The files that prompts read: inputs and the texts in them, variables, fragments, configs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use promptls_analysis::Snapshot;
use promptls_protocol::{GRAPH_OUTPUT_VERSION, GraphEdge, GraphNode, GraphOutput, NodeKind};
use promptls_resolver::{Declarations, FileId, Fragment, Inputs, Template};
use promptls_workspace::folder_of;
use promptls_workspace::{Prompt, PromptFile, absolute};

/// The kind of a node, its file, and its name there.
type Node = (NodeKind, String, Option<String>);

/// The edges from prompts to the files they read, with cases.
#[derive(Debug, Default)]
pub struct Collected {
    nodes: BTreeSet<Node>,
    edges: BTreeSet<(Node, Node, Option<String>)>,
}

impl Collected {
    /// The edges for the prompts of a file, except those of other tools. `shown` returns the
    /// displayed name of a file.
    pub fn of(file: &PromptFile, shown: impl Fn(&Path) -> String) -> Collected {
        let mut found = Collected::default();
        let path = |file_id: FileId| Some(shown(file.files.get(file_id.0 as usize)?));
        for prompt in file.own_prompts() {
            let node = (NodeKind::Prompt, shown(&file.files[0]), name(prompt));
            found.nodes.insert(node.clone());
            for config in file.config().into_iter().flat_map(|config| config.and_outer()) {
                found.reads(&node, (NodeKind::Config, shown(&config.path), None), None);
            }
            let snapshot = &prompt.snapshot;
            for case in &snapshot.cases {
                let Some(inputs) = file.files.get(case.inputs.file.0 as usize) else { continue };
                let inputs_node = (NodeKind::Inputs, shown(inputs), None);
                found.reads(&node, inputs_node.clone(), Some(case.name.to_string()));
                let folder = folder_of(inputs);
                for text in file_texts(&case.inputs) {
                    let text = shown(&absolute(folder, Path::new(&text)));
                    found.reads(&inputs_node, (NodeKind::Text, text, None), None);
                }
            }
            for (case, id) in file.broken_cases() {
                if let Some(inputs) = path(*id) {
                    found.reads(&node, (NodeKind::Inputs, inputs, None), Some(case.clone()));
                }
            }
            let declared = snapshot.declarations.file;
            let Some(declared_in) = path(declared).filter(|_| declared != FileId::PROMPT) else {
                continue;
            };
            if declared != file.file {
                found.reads(&node, (NodeKind::Variables, declared_in.clone(), None), None);
            }
            found.fragments(&node, &declared_in, snapshot);
        }
        found
    }

    /// The fragments that a prompt includes, directly or through other fragments.
    fn fragments(&mut self, prompt: &Node, file: &str, snapshot: &Snapshot) {
        let declarations = &snapshot.declarations;
        let included = |text: &str| -> Vec<&Fragment> {
            let template = Template::compile(snapshot.engine(), text);
            template
                .path_names()
                .filter_map(|name| fragment(declarations, snapshot, name))
                .collect()
        };
        let mut readers = vec![(prompt.clone(), included(&snapshot.text.whole()))];
        let mut known = BTreeSet::new();
        while let Some((reader, fragments)) = readers.pop() {
            for fragment in fragments {
                let name = fragment.name.to_string();
                let node = (NodeKind::Fragment, file.to_owned(), Some(name.clone()));
                self.reads(&reader, node.clone(), None);
                // Fragments may include each other.
                if known.insert(name) {
                    readers.push((node, included(&fragment.text)));
                }
            }
        }
    }

    fn reads(&mut self, reader: &Node, read: Node, case: Option<String>) {
        self.nodes.insert(read.clone());
        self.edges.insert((reader.clone(), read, case));
    }

    /// Whether there are no prompts.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Adds the edges of another graph.
    pub fn add(&mut self, other: Collected) {
        self.nodes.extend(other.nodes);
        self.edges.extend(other.edges);
    }

    /// The whole graph; edges refer to nodes by their index.
    pub fn graph(self) -> GraphOutput {
        let positions: BTreeMap<&Node, usize> = self.nodes.iter().zip(0..).collect();
        let edge = |(from, to, case): &(Node, Node, Option<String>)| GraphEdge {
            from: positions[from],
            to: positions[to],
            case: case.clone(),
        };
        let edges = self.edges.iter().map(edge).collect();
        let node = |(kind, file, name): Node| GraphNode { kind, file, name };
        let nodes = self.nodes.into_iter().map(node).collect();
        GraphOutput { version: GRAPH_OUTPUT_VERSION, nodes, edges }
    }
}

fn name(prompt: &Prompt) -> Option<String> {
    prompt.name.as_deref().map(str::to_owned)
}

fn fragment<'d>(
    declarations: &'d Declarations,
    snapshot: &Snapshot,
    path: &str,
) -> Option<&'d Fragment> {
    declarations.fragment(snapshot.fragment_name(path)?)
}

/// The paths of `$file` values, verbatim.
fn file_texts(inputs: &Inputs) -> Vec<String> {
    if !inputs.has_file_texts() {
        return Vec::new();
    }
    let mut inputs = inputs.clone();
    inputs.file_texts_mut().into_iter().map(|(text, _)| text.path.to_string()).collect()
}
