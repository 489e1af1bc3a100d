"""Values of inputs files, as JSON texts: numbers keep their source form."""

import json

from hypothesis import strategies as some

# The pieces of values: braces, quotes, characters that languages escape or remove.
PIECES = [
    *"ab_{}$\\'\"<>&=.:/|#é名𝒳😀\n\t\r\0\x1b\x1c\x7f", *"\x85\xa0\xad\u200b\u2003\u2028\u3000\ufeff",
    "{a}", "{{a}}", "{b?}", "}}", "{{", " ", "text", "it's", "true", "12", "$1", "\\1", "\\n", "",
]  # fmt: skip
NUMBERS = [
    "0", "-0", "1", "-7", "42", "2147483648", "9007199254740993", "-9223372036854775809",
    "18446744073709551616", "1" + "0" * 25, "0.0", "-0.0", "1.50", "5.0", "0.1", "1e3", "1E6",
    "1e7", "1e15", "1e16", "1e20", "1e21", "1e22", "1e23", "0.001", "0.0001", "0.00001", "1.5e-7",
    "5e-324", "1.7976931348623157e308", "1e400", "-1e400", "123456789.123", "1234567.5",
]  # fmt: skip


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def written_list(items):
    return "[" + ", ".join(items) + "]"


def written_object(entries):
    return "{" + ", ".join(f"{quoted(key)}: {value}" for key, value in entries) + "}"


def texts(pieces, most=3):
    return some.lists(some.sampled_from(pieces), max_size=most).map("".join)


def entries(keys, values, **sizes):
    return some.lists(some.tuples(keys, values), unique_by=lambda entry: entry[0], **sizes)


def values(pieces=(), keys=("k", "a", "b", "0", "10", "é", "", "k k")):
    """Any value; texts and keys may also contain these pieces."""
    pieces = [*PIECES, *pieces]
    numbers = some.one_of(
        some.sampled_from(NUMBERS),
        some.integers(-(2**70), 2**70).map(str),
        some.floats(allow_nan=False, allow_infinity=False).map(repr),
    )
    scalars = some.one_of(
        texts(pieces).map(quoted),
        texts(pieces).map(quoted),
        numbers,
        some.sampled_from(["true", "false", "null"]),
    )
    keys = some.one_of(some.sampled_from(keys), texts(pieces, most=2))
    level = scalars
    for _ in range(3):
        lists = some.lists(level, max_size=3).map(written_list)
        objects = entries(keys, level, max_size=3).map(written_object)
        level = some.one_of(scalars, scalars, lists, objects)
    return level


def inputs(common, rare, pieces=(), **more):
    """An inputs file with most of some keys, and a few others."""
    value = values(pieces, **more)
    often = entries(
        some.sampled_from(common), value, min_size=len(common) // 2, max_size=len(common)
    )
    seldom = entries(some.sampled_from(rare), value, max_size=3)
    return some.tuples(often, seldom).map(
        lambda both: written_object(dict([*both[0], *both[1]]).items())
    )
