//! The fragments that a prompt includes, directly or indirectly, each processed once.
//!
//! Fragments are processed from the inside to the outside: a fragment is processed once all that it
//! includes are. The remaining ones include each other.

use std::collections::HashMap;
use std::rc::Rc;

use promptls_resolver::{Declarations, Engine, Fragment, MAX_FRAGMENT_DEPTH, Template};

/// The included fragments, each with the placeholders that it reads.
pub(super) struct Included<'s> {
    ids: HashMap<&'s str, usize>,
    nodes: Vec<Node<'s>>,
}

struct Node<'s> {
    name: &'s str,
    /// The meanings of its placeholders, in order.
    reads: Vec<IncludedName>,
    /// The number of pieces in its text.
    pieces: usize,
    /// `None` for fragments that include each other, and for fragments around them.
    known: Option<FragmentFacts>,
}

enum IncludedName {
    /// A fragment, by its index.
    Fragment(usize),
    /// Any other name, if it has no value.
    Missing(Rc<Missing>),
}

/// A name without a value.
pub(super) struct Missing {
    pub name: String,
    /// The indexes of these cases.
    pub cases: Vec<usize>,
}

/// The facts about a fragment, including those inside it.
pub(super) struct FragmentFacts {
    /// The depth of nested fragments, including itself.
    pub depth: usize,
    /// The number of steps to resolve it: see [`promptls_resolver::MAX_STEPS`].
    pub steps: usize,
    /// The first name without a value.
    pub missing: Option<Rc<Missing>>,
}

impl<'s> Included<'s> {
    /// All fragments that are reachable from `roots`. `missing` returns the problem of a name that
    /// refers to a value, and is called once for each.
    ///
    /// Cost: the texts of the fragments.
    pub fn new(
        engine: Engine,
        declarations: &'s Declarations,
        roots: impl Iterator<Item = &'s Fragment>,
        missing: impl Fn(&str) -> Option<Rc<Missing>>,
    ) -> Self {
        let mut included = Included { ids: HashMap::new(), nodes: Vec::new() };
        let mut met: Vec<&'s Fragment> = Vec::new();
        for root in roots {
            included.id(root, &mut met);
        }
        let mut values: HashMap<String, Option<Rc<Missing>>> = HashMap::new();
        let mut done = 0;
        while let Some(fragment) = met.get(done).copied() {
            let template = Template::compile(engine, &fragment.text);
            let mut reads = Vec::new();
            for name in template.slot_names() {
                let inner = engine.fragment_name(declarations, name);
                if let Some(inner) = inner.and_then(|inner| declarations.fragment(inner)) {
                    reads.push(IncludedName::Fragment(included.id(inner, &mut met)));
                    continue;
                }
                let missing = match values.get(name) {
                    Some(known) => known.clone(),
                    None => values.entry(name.to_owned()).or_insert_with(|| missing(name)).clone(),
                };
                reads.extend(missing.map(IncludedName::Missing));
            }
            included.nodes[done].reads = reads;
            included.nodes[done].pieces = template.pieces();
            done += 1;
        }
        included.learn();
        included
    }

    /// The index of a fragment, which is added if it is new.
    fn id(&mut self, fragment: &'s Fragment, met: &mut Vec<&'s Fragment>) -> usize {
        *self.ids.entry(&fragment.name).or_insert_with(|| {
            met.push(fragment);
            self.nodes.push(Node { name: &fragment.name, reads: vec![], pieces: 0, known: None });
            self.nodes.len() - 1
        })
    }

    /// Processes each fragment once all that it includes are processed.
    fn learn(&mut self) {
        let mut included_by: Vec<Vec<usize>> = self.nodes.iter().map(|_| Vec::new()).collect();
        let mut unknown = vec![0; self.nodes.len()];
        for (outer, node) in self.nodes.iter().enumerate() {
            for read in &node.reads {
                if let IncludedName::Fragment(inner) = read {
                    included_by[*inner].push(outer);
                    unknown[outer] += 1;
                }
            }
        }
        let mut ready: Vec<usize> = (0..unknown.len()).filter(|&it| unknown[it] == 0).collect();
        while let Some(id) = ready.pop() {
            self.nodes[id].known = Some(self.known(&self.nodes[id]));
            for &outer in &included_by[id] {
                unknown[outer] -= 1;
                if unknown[outer] == 0 {
                    ready.push(outer);
                }
            }
        }
    }

    fn known(&self, node: &Node<'s>) -> FragmentFacts {
        let mut known = FragmentFacts { depth: 1, steps: node.pieces, missing: None };
        for read in &node.reads {
            let missing = match read {
                IncludedName::Missing(missing) => Some(missing),
                IncludedName::Fragment(inner) => {
                    let Some(inner) = &self.nodes[*inner].known else { continue };
                    known.depth = known.depth.max(inner.depth + 1);
                    known.steps = known.steps.saturating_add(inner.steps);
                    inner.missing.as_ref()
                }
            };
            if known.missing.is_none() {
                known.missing = missing.cloned();
            }
        }
        known
    }

    /// The facts about a fragment; `None` if fragments in it include each other.
    pub fn get(&self, fragment: &str) -> Option<&FragmentFacts> {
        self.nodes[*self.ids.get(fragment)?].known.as_ref()
    }

    /// The cycle that the engine reaches in a fragment without known facts, from its first fragment
    /// on. `None` if it is nested too deep.
    pub fn cycle(&self, fragment: &str) -> Option<Vec<&'s str>> {
        let mut id = *self.ids.get(fragment)?;
        let mut open: Vec<usize> = Vec::new();
        loop {
            if let Some(first) = open.iter().position(|&other| other == id) {
                return Some(open[first..].iter().map(|&id| self.nodes[id].name).collect());
            }
            if open.len() == MAX_FRAGMENT_DEPTH {
                return None;
            }
            open.push(id);
            let inner = self.nodes[id].reads.iter().find_map(|read| match read {
                IncludedName::Fragment(inner) if self.nodes[*inner].known.is_none() => Some(*inner),
                _ => None,
            });
            id = inner?;
        }
    }
}
