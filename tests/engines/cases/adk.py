"""Prompts of Google ADK."""

from hypothesis import strategies as some

from . import MOST_PROMPTS, Cases
from .values import inputs

COMMON = ["a", "b", "x1", "é", "app:a", "artifact.f"]
RARE = [
    "_", "_x", "a·", "ª", "‿", "℘", "Ⅷ", "x٣", "名", "𝒳", "$x", "x$", "€x", "a\u200b", "a\xad",
    "e\u0301", "user:b", "temp:c", "app:é", "app:1", "foo:a", "app:user:a", "App:a", ":a", "app:",
    "1x", "a.b", "A.b", "a-b", "a b", "a?", "", " a", "self", "None", "artifact", "artifact.",
    "artifact.f.txt", "artifact.a b", "artifact. f", "user:artifact.f", "constructor", "__proto__",
    "toString", "valueOf", "hasOwnProperty", "__defineGetter__", "app:constructor",
]  # fmt: skip
BLANKS = [
    "", "", "", " ", "  ", "\t", "\n", "\r\n", "\v", "\f", "\0", "\x1c", "\x1f", "\x7f", "\x85",
    "\xa0", "\u1680", "\u180e", "\u2003", "\u200b", "\u2028", "\u202f", "\u3000", "\ufeff",
]  # fmt: skip
PIECES = [
    "{", "}", "{{", "}}", "{}", "{{}}", "$", "\\", "$$", "\\\\", "$ ", "?", ":", "<A.b from n>",
    '{"k": 1}', " ", "\n", "a", "text ", "é", "名", "😀",
]  # fmt: skip

names = some.sampled_from([*COMMON * 6, *RARE])
blanks = some.sampled_from(BLANKS)
placeholders = some.tuples(
    some.sampled_from(["{"] * 6 + ["{{", "{{{", "${", "\\{", "$${", "${{", "$ {"]),
    blanks,
    names,
    some.sampled_from(["", "", "", "?", "?", "??", " ?", "? "]),
    blanks,
    some.sampled_from(["}"] * 6 + ["}}", "}}}"]),
).map("".join)
templates = some.lists(
    some.one_of(placeholders, placeholders, some.sampled_from(PIECES)), min_size=1, max_size=7
).map("".join)

prompts = some.lists(templates, min_size=1, max_size=MOST_PROMPTS, unique=True)
given = inputs(COMMON, RARE, pieces=["{x1}", "{artifact.f}"])


@some.composite
def cases(draw):
    return Cases(draw(prompts), draw(given))
