//! The fix for a name of an agent or a task that a crew does not have.

use promptls_resolver::Problem;

use super::fix::{Fix, replace};
use super::id::{ActionId, ActionName};
use crate::snapshot::{CrewName, Snapshot};
use crate::suggest::nearest;

pub(super) fn known_name(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let named = snapshot.host.iter().flat_map(|host| &host.crew);
    let mut named = named.filter(|named| named.location == problem.location);
    named.next().and_then(fix).into_iter().collect()
}

fn fix(named: &CrewName) -> Option<Fix> {
    let name = named.name.trim();
    let written = match named.is_spread {
        true => format!("[{name}]"),
        false => {
            let methods = named.known.as_ref()?.methods.iter().map(|(name, _)| &**name);
            // A block of text contains this name with a line feed.
            let is_known = methods.clone().any(|known| known == name);
            nearest(name, methods).filter(|_| !is_known)?.to_owned()
        }
    };
    let title = format!("Change to `{written}`");
    let id = ActionId::new(ActionName::Change, &*written);
    let location = &named.location;
    let change = replace(location.file, location.range.clone(), written);
    Some(Fix::of(id, title, change).preferred())
}
