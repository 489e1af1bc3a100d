"""A prompt for each row of a DataFrame of Spark.

    import promptls, promptls.spark

    prompt = promptls.Prompt.load("letter.adk.prompt")
    df = promptls.spark.render(df, prompt)

The prompt is sent to the executors as one small value, and each of their processes compiles it
once. The package must be installed there in the same version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from promptls._internal.rows import Rendering

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

    from promptls import Prompt

__all__ = ["render"]


def render(
    df: DataFrame,
    prompt: Prompt,
    column: str = "prompt",
    errors: str | None = "error",
    column_map: dict[str, str] | None = None,
    **above: Any,
) -> DataFrame:
    """The same rows with two more columns: the text, and the error (one of them is null).

    If `errors` is `None`, a row that fails ends the job. `column_map` gives the column for a
    name of the prompt. Keywords are values that override those of every row. Raises
    `promptls.MissingColumns` at once if a name that the prompt needs has no column, and
    `ValueError` if a column to be added exists already. Times are formatted in UTC, whatever the
    time zone of the session.
    """
    from pyspark.sql.types import StringType, StructField, StructType

    fields = df.schema.fields
    names = [field.name for field in fields]
    rendering = Rendering(prompt, names, column, errors, column_map, above)
    for field in fields:
        if field.name in rendering.read.values() and field.dataType.typeName() == "variant":
            raise TypeError(f"the column `{field.name}` is a variant; to_json makes a text of it")
    # Spark passes no column whose name contains a dot or is a duplicate.
    numbered = [f"c{at}" for at in range(len(names) + len(rendering.added))]
    schema = StructType()
    for name, field in zip(numbered, [*fields, *(StructField(name, StringType()) for name in rendering.added)]):
        schema.add(name, field.dataType, field.nullable, field.metadata)

    def run(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        for batch in batches:
            columns = {name: in_utc(column) for name, column in zip(names, batch.columns)}
            results = rendering.results(columns, batch.num_rows)
            results = [result.cast(pyarrow.string()) for result in results]
            yield pyarrow.RecordBatch.from_arrays([*batch.columns, *results], names=numbered)

    # The plan shows this name, which identifies the prompt.
    run.__name__ = f"promptls_{prompt.hash[:16]}"
    return df.toDF(*numbered[: len(names)]).mapInArrow(run, schema).toDF(*names, *rendering.added)


def in_utc(column: pyarrow.Array[Any]) -> pyarrow.Array[Any]:
    """A column with times in UTC: Spark passes them in the time zone of the session."""
    there = _in_utc(column.type)
    return column if there == column.type else column.cast(there)


def _in_utc(kind: Any) -> Any:
    import pyarrow

    types = pyarrow.types
    if types.is_timestamp(kind) and kind.tz is not None:
        return pyarrow.timestamp(kind.unit, "UTC")
    if types.is_list(kind):
        return pyarrow.list_(kind.value_field.with_type(_in_utc(kind.value_type)))
    if types.is_map(kind):
        return pyarrow.map_(_in_utc(kind.key_type), kind.item_field.with_type(_in_utc(kind.item_type)))
    if types.is_struct(kind):
        return pyarrow.struct([field.with_type(_in_utc(field.type)) for field in kind])
    return kind
