"""What the README says of Python: its examples, and its table of what runs where."""

import re
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"
SECTION = README.read_text(encoding="utf-8").split("\n## In Python\n")[1].split("\n## ")[0]

# The examples, in order.
EXAMPLES = re.findall(r"```python\n(.*?)```", SECTION, re.DOTALL)
# The lines of the table, by who has the rows; a line may have several.
TABLE = {
    row[0].strip(): re.findall(r"`([^`]*)`", row[1])
    for row in re.findall(r"^\| ([^|]*) \| (.*) \|$", SECTION, re.MULTILINE)
    if "`" in row[1]
}
