"""A prompt as a function of DataFusion, for SQL and for its DataFrames.

    import promptls, promptls.datafusion

    prompt = promptls.Prompt.load("letter.adk.prompt")
    context.register_udf(promptls.datafusion.udf(prompt, context.table("letters")))
    context.sql("SELECT id, render(name, year) AS prompt FROM letters")
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

from promptls._internal.errors import EngineError
from promptls._internal.rows import check_added

if TYPE_CHECKING:
    from datafusion import DataFrame, ScalarUDF

    from promptls import Prompt

__all__ = ["names", "render", "udf"]


# DataFusion and pyarrow are not typed.
class _Frame(Protocol):
    """A DataFrame."""

    def schema(self) -> Any: ...


class _Schema(Protocol):
    """A schema of pyarrow."""

    @property
    def names(self) -> Any: ...
    def field(self, i: Any) -> Any: ...


def udf(
    prompt: Prompt,
    table: _Frame | _Schema | None = None,
    name: str = "render",
    column_map: dict[str, str] | None = None,
    errors: Literal["raise", "null"] = "raise",
) -> ScalarUDF:
    """A function of the values that a prompt reads, whose result is the text. The order of its
    arguments is that of `names`: the order of first use in the prompt.

    `table`, a DataFrame or a schema of pyarrow, gives the types of the values. Without it, all
    are texts, and DataFusion casts the arguments to texts. With `errors="null"`, the text of a
    row that the engine rejects is null; otherwise the first such row ends the query. Raises
    `ValueError` if the prompt reads no value: DataFusion does not pass the number of rows to a
    function without arguments.
    """
    if table is None:
        import pyarrow

        read = {it: pyarrow.string() for it in names(prompt)}
    else:
        read = _types(table, _columns(prompt, table, column_map))
    if not read:
        raise ValueError("the prompt reads no column, and is the same text for each row: prompt.render()")
    return _udf(prompt, read, name, errors)


def render(
    df: DataFrame,
    prompt: Prompt,
    column: str = "prompt",
    column_map: dict[str, str] | None = None,
    errors: Literal["raise", "null"] = "raise",
) -> DataFrame:
    """A DataFrame with one more column, the text of each row. Raises `ValueError` if the column
    exists already."""
    import datafusion

    check_added(df.schema().names, [column])
    columns = _columns(prompt, df, column_map)
    arguments = [datafusion.col(_quoted(it)) for it in columns.values()]
    read = _types(df, columns)
    if not read:
        # DataFusion does not pass the number of rows to a function without arguments.
        import pyarrow

        read, arguments = {"": pyarrow.bool_()}, [datafusion.lit(True)]
    function = _udf(prompt, read, f"promptls_{prompt.hash[:16]}", errors)
    return df.with_column(column, function(*arguments))


def names(prompt: Prompt) -> list[str]:
    """The names that a prompt reads, in the order of the arguments: by first use in its text, then
    those that only fragments and declarations contain."""
    return _in_order(prompt, [variable.name for variable in prompt.variables])


def _udf(prompt: Prompt, read: Mapping[str, Any], name: str, errors: str) -> ScalarUDF:
    """A function of values with these names and types."""
    import datafusion
    import pyarrow

    def render(*columns: Any) -> Any:
        rows = pyarrow.RecordBatch.from_arrays(list(columns), names=list(read))
        with warnings.catch_warnings():
            # Unused columns were already reported when the function was created.
            warnings.simplefilter("ignore")
            texts, failed = prompt.render_arrow(rows)
        if errors != "null":
            first = next((error for error in failed if error is not None), None)
            if first is not None:
                raise EngineError(first)
        return pyarrow.array(texts)

    return datafusion.udf(render, list(read.values()), pyarrow.large_string(), "immutable", name)


def _columns(prompt: Prompt, table: Any, column_map: dict[str, str] | None) -> dict[str, str]:
    """The columns that a prompt reads, by the names of the prompt, in the order of the
    arguments."""
    columns = prompt._columns(_schema(table).names, column_map)
    return {name: columns[name] for name in _in_order(prompt, columns)}


def _types(table: Any, columns: Mapping[str, str]) -> dict[str, Any]:
    return {name: _schema(table).field(column).type for name, column in columns.items()}


def _schema(table: Any) -> Any:
    import pyarrow

    return table if isinstance(table, pyarrow.Schema) else table.schema()


def _in_order(prompt: Prompt, names: Iterable[str]) -> list[str]:
    place = {name: at for at, name in enumerate(prompt._names)}
    return sorted(names, key=lambda name: place.get(name, len(place)))


def _quoted(column: str) -> str:
    """A quoted column name in SQL, so that capitals and dots are kept."""
    return '"' + column.replace('"', '""') + '"'
