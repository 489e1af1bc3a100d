//! `promptls/size`: the size of a prompt for a model, and its constant prefix.

use promptls_analysis::position::Encoding;
use promptls_analysis::{
    self as analysis, LEAST_CACHEABLE_TOKENS, Measured, TokenEncoding, did_you_mean, measure,
};
use promptls_protocol::{PlaceholderSize, Prefix, PrefixEnd, Share, Size, SizeParams};

use crate::context::Context;
use crate::errors::{Result, invalid_params};
use crate::handlers::preview::Places;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::units::Units;

/// The requested token encoding; `None` if none is requested. Fails for an unknown name.
fn token_encoding(params: &SizeParams) -> Result<Option<TokenEncoding>> {
    let Some(id) = &params.encoding else { return Ok(None) };
    let known = || TokenEncoding::ALL.map(TokenEncoding::id);
    let unknown = || {
        let hint = did_you_mean(id, known());
        let known = known().join(", ");
        invalid_params(format!("unknown encoding `{id}`; known: {known}{hint}"))
    };
    TokenEncoding::from_id(id).ok_or_else(unknown).map(Some)
}

/// The size of a prompt in the case with this name, or else in the selected one. `None` for a file
/// of another tool.
///
/// Cost: resolves all cases, and splits the text of this one into tokens.
pub fn size(context: Context<Option<PromptSnapshot>>, params: SizeParams) -> Result<Option<Size>> {
    let tokens = token_encoding(&params)?;
    let prompt = context.subject.as_ref().filter(|prompt| prompt.snapshot().foreign.is_none());
    let Some(prompt) = prompt else { return Ok(None) };
    Ok(of_prompt(prompt, params.case.as_deref(), tokens, context.encoding()))
}

fn of_prompt(
    prompt: &PromptSnapshot,
    case: Option<&str>,
    tokens: Option<TokenEncoding>,
    encoding: Encoding,
) -> Option<Size> {
    let snapshot = prompt.snapshot();
    let shown = prompt.shown_case(case);
    let settings = &snapshot.settings;
    let counted = tokens.unwrap_or(settings.encoding);
    let Measured { resolution, tokens, size, prefix } = measure(snapshot, shown, counted);
    let places = Places { prompt, encoding };
    let until = prefix.until.and_then(|until| {
        Some(PrefixEnd { path: until.path, source: places.in_prompt(&until.source)? })
    });
    let share = |analysis::Share { characters, tokens }| Share { characters, tokens };
    let placeholder = |analysis::PlaceholderSize { path, share, count }| {
        let analysis::Share { characters, tokens } = share;
        PlaceholderSize { path, characters, tokens, count }
    };
    let prefix_tokens = tokens.before(prefix.end);
    Some(Size {
        version: prompt.version(),
        case: shown.map(|case| snapshot.cases[case].name.to_string()),
        encoding: counted.id(),
        encodings: TokenEncoding::ALL.map(TokenEncoding::id).to_vec(),
        tokens: tokens.count(),
        max_tokens: settings.max_tokens,
        literal: share(size.literal),
        placeholders: size.placeholders.into_iter().map(placeholder).collect(),
        prefix: Prefix {
            end: Units::new(&resolution.text, encoding).before(prefix.end),
            tokens: prefix_tokens,
            cacheable: prefix_tokens >= LEAST_CACHEABLE_TOKENS,
            cases: prefix.cases,
            until,
        },
    })
}
