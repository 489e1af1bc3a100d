"""A prompt over a batch of rows of pyarrow, as those engines hand them out which run Python."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from promptls._internal.errors import EngineError

if TYPE_CHECKING:
    import pyarrow

    from promptls import Column, Prompt


class Rendering:
    """A prompt, the columns that it reads, and the columns that come of it.

    It goes to workers as one small value; there it fills in a batch after the other.
    """

    def __init__(
        self,
        prompt: Prompt,
        columns: Sequence[str],
        column: str,
        errors: str | None,
        column_map: dict[str, str] | None,
        above: Mapping[str, Any],
    ) -> None:
        # Said where somebody hears it, and before the first row.
        check_added(columns, [column] if errors is None else [column, errors])
        self.read: dict[str, str] = prompt._columns(list(columns), column_map, list(above))
        for name in self.read.values():
            if columns.count(name) > 1:
                raise ValueError(f"two columns are called `{name}`")
        self.prompt = prompt
        self.column = column
        self.errors = errors
        self.above = above

    @property
    def added(self) -> list[str]:
        """The names of the columns that come of it."""
        return [self.column] if self.errors is None else [self.column, self.errors]

    def results(self, columns: Mapping[str, Any], number: int) -> list[pyarrow.Array[Any]]:
        """The columns that come of so many rows with these columns by name; of a row that fails
        without a column for errors, the error is raised."""
        import pyarrow

        # A part of a table may lack a column that the whole has.
        nothing = pyarrow.nulls(number)
        read = {name: columns.get(column, nothing) for name, column in self.read.items()}
        rows = pyarrow.table(list(read.values()), names=list(read))
        if not self.read:
            # Rows without columns have no number.
            rows = pyarrow.table({"": nothing})
        texts, errors = self.prompt.render_arrow(rows, **self.above) if self.read else self.constant(rows)
        if self.errors is None:
            first = next((error for error in errors if error is not None), None)
            if first is not None:
                raise EngineError(first)
            return [pyarrow.array(texts)]
        return [pyarrow.array(texts), pyarrow.array(errors)]

    def constant(self, rows: pyarrow.Table) -> tuple[Column, Column]:
        """A prompt that reads no column."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.prompt.render_arrow(rows, **self.above)


def check_added(columns: Sequence[str], added: Sequence[str]) -> None:
    """Fails if there is such a column already, as the program does: one of them would be lost."""
    for at, name in enumerate(added):
        if name in columns or name in added[:at]:
            raise ValueError(f"there is a column `{name}` already; say another name")
