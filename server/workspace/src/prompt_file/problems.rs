//! Problems of a file of prompts: of its prompts, of their sidecars, and of the file as a whole.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use promptls_analysis::{Case, SharedWith, Snapshot, cut, diagnose};
use promptls_resolver::{Code, FileId, Location, Problem, Resolution, Severity};

use super::shared_keys::SharedKeys;
use super::{Prompt, PromptFile, Scope};
use crate::config::UsedIgnores;

/// The factor by which more problems are searched for if some may be suppressed.
const LOOKED_FOR_BEHIND_IGNORED: usize = 10;

impl PromptFile {
    /// All problems of its prompts and of their own sidecars, with ranges in the files, sorted; at
    /// most `max` of each prompt.
    pub fn problems(&self, max: usize) -> Vec<Problem> {
        self.problems_and_ignores(max).0
    }

    /// The same, with the ignores that suppress others.
    pub fn problems_and_ignores(&self, max: usize) -> (Vec<Problem>, UsedIgnores) {
        let mut used = UsedIgnores::default();
        let problems = match (self.reader, &self.prompts[..]) {
            // They already have their ranges and order.
            (None, [prompt]) => diagnose(&prompt.snapshot, self.looked_for(max)),
            _ => self.problems_in_strings(self.looked_for(max)),
        };
        (self.not_ignored(problems, max, &mut used), used)
    }

    /// The number of problems to search for, so that enough remain after suppression.
    fn looked_for(&self, max: usize) -> usize {
        let has_ignores = self.config().is_some_and(|config| !config.ignores.is_empty());
        if has_ignores { max.saturating_mul(LOOKED_FOR_BEHIND_IGNORED) } else { max }
    }

    /// At most `max` problems of each file, without those that the config suppresses.
    fn not_ignored(
        &self,
        mut problems: Vec<Problem>,
        max: usize,
        used: &mut UsedIgnores,
    ) -> Vec<Problem> {
        let Some(config) = self.config().filter(|config| !config.ignores.is_empty()) else {
            return problems;
        };
        let file_of = |id: FileId| self.files.get(id.0 as usize).unwrap_or(&self.files[0]);
        problems
            .retain(|problem| !config.ignores.cover(file_of(problem.location.file), problem, used));
        cut(problems, max)
    }

    fn problems_in_strings(&self, max: usize) -> Vec<Problem> {
        let mut problems: Vec<Problem> = self.apply_severities(self.problems.iter().cloned());
        problems.extend(self.unused_inputs(&self.prompts, Scope::AllCases, &OnceCell::new()));
        let mut has_no_inputs = false;
        for prompt in &self.prompts {
            for problem in diagnose(&prompt.snapshot, max) {
                // Missing inputs of a file are reported once.
                let is_repeated = problem.code == Code::NoInputs && has_no_inputs
                    || prompt.snapshot.is_of_other_prompt(&problem.location);
                has_no_inputs |= problem.code == Code::NoInputs;
                problems.extend(self.in_file(prompt, problem).filter(|_| !is_repeated));
            }
        }
        let order = |problem: &Problem| {
            let Location { file, range } = &problem.location;
            (*file, range.start, range.end, problem.code)
        };
        problems.sort_by(|a, b| {
            let by_message = || a.message.cmp(&b.message);
            let by_severity = || a.severity.cmp(&b.severity);
            order(a).cmp(&order(b)).then_with(by_severity).then_with(by_message)
        });
        // A constant in several prompts has a brace that the engine refuses with another message in
        // each of them; one is enough.
        problems.dedup_by(|other, first| {
            let is_of_token = first.code == Code::MalformedPlaceholder;
            *other == *first || is_of_token && order(other) == order(first)
        });
        problems
    }

    /// The problems of one of its prompts, of the sidecars and of the file as a whole, with ranges
    /// in the files; at most `max` of the first.
    pub fn problems_of(&self, index: usize, scope: Scope, max: usize) -> Vec<Problem> {
        let Some(prompt) = self.prompts.get(index) else { return Vec::new() };
        let own = self.problems_in_text(index, scope, max).into_iter();
        let own = own.filter_map(|problem| self.in_file(prompt, problem));
        let mut all = self.of_file_about(max, |about| about == index);
        all.extend(own);
        all
    }

    /// The problems of the file as a whole, and those at prompts whose indices meet a condition.
    pub(super) fn of_file_about(
        &self,
        max: usize,
        is_about: impl Fn(usize) -> bool,
    ) -> Vec<Problem> {
        let concerns = |problem: &&Problem| {
            let start = self.before(problem.location.range.start);
            let is_inside =
                |prompt: &Prompt| start.is_some_and(|start| prompt.entry.contains(&start));
            self.prompts.iter().position(is_inside).is_none_or(&is_about)
        };
        let of_file = self.apply_severities(self.problems.iter().filter(concerns).cloned());
        self.not_ignored(of_file, max, &mut UsedIgnores::default())
    }

    /// The problems of one of its prompts and of the sidecars, with ranges in the prompt's text; at
    /// most `max` of the first. For code that edits that text.
    pub fn problems_in_text(&self, index: usize, scope: Scope, max: usize) -> Vec<Problem> {
        self.problems_with_keys(index, scope, max, &OnceCell::new())
    }

    /// The same; `shared` is initially empty, and may be reused for other prompts of the file.
    pub(crate) fn problems_with_keys(
        &self,
        index: usize,
        scope: Scope,
        max: usize,
        shared: &OnceCell<SharedKeys>,
    ) -> Vec<Problem> {
        let Some(prompt) = self.prompts.get(index) else { return Vec::new() };
        let mut problems = self.unused_inputs(std::slice::from_ref(prompt), scope, shared);
        problems.extend(self.diagnosed(prompt, scope, max));
        problems.retain(|problem| self.is_there(prompt, &problem.location));
        self.not_ignored(problems, max, &mut UsedIgnores::default())
    }

    /// The problems of several prompts that share their inputs, and of these, with ranges in the
    /// files; at most `max` of each prompt.
    pub(super) fn problems_of_all(
        &self,
        indices: &[usize],
        scope: Scope,
        max: usize,
    ) -> Vec<Problem> {
        let about: BTreeSet<usize> = indices.iter().copied().collect();
        let mut problems = self.of_file_about(max, |index| about.contains(&index));
        let prompts = || indices.iter().filter_map(|index| self.prompts.get(*index));
        let first = prompts().next().map(std::slice::from_ref).unwrap_or_default();
        let unused = self.unused_inputs(first, scope, &OnceCell::new());
        problems.extend(self.not_ignored(unused, max, &mut UsedIgnores::default()));
        for prompt in prompts() {
            let own = self.diagnosed(prompt, scope, max);
            let own = self.not_ignored(own, max, &mut UsedIgnores::default()).into_iter();
            problems.extend(own.filter_map(|problem| self.in_file(prompt, problem)));
        }
        problems
    }

    /// The problems of a prompt alone, with ranges in its text.
    fn diagnosed(&self, prompt: &Prompt, scope: Scope, max: usize) -> Vec<Problem> {
        match scope {
            Scope::AllCases => diagnose(&prompt.snapshot, self.looked_for(max)),
            scope => diagnose(&self.snapshot_in(prompt, scope), self.looked_for(max)),
        }
    }

    /// A prompt restricted to the cases of a scope.
    pub fn snapshot_in(&self, prompt: &Prompt, scope: Scope) -> Snapshot {
        let all = &prompt.snapshot;
        let (mut snapshot, own) = match scope {
            Scope::AllCases | Scope::OneCase(None) => return all.clone(),
            Scope::OneCase(Some(case)) => {
                let own = all.cases.get(case).map(|case| case.inputs.file);
                (all.of_case(Some(case)), own)
            }
            Scope::BrokenCase(file) => {
                let nothing = all.of_case(None);
                (Snapshot { has_variables_file: false, ..nothing }, Some(file))
            }
        };
        // Problems of other cases are out of scope.
        snapshot.file_problems.retain(|problem| {
            let file = problem.location.file;
            Some(file) == own || !self.is_broken_case(file)
        });
        snapshot
    }

    fn is_broken_case(&self, file: FileId) -> bool {
        self.broken_cases().iter().any(|(_, other)| *other == file)
    }

    /// The sidecars that could not be read, and why; the range of the problem may be in the prompt.
    pub fn unread_sidecars(&self) -> &[(FileId, Problem)] {
        &self.sidecars.unread
    }

    /// `true` if the file of some values cannot be used, and they are from its last valid text.
    pub fn is_kept(&self, file: FileId) -> bool {
        self.sidecars.kept.contains(&file)
    }

    /// [`PromptFile::problems_of`] a resolved prompt, with those that only the resolver can find:
    /// that the text is too long.
    pub fn problems_of_resolved(
        &self,
        index: usize,
        scope: Scope,
        resolution: &Resolution,
        max: usize,
    ) -> Vec<Problem> {
        let is_limit = |problem: &&Problem| {
            problem.code == Code::LimitExceeded && problem.severity == Severity::Error
        };
        let mut problems = self.problems_of(index, scope, max);
        if !problems.iter().any(|problem| is_limit(&problem)) {
            let found = resolution.problems.iter().filter(is_limit).cloned();
            let in_file = |problem| self.in_file(&self.prompts[index], problem);
            let found = self.apply_severities(found).into_iter().filter_map(in_file).collect();
            problems.extend(self.not_ignored(found, max, &mut UsedIgnores::default()));
        }
        problems
    }

    /// The errors of possible prompts that cannot be read, with the severity of the config.
    pub fn unread(&self) -> Vec<Problem> {
        let unread = self.problems.iter().filter(|it| it.code == Code::UnreadableFile).cloned();
        let unread = self.apply_severities(unread);
        self.not_ignored(unread, usize::MAX, &mut UsedIgnores::default())
    }

    /// The hints about prompts whose text only the running program has, with the severity of the
    /// config.
    pub fn computed(&self) -> Vec<Problem> {
        let computed = self.problems.iter().filter(|it| it.code == Code::ComputedPrompt).cloned();
        let computed = self.apply_severities(computed);
        self.not_ignored(computed, usize::MAX, &mut UsedIgnores::default())
    }

    /// The errors of inputs and variables files that a rule names and that cannot be read.
    pub fn unread_of_rule(&self) -> Vec<Problem> {
        let problems = self.sidecars.problems.iter();
        let unread = problems.filter(|it| it.code == Code::UnreadableFile).cloned();
        let unread = self.apply_severities(unread);
        self.not_ignored(unread, usize::MAX, &mut UsedIgnores::default())
    }

    /// The reason why it has no prompts although it might.
    pub fn why_empty(&self) -> Option<&Problem> {
        self.problems.first().filter(|_| self.prompts.is_empty())
    }

    /// The problem of an unreadable file that a snapshot of one of its prompts uses, so that its
    /// last valid content is shown; `None` if everything is current.
    pub fn stale(&self, snapshot: &Snapshot) -> Option<&Problem> {
        if self.drift.is_some() {
            return self.problems.first();
        }
        let counts = |file: FileId| {
            file == snapshot.declarations.file
                || snapshot.cases.iter().any(|case| case.inputs.file == file)
        };
        let kept = self.sidecars.kept.iter().copied().filter(|&file| counts(file));
        kept.filter_map(|file| self.why_broken(file)).next()
    }

    /// The reason why an inputs or variables file cannot be used as it is; `None` if it can. A
    /// missing `$file` text does not make the rest unusable.
    pub fn why_broken(&self, file: FileId) -> Option<&Problem> {
        if let Some((_, why)) = self.unread_sidecars().iter().find(|(unread, _)| *unread == file) {
            return Some(why);
        }
        let is_broken = self.is_kept(file) || self.is_broken_case(file);
        let is_why =
            |problem: &&Problem| problem.code.is_unusable_file() && problem.location.file == file;
        self.sidecars.problems.iter().find(is_why).filter(|_| is_broken)
    }

    /// Applies the severities of the config.
    fn apply_severities(&self, problems: impl Iterator<Item = Problem>) -> Vec<Problem> {
        let Some(config) = self.config() else { return problems.collect() };
        let severities = &config.settings(config.rule_for(&self.files[0])).severities;
        problems.filter_map(|problem| severities.apply(problem)).collect()
    }

    /// The keys that none of their readers reads, of the inputs files that some of its prompts share.
    fn unused_inputs(
        &self,
        prompts: &[Prompt],
        scope: Scope,
        shared: &OnceCell<SharedKeys>,
    ) -> Vec<Problem> {
        let is_requested = |&(index, case): &(usize, &Case)| {
            let is_in_scope = scope == Scope::AllCases || scope == Scope::OneCase(Some(index));
            is_in_scope && case.shared == SharedWith::ItsFile
        };
        let cases = prompts.iter().flat_map(|prompt| prompt.snapshot.cases.iter().enumerate());
        let files: BTreeSet<FileId> =
            cases.filter(is_requested).map(|(_, case)| case.inputs.file).collect();
        if files.is_empty() {
            return Vec::new();
        }
        let shared = shared.get_or_init(|| SharedKeys::new(self));
        let name = self.files[0].file_name().unwrap_or_default().to_string_lossy();
        self.apply_severities(shared.unused(&files, &name).into_iter())
    }
}
