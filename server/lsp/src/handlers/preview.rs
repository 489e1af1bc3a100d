//! `promptls/preview`: a prompt as the engine will send it, for whoever draws it.
//!
//! The answer is the object of `promptls resolve --format json`, but its places
//! are ready for an editor: ranges in its encoding, files as addresses. Offsets
//! into the text count the same units, so that no client converts anything.

mod edits;
mod run_info;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use promptls_analysis::position::{Encoding, Walk};
use promptls_analysis::{DEFAULT_MAX_PROBLEMS, Role, Snapshot, WithoutValue, messages};
use promptls_resolver::{FileId, Given, Location, Problem, Resolution, Run, Severity, Template};
use serde::{Deserialize, Serialize, Serializer};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

pub use self::edits::KeptPreviews;
use self::edits::{Drawn, Edits};
use self::run_info::RunInfo;
use super::AboutPrompt;
use crate::context::Context;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::units::Units;
use crate::{convert, virtual_uri};
use promptls_protocol::{ErrorReport, Stats, via_reports};
use promptls_workspace::Scope;

/// What `promptls/preview` asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewParams {
    /// The prompt.
    pub text_document: lsp::TextDocumentIdentifier,
    /// The case to show; without one, the selected case.
    pub case: Option<String>,
    /// Which prompt of a pack, by its key.
    pub task: Option<String>,
    /// Which prompt of a pack, if no key says it: the one there; without it, the first.
    pub position: Option<lsp::Position>,
    /// The `resultId` of the preview that the client has: then the answer may say what changed in
    /// it. Empty for none. Left out by clients that take whole previews only.
    pub previous_result_id: Option<String>,
}

impl AboutPrompt for PreviewParams {
    fn about(&self) -> (&lsp::TextDocumentIdentifier, Option<&str>, Option<lsp::Position>) {
        (&self.text_document, self.task.as_deref(), self.position)
    }
}

/// A preview.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// For clients that keep it; see [`PreviewParams::previous_result_id`].
    #[serde(skip_serializing_if = "Option::is_none")]
    result_id: Option<String>,
    uri: Option<lsp::Uri>,
    version: Option<i32>,
    dialect: &'static str,
    /// Which prompt of a pack: the key it stands under.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    /// The case that is shown; `None` without any inputs.
    case: Option<String>,
    cases: Vec<CaseInfo>,
    #[serde(flatten)]
    content: Content,
    error: Option<ErrorReport>,
    problems: Vec<ProblemInfo>,
    /// The messages of a chat that the text is split into; none if it says no role.
    messages: Vec<MessageInfo>,
    names: Vec<String>,
    stats: Stats,
    /// Why this is not what the files say now: one that counts cannot be read, and what it last
    /// said is shown.
    stale: Option<String>,
}

/// The text with its map, or how to make both of those that the client has.
#[derive(Debug)]
enum Content {
    Whole(Arc<Drawn>),
    Edits(Edits),
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Fields<'d> {
            Whole { text: &'d str, map: &'d [RunInfo] },
            Edits { edits: &'d Edits },
        }
        let fields = match self {
            Content::Whole(drawn) => Fields::Whole { text: &drawn.text, map: &drawn.map },
            Content::Edits(edits) => Fields::Edits { edits },
        };
        fields.serialize(serializer)
    }
}

/// A case that can be shown.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CaseInfo {
    name: String,
    uri: Option<lsp::Uri>,
    errors: usize,
    warnings: usize,
    /// The address of its resolved text; see [`virtual_uri`].
    resolved_uri: Option<lsp::Uri>,
}

/// The answer to `promptls/cases`: the light part of a preview.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cases {
    uri: Option<lsp::Uri>,
    version: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    /// The case that is shown; `None` without any inputs.
    case: Option<String>,
    cases: Vec<CaseInfo>,
    /// The address of the resolved text in the case that is shown.
    resolved_uri: Option<lsp::Uri>,
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

/// A stretch of the text that one role says.
#[derive(Debug, Serialize)]
struct MessageInfo {
    role: Option<&'static str>,
    heading: [usize; 2],
    body: [usize; 2],
}

/// The preview of a prompt in a case; in the selected one if there is none of that name.
/// `None` for a file that is another tool's.
///
/// Cost: the text, and a check of each case.
pub fn preview(
    context: Context<Option<PromptSnapshot>>,
    params: PreviewParams,
) -> Result<Option<Preview>> {
    let prompt = context.subject.as_ref().filter(|prompt| !prompt.snapshot().foreign);
    let Some(prompt) = prompt else { return Ok(None) };
    let kept = &context.session.kept_previews;
    Ok(of_prompt(prompt, &params, kept, context.encoding()))
}

fn of_prompt(
    prompt: &PromptSnapshot,
    params: &PreviewParams,
    kept: &KeptPreviews,
    encoding: Encoding,
) -> Option<Preview> {
    let all = prompt.snapshot();
    let shown = prompt.shown_case(params.case.as_deref());
    let snapshot = all.of_case(shown);
    let text = snapshot.text.whole();
    let template = Template::compile(snapshot.dialect(), &text);
    let names = template.names();
    let given = snapshot.given().into_iter().next()?;
    let resolution = template.resolve(&given);
    let problems = prompt.file().problems_of_resolved(
        prompt.index,
        Scope::OneCase(shown),
        &resolution,
        DEFAULT_MAX_PROBLEMS,
    );
    let places = Places { prompt, encoding };
    let messages = message_infos(&resolution.text, encoding);
    let stats = Stats::of(&resolution.text);
    let map = places.map(&resolution, &given);
    let new = Arc::new(Drawn { text: resolution.text, map });
    let previous = params.previous_result_id.as_ref();
    let (result_id, old) = previous.map(|old| kept.replace(old, new.clone())).unzip();
    let content = match old.flatten() {
        Some(old) => Content::Edits(Edits::between(&old, &new, encoding)),
        None => Content::Whole(new),
    };
    Some(Preview {
        result_id,
        uri: prompt.uri().cloned(),
        version: prompt.version(),
        dialect: snapshot.dialect().spec().id,
        task: prompt.name().map(str::to_owned),
        case: shown.map(|case| all.cases[case].name.to_string()),
        cases: case_infos(prompt),
        problems: problems.iter().filter_map(|problem| places.problem(problem)).collect(),
        content,
        messages,
        stats,
        error: resolution.error.map(ErrorReport::from),
        names,
        stale: stale(prompt, &snapshot, encoding),
    })
}

fn message_infos(text: &str, encoding: Encoding) -> Vec<MessageInfo> {
    let mut units = Units::new(text, encoding);
    let mut offsets = |range: Range<usize>| [units.before(range.start), units.before(range.end)];
    let found = messages(text).into_iter();
    let info = |message: promptls_analysis::Message| MessageInfo {
        role: message.role.map(Role::id),
        heading: offsets(message.heading),
        body: offsets(message.body),
    };
    found.map(info).collect()
}

/// The cases of a prompt, without its text; `None` as for [`preview`].
///
/// Cost: a check of each case.
pub fn cases(
    context: Context<Option<PromptSnapshot>>,
    params: PreviewParams,
) -> Result<Option<Cases>> {
    let prompt = context.subject.as_ref().filter(|prompt| !prompt.snapshot().foreign);
    let Some(prompt) = prompt else { return Ok(None) };
    let cases = &prompt.snapshot().cases;
    let name = prompt.shown_case(params.case.as_deref());
    let name = name.map(|case| cases[case].name.to_string());
    Ok(Some(Cases {
        uri: prompt.uri().cloned(),
        version: prompt.version(),
        task: prompt.name().map(str::to_owned),
        resolved_uri: virtual_uri::of_resolved(prompt, name.as_deref()),
        case: name,
        cases: case_infos(prompt),
    }))
}

/// The text alone, in a case by its position in the list.
pub fn resolved_text(prompt: &PromptSnapshot, case: Option<usize>) -> String {
    let snapshot = prompt.snapshot().of_case(case);
    let prompt = snapshot.text.whole();
    let template = Template::compile(snapshot.dialect(), &prompt);
    let given = snapshot.given().into_iter().next();
    given.map(|given| template.resolve(&given).text).unwrap_or_default()
}

fn case_infos(prompt: &PromptSnapshot) -> Vec<CaseInfo> {
    let snapshot = prompt.snapshot();
    let case = |(index, case): (usize, &promptls_analysis::Case)| {
        let problems = prompt.problems(Scope::OneCase(Some(index)), DEFAULT_MAX_PROBLEMS);
        let count =
            |severity| problems.iter().filter(|problem| problem.severity == severity).count();
        CaseInfo {
            name: case.name.to_string(),
            uri: prompt.place(case.inputs.file).map(|(_, uri)| uri),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            resolved_uri: virtual_uri::of_resolved(prompt, Some(&case.name)),
        }
    };
    snapshot.cases.iter().enumerate().map(case).collect()
}

/// See [`Preview::stale`].
fn stale(prompt: &PromptSnapshot, snapshot: &Snapshot, encoding: Encoding) -> Option<String> {
    let broken = prompt.file().stale(snapshot)?;
    let location = prompt.location(&broken.location, encoding);
    let line = location.map_or(1, |location| location.range.start.line + 1);
    let path = &prompt.file().files[broken.location.file.0 as usize];
    let name = path.file_name().unwrap_or_default().display();
    Some(format!("{name}:{line}: {}", broken.message))
}

/// Converts places in the files of a prompt.
pub struct Places<'m> {
    pub prompt: &'m PromptSnapshot,
    pub encoding: Encoding,
}

impl Places<'_> {
    /// A place in any of its files.
    fn location(&self, location: &Location) -> Option<lsp::Location> {
        self.prompt.location(location, self.encoding)
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
        let without_value = WithoutValue::new(self.prompt.snapshot(), resolution, given);
        let mut along = Along {
            units: Units::new(&resolution.text, self.encoding),
            places: Walk::new(self.prompt.document_text(), self.encoding),
            values: HashMap::new(),
        };
        let runs = resolution.map.runs.iter();
        runs.filter_map(|run| self.run(run, &without_value, &mut along)).collect()
    }

    fn run<'r>(
        &self,
        run: &'r Run,
        without_value: &WithoutValue<'_>,
        along: &mut Along<'_, 'r>,
    ) -> Option<RunInfo> {
        let start = along.units.before(run.output.start);
        let parts = run.parts.iter();
        let parts = parts.filter_map(|part| self.run(part, without_value, along)).collect();
        let source = self.prompt.in_document(&run.source)?;
        let mut place = |offset| convert::from_position(along.places.position(offset));
        let source = lsp::Range { start: place(source.start), end: place(source.end) };
        let value = run.origin.as_ref().and_then(|origin| {
            let key = (origin.file, &origin.range);
            along.values.entry(key).or_insert_with(|| self.location(origin)).clone()
        });
        let mut kind = run.kind.id();
        let mut path = run.path.as_ref().map(ToString::to_string);
        if let Some((why, name)) = without_value.of(run) {
            kind = why.id();
            path = path.or(Some(name));
        }
        Some(RunInfo {
            output: [start, along.units.before(run.output.end)],
            kind,
            source,
            path,
            value,
            via: run.via.iter().flat_map(|via| via_reports(via)).collect(),
            parts,
        })
    }
}

/// What is remembered on the way along the runs of a text.
struct Along<'t, 'r> {
    units: Units<'t>,
    /// In the text that the editor shows.
    places: Walk<'t>,
    /// Where values are written. Most of them stand in many places.
    values: HashMap<(FileId, &'r Range<usize>), Option<lsp::Location>>,
}
