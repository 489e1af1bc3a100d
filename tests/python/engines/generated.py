"""Rows that are made up, the same each time, and what the package makes of them by itself."""

import promptls
import pyarrow

ROWS = 1_000_000
PROMPT = promptls.Prompt(
    "Row {id} is about {subject}, for {name} ({note?}): {price} {flag}.",
    engine="adk-python@2.13",
    agent="clerk",
)


def table(start=0, end=ROWS):
    """Rows with texts in several scripts, with nulls, and numbers of each kind."""
    ids = range(start, end)
    words = ["tea", "日本", "it's", "{braces}", "", "a\nb", '"', "😀"]
    return pyarrow.table(
        {
            "id": pyarrow.array(ids, pyarrow.int64()),
            "subject": [f"{words[it % 8]} {it * 7919 % 1000}" for it in ids],
            "name": [None if it % 11 == 0 else f"name {it % 97}" for it in ids],
            "note": [None if it % 3 else words[it % 7] for it in ids],
            "price": [it / 4 for it in ids],
            "flag": [it % 2 == 0 for it in ids],
        }
    )


def expected(rows=None):
    """Each row's text, by its id."""
    rows = table() if rows is None else rows
    texts, _ = PROMPT.render_arrow(rows)
    return dict(zip(rows.column("id").to_pylist(), texts))


def differences(ids, texts, errors, rows=None):
    """How many of the results are not those of the package alone, and those that lack or come twice."""
    wanted = expected(rows)
    assert not any(errors)
    return {
        "other": sum(wanted[it] != text for it, text in zip(ids, texts)),
        "lost": len(wanted.keys() - set(ids)),
        "doubled": len(ids) - len(set(ids)),
    }


NONE = {"other": 0, "lost": 0, "doubled": 0}
