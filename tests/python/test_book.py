"""Each example and each line of the table in the book runs verbatim."""

import duckdb
import pandas
import polars
import promptls
import promptls.datafusion
import pyarrow
import pytest
from datafusion import SessionContext
from book import EXAMPLES, TABLE

ROWS = {"name": ["Ada", "Grace"], "year": [1815, 1906]}
PROMPT = promptls.Prompt("{name} was born in {year}.", engine="adk-python@2.13")
EXPECTED = ["Ada was born in 1815.", "Grace was born in 1906."]


def test_a_table_becomes_a_column_of_prompts():
    names = {}
    exec(EXAMPLES[0], names)
    assert names["df"]["prompt"].tolist() == EXPECTED
    assert names["df"]["error"].isna().all()
    assert len(EXAMPLES[0].strip().splitlines()) <= 5


def test_prompts_are_tests(pytester):
    pytester.makepyfile(test_prompts=EXAMPLES[1])
    prompts = pytester.mkdir("prompts")
    (prompts / "a.adk.prompt").write_text("Dear {name},")
    (prompts / "a.adk.inputs.json").write_text('{"name": "Ada"}')
    pytester.runpytest_subprocess("--promptls-update").assert_outcomes(passed=1)
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


CONTEXT = SessionContext()


def rows_of(who):
    match who:
        case "a dictionary":
            return {"rows": [dict(zip(ROWS, row)) for row in zip(*ROWS.values())]}
        case "pandas" | "DuckDB":
            return {"df": pandas.DataFrame(ROWS)}
        case "Polars":
            return {"df": polars.DataFrame(ROWS)}
        case "pyarrow":
            return {"table": pyarrow.table(ROWS)}
        case "DataFusion":
            return {"df": CONTEXT.from_pydict(ROWS), "context": CONTEXT}


def column_of(names, value):
    if value is not None:
        return value
    if "texts" in names:
        return list(names["texts"])
    found = names.get("df", names.get("table"))
    if hasattr(found, "to_pydict"):
        return found.to_pydict()["prompt"]
    column = found["prompt"]
    return column.to_list() if hasattr(column, "to_list") else column.to_pylist()


@pytest.mark.parametrize("who", [who for who in TABLE if who not in ("Spark", "Ray Data")])
def test_each_line_of_the_table_runs(who):
    names = {"promptls": promptls, "prompt": PROMPT, "polars": polars, "pyarrow": pyarrow, "duckdb": duckdb, **rows_of(who)}
    for line in TABLE[who]:
        try:
            value = eval(line, names)
        except SyntaxError:
            value = exec(line, names)
    assert column_of(names, value) == EXPECTED


def test_nobody_is_left_out():
    assert list(TABLE) == ["a dictionary", "pandas", "Polars", "pyarrow", "DuckDB", "DataFusion", "Spark", "Ray Data"]
