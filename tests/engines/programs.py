"""The compared programs: each reads cases on a line and writes their results."""

import json
import os
import subprocess
import sys

from packages import HERE

# The name of the agent; the adapters use it, too.
AGENT = "assistant"


class Program:
    """A program that responds to each line with a line."""

    def __init__(self, *command):
        self.command = [str(word) for word in command]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, encoding="utf-8")

    def ask(self, **question):
        self.question = json.dumps(question)
        self.process.stdin.write(self.question + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise EOFError(f"{' '.join(self.command)} has ended at {self.question}")
        return json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def engine(release):
    """The engine itself."""
    adapter = HERE / "adapters" / release.adapter
    runtime = [sys.executable, "-B"] if adapter.suffix == ".py" else ["node"]
    needed = [release.needed] if release.needs else []
    return Program(*runtime, adapter, release.folder, *needed)


def promptls():
    """The results of promptls, for several engines at once."""
    return Program(os.environ["PROMPTLS_RESOLVE_LINES"])
