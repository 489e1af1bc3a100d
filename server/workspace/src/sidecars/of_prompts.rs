//! Assignment of sidecars to single prompts of a file, by name.
//!
//! The stem of the file is followed by the name of a prompt and the name of a case:
//! `planner.root_agent.angry.inputs.json` is the case `angry` of the prompt `root_agent` in
//! `planner.py`. Sidecars with the stem alone are for all prompts without their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::{Case, DEFAULT_CASE, SharedWith, Snapshot, did_you_mean};
use promptls_resolver::{Code, Declarations, FileId, Location, Problem, Severity};

use crate::sidecars::loading::Sidecars;
use crate::sidecars::naming::{case_of, stem};

/// The sidecars of a file, by the prompts in it.
pub struct OwnSidecars<'s> {
    sidecars: &'s Sidecars,
    /// The names of the prompts.
    names: &'s [Arc<str>],
}

impl<'s> OwnSidecars<'s> {
    pub fn new(sidecars: &'s Sidecars, names: &'s [Arc<str>]) -> OwnSidecars<'s> {
        OwnSidecars { sidecars, names }
    }

    /// Restricts a prompt to the cases and declarations that are its own, or for all prompts.
    pub fn give(&self, name: &str, snapshot: &mut Snapshot) {
        let all = std::mem::take(&mut snapshot.cases);
        snapshot.cases = own_cases(all, self.names, name, self.sidecars.are_inputs_named);
        if let Some(declarations) = self.declarations(name) {
            snapshot.declarations = declarations.clone();
            snapshot.has_variables_file = self.sidecars.has_names();
            snapshot.shared_variables = false;
        }
    }

    fn declarations(&self, name: &str) -> Option<&Arc<Declarations>> {
        let mut named = self.sidecars.named_declarations.iter();
        named.find(|(own, _)| own == name).map(|(_, declarations)| declarations)
    }

    /// The prompt that a name after the stem belongs to, and the rest: a case.
    fn owner<'n>(&self, name: &'n str) -> Option<(&'s str, &'n str)> {
        owner_of(self.names, name)
    }

    /// The case of a prompt from the name after the stem; `None` for another prompt.
    pub fn case_of<'n>(&self, prompt: &str, name: &'n str) -> Option<&'n str> {
        if name == DEFAULT_CASE {
            return Some(name);
        }
        self.owner(name).filter(|(owner, _)| *owner == prompt).map(|(_, case)| case)
    }

    /// Warnings for sidecars that match no prompt here, and none in another file.
    pub fn without_prompt(&self, file: &Path) -> Vec<Problem> {
        if self.sidecars.has_namesake || self.sidecars.are_inputs_named {
            return Vec::new();
        }
        let Sidecars { cases, broken, named_declarations, .. } = self.sidecars;
        let beside = cases.iter().filter(|case| case.shared != SharedWith::ItsRule);
        let inputs = beside.map(|case| (&*case.name, case.inputs.file));
        let broken = broken.iter().map(|(name, file)| (&**name, *file));
        let variables = named_declarations.iter().map(|(name, named)| (&**name, named.file));
        let is_lost =
            |(name, _): &(&str, FileId)| *name != DEFAULT_CASE && self.owner(name).is_none();
        let host = file.file_name().unwrap_or_default().to_string_lossy();
        let problem = |(name, file): (&str, FileId)| {
            let hint = did_you_mean(name, self.names.iter().map(|name| &**name));
            let message = format!("no prompt `{name}` in {host}{hint}");
            let location = Location { file, range: 0..0 };
            let problem = Problem::new(Code::OrphanSidecar, location, message);
            Problem { severity: Severity::Information, ..problem }
        };
        inputs.chain(broken).chain(variables).filter(is_lost).map(problem).collect()
    }
}

/// The prompt of some that a name after the stem belongs to, and the rest: a case.
fn owner_of<'s, 'n>(names: &'s [Arc<str>], name: &'n str) -> Option<(&'s str, &'n str)> {
    let fits = names.iter().filter_map(|owner| Some((&**owner, case_of(name, owner)?)));
    fits.max_by_key(|(owner, _)| owner.len())
}

/// The cases of a prompt among those of its file: its own, and the default one of all if it has none.
/// `names` are the prompts of the file. Inputs that the user named are for each of them.
pub(super) fn own_cases(
    all: Vec<Case>,
    names: &[Arc<str>],
    prompt: &str,
    are_named: bool,
) -> Vec<Case> {
    let is_default = |case: &&Case| *case.name == *DEFAULT_CASE;
    // Shared inputs of a rule are named after cases.
    let is_beside = |case: &Case| case.shared != SharedWith::ItsRule;
    let (beside, mut cases): (Vec<Case>, Vec<Case>) = all.into_iter().partition(is_beside);
    let own = beside.iter().filter_map(|case| match owner_of(names, &case.name) {
        Some((owner, own)) if owner == prompt => {
            Some(Case { name: own.into(), shared: SharedWith::NoOther, ..case.clone() })
        }
        _ => are_named.then(|| case.clone()),
    });
    cases.extend(own);
    if !cases.iter().any(|case| is_default(&case)) {
        cases.extend(beside.iter().find(is_default).cloned());
    }
    cases.sort_by_key(|case| *case.name != *DEFAULT_CASE);
    cases
}

/// The path of a single prompt whose sidecars would have the names of those of one prompt of a
/// file.
pub fn named_in(file: &Path, name: &str) -> PathBuf {
    let of_file = file.file_name().unwrap_or_default().to_string_lossy();
    let stem = stem(&of_file);
    file.with_file_name(format!("{stem}.{name}{}", &of_file[stem.len()..]))
}
