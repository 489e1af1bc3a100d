"""Ray Data on a cluster of three nodes on this machine."""

import concurrent.futures
import os
import signal
import threading
import time

import promptls
import promptls.ray
import pyarrow
import pytest
import ray
from generated import FOLDER, NONE, PROMPTS, differences, groups
from ray.cluster_utils import Cluster
from readme import TABLE

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def cluster():
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    for _ in range(2):
        cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, runtime_env={"env_vars": {"PYTHONPATH": os.environ["PYTHONPATH"]}})
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def rows(cluster):
    return ray.data.from_arrow(groups())


def load(name):
    return promptls.Prompt.load(FOLDER / name)


def results(ds):
    batches = ds.iter_batches(batch_format="pyarrow", batch_size=None)
    return pyarrow.concat_tables([batch.select(["id", "prompt", "error"]) for batch in batches])


@pytest.mark.parametrize("name", PROMPTS)
def test_a_million_rows_are_those_of_the_program(rows, name):
    assert differences(name, results(promptls.ray.render(rows, load(name)))) == NONE


def test_workers_that_are_killed_lose_and_double_nothing(rows):
    killed = []

    def kill():
        deadline = time.monotonic() + 120
        while not killed and time.monotonic() < deadline:
            time.sleep(0.2)
            for pid in workers():
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    def slowed(batch):
        time.sleep(0.5)
        return batch

    ds = promptls.ray.render(rows, load(PROMPTS[1])).map_batches(slowed, batch_format="pyarrow", batch_size=20_000)
    killer = threading.Thread(target=kill)
    killer.start()
    made = results(ds)
    killer.join()
    assert killed, "no worker was found"
    assert differences(PROMPTS[1], made) == NONE


def workers():
    """The processes that currently run the prompt, all of them descendants of this one."""
    import psutil

    for process in psutil.Process().children(recursive=True):
        try:
            if "promptls_" in " ".join(process.cmdline()):
                yield process.pid
        except psutil.Error:
            pass


PROMPT = promptls.Prompt("Dear {subject}, {note?}", engine="adk-python@2.13")


def test_the_line_of_the_readme_runs(cluster):
    names = {"promptls": promptls, "prompt": PROMPT, "ds": ray.data.from_items([{"subject": "tea", "note": None}])}
    exec(TABLE["Ray Data"][0], names)
    assert names["ds"].take_all() == [{"subject": "tea", "note": None, "prompt": "Dear tea, ", "error": None}]


def test_a_column_that_lacks_is_an_error_on_the_driver(rows):
    with pytest.raises(promptls.MissingColumns, match="there is no column `subject`"):
        promptls.ray.render(rows.drop_columns(["subject"]), PROMPT)


def texts(ds):
    return [row["prompt"] for row in promptls.ray.render(ds, PROMPT).take_all()]


def test_no_rows_have_no_texts(cluster):
    columns = {"subject": pyarrow.array([], pyarrow.string()), "note": pyarrow.array([], pyarrow.string())}
    assert texts(ray.data.from_arrow(pyarrow.table(columns))) == []
    # Ray has no columns for these.
    assert texts(ray.data.from_items([])) == []


def test_a_column_of_nothing_but_nulls_is_one(cluster):
    assert texts(ray.data.from_arrow(pyarrow.table({"subject": ["tea"], "note": pyarrow.nulls(1)}))) == ["Dear tea, "]


def test_a_block_may_lack_a_column(cluster):
    with_it, without = {"subject": ["tea"], "note": ["now"]}, {"subject": ["ale"]}
    made = texts(ray.data.from_arrow([pyarrow.table(with_it), pyarrow.table(without)]))
    assert sorted(made) == ["Dear ale, ", "Dear tea, now"]


def test_no_column_is_lost(cluster):
    ds = ray.data.from_items([{"subject": "tea", "note": None, "prompt": "mine"}])
    with pytest.raises(ValueError, match="column `prompt` already exists; choose another name"):
        promptls.ray.render(ds, PROMPT)


def test_two_jobs_at_once_do_not_mix(cluster):
    def made(number):
        ds = promptls.ray.render(ray.data.range(100_000), promptls.Prompt(f"{number} {{id}}", engine="adk-python@2.13"))
        return sum(row["prompt"] == f"{number} {row['id']}" for row in ds.iter_rows())

    with concurrent.futures.ThreadPoolExecutor() as threads:
        assert list(threads.map(made, range(2))) == [100_000, 100_000]
