//! The files that prompts read (inputs and the texts in them, variables, fragments, configs), and the
//! agents and code that set their names.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use promptls_analysis::Snapshot;
use promptls_protocol::{GRAPH_OUTPUT_VERSION, GraphEdge, GraphNode, GraphOutput, NodeKind};
use promptls_resolver::{Declarations, FileId, Fragment, Inputs, Template};
use promptls_workspace::folder_of;
use promptls_workspace::{Prompt, PromptFile, absolute, is_code};

/// The kind of a node, its file, and its name there.
type Node = (NodeKind, String, Option<String>);

/// What an edge is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    None,
    Case(String),
    Name(String),
}

/// A prompt, and a place in code that sets a name that it reads.
#[derive(Debug)]
struct Setter {
    prompt: Node,
    name: String,
    file: String,
    /// The range of the name in the file.
    range: Range<usize>,
}

/// The edges from prompts to the files they read, with cases.
#[derive(Debug, Default)]
pub struct Collected {
    nodes: BTreeSet<Node>,
    edges: BTreeSet<(Node, Node, Label)>,
    /// The ranges of the entries of prompts, by file.
    entries: BTreeMap<String, Vec<(Range<usize>, Node)>>,
    setters: Vec<Setter>,
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
            let entries = found.entries.entry(node.1.clone()).or_default();
            entries.push((prompt.entry.clone(), node.clone()));
            let folder = folder_of(&file.files[0]);
            found.set_by(&node, &prompt.snapshot, |name| shown(&absolute(folder, Path::new(name))));
            for config in file.config().into_iter().flat_map(|config| config.and_outer()) {
                found.reads(&node, (NodeKind::Config, shown(&config.path), None), Label::None);
            }
            let snapshot = &prompt.snapshot;
            for case in &snapshot.cases {
                let Some(inputs) = file.files.get(case.inputs.file.0 as usize) else { continue };
                let inputs_node = (NodeKind::Inputs, shown(inputs), None);
                found.reads(&node, inputs_node.clone(), Label::Case(case.name.to_string()));
                let folder = folder_of(inputs);
                for text in file_texts(&case.inputs) {
                    let text = shown(&absolute(folder, Path::new(&text)));
                    found.reads(&inputs_node, (NodeKind::Text, text, None), Label::None);
                }
            }
            for (case, id) in file.broken_cases() {
                if let Some(inputs) = path(*id) {
                    found.reads(&node, (NodeKind::Inputs, inputs, None), Label::Case(case.clone()));
                }
            }
            let declared = snapshot.declarations.file;
            let Some(declared_in) = path(declared).filter(|_| declared != FileId::PROMPT) else {
                continue;
            };
            if declared != file.file {
                found.reads(&node, (NodeKind::Variables, declared_in.clone(), None), Label::None);
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
                self.reads(&reader, node.clone(), Label::None);
                // Fragments may include each other.
                if known.insert(name) {
                    readers.push((node, included(&fragment.text)));
                }
            }
        }
    }

    /// Records the places in code that set the names of a prompt. `shown` returns the displayed name
    /// of a file, given its path from the folder of the prompt.
    fn set_by(&mut self, prompt: &Node, snapshot: &Snapshot, shown: impl Fn(&str) -> String) {
        let places = snapshot.program().map_or(&[][..], |program| &program.places);
        for place in places.iter().filter(|place| place.supplies) {
            let Some(file) = snapshot.file_names.get(&place.location.file) else { continue };
            self.setters.push(Setter {
                prompt: prompt.clone(),
                name: place.name.clone(),
                file: shown(file),
                range: place.location.range.clone(),
            });
        }
    }

    /// The node that sets a name: the agent around the place, or the file.
    fn node_of(&self, setter: &Setter) -> Node {
        let entries = self.entries.get(&setter.file);
        let is_around = |(entry, _): &&(Range<usize>, Node)| {
            entry.start <= setter.range.start && setter.range.end <= entry.end
        };
        let around = entries.into_iter().flatten().filter(is_around);
        let innermost = around.min_by_key(|(entry, _)| entry.len());
        // In data, the agent is the file.
        let is_data = !is_code(Path::new(&setter.file));
        let only = || entries.filter(|all| is_data && all.len() == 1).and_then(|all| all.first());
        match innermost.or_else(only) {
            Some((_, agent)) => agent.clone(),
            None => (NodeKind::Code, setter.file.clone(), None),
        }
    }

    fn reads(&mut self, reader: &Node, read: Node, label: Label) {
        self.nodes.insert(read.clone());
        self.edges.insert((reader.clone(), read, label));
    }

    /// Whether there are no prompts.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Adds the edges of another graph.
    pub fn add(&mut self, other: Collected) {
        self.nodes.extend(other.nodes);
        self.edges.extend(other.edges);
        self.entries.extend(other.entries);
        self.setters.extend(other.setters);
    }

    /// The whole graph; edges refer to nodes by their index.
    pub fn graph(mut self) -> GraphOutput {
        for setter in std::mem::take(&mut self.setters) {
            let node = self.node_of(&setter);
            self.reads(&setter.prompt, node, Label::Name(setter.name));
        }
        let positions: BTreeMap<&Node, usize> = self.nodes.iter().zip(0..).collect();
        let edge = |(from, to, label): &(Node, Node, Label)| {
            let (case, name) = match label.clone() {
                Label::None => (None, None),
                Label::Case(case) => (Some(case), None),
                Label::Name(name) => (None, Some(name)),
            };
            GraphEdge { from: positions[from], to: positions[to], case, name }
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
