"""Runs google-adk itself on the rows of Arrow files: adk_rows.py FOLDER FILE...

Prints google-adk's output for `<{x}>` with the values of each row, as a JSON list for each file.
"""

import json
import runpy
import sys
from pathlib import Path

import pandas  # noqa: F401  pyarrow returns nanoseconds with it
import pyarrow

ADAPTERS = Path(__file__).resolve().parents[1] / "engines/adapters"

tables = [pyarrow.ipc.open_file(path).read_all() for path in sys.argv[2:]]
sys.path.insert(0, str(ADAPTERS))
# The adapter reads lines from standard input, which is empty.
adapter = runpy.run_path(str(ADAPTERS / "adk.py"))
for table in tables:
    print(json.dumps([adapter["fill_in"]("<{x}>", row)["text"] for row in table.to_pylist()]))
