"""Shared fixtures."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

# Parallel tests must have the same names in each process.
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["PROMPTLS_PROGRAM"]


def without_address(value):
    """The name of a parameter: its representation."""
    return ADDRESS.sub("", repr(value))


class Program:
    """The program, in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *arguments):
        """The output and the exit code of the program."""
        command = [PROGRAM, *map(str, arguments)]
        ended = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, encoding="utf-8")
        return ended.returncode, ended.stdout, ended.stderr

    def check(self, *paths):
        """The problems of `check`."""
        _, stdout, _ = self.run("check", "--format", "json", *paths)
        return json.loads(stdout)["problems"]


@pytest.fixture
def program(tmp_path, monkeypatch):
    """The program and the package in the same empty folder."""
    monkeypatch.chdir(tmp_path)
    return Program(tmp_path)


@pytest.fixture
def write(tmp_path):
    """Writes a file into that folder."""

    def write(name, text):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return write
