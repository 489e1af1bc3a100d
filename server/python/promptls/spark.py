"""A prompt for each row of a DataFrame of Spark.

    import promptls, promptls.spark

    prompt = promptls.Prompt.load("letter.adk.prompt")
    df = promptls.spark.render(df, prompt)

The prompt travels to the executors as one small value, and each of their processes compiles it
once; the package has to be installed there in the same version.
"""

from promptls.rows import Rendering


def render(df, prompt, column="prompt", errors="error", column_map=None, **above):
    """The same rows with two more columns: the text, and why there is none (one of them is null).

    Without a name for `errors`, a row that fails ends the job. `column_map` says which column a
    name of the prompt is, and keywords are values that count above those of every row. Raises
    `promptls.MissingColumns` at once if there is no column for a name that the prompt needs.
    """
    from pyspark.sql.types import StringType, StructField, StructType

    rendering = Rendering(prompt, df.columns, column, errors, column_map, above)
    added = [StructField(name, StringType()) for name in rendering.added]

    def run(batches):
        import pyarrow

        for batch in batches:
            results = [result.cast(pyarrow.string()) for result in rendering.results(batch)]
            names = [*batch.schema.names, *rendering.added]
            yield pyarrow.RecordBatch.from_arrays([*batch.columns, *results], names=names)

    # The plan names the prompt.
    run.__name__ = f"promptls_{prompt.hash[:16]}"
    return df.mapInArrow(run, StructType([*df.schema.fields, *added]))
