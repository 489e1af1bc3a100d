"""The Python examples of the book and of the package's README, and the table of integrations."""

import re
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "docs/src/libraries"
PYTHON, PYTEST = (
    (PAGES / name).read_text(encoding="utf-8") for name in ("python.md", "pytest.md")
)


def examples(text):
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


# The examples of the book, in order.
EXAMPLES = examples(PYTHON + PYTEST)
README_EXAMPLES = examples((PAGES.parents[2] / "server/python/README.md").read_text(encoding="utf-8"))
# The lines of the table, by library; a library may have several.
TABLE = {
    row[0].strip(): re.findall(r"`([^`]*)`", row[1])
    for row in re.findall(r"^\| ([^|]*) \| (.*) \|$", PYTHON.split("\n## Tables\n")[1], re.MULTILINE)
    if "`" in row[1]
}
