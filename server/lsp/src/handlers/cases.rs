//! `promptls/cases`: the cases of a prompt, without its text.

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_protocol::{Case, PromptCases, PromptParams};
use promptls_resolver::Severity;
use promptls_workspace::Scope;

use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::virtual_uri;

/// The cases of a prompt; `None` for a file of another tool.
///
/// Cost: a check of each case.
pub fn cases(
    context: Context<Option<PromptSnapshot>>,
    params: PromptParams,
) -> Result<Option<PromptCases>> {
    let prompt = context.subject.as_ref().filter(|prompt| prompt.snapshot().foreign.is_none());
    let Some((prompt, uri)) = prompt.and_then(|prompt| Some((prompt, prompt.uri()?))) else {
        return Ok(None);
    };
    let cases = &prompt.snapshot().cases;
    let name = prompt.shown_case(params.case.as_deref());
    let name = name.map(|case| cases[case].name.to_string());
    Ok(Some(PromptCases {
        uri: uri.to_string(),
        version: prompt.version(),
        task: prompt.name().map(str::to_owned),
        store: context.session.documents.project().pulled(prompt).map(|pulled| pulled.store),
        engine: prompt.snapshot().engine_name(),
        resolved_uri: resolved_uri(prompt, name.as_deref()),
        case: name,
        cases: all_cases(prompt),
    }))
}

/// All cases of a prompt, each with its problems.
pub fn all_cases(prompt: &PromptSnapshot) -> Vec<Case> {
    let snapshot = prompt.snapshot();
    let case = |(index, case): (usize, &promptls_analysis::Case)| {
        let problems = prompt.problems(Scope::OneCase(Some(index)), DEFAULT_MAX_PROBLEMS);
        let count =
            |severity| problems.iter().filter(|problem| problem.severity == severity).count();
        Case {
            name: case.name.to_string(),
            uri: prompt.place(case.inputs.file).map(|(_, uri)| uri.to_string()),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            resolved_uri: resolved_uri(prompt, Some(&case.name)),
        }
    };
    snapshot.cases.iter().enumerate().map(case).collect()
}

fn resolved_uri(prompt: &PromptSnapshot, case: Option<&str>) -> Option<String> {
    virtual_uri::of_resolved(prompt, case).map(|uri| uri.to_string())
}
