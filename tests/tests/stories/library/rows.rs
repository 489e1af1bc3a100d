//! Every vector as a row of a table: a line of JSON, columns of Arrow, and in another process.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, NullArray, StringArray,
    StructArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Fields};
use promptls_analysis::{Settings, Snapshot};
use promptls_resolver::{
    Declarations, Dialect, EngineRef, FileId, Format, Inputs, Object, Value, ValueKind,
};
use promptls_rows::{
    Columns, NotColumns, Outcome, Resolver, RowError, RowPrompt, RowReader, Table,
};
use promptls_syntax::Tree;
use promptls_tests::vectors::{Vector, engine_vectors, vectors};

/// The vectors that a table can be about: those with a prompt, and without a workflow around it.
fn of_rows() -> impl Iterator<Item = (Vector, RowPrompt)> {
    let all = vectors().into_iter().chain(engine_vectors());
    all.filter(|vector| vector.workflow.is_none()).filter_map(|vector| {
        let prompt = prompt(&vector)?;
        Some((vector, prompt))
    })
}

fn prompt(vector: &Vector) -> Option<RowPrompt> {
    let text = vector.template.as_deref()?;
    let engine = vector.engine.as_ref().map(|id| EngineRef::parse(id).expect("it is known"));
    let declarations = vector.variables.as_ref().map(|text| {
        Declarations::parse(text, Format::Json, FileId(2)).value.expect("variables are fine")
    });
    let dialect = Dialect::from_id(&vector.dialect).expect("this is a dialect");
    let grammar = engine.map_or(dialect.into(), |engine| engine.engine().grammar());
    let settings = Settings {
        engines: engine.into_iter().collect(),
        agent: vector.agent.clone(),
        ..Settings::default()
    };
    Some(RowPrompt::of(&Snapshot {
        tree: Arc::new(Tree::parse(grammar, text)),
        settings: settings.into(),
        declarations: declarations.unwrap_or_default().into(),
        ..Snapshot::new(dialect, text)
    }))
}

fn values(vector: &Vector) -> Object {
    let text = vector.inputs.as_deref().unwrap_or("{}");
    Inputs::parse(text, Format::Json, FileId(1)).value.expect("inputs are fine").root
}

#[track_caller]
fn check(vector: &Vector, outcome: Outcome) {
    vector.check(&match outcome {
        Ok(text) => Ok(Some(text)),
        Err(RowError::Engine(error)) => Err((error.kind.id().to_owned(), error.names)),
        Err(RowError::NoRow(reason)) => panic!("{}: {reason}", vector.name),
    });
}

#[test]
fn a_prompt_means_the_same_in_another_process() {
    for (vector, prompt) in of_rows() {
        let elsewhere = RowPrompt::from_json(&prompt.to_json()).expect("it is a prompt");
        assert_eq!(elsewhere.hash(), prompt.hash(), "{}", vector.name);
        let outcome = elsewhere.render(&values(&vector)).map_err(RowError::Engine);
        check(&vector, outcome);
    }
}

#[test]
fn a_line_of_json_means_what_an_inputs_file_does() {
    let nothing = Object::default();
    for (vector, prompt) in of_rows() {
        let line = vector.inputs.clone().unwrap_or("{}".to_owned());
        // A file that a row names is not read.
        if line.contains("$file") {
            continue;
        }
        let reader = RowReader::new(Table::JsonLines, std::io::Cursor::new(line));
        let mut outcomes = Vec::new();
        for chunk in reader.expect("it can be read") {
            let chunk = chunk.expect("it can be read");
            chunk.outcomes(&Resolver { prompt: &prompt, above: &nothing }, |it| outcomes.push(it));
        }
        assert_eq!(outcomes.len(), 1, "{}", vector.name);
        check(&vector, outcomes.remove(0));
    }
}

#[test]
fn a_row_of_columns_means_what_an_inputs_file_does() {
    let nothing = Object::default();
    let mut compared = 0;
    for (vector, prompt) in of_rows() {
        let values = values(&vector);
        let column = |entry: &promptls_resolver::Entry| {
            Some((entry.key.to_string(), array(std::slice::from_ref(&entry.value))?))
        };
        let Some(columns) = values.entries().iter().map(column).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let resolver = Resolver { prompt: &prompt, above: &nothing };
        match Columns::new(columns, None, 1, &resolver) {
            Ok(columns) => check(&vector, columns.outcome(0, &resolver)),
            // No row has a value for it.
            Err(NotColumns::Lacking(_)) => continue,
            Err(error) => panic!("{}: {error}", vector.name),
        }
        compared += 1;
    }
    assert!(compared > 1_500, "only {compared} of them can be said in columns");
}

/// The values as an array; `None` where no type of Arrow has all of them.
fn array(values: &[Value]) -> Option<ArrayRef> {
    let kinds = || values.iter().map(|value| &value.kind);
    let texts: Option<StringArray> = kinds()
        .map(|kind| match kind {
            ValueKind::String(text) => Some(Some(&**text)),
            _ => None,
        })
        .collect();
    if let Some(texts) = texts {
        return Some(Arc::new(texts));
    }
    let [value] = values else { return None };
    Some(match &value.kind {
        ValueKind::Null => Arc::new(NullArray::new(1)),
        ValueKind::Bool(value) => Arc::new(BooleanArray::from(vec![*value])),
        ValueKind::Number(written) => number(written)?,
        ValueKind::List(items) => {
            let items = match items.is_empty() {
                true => Arc::new(StringArray::from(Vec::<&str>::new())),
                false => array(items)?,
            };
            let field = Arc::new(Field::new("item", items.data_type().clone(), true));
            let offsets = OffsetBuffer::from_lengths([items.len()]);
            Arc::new(ListArray::new(field, offsets, items, None))
        }
        ValueKind::Object(object) => {
            let member = |entry: &promptls_resolver::Entry| {
                let array = array(std::slice::from_ref(&entry.value))?;
                Some((Arc::new(Field::new(&*entry.key, array.data_type().clone(), true)), array))
            };
            let members = object.entries().iter().map(member).collect::<Option<Vec<_>>>()?;
            let (fields, arrays): (Vec<Arc<Field>>, Vec<ArrayRef>) = members.into_iter().unzip();
            match fields.is_empty() {
                true => Arc::new(StructArray::new_empty_fields(1, None)),
                false => Arc::new(StructArray::new(Fields::from(fields), arrays, None)),
            }
        }
        ValueKind::String(_) | ValueKind::File(_) => return None,
    })
}

/// A number, if a type of Arrow keeps how it is written.
fn number(written: &str) -> Option<ArrayRef> {
    if let Some(whole) = written.parse::<i64>().ok().filter(|it| it.to_string() == written) {
        return Some(Arc::new(Int64Array::from(vec![whole])));
    }
    let fraction = written.parse::<f64>().ok().filter(|it| format!("{it:?}") == written)?;
    Some(Arc::new(Float64Array::from(vec![fraction])))
}

/// What each type of Arrow is to a prompt.
#[test]
fn types_have_the_text_that_is_stated() {
    use arrow_array::types::Int8Type;
    use arrow_array::{
        BinaryArray, Date32Array, Decimal128Array, DictionaryArray, DurationSecondArray,
        Float32Array, LargeStringArray, StringViewArray, Time32SecondArray,
        TimestampMillisecondArray, UInt64Array,
    };
    let decimal = Decimal128Array::from(vec![150]).with_precision_and_scale(10, 2).unwrap();
    let at = || TimestampMillisecondArray::from(vec![1_795_614_738_250]);
    let dictionary: DictionaryArray<Int8Type> = vec!["tea"].into_iter().collect();
    let cases: [(ArrayRef, &str); 16] = [
        (Arc::new(LargeStringArray::from(vec!["tea"])), "tea"),
        (Arc::new(StringViewArray::from(vec!["tea"])), "tea"),
        (Arc::new(dictionary), "tea"),
        (Arc::new(UInt64Array::from(vec![u64::MAX])), "18446744073709551615"),
        (Arc::new(Float64Array::from(vec![5.0])), "5.0"),
        (Arc::new(Float64Array::from(vec![1e16])), "1e16"),
        (Arc::new(Float32Array::from(vec![0.1])), "0.1"),
        (Arc::new(decimal), "1.50"),
        (Arc::new(Date32Array::from(vec![20_782])), "2026-11-25"),
        (Arc::new(at()), "2026-11-25T13:52:18.250"),
        (Arc::new(at().with_timezone("UTC")), "2026-11-25T13:52:18.250Z"),
        (Arc::new(at().with_timezone("Europe/Berlin")), "2026-11-25T14:52:18.250+01:00"),
        (Arc::new(Time32SecondArray::from(vec![49_938])), "13:52:18"),
        (Arc::new(DurationSecondArray::from(vec![90])), "PT90S"),
        (Arc::new(BinaryArray::from(vec!["é".as_bytes()])), "é"),
        (Arc::new(BooleanArray::from(vec![true])), "true"),
    ];
    let prompt = RowPrompt::new(Dialect::Adk, "{x}");
    let resolver = Resolver { prompt: &prompt, above: &Object::default() };
    let outcome = |array: ArrayRef| {
        let columns = Columns::new(vec![("x".to_owned(), array)], None, 1, &resolver).unwrap();
        columns.outcome(0, &resolver)
    };
    for (array, expected) in cases {
        let kind = array.data_type().clone();
        assert_eq!(outcome(array).as_deref(), Ok(expected), "{kind}");
    }
    let bytes: ArrayRef = Arc::new(BinaryArray::from(vec![&b"a\xff"[..]]));
    let reason = "the column `x` has bytes that are no text: byte 1 is not UTF-8";
    assert_eq!(outcome(bytes), Err(RowError::NoRow(reason.to_owned())));
}

#[test]
fn a_row_that_is_null_is_none() {
    let prompt = RowPrompt::new(Dialect::Adk, "{x}");
    let resolver = Resolver { prompt: &prompt, above: &Object::default() };
    let field = Arc::new(Field::new("x", DataType::Utf8, true));
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), Some("b"), None]));
    let rows = StructArray::new([field].into(), vec![texts], Some(vec![true, false, true].into()));
    let rendered = Columns::of_structs(&rows, &resolver).unwrap().render(&resolver);
    let texts: Vec<Option<&str>> = rendered.texts.iter().collect();
    assert_eq!(texts, [Some("a"), None, Some("")]);
    assert_eq!(rendered.errors.value(1), "a row is one object of names and values; this is null");
    assert_eq!(rendered.failed, 1);
}
