//! Text files that code reads as prompts.

use promptls_data::Decoded;
use promptls_syntax::Dialect;

use crate::finds::Finds;
use crate::host_prompt::{Conflict, Demand, HostPrompt, Part, Why};
use crate::text_reference::{TextTarget, WrittenPart};
use crate::unread::Computed;

/// The prompt that a text file is because other files read it; `demands` are their uses.
///
/// Cost: a pass over the text for each operation on it.
pub fn find_in_text(source: &str, demands: &[Demand]) -> Finds {
    let mut finds = Finds::default();
    let mut all = Vec::new();
    for demand in demands {
        let Demand::Text(demand) = demand else { continue };
        let mut text = Decoded::default();
        text.push_equal(source, 0);
        let mut operations = demand.operations.iter();
        let text =
            operations.try_fold(text.or_empty_at(0), |text, operation| operation.apply(&text));
        finds.parts.extend(text.as_ref().and_then(|text| Part::new(demand, text)));
        finds.written_parts.extend(WrittenPart::new(demand, TextTarget::Here(0..0)));
        if !demand.is_part() || source.contains(demand.dialect.spec().open) {
            all.extend(text.map(|text| (demand, text)));
        }
    }
    // If it is formatted for one agent and unchanged to another, it is checked as written.
    let best = all.iter().min_by_key(|(_, text)| text.holes().count());
    let Some((demand, text)) = best else {
        finds.computed.extend(demands.iter().find_map(not_followed));
        return finds;
    };
    let mut dialects: Vec<Dialect> = all.iter().map(|(demand, _)| demand.dialect).collect();
    dialects.sort_unstable();
    dialects.dedup();
    let whole = 0..source.len();
    if dialects.len() > 1 {
        finds.conflicts.push(Conflict { literal: whole, dialects });
        return finds;
    }
    finds.prompts.push(HostPrompt {
        name: String::new(),
        dialect: demand.dialect,
        variable: None,
        why: demand.why.clone(),
        engine: demand.why.engine(),
        agent: demand.agent.clone(),
        text: text.clone(),
        role: None,
        known_holes: Vec::new(),
        literals: vec![whole.clone()],
        included: Vec::new(),
        entry: whole,
        contracts: Vec::new(),
        supplies: all.iter().flat_map(|(demand, _)| demand.supplies.clone()).collect(),
        included_by: all.iter().filter_map(|(demand, _)| demand.included_by.clone()).collect(),
        later: Vec::new(),
        declared: None,
        read_only: None,
        is_of_framework: matches!(demand.why, Why::Recogniser { .. }),
        listed: None,
        crew_references: Vec::new(),
        chat: None,
        choice: None,
    });
    finds
}

/// The prompt that a use makes of a text in a way that cannot be followed; `None` for a part of one.
fn not_followed(demand: &Demand) -> Option<Computed> {
    let Demand::Text(demand) = demand else { return None };
    (!demand.is_part()).then(|| Computed::not_followed(0..0, demand.dialect))
}
