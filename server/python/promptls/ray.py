"""A prompt for each row of a data set of Ray.

    import promptls, promptls.ray

    prompt = promptls.Prompt.load("letter.adk.prompt")
    ds = promptls.ray.render(ds, prompt)

The prompt is sent to the workers as one small value, and each of them compiles it once. The package
must be installed there in the same version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from promptls._internal.rows import Rendering

if TYPE_CHECKING:
    import pyarrow
    from ray.data import Dataset

    from promptls import Prompt

__all__ = ["render"]


def render(
    ds: Dataset,
    prompt: Prompt,
    column: str = "prompt",
    errors: str | None = "error",
    column_map: dict[str, str] | None = None,
    **above: Any,
) -> Dataset:
    """The same rows with two more columns: the text, and the error (one of them is null).

    If `errors` is `None`, a row that fails ends the job. `column_map` gives the column for a
    name of the prompt. Keywords are values that override those of every row. Raises
    `promptls.MissingColumns` at once if a name that the prompt needs has no column, and
    `ValueError` if a column to be added exists already.
    """
    schema = ds.schema()
    if schema is None:
        # Ray has no columns for a data set without rows.
        return ds
    rendering = Rendering(prompt, schema.names, column, errors, column_map, above)

    def run(table: pyarrow.Table) -> pyarrow.Table:
        results = rendering.results(dict(zip(table.column_names, table.columns)), table.num_rows)
        for name, result in zip(rendering.added, results):
            table = table.append_column(name, result)
        return table

    # The name that Ray shows in the plan identifies the prompt.
    run.__name__ = f"promptls_{prompt.hash[:16]}"
    return ds.map_batches(run, batch_format="pyarrow", zero_copy_batch=True)
