//! The state that all checks share: their inputs, lookups of names, and reporting.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::HashSet;

use promptls_resolver::{
    Code, Engine, FileId, Location, Lookup, Problem, Related, Severity, has_block_marker,
    lookup_name, root,
};
use promptls_syntax::{Dialect, TokenRef, Use, UseMap, UseSet};

use super::name_suggestions::NameSuggestions;
use crate::case_values::CaseValues;
use crate::code_spans::CodeSpans;
use crate::snapshot::{Case, Snapshot};
use crate::symbol::flat_key;

/// A problem to report at each use of a name.
pub(crate) struct Finding {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    /// The names that the problem refers to.
    pub names: Vec<String>,
    pub related: Vec<Related>,
    /// The range is the whole token, not only its name.
    pub whole: bool,
}

impl Finding {
    /// A problem of a name, with the range of the name.
    pub fn of_name(code: Code, message: String, name: &str) -> Self {
        Finding {
            code,
            severity: code.severity(),
            message,
            names: vec![name.to_owned()],
            related: Vec::new(),
            whole: false,
        }
    }

    /// A syntax problem, with the range of the whole placeholder or tag.
    pub fn of_token(code: Code, message: String, name: &str) -> Self {
        Finding { whole: true, ..Finding::of_name(code, message, name) }
    }

    /// Adds another name to the problem.
    pub fn and_about(mut self, name: &str) -> Self {
        self.names.push(name.to_owned());
        self
    }

    pub fn with(self, related: Vec<Related>) -> Self {
        Finding { related, ..self }
    }
}

/// The state that all checks share.
pub(crate) struct Checker<'s> {
    pub snapshot: &'s Snapshot,
    pub values: CaseValues<'s>,
    pub suggestions: NameSuggestions<'s>,
    pub problems: Vec<Problem>,
    /// The number of problems that were counted, but not reported at their positions.
    pub unlisted: usize,
    /// The maximum number of reported problems.
    pub max: usize,
    /// A result depends on more than names and values.
    pub looks_at_text: Cell<bool>,
    has_block_marker: OnceCell<bool>,
    start: OnceCell<Cow<'s, str>>,
    code: OnceCell<CodeSpans>,
}

/// The number of bytes of a prompt that are searched at each keystroke, in a few microseconds.
const START: usize = 64 * 1024;

/// The number of bytes of a prompt that are searched for code. Text beyond this counts as code:
/// long prompts are data rather than prose, and a missed problem is better than a false alarm.
const CODE_LOOKED_FOR_IN: usize = 256 * 1024;

impl<'s> Checker<'s> {
    pub fn new(snapshot: &'s Snapshot, max: usize) -> Self {
        Checker {
            snapshot,
            values: CaseValues::new(snapshot.engine(), &snapshot.tree, snapshot.given()),
            suggestions: NameSuggestions::new(snapshot, max),
            problems: Vec::new(),
            unlisted: 0,
            max,
            looks_at_text: Cell::new(false),
            has_block_marker: OnceCell::new(),
            start: OnceCell::new(),
            code: OnceCell::new(),
        }
    }

    /// See [`has_block_marker`]. Cost: the text, once; so call it only when necessary.
    pub fn has_block_marker(&self) -> bool {
        let search = || has_block_marker(self.dialect(), &self.snapshot.text.whole());
        *self.has_block_marker.get_or_init(search)
    }

    /// The first 64 KiB of the text, for searches that run at each keystroke. Cost: a copy of these in
    /// an edited text, the first time.
    pub fn start(&self) -> &str {
        self.start.get_or_init(|| self.snapshot.text.start(START))
    }

    /// The text; `None` if it is longer than [`Checker::start`].
    pub fn whole_if_short(&self) -> Option<&str> {
        (self.snapshot.text.len_bytes() <= START).then(|| self.start())
    }

    /// The text, in the same copy if it is short.
    pub fn whole(&self) -> Cow<'_, str> {
        self.whole_if_short().map_or_else(|| self.snapshot.text.whole(), Cow::Borrowed)
    }

    /// Returns whether an offset is in code, or beyond the searched part. Cost: the searched part
    /// of the text, the first time.
    pub fn is_in_code(&self, offset: usize) -> bool {
        let code = || CodeSpans::of(&self.snapshot.text.start(CODE_LOOKED_FOR_IN));
        offset >= CODE_LOOKED_FOR_IN || self.code.get_or_init(code).contains(offset)
    }

    pub fn dialect(&self) -> Dialect {
        self.snapshot.dialect()
    }

    pub fn engine(&self) -> Engine {
        self.snapshot.engine()
    }

    /// "in 2 of 5 cases: trial, empty"; empty if there is only one case.
    pub fn in_cases(&self, cases: &[usize]) -> String {
        let all = &self.snapshot.cases;
        if all.len() < 2 {
            return String::new();
        }
        if cases.len() == all.len() {
            return format!(" in any of {} cases", all.len());
        }
        let names: Vec<&str> = cases.iter().map(|&case| &*all[case].name).collect();
        format!(" in {} of {} cases: {}", names.len(), all.len(), list(&names))
    }

    /// The location of a value in a case, as related information.
    pub fn value_in(&self, case: usize, location: Location) -> Related {
        let message = match self.snapshot.cases.get(case) {
            Some(case) if self.snapshot.cases.len() > 1 => {
                format!("the value in case {}", case.name)
            }
            _ => "the value".to_owned(),
        };
        Related { location, message }
    }

    /// The reasons why a name has no value in each of some cases.
    pub fn missing_in(&self, cases: &[usize], name: &str) -> Vec<Related> {
        let given = self.values.given();
        let case = |&case: &usize| {
            let lookup = lookup_name(self.engine(), name, &given[case]);
            let first = root(self.dialect(), name);
            self.why_missing(case, &lookup, first, name)
        };
        cases.iter().filter_map(case).collect()
    }

    /// The location in a case's inputs that explains a missing value: a null, a similar key, or
    /// else the start of the file.
    pub fn why_missing(
        &self,
        case: usize,
        lookup: &Lookup<'_>,
        first: &str,
        name: &str,
    ) -> Option<Related> {
        let Case { name: case_name, inputs, .. } = self.snapshot.cases.get(case)?;
        let meant = || {
            if let Some(flat) = flat_key(self.snapshot, case, name) {
                return Some(flat);
            }
            let is_there = inputs.root.get(first).is_some();
            if is_there {
                None
            } else {
                inputs.root.get(self.suggestions.key_of_case(case, first)?)
            }
        };
        let (location, message) = match &lookup.location {
            Some(location) => (location.clone(), format!("`{name}` is null in case {case_name}")),
            None => match meant() {
                Some(entry) => {
                    let range = entry.key_span.range();
                    let message = format!("case {case_name} has `{}`", entry.key);
                    (Location { file: inputs.file, range }, message)
                }
                // The problem is reported already; this location is where to fix it.
                None => {
                    let message = format!("the inputs of case {case_name}");
                    (Location { file: inputs.file, range: 0..0 }, message)
                }
            },
        };
        Some(Related { location, message })
    }

    /// Reports a problem at the first use of each name, up to the limit.
    pub fn report_once(&mut self, findings: &UseMap<Finding>) {
        let uses: UseSet = findings.keys().copied().collect();
        let mut reported = HashSet::new();
        for token in self.snapshot.tree.occurrences(&uses, self.max) {
            if reported.insert(token.name_id)
                && let Some(finding) = findings.get(&token.used())
            {
                self.report_at(finding, &token);
            }
        }
    }

    /// Reports a problem at each use, up to the limit.
    pub fn report(&mut self, findings: &UseMap<Finding>) {
        self.report_where(findings, |_, _| true);
    }

    /// The same for uses outside of code.
    pub fn report_outside_code(&mut self, findings: &UseMap<Finding>) {
        self.looks_at_text.set(self.looks_at_text.get() || !findings.is_empty());
        self.report_where(findings, |checker, offset| !checker.is_in_code(offset));
    }

    fn report_where(
        &mut self,
        findings: &UseMap<Finding>,
        is_meant: impl Fn(&Self, usize) -> bool,
    ) {
        let uses: UseSet = findings.keys().copied().collect();
        for token in self.listed(&uses) {
            if let Some(finding) = findings.get(&token.used())
                && is_meant(self, token.token.start)
            {
                self.report_at(finding, &token);
            }
        }
    }

    /// The same for uses that are known to be wrong. The problem is computed only for reported
    /// positions, because a prompt may have a million names without a value.
    pub fn report_with(
        &mut self,
        uses: &UseSet,
        finding: impl Fn(&mut Self, Use, &'s str) -> Option<Finding>,
    ) {
        let mut findings: UseMap<Option<Finding>> = UseMap::default();
        for token in self.listed(uses) {
            let used = token.used();
            let known = findings.entry(used).or_insert_with(|| finding(self, used, token.name));
            if let Some(finding) = known {
                self.report_at(finding, &token);
            }
        }
    }

    /// The first positions of some uses, up to the limit. The others are counted.
    fn listed(&mut self, uses: &UseSet) -> Vec<TokenRef<'s>> {
        if uses.is_empty() {
            return Vec::new();
        }
        let tree = &self.snapshot.tree;
        let total: usize = tree
            .uses()
            .filter(|(used, _)| uses.contains(used))
            .map(|(_, count)| count as usize)
            .sum();
        let found = tree.occurrences(uses, self.max + 1);
        self.unlisted += total - found.len();
        found
    }

    /// Reports a problem at a token.
    pub fn report_at(&mut self, finding: &Finding, token: &TokenRef<'_>) {
        let range =
            if finding.whole { token.token.range() } else { self.snapshot.name_range(token) };
        let location = Location { file: FileId::PROMPT, range };
        self.problems.push(Problem {
            severity: finding.severity,
            names: finding.names.clone(),
            related: finding.related.clone(),
            ..Problem::new(finding.code, location, finding.message.clone())
        });
    }
}

/// `a, b, c`, limited to a few.
pub(crate) fn list(names: &[&str]) -> String {
    const SHOWN: usize = 6;
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{shown} and {more} more"),
        _ => shown,
    }
}
