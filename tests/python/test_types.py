"""All public names have types, which agree with two type checkers and the package itself."""

import json
import os
import re
import subprocess
import sys

import promptls
import pytest
from book import EXAMPLES, README_EXAMPLES

PACKAGE = os.path.dirname(os.path.dirname(promptls.__file__))
# All ways to use the public names, with the types that they have.
USES = """
import dataclasses
from typing import NamedTuple, assert_type

import promptls
import promptls.datafusion
import promptls.ray
import promptls.spark
import pydantic
from promptls.literals import Dialect, ErrorKind, ProblemCode, RunKind, Severity
from promptls.testing import Case, StoredText, promptls_cases


@dataclasses.dataclass
class Letter:
    name: str


class Model(pydantic.BaseModel):
    name: str


class Row(NamedTuple):
    name: str


prompt = promptls.Prompt("Dear {name}", dialect="adk", engine="adk-python@2.13")
assert_type(promptls.Prompt.load("a.prompt", dialect="adk"), promptls.Prompt)
assert_type(prompt.render(Letter("Ada"), strict=True), str)
assert_type(prompt.render(Model(name="Ada")), str)
assert_type(prompt.render(Row("Ada")), str)
assert_type(prompt.render({"name": "Ada"}), str)
assert_type(prompt.partial(name="Ada").messages(), list[promptls.Message])
assert_type(prompt.dialect, Dialect)
resolution = prompt.resolve(name="Ada")
assert_type(resolution.map[0].kind, RunKind)
assert_type(resolution.problems[0].severity, Severity)
assert_type(resolution.problems[0].code, ProblemCode)
try:
    prompt.render()
except promptls.MissingVariables as error:
    assert_type(error.kind, ErrorKind)
    assert_type(error.names, tuple[str, ...])


@promptls_cases("prompts/")
def test_prompts(prompt: promptls.Prompt, case: Case, promptls_text: StoredText) -> None:
    promptls_text(prompt.render(case), "name")


def columns(texts: promptls.Column) -> None:
    print(promptls.ray.__name__, promptls.spark.__name__)
    assert_type(texts[0], str | None)
    assert_type(texts[0:10], promptls.Column)
    assert_type(texts.to_pylist(), list[str | None])
    assert_type(promptls.datafusion.names(prompt), list[str])
"""
MISTAKES = [
    'promptls.Prompt("", dialect="agentl")',
    'promptls.Prompt("", max_output="1")',
    'promptls.Prompt("").render(3)',
    'promptls.Prompt("").check()[0].severity == "eror"',
    'promptls.WrittenFloat(1.5)',
]


COMMANDS = {
    "mypy": ["mypy", "--strict", "--no-error-summary", "--python-executable", sys.executable],
    "pyright": ["pyright", "--pythonpath", sys.executable],
}
# A checker's view of engines depends on installed packages; that of the package must not.
CONFIG = {"typeCheckingMode": "strict", "reportMissingImports": False, "reportMissingTypeStubs": False, "reportMissingModuleSource": False}
MYPY_CONFIG = """
[mypy]
[mypy-pyspark.*,ray.*,datafusion.*,pyarrow.*,pandas.*]
ignore_missing_imports = True
"""


@pytest.fixture(params=COMMANDS)
def checked(request, tmp_path):
    """The lines of a type checker's output for a text."""

    def check(text):
        (tmp_path / "uses.py").write_text(text)
        (tmp_path / "pyrightconfig.json").write_text(json.dumps(CONFIG))
        (tmp_path / "mypy.ini").write_text(MYPY_CONFIG)
        env = {**os.environ, "MYPYPATH": PACKAGE, "MYPY_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": PACKAGE}
        command = [sys.executable, "-m", *COMMANDS[request.param], "uses.py"]
        ended = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
        return [line.strip() for line in ended.stdout.splitlines() if ": error" in line or " - error" in line]

    return check


def test_strict_checkers_find_nothing_in_all_uses(checked):
    assert checked(USES) == []


@pytest.mark.parametrize("example", EXAMPLES + README_EXAMPLES)
def test_strict_checkers_find_nothing_in_documented_examples(checked, example):
    assert checked(example) == []


def test_checkers_find_each_mistake(checked):
    found = checked("import promptls\n" + "\n".join(f"print({mistake})" for mistake in MISTAKES) + "\n")
    lines = {int(re.search(r":(\d+)", line)[1]) - 2 for line in found}
    assert lines >= set(range(len(MISTAKES))), [MISTAKES[it] for it in set(range(len(MISTAKES))) - lines]


def test_no_public_name_lacks_a_type(tmp_path):
    env = {**os.environ, "PYTHONPATH": PACKAGE}
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--verifytypes", "promptls", "--ignoreexternal"]
    ended = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert "error:" not in ended.stdout, ended.stdout


def test_stubs_are_what_the_library_has(tmp_path):
    env = {**os.environ, "MYPYPATH": PACKAGE, "PYTHONPATH": PACKAGE}
    command = [sys.executable, "-m", "mypy.stubtest", "promptls._promptls"]
    ended = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout
