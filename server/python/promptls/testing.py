"""Prompts as tests of pytest: each of them in each of its cases.

    from promptls.testing import promptls_cases

    @promptls_cases("prompts/")
    def test_prompts(prompt, case, promptls_text):
        promptls_text(prompt.render(case))

An error that `promptls check` has for a prompt in a case fails the test of it.
"""

import os
from pathlib import Path

__all__ = ["promptls_cases"]

MARK = "promptls_cases"


def promptls_cases(path):
    """Calls a test with each prompt at `path`, or below it, in each of its cases: as `prompt`, a
    `promptls.Prompt`, and `case`, a dictionary of its values. A prompt without any case is called
    with an empty one. A path that is not absolute is looked for beside the file of the test, and
    then where pytest was started."""
    import pytest

    return pytest.mark.promptls_cases(os.fspath(path))


class Case(dict):
    """The values of a case, which knows its name."""

    def __init__(self, values, name):
        super().__init__(values)
        self.name = name


def find(path, test_file):
    """The prompts with the names of their cases, and what they are called in the names of tests."""
    from promptls._promptls import Prompt, _prompts_in

    beside = Path(test_file).parent / path
    below = beside if beside.exists() else Path(path).absolute()
    for file, name in _prompts_in(below):
        prompt = Prompt.load(file, name)
        shown = file.relative_to(below).as_posix() if below.is_dir() else file.name
        label = shown if name is None else f"{shown}#{name}"
        for case in prompt._case_names or [None]:
            yield prompt, case, label if case is None else f"{label}-{case}"
