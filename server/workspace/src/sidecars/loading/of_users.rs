//! The inputs of prompts that include a text of another file. They are cases of that text as well, so
//! that its names have values and problems where it is written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use promptls_analysis::{Case, DEFAULT_CASE, SharedWith};
use promptls_hosts::Inclusion;

use super::{Loader, Overrides};
use crate::files::paths::folder_of;
use crate::hosts::prompt_uses::inclusions;
use crate::kind::kind_of;
use crate::readers::PromptReader;
use crate::sidecars::of_prompts::own_cases;

/// A case of a prompt that includes texts of a file.
#[derive(Clone, Debug)]
pub(super) struct UserCase {
    pub inclusion: Inclusion,
    pub case: Case,
}

impl Loader<'_> {
    /// The cases of all prompts that include texts of a file; none for a file that is a prompt, and if
    /// the user named the inputs. If there are several such prompts, the
    /// names of their cases start with those of the prompts.
    ///
    /// Cost: the uses of the file, and the inputs files of these prompts.
    pub(super) fn cases_of_users(
        &mut self,
        path: &Path,
        reader: Option<PromptReader>,
    ) -> Vec<UserCase> {
        if reader.is_none() || self.overrides.inputs.is_some() {
            return Vec::new();
        }
        let uses = self.project.program.uses(path);
        let all: BTreeSet<&Inclusion> = inclusions(&uses).collect();
        let mut users: BTreeMap<&Path, Vec<&Inclusion>> = BTreeMap::new();
        for inclusion in &all {
            if let Some(file) = inclusion.file.as_deref().filter(|file| *file != path) {
                users.entry(file).or_default().push(inclusion);
            }
        }
        let mut found = Vec::new();
        for (user, inclusions) in users {
            let cases = self.cases_beside(user);
            let names: Vec<Arc<str>> =
                inclusions.iter().map(|it| it.inputs_name.as_str().into()).collect();
            for (inclusion, name) in inclusions.into_iter().zip(&names) {
                let own = own_cases(cases.clone(), &names, name, false).into_iter();
                found.extend(own.map(|case| UserCase {
                    inclusion: inclusion.clone(),
                    case: Case {
                        name: if all.len() == 1 { case.name } else { name_of(name, &case.name) },
                        shared: SharedWith::ItsUsers,
                        ..case
                    },
                }));
            }
        }
        found
    }

    /// The usable cases of all prompts of a file. Their problems are reported with that file.
    fn cases_beside(&mut self, user: &Path) -> Vec<Case> {
        let (files, configs) = (self.project.files, self.project.configs);
        let config = configs.nearest(files, folder_of(user));
        let kind = kind_of(user, config.as_deref(), self.project);
        let inputs = self.find(user, config.as_deref(), kind, &Overrides::default()).inputs;
        let (problems, unread) = (self.problems.len(), self.unread.len());
        let mut cases = Vec::new();
        for (name, path, shared) in inputs {
            let inputs = self.inputs(&path, shared);
            cases.extend(inputs.map(|inputs| Case { name: name.into(), inputs, shared }));
        }
        self.problems.truncate(problems);
        self.unread.truncate(unread);
        cases
    }
}

fn name_of(prompt: &str, case: &str) -> Arc<str> {
    match case {
        DEFAULT_CASE => prompt.into(),
        case => format!("{prompt}.{case}").into(),
    }
}
