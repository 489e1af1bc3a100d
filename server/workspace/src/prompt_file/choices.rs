//! Prompts between which code chooses: a call gets one of them.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use promptls_analysis::{Contract, keys_needed};
use promptls_resolver::Location;

use super::Prompt;

/// A call that has all names of one of several prompts may be meant for it, so it is not compared
/// with the others. A call that fits none is meant for one that has no call, if there are any.
///
/// Cost: the names of such prompts, and their calls.
pub(super) fn settle(prompts: &mut [Prompt]) {
    let mut choices: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, prompt) in prompts.iter().enumerate() {
        let host = prompt.snapshot.host.as_ref().filter(|host| !host.contracts.is_empty());
        if let Some(choice) = host.and_then(|host| host.choice) {
            choices.entry(choice).or_default().push(index);
        }
    }
    for indices in choices.into_values().filter(|indices| indices.len() > 1) {
        let own: Vec<Vec<Location>> =
            indices.iter().map(|index| calls_with_all(&prompts[*index])).collect();
        let have_all = own.iter().all(|calls| !calls.is_empty());
        let meant: HashSet<&Location> = own.iter().flatten().collect();
        for (index, own) in indices.into_iter().zip(&own) {
            let Some(host) = &mut prompts[index].snapshot.host else { continue };
            let is_settled = !own.is_empty() && !have_all;
            for call in &mut Arc::make_mut(host).contracts {
                call.is_whole &= !is_settled && !meant.contains(&call.call);
            }
        }
    }
}

/// The calls that have all names of a prompt.
fn calls_with_all(prompt: &Prompt) -> Vec<Location> {
    let needed = keys_needed(&prompt.snapshot);
    let has_all =
        |call: &&Contract| needed.iter().all(|name| call.keys.iter().any(|key| key.name == *name));
    let calls = prompt.snapshot.host.iter().flat_map(|host| &host.contracts);
    calls.filter(has_all).map(|call| call.call.clone()).collect()
}
