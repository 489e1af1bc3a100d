"""DataFusion, with its own Python package: SQL and DataFrames."""

import promptls
import promptls.datafusion
import pyarrow
import pytest
from datafusion import SessionContext

PROMPT = promptls.Prompt("{name}: {year}", engine="adk-python@2.13")
ROWS = {"name": ["Ada", "Grace"], "year": [1815, None], "id": [1, 2]}


@pytest.fixture
def context():
    context = SessionContext()
    context.register_record_batches("letters", [[pyarrow.RecordBatch.from_pydict(ROWS)]])
    return context


def texts(frame, column="prompt"):
    return frame.to_pydict()[column]


def test_it_is_a_function_of_sql(context):
    with pytest.warns(UserWarning, match="the prompt does not read the column `id`"):
        context.register_udf(promptls.datafusion.udf(PROMPT, context.table("letters")))
    frame = context.sql("SELECT id, render(name, year) AS prompt FROM letters ORDER BY id")
    assert texts(frame) == ["Ada: 1815", "Grace: "]


def test_without_types_all_are_texts(context):
    context.register_udf(promptls.datafusion.udf(PROMPT, name="fill"))
    frame = context.sql("SELECT fill(name, year) AS prompt FROM letters WHERE year IS NOT NULL")
    assert texts(frame) == ["Ada: 1815"]


def test_it_is_a_column_of_a_data_frame(context):
    frame = context.table("letters").select("name", "year")
    assert texts(promptls.datafusion.render(frame, PROMPT)) == ["Ada: 1815", "Grace: "]
    with pytest.raises(promptls.MissingColumns, match="there is no column `name`"):
        promptls.datafusion.render(frame.select("year"), PROMPT)


def test_what_the_engine_refuses_ends_the_query_or_is_null(context):
    prompt = promptls.Prompt("{{year}}", engine="promptkit-go", variables={"variables": [{"name": "year", "required": True}]})
    table = context.table("letters").select("year")
    with pytest.raises(Exception, match="missing required variables"):
        texts(promptls.datafusion.render(table, prompt))
    assert texts(promptls.datafusion.render(table, prompt, errors="null")) == ["1815", None]


def test_a_prompt_that_reads_no_column_is_the_same_text_in_each_row(context):
    for text in ["Dear all,", "Dear all,{more?}"]:
        prompt = promptls.Prompt(text, engine="adk-python@2.13")
        with pytest.warns(UserWarning, match="does not read the columns"):
            frame = promptls.datafusion.render(context.table("letters"), prompt)
        assert texts(frame) == ["Dear all,", "Dear all,"]
    with pytest.warns(UserWarning), pytest.raises(ValueError, match="reads no column"):
        promptls.datafusion.udf(prompt, context.table("letters"))


def test_names_that_only_a_fragment_reads_are_arguments(context):
    declared = {"fragments": {"greeting": "Dear {{name}}"}}
    prompt = promptls.Prompt("{{year}} {{fragments.greeting}}", "promptpack", variables=declared)
    assert promptls.datafusion.names(prompt) == ["year", "name"]
    frame = context.table("letters").select("name", "year").filter("year IS NOT NULL")
    assert texts(promptls.datafusion.render(frame, prompt)) == ["1815 Dear Ada"]
    context.register_udf(promptls.datafusion.udf(prompt, name="fill"))
    assert texts(context.sql("SELECT fill('1815', 'Ada') AS prompt")) == ["1815 Dear Ada"]


def test_any_column_may_be_meant(context):
    frame = context.sql("""SELECT name AS "a""b", year AS "Year" FROM letters WHERE year IS NOT NULL""")
    made = promptls.datafusion.render(frame, PROMPT, column_map={"name": 'a"b', "year": "Year"})
    assert texts(made) == ["Ada: 1815"]


def test_no_column_is_lost(context):
    frame = context.table("letters").select("name", "year")
    with pytest.raises(ValueError, match="column `name` already exists; choose another name"):
        promptls.datafusion.render(frame, PROMPT, column="name")


def test_no_rows_have_no_texts(context):
    frame = context.table("letters").filter("id < 0").select("name", "year")
    assert texts(promptls.datafusion.render(frame, PROMPT)) == []
