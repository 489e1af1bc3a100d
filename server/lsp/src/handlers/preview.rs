//! `promptls/preview`: a prompt as the engine will send it, for display.
//!
//! The response is the object of `promptls resolve --format json`, with locations for an editor:
//! ranges in its encoding, and files as URIs. Offsets into the text use the same units, so that no
//! client converts anything.

mod chat;
mod edits;
pub mod engine;
pub mod messages;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use promptls_analysis::position::{Encoding, Walk};
use promptls_analysis::{
    DEFAULT_MAX_PROBLEMS, MessageSpan, NoValueReason, Snapshot, WithoutValue, messages,
};
use promptls_protocol::{
    self as wire, EngineError, Message, PreviewAnswer, PreviewContent, PreviewParams, PreviewText,
    RelatedInformation, Role, RunKind, Stats, Via,
};
use promptls_resolver::{FileId, Location, Problem, Resolution, ResolveContext, Run, Template};
use promptls_workspace::Scope;

use super::cases::all_cases;
use crate::context::Context;
use crate::convert;
use crate::errors::Result;
use crate::session::Session;
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::session::sent_previews::StoredPreview;
use crate::units::Units;

/// The preview of a prompt in the case with this name, or else in the selected one. `None` for a
/// file of another tool.
///
/// Cost: the text, and a check of each case.
pub fn preview(
    context: Context<Option<PromptSnapshot>>,
    params: PreviewParams,
) -> Result<Option<PreviewAnswer>> {
    let prompt = context.subject.as_ref().filter(|prompt| prompt.snapshot().foreign.is_none());
    let Some(prompt) = prompt else { return Ok(None) };
    Ok(of_prompt(prompt, &params, &context.session, context.encoding()))
}

fn of_prompt(
    prompt: &PromptSnapshot,
    params: &PreviewParams,
    session: &Session,
    encoding: Encoding,
) -> Option<PreviewAnswer> {
    let all = prompt.snapshot();
    let shown = prompt.shown_case(params.case.as_deref());
    let snapshot = all.of_case(shown);
    let places = Places { prompt, encoding };
    let shown_text = match prompt.file().chat_of(prompt.index) {
        Some(chat) => chat::shown(prompt, chat, shown, encoding),
        None => places.shown_text(&snapshot, shown)?,
    };
    let ShownText { whole, messages, error, problems, names } = shown_text;
    let stats = Stats::of(&whole.text);
    let new = StoredPreview { shown: whole.clone(), document: prompt.document_text().clone() };
    let (previous, kept) = (params.previous_result_id.as_ref(), &session.sent_previews);
    let (result_id, old) = previous.map(|old| kept.replace(old, new.clone())).unzip();
    let content = match old.flatten() {
        Some(old) => PreviewContent::Edits { edits: edits::between(&old, &new, encoding) },
        None => PreviewContent::Whole(whole),
    };
    Some(PreviewAnswer {
        result_id,
        uri: prompt.uri()?.to_string(),
        version: prompt.version(),
        dialect: snapshot.dialect().spec().id,
        engine: snapshot.engine_name(),
        task: prompt.shown_name().map(str::to_owned),
        case: shown.map(|case| all.cases[case].name.to_string()),
        cases: all_cases(prompt),
        problems: places.problems(shown, problems, &session.documents),
        content,
        messages,
        stats,
        error: error.map(EngineError::from),
        names,
        stale: stale(prompt, &snapshot, encoding),
    })
}

/// The text of a preview, and what is known about it.
struct ShownText {
    whole: Arc<PreviewText>,
    messages: Vec<Message>,
    error: Option<promptls_resolver::EngineError>,
    problems: Vec<Problem>,
    names: Vec<String>,
}

fn wire_messages(found: Vec<MessageSpan>, text: &str, encoding: Encoding) -> Vec<Message> {
    let mut units = Units::new(text, encoding);
    let mut offsets = |range: Range<usize>| [units.before(range.start), units.before(range.end)];
    let message = |message: MessageSpan| Message {
        role: role(message.role),
        heading: offsets(message.heading),
        body: offsets(message.body),
    };
    found.into_iter().map(message).collect()
}

fn role(role: promptls_analysis::Role) -> Role {
    match role {
        promptls_analysis::Role::System => Role::System,
        promptls_analysis::Role::Developer => Role::Developer,
        promptls_analysis::Role::User => Role::User,
        promptls_analysis::Role::Assistant => Role::Assistant,
        promptls_analysis::Role::Tool => Role::Tool,
        promptls_analysis::Role::Function => Role::Function,
    }
}

/// Resolves a prompt in the case with this index, or without inputs if there is no index. A message
/// of a chat is resolved alone.
pub fn resolution(prompt: &PromptSnapshot, case: Option<usize>) -> Option<Resolution> {
    let snapshot = prompt.snapshot().of_case(case);
    let prompt = snapshot.text.whole();
    let template = Template::compile(snapshot.engine(), &prompt);
    snapshot.given().into_iter().next().map(|given| snapshot.resolve_with(&template, &given))
}

/// The text of a prompt in a preview, which is that of its chat if it is a message of one.
pub fn shown_text(prompt: &PromptSnapshot, case: Option<usize>) -> String {
    match prompt.file().chat_of(prompt.index) {
        Some(chat) => chat::resolved(prompt, chat, case).text,
        None => resolution(prompt, case).map(|it| it.text).unwrap_or_default(),
    }
}

/// The reason as `FILE:LINE: MESSAGE`; `None` if the preview matches the files.
fn stale(prompt: &PromptSnapshot, snapshot: &Snapshot, encoding: Encoding) -> Option<String> {
    let broken = prompt.file().stale(snapshot)?;
    let location = prompt.location_in_file(&broken.location, encoding);
    let line = location.map_or(1, |location| location.range.start.line + 1);
    let path = &prompt.file().files[broken.location.file.0 as usize];
    let name = path.file_name().unwrap_or_default().display();
    Some(format!("{name}:{line}: {}", broken.message))
}

/// Converts locations in the files of a prompt.
pub struct Places<'m> {
    pub prompt: &'m PromptSnapshot,
    pub encoding: Encoding,
}

impl Places<'_> {
    /// Converts a location in any of its files.
    fn location(&self, location: &Location) -> Option<wire::Location> {
        self.prompt.location(location, self.encoding).map(convert::wire_location)
    }

    /// Converts a range of the prompt; `None` if it is gone.
    pub fn in_prompt(&self, range: &Range<usize>) -> Option<wire::Range> {
        let location = Location { file: FileId::PROMPT, range: range.clone() };
        Some(self.location(&location)?.range)
    }

    /// The text of a prompt alone; `None` if it has no such case.
    fn shown_text(&self, snapshot: &Snapshot, shown: Option<usize>) -> Option<ShownText> {
        let text = snapshot.text.whole();
        let template = Template::compile(snapshot.engine(), &text);
        let given = snapshot.given().into_iter().next()?;
        let mut resolution = snapshot.resolve_with(&template, &given);
        let problems = self.prompt.file().problems_of_resolved(
            self.prompt.index,
            Scope::OneCase(shown),
            &resolution,
            DEFAULT_MAX_PROBLEMS,
        );
        let found = messages(snapshot.dialect(), snapshot.role(), &resolution.text);
        let messages = wire_messages(found, &resolution.text, self.encoding);
        let map = self.map(&mut resolution, &given);
        let whole = Arc::new(PreviewText { text: resolution.text, map });
        let names = template.names();
        Some(ShownText { whole, messages, error: resolution.error, problems, names })
    }

    /// Problems of the shown text in a case, with those of its parts in other files.
    fn problems(
        &self,
        case: Option<usize>,
        own: Vec<Problem>,
        documents: &Documents,
    ) -> Vec<wire::Problem> {
        let (file, index) = (self.prompt.file(), self.prompt.index);
        let chat = file.chat_of(index);
        let indices = chat.map_or_else(|| vec![index], |chat| chat.prompts().collect());
        let parts = documents.unstored().parts_of(file);
        let scope = Scope::OneCase(case);
        let found = parts.problems(file, &indices, scope, own, DEFAULT_MAX_PROBLEMS);
        let mut problems: Vec<_> = found.own.iter().filter_map(|it| self.problem(it)).collect();
        let unstored = documents.unstored();
        let files = parts.into_files().into_iter().map(|file| {
            let of_file = unstored.snapshot_of(file)?;
            Some(PromptSnapshot { of_file, index: 0, case: None })
        });
        let files: Vec<Option<PromptSnapshot>> = files.collect();
        problems.extend(found.of_parts.iter().filter_map(|(file, problem)| {
            let prompt = files[*file].as_ref()?;
            Places { prompt, encoding: self.encoding }.problem(problem)
        }));
        problems
    }

    fn problem(&self, problem: &Problem) -> Option<wire::Problem> {
        let location = |location| {
            let location = self.prompt.location_in_file(location, self.encoding);
            location.map(convert::wire_location)
        };
        let related = problem.related.iter().filter_map(|related| {
            let message = related.message.clone();
            let location = location(&related.location)?;
            Some(RelatedInformation { location, message })
        });
        Some(wire::Problem {
            code: problem.code.id(),
            severity: problem.severity.into(),
            message: problem.message.clone(),
            names: problem.names.clone(),
            location: location(&problem.location)?,
            related: related.collect(),
        })
    }

    /// The map of a resolution of the prompt, which it removes.
    fn map(&self, resolution: &mut Resolution, given: &ResolveContext<'_>) -> Vec<wire::Run> {
        let map = std::mem::take(&mut resolution.map);
        let without_value = WithoutValue::new(self.prompt.snapshot(), resolution, given);
        let is_placeholder = |run: &Run| without_value.of(run).is_some();
        let map = self.prompt.prompt().cut_literals(map, is_placeholder);
        let text = &resolution.text;
        let mut along = RunConverter {
            units: Units::new(text, self.encoding),
            places: Walk::new(self.prompt.document_text(), self.encoding),
            values: HashMap::new(),
        };
        map.runs.iter().filter_map(|run| self.run(run, &without_value, &mut along)).collect()
    }

    fn run<'r>(
        &self,
        run: &'r Run,
        without_value: &WithoutValue<'_>,
        along: &mut RunConverter<'_, 'r>,
    ) -> Option<wire::Run> {
        let start = along.units.before(run.output.start);
        let parts = run.parts.iter();
        let parts = parts.filter_map(|part| self.run(part, without_value, along)).collect();
        let source = self.prompt.in_document(&run.source)?;
        let mut place = |offset| convert::from_position(along.places.position(offset));
        let source = wire::Range { start: place(source.start), end: place(source.end) };
        let value = run.origin.as_ref().and_then(|origin| {
            let key = (origin.file, &origin.range);
            along.values.entry(key).or_insert_with(|| self.location(origin)).clone()
        });
        let mut kind = run.kind.into();
        let mut path = run.path.as_ref().map(ToString::to_string);
        if let Some((why, name)) = without_value.of(run) {
            kind = match why {
                NoValueReason::Missing => RunKind::Missing,
                NoValueReason::Runtime => RunKind::Runtime,
            };
            path = path.or(Some(name));
        }
        Some(wire::Run {
            output: [start, along.units.before(run.output.end)],
            kind,
            source,
            path,
            value,
            via: run.via.iter().flat_map(|via| Via::all(via)).collect(),
            parts,
        })
    }
}

/// State for converting the runs of a text in order.
struct RunConverter<'t, 'r> {
    units: Units<'t>,
    /// Positions in the editor's text.
    places: Walk<'t>,
    /// The locations of values. Most values are used in many places.
    values: HashMap<(FileId, &'r Range<usize>), Option<wire::Location>>,
}
