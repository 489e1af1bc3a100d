"""Prompts of PromptPack, with declarations."""

from hypothesis import strategies as some

from . import MOST_PROMPTS, Cases
from .values import NUMBERS, entries, inputs, quoted, values, written_list, written_object

COMMON = ["a", "b", "name", "_x1"]
RARE = [
    "é", "a b", "", "items[0]", "user.name", "fragments.f", "1x", "x", "constructor", "__proto__",
    "toString", "valueOf",
]  # fmt: skip
FRAGMENTS = ["f", "g", "h", "a", "f1", "constructor"]
PIECES = [
    "{", "}", "{{", "}}", "{{{", "}}}", "{{}}", "{a}", "{{a", "a}}", "{{a.b}}", "{{items[0]}}",
    "{{a:b}}", "{{fragment:f}}", "{{fragments.f}}", "{{#if a}}", "{{ a }}", "$&", "$1", "$$", "\\",
    " ", "\n", "é", "😀", "text ",
]  # fmt: skip
PATTERNS = [
    "^a", "a$", "^[a-z]+$", "\\d+", "^.{1,3}$", "b|text", "a*", "[", "(", "^$", "é", "^\\w+$",
]  # fmt: skip

names = some.sampled_from([*COMMON * 4, *FRAGMENTS * 2, *RARE, "nobody"])
blanks = some.sampled_from(["", "", "", "", "", " "])
placeholders = some.tuples(some.just("{{"), blanks, names, blanks, some.just("}}")).map("".join)
templates = some.lists(
    some.one_of(placeholders, placeholders, some.sampled_from(PIECES)), min_size=1, max_size=6
).map("".join)

value = values(["{{a}}", "{{f}}"])
numbers = some.sampled_from([number for number in NUMBERS if "e4" not in number])
rules = some.fixed_dictionaries(
    {},
    optional={
        "pattern": some.sampled_from(PATTERNS).map(quoted),
        "min_length": some.integers(0, 4).map(str),
        "max_length": some.integers(0, 4).map(str),
        "minimum": numbers,
        "maximum": numbers,
        "enum": some.lists(value, min_size=1, max_size=3).map(written_list),
    },
).map(lambda rules: written_object(rules.items()))
variables = some.fixed_dictionaries(
    {
        "name": some.sampled_from([*COMMON * 2, "f", "constructor"]).map(quoted),
        "type": some.sampled_from(
            ["string", "string", "string", "number", "number", "boolean", "object", "array"]
        ).map(quoted),
    },
    optional={
        "required": some.sampled_from(["true", "false"]),
        "default": value,
        "validation": rules,
    },
)
declared = some.lists(variables, max_size=3, unique_by=lambda variable: variable["name"])
declared = declared.map(
    lambda all: written_list([written_object(variable.items()) for variable in all])
)
fragments = entries(some.sampled_from(FRAGMENTS), templates.map(quoted), max_size=3).map(
    written_object
)
declarations = some.one_of(
    some.none(),
    some.fixed_dictionaries({}, optional={"variables": declared, "fragments": fragments}).map(
        lambda parts: written_object(parts.items())
    ),
)

prompts = some.lists(templates, min_size=1, max_size=MOST_PROMPTS, unique=True)
given = inputs(COMMON, RARE, pieces=["{{a}}", "{{f}}"])


@some.composite
def cases(draw):
    return Cases(draw(prompts), draw(given), draw(declarations))
