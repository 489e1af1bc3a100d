"""What the book says of Python: its examples, and its table of what runs where."""

import re
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "docs/src/libraries"
PYTHON, PYTEST = (
    (PAGES / name).read_text(encoding="utf-8") for name in ("python.md", "pytest.md")
)

# The examples, in order.
EXAMPLES = re.findall(r"```python\n(.*?)```", PYTHON + PYTEST, re.DOTALL)
# The lines of the table, by who has the rows; a line may have several.
TABLE = {
    row[0].strip(): re.findall(r"`([^`]*)`", row[1])
    for row in re.findall(r"^\| ([^|]*) \| (.*) \|$", PYTHON.split("\n## Tables\n")[1], re.MULTILINE)
    if "`" in row[1]
}
