//! `promptls/preview`: a prompt as the engine will send it, for whoever draws it.
//!
//! The answer is the object of `promptls resolve --format json`, but its places
//! are ready for an editor: ranges in its encoding, files as addresses. Offsets
//! into the text count the same units, so that no client converts anything.

use std::ops::Range;

use promptls_analysis::position::Encoding;
use promptls_analysis::{DEFAULT_MAX_PROBLEMS, Snapshot, WithoutValue, diagnose};
use promptls_resolver::{
    Code, FileId, Given, Location, Problem, Resolution, Run, Severity, Template,
};
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use super::convert;
use super::moment::Moment;
use super::units::Units;
use crate::report::{ErrorReport, Stats, ViaReport, via_reports};

/// What `promptls/preview` asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewParams {
    /// The prompt.
    pub text_document: lsp::TextDocumentIdentifier,
    /// The case to show; without one, the selected case.
    pub case: Option<String>,
    /// Which prompt of a pack: the one there; without it, the first.
    pub position: Option<lsp::Position>,
}

/// `promptls/previewChanged`: the preview of an open prompt may be another now.
#[derive(Debug)]
pub enum PreviewChanged {}

impl lsp::notification::Notification for PreviewChanged {
    type Params = PreviewChangedParams;
    const METHOD: &'static str = "promptls/previewChanged";
}

/// What `promptls/previewChanged` says.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewChangedParams {
    /// The prompt.
    pub text_document: lsp::TextDocumentIdentifier,
    /// The version of its text.
    pub version: Option<i32>,
}

/// A preview.
#[derive(Debug, Serialize)]
pub struct Preview {
    uri: Option<lsp::Uri>,
    version: Option<i32>,
    dialect: &'static str,
    /// Which prompt of a pack: the key it stands under.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    /// The case that is shown; `None` without any inputs.
    case: Option<String>,
    cases: Vec<CaseInfo>,
    text: String,
    error: Option<ErrorReport>,
    problems: Vec<ProblemInfo>,
    map: Vec<RunInfo>,
    names: Vec<String>,
    stats: Stats,
    /// Why this is not what the files say now: one that counts cannot be read, and what it last
    /// said is shown.
    stale: Option<String>,
}

/// A case that can be shown.
#[derive(Debug, Serialize)]
struct CaseInfo {
    name: String,
    uri: Option<lsp::Uri>,
    errors: usize,
    warnings: usize,
}

/// A problem of the case that is shown.
#[derive(Debug, Serialize)]
struct ProblemInfo {
    code: &'static str,
    severity: &'static str,
    message: String,
    names: Vec<String>,
    location: lsp::Location,
    related: Vec<lsp::DiagnosticRelatedInformation>,
}

/// A piece of the text with one origin.
#[derive(Debug, Serialize)]
struct RunInfo {
    output: [usize; 2],
    kind: &'static str,
    source: lsp::Range,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<lsp::Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    via: Vec<ViaReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<RunInfo>,
}

/// The preview of a prompt in a case; in the selected one if there is none of that name.
/// `None` for a file that is another tool's.
///
/// Cost: the text, and a check of each case.
pub fn preview(moment: &Moment, case: Option<&str>, encoding: Encoding) -> Option<Preview> {
    let all = &moment.snapshot;
    if all.foreign {
        return None;
    }
    let shown = moment.shown_case(case);
    let snapshot = all.of_case(shown);
    let problems = diagnose(&snapshot, DEFAULT_MAX_PROBLEMS);
    let prompt = snapshot.text.to_string();
    let template = Template::compile(snapshot.dialect(), &prompt);
    let names = template.names();
    let given = snapshot.given().into_iter().next()?;
    let resolution = template.resolve(&given);
    let places = Places { moment, encoding };
    Some(Preview {
        uri: moment.uris.first().cloned().flatten(),
        version: moment.version,
        dialect: snapshot.dialect().spec().id,
        task: moment.task().map(str::to_owned),
        case: shown.map(|case| all.cases[case].name.to_string()),
        cases: cases(moment),
        problems: problems.iter().filter_map(|problem| places.problem(problem)).collect(),
        map: places.map(&resolution, &given),
        stats: Stats::of(&resolution.text),
        error: resolution.error.map(ErrorReport::from),
        text: resolution.text,
        names,
        stale: stale(moment, &snapshot, encoding),
    })
}

fn cases(moment: &Moment) -> Vec<CaseInfo> {
    let snapshot = &moment.snapshot;
    let case = |(index, case): (usize, &promptls_analysis::Case)| {
        let problems = diagnose(&snapshot.of_case(Some(index)), DEFAULT_MAX_PROBLEMS);
        let count =
            |severity| problems.iter().filter(|problem| problem.severity == severity).count();
        CaseInfo {
            name: case.name.to_string(),
            uri: moment.place(case.inputs.file).map(|(_, uri)| uri),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
        }
    };
    snapshot.cases.iter().enumerate().map(case).collect()
}

/// See [`Preview::stale`].
fn stale(moment: &Moment, snapshot: &Snapshot, encoding: Encoding) -> Option<String> {
    let counts = |file: FileId| {
        file == snapshot.declarations.file
            || snapshot.cases.iter().any(|case| case.inputs.file == file)
    };
    let broken = snapshot.file_problems.iter().find(|problem| {
        problem.code == Code::InvalidInputs
            && problem.location.file != FileId::PROMPT
            && counts(problem.location.file)
    })?;
    let location = convert::location(moment, &broken.location, encoding);
    let line = location.map_or(1, |location| location.range.start.line + 1);
    Some(format!("{}:{line}: {}", snapshot.file_name(broken.location.file), broken.message))
}

/// Converts places in the files of a prompt.
pub struct Places<'m> {
    pub moment: &'m Moment,
    pub encoding: Encoding,
}

impl Places<'_> {
    /// A place in any of its files.
    fn location(&self, location: &Location) -> Option<lsp::Location> {
        convert::location(self.moment, location, self.encoding)
    }

    /// A place in the prompt; `None` if it is gone.
    pub fn in_prompt(&self, range: &Range<usize>) -> Option<lsp::Range> {
        let location = Location { file: FileId::PROMPT, range: range.clone() };
        Some(self.location(&location)?.range)
    }

    fn problem(&self, problem: &Problem) -> Option<ProblemInfo> {
        let location = |location| self.location(location);
        let related = problem.related.iter().filter_map(|related| {
            let message = related.message.clone();
            let location = location(&related.location)?;
            Some(lsp::DiagnosticRelatedInformation { location, message })
        });
        Some(ProblemInfo {
            code: problem.code.id(),
            severity: problem.severity.id(),
            message: problem.message.clone(),
            names: problem.names.clone(),
            location: location(&problem.location)?,
            related: related.collect(),
        })
    }

    fn map(&self, resolution: &Resolution, given: &Given<'_>) -> Vec<RunInfo> {
        let without_value = WithoutValue::new(&self.moment.snapshot, resolution, given);
        let mut units = Units::new(&resolution.text, self.encoding);
        let runs = resolution.map.runs.iter();
        runs.filter_map(|run| self.run(run, &without_value, &mut units)).collect()
    }

    fn run(
        &self,
        run: &Run,
        without_value: &WithoutValue<'_>,
        units: &mut Units<'_>,
    ) -> Option<RunInfo> {
        let start = units.before(run.output.start);
        let parts =
            run.parts.iter().filter_map(|part| self.run(part, without_value, units)).collect();
        let mut kind = run.kind.id();
        let mut path = run.path.as_ref().map(ToString::to_string);
        if let Some((why, name)) = without_value.of(run) {
            kind = why.id();
            path = path.or(Some(name));
        }
        Some(RunInfo {
            output: [start, units.before(run.output.end)],
            kind,
            source: self.in_prompt(&run.source)?,
            path,
            value: run.origin.as_ref().and_then(|origin| self.location(origin)),
            via: run.via.iter().flat_map(|via| via_reports(via)).collect(),
            parts,
        })
    }
}
