"""A value of each Arrow type: the same text in a table, in a dictionary, and from google-adk."""

import datetime
import decimal
import json
import subprocess
import sys
from pathlib import Path

import promptls
import pyarrow
import pytest

TESTS = Path(__file__).resolve().parents[1]
D = decimal.Decimal
# Summer, winter, an ambiguous local time, and before the epoch.
SECONDS = [1_719_829_801, 1_709_209_801, 1_729_989_000, 1_729_992_600, -1, 0]
UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
ZONES = [None, "UTC", "Europe/Berlin", "America/St_Johns", "+02:30", "-02:30", "+00:00"]
SPANS = [0, 1, -1, 90, 86_400, 90_061, -5, 10**6]
BYTES = [b"", b"tea", b"it's", b"\t\n\r\\\x7f", "é".encode()]
TEXTS = ["", "tea", "it's", "日本\n", '"']


def finer(values, unit):
    """Values in seconds in a unit, including fractions of seconds."""
    factor = UNITS[unit]
    return [value * factor for value in values] + ([factor // 2, factor // 1000 * 3 + 1] if factor > 1 else [])


def decimals(kind):
    return pyarrow.array([D("1.50"), D("0.00"), D("-12.34")], kind)


ARRAYS = {
    "null": pyarrow.nulls(3),
    "bool": pyarrow.array([True, False]),
    **{str(kind): pyarrow.array([0, 1, 100], kind) for kind in map(pyarrow.type_for_alias, "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())},
    "uint64 large": pyarrow.array([2**64 - 1], pyarrow.uint64()),
    "float16": pyarrow.array([1.5, -0.0, float("nan"), float("inf")], pyarrow.float16()),
    "float32": pyarrow.array([1.5, 5.0, 1e10, float("-inf")], pyarrow.float32()),
    "float64": pyarrow.array([0.1, 5.0, 1e16, 1e-7, float("nan")], pyarrow.float64()),
    "decimal32": decimals(pyarrow.decimal32(5, 2)),
    "decimal64": decimals(pyarrow.decimal64(9, 2)),
    "decimal128": decimals(pyarrow.decimal128(9, 2)),
    "decimal256": decimals(pyarrow.decimal256(50, 2)),
    "decimal128 whole": pyarrow.array([D("7"), D("-7")], pyarrow.decimal128(9, 0)),
    "decimal128 small": pyarrow.array([D("0.0000000001"), D("12.0000000001"), D(0)], pyarrow.decimal128(20, 10)),
    "decimal128 large": pyarrow.array([D("1000"), D("123000")], pyarrow.decimal128(9, -3)),
    "string": pyarrow.array(TEXTS),
    "large_string": pyarrow.array(TEXTS, pyarrow.large_string()),
    "string_view": pyarrow.array(TEXTS, pyarrow.string_view()),
    "binary": pyarrow.array(BYTES),
    "large_binary": pyarrow.array(BYTES, pyarrow.large_binary()),
    "binary_view": pyarrow.array(BYTES, pyarrow.binary_view()),
    "fixed_size_binary": pyarrow.array([b"ab", b"'\""], pyarrow.binary(2)),
    "date32": pyarrow.array([0, -1, 19_782, -719_162, 2_932_896], pyarrow.date32()),
    "date64": pyarrow.array([0, 19_782 * 86_400_000], pyarrow.date64()),
    **{f"time32 {unit}": pyarrow.array(finer([0, 49_938, 86_399], unit), pyarrow.time32(unit)) for unit in ["s", "ms"]},
    "time64 us": pyarrow.array(finer([0, 49_938], "us"), pyarrow.time64("us")),
    # Python's times have no nanoseconds.
    "time64 ns": pyarrow.array([0, 49_938_250_000_000], pyarrow.time64("ns")),
    **{f"timestamp {unit} {zone}": pyarrow.array(finer(SECONDS, unit), pyarrow.timestamp(unit, zone)) for unit in UNITS for zone in ZONES},
    **{f"duration {unit}": pyarrow.array(finer(SPANS, unit), pyarrow.duration(unit)) for unit in UNITS},
    "interval": pyarrow.array([pyarrow.MonthDayNano([1, -2, 3])]),
    "list": pyarrow.array([["a", None], [], ["it's"]]),
    "large_list": pyarrow.array([[1.5], []], pyarrow.large_list(pyarrow.float64())),
    "fixed_size_list": pyarrow.array([[1, 2], [3, None]], pyarrow.list_(pyarrow.int8(), 2)),
    "list_view": pyarrow.array([["a"], []], pyarrow.list_view(pyarrow.string())),
    "large_list_view": pyarrow.array([["a"], []], pyarrow.large_list_view(pyarrow.string())),
    "map": pyarrow.array([[("a", 1), ("b", None)], []], pyarrow.map_(pyarrow.string(), pyarrow.int8())),
    "struct": pyarrow.array([{"k": "v", "n": 1}, {"k": "it's", "n": None}]),
    "dictionary": pyarrow.array(["a", "b", "a"]).dictionary_encode(),
    "dictionary of dates": pyarrow.array([datetime.date(2024, 2, 29)]).dictionary_encode(),
    "run_end_encoded": pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array([2, 3], pyarrow.int32()), pyarrow.array(["a", "b"])),
    "dense_union": pyarrow.UnionArray.from_dense(
        pyarrow.array([0, 1], pyarrow.int8()), pyarrow.array([0, 0], pyarrow.int32()), [pyarrow.array(["a"]), pyarrow.array([D("1.50")])]
    ),
}


def with_nulls(array):
    """The array with a null after each value, if its type has its own nulls."""
    if isinstance(array, pyarrow.UnionArray):
        return array
    if isinstance(array, pyarrow.RunEndEncodedArray):
        return pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array([2, 3], pyarrow.int32()), pyarrow.array(["a", None]))
    parts = [it for at in range(len(array)) for it in (array.slice(at, 1), pyarrow.nulls(1, array.type))]
    return pyarrow.concat_arrays(parts)


def nested(array):
    """The array in a list, a structure and a map."""
    count = len(array)
    ends = pyarrow.array(range(count + 1), pyarrow.int32())
    keys = pyarrow.array(["k"] * count)
    return [
        pyarrow.ListArray.from_arrays(ends, array),
        pyarrow.StructArray.from_arrays([array, keys], ["it", "k"]),
        pyarrow.MapArray.from_arrays(ends, keys, array),
    ]


def arrays():
    for kind, array in ARRAYS.items():
        for name, it in [(kind, array), (f"{kind} with nulls", with_nulls(array))]:
            yield name, it
            for within in nested(it):
                yield f"{name} in {within.type.id}", within


def render(prompt, rows):
    return [prompt.render(**row) for row in rows]


# For an engine in Python, one that resolves members, others, and none.
PROMPTS = {
    "adk-python": promptls.Prompt("<{x}>", engine="adk-python@2.13"),
    "agentle-python": promptls.Prompt("<{{x}}>", engine="agentle-python"),
    "adk-java": promptls.Prompt("<{x}>", engine="adk-java"),
    "adk-js": promptls.Prompt("<{x}>", engine="adk-js"),
    "adk-go": promptls.Prompt("<{x}>", engine="adk-go"),
    "none": promptls.Prompt("<{x}>", "adk"),
}


@pytest.mark.parametrize("engine", PROMPTS)
def test_a_row_of_a_table_is_the_same_text_as_its_values(engine):
    prompt = PROMPTS[engine]
    # The parsers of other languages return a map as one.
    maps = {} if engine.endswith("python") else {"maps_as_pydicts": "strict"}
    compared = 0
    for kind, array in arrays():
        table = pyarrow.table({"x": array})
        texts, errors = prompt.render_arrow(table)
        assert list(errors) == [None] * len(array), kind
        assert list(texts) == render(prompt, table.to_pylist(**maps)), kind
        compared += len(array)
    assert compared > 2_000


def test_a_row_of_a_table_is_what_google_adk_sends(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(TESTS / "engines")
    from packages import install, named

    (release,) = named("google-adk==2.13.0")
    install(release)
    prompt = PROMPTS["adk-python"]
    expected, files = {}, []
    for kind, array in arrays():
        table = pyarrow.table({"x": array})
        expected[kind] = list(prompt.render_arrow(table)[0])
        files.append(tmp_path / f"{len(files)}.arrow")
        with pyarrow.ipc.new_file(files[-1], table.schema) as file:
            file.write_table(table)
    command = [sys.executable, "-B", TESTS / "python/adk_rows.py", release.folder, *files]
    ended = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, text=True)
    theirs = [json.loads(line) for line in ended.stdout.splitlines()]
    assert dict(zip(expected, theirs, strict=True)) == expected


def test_a_float_of_32_bits_has_few_digits_where_no_engine_in_python_widens_it():
    table = pyarrow.table({"x": pyarrow.array([0.1], pyarrow.float32())})
    texts = {engine: prompt.render_arrow(table)[0][0] for engine, prompt in PROMPTS.items()}
    assert texts["adk-python"] == texts["agentle-python"] == "<0.10000000149011612>"
    assert texts["adk-java"] == texts["adk-go"] == texts["none"] == "<0.1>"


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (pyarrow.array([2_932_897], pyarrow.date32()), "the column `x` has a date outside of the years 1 to 9999, which Python does not support"),
        (pyarrow.array([2**62], pyarrow.duration("s")), "the column `x` has a duration that is too long for Python"),
        (pyarrow.array([2**62], pyarrow.timestamp("s")), "the column `x` has a time that is out of range"),
        (pyarrow.array([0], pyarrow.timestamp("s", "Nowhere/City")), "the column `x` has the time zone `Nowhere/City`, which is unknown"),
    ],
    ids=str,
)
def test_what_python_cannot_have_is_an_error_of_the_row(array, reason):
    _, errors = PROMPTS["adk-python"].render_arrow(pyarrow.table({"x": array}))
    assert list(errors) == [reason]
