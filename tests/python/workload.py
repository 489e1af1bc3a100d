"""Prompts for measurements."""

import itertools

PROSE = "Answer in plain words, cite the page, and say so if the notes do not tell. "


def text(size, slots, names, before, behind):
    """The same text as in `tests/src/workloads.rs`."""
    prose = itertools.cycle(PROSE)
    between = size // slots - len("{{name_00}}")
    pieces = ("".join(itertools.islice(prose, between)) + f"{before}name_{it % names:02}{behind}" for it in range(slots))
    return "".join(pieces) + "."


def w1(before, behind):
    """1 KB with 10 placeholders and 10 names."""
    return text(1_000, 10, 10, before, behind)
