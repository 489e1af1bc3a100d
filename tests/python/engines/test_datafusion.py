"""DataFusion, with its own Python package."""

import promptls
import promptls.datafusion
import pytest
from datafusion import SessionContext
from generated import FOLDER, NONE, PROMPTS, differences


@pytest.mark.parametrize("name", PROMPTS)
def test_a_million_rows_are_those_of_the_program(name):
    rows = SessionContext().read_parquet(str(FOLDER / "rows.parquet"))
    made = promptls.datafusion.render(rows, promptls.Prompt.load(FOLDER / name), errors="null")
    assert differences(name, made.select("id", "prompt").to_arrow_table()) == NONE
