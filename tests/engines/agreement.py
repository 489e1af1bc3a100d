"""The table of agreement with engines."""

from packages import HERE, RELEASES

FILE = HERE / "AGREEMENT.md"
VECTORS = HERE.parent / "vectors" / "engines"

COLUMNS = ["engine", "cases", "filled in", "fails", "unpredictable", "differences"]


def rows(head, lines):
    """Formats a table in Markdown."""
    lines = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def table(found):
    def row(result):
        difference = "1, see below" if result.difference else "none"
        counts = [result.cases, result.filled_in, result.failed, result.unpredictable]
        return [f"`{result.name}`", *[f"{count:,}" for count in counts], difference]

    return rows(COLUMNS, [row(result) for result in found])


def executed():
    """The engines without a registry, whose vectors were run once: their names, and numbers of
    cases."""
    had = {release.engine for release in RELEASES}
    counts = {path.stem: path.read_bytes().count(b"\n") for path in sorted(VECTORS.glob("*.jsonl"))}
    split = {name: name.rsplit("-", 1) for name in counts}
    return [
        [f"`{engine}@{version}`", counts[name]]
        for name, (engine, version) in split.items()
        if engine not in had
    ]


def unwritten(releases):
    """The releases that are missing in the table."""
    text = FILE.read_text() if FILE.exists() else ""
    return [release.name for release in releases if f"| `{release.name}` |" not in text]


def write(found, count, seed):
    differences = "".join(
        f"\n`{result.name}`:\n\n```\n{result.difference}\n```\n"
        for result in found
        if result.difference
    )
    FILE.write_text(f"""\
# Where promptls agrees with the engines

Made by `tests/run engines --cases {count} --seed {seed} --write`.

Each engine is installed from its registry and gets random cases: prompts of braces, signs, names and whitespace of all kinds, and values of all kinds. Its result, a text or an error message, is compared with that of promptls, byte for byte.

{table(found)}

*Filled in*: the engine sends a text other than the source. *Fails*: it sends nothing, and both report the same error. *Unpredictable*: promptls reports that the engine's result is not deterministic or depends on another package, and nothing is compared. The comparison of an engine ends at the first difference.
{differences}
These cannot be installed from a registry, or not by themselves. They were built from their sources and run once on the cases in [`tests/vectors/engines`](../vectors/engines), which the tests compare, as they do those of the engines above:

{rows(["engine", "cases"], executed())}
""")
