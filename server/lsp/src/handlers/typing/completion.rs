//! `textDocument/completion` and `completionItem/resolve`

use promptls_analysis::position::Encoding;
use promptls_analysis::{
    Completion, CompletionKind, complete, complete_crew, complete_declarations, complete_fragment,
    complete_inputs, describe,
};
use promptls_protocol as wire;
use promptls_resolver::{FileId, Format};
use promptls_workspace::{complete_config, is_variables_file};
use ropey::Rope;
use serde::{Deserialize, Serialize};

use crate::client_capabilities::ClientCapabilities;
use crate::context::Context;
use crate::convert;
use crate::document_range::DocumentPosition;
use crate::errors::Result;
#[cfg(feature = "templates")]
use crate::handlers::sections;
use crate::session::Session;
use crate::session::prompt_snapshot::{PromptSnapshot, View};

/// Completes a header of `promptls.toml`, and closes the list of headers. Elsewhere it triggers no
/// completions.
pub const HEADER_END: &str = "]";

pub struct CompletionQuery {
    pub at: DocumentPosition,
    /// The character that triggered the request; `None` for any other request.
    pub typed: Option<String>,
}

/// A completion with its positions in the document.
pub struct PlacedCompletion {
    pub completion: Completion,
    pub replaced: wire::Range,
    /// The position of a comma to insert.
    pub comma_at: Option<wire::Position>,
    /// The position of the request.
    pub cursor: wire::Position,
    /// `None` if it has no more documentation.
    pub data: Option<CompletionData>,
}

/// The data of a completion item, for resolving it.
#[derive(Debug, Serialize, Deserialize)]
pub struct CompletionData {
    #[serde(flatten)]
    at: DocumentPosition,
    name: String,
}

/// The completions at a position of a prompt, an inputs file, or `promptls.toml`.
pub fn completion(
    context: Context<Vec<View>>,
    CompletionQuery { at, typed }: CompletionQuery,
) -> Result<Option<Vec<PlacedCompletion>>> {
    let encoding = context.encoding();
    let documents = &context.session.documents;
    if let Some(path) = documents.open_config(&at.uri) {
        return Ok(documents.project().config(&path).and_then(|(text, _)| {
            let offset = convert::offset(&text, at.position, encoding)?;
            let found = complete_config(&text.to_string(), offset);
            Some(placed(&text, found, &at, encoding))
        }));
    }
    if typed.as_deref() == Some(HEADER_END) {
        return Ok(None);
    }
    let views = &context.subject;
    let Some(text) = views.first().and_then(text_of) else { return Ok(None) };
    let mut found: Vec<Completion> = Vec::new();
    for view in views {
        merge(&mut found, proposals(view, at.position, encoding));
        #[cfg(feature = "templates")]
        merge(&mut found, sections_at(view, at.position, &context));
    }
    // A prompt is not sent without a name; a part from run time only looks better with a value.
    let is_hole = |it: &Completion| it.kind == CompletionKind::Key && it.label.starts_with('=');
    found.sort_by_key(is_hole);
    Ok(Some(placed(text, found, &at, encoding)))
}

/// The prompt of a completion item.
pub fn prompt_of(session: &Session, data: &CompletionData) -> Option<PromptSnapshot> {
    let DocumentPosition { uri, position } = &data.at;
    session.documents.lookup().prompt_at(uri, *position, session.encoding())
}

/// The documentation of a completion item.
pub fn resolve(
    context: Context<Option<PromptSnapshot>>,
    CompletionData { at, name }: CompletionData,
) -> Result<Option<String>> {
    let &ClientCapabilities { encoding, markdown_items: markdown, .. } = context.client();
    let Some(prompt) = &context.subject else { return Ok(None) };
    // The text may have changed since; then the name is treated as one outside of blocks.
    let offset = prompt.offset(at.position, encoding).unwrap_or(0);
    let about = describe(prompt.snapshot(), offset, &name);
    Ok(Some(prompt.markup(&about, markdown, encoding)))
}

/// The text of the requested document.
fn text_of(View { prompt, file }: &View) -> Option<&Rope> {
    match *file {
        FileId::PROMPT => Some(prompt.document_text()),
        file => Some(prompt.place(file)?.0),
    }
}

/// The completions of one prompt.
fn proposals(view: &View, position: wire::Position, encoding: Encoding) -> Vec<Completion> {
    let View { prompt, file } = view;
    if *file == FileId::PROMPT {
        let Some(offset) = prompt.offset(position, encoding) else { return Vec::new() };
        let found = complete(prompt.snapshot(), offset).into_iter();
        return found.filter_map(|found| prompt.completion_in_document(found)).collect();
    }
    let Some(offset) = view.offset(position, encoding) else { return Vec::new() };
    let Some((text, uri)) = prompt.place(*file) else { return Vec::new() };
    if *file == prompt.file().file {
        let names = complete_crew(prompt.snapshot(), *file, offset);
        if !names.is_empty() {
            return names;
        }
    }
    let path = convert::path(&uri);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some(format) = Format::from_path(name) else { return Vec::new() };
    let (snapshot, text) = (prompt.snapshot(), text.to_string());
    if *file == snapshot.declarations.file {
        let variables_at = &prompt.prompt().variables_at;
        return complete_fragment(snapshot, &text, offset).unwrap_or_else(|| {
            complete_declarations(snapshot, &text, format, offset, variables_at)
        });
    }
    // The file of a pack whose declarations are not used, or a file that no prompt reads.
    if *file == prompt.file().file || is_variables_file(name) {
        return Vec::new();
    }
    complete_inputs(snapshot, &text, format, offset)
}

/// The sections that a paragraph which is being typed may become.
#[cfg(feature = "templates")]
fn sections_at(
    View { prompt, file }: &View,
    position: wire::Position,
    context: &Context<Vec<View>>,
) -> Vec<Completion> {
    let is_ours = *file == FileId::PROMPT && prompt.snapshot().foreign.is_none();
    let offset = is_ours.then(|| prompt.offset(position, context.encoding())).flatten();
    let language = context.session.preferences.language();
    let found = offset.map(|at| sections::proposals(prompt.snapshot(), at, &language));
    let found = found.into_iter().flatten();
    found.filter_map(|found| prompt.completion_in_document(found)).collect()
}

/// Adds the completions of another prompt. A key that several prompts need is listed once.
fn merge(found: &mut Vec<Completion>, more: Vec<Completion>) {
    for completion in more {
        match found.iter_mut().find(|known| known.label == completion.label) {
            None => found.push(completion),
            Some(known) => {
                let new = completion.documentation.into_iter();
                let new: Vec<_> =
                    new.filter(|section| !known.documentation.contains(section)).collect();
                known.documentation.extend(new);
            }
        }
    }
}

/// Adds the positions for the editor, in the text of the document.
fn placed(
    text: &Rope,
    found: Vec<Completion>,
    at: &DocumentPosition,
    encoding: Encoding,
) -> Vec<PlacedCompletion> {
    // A completion that changes nothing would only consume the Enter that is meant for the text.
    let is_there = |it: &Completion| {
        text.byte_slice(it.replaced.clone()) == it.inserted.as_str()
            && matches!(it.kind, CompletionKind::Key | CompletionKind::Value)
    };
    let placed = |completion: Completion| PlacedCompletion {
        replaced: convert::wire_range(text, &completion.replaced, encoding),
        comma_at: completion.comma_at.map(|comma| convert::wire_position(text, comma, encoding)),
        cursor: at.position,
        data: completion.name.clone().map(|name| CompletionData { at: at.clone(), name }),
        completion,
    };
    found.into_iter().filter(|it| !is_there(it)).map(placed).collect()
}
