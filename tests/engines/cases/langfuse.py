"""Prompts of Langfuse."""

from hypothesis import strategies as some

from . import MOST_PROMPTS, Cases
from .values import inputs

COMMON = ["a", "b", "é", "a b"]
RARE = ["", "a.b", "{a", "a}", "#if a", "{{a", "名", "𝒳", "$x", "\\", "\u200b", "a\nb", '"', "0"]
BLANKS = [
    "", "", "", " ", "\t", "\n", "\0", "\x1c", "\x85", "\xa0", "\u2003", "\u200b", "\u3000",
    "\ufeff",
]  # fmt: skip
PIECES = [
    "{", "}", "{{", "}}", "{{{", "}}}", "{{}}", "{a}", "{{a", "a}}", "{}", "$", "\\1", " ", "\n",
    "é", "😀", "text ",
]  # fmt: skip

blanks = some.sampled_from(BLANKS)
names = some.sampled_from([*COMMON * 4, *RARE, "nobody"])
placeholders = some.tuples(some.just("{{"), blanks, names, blanks, some.just("}}")).map("".join)
templates = some.lists(
    some.one_of(placeholders, placeholders, some.sampled_from(PIECES)), min_size=1, max_size=7
).map("".join)

prompts = some.lists(templates, min_size=1, max_size=MOST_PROMPTS, unique=True)
given = inputs(COMMON, RARE)


@some.composite
def cases(draw):
    return Cases(draw(prompts), draw(given))
