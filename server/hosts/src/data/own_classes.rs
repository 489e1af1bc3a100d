//! Agents of ADK whose class is one of the program: `agent_class: shop.agents.Greeter`. ADK fills in
//! the prompts of classes that derive from its own.

use std::collections::BTreeMap;

use super::recognisers::{DataDocument, agent_config, own_agent_class};
use super::{Host, StringEvidence};
use crate::code::recognisers::recognisers;
use crate::finds::Finds;
use crate::host_prompt::{Demand, Elsewhere, Imported, OtherFile};
use crate::language::Language;
use crate::unread::{Computed, Unread};

impl Host<'_> {
    /// Finds the prompts of an agent whose file alone does not show that it is one of ADK, and
    /// requests its class. Without a response, they are listed as not read.
    pub(super) fn read_own_class(
        &self,
        document: &DataDocument<'_>,
        demands: &[Demand],
        evidence: &mut BTreeMap<usize, StringEvidence>,
        finds: &mut Finds,
    ) {
        let row = agent_config();
        let class = own_agent_class(document).filter(|_| !(row.is_one)(document));
        let Some((module, name)) = class.and_then(|class| class.rsplit_once('.')) else { return };
        let imported = Imported { module: module.to_owned(), name: name.to_owned() };
        if is_agent(&imported, demands) {
            self.recognise_by(row, document, evidence);
        } else {
            let places = row.prompts.iter();
            let ways = places.flat_map(|place| self.ways_along(document.root, place.path));
            let strings = ways.filter_map(|way| Some(self.tree.target(*way.last()?)));
            let strings = strings.filter(|string| self.tree.text(*string).is_some());
            finds.computed.extend(strings.map(|string| {
                let reason = format!(
                    "the class `{name}` is not known to derive from an agent of ADK, so this text \
                    is not checked"
                );
                let unread = Unread::new(self.tree.nodes[string].span.range(), reason);
                Computed { unread, dialect: row.dialect }
            }));
        }
        finds.elsewhere.push(Elsewhere {
            other: OtherFile::Module(imported.module.clone()),
            demand: Demand::Callee(imported),
            entry: 0..0,
            otherwise: None,
        });
    }
}

/// `true` if the program declares a name as a class that derives from an agent of ADK.
fn is_agent(imported: &Imported, demands: &[Demand]) -> bool {
    let callees = demands.iter().filter_map(|demand| match demand {
        Demand::Known(known, callees) if known == imported => Some(callees),
        _ => None,
    });
    let mut rows = callees.flatten().filter(|callee| callee.passed.is_empty());
    rows.any(|callee| {
        let row = recognisers(Language::Python).nth(callee.row);
        row.is_some_and(|row| row.dialect == agent_config().dialect && row.is_base)
    })
}
