//! Names of agents and tasks in the configuration of a task.

use promptls_resolver::FileId;

use super::proposal::{Completion, CompletionKind};
use crate::snapshot::Snapshot;

/// The agents or tasks that the name at an offset may be. Empty at other places.
pub fn complete_crew(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<Completion> {
    let named = snapshot.host.as_ref().and_then(|host| host.crew_name_at(file, offset));
    let known = named.and_then(|named| Some((named, named.known.as_ref()?)));
    let proposals = known.into_iter().flat_map(|(named, known)| {
        known.methods.iter().map(|(name, _)| {
            let replaced = named.location.range.clone();
            let detail = format!("{} of `{}`", named.part, known.class);
            Completion {
                detail,
                ..Completion::new(CompletionKind::Value, name, replaced, name.clone())
            }
        })
    });
    proposals.collect()
}
