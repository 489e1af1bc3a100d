//! `textDocument/documentLink`

use std::path::Path;

use promptls_analysis::position::Encoding;
use promptls_analysis::{Link, LinkTarget, document_links, urls};
use promptls_resolver::FileId;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use super::lsp_range;
use crate::lsp::abilities::Abilities;
use crate::lsp::backend::work;
use crate::lsp::convert;
use crate::lsp::documents::Documents;
use crate::lsp::moment::{FileMoment, Moment, View};
use crate::workspace::{absolute, named_files};

/// What can be opened from a file of prompts, a sidecar or a `promptls.toml`.
pub async fn answer(
    documents: &Documents,
    abilities: &Abilities,
    uri: &lsp::Uri,
) -> Result<Option<Vec<lsp::DocumentLink>>> {
    let encoding = abilities.encoding;
    if let Some(path) = documents.open_config(uri) {
        return Ok(of_config(documents, &path, encoding));
    }
    let moments = documents.moments(uri);
    let is_heavy = super::are_heavy(&moments);
    if let Some(file) = documents.file(uri) {
        return work(is_heavy, move || Some(of_file(&file, moments, encoding))).await;
    }
    // What several prompts say of a file that they share is the same.
    let Some(view) = documents.known_readers(uri).into_iter().next() else { return Ok(None) };
    work(is_heavy, move || Some(of_view(&view, encoding))).await
}

/// What the prompts of a file name, and the addresses that stand around them.
fn of_file(file: &FileMoment, moments: Vec<Moment>, encoding: Encoding) -> Vec<lsp::DocumentLink> {
    let view = |moment| View { moment, file: FileId::PROMPT };
    let mut links: Vec<lsp::DocumentLink> =
        moments.into_iter().flat_map(|moment| of_view(&view(moment), encoding)).collect();
    if file.file.where_prompts_stand().is_some() {
        let around =
            urls(&file.text).into_iter().filter_map(|Link { range, target }| match target {
                LinkTarget::Url(url) => {
                    link(convert::lsp_range(&file.text, &range, encoding), url.parse().ok()?)
                }
                _ => None,
            });
        let is_known = |new: &lsp::DocumentLink| links.iter().any(|link| link.range == new.range);
        let around: Vec<_> = around.filter(|link| !is_known(link)).collect();
        links.extend(around);
    }
    links
}

fn of_view(view: &View, encoding: Encoding) -> Vec<lsp::DocumentLink> {
    let View { moment, file } = view;
    let text = match *file {
        FileId::PROMPT => Some(&moment.snapshot().text),
        file => moment.place(file).map(|(text, _)| text),
    };
    let Some(text) = text else { return Vec::new() };
    let path_of = |file: FileId| Some(moment.uri_of(file)?.to_file_path()?.into_owned());
    let link = |Link { range, target }: Link| {
        let target = match target {
            LinkTarget::Url(url) => url.parse().ok()?,
            LinkTarget::File { path, from } => beside(&path_of(from)?, &path)?,
            LinkTarget::Value(location) => {
                let value = convert::location(moment, &location, encoding)?;
                let line = value.range.start.line + 1;
                format!("{}#L{line}", value.uri.as_str()).parse().ok()?
            }
        };
        let range = match *file {
            FileId::PROMPT => lsp_range(moment, &range, encoding)?,
            _ => convert::lsp_range(text, &range, encoding),
        };
        link(range, target)
    };
    let links = document_links(moment.snapshot(), *file, text, moment.case);
    links.into_iter().filter_map(link).collect()
}

/// The files that a config names.
fn of_config(
    documents: &Documents,
    path: &Path,
    encoding: Encoding,
) -> Option<Vec<lsp::DocumentLink>> {
    let (text, _) = documents.config(path)?;
    let named = named_files(&text.to_string());
    let links = named.into_iter().filter_map(|(range, name)| {
        link(convert::lsp_range(&text, &range, encoding), beside(path, &name)?)
    });
    Some(links.collect())
}

/// The address of a file that another one names.
fn beside(file: &Path, name: &str) -> Option<lsp::Uri> {
    convert::uri(&absolute(file.parent()?, Path::new(name)))
}

fn link(range: lsp::Range, target: lsp::Uri) -> Option<lsp::DocumentLink> {
    Some(lsp::DocumentLink { range, target: Some(target), tooltip: None, data: None })
}
