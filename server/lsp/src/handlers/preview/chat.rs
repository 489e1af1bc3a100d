//! The preview of a chat: its messages, one below the other.

use std::sync::Arc;

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_analysis::position::Encoding;
use promptls_protocol::{self as wire, PreviewText, RunKind};
use promptls_resolver::{DEFAULT_MAX_OUTPUT, Inputs, Location};
use promptls_workspace::{Chat, ChatResolution, MessageSource, Scope};

use super::{Places, ShownText, wire_messages};
use crate::convert;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::units::Units;

/// The messages of the chat of a prompt, in a case of its inputs.
///
/// Cost: that of resolving each of its messages.
pub fn resolved(prompt: &PromptSnapshot, chat: &Chat, case: Option<usize>) -> ChatResolution {
    prompt.file().resolve_chat(chat, &inputs_of(prompt, case), DEFAULT_MAX_OUTPUT)
}

fn inputs_of(prompt: &PromptSnapshot, case: Option<usize>) -> Arc<Inputs> {
    let case = case.and_then(|case| prompt.snapshot().cases.get(case));
    case.map(|case| case.inputs.clone()).unwrap_or_default()
}

/// The preview of the chat of a prompt.
pub(super) fn shown(
    prompt: &PromptSnapshot,
    chat: &Chat,
    case: Option<usize>,
    encoding: Encoding,
) -> ShownText {
    let (file, inputs) = (prompt.file(), inputs_of(prompt, case));
    let mut resolved = file.resolve_chat(chat, &inputs, DEFAULT_MAX_OUTPUT);
    let mut units = Units::new(&resolved.text, encoding);
    let mut map: Vec<wire::Run> = Vec::new();
    for message in &mut resolved.messages {
        let entry = Location { file: file.file, range: message.entry.clone() };
        let entry = prompt.location_in_file(&entry, encoding).map(convert::wire_location);
        let entry = entry.map(|it| it.range).unwrap_or_default();
        let literal = |output: [usize; 2]| wire::Run {
            output,
            kind: RunKind::Literal,
            source: entry,
            path: None,
            value: None,
            via: Vec::new(),
            parts: Vec::new(),
        };
        let gap = map.last().map_or(0, |run| run.output[1]);
        let [start, end] =
            [message.span.body.start, message.span.body.end].map(|offset| units.before(offset));
        let at_entry = wire::Range { start: entry.start, end: entry.start };
        map.push(wire::Run { source: at_entry, ..literal([gap, start]) });
        match &mut message.source {
            MessageSource::Prompt(index, resolution) => {
                let message_prompt = PromptSnapshot { index: *index, ..prompt.clone() };
                let places = Places { prompt: &message_prompt, encoding };
                resolution.text = resolved.text[message.span.body.clone()].to_owned();
                let given = message_prompt.snapshot().given_with(&*inputs);
                let runs = places.map(resolution, &given).into_iter();
                map.extend(runs.map(|run| moved(run, start)));
            }
            MessageSource::Inputs(name, location) => {
                let value = location.as_ref();
                let value = value.and_then(|it| prompt.location_in_file(it, encoding));
                map.push(wire::Run {
                    kind: RunKind::Value,
                    path: Some(name.to_string()),
                    value: value.map(convert::wire_location),
                    ..literal([start, end])
                });
            }
            MessageSource::Missing(name) => map.push(wire::Run {
                kind: RunKind::Runtime,
                path: Some(name.to_string()),
                ..literal([start, end])
            }),
            MessageSource::Unknown => {
                map.push(wire::Run { kind: RunKind::Runtime, ..literal([start, end]) });
            }
            MessageSource::Code => map.push(literal([start, end])),
        }
    }
    let known = resolved.messages.into_iter().filter(|message| message.source.is_known());
    let spans = known.map(|message| message.span).collect();
    let messages = wire_messages(spans, &resolved.text, encoding);
    let problems = file.problems_of_chat(chat, Scope::OneCase(case), DEFAULT_MAX_PROBLEMS);
    let whole = Arc::new(PreviewText { text: resolved.text, map });
    let names = file.names_of_chat(chat);
    ShownText { whole, messages, error: resolved.error, problems, names }
}

/// A run after `by` further units of output.
fn moved(run: wire::Run, by: usize) -> wire::Run {
    wire::Run {
        output: run.output.map(|offset| offset + by),
        parts: run.parts.into_iter().map(|part| moved(part, by)).collect(),
        ..run
    }
}
