//! Links in a prompt or a sidecar: URLs, files, artifacts.

use std::ops::Range;

use linkify::{LinkFinder, LinkKind};
use promptls_resolver::{FileId, Location, Value, ValueKind};
use ropey::Rope;

use crate::snapshot::Snapshot;

/// A link that can be opened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// The range of the link.
    pub range: Range<usize>,
    /// The target of the link.
    pub target: LinkTarget,
}

/// The target of a link.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LinkTarget {
    /// A complete `http` or `https` URL.
    Url(String),
    /// A file, relative to another one.
    File {
        /// The path in source form.
        path: String,
        /// The file that contains the link.
        from: FileId,
    },
    /// A value in an inputs file.
    Value(Location),
}

/// The maximum length of a text that is searched for URLs, in bytes. Longer texts are data.
const LONGEST: usize = 4 << 20;

/// The links in a file of a prompt, whose text the snapshot contains.
///
/// In an inputs file, these are `$file` values. In a prompt, these are artifacts: their file, or
/// the location of their text in the case (an index into [`Snapshot::cases`]). URLs are links in
/// all files.
///
/// Cost: one pass over the text and the values, or over the uses of names.
pub fn document_links(
    snapshot: &Snapshot,
    file: FileId,
    text: &Rope,
    case: Option<usize>,
) -> Vec<Link> {
    let mut links = urls(text);
    if file == FileId::PROMPT {
        artifacts(snapshot, case, &mut links);
    } else if let Some(case) = snapshot.cases.iter().find(|case| case.inputs.file == file) {
        for entry in case.inputs.root.entries() {
            files(&entry.value, file, text, &mut links);
        }
    }
    links.sort_by_key(|link| link.range.start);
    links
}

/// The URLs in a text with the schemes `http:` and `https:`. Empty for a text longer than 4 MiB. A
/// URL with a placeholder is not a link.
///
/// ```
/// use promptls_analysis::{LinkTarget, urls};
/// use ropey::Rope;
///
/// let links = urls(&Rope::from_str("See https://example.com/a."));
/// assert_eq!(links[0].target, LinkTarget::Url("https://example.com/a".to_owned()));
/// ```
pub fn urls(text: &Rope) -> Vec<Link> {
    if text.len_bytes() > LONGEST {
        return Vec::new();
    }
    let text = text.to_string();
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let link = |found: linkify::Link<'_>| {
        // In JSON, a backslash starts an escape that is not part of the URL.
        let url = found.as_str().split('\\').next().unwrap_or_default();
        let is_web = ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme));
        let range = found.start()..found.start() + url.len();
        let is_complete = !url.contains(['{', '}']) && !text[range.end..].starts_with('{');
        (is_web && is_complete).then(|| Link { range, target: LinkTarget::Url(url.to_owned()) })
    };
    finder.links(&text).filter_map(link).collect()
}

fn artifacts(snapshot: &Snapshot, case: Option<usize>, links: &mut Vec<Link>) {
    let case = case.and_then(|case| snapshot.cases.get(case));
    let (Some(case), Some(prefix)) = (case, snapshot.dialect().spec().file_prefix) else { return };
    let tree = &snapshot.tree;
    let is_artifact = |name: &str| name.starts_with(prefix);
    let uses = tree.uses().map(|(used, _)| used);
    let uses = uses.filter(|used| used.kind.reads() && is_artifact(tree.name(used.name)));
    for found in tree.occurrences(&uses.collect(), usize::MAX) {
        let Some(entry) = case.inputs.root.get(found.name) else { continue };
        let from = case.inputs.file;
        let target = match &entry.value.kind {
            ValueKind::File(file) => LinkTarget::File { path: file.path.to_string(), from },
            _ => LinkTarget::Value(Location { file: from, range: entry.value.span.range() }),
        };
        links.push(Link { range: snapshot.name_range(&found), target });
    }
}

/// Collects every `$file` in a value.
fn files(value: &Value, from: FileId, text: &Rope, links: &mut Vec<Link>) {
    match &value.kind {
        ValueKind::File(file) => {
            let span = value.span.range();
            let Some(written) = text.get_byte_slice(span.clone()) else { return };
            let written = written.to_string();
            // A path with escapes is not found in the source; then the whole value is the link.
            let range = match written.rfind(&*file.path) {
                Some(at) => span.start + at..span.start + at + file.path.len(),
                None => span,
            };
            links.push(Link {
                range,
                target: LinkTarget::File { path: file.path.to_string(), from },
            });
        }
        ValueKind::List(items) => items.iter().for_each(|item| files(item, from, text, links)),
        ValueKind::Object(object) => {
            for entry in object.entries() {
                files(&entry.value, from, text, links);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::Files;

    #[track_caller]
    fn check(prompt: &str, inputs: &str, file: FileId, expected: Expect) {
        let files = Files::new(Dialect::Adk, prompt, &[inputs], "{}");
        let text = if file == FileId::PROMPT { prompt } else { inputs };
        let found = document_links(&files.snapshot, file, &Rope::from_str(text), Some(0));
        let line = |Link { range, target }: &Link| {
            let target = match target {
                LinkTarget::Url(url) => url.clone(),
                LinkTarget::File { path, from } => {
                    format!("{path} beside {}", files.snapshot.file_name(*from))
                }
                LinkTarget::Value(location) => files.show(std::slice::from_ref(location)),
            };
            format!("{} → {}\n", &text[range.clone()], target.trim_end())
        };
        expected.assert_eq(&found.iter().map(line).collect::<String>());
    }

    #[test]
    fn files_as_values_at_any_depth_are_links() {
        check(
            "",
            r#"{"a": {"$file": "a.md"}, "b": [{"$file": "b\u002emd"}]}"#,
            Files::FIRST_CASE,
            expect![[r#"
                a.md → a.md beside case0.json
                {"$file": "b\u002emd"} → b.md beside case0.json
            "#]],
        );
    }

    #[test]
    fn artifacts_link_to_their_text() {
        check(
            "{artifact.a.txt} {artifact.b?} {artifact.c} {d}",
            r#"{"artifact.a.txt": {"$file": "a.txt"}, "artifact.b": "B", "d": 1}"#,
            FileId::PROMPT,
            expect![[r#"
                artifact.a.txt → a.txt beside case0.json
                artifact.b → case0.json 53..56 "B"
            "#]],
        );
    }

    #[test]
    fn web_addresses_are_links() {
        check(
            "See https://a.example/b?c=d. (http://e.example) x@f.example ftp://g.example \
             https://h.example/{id} {https://i.example}",
            "{}",
            FileId::PROMPT,
            expect![[r#"
                https://a.example/b?c=d → https://a.example/b?c=d
                http://e.example → http://e.example
                https://i.example → https://i.example
            "#]],
        );
        check(
            "",
            r#"{"a": "https://a.example\nb", "c": "https://c.example/"}"#,
            Files::FIRST_CASE,
            expect![[r#"
                https://a.example → https://a.example
                https://c.example/ → https://c.example/
            "#]],
        );
    }
}
