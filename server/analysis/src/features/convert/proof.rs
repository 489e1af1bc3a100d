//! Determines the cases in which a converted prompt resolves differently. The only reliable method
//! is to resolve every case of both.

use std::collections::HashMap;
use std::sync::Arc;

use promptls_resolver::{
    Declarations, Engine, Entry, FileId, Format, Inputs, Object, Outcome, ResolveContext, Span,
    Step, Template, Value, ValueKind, lookup_name, steps,
};

use super::conversion::{ConvertedCase, Difference};
use super::had::declares_for_itself;
use crate::sample;
use crate::skeleton::skeleton;
use crate::snapshot::{Case, Snapshot};

/// The file id of the samples for a prompt without inputs, which is otherwise unused.
const SAMPLES: FileId = FileId(u32::MAX);

/// A prompt with at least one case: samples, if it has no inputs.
pub(super) fn with_samples(snapshot: &Snapshot) -> Snapshot {
    if !snapshot.cases.is_empty() {
        return snapshot.clone();
    }
    let text = skeleton(snapshot);
    let inputs = Inputs::parse(&text, Format::Json, SAMPLES).value.unwrap_or_default();
    let mut sampled = snapshot.clone().with_case("", inputs);
    Arc::make_mut(&mut sampled.file_texts).insert(SAMPLES, text.into());
    sampled
}

/// A converted prompt with all files that change with it.
pub(super) struct Converted<'c> {
    pub engine: Engine,
    pub text: &'c str,
    /// The renamed names, old and new.
    pub names: &'c [(String, String)],
    pub cases: &'c [ConvertedCase],
    pub variables: Option<&'c str>,
}

/// The cases in which the resolved text differs. A name with a value at run time stands for itself.
pub(super) fn differences(snapshot: &Snapshot, converted: &Converted<'_>) -> Vec<Difference> {
    let declarations = new_declarations(snapshot, converted);
    let text = snapshot.text.whole();
    let before = Template::compile(snapshot.engine(), &text);
    let after = Template::compile(converted.engine, converted.text);
    let agent = snapshot.settings.agent.as_deref();
    let difference = |case: &Case| {
        let mut new = new_inputs(snapshot, converted, &case.inputs);
        let mut old = (*case.inputs).clone();
        for name in brought_at_run_time(snapshot, case) {
            let is_it = |(old, _): &&(String, String)| *old == name;
            let renamed = converted.names.iter().find(is_it).map_or(&*name, |(_, new)| new);
            put(&mut old.root, snapshot.engine(), &name, &name);
            put(&mut new.root, converted.engine, renamed, &name);
        }
        let given = ResolveContext { agent, ..ResolveContext::new(&old, &snapshot.declarations) };
        let before = before.render(&given);
        let after =
            after.render(&ResolveContext { agent, ..ResolveContext::new(&new, &declarations) });
        let is_same = match (&before, &after) {
            (Ok(before), Ok(after)) => before == after,
            (Err(before), Err(after)) => before.kind == after.kind,
            _ => false,
        };
        let name = (case.inputs.file != SAMPLES).then(|| case.name.clone());
        (!is_same).then_some(Difference { case: name, before, after })
    };
    snapshot.cases.iter().filter_map(difference).collect()
}

fn new_declarations(snapshot: &Snapshot, converted: &Converted<'_>) -> Arc<Declarations> {
    let file = snapshot.declarations.file;
    match converted.variables {
        Some(text) => {
            let format = Format::of_sidecar(snapshot.file_name(file));
            Arc::new(Declarations::parse(text, format, file).value.unwrap_or_default())
        }
        None if declares_for_itself(snapshot) => snapshot.declarations.clone(),
        None => Arc::default(),
    }
}

/// The new inputs of a case, with the texts of the files that their values name.
fn new_inputs(snapshot: &Snapshot, converted: &Converted<'_>, old: &Inputs) -> Inputs {
    let Some(case) = converted.cases.iter().find(|case| case.file == old.file) else {
        return old.clone();
    };
    let format = Format::of_sidecar(snapshot.file_name(case.file));
    let mut new = Inputs::parse(&case.text, format, case.file).value.unwrap_or_default();
    let mut old = old.clone();
    let texts = old.file_texts_mut().into_iter();
    let texts: HashMap<Box<str>, Option<Arc<str>>> =
        texts.map(|(file, _)| (file.path.clone(), file.text.clone())).collect();
    for (file, _) in new.file_texts_mut() {
        file.text = texts.get(&file.path).cloned().flatten();
    }
    new
}

/// The names that the application supplies, and that have no value in a case.
fn brought_at_run_time(snapshot: &Snapshot, case: &Case) -> Vec<String> {
    if snapshot.settings.runtime.is_empty() {
        return Vec::new();
    }
    let runtime = &snapshot.settings.runtime;
    let given =
        ResolveContext { runtime, ..ResolveContext::new(&*case.inputs, &snapshot.declarations) };
    let text = snapshot.text.whole();
    let engine = snapshot.engine();
    let fragments = snapshot.declarations.fragments.iter().map(|fragment| &*fragment.text);
    let names = [&*text].into_iter().chain(fragments).flat_map(|text| {
        let template = Template::compile(engine, text);
        template.path_names().map(str::to_owned).collect::<Vec<_>>()
    });
    let is_brought =
        |name: &String| matches!(lookup_name(engine, name, &given).outcome, Outcome::Runtime);
    names.filter(is_brought).collect()
}

/// Sets the value of a name to a sample.
fn put(root: &mut Object, engine: Engine, name: &str, shown: &str) {
    let steps: Vec<Step<'_>> = steps(engine.dialect(), name).collect();
    let sample = Value::from(sample::text(shown));
    let all = Value::from(std::mem::take(root));
    if let ValueKind::Object(object) = with_value(Some(&all), &steps, &sample).kind {
        *root = object;
    }
}

/// Sets a nested value at the end of some steps.
fn with_value(value: Option<&Value>, steps: &[Step<'_>], leaf: &Value) -> Value {
    match steps.split_first() {
        None => leaf.clone(),
        Some((&Step::Key(key), rest)) => {
            let mut object = value.and_then(Value::as_object).cloned().unwrap_or_default();
            let value = with_value(object.get(key).map(|entry| &entry.value), rest, leaf);
            object.insert(Entry { key: key.into(), key_span: Span::default(), value });
            object.into()
        }
        Some((&Step::Index(index), rest)) => {
            let mut items = value.and_then(Value::as_list).unwrap_or_default().to_vec();
            // Larger indexes do not occur in practice.
            let index = index.min(MAX_ITEMS);
            if items.len() <= index {
                items.resize(index + 1, ValueKind::Null.into());
            }
            items[index] = with_value(items.get(index), rest, leaf);
            items.into()
        }
    }
}

const MAX_ITEMS: usize = 1000;
