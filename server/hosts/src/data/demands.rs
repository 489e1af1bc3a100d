//! Values that code loads from a data file and uses as prompts: `CONFIG["check"]["instruction"]`.

use std::collections::BTreeMap;

use promptls_data::{Decoded, NodeKey};

use super::{Host, Recognised, StringEvidence};
use crate::code::{ANY, EACH};
use crate::finds::Finds;
use crate::host_prompt::{Demand, Part, TextDemand};
use crate::text_reference::{TextTarget, WrittenPart};
use crate::unread::Computed;

/// The maximum number of strings that one use in code may mean.
const MAX_STRINGS: usize = 1000;

impl Host<'_> {
    /// Finds the strings that code uses as prompts, and responds about parts and missing keys.
    pub(super) fn meet(
        &self,
        demands: &[Demand],
        evidence: &mut BTreeMap<usize, StringEvidence>,
        finds: &mut Finds,
    ) {
        for demand in demands.iter().filter_map(Demand::text) {
            let strings = self.strings_at(demand);
            if strings.is_empty() {
                finds.unmet.extend(Some(demand.clone()).filter(|demand| !demand.is_part()));
            }
            let is_one = strings.len() == 1;
            for string in strings {
                self.meet_string(string, is_one, demand, evidence, finds);
            }
        }
    }

    /// Finds a string that code uses; `is_one` is `false` if the code may use others instead.
    fn meet_string(
        &self,
        string: usize,
        is_one: bool,
        demand: &TextDemand,
        evidence: &mut BTreeMap<usize, StringEvidence>,
        finds: &mut Finds,
    ) {
        let Some(text) = self.changed(string, demand) else {
            let range = self.tree.nodes[string].span.range();
            finds.computed.push(Computed::not_followed(range, demand.dialect));
            return;
        };
        finds.parts.extend(Part::new(demand, &text).filter(|_| is_one));
        let range = self.tree.nodes[string].span.range();
        finds.written_parts.extend(WrittenPart::new(demand, TextTarget::Here(range)));
        if demand.is_part() && !text.text().contains(demand.dialect.spec().open) {
            return;
        }
        evidence.entry(string).or_default().recognised.push(Recognised {
            dialect: demand.dialect,
            why: demand.why.clone(),
            name: None,
            entry: self.tree.nodes[string].entry.range(),
            agent: demand.agent.clone(),
            declared: None,
            string,
            text: Some(text),
            supplies: demand.supplies.clone(),
            included_by: demand.included_by.iter().cloned().collect(),
            crew_references: Vec::new(),
        });
    }

    /// The strings at the keys of a use, in the first document; none if there are too many.
    fn strings_at(&self, demand: &TextDemand) -> Vec<usize> {
        let root = self.tree.documents.first().and_then(|document| document.root);
        let mut found: Vec<usize> = root.into_iter().collect();
        for key in demand.keys() {
            found =
                found.into_iter().flat_map(|it| self.members(self.tree.target(it), key)).collect();
            if found.len() > MAX_STRINGS {
                return Vec::new();
            }
        }
        let strings = found.into_iter().map(|it| self.tree.target(it));
        strings.filter(|it| self.tree.text(*it).is_some()).collect()
    }

    /// The values of a key, which may stand for any; see [`ANY`].
    fn members(&self, number: usize, key: &str) -> Vec<usize> {
        let is_any = match key {
            ANY => true,
            EACH => !self.tree.is_object(number),
            _ => false,
        };
        if is_any {
            let children = self.tree.children(number);
            return children.filter(|child| !self.tree.nodes[*child].is_repeated).collect();
        }
        self.member(number, key).into_iter().collect()
    }

    /// The value of a key, or the item of a number.
    fn member(&self, number: usize, key: &str) -> Option<usize> {
        self.tree.member(number, key).or_else(|| {
            let index = NodeKey::Index(key.parse().ok()?);
            self.tree.children(number).find(|child| self.tree.nodes[*child].key == index)
        })
    }

    /// A string after the code has changed it; `None` if that cannot be followed.
    fn changed(&self, string: usize, demand: &TextDemand) -> Option<Decoded> {
        let text = self.tree.decode(string).or_else(|| self.at_once(string, string))?;
        let mut operations = demand.operations.iter();
        operations.try_fold(text, |text, operation| operation.apply(&text))
    }
}
