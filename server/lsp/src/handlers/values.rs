//! `promptls/values`: for editors that draw values in place of their placeholders.

use promptls_analysis::{ShownKind, shown_values};
use promptls_protocol::{ShownValue, ValueKind, ValuesParams};

use crate::context::Context;
use crate::errors::Result;
use crate::handlers::long_line::DrawnInLine;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The values of the placeholders in a range. The number per line is limited by [`DrawnInLine`].
pub fn values(
    context: Context<Vec<PromptSnapshot>>,
    params: ValuesParams,
) -> Result<Option<Vec<ShownValue>>> {
    let prompts = &context.subject;
    if prompts.is_empty() {
        return Ok(None);
    }
    let encoding = context.encoding();
    let requested = params.range;
    let mut values = Vec::new();
    let mut drawn = DrawnInLine::default();
    for prompt in prompts.iter().filter(|prompt| prompt.is_written_here()) {
        let case = prompt.shown_case(params.case.as_deref());
        let bytes = prompt.bytes_in(requested, encoding);
        for value in shown_values(prompt.snapshot(), bytes, case) {
            let Some(range) = prompt.shown_range(&value.token, encoding) else { continue };
            let is_inside = requested.start <= range.end && range.end <= requested.end;
            if is_inside && drawn.takes(range.end.line, range.end.character) {
                let (range, kind) = (range, kind(value.kind));
                values.push(ShownValue { range, text: value.text, kind });
            }
        }
    }
    Ok(Some(values))
}

fn kind(kind: ShownKind) -> ValueKind {
    match kind {
        ShownKind::Value => ValueKind::Value,
        ShownKind::Missing => ValueKind::Missing,
        ShownKind::Runtime => ValueKind::Runtime,
    }
}
