"""Prompts of Agentle."""

from hypothesis import strategies as some

from . import MOST_PROMPTS, Cases
from .values import inputs

COMMON = ["a", "b", "l", "m", "items"]
RARE = ["this", "é", "a b", "$x", "", ".", "a.b", "x", "0", "#x", "/x", "user name", "n"]
STEPS = [
    "k", "a", "b", "0", "10", "é", "this", "key", "value", "length", "size", "", "k k", "items",
    "x",
]  # fmt: skip
PIECES = [
    "{", "}", "{{", "}}", "{{{", "}}}", "{{}}", "{{}a}}", "{{ }}", "$1", "\\1", "{{#if", "{{#if ",
    "{{#each ", "{{#if}}", "{{#iffy a}}", "{{#if\ta}}", "{{#if\xa0a}}", "{{#if a}b}}",
    "{{#unless a}}", "{{else}}", "{{/if}}", "{{/each}}", "{{/if }}", "{{#}}", "{{/}}", "{{{a}}}",
    "{{a}", "{a}}", '{"k": 1}', " ", "\n", "text ", "é", "😀",
]  # fmt: skip
BRINGS = [
    "{{a}}",
    "{{this}}",
    "{{#if a}}y{{/if}}",
    "{{#each l}}{{a}}{{/each}}",
    "{{#each l}}z{{/each}}",
]

blanks = some.sampled_from(
    ["", "", "", "", " ", "\t", "\n", "\x1c", "\x85", "\xa0", "\u2003", "\u200b", "\ufeff", "\0"]
)
steps = some.lists(some.sampled_from(STEPS), max_size=3).map(
    lambda steps: "".join(f".{step}" for step in steps)
)
paths = some.tuples(
    some.sampled_from([*COMMON * 3, *["this"] * 4, *RARE, " ", "..", "a\\b", "{a", "a|up"]),
    some.one_of(some.just(""), steps),
).map("".join)
placeholders = some.tuples(some.just("{{"), blanks, paths, blanks, some.just("}}")).map("".join)
openers = some.sampled_from(["{{#if ", "{{#each ", "{{#each ", "{{#each  ", "{{#if\n"])


def block(parts):
    opener, path, inside = parts
    return f"{opener}{path}}}}}{inside}{{{{/{'if' if 'if' in opener else 'each'}}}}}"


level = some.one_of(placeholders, placeholders, some.sampled_from(PIECES))
for _ in range(2):
    bodies = some.lists(level, max_size=3).map("".join)
    level = some.one_of(level, some.tuples(openers, paths, bodies).map(block))
templates = some.lists(level, min_size=1, max_size=6).map("".join)

prompts = some.lists(templates, min_size=1, max_size=MOST_PROMPTS, unique=True)
given = inputs(COMMON, RARE, pieces=BRINGS, keys=STEPS)


@some.composite
def cases(draw):
    return Cases(draw(prompts), draw(given))
