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

/// The vectors that are possible in a table: those with a prompt and without a workflow.
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
fn a_serialized_prompt_renders_the_same_rows() {
    for (vector, prompt) in of_rows() {
        let elsewhere = RowPrompt::from_json(&prompt.to_json()).expect("it is a prompt");
        assert_eq!(elsewhere.hash(), prompt.hash(), "{}", vector.name);
        let outcome = elsewhere.render(&values(&vector)).map_err(RowError::Engine);
        check(&vector, outcome);
    }
}

#[test]
fn a_line_of_json_resolves_like_an_inputs_file() {
    let nothing = Object::default();
    for (vector, prompt) in of_rows() {
        let line = vector.inputs.clone().unwrap_or("{}".to_owned());
        // A file named in a row is not read.
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
fn a_row_of_columns_resolves_like_an_inputs_file() {
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
            Err(NotColumns::Missing(_)) => continue,
            Err(error) => panic!("{}: {error}", vector.name),
        }
        compared += 1;
    }
    assert!(compared > 1_500, "only {compared} of them can be said in columns");
}

/// The values as an array; `None` if no Arrow type supports all of them.
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

/// A number, if an Arrow type keeps its source form.
fn number(written: &str) -> Option<ArrayRef> {
    if let Some(whole) = written.parse::<i64>().ok().filter(|it| it.to_string() == written) {
        return Some(Arc::new(Int64Array::from(vec![whole])));
    }
    let fraction = written.parse::<f64>().ok().filter(|it| format!("{it:?}") == written)?;
    Some(Arc::new(Float64Array::from(vec![fraction])))
}

/// An Arrow type as in the README of the crate: its name, a column with a value, and the resulting
/// text for Python engines and for others.
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn types() -> Vec<(&'static str, ArrayRef, &'static str, &'static str)> {
    use arrow_array::types::Int8Type;
    use arrow_array::{
        BinaryArray, Date32Array, Decimal128Array, DictionaryArray, DurationSecondArray,
        Float32Array, IntervalMonthDayNanoArray, Time32MillisecondArray, TimestampMillisecondArray,
        TimestampNanosecondArray, UInt64Array,
    };
    let decimal = |of: i128, scale: i8| {
        let array = Decimal128Array::from(vec![of]).with_precision_and_scale(20, scale);
        Arc::new(array.expect("the precision fits")) as ArrayRef
    };
    let at = || TimestampMillisecondArray::from(vec![1_795_614_738_250]);
    let fine = TimestampNanosecondArray::from(vec![1_795_614_738_000_000_001]);
    let dictionary: DictionaryArray<Int8Type> = vec!["tea"].into_iter().collect();
    let span = || DurationSecondArray::from(vec![86_490]);
    let interval =
        IntervalMonthDayNanoArray::from(vec![arrow_array::types::IntervalMonthDayNano::new(
            1, 2, 3,
        )]);
    let list = |items: ArrayRef| {
        let field = Arc::new(Field::new("item", items.data_type().clone(), true));
        Arc::new(ListArray::new(field, OffsetBuffer::from_lengths([items.len()]), items, None))
            as ArrayRef
    };
    let map = {
        let mut builder = arrow_array::builder::MapBuilder::new(
            None,
            arrow_array::builder::StringBuilder::new(),
            arrow_array::builder::Int64Builder::new(),
        );
        builder.keys().append_value("a");
        builder.values().append_value(1);
        builder.append(true).expect("as many keys as values");
        builder.finish()
    };
    let member = Arc::new(Field::new("k", DataType::Boolean, true));
    let flag: ArrayRef = Arc::new(BooleanArray::from(vec![true]));
    let of_struct = StructArray::new([member].into(), vec![flag.clone()], None);
    vec![
        ("text, dictionary of texts", Arc::new(dictionary), "tea", "tea"),
        (
            "whole number",
            Arc::new(UInt64Array::from(vec![u64::MAX])),
            "18446744073709551615",
            "18446744073709551615",
        ),
        ("truth", flag, "True", "true"),
        ("null", Arc::new(NullArray::new(1)), "", ""),
        ("float of 64 bits", Arc::new(Float64Array::from(vec![5.0])), "5.0", "5.0"),
        (
            "float of 16 or 32 bits",
            Arc::new(Float32Array::from(vec![0.1])),
            "0.10000000149011612",
            "0.1",
        ),
        ("decimal", decimal(150, 2), "1.50", "1.50"),
        ("decimal, small", decimal(1, 10), "1E-10", "1E-10"),
        ("bytes", Arc::new(BinaryArray::from(vec!["é".as_bytes()])), "b'\\xc3\\xa9'", "é"),
        ("date", Arc::new(Date32Array::from(vec![20_782])), "2026-11-25", "2026-11-25"),
        (
            "time",
            Arc::new(Time32MillisecondArray::from(vec![49_938_250])),
            "13:52:18.250000",
            "13:52:18.250000",
        ),
        ("timestamp", Arc::new(at()), "2026-11-25 13:52:18.250000", "2026-11-25T13:52:18.250000"),
        (
            "timestamp in nanoseconds",
            Arc::new(fine),
            "2026-11-25 13:52:18.000000001",
            "2026-11-25T13:52:18.000000001",
        ),
        (
            "timestamp with a zone",
            Arc::new(at().with_timezone("Europe/Berlin")),
            "2026-11-25 14:52:18.250000+01:00",
            "2026-11-25T14:52:18.250000+01:00",
        ),
        ("duration", Arc::new(span()), "1 day, 0:01:30", "PT86490S"),
        (
            "interval",
            Arc::new(interval),
            "MonthDayNano(months=1, days=2, nanoseconds=3)",
            "[1,2,3]",
        ),
        ("list", list(Arc::new(StringArray::from(vec!["a"]))), "['a']", "[\"a\"]"),
        ("list of decimals", list(decimal(150, 2)), "[Decimal('1.50')]", "[1.50]"),
        (
            "list of durations",
            list(Arc::new(span())),
            "[datetime.timedelta(days=1, seconds=90)]",
            "[\"PT86490S\"]",
        ),
        ("struct", Arc::new(of_struct), "{'k': True}", "{\"k\":true}"),
        ("map", Arc::new(map), "[('a', 1)]", "{\"a\":1}"),
    ]
}

/// The README gives the correct text for each type.
#[test]
fn types_have_the_text_that_the_readme_states() {
    let text_of = |engine: &str, array: ArrayRef| {
        let engine = EngineRef::parse(engine).expect("it is known");
        let prompt = RowPrompt::for_engine(engine, "{x}");
        outcome(&prompt, array).expect("it has a text")
    };
    let none = RowPrompt::new(Dialect::PromptPack, "{{x}}");
    let mut table = String::new();
    for (name, array, python, others) in types() {
        assert_eq!(text_of("adk-python@2.13", array.clone()), python, "{name}");
        assert_eq!(outcome(&none, array).as_deref(), Ok(others), "{name}");
        let cell = |text: &str| if text.is_empty() { String::new() } else { format!("`{text}`") };
        table.push_str(&format!("| {name} | {} | {} |\n", cell(python), cell(others)));
    }
    let readme = include_str!("../../../../server/rows/README.md");
    assert!(readme.contains(&table), "{table}");
}

fn outcome(prompt: &RowPrompt, array: ArrayRef) -> Outcome {
    let resolver = Resolver { prompt, above: &Object::default() };
    let columns = Columns::new(vec![("x".to_owned(), array)], None, 1, &resolver);
    let columns = columns.expect("the column is there");
    columns.outcome(0, &resolver)
}

#[test]
fn a_row_that_is_not_utf_8_has_its_own_error() {
    let bytes = arrow_array::BinaryArray::from(vec![&b"a\xff"[..]]);
    let reason = "the column `x` has bytes that are no text: byte 1 is not UTF-8";
    let prompt = RowPrompt::new(Dialect::Adk, "{x}");
    assert_eq!(outcome(&prompt, Arc::new(bytes)), Err(RowError::NoRow(reason.to_owned())));
}

#[test]
fn a_null_row_has_no_text() {
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
