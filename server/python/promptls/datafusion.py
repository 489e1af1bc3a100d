"""A prompt as a function of DataFusion, for SQL and for its DataFrames.

    import promptls, promptls.datafusion

    prompt = promptls.Prompt.load("letter.adk.prompt")
    context.register_udf(promptls.datafusion.udf(prompt, context.table("letters")))
    context.sql("SELECT id, render(name, year) AS prompt FROM letters")
"""


def udf(prompt, table=None, name="render", column_map=None, errors="raise"):
    """A function of the values that a prompt reads, in the order in which it first reads them
    (`names` says it), whose result is the text.

    `table`, a DataFrame or a schema of pyarrow, says of which types they are; without it, all are
    texts, and DataFusion makes texts of what is given. With `errors="null"` the text of a row that
    the engine refuses is null; otherwise the first one ends the query.
    """
    import datafusion
    import pyarrow

    read = names(prompt)
    types = [pyarrow.string()] * len(read)
    if table is not None:
        schema = table if isinstance(table, pyarrow.Schema) else table.schema()
        columns = prompt._columns(schema.names, column_map)
        read = [it for it in read if it in columns]
        types = [schema.field(columns[it]).type for it in read]

    def render(*columns):
        rows = pyarrow.RecordBatch.from_arrays(list(columns), names=read)
        texts, failed = prompt.render_arrow(rows)
        if errors != "null":
            first = next((error for error in failed if error is not None), None)
            if first is not None:
                from promptls.errors import EngineError

                raise EngineError(first)
        return pyarrow.array(texts)

    return datafusion.udf(render, types, pyarrow.large_string(), "immutable", name)


def render(df, prompt, column="prompt", column_map=None, errors="raise"):
    """A DataFrame with one more column, the text of each row."""
    import datafusion

    columns = prompt._columns(df.schema().names, column_map)
    function = udf(prompt, df, f"promptls_{prompt.hash[:16]}", column_map, errors)
    read = [columns[it] for it in names(prompt) if it in columns]
    return df.with_column(column, function(*(datafusion.col(f'"{it}"') for it in read)))


def names(prompt):
    """The names that a prompt reads, in the order of the arguments."""
    return prompt._names
