//! `promptls/size`: how large a prompt is for a model, and how much of it is always the same.

use promptls_analysis::position::Encoding;
use promptls_analysis::{
    PlaceholderSize, Share, TokenEncoding, WithoutValue, did_you_mean, size as size_of,
    static_prefix,
};
use promptls_resolver::Template;
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use super::AboutPrompt;
use crate::context::Context;
use crate::handlers::preview::Places;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::units::Units;

/// What `promptls/size` asks for.
// Not flattened: serde cannot do that with numbers of any precision.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SizeParams {
    /// The prompt.
    pub text_document: lsp::TextDocumentIdentifier,
    /// The case; without one, the selected case.
    pub case: Option<String>,
    /// Which prompt of a pack, by its key.
    pub task: Option<String>,
    /// Which prompt of a pack, if no key says it: the one there; without it, the first.
    pub position: Option<lsp::Position>,
    /// The tokens to count; without them, those that `promptls.toml` says.
    encoding: Option<String>,
}

impl SizeParams {
    /// The tokens that are asked for.
    pub fn token_encoding(&self) -> Result<Option<TokenEncoding>> {
        let Some(id) = &self.encoding else { return Ok(None) };
        let known = || TokenEncoding::ALL.map(TokenEncoding::id);
        let unknown = || {
            let hint = did_you_mean(id, known());
            let known = known().join(", ");
            Error::invalid_params(format!("unknown encoding `{id}`; known: {known}{hint}"))
        };
        TokenEncoding::from_id(id).ok_or_else(unknown).map(Some)
    }
}

impl AboutPrompt for SizeParams {
    fn about(&self) -> (&lsp::TextDocumentIdentifier, Option<&str>, Option<lsp::Position>) {
        (&self.text_document, self.task.as_deref(), self.position)
    }
}

/// The answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SizeAnswer {
    version: Option<i32>,
    case: Option<String>,
    encoding: &'static str,
    encodings: [&'static str; 2],
    tokens: usize,
    max_tokens: Option<usize>,
    literal: ShareInfo,
    placeholders: Vec<PlaceholderInfo>,
    prefix: PrefixInfo,
}

#[derive(Debug, Serialize)]
struct ShareInfo {
    characters: usize,
    tokens: usize,
}

impl From<Share> for ShareInfo {
    fn from(Share { characters, tokens }: Share) -> Self {
        ShareInfo { characters, tokens }
    }
}

#[derive(Debug, Serialize)]
struct PlaceholderInfo {
    path: String,
    #[serde(flatten)]
    share: ShareInfo,
    count: usize,
}

/// How much of the text is the same in all cases.
#[derive(Debug, Serialize)]
struct PrefixInfo {
    /// In units of the editor.
    end: usize,
    /// Those that are whole.
    tokens: usize,
    cases: usize,
    until: Option<UntilInfo>,
}

#[derive(Debug, Serialize)]
struct UntilInfo {
    path: Option<String>,
    source: lsp::Range,
}

/// The size of a prompt in a case; in the selected one if there is none of that name. `None` for
/// a file that is another tool's.
///
/// Cost: resolves all cases, and splits the text of this one into tokens.
pub fn size(
    context: Context<Option<PromptSnapshot>>,
    params: SizeParams,
) -> Result<Option<SizeAnswer>> {
    let tokens = params.token_encoding()?;
    let prompt = context.subject.as_ref().filter(|prompt| !prompt.snapshot().foreign);
    let Some(prompt) = prompt else { return Ok(None) };
    Ok(of_prompt(prompt, params.case.as_deref(), tokens, context.encoding()))
}

fn of_prompt(
    prompt: &PromptSnapshot,
    case: Option<&str>,
    tokens: Option<TokenEncoding>,
    encoding: Encoding,
) -> Option<SizeAnswer> {
    let snapshot = prompt.snapshot();
    let shown = prompt.shown_case(case);
    let given = snapshot.given();
    let given = given.get(shown.unwrap_or(0))?;
    let text = snapshot.text.whole();
    let template = Template::compile(snapshot.dialect(), &text);
    let resolution = template.resolve(given);
    let settings = &snapshot.settings;
    let counted = tokens.unwrap_or(settings.encoding);
    let tokens = counted.split(&resolution.text);

    let without_value = WithoutValue::new(snapshot, &resolution, given);
    let size = size_of(&resolution, &tokens, &without_value);
    let prefix = static_prefix(snapshot, &template, shown, &resolution);
    let places = Places { prompt, encoding };
    let until = prefix.until.and_then(|until| {
        Some(UntilInfo { path: until.path, source: places.in_prompt(&until.source)? })
    });
    let placeholder = |PlaceholderSize { path, share, count }| PlaceholderInfo {
        path,
        share: share.into(),
        count,
    };
    Some(SizeAnswer {
        version: prompt.version(),
        case: shown.map(|case| snapshot.cases[case].name.to_string()),
        encoding: counted.id(),
        encodings: TokenEncoding::ALL.map(TokenEncoding::id),
        tokens: tokens.count(),
        max_tokens: settings.max_tokens,
        literal: size.literal.into(),
        placeholders: size.placeholders.into_iter().map(placeholder).collect(),
        prefix: PrefixInfo {
            end: Units::new(&resolution.text, encoding).before(prefix.end),
            tokens: tokens.before(prefix.end),
            cases: prefix.cases,
            until,
        },
    })
}
