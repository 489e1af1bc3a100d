//! JSON output of results.

use std::io;

use promptls_analysis::Snapshot;
use promptls_analysis::position::Position;
use promptls_protocol::{
    EngineError, FilePosition, FileProblem, FileRange, FileRelatedInformation, FileRun,
    ResolveOutput, Via,
};
use promptls_resolver::{Location, Problem, Resolution, Run};

use crate::output::terminal::write_json;
use promptls_workspace::Sources;

/// An object in a line.
pub fn to_json(object: &impl serde::Serialize) -> io::Result<String> {
    let mut line = Vec::new();
    write_json(&mut line, object)?;
    String::from_utf8(line).map_err(io::Error::other)
}

/// The result for a prompt.
pub fn resolve_output(
    snapshot: &Snapshot,
    case: Option<String>,
    resolution: Resolution,
    problems: Vec<FileProblem>,
    names: Vec<String>,
    sources: &Sources,
) -> ResolveOutput {
    ResolveOutput {
        dialect: snapshot.dialect().spec().id,
        engine: snapshot.engine_name(),
        case,
        error: resolution.error.map(|mut error| {
            let template = error.template.take();
            EngineError { template, ..EngineError::from(error) }
        }),
        problems,
        map: resolution.map.runs.iter().map(|run| file_run(run, sources)).collect(),
        text: resolution.text,
        names,
    }
}

/// A problem with its places, resolved in these files.
pub fn file_problem(problem: &Problem, sources: &Sources) -> FileProblem {
    let related = problem.related.iter().map(|related| FileRelatedInformation {
        file: sources.name(related.location.file).to_owned(),
        range: file_range(&related.location, sources),
        message: related.message.clone(),
    });
    FileProblem {
        code: problem.code.id(),
        severity: problem.severity.into(),
        message: problem.message.clone(),
        names: problem.names.clone(),
        file: sources.name(problem.location.file).to_owned(),
        prompt: sources.prompt(&problem.location).map(str::to_owned),
        range: file_range(&problem.location, sources),
        related: related.collect(),
    }
}

pub fn file_range(location: &Location, sources: &Sources) -> FileRange {
    let positions = sources.positions(location);
    let place = |position: Position, byte| FilePosition {
        line: position.line,
        character: position.column,
        byte,
    };
    FileRange {
        start: place(positions.start, location.range.start),
        end: place(positions.end, location.range.end),
    }
}

fn file_run(run: &Run, sources: &Sources) -> FileRun {
    FileRun {
        output: [run.output.start, run.output.end],
        kind: run.kind.into(),
        source: [run.source.start, run.source.end],
        path: run.path.as_deref().map(str::to_owned),
        file: run.origin.as_ref().map(|origin| sources.name(origin.file).to_owned()),
        value: run.origin.as_ref().map(|origin| [origin.range.start, origin.range.end]),
        via: run.via.iter().flat_map(|via| Via::all(via)).collect(),
        parts: run.parts.iter().map(|part| file_run(part, sources)).collect(),
    }
}
