//! `textDocument/documentLink`

use std::collections::BTreeMap;
use std::path::Path;

use promptls_analysis::position::Encoding;
use promptls_analysis::{Link, LinkTarget, document_links, urls};
use promptls_protocol as wire;
use promptls_resolver::FileId;

use crate::context::{Context, DocumentSubject};
use crate::convert::{self, Uri};
use crate::errors::Result;
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::{FileSnapshot, PromptSnapshot, View};
use promptls_workspace::{TextReference, TextTarget, absolute, named_files};

/// A range that leads to another document.
pub struct DocumentLink {
    pub range: wire::Range,
    pub target: Uri,
}

/// The links in a file of prompts, a sidecar or a `promptls.toml`.
pub fn document_link(
    context: Context<DocumentSubject>,
    uri: Uri,
) -> Result<Option<Vec<DocumentLink>>> {
    let encoding = context.encoding();
    let documents = &context.session.documents;
    if let Some(path) = documents.open_config(&uri) {
        return Ok(of_config(documents, &path, encoding));
    }
    let DocumentSubject { file, prompts, readers } = context.subject;
    let paths = of_code(documents, &uri, encoding);
    if let Some(file) = file {
        let mut links = of_file(&file, prompts, encoding);
        links.extend(paths);
        return Ok(Some(links));
    }
    if !paths.is_empty() {
        return Ok(Some(paths));
    }
    // Links in a shared file are the same for all prompts that read it.
    Ok(readers.first().map(|view| of_view(view, encoding)))
}

/// The literal paths with which code reads files. A path that leads to several files is no link.
fn of_code(documents: &Documents, uri: &Uri, encoding: Encoding) -> Vec<DocumentLink> {
    let Some(text) = documents.lookup().text(uri) else { return Vec::new() };
    let references = documents.unstored().text_references(uri, &text);
    let is_path = |it: &&TextReference| matches!(it.target, TextTarget::File(_));
    let mut links: BTreeMap<(usize, usize), Vec<DocumentLink>> = BTreeMap::new();
    for reference in references.iter().filter(is_path) {
        let range = convert::wire_range(&text, &reference.place, encoding);
        let files = documents.unstored().written_at(uri, reference, encoding).into_iter();
        let here = links.entry((reference.place.start, reference.place.end)).or_default();
        here.extend(files.map(|file| DocumentLink { range, target: file.uri }));
        here.dedup_by(|one, other| one.target == other.target);
    }
    links.into_values().filter(|here| here.len() == 1).flatten().collect()
}

/// The files that prompts name, and URLs in the text around them.
fn of_file(
    file: &FileSnapshot,
    prompts: Vec<PromptSnapshot>,
    encoding: Encoding,
) -> Vec<DocumentLink> {
    let view = |prompt| View { prompt, file: FileId::PROMPT };
    let prompts = prompts.into_iter().filter(PromptSnapshot::is_written_here);
    let mut links: Vec<DocumentLink> =
        prompts.flat_map(|prompt| of_view(&view(prompt), encoding)).collect();
    if file.file.where_prompts_stand().is_some() {
        let around =
            urls(&file.text).into_iter().filter_map(|Link { range, target }| match target {
                LinkTarget::Url(url) => {
                    let range = convert::wire_range(&file.text, &range, encoding);
                    Some(DocumentLink { range, target: url.parse().ok()? })
                }
                _ => None,
            });
        let is_known = |new: &DocumentLink| links.iter().any(|link| link.range == new.range);
        let around: Vec<_> = around.filter(|link| !is_known(link)).collect();
        links.extend(around);
    }
    links
}

fn of_view(view: &View, encoding: Encoding) -> Vec<DocumentLink> {
    let View { prompt, file } = view;
    let text = match *file {
        FileId::PROMPT => Some(prompt.snapshot().text.rope()),
        file => prompt.place(file).map(|(text, _)| text),
    };
    let Some(text) = text else { return Vec::new() };
    let path_of = |file: FileId| prompt.uri_of(file).map(convert::path);
    let link = |Link { range, target }: Link| {
        let target: Uri = match target {
            LinkTarget::Url(url) => url.parse().ok()?,
            LinkTarget::File { path, from } => beside(&path_of(from)?, &path)?,
            LinkTarget::Value(location) => {
                let value = prompt.location(&location, encoding)?;
                let line = value.range.start.line + 1;
                format!("{}#L{line}", value.uri.as_str()).parse().ok()?
            }
        };
        let range = match *file {
            FileId::PROMPT => prompt.shown_range(&range, encoding)?,
            _ => convert::wire_range(text, &range, encoding),
        };
        Some(DocumentLink { range, target })
    };
    let links = document_links(prompt.snapshot(), *file, text, prompt.case);
    links.into_iter().filter_map(link).collect()
}

/// The files that a config names.
fn of_config(documents: &Documents, path: &Path, encoding: Encoding) -> Option<Vec<DocumentLink>> {
    let (text, _) = documents.project().config(path)?;
    let named = named_files(&text.to_string());
    let links = named.into_iter().filter_map(|(range, name)| {
        let range = convert::wire_range(&text, &range, encoding);
        Some(DocumentLink { range, target: beside(path, &name)? })
    });
    Some(links.collect())
}

/// The URI of a file named in another one; `None` for a path without a folder.
fn beside(file: &Path, name: &str) -> Option<Uri> {
    convert::uri(&absolute(file.parent()?, Path::new(name)))
}
