"""Prompts in Python braces."""

from hypothesis import strategies as some

from . import MOST_PROMPTS, Cases
from .values import inputs

COMMON = ["x", "y", "a_b", "é"]
RARE = ["", "x.y", " x ", "0", "²", "X", "1a", "b-c", "x[k]", '"k"', "x\ny", "{x", "名", "toString"]
STEPS = [".y", ".real", ".imag", ".__class__", ".upper", "[k]", "[0]", "[1]", "[-1]", "[a b]", "[]", ".", "y"]
SPECIFICATIONS = [
    ">5", "<5", "^7", "*^7", "=5", "05", ",", "_", ".2f", ".3", "d", "s", "x", "#x", "b", "e", "g",
    "%", "+", " ", "-", "z.1f", "010,", ">{y}", "{y}", ".{x}", "{y:{x}}", "{y:{x:{y}}}", "{{}}", "n",
    "c", "#o", "é>6", "!", "10s", ".1%", "q",
]  # fmt: skip
PIECES = [
    "{", "}", "{{", "}}", "{{{", "}}}", "{}", "{0}", '{"k": 1}', '{{"k": {x}}}', "{x", "x}", "{ x }",
    "{x!", "{x:", "{x[", "\n", " ", "é😀", "text ", "{% if x %}", "$", "\\",
]  # fmt: skip

names = some.sampled_from([*COMMON * 6, *RARE])
paths = some.lists(some.sampled_from(STEPS), max_size=2).map("".join)
conversions = some.sampled_from(["", "", "", "", "!r", "!s", "!a", "!z", "!", "!rs", "!é"])
specifications = some.one_of(
    some.just(""), some.sampled_from(SPECIFICATIONS).map(lambda it: ":" + it)
)
plain = names.map(lambda name: "{" + name + "}")
fields = some.tuples(
    some.just("{"), names, some.one_of(some.just(""), paths), conversions, specifications,
    some.just("}"),
).map("".join)  # fmt: skip
texts = some.sampled_from([" ", "é😀", "text ", "\n", "{{", "}}", *PIECES])
templates = some.lists(
    some.one_of(plain, plain, plain, fields, texts), min_size=1, max_size=5
).map("".join)

prompts = some.lists(templates, min_size=1, max_size=MOST_PROMPTS, unique=True)
given = inputs(COMMON, RARE)


@some.composite
def cases(draw):
    return Cases(draw(prompts), draw(given))
