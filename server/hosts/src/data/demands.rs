//! Values that code loads from a data file and uses as prompts: `CONFIG["check"]["instruction"]`.

use std::collections::BTreeMap;

use promptls_data::{Decoded, NodeKey};

use super::{Host, Recognised, StringEvidence};
use crate::host_prompt::{Demand, Finds, Part, TextDemand};
use crate::unread::Computed;

impl Host<'_> {
    /// Finds the strings that code uses as prompts, and responds about parts and missing keys.
    pub(super) fn meet(
        &self,
        demands: &[Demand],
        evidence: &mut BTreeMap<usize, StringEvidence>,
        finds: &mut Finds,
    ) {
        for demand in demands.iter().filter_map(Demand::text) {
            let Some(string) = self.string_at(demand) else {
                finds.unmet.extend(Some(demand.clone()).filter(|demand| !demand.is_part()));
                continue;
            };
            let Some(text) = self.changed(string, demand) else {
                let range = self.tree.nodes[string].span.range();
                finds.computed.push(Computed::not_followed(range, demand.dialect));
                continue;
            };
            finds.parts.extend(Part::new(demand, &text));
            if demand.is_part() && !text.text().contains(demand.dialect.spec().open) {
                continue;
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
            });
        }
    }

    /// The string at the keys of a use, in the first document.
    fn string_at(&self, demand: &TextDemand) -> Option<usize> {
        let root = self.tree.documents.first()?.root?;
        let mut at = root;
        for key in demand.keys() {
            at = self.member(self.tree.target(at), key)?;
        }
        let string = self.tree.target(at);
        self.tree.text(string).map(|_| string)
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
