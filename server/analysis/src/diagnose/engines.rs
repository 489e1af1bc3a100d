//! What the engines that a prompt is written for do with it: where one cannot tell, and where they
//! do not agree.

use std::collections::HashMap;

use promptls_resolver::{Code, unpredictable};

use super::checker::{Checker, Finding};
use super::values::{in_cases, readers, related};

pub(super) fn check(checker: &mut Checker<'_>) {
    if checker.snapshot.engines().is_empty() {
        return;
    }
    let mut findings = HashMap::new();
    for (used, name) in readers(checker) {
        let cases = in_cases(checker, used, name, |found| found.unpredictable);
        let Some((_, why, _)) = cases.first() else { continue };
        let message = unpredictable(name, why);
        let finding = Finding::of_name(Code::EngineUnpredictable, message, name);
        findings.insert(used, Finding { related: related(checker, &cases), ..finding });
    }
    checker.report(&findings);
}
