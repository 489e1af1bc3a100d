//! The fix for a list of names in code that differs from the prompt.

use promptls_resolver::Problem;

use super::fix::{Fix, replace};
use super::id::ActionName;
use crate::diagnose::names_read;
use crate::snapshot::Snapshot;

/// Writes the names of the prompt into the list; none if the problem is not about a list.
pub(super) fn write(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let Some(listed) = snapshot.host.as_ref().and_then(|host| host.listed.as_ref()) else {
        return Vec::new();
    };
    let is_listed = listed.names.iter().any(|(_, location)| *location == problem.location);
    let is_about_list = problem.related.iter().any(|related| related.location == listed.list);
    let is_known = snapshot.holes().is_empty() && listed.supplied.is_some();
    if !is_known || !(is_listed || is_about_list) {
        return Vec::new();
    }
    let written = snapshot.written_at(&listed.list).unwrap_or_default();
    let quote = written.chars().find(|char| matches!(char, '\'' | '"')).unwrap_or('"');
    let supplied = listed.supplied.iter().flatten().collect::<Vec<_>>();
    let mut names: Vec<String> = names_read(snapshot).into_iter().collect();
    names.retain(|name| !supplied.contains(&name));
    // Those that are listed keep their order.
    names.sort_by_key(|name| {
        listed.names.iter().position(|(known, _)| known == name).unwrap_or(usize::MAX)
    });
    let names: Vec<String> = names.iter().map(|name| format!("{quote}{name}{quote}")).collect();
    let title = format!("Write the names of this prompt into `{}`", listed.keyword);
    let list = listed.list.clone();
    let change = replace(list.file, list.range, format!("[{}]", names.join(", ")));
    vec![Fix::of(ActionName::WriteList, title, change).preferred()]
}
