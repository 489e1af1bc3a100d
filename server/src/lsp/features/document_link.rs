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
use crate::lsp::moment::View;
use crate::workspace::{absolute, named_files};

/// What can be opened from a prompt, a sidecar, a pack or a `promptls.toml`.
pub async fn answer(
    documents: &Documents,
    abilities: &Abilities,
    uri: &lsp::Uri,
) -> Result<Option<Vec<lsp::DocumentLink>>> {
    let encoding = abilities.encoding;
    if let Some(path) = documents.open_config(uri) {
        return Ok(of_config(documents, &path, encoding));
    }
    // What stands in a pack is found in its JSON as well.
    if let Some(pack) = documents.pack(uri) {
        let text = pack.place(pack.pack.file).map(|(text, _)| text.clone());
        return work(false, move || {
            let text = text?;
            let links = urls(&text).into_iter();
            let link = |Link { range, target }: Link| match target {
                LinkTarget::Url(url) => {
                    link(convert::lsp_range(&text, &range, encoding), url.parse().ok()?)
                }
                _ => None,
            };
            Some(links.filter_map(link).collect())
        })
        .await;
    }
    let mut views: Vec<View> = documents
        .moment(uri)
        .map(|moment| View { moment, file: FileId::PROMPT })
        .into_iter()
        .collect();
    if views.is_empty() {
        views = documents.readers(uri);
    }
    // What several prompts say of a file that they share is the same.
    let Some(view) = views.into_iter().next() else { return Ok(None) };
    let is_heavy = super::are_heavy(std::slice::from_ref(&view.moment));
    work(is_heavy, move || Some(of_view(&view, encoding))).await
}

fn of_view(view: &View, encoding: Encoding) -> Vec<lsp::DocumentLink> {
    let View { moment, file } = view;
    let text = match *file {
        FileId::PROMPT => Some(&moment.snapshot.text),
        file => moment.place(file).map(|(text, _)| text),
    };
    let Some(text) = text else { return Vec::new() };
    let path_of = |file: FileId| {
        let uri = moment.uris.get(file.0 as usize)?.as_ref()?;
        Some(uri.to_file_path()?.into_owned())
    };
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
    let links = document_links(&moment.snapshot, *file, text, moment.case);
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
