"""Prompts as pytest tests: each prompt in each of its cases.

    from promptls.testing import promptls_cases

    @promptls_cases("prompts/")
    def test_prompts(prompt, case, promptls_text):
        promptls_text(prompt.render(case))

The test of a case fails if `promptls check` reports an error for the prompt in it. In type
annotations, `prompt` is a `promptls.Prompt`, `case` a `Case`, and `promptls_text` a `StoredText`.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from promptls._promptls import Prompt, _prompts_in
from promptls._internal.stored_texts import StoredText

__all__ = ["Case", "StoredText", "promptls_cases"]

MARK = "promptls_cases"


def promptls_cases(path: str | os.PathLike[str]) -> pytest.MarkDecorator:
    """Calls a test with each prompt at or below `path`, in each of its cases: `prompt` is a
    `promptls.Prompt`, and `case` a dictionary of its values. A prompt without cases is called
    with an empty dictionary. A relative path is resolved from the folder of the test file, and
    then from the folder where pytest was started."""
    return pytest.mark.promptls_cases(os.fspath(path))


class Case(dict[str, Any]):
    """The values of a case, and its `name`, which is `None` for a prompt without cases."""

    def __init__(self, values: dict[str, Any], name: str | None) -> None:
        super().__init__(values)
        self.name = name


def find(path: str, test_file: Path) -> Iterator[tuple[Prompt, str | None, str]]:
    """The prompts with the names of their cases, and their names in test ids."""
    beside = Path(test_file).parent / path
    below = beside if beside.exists() else Path(path).absolute()
    for found, name in _prompts_in(below):
        file = Path(found)
        prompt = Prompt.load(file, name)
        shown = file.relative_to(below).as_posix() if below.is_dir() else file.name
        label = shown if name is None else f"{shown}#{name}"
        names: list[str | None] = [*prompt._case_names]
        for case in names or [None]:
            yield prompt, case, label if case is None else f"{label}-{case}"
