"""Ray Data on a cluster of three nodes on this machine."""

import os
import signal
import threading
import time

import promptls
import promptls.ray
import pytest
import ray
from generated import NONE, PROMPT, ROWS, differences, table
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
    part = ROWS // 16
    return ray.data.from_arrow([table(at * part, (at + 1) * part) for at in range(16)])


def results(ds):
    found = [[], [], []]
    for batch in ds.iter_batches(batch_format="pyarrow", batch_size=None):
        for column, name in zip(found, ("id", "prompt", "error")):
            column += batch.column(name).to_pylist()
    return found


def test_a_million_rows_are_those_of_the_package(rows):
    assert differences(*results(promptls.ray.render(rows, PROMPT))) == NONE


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

    ds = promptls.ray.render(rows, PROMPT).map_batches(slowed, batch_format="pyarrow", batch_size=20_000)
    killer = threading.Thread(target=kill)
    killer.start()
    found = results(ds)
    killer.join()
    assert killed, "no worker was found"
    assert differences(*found) == NONE


def workers():
    """The processes that run the prompt now, all of them below this one."""
    import psutil

    for process in psutil.Process().children(recursive=True):
        try:
            if "promptls_" in " ".join(process.cmdline()):
                yield process.pid
        except psutil.Error:
            pass


def test_the_line_of_the_readme_runs(cluster):
    names = {"promptls": promptls, "prompt": PROMPT, "ds": ray.data.from_arrow(table(0, 100))}
    exec(TABLE["Ray Data"][0], names)
    assert differences(*results(names["ds"]), table(0, 100)) == NONE


def test_a_column_that_lacks_is_an_error_on_the_driver(rows):
    with pytest.raises(promptls.MissingColumns, match="there is no column `subject`"):
        promptls.ray.render(rows.drop_columns(["subject"]), PROMPT)
