"""Spark with two executors, which are processes of their own."""

import os
import signal
import subprocess
import sys
import threading
import time

import promptls
import promptls.spark
import pytest
from generated import NONE, PROMPT, ROWS, differences, table
from pyspark.sql import SparkSession
from readme import TABLE

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("promptls")
    settings = {
        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
        "spark.ui.enabled": "false",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        # Who is killed is forgiven.
        "spark.task.maxFailures": "8",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def rows(spark, tmp_path_factory):
    """The generated rows, in sixteen files."""
    import pyarrow.parquet

    folder = tmp_path_factory.mktemp("rows")
    part = ROWS // 16
    for at in range(16):
        pyarrow.parquet.write_table(table(at * part, (at + 1) * part), folder / f"{at:02}.parquet")
    return spark.read.parquet(str(folder))


def results(frame):
    done = frame.select("id", "prompt", "error").toArrow()
    return [done.column(name).to_pylist() for name in ("id", "prompt", "error")]


def test_a_million_rows_are_those_of_the_package(rows):
    frame = promptls.spark.render(rows, PROMPT)
    assert differences(*results(frame)) == NONE


def test_an_executor_that_is_killed_loses_and_doubles_nothing(spark, rows):
    killed = []

    def kill():
        # As soon as workers of Python run, one executor dies with them.
        deadline = time.monotonic() + 60
        while not killed and time.monotonic() < deadline:
            # By then it has begun.
            time.sleep(5)
            for pid in executors():
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                return

    def slowed(batches):
        for batch in batches:
            time.sleep(0.15)
            yield batch

    frame = promptls.spark.render(rows, PROMPT)
    # So slow that there is time for it.
    slow = frame.mapInArrow(slowed, frame.schema)
    killer = threading.Thread(target=kill)
    killer.start()
    found = results(slow)
    killer.join()
    assert killed, "no executor was found"
    assert differences(*found) == NONE


def executors():
    """The processes that are executors of this session: they are below the one of its JVM."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    processes = [line.split(None, 2) for line in listed.splitlines()[1:]]
    below = {str(os.getpid())}
    for _ in processes:
        below |= {pid for pid, parent, _ in processes if parent in below}
    return [int(pid) for pid, _, command in processes if pid in below and "CoarseGrainedExecutorBackend" in command]


def test_the_line_of_the_readme_runs(spark):
    names = {"promptls": promptls, "prompt": PROMPT, "df": spark.createDataFrame(table(0, 100).to_pylist(), "id long, subject string, name string, note string, price double, flag boolean")}
    exec(TABLE["Spark"][0], names)
    assert differences(*results(names["df"]), table(0, 100)) == NONE


def test_a_column_that_lacks_is_an_error_on_the_driver(rows):
    with pytest.raises(promptls.MissingColumns, match="there is no column `subject`"):
        promptls.spark.render(rows.drop("subject"), PROMPT)


def test_the_plan_names_the_prompt(rows):
    frame = promptls.spark.render(rows, PROMPT)
    assert f"promptls_{PROMPT.hash[:16]}" in frame._jdf.queryExecution().toString()


def test_a_row_that_fails_ends_the_job_where_nobody_wants_errors(spark):
    frame = spark.createDataFrame([(None,)], "a string")
    prompt = promptls.Prompt("{{a}}", engine="promptkit-go", variables={"variables": [{"name": "a", "required": True}]})
    with pytest.raises(Exception, match="missing required variables"):
        promptls.spark.render(frame, prompt, errors=None).collect()
