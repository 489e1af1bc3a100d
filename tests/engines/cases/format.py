"""Prompts in Python braces."""

from hypothesis import strategies as some

from . import MOST_PROMPTS, Cases
from .values import inputs, values, written_object

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

# Most engines refuse most of these, and then print nothing. So half of the prompts are ones that all of
# them read, and half of the inputs have all their names.
SOUND = ["", "", "", "!r", "!s", "!a", ":", ":>7", ":^9", ":*<6", ":12s", "!r:>9", "!s:.3", ":{{}}"]
SOUND_TEXTS = [" ", "é😀", "text ", "\n", "{{", "}}", '{{"k": {x}}}', "{{{x}}}", "$", "\\", "{{x}}"]
sound_fields = some.tuples(
    some.just("{"), some.sampled_from(COMMON), some.sampled_from(SOUND), some.just("}")
).map("".join)  # fmt: skip
sound_names = some.sampled_from(COMMON).map(lambda name: "{" + name + "}")
sound = some.lists(
    some.one_of(sound_names, sound_names, sound_fields, some.sampled_from(SOUND_TEXTS)),
    min_size=1, max_size=6,
).map("".join)  # fmt: skip
whole = some.tuples(*[values() for _ in COMMON]).map(
    lambda found: written_object(zip(COMMON, found, strict=True))
)

prompts = some.lists(some.one_of(templates, sound), min_size=1, max_size=MOST_PROMPTS, unique=True)
given = some.one_of(whole, inputs(COMMON, RARE))


@some.composite
def cases(draw):
    return Cases(draw(prompts), draw(given))
