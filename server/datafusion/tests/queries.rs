//! `render` in queries of a real DataFusion.

use std::path::{Path, PathBuf};

use datafusion::arrow::array::{AsArray, LargeStringArray};
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use promptls_datafusion::{Failing, Render};
use promptls_resolver::{Dialect, Object};
use promptls_rows::RowPrompt;

/// A folder with a prompt, and a session with the function.
fn session(failing: Failing, prompt: &str) -> (tempfile::TempDir, SessionContext) {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("letter.adk.prompt"), prompt).expect("there is room");
    let context = SessionContext::new();
    context.register_udf(Render::of_files(failing).into_udf());
    (folder, context)
}

fn path(folder: &Path) -> String {
    folder.join("letter.adk.prompt").display().to_string()
}

/// The first column of a query, or its error.
async fn texts(context: &SessionContext, query: &str) -> Result<Vec<Option<String>>, String> {
    let frame = context.sql(query).await.map_err(|error| error.to_string())?;
    let batches = frame.collect().await.map_err(|error| error.to_string())?;
    let column = |batch: &datafusion::arrow::array::RecordBatch| {
        let texts: LargeStringArray = batch.column(0).as_string::<i64>().clone();
        texts.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
    };
    Ok(batches.iter().flat_map(column).collect())
}

const PEOPLE: &str = "(VALUES ('Ada', 1815), ('Grace', 1906), (NULL, 1))";

#[tokio::test]
async fn each_row_has_its_text() {
    let (folder, context) = session(Failing::Query, "{name?} was born in {year}.");
    let query = format!(
        "SELECT render('{}', named_struct('name', column1, 'year', column2)) FROM {PEOPLE}",
        path(folder.path())
    );
    let expected = ["Ada was born in 1815.", "Grace was born in 1906.", " was born in 1."];
    let expected = expected.map(|text| Some(text.to_owned())).to_vec();
    assert_eq!(texts(&context, &query).await, Ok(expected));
}

#[tokio::test]
async fn a_missing_column_or_prompt_fails_the_query_before_its_first_row() {
    let (folder, context) = session(Failing::Query, "{name} was born in {year}.");
    let of = |prompt: &str, row: &str| format!("SELECT render('{prompt}', {row}) FROM {PEOPLE}");
    let known = path(folder.path());
    for (query, expected) in [
        (
            of(&known, "named_struct('nme', column1, 'year', column2)"),
            "there is no column `name`; did you mean `nme`?",
        ),
        (of(&known, "column1"), "expects a struct of values"),
        (of("nope.prompt", "named_struct('name', column1)"), "cannot read nope.prompt"),
    ] {
        let error = texts(&context, &query).await.expect_err(&query);
        assert!(error.contains(expected), "{error}");
        let planned = match context.sql(&query).await {
            Ok(frame) => frame.create_physical_plan().await.map(|_| ()),
            Err(error) => Err(error),
        };
        assert!(planned.is_err(), "{query}");
    }
}

#[tokio::test]
async fn a_row_that_the_engine_rejects_fails_the_query_or_is_null() {
    // A struct has the name only in some rows. In others it is null, which ADK sends as an empty
    // text, so the prompt is for AgentEnsemble, which rejects a list.
    let refuse = || RowPrompt::new(Dialect::AgentEnsemble, "{names}");
    let rows = "SELECT render('p', named_struct('names', make_array(column1))) FROM (VALUES ('a'))";
    for (failing, expected) in [(Failing::Query, None), (Failing::Null, Some(vec![None]))] {
        let context = SessionContext::new();
        let render = Render::new("render", failing, move |_| Ok(refuse()));
        context.register_udf(render.into_udf());
        let found = texts(&context, rows).await;
        match expected {
            Some(expected) => assert_eq!(found, Ok(expected)),
            None => assert!(found.is_err_and(|error| error.contains("names"))),
        }
    }
}

#[tokio::test]
async fn the_plan_names_the_prompt_with_its_hash() {
    let (folder, context) = session(Failing::Query, "{name?}");
    let query = format!(
        "EXPLAIN SELECT render('{}', named_struct('name', column1)) FROM {PEOPLE}",
        path(folder.path())
    );
    let plan = context.sql(&query).await.expect("it is planned").collect().await;
    let plan = datafusion::arrow::util::pretty::pretty_format_batches(&plan.expect("it is shown"));
    let hash = RowPrompt::new(Dialect::Adk, "{name?}").hash()[..12].to_owned();
    let plan = plan.expect("it is a table").to_string();
    assert!(plan.contains(&hash), "{plan}");
}

/// Over many rows and all partitions, the texts equal those of the library.
#[tokio::test(flavor = "multi_thread")]
async fn many_rows_have_the_same_texts_as_in_the_library() {
    let (folder, context) = session(Failing::Query, "{a} and {b}, {a}");
    let rows = 200_000;
    let query = format!(
        "SELECT render('{}', named_struct('a', value, 'b', concat('x', value % 7))), value
         FROM generate_series(1, {rows}) ORDER BY value",
        path(folder.path())
    );
    let found = texts(&context, &query).await.expect("it is a query");
    let prompt = RowPrompt::new(Dialect::Adk, "{a} and {b}, {a}");
    assert_eq!(found.len(), rows);
    for (row, text) in (1..=rows).zip(found) {
        let values: Object =
            [("a", row.to_string()), ("b", format!("x{}", row % 7))].into_iter().collect();
        assert_eq!(text, prompt.render(&values).ok());
    }
}

/// In SQL, the texts equal those of `promptls resolve --rows` for a million rows of Parquet.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "`tests/run python datafusion` writes the rows"]
async fn a_million_rows_have_the_same_texts_as_in_the_program() {
    let folder = std::env::var_os("PROMPTLS_ROWS").expect("it names the folder of the rows");
    let folder = PathBuf::from(folder);
    let path = |name: &str| folder.join(name).display().to_string();
    let columns = "id subject name note price flag tags place day when cost";
    let fields: Vec<String> =
        columns.split(' ').map(|name| format!("'{name}', \"{name}\"")).collect();
    for prompt in ["clerk.prompt", "offer.prompt"] {
        let context = SessionContext::new();
        context.register_udf(Render::of_files(Failing::Null).into_udf());
        for (table, file) in [("rows", "rows.parquet"), ("wanted", &format!("{prompt}.parquet"))] {
            let registered =
                context.register_parquet(table, path(file), ParquetReadOptions::default()).await;
            registered.expect("it is a table");
        }
        let query = format!(
            "SELECT arrow_cast(concat(count(*), ' rows, ', count(DISTINCT made.id), ' of them, ',
                 count(*) FILTER (WHERE made.text IS NOT DISTINCT FROM wanted.text), ' the same'),
                 'LargeUtf8')
             FROM (SELECT id, render('{}', named_struct({})) AS text FROM rows) AS made
             JOIN wanted ON made.id = wanted.id",
            path(prompt),
            fields.join(", ")
        );
        let expected = "1000000 rows, 1000000 of them, 1000000 the same".to_owned();
        assert_eq!(texts(&context, &query).await, Ok(vec![Some(expected)]), "{prompt}");
    }
}
