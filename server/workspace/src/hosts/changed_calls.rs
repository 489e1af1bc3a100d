//! Calls that supply values to prompts of other files, after the texts of their files have changed.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use promptls_hosts::{Demand, ObjectDemand, Supply, TextDemand};

use super::is_code::host_language;
use super::program_facts::ProgramFacts;
use super::prompt_cache::supplied_in;
use super::rule_strings::Strings;

/// The uses of a file by others, with the keys that calls have in these texts. The calls must be
/// those of before, as after a rename.
///
/// Cost: the uses; if such a text has a call, that of evaluating its prompts.
pub fn with_keys_of(
    uses: Arc<[Demand]>,
    texts: &HashMap<PathBuf, Arc<str>>,
    program: &dyn ProgramFacts,
) -> Arc<[Demand]> {
    let is_in_texts =
        |supply: &Supply| supply.file.as_ref().is_some_and(|file| texts.contains_key(file));
    if !uses.iter().any(|demand| demand.supplies().iter().any(is_in_texts)) {
        return uses;
    }
    let renewed = uses.iter().cloned().map(|mut demand| {
        if let Demand::Text(TextDemand { supplies, .. })
        | Demand::Object(ObjectDemand { supplies, .. }) = &mut demand
        {
            supplies.iter_mut().for_each(|supply| renew(supply, texts, program));
        }
        demand
    });
    renewed.collect()
}

fn renew(supply: &mut Supply, texts: &HashMap<PathBuf, Arc<str>>, program: &dyn ProgramFacts) {
    let changed = supply.file.as_ref().and_then(|file| texts.get_key_value(file));
    let Some((file, text)) = changed else { return };
    let Some(language) = host_language(file) else { return };
    let strings = Strings { uses: program.uses(file), ..Strings::default() };
    if let Some(call) = supplied_in(language, text, strings).get(supply.contract) {
        supply.keys = call.keys.iter().map(|key| key.name.clone()).collect();
    }
}
