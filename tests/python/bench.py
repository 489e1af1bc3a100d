"""The speed of the package compared with its peers: a table in Markdown. `tests/python/bench`
builds the package, and runs this.

w1 is a prompt of 1 KB with 10 placeholders and 10 names, resolved with a dictionary of `str`.
"""

import os
import string
import subprocess
import sys
import time
import types

import jinja2
import minijinja
import numpy
import promptls
import pyarrow
from workload import text, w1

CALLS = 1_000_000
VALUES = {sys.intern(f"name_{it:02}"): f"the value {it:04}" for it in range(10)}


def ours():
    return promptls.Prompt(w1("{{", "}}"), "agentle").render


def ours_for_adk():
    return promptls.Prompt(w1("{", "}"), engine="adk-python@2.13").render


def with_jinja2():
    return jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(w1("{{ ", " }}")).render


def with_minijinja():
    environment = minijinja.Environment(templates={"w1": w1("{{ ", " }}")}, undefined_behavior="strict")
    return lambda values: environment.render_template("w1", **values)


def with_format():
    template = w1("{", "}")
    names = {name for _, name, _, _ in string.Formatter().parse(template) if name}

    def render(values):
        missing = names - values.keys()
        if missing:
            raise KeyError(missing)
        return template.format_map(values)

    return render


def with_adk():
    from google.adk.utils.instructions_utils import inject_session_state

    template = w1("{", "}")
    session = types.SimpleNamespace(state=VALUES, app_name="app", user_id="user", id="session")
    invocation = types.SimpleNamespace(session=session, artifact_service=None)
    context = types.SimpleNamespace(_invocation_context=invocation, agent_name="assistant", state=VALUES)

    def render(_):
        coroutine = inject_session_state(template, context)
        try:
            # It never awaits, so it needs no event loop, which would take longer.
            coroutine.send(None)
        except StopIteration as done:
            return done.value

    return render


PEERS = {
    "promptls": ours,
    "promptls, `adk-python@2.13`": ours_for_adk,
    "`str.format` and a check for missing names": with_format,
    "Jinja2, compiled": with_jinja2,
    "minijinja's package, compiled": with_minijinja,
    "google-adk's `inject_session_state`": with_adk,
}


def per_call(render):
    """Nanoseconds, the best of some rounds; promptls makes a million calls in each."""
    start = time.perf_counter()
    for _ in range(1_000):
        render(VALUES)
    calls = min(CALLS, max(1_000, int(1_000 / (time.perf_counter() - start))))
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(calls):
            render(VALUES)
        best = min(best, (time.perf_counter() - start) / calls)
    return best * 1e9


def in_python():
    rust = float(subprocess.run([os.environ["PROMPTLS_RENDER_W1"]], capture_output=True, text=True, check=True).stdout)
    print("| w1, a dictionary of `str` | a call | calls a second | beside ours |\n| --- | ---: | ---: | ---: |")
    print(f"| (Rust, the same prompt) | {rust:.0f} ns | {1e9 / rust:,.0f} | |")
    texts, base = set(), None
    for name, make in PEERS.items():
        render = make()
        texts.add(render(VALUES))
        took = per_call(render)
        base = base or took
        print(f"| {name} | {took:,.0f} ns | {1e9 / took:,.0f} | {took / base:.2f} |")
    assert len(texts) == 1, "all of them make the same text"
    print(f"\nOurs takes {base / rust:.2f} times as long as the same in Rust; the target is 3.")


def from_arrow():
    """Rows similar to w2: 10 KB with 100 placeholders and 100 names, for each row of text
    columns."""
    rows = 20_000
    prompt = promptls.Prompt(text(10_000, 100, 100, "{", "}"), engine="adk-python@2.13")
    values = pyarrow.array([f"the value {it:04}" for it in range(rows)])
    table = pyarrow.table({f"name_{it:02}": values for it in range(100)})
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        texts, _ = prompt.render_arrow(table)
        best = min(best, time.perf_counter() - start)
    made = pyarrow.array(texts)
    size = made.nbytes
    data = numpy.frombuffer(made.buffers()[2], numpy.uint8)
    copied = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        data.copy()
        copied = min(copied, time.perf_counter() - start)
    cores = len(os.sched_getaffinity(0))
    print("| 20,000 rows of 10 KB from Arrow | MB of output a second | and core |\n| --- | ---: | ---: |")
    print(f"| `render_arrow`, {cores} cores | {size / best / 1e6:,.0f} | {size / best / 1e6 / cores:,.0f} |")
    print(f"| (memcpy of the same bytes, 1 core) | {size / copied / 1e6:,.0f} | {size / copied / 1e6:,.0f} |")


if __name__ == "__main__":
    in_python()
    print()
    from_arrow()
