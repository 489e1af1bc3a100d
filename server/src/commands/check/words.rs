//! Human-readable results of a check.

use std::collections::{BTreeMap, BTreeSet};

use promptls_protocol::{CheckSummary, FileProblem};
use promptls_resolver::Severity;

use super::finding::Finding;
use crate::output::counted::counted;
use crate::output::log_lines::log_lines;
use crate::output::visible::visible_line;

/// The counts of prompts, errors, warnings and unread files.
pub fn summary(prompts: usize, findings: &[Finding]) -> CheckSummary {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let unread = findings.iter().filter(|finding| finding.is_unread());
    CheckSummary {
        prompts,
        unread: unread.map(|finding| &finding.path).collect::<BTreeSet<_>>().len(),
        computed: findings.iter().filter(|finding| finding.is_computed()).count(),
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        infos: count(Severity::Information),
        hints: count(Severity::Hint),
    }
}

/// The summary line: `3 prompts checked, 2 not read, 1 file not fully read: 1 error, 2 hints`.
pub fn in_words(summary: CheckSummary, configs: usize) -> String {
    let found: Vec<String> = [
        (summary.errors, "error"),
        (summary.warnings, "warning"),
        (summary.infos, "info"),
        (summary.hints, "hint"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| counted(count, what))
    .collect();
    // Problems of unread files are unknown, so this is not "no problems".
    let found = match (found.is_empty(), summary.unread) {
        (true, 0) => ": no problems".to_owned(),
        (true, _) => String::new(),
        (false, _) => format!(": {}", found.join(", ")),
    };
    let checked = match (summary.prompts, configs) {
        (0, 0) => "no prompts".to_owned(),
        (0, configs) => counted(configs, "config"),
        (prompts, 0) => counted(prompts, "prompt"),
        (prompts, configs) => {
            format!("{} and {}", counted(prompts, "prompt"), counted(configs, "config"))
        }
    };
    let computed = match summary.computed {
        0 => String::new(),
        computed => format!(", {computed} not read"),
    };
    let unread = match summary.unread {
        0 => String::new(),
        unread => format!(", {} not fully read", counted(unread, "file")),
    };
    format!("{checked} checked{computed}{unread}{found}")
}

/// A line for each code, the most frequent first: `12  error    undefined-placeholder`.
pub fn statistics(findings: &[Finding]) -> String {
    let mut counts: BTreeMap<(Severity, &str), usize> = BTreeMap::new();
    for finding in findings {
        *counts.entry((finding.severity, finding.problem.code)).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let line = |((severity, code), count): &((Severity, &str), usize)| {
        format!("{count:>6}  {:<7}  {code}\n", severity.id())
    };
    counts.iter().map(line).collect()
}

/// One line: `PATH:LINE:COL: SEVERITY [CODE] MESSAGE`.
pub fn concise(finding: &Finding) -> String {
    let FileProblem { file, range, code, message, .. } = &finding.problem;
    let severity = finding.severity.id();
    let (line, column) = (range.start.line + 1, range.start.character + 1);
    // A name may contain a line break, but each problem has one line.
    let (file, message) = (visible_line(file), visible_line(message));
    let line = format!("{file}:{line}:{column}: {severity} [{code}] {message}\n");
    log_lines(&line).into_owned()
}
