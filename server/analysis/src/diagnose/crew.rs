//! Names of agents and tasks that a crew does not have.

use promptls_resolver::{Code, Problem};

use super::checker::Checker;
use crate::snapshot::{CrewName, CrewNames};
use crate::suggest::did_you_mean;

pub(super) fn check(checker: &mut Checker<'_>) {
    let Some(host) = &checker.snapshot.host else { return };
    checker.problems.extend(host.crew.iter().filter_map(problem));
}

/// The problem of a name. CrewAI raises the error while it creates the crew.
fn problem(named: &CrewName) -> Option<Problem> {
    let (missing, known) = (named.missing()?, named.known.as_ref()?);
    let CrewNames { class, methods, .. } = known;
    let error = format!("KeyError: '{}'", missing.escape_debug());
    let name = missing.trim();
    let message = if named.is_spread {
        format!("`{class}` raises {error}: each character of this text is a name; write a list")
    } else if methods.iter().any(|(known, _)| known == name) {
        format!(
            "`{class}` raises {error}: a block ends with a line end; write the name in one line"
        )
    } else {
        let hint = did_you_mean(name, methods.iter().map(|(known, _)| &**known));
        format!("`{class}` has no {} `{name}`, so it raises {error}{hint}", named.part)
    };
    Some(Problem::new(Code::UnknownCrewMember, named.location.clone(), message).about(name))
}
