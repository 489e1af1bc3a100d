"""Spark with two executors, which are separate processes."""

import concurrent.futures
import os
import signal
import subprocess
import sys
import threading
import time

import promptls
import promptls.spark
import pytest
from generated import FOLDER, NONE, PROMPTS, differences
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
        # Each executor gets some of it.
        "spark.sql.files.maxPartitionBytes": "1m",
        "spark.sql.files.openCostInBytes": "0",
        # Times are displayed in this zone, but their values are the same.
        "spark.sql.session.timeZone": "Asia/Kolkata",
        # Killed tasks are retried.
        "spark.task.maxFailures": "8",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def rows(spark):
    """The generated rows, distributed by row groups."""
    return spark.read.parquet(str(FOLDER / "rows.parquet"))


def load(name):
    return promptls.Prompt.load(FOLDER / name)


@pytest.mark.parametrize("name", PROMPTS)
def test_a_million_rows_are_those_of_the_program(rows, name):
    frame = promptls.spark.render(rows, load(name))
    assert frame.rdd.getNumPartitions() > 4
    assert differences(name, results(frame)) == NONE


def test_an_executor_that_is_killed_loses_and_doubles_nothing(spark, rows):
    killed = []

    def kill():
        # As soon as Python workers run, one executor is killed with them.
        deadline = time.monotonic() + 60
        while not killed and time.monotonic() < deadline:
            # By then, processing has started.
            time.sleep(5)
            for pid in executors():
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                return

    def slowed(batches):
        for batch in batches:
            time.sleep(0.15)
            yield batch

    frame = promptls.spark.render(rows, load(PROMPTS[1]))
    # Slowed down, so that there is time for it.
    slow = frame.mapInArrow(slowed, frame.schema)
    killer = threading.Thread(target=kill)
    killer.start()
    made = results(slow)
    killer.join()
    assert killed, "no executor was found"
    assert differences(PROMPTS[1], made) == NONE


def executors():
    """The executor processes of this session, which are descendants of its JVM."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    processes = [line.split(None, 2) for line in listed.splitlines()[1:]]
    below = {str(os.getpid())}
    for _ in processes:
        below |= {pid for pid, parent, _ in processes if parent in below}
    return [int(pid) for pid, _, command in processes if pid in below and "CoarseGrainedExecutorBackend" in command]


def results(frame):
    return frame.select("id", "prompt", "error").toArrow()


PROMPT = promptls.Prompt("Dear {subject}, {note?}", engine="adk-python@2.13")


def test_the_line_of_the_readme_runs(spark):
    names = {"promptls": promptls, "prompt": PROMPT, "df": spark.createDataFrame([("tea", None)], "subject string, note string")}
    exec(TABLE["Spark"][0], names)
    assert [tuple(row) for row in names["df"].collect()] == [("tea", None, "Dear tea, ", None)]


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


def test_a_table_without_rows_has_the_columns(spark):
    frame = promptls.spark.render(spark.createDataFrame([], "subject string, note string"), PROMPT)
    assert frame.columns == ["subject", "note", "prompt", "error"] and frame.collect() == []


def test_a_column_of_nothing_but_nulls_is_one(spark):
    frame = promptls.spark.render(spark.sql("SELECT 'tea' AS subject, NULL AS note"), PROMPT)
    assert [row.prompt for row in frame.collect()] == ["Dear tea, "]


def test_any_column_may_be_meant(spark):
    frame = spark.sql("SELECT 'tea' AS `the.subject`, 1 AS id, 2 AS id")
    made = promptls.spark.render(frame, PROMPT, column_map={"subject": "the.subject"})
    assert made.columns == ["the.subject", "id", "id", "prompt", "error"]
    assert [tuple(row) for row in made.collect()] == [("tea", 1, 2, "Dear tea, ", None)]


def test_times_inside_of_others_are_in_utc(spark):
    time = "TIMESTAMP'2026-01-02 05:30:00'"
    frame = spark.sql(f"SELECT array({time}) AS a, map('k', {time}) AS m, named_struct('t', {time}) AS s")
    made = promptls.spark.render(frame, promptls.Prompt("{a} {m} {s}", engine="adk-python@2.13"))
    expected = "['2026-01-02T00:00:00Z'] {'k': '2026-01-02T00:00:00Z'} {'t': '2026-01-02T00:00:00Z'}"
    assert [row.prompt for row in made.collect()] == [expected]


@pytest.mark.parametrize(
    "columns, kind, message",
    [
        ("'a' AS subject, 1 AS prompt", ValueError, "column `prompt` already exists; choose another name"),
        ("'a' AS subject, 1 AS error", ValueError, "column `error` already exists; choose another name"),
        ("'a' AS subject, 'b' AS subject", ValueError, "duplicate column `subject`"),
        ("parse_json('{}') AS subject", TypeError, "`subject` is a variant; to_json makes a text of it"),
    ],
)
def test_columns_that_cannot_be_are_an_error_on_the_driver(spark, columns, kind, message):
    with pytest.raises(kind, match=message):
        promptls.spark.render(spark.sql(f"SELECT {columns}"), PROMPT)


def test_a_text_that_is_too_long_is_an_error_of_its_row(spark):
    frame = promptls.spark.render(spark.sql("SELECT repeat('x', id * 50000000) AS subject FROM range(2)"), PROMPT)
    (short, none), (long, error) = [tuple(row) for row in frame.orderBy("subject").select("prompt", "error").collect()]
    assert (short, none, long) == ("Dear , ", None, None) and "longer than 16777216 bytes" in error


def test_two_jobs_at_once_do_not_mix(spark):
    def made(number):
        prompt = promptls.Prompt(f"{number} {{id}}", engine="adk-python@2.13")
        frame = promptls.spark.render(spark.range(0, 100_000, 1, 4), prompt)
        return frame.filter(f"prompt = concat('{number} ', id)").count()

    with concurrent.futures.ThreadPoolExecutor() as threads:
        assert list(threads.map(made, range(2))) == [100_000, 100_000]
