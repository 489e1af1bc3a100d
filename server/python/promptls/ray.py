"""A prompt for each row of a data set of Ray.

    import promptls, promptls.ray

    prompt = promptls.Prompt.load("letter.adk.prompt")
    ds = promptls.ray.render(ds, prompt)

The prompt travels to the workers as one small value, and each of them compiles it once; the package
has to be installed there in the same version.
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
    """The same rows with two more columns: the text, and why there is none (one of them is null).

    Without a name for `errors`, a row that fails ends the job. `column_map` says which column a
    name of the prompt is, and keywords are values that count above those of every row. Raises
    `promptls.MissingColumns` at once if there is no column for a name that the prompt needs, and
    `ValueError` if there is one already that is to be added.
    """
    schema = ds.schema()
    if schema is None:
        # Ray knows no columns of a data set without rows.
        return ds
    rendering = Rendering(prompt, schema.names, column, errors, column_map, above)

    def run(table: pyarrow.Table) -> pyarrow.Table:
        results = rendering.results(dict(zip(table.column_names, table.columns)), table.num_rows)
        for name, result in zip(rendering.added, results):
            table = table.append_column(name, result)
        return table

    # What Ray shows of the plan names the prompt.
    run.__name__ = f"promptls_{prompt.hash[:16]}"
    return ds.map_batches(run, batch_format="pyarrow", zero_copy_batch=True)
