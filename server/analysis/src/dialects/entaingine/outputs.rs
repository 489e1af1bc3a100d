//! Outputs of tasks in the inputs: the names that may be read, the needed values, and the keys to
//! edit.

use std::collections::BTreeMap;

use promptls_resolver::entaingine::{ALL_OUTPUTS, DOCUMENTS, FETCHED_KEYS, METADATA, fetched};
use promptls_resolver::{Object, ResolveContext, Value};

use crate::advice::Outputs;
use crate::excerpt::{MAX_LISTED, of_value};
use crate::needs::Need;
use crate::snapshot::Snapshot;
use crate::symbol::PathStep;

/// The outputs of tasks, as names that a prompt may read.
pub(super) struct OfTasks;

/// A link with its document in the inputs.
const DOCUMENT: &str = "https://example.com/document";

/// The keys that the metadata of each chunk has in addition to those of its author, with
/// descriptions.
const METADATA_KEYS: [(&str, &str); 3] = [
    ("score", "the similarity score; always present"),
    ("chunkId", "the id of the chunk; always present"),
    ("chunkText", "the text of the chunk; almost always present"),
];

impl Outputs for OfTasks {
    /// Replaces `all` by the first output with metadata: in the others, no further step exists.
    fn stand_in(&self, snapshot: &Snapshot, path: &mut [PathStep]) {
        let [PathStep::Key(task), PathStep::Key(output), ..] = &mut path[..] else { return };
        if output != ALL_OUTPUTS {
            return;
        }
        let outputs = snapshot.cases.iter().filter_map(|case| {
            let outputs = case.inputs.root.get(task)?.value.as_object()?;
            let has_metadata =
                |value: &Value| value.as_object().is_some_and(|it| it.get(METADATA).is_some());
            outputs.entries().iter().find(|entry| has_metadata(&entry.value))
        });
        if let Some(first) = outputs.into_iter().next() {
            *output = first.key.to_string();
        }
    }

    fn about(&self, name: &str) -> Option<&'static str> {
        let mut pieces = name.splitn(4, '.').skip(2);
        let (Some(METADATA), Some(key)) = (pieces.next(), pieces.next()) else { return None };
        METADATA_KEYS.iter().find(|(known, _)| *known == key).map(|(_, about)| *about)
    }

    fn names(&self, snapshot: &Snapshot) -> Vec<(String, String)> {
        let mut labels: BTreeMap<String, String> = BTreeMap::new();
        for case in &snapshot.cases {
            for task in case.inputs.root.entries() {
                let Some(outputs) =
                    task.value.as_object().filter(|_| task.key.starts_with("task_"))
                else {
                    continue;
                };
                labels.insert(format!("{}.{ALL_OUTPUTS}", task.key), "all outputs".to_owned());
                for output in outputs.entries().iter().take(MAX_LISTED) {
                    let label = format!("{}.{}", task.key, output.key);
                    let Some(object) = output.value.as_object() else {
                        labels.entry(label).or_insert_with(|| of_value(&output.value));
                        continue;
                    };
                    if let Some(text) = object.get("text") {
                        labels.entry(label.clone()).or_insert_with(|| of_value(&text.value));
                    }
                    let Some(metadata) = object.get(METADATA) else { continue };
                    let label = format!("{label}.{METADATA}");
                    labels.entry(label.clone()).or_insert_with(|| of_value(&metadata.value));
                    for entry in metadata.value.as_object().map_or(&[][..], |o| o.entries()) {
                        labels
                            .entry(format!("{label}.{}", entry.key))
                            .or_insert_with(|| of_value(&entry.value));
                    }
                    for (key, about) in METADATA_KEYS {
                        let label = format!("{label}.{key}");
                        labels.entry(label).or_insert_with(|| about.to_owned());
                    }
                }
            }
        }
        labels.into_iter().collect()
    }

    /// The documents of links are inputs, too.
    fn also_read(&self, name: &str) -> Option<&'static str> {
        let is_fetched = FETCHED_KEYS.iter().any(|key| name.ends_with(&format!(".{key}")));
        is_fetched.then_some(DOCUMENTS)
    }

    /// Adds the need of an input, or of an output of a task, possibly with metadata.
    fn need(&self, root: &mut Need, mut path: Vec<PathStep>) {
        if let Some(PathStep::Key(output)) = path.get_mut(1)
            && output == ALL_OUTPUTS
        {
            *output = "output_0".to_owned();
        }
        if path.len() > 2 {
            let text = [&path[..2], &[PathStep::Key("text".to_owned())]].concat();
            root.at(&text).is_sent = true;
        }
        let is_metadata = path.len() == 3;
        let need = root.at(&path);
        if is_metadata {
            need.is_object = true;
        }
        need.is_sent = true;
        if let Some(PathStep::Key(key)) = path.get(3)
            && FETCHED_KEYS.contains(&&**key)
        {
            need.text = Some(DOCUMENT);
            let document = root.member(DOCUMENTS).member(DOCUMENT);
            (document.is_sent, document.text) = (true, Some("<document>"));
        }
    }

    fn fields(
        &self,
        path: &[PathStep],
        given: &ResolveContext<'_>,
        needs: &Need,
    ) -> Vec<Vec<String>> {
        let pieces = path.iter().filter_map(|step| match step {
            PathStep::Key(key) => Some(key.as_str()),
            _ => None,
        });
        let pieces: Vec<&str> = pieces.collect();
        let (task, output) = (pieces[0], pieces[1]);
        let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
        let outputs = match given.values.get(task).and_then(|value| value.as_value()) {
            Some(value) if value.as_object().is_none() && !value.is_null() => {
                return vec![keys(&[task])];
            }
            value => value.and_then(Value::as_object),
        };
        let all = outputs.map(Object::entries).unwrap_or_default();
        let mut names: Vec<&str> = match output {
            ALL_OUTPUTS => all.iter().map(|entry| &*entry.key).collect(),
            output => vec![output],
        };
        names.retain(|name| name.starts_with("output_"));
        if names.is_empty() {
            names.push("output_0");
        }
        let mut found = Vec::new();
        for name in names {
            let value = outputs.and_then(|outputs| outputs.get(name)).map(|entry| &entry.value);
            let object = value.and_then(Value::as_object);
            let mut own = vec![task, name];
            match pieces.len() {
                // An output with metadata has its text in a member.
                2 if object.is_some_and(|object| object.get("text").is_some()) => own.push("text"),
                2 => {
                    let needed = needs.value_at(&keys(&own));
                    let is_object = needed.is_some_and(|needed| needed.is_object());
                    own.extend((value.is_none() && is_object).then_some("text"));
                }
                _ if object.is_none() && value.is_some_and(|value| !value.is_null()) => {}
                _ => own.extend(&pieces[2..]),
            }
            found.push(keys(&own));
            if let [_, _, _, key] = pieces[..]
                && FETCHED_KEYS.contains(&key)
            {
                let links = fetched(&format!("{task}.{name}.x.{key}"), given);
                let texts = links.into_iter().filter_map(Value::as_text);
                found.extend(texts.map(|url| keys(&[DOCUMENTS, url])));
            }
        }
        found
    }
}
