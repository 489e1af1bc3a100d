"""Prompts over tables of any Arrow library."""

import datetime
import decimal
import json
import signal
import struct
import subprocess
import sys
import warnings

import duckdb
import numpy
import pandas
import polars
import promptls
import pyarrow
import pytest
from test_prompt import while_another_thread_counts

ROWS = [{"name": "Ada", "year": 1815}, {"name": "Grace", "year": 1906}, {"name": "Zoë", "year": None}]
SCHEMA = pyarrow.schema({"name": pyarrow.string(), "year": pyarrow.int64()})
PROMPT = promptls.Prompt("{name}: {year}", engine="adk-python@2.13")
EXPECTED = ["Ada: 1815", "Grace: 1906", "Zoë: "]


def polars_with_chunks():
    return polars.concat([polars.DataFrame(ROWS[:1]), polars.DataFrame(ROWS[1:])], rechunk=False)


TABLES = {
    "pyarrow table": lambda: pyarrow.Table.from_pylist(ROWS),
    "pyarrow chunks": lambda: pyarrow.concat_tables([pyarrow.Table.from_pylist(ROWS[at:], SCHEMA)[:1] for at in range(3)]),
    "pyarrow batch": lambda: pyarrow.RecordBatch.from_pylist(ROWS),
    "pyarrow reader": lambda: pyarrow.Table.from_pylist(ROWS).to_reader(),
    "pyarrow structs": lambda: pyarrow.array(ROWS),
    "pyarrow sliced": lambda: pyarrow.Table.from_pylist([{"name": "x", "year": 0}, *ROWS, {"name": "y", "year": 0}]).slice(1, 3),
    "polars": lambda: polars.DataFrame(ROWS),
    "polars chunks": polars_with_chunks,
    "polars structs": lambda: polars.Series(ROWS),
    "pandas": lambda: pandas.DataFrame(ROWS).astype({"year": "Int64"}),
    "duckdb": lambda: duckdb.sql("SELECT 'Ada' AS name, 1815 AS year UNION ALL SELECT 'Grace', 1906 UNION ALL SELECT 'Zoë', NULL"),
}


@pytest.mark.parametrize("table", TABLES)
def test_any_table_is_taken(table):
    texts, errors = PROMPT.render_arrow(TABLES[table]())
    assert texts.to_pylist() == list(texts) == EXPECTED
    assert errors.to_pylist() == [None] * 3 and errors.null_count == 3


def test_what_comes_out_is_taken_by_all():
    texts, errors = PROMPT.render_arrow(TABLES["pyarrow table"]())
    assert pyarrow.array(texts).type == pyarrow.large_string()
    assert polars.Series(texts).to_list() == EXPECTED
    table = pyarrow.table({"text": texts, "error": errors})
    assert duckdb.from_arrow(table).select("text").fetchall() == [(text,) for text in EXPECTED]
    frame = pandas.DataFrame(ROWS)
    frame["prompt"] = texts
    assert frame["prompt"].tolist() == EXPECTED
    assert (texts[-1], len(texts)) == ("Zoë: ", 3)
    with pytest.raises(IndexError):
        texts[3]


def columns():
    """A text for each of twelve rows except the third and the ninth, and the errors of these
    two."""
    prompt = promptls.Prompt("{{a}}", "promptpack", variables={"variables": [{"name": "a", "type": "string"}]})
    rows = [{"a": f"{row} Zoë"} if row not in (2, 8) else None for row in range(12)]
    return prompt.render_arrow(pyarrow.array(rows, pyarrow.struct({"a": pyarrow.string()})))


@pytest.mark.parametrize(
    "part",
    [
        slice(0, 10), slice(None), slice(3, 3), slice(5, 2), slice(-4, None), slice(2, 100), slice(-100, 3), slice(100, None),
        slice(None, None, 2), slice(None, None, -1), slice(9, 0, -3), slice(1, None, 100), slice(-1, -100, -1), slice(2**80),
    ],
    ids=str,
)  # fmt: skip
def test_a_slice_of_a_column_is_that_of_a_list(part):
    for column in columns():
        listed = column.to_pylist()
        sliced = column[part]
        assert isinstance(sliced, promptls.Column)
        assert sliced.to_pylist() == list(sliced) == listed[part]
        assert (len(sliced), sliced.null_count) == (len(listed[part]), listed[part].count(None))
        assert pyarrow.array(sliced).to_pylist() == listed[part]
        assert sliced[1:-1].to_pylist() == listed[part][1:-1]
        assert [sliced[at] for at in range(-len(sliced), len(sliced))] == listed[part] * 2


def test_a_column_has_the_indices_of_a_list():
    texts, _ = columns()
    assert (texts[0], texts[-1], texts[2], texts[numpy.int64(1)], texts[True]) == ("0 Zoë", "11 Zoë", None, "1 Zoë", "1 Zoë")
    for out in [12, -13, 2**80, -(2**80)]:
        with pytest.raises(IndexError):
            texts[out]
    for wrong in ["a", None, 1.0]:
        with pytest.raises(TypeError, match="Column indices must be integers or slices, not "):
            texts[wrong]
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        texts[::0]


def test_a_slice_without_steps_copies_no_text():
    texts, _ = columns()
    whole, part = pyarrow.array(texts), pyarrow.array(texts[3:7])
    assert part.buffers()[2].address == whole.buffers()[2].address


@pytest.mark.parametrize("kind", [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(), pyarrow.int64(), pyarrow.binary()], ids=str)
def test_a_column_is_of_the_type_of_text_that_is_requested(kind):
    for column in columns():
        for part in [column, column[2:9]]:
            capsules = part.__arrow_c_array__(kind.__arrow_c_schema__())
            array = pyarrow.Array._import_from_c_capsule(*capsules)
            array.validate(full=True)
            assert array.to_pylist() == part.to_pylist()
            is_text = kind not in (pyarrow.int64(), pyarrow.binary())
            assert array.type == (kind if is_text else pyarrow.array(part).type)


def test_the_representation_of_a_column_has_its_texts():
    texts, errors = columns()
    assert repr(texts) == "<promptls.Column text: 12 rows, 2 null: ['0 Zoë', '1 Zoë', None, '3 Zoë', '4 Zoë', ...]>"
    assert repr(texts[:1]) == "<promptls.Column text: 1 row, 0 null: ['0 Zoë']>"
    assert repr(texts[:0]) == "<promptls.Column text: 0 rows, 0 null: []>"
    assert repr(errors[:2]) == "<promptls.Column error: 2 rows, 2 null: [None, None]>"
    long, _ = promptls.Prompt("{a}", "adk").render_arrow(pyarrow.table({"a": ["é" * 40, "é" * 41, "it's\n"]}))
    assert repr(long) == f"""<promptls.Column text: 3 rows, 0 null: ['{"é" * 40}', '{"é" * 40}...', "it's\\n"]>"""


def test_a_row_that_the_engine_refuses_has_an_error_and_the_others_their_texts():
    prompt = promptls.Prompt("{{a}}", "promptpack", variables={"variables": [{"name": "a", "type": "number"}]})
    table = pyarrow.table({"a": pyarrow.array([{"x": 1}, None, {"x": 2}])})
    texts, errors = prompt.render_arrow(table)
    assert texts.to_pylist()[0] is None and "must be a number" in errors[0]
    structs = pyarrow.array([{"name": "Ada", "year": 1}, None])
    texts, errors = PROMPT.render_arrow(structs)
    assert texts.to_pylist() == ["Ada: 1", None]
    assert errors[1] == "a row is one object of names and values; this is null"


def test_columns_are_renamed_and_values_put_above():
    table = pyarrow.table({"customer_name": ["Ada"], "name": ["no"], "year": [1]})
    texts, _ = PROMPT.render_arrow(table, {"name": "customer_name"}, year=2)
    assert list(texts) == ["Ada: 2"]


def test_a_column_that_lacks_is_an_error_before_the_first_row():
    def rows():
        raise AssertionError("no row may be requested")
        yield

    schema = pyarrow.schema({"nmae": pyarrow.string(), "year": pyarrow.int64()})
    reader = pyarrow.RecordBatchReader.from_batches(schema, rows())
    with pytest.raises(promptls.MissingColumns) as raised:
        PROMPT.render_arrow(reader)
    assert str(raised.value) == "there is no column `name`; did you mean `nmae`?"
    assert raised.value.names == ("name",)
    with pytest.raises(promptls.MissingColumns, match="there is no column `nam`; did you mean `name`?"):
        PROMPT.render_arrow(TABLES["polars"](), {"name": "nam"})


def test_columns_that_nobody_reads_are_said_once():
    table = pyarrow.table({"name": ["Ada"] * 10, "year": [1] * 10, "id": [1] * 10, "more": [2] * 10})
    with pytest.warns(UserWarning) as raised:
        PROMPT.render_arrow(table)
    assert [str(warning.message) for warning in raised] == ["the prompt does not read the columns `id`, `more`"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PROMPT.render_arrow(table.select(["name", "year"]))


def test_what_is_no_table_is_a_type_error():
    with pytest.raises(TypeError, match="a `list` is not an Arrow table"):
        PROMPT.render_arrow(ROWS)
    with pytest.raises(TypeError, match="rows are a table, a batch or an array of structs"):
        PROMPT.render_arrow(pyarrow.array(["a"]))


VALUES = {
    "text": pyarrow.array(["a"]),
    "large text": pyarrow.array(["a"], pyarrow.large_string()),
    "text view": pyarrow.array(["a"], pyarrow.string_view()),
    "dictionary": pyarrow.array(["a"]).dictionary_encode(),
    "integer": pyarrow.array([-7]),
    "boolean": pyarrow.array([True]),
    "float": pyarrow.array([1e16]),
    "list": pyarrow.array([["a", None]]),
    "struct": pyarrow.array([{"k": "v", "n": 1}]),
    "null": pyarrow.nulls(1),
}


@pytest.mark.parametrize("engine", ["adk-python@2.13", "adk-java", "adk-go", "adk-js"])
@pytest.mark.parametrize("kind", VALUES)
def test_a_value_of_a_column_is_what_it_is_in_a_dictionary(kind, engine):
    prompt = promptls.Prompt("<{x}>", engine=engine)
    table = pyarrow.table({"x": VALUES[kind]})
    texts, errors = prompt.render_arrow(table)
    (row,) = table.to_pylist()
    assert list(errors) == [None] and list(texts) == [prompt.render(row)]


def test_dates_times_and_decimals_have_a_form():
    when = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    table = pyarrow.table({"date": [when.date()], "time": [when], "price": [decimal.Decimal("1.50")]})
    texts, _ = promptls.Prompt("{date} {time} {price}", "adk").render_arrow(table)
    assert list(texts) == ["2026-01-02 2026-01-02T03:04:05+00:00 1.50"]


def table_of(offsets, data):
    """A table with texts whose memory is changed after creation, so that it no longer matches its
    type."""
    offsets_now, data_now = bytearray(struct.pack("<3i", 0, 0, 0)), bytearray(len(data))
    buffers = [None, pyarrow.py_buffer(offsets_now), pyarrow.py_buffer(data_now)]
    table = pyarrow.table({"name": pyarrow.Array.from_buffers(pyarrow.string(), 2, buffers), "year": [1, 2]})
    memoryview(offsets_now)[:], memoryview(data_now)[:] = struct.pack("<3i", *offsets), data
    return table


BROKEN = {
    "offsets that lead out": table_of([0, 3, 900], b"abcdef"),
    "offsets that lead far out": table_of([0, 3, 2**31 - 1], b"abcdef"),
    "offsets that go back": table_of([0, 5, 2], b"abcdef"),
    "offsets that are negative": table_of([-1, 3, 6], b"abcdef"),
    "text that is no UTF-8": table_of([0, 3, 6], b"ab\xff\xfedf"),
    "half a character": table_of([0, 1, 2], "é".encode()),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_array_is_an_error_and_no_crash(kind):
    with pytest.raises(promptls.TableError, match="the column `name` is broken"):
        PROMPT.render_arrow(BROKEN[kind])


def test_a_reader_that_fails_is_an_error_with_its_reason():
    def rows():
        yield pyarrow.RecordBatch.from_pylist(ROWS, SCHEMA)
        raise OSError("the disk is gone")

    reader = pyarrow.RecordBatchReader.from_batches(SCHEMA, rows())
    with pytest.raises(promptls.TableError, match="the disk is gone"):
        PROMPT.render_arrow(reader)


def test_a_table_at_which_a_library_panics_is_an_error_and_prints_nothing(capfd):
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, SCHEMA) as stream:
        stream.write_batch(pyarrow.RecordBatch.from_pylist(ROWS, SCHEMA))
    broken = sink.getvalue().to_pybytes().replace(b"year", b"ye\xffr")
    for _ in range(2):
        table = pyarrow.ipc.open_stream(broken)
        with pytest.raises(promptls.TableError, match="the table cannot be read: the data is broken: .*utf8"):
            PROMPT.render_arrow(table)
    assert capfd.readouterr().err == ""
    assert list(PROMPT.render_arrow(pyarrow.Table.from_pylist(ROWS))[0]) == EXPECTED


def test_many_columns_that_nobody_reads_are_counted():
    table = pyarrow.table({"name": ["Ada"], "year": [1815], **{f"c{at}": [at] for at in range(1_000)}})
    with pytest.warns(UserWarning, match="`c19` and 980 more$"):
        texts, _ = PROMPT.render_arrow(table)
    assert list(texts) == ["Ada: 1815"]


def test_other_threads_run_while_a_table_is_filled_in():
    table = pyarrow.table({"name": ["Ada"] * 200_000, "year": [1] * 200_000})
    assert while_another_thread_counts(lambda: PROMPT.render_arrow(table)) > 100


def test_somebody_who_presses_ctrl_c_is_heard(tmp_path):
    code = """
import promptls, pyarrow, sys
prompt = promptls.Prompt("{a} " * 100, "adk")
table = pyarrow.table({"a": ["x"] * 1_000_000})
try:
    print("ready", flush=True)
    prompt.render_arrow(table)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    running = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "ready\n"
    running.send_signal(signal.SIGINT)
    assert running.communicate()[0] == "interrupted\n"


def test_a_process_that_was_forked_has_threads_of_its_own():
    import multiprocessing

    prompt = promptls.Prompt("{a} " * 100, "adk")
    table = pyarrow.table({"a": ["x"] * 20_000})
    expected = list(prompt.render_arrow(table)[0])
    with multiprocessing.get_context("fork").Pool(2) as pool:
        # Each process has its own tables: Arrow's threads do not survive a fork, either.
        result = pool.apply_async(_rendered, (prompt, ["x"] * 20_000))
        assert result.get(timeout=120) == expected


def _rendered(prompt, values):
    return list(prompt.render_arrow(pyarrow.record_batch({"a": values}))[0])


def test_rows_are_those_of_the_program(program, write):
    """The same as `resolve --rows`, for random tables."""
    import random

    random.seed(7)
    value = lambda: random.choice(["", "a", "it's", "日本", "{name}", "x" * 50, "\\", '"', "\n"])
    rows = [{"name": value(), "year": random.choice([None, 0, -5, 10**12])} for _ in range(500)]
    write("letter.adk.prompt", "{name} was born in {year}, {name}.")
    write("promptls.toml", '[[prompts]]\nfiles = ["*.prompt"]\nengine = "adk-python@2.13"\n')
    prompt = promptls.Prompt.load("letter.adk.prompt")
    texts, errors = prompt.render_arrow(pyarrow.Table.from_pylist(rows))
    assert list(texts) == [prompt.render(row) for row in rows] and set(errors) == {None}
    write("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    code, said, _ = program.run("resolve", "letter.adk.prompt", "--rows", "rows.jsonl")
    assert code == 0 and [json.loads(line)["text"] for line in said.splitlines()] == list(texts)
