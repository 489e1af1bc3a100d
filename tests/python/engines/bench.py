"""The overhead of each engine compared with the bare kernel: rows of a table in Markdown.
`tests/python/bench engines` runs this with each engine's own Python: bench.py NAME...

The prompt is w1, with ten text columns. The work of an engine ends when it has the texts; they
are not collected.
"""

import os
import sys
import time

import promptls
import pyarrow
from workload import w1

ROWS = 1_000_000
GROUPS = 16
PROMPT = promptls.Prompt(w1("{", "}"), engine="adk-python@2.13")
CORES = len(os.sched_getaffinity(0))


def table():
    """The rows, in as many batches as engines get."""
    values = pyarrow.array([f"the value {it:04}" for it in range(ROWS)])
    columns = pyarrow.table({f"name_{it:02}": values for it in range(10)})
    return pyarrow.Table.from_batches(columns.to_batches(max_chunksize=ROWS // GROUPS))


ROWS_IN = table()


def kernel():
    return lambda: PROMPT.render_arrow(ROWS_IN)


def with_polars():
    import polars

    df = polars.from_arrow(ROWS_IN)
    return lambda: df.with_columns(prompt=polars.Series(PROMPT.render_arrow(df)[0]))


def with_pandas():
    df = ROWS_IN.to_pandas()

    def render():
        df["prompt"], df["error"] = PROMPT.render_arrow(df[ROWS_IN.column_names])

    return render


def with_duckdb():
    import duckdb

    duckdb.register("rows_in", ROWS_IN)
    duckdb.sql("CREATE TABLE df AS SELECT * FROM rows_in")
    return lambda: PROMPT.render_arrow(duckdb.sql("SELECT * FROM df"))


def with_datafusion():
    import datafusion
    import promptls.datafusion

    context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(CORES))
    batches = ROWS_IN.to_batches()
    # Each core has its part, as with a file.
    parts = [batches[at::CORES] for at in range(CORES)]
    df = context.create_dataframe(parts)
    return lambda: promptls.datafusion.render(df, PROMPT).collect()


def with_spark():
    import promptls.spark
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{CORES}]").config("spark.driver.memory", "4g")
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    columns = [f"concat('the value ', id) AS {name}" for name in ROWS_IN.column_names]
    df = session.range(0, ROWS, 1, GROUPS).selectExpr(*columns).cache()
    df.count()
    return lambda: promptls.spark.render(df, PROMPT).write.format("noop").mode("overwrite").save()


def with_ray():
    import promptls.ray
    import ray

    environment = {"env_vars": {"PYTHONPATH": os.environ["PYTHONPATH"]}}
    ray.init(num_cpus=CORES, runtime_env=environment, log_to_driver=False, include_dashboard=False)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    ds = ray.data.from_arrow([pyarrow.Table.from_batches([it]) for it in ROWS_IN.to_batches()])
    return lambda: promptls.ray.render(ds, PROMPT).materialize()


ENGINES = {
    "Polars": with_polars,
    "pandas": with_pandas,
    "DuckDB": with_duckdb,
    "DataFusion": with_datafusion,
    "Ray Data": with_ray,
    "Spark": with_spark,
}


def seconds(render):
    """The best of some rounds, of which the first includes startup."""
    best = float("inf")
    for _ in range(4):
        start = time.perf_counter()
        render()
        best = min(best, time.perf_counter() - start)
    return best


def line(name, took, base):
    return f"| {name} | {ROWS:,} | {took:.2f} s | {(took - base) / ROWS * 1e9:,.0f} ns |"


if __name__ == "__main__":
    # Measured with each engine, in its own process.
    bare = seconds(kernel())
    if sys.argv[1] == "Polars":
        print("| w1 from columns of Arrow | rows | all of them | above the kernel, a row |\n| --- | ---: | ---: | ---: |")
        print(f"| `render_arrow`, {CORES} cores | {ROWS:,} | {bare:.2f} s | |")
    for name in sys.argv[1:]:
        print(line(name, seconds(ENGINES[name]()), bare), flush=True)
