//! Parts of prompts that are prompts of other files: their problems are also those of the whole.
//!
//! Such a problem is reported where the part is written, as a check of all files reports it. The
//! file of the part is read for that, in the case of the whole prompt.

use std::path::Path;

use promptls_resolver::{FileId, Problem};

use super::{Prompt, PromptFile, Scope};
use crate::project::Project;
use crate::sidecars::loading::Overrides;

/// The files with parts of the prompts of another file.
#[derive(Debug, Default)]
pub struct PartFiles(Vec<PromptFile>);

/// The problems of a prompt and of its parts.
#[derive(Debug, Default)]
pub struct WholeProblems {
    /// Those of the file of the prompt and of its sidecars.
    pub own: Vec<Problem>,
    /// Those of its parts, each with the index of its file in [`PartFiles::files`].
    pub of_parts: Vec<(usize, Problem)>,
}

impl PromptFile {
    /// `true` if its prompts may have parts that are prompts of other files.
    pub fn has_parts(&self) -> bool {
        self.prompts.iter().any(|prompt| prompt.snapshot.parts_of_others().next().is_some())
    }
}

impl PartFiles {
    /// Those of the prompts of a file; files that cannot be read are left out.
    ///
    /// Cost: reading these files with their sidecars; nothing for prompts without such parts.
    pub fn of(file: &PromptFile, project: Project<'_>) -> PartFiles {
        if !file.has_parts() {
            return PartFiles::default();
        }
        let overrides = Overrides::default();
        let read = |path: &Path| {
            let text = project.files.read(path).ok()?;
            Some(PromptFile::read(project, path, text.into(), &overrides, None))
        };
        let paths = project.program.parts_of(&file.files[0]);
        PartFiles(paths.iter().filter_map(|path| read(path)).collect())
    }

    /// The files, by the indices of [`WholeProblems::of_parts`].
    pub fn files(&self) -> &[PromptFile] {
        &self.0
    }

    /// The files, for a caller that keeps them.
    pub fn into_files(self) -> Vec<PromptFile> {
        self.0
    }

    /// All problems of prompts of a file in a scope. `own` are those without these files; a problem
    /// at the name of a part is left out, because it is one of the part. At most `max` of each part.
    pub fn problems(
        &self,
        of: &PromptFile,
        indices: &[usize],
        scope: Scope,
        own: Vec<Problem>,
        max: usize,
    ) -> WholeProblems {
        let whole: Vec<&Prompt> = indices.iter().filter_map(|it| of.prompts.get(*it)).collect();
        let mut of_parts: Vec<(usize, Problem)> = Vec::new();
        let mut has_parts = false;
        for (at, file) in self.0.iter().enumerate() {
            for (index, part) in file.prompts.iter().enumerate() {
                let scopes = scopes(of, &whole, scope, file, part);
                has_parts |= !scopes.is_empty();
                for scope in scopes {
                    let found = file.problems_of(index, scope, max).into_iter();
                    of_parts.extend(
                        found.filter(|it| it.location.file == file.file).map(|it| (at, it)),
                    );
                }
            }
        }
        of_parts.sort_by_cached_key(|(at, problem)| (*at, problem.location.range.start));
        of_parts.dedup();
        let is_of_part = |problem: &Problem| {
            let mut holes = whole.iter().flat_map(|prompt| {
                let holes = prompt.snapshot.parts_of_others();
                holes.filter_map(|hole| of.range_in_file(prompt, &hole.range))
            });
            problem.location.file == of.file && holes.any(|hole| hole == problem.location.range)
        };
        let own = own.into_iter().filter(|it| !has_parts || !is_of_part(it)).collect();
        WholeProblems { own, of_parts }
    }
}

/// The scopes of a prompt of another file that are those of whole prompts; empty if it is no part of
/// any of them.
fn scopes(
    of: &PromptFile,
    whole: &[&Prompt],
    scope: Scope,
    file: &PromptFile,
    part: &Prompt,
) -> Vec<Scope> {
    let is_of = |prompt: &&&Prompt| {
        part.included_by.iter().any(|inclusion| {
            inclusion.file.as_ref() == Some(&of.files[0])
                && Some(&*inclusion.prompt) == prompt.name.as_deref()
        })
    };
    let Some(prompt) = whole.iter().find(is_of) else { return Vec::new() };
    let path = |id: FileId| of.path_of(id);
    let case_of = |index: usize| {
        let own = path(prompt.snapshot.cases.get(index)?.inputs.file)?;
        let cases = &part.snapshot.cases;
        cases.iter().position(|case| file.path_of(case.inputs.file) == Some(own))
    };
    let one = |index: usize| case_of(index).map(|case| Scope::OneCase(Some(case)));
    let found: Option<Scope> = match scope {
        Scope::AllCases if part.included_by.len() == 1 => Some(Scope::AllCases),
        Scope::AllCases if prompt.snapshot.cases.is_empty() => Some(Scope::OneCase(None)),
        Scope::AllCases => {
            return (0..prompt.snapshot.cases.len()).filter_map(one).collect();
        }
        Scope::OneCase(Some(index)) => one(index),
        Scope::OneCase(None) => Some(scope),
        Scope::BrokenCase(broken) => {
            let mut all = file.broken_cases().iter().map(|(_, id)| *id);
            let same = all.find(|id| file.path_of(*id) == path(broken));
            same.map(Scope::BrokenCase)
        }
    };
    found.into_iter().collect()
}
