"""Resolves a prompt for batches of pyarrow rows, as engines pass them to Python functions."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from promptls._internal.errors import EngineError

if TYPE_CHECKING:
    import pyarrow

    from promptls import Column, Prompt


class Rendering:
    """A prompt, the columns that it reads, and the columns that it adds.

    It is sent to workers as one small value, and processes one batch after the other there.
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
        # Checked here, where the caller sees the error, before the first row.
        check_added(columns, [column] if errors is None else [column, errors])
        self.read: dict[str, str] = prompt._columns(list(columns), column_map, list(above))
        for name in self.read.values():
            if columns.count(name) > 1:
                raise ValueError(f"duplicate column `{name}`")
        self.prompt = prompt
        self.column = column
        self.errors = errors
        self.above = above

    @property
    def added(self) -> list[str]:
        """The names of the added columns."""
        return [self.column] if self.errors is None else [self.column, self.errors]

    def results(self, columns: Mapping[str, Any], number: int) -> list[pyarrow.Array[Any]]:
        """The added columns for `number` rows with these columns by name. Raises the error of a
        failed row if there is no column for errors."""
        import pyarrow

        # A part of a table may not have every column of the whole table.
        nothing = pyarrow.nulls(number)
        read = {name: columns.get(column, nothing) for name, column in self.read.items()}
        rows = pyarrow.table(list(read.values()), names=list(read))
        if not self.read:
            # A table without columns has no number of rows.
            rows = pyarrow.table({"": nothing})
        texts, errors = self.prompt.render_arrow(rows, **self.above) if self.read else self.constant(rows)
        if self.errors is None:
            first = next((error for error in errors if error is not None), None)
            if first is not None:
                raise EngineError(first)
            return [pyarrow.array(texts)]
        return [pyarrow.array(texts), pyarrow.array(errors)]

    def constant(self, rows: pyarrow.Table) -> tuple[Column, Column]:
        """The results of a prompt that reads no column."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.prompt.render_arrow(rows, **self.above)


def check_added(columns: Sequence[str], added: Sequence[str]) -> None:
    """Raises `ValueError` if a column exists already, as the program does: one of them would be
    lost."""
    for at, name in enumerate(added):
        if name in columns or name in added[:at]:
            raise ValueError(f"column `{name}` already exists; choose another name")
