//! What is said in JSON, from what was found.

use promptls_analysis::position::Position;
use promptls_protocol::{
    ErrorReport, PlaceReport, ProblemReport, RangeReport, RelatedReport, ResolveReport, RunReport,
    via_reports,
};
use promptls_resolver::{Location, Problem, Resolution, Run};

use crate::output::sources::Sources;

/// What became of a prompt
pub fn resolve_report(
    dialect: &'static str,
    case: Option<String>,
    resolution: Resolution,
    problems: &[Problem],
    names: Vec<String>,
    sources: &Sources,
) -> ResolveReport {
    ResolveReport {
        dialect,
        case,
        error: resolution.error.map(ErrorReport::from),
        problems: problems.iter().map(|problem| problem_report(problem, sources)).collect(),
        map: resolution.map.runs.iter().map(|run| run_report(run, sources)).collect(),
        text: resolution.text,
        names,
    }
}

/// A problem, its places looked up in these files.
pub fn problem_report(problem: &Problem, sources: &Sources) -> ProblemReport {
    let related = problem.related.iter().map(|related| RelatedReport {
        file: sources.name(related.location.file).to_owned(),
        range: range_report(&related.location, sources),
        message: related.message.clone(),
    });
    ProblemReport {
        code: problem.code.id(),
        severity: problem.severity.id(),
        message: problem.message.clone(),
        names: problem.names.clone(),
        file: sources.name(problem.location.file).to_owned(),
        range: range_report(&problem.location, sources),
        related: related.collect(),
    }
}

fn range_report(location: &Location, sources: &Sources) -> RangeReport {
    let positions = sources.positions(location);
    let place = |position: Position, byte| PlaceReport {
        line: position.line,
        character: position.column,
        byte,
    };
    RangeReport {
        start: place(positions.start, location.range.start),
        end: place(positions.end, location.range.end),
    }
}

fn run_report(run: &Run, sources: &Sources) -> RunReport {
    RunReport {
        output: [run.output.start, run.output.end],
        kind: run.kind.id(),
        source: [run.source.start, run.source.end],
        path: run.path.as_deref().map(str::to_owned),
        file: run.origin.as_ref().map(|origin| sources.name(origin.file).to_owned()),
        value: run.origin.as_ref().map(|origin| [origin.range.start, origin.range.end]),
        via: run.via.iter().flat_map(|via| via_reports(via)).collect(),
        parts: run.parts.iter().map(|part| run_report(part, sources)).collect(),
    }
}
