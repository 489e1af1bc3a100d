//! `textDocument/definition` and `textDocument/declaration`

use promptls_analysis::{
    Definition, Snapshot, declaration as declared_at, definition as defined_at,
};
use promptls_protocol as wire;
use promptls_resolver::{FileId, Location};

use super::from_all_views;
use crate::context::Context;
use crate::convert;
use crate::document_range::{DocumentPosition, DocumentRange};
use crate::errors::Result;
use crate::session::cross_prompt::views_or_readers;
use crate::session::prompt_snapshot::View;

/// A place that a name leads to.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DefinitionTarget {
    /// The range that leads to it.
    pub origin: wire::Range,
    pub target: DocumentRange,
}

/// The definitions of a name's values, or the matching tag of a block. A part of a prompt in code
/// leads to the literals or the file of its text.
pub fn definition(
    context: Context<Vec<View>>,
    at: DocumentPosition,
) -> Result<Vec<DefinitionTarget>> {
    let of_texts = texts(&context, &at).unwrap_or_default();
    Ok(if of_texts.is_empty() { targets(context, &at, defined_at) } else { of_texts })
}

/// The places of the text that a place in code stands for.
fn texts(context: &Context<Vec<View>>, at: &DocumentPosition) -> Option<Vec<DefinitionTarget>> {
    let (documents, encoding) = (&context.session.documents, context.encoding());
    let text = documents.lookup().text(&at.uri)?;
    let offset = convert::offset(&text, at.position, encoding)?;
    let references = documents.unstored().text_references_at(&at.uri, &text, offset);
    let targets = references.iter().flat_map(|reference| {
        let origin = convert::wire_range(&text, &reference.place, encoding);
        let written = documents.unstored().written_at(&at.uri, reference, encoding).into_iter();
        written.map(move |target| DefinitionTarget { origin, target })
    });
    Some(targets.collect())
}

/// The declaration of a name.
pub fn declaration(
    context: Context<Vec<View>>,
    at: DocumentPosition,
) -> Result<Vec<DefinitionTarget>> {
    Ok(targets(context, &at, declared_at))
}

/// The results of a feature.
fn targets(
    context: Context<Vec<View>>,
    at: &DocumentPosition,
    feature: fn(&Snapshot, FileId, usize, Option<usize>) -> Option<Definition>,
) -> Vec<DefinitionTarget> {
    let encoding = context.encoding();
    let views = views_or_readers(&context.session.documents, context.subject, at, encoding);
    from_all_views(&views, |view| {
        let View { prompt, file } = view;
        let offset = view.offset(at.position, encoding)?;
        let Definition { origin, targets } =
            feature(prompt.snapshot(), *file, offset, prompt.case)?;
        let origin = Location { file: *file, range: origin };
        let origin = prompt.location(&origin, encoding)?.range;
        let targets = targets.iter();
        let target = |it| Some(DefinitionTarget { origin, target: prompt.location(it, encoding)? });
        Some(targets.filter_map(target).collect())
    })
}
