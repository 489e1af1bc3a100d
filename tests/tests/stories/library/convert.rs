//! Every vector converted to each other dialect, and back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use promptls_analysis::{Conversion, Settings, Snapshot, convert};
use promptls_resolver::{
    Declarations, ENGINES, Engine, EngineRef, ErrorKind, FileId, Format, Inputs, Resolution,
};
use promptls_syntax::{Dialect, Tree};
use promptls_tests::vectors::{Vector, engine_vectors, vectors};

const INPUTS: FileId = FileId(1);
const VARIABLES: FileId = FileId(2);

/// A prompt read from its files.
fn read(
    engine: Option<EngineRef>,
    dialect: Dialect,
    text: &str,
    inputs: &str,
    variables: Option<&str>,
) -> Snapshot {
    let parsed = Inputs::parse(inputs, Format::Json, INPUTS).value.expect("inputs are fine");
    let mut snapshot = Snapshot::new(dialect, text).with_case("default", parsed);
    snapshot.tree =
        Arc::new(Tree::parse(engine.map_or(Engine::from(dialect), |it| it.engine()), text));
    let settings = Settings { engines: engine.into_iter().collect(), ..Settings::default() };
    snapshot.settings = Arc::new(settings);
    let mut texts: BTreeMap<FileId, Arc<str>> = [(INPUTS, inputs.into())].into();
    if let Some(variables) = variables {
        let parsed = Declarations::parse(variables, Format::Json, VARIABLES);
        snapshot.declarations = parsed.value.expect("variables are fine").into();
        texts.insert(VARIABLES, variables.into());
    }
    snapshot.file_texts = texts.into();
    snapshot
}

fn read_vector(vector: &Vector) -> Option<Snapshot> {
    let engine = vector.engine.as_deref().map(|id| EngineRef::parse(id).expect("it is known"));
    let dialect = Dialect::from_id(&vector.dialect).expect("this is a dialect");
    let inputs = vector.inputs.as_deref().unwrap_or("{}");
    let text = vector.template.as_deref()?;
    Some(read(engine, dialect, text, inputs, vector.variables.as_deref()))
}

fn read_again(conversion: &Conversion, dialect: Dialect, engine: Option<EngineRef>) -> Snapshot {
    let inputs = conversion.cases.first().map_or("{}", |case| &case.text);
    read(engine, dialect, &conversion.text, inputs, conversion.variables.as_deref())
}

/// The text that is sent, or the error.
fn sent(resolution: Resolution) -> Result<String, ErrorKind> {
    match resolution.error {
        Some(error) => Err(error.kind),
        None => Ok(resolution.text),
    }
}

/// The numbers of conversions, and of conversions back.
#[derive(Default)]
struct Counts {
    there: usize,
    back: usize,
    /// The dialects of the conversions back, from and to.
    pairs: BTreeSet<(&'static str, &'static str)>,
}

impl Counts {
    /// Converts a vector to a dialect, for an engine if one is given, and back.
    fn convert(&mut self, vector: &Vector, dialect: Dialect, target: Option<EngineRef>) {
        let Some(snapshot) = read_vector(vector) else { return };
        let before = sent(snapshot.resolve(Some(0)));
        let engine = target.map_or(Engine::from(dialect), |target| target.engine());
        let Ok(there) = convert(&snapshot, engine) else { return };
        if !there.differences.is_empty() {
            return;
        }
        let read = read_again(&there, dialect, target);
        assert_eq!(sent(read.resolve(Some(0))), before, "{vector:?} {engine:?} {there:?}");
        self.there += 1;
        let Ok(back) = convert(&read, snapshot.engine()) else { return };
        if back.differences.is_empty() {
            let engine = snapshot.engines().first().copied();
            let last = read_again(&back, snapshot.dialect(), engine);
            assert_eq!(sent(last.resolve(Some(0))), before, "{vector:?} {dialect:?} {back:?}");
            self.back += 1;
            self.pairs.insert((snapshot.dialect().spec().id, dialect.spec().id));
        }
    }
}

// They are unusual prompts, many of which cannot be converted.

/// The items for a vector: a fourth of them, others for the next. All together take a minute, and the
/// vectors have each construct many times.
fn in_turn<T>(number: usize, items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    items.into_iter().skip(number % 4).step_by(4)
}

#[test]
fn converting_vectors_between_dialects_and_back_changes_no_text() {
    let mut counts = Counts::default();
    for (number, vector) in vectors().iter().chain(&engine_vectors()).enumerate() {
        for dialect in in_turn(number, Dialect::ALL) {
            counts.convert(vector, dialect, None);
        }
    }
    assert!(counts.there > 1_200 && counts.back > 1_000, "{} {}", counts.there, counts.back);
    let ids = || Dialect::ALL.into_iter().map(|dialect| dialect.spec().id);
    let pairs = ids().flat_map(|from| ids().map(move |to| (from, to)));
    let missing: Vec<_> = pairs.filter(|pair| !counts.pairs.contains(pair)).collect();
    assert!(missing.is_empty(), "no prompt is converted there and back: {missing:?}");
}

#[test]
fn converting_vectors_between_engines_and_back_changes_no_text() {
    let mut counts = Counts::default();
    for (number, vector) in vectors().iter().enumerate() {
        for profile in in_turn(number, ENGINES) {
            let engine = EngineRef::parse(profile.id).expect("it is known by its id");
            counts.convert(vector, engine.dialect(), Some(engine));
        }
    }
    assert!(counts.there > 250 && counts.back > 120, "{} {}", counts.there, counts.back);
}
