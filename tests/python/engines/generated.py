"""Generated rows, the same in each run, and the program's results for them.

`generated.py PROGRAM FOLDER` writes them there, once for all engines: `rows.parquet`, and for
each prompt the results of `promptls resolve --rows`. Tests find that folder in PROMPTLS_ROWS.
"""

import datetime
import decimal
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pyarrow
import pyarrow.compute
import pyarrow.parquet

ROWS = 1_000_000
# The row groups, by which engines distribute the rows.
GROUPS = 16

FILES = {
    "promptls.toml": """
[[prompts]]
files = ["clerk.prompt"]
engine = "adk-python@2.13"

[[prompts]]
files = ["offer.prompt"]
dialect = "promptpack"
""",
    # Each value as Python prints it.
    "clerk.prompt": "Row {id} is about {subject}, for {name} ({note?}): {price} {flag} {tags} {place} {day} {when} {cost}.",
    # Declared values, some of them invalid; defaults, a fragment and members.
    "offer.prompt": "{{fragments.greeting}} {{id}}: {{subject}} costs {{price}}, {{note}}, {{place.city}} {{tags[0]}}",
    "offer.variables.json": json.dumps(
        {
            "variables": [
                {"name": "id", "type": "number", "required": True},
                {"name": "name", "type": "string", "required": True},
                {"name": "price", "type": "number", "validation": {"maximum": 200_000}},
                {"name": "note", "type": "string", "default": "no note"},
            ],
            "fragments": {"greeting": "Dear {{name}},"},
        }
    ),
}
PROMPTS = ["clerk.prompt", "offer.prompt"]


def table(rows=ROWS):
    """Rows with values of each kind, some of them null."""
    chance = random.Random(15)
    words = ["tea", "日本", "it's", "{braces}", "", "a\nb", '"', "😀", "{{id}}"]
    start = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    times = [start + datetime.timedelta(microseconds=it * 12_345_678) for it in range(1000)]
    values = {
        "subject": [f"{word} {it}" for word in words for it in range(100)],
        "name": [None, *(f"name {it}" for it in range(10))],
        "note": [None, None, *words],
        "price": [None, -0.0, 1e16, 1e-7, *(it * 251 / 4 for it in range(4000))],
        "flag": [True, False, None],
        "tags": [["a", None], ["it's", "ü"], [""], ["b"], [], None],
        "place": [{"city": word, "number": number} for word in words for number in (None, 7)],
        "day": [it.date() for it in times],
        "when": times,
        "cost": [decimal.Decimal(it) / 100 for it in range(-500, 500)],
    }
    types = {"cost": pyarrow.decimal128(10, 2), "when": pyarrow.timestamp("us", "UTC")}
    columns = {"id": pyarrow.array(range(rows), pyarrow.int64())}
    for name, known in values.items():
        columns[name] = pyarrow.array(chance.choices(known, k=rows), types.get(name))
    return pyarrow.table(columns)


def write(program, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    # Not compressed, since Spark's own compression library does not start on a glibc system that
    # also has musl.
    pyarrow.parquet.write_table(table(), folder / "rows.parquet", row_group_size=ROWS // GROUPS, compression="none")
    for prompt in PROMPTS:
        command = [program, "resolve", prompt, "--rows", "rows.parquet", "--format", "parquet", "-o", f"{prompt}.parquet"]
        ended = subprocess.run(command, cwd=folder, stderr=subprocess.PIPE, text=True)
        # Exit code 1: some rows have an error.
        assert ended.returncode in (0, 1), ended.stderr


FOLDER = Path(os.environ.get("PROMPTLS_ROWS", ""))


def groups():
    """The rows, in pieces."""
    file = pyarrow.parquet.ParquetFile(FOLDER / "rows.parquet")
    return [file.read_row_group(at) for at in range(file.num_row_groups)]


def differences(prompt, made, rows=ROWS):
    """The number of an engine's rows that differ from the program's, byte for byte; of missing
    rows; and of duplicate rows. `made` is a table with the columns `id`, `prompt` and `error`,
    or without the last, in any order."""
    expected = pyarrow.parquet.read_table(FOLDER / f"{prompt}.parquet", columns=["text", "error"])
    ids = made.column("id")
    # The number of a row is its position.
    expected = expected.take(ids)
    different = None
    for name, wanted in {"prompt": "text", "error": "error"}.items():
        if name in made.column_names:
            here = is_different(made.column(name), expected.column(wanted))
            different = here if different is None else pyarrow.compute.or_(different, here)
    distinct = len(pyarrow.compute.unique(ids))
    return {
        "other": pyarrow.compute.sum(different).as_py(),
        "lost": rows - distinct,
        "doubled": len(ids) - distinct,
    }


def is_different(one, other):
    """Compares each row; two nulls are equal."""
    one, other = (column.cast(pyarrow.large_string()) for column in (one, other))
    nulls = pyarrow.compute.not_equal(one.is_null(), other.is_null())
    return pyarrow.compute.or_(nulls, pyarrow.compute.not_equal(one, other).fill_null(False))


NONE = {"other": 0, "lost": 0, "doubled": 0}


if __name__ == "__main__":
    write(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
