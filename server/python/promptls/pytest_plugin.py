"""The pytest plugin: tests of prompts in their cases (`promptls_cases`), and stored texts
(`promptls_text`)."""

from collections.abc import Generator

import pytest

from promptls import testing
from promptls._internal.results import Problem
from promptls._internal.stored_texts import DELETE_UNUSED, REPORTED, REQUESTS, UPDATE, StoredText, StoredTexts


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("promptls")
    group.addoption(UPDATE, action="store_true", help="store the texts that tests pass to promptls_text")
    group.addoption(
        DELETE_UNUSED,
        action="store_true",
        help="delete stored texts that no test requests, of files whose tests all ran and passed in one process",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promptls_cases(path): the test runs for each prompt below a path, and each case")
    # Workers of pytest-xdist have `workerinput`; only the process that starts them writes files.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(StoredTexts(config), "promptls-stored-texts")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for mark in metafunc.definition.iter_markers(testing.MARK):
        (path,) = mark.args
        found = list(testing.find(path, metafunc.definition.path))
        if not found:
            pytest.fail(f"promptls_cases: there are no prompts at {path}", pytrace=False)
        metafunc.parametrize(
            ("prompt", "case"),
            [(prompt, testing.Case(prompt.cases.get(name or "", {}), name)) for prompt, name, _ in found],
            ids=[label for _, _, label in found],
        )


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    errors = errors_of(pyfuncitem)
    if errors:
        pytest.fail("\n".join(map(str, errors)), pytrace=False)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if REQUESTS in item.stash:
        setattr(report, REPORTED, item.stash[REQUESTS])
        del item.stash[REQUESTS]
    return report


def errors_of(item: pytest.Function) -> list[Problem]:
    """The errors of the prompt of a test in its case."""
    mark = item.get_closest_marker(testing.MARK)
    callspec = getattr(item, "callspec", None)
    if mark is None or callspec is None or "prompt" not in callspec.params:
        return []
    prompt, case = callspec.params["prompt"], callspec.params["case"]
    problems = prompt.check() if case.name is None else prompt.check(case=case.name)
    return [problem for problem in problems if problem.severity == "error"]


@pytest.fixture
def promptls_text(request: pytest.FixtureRequest) -> StoredText:
    """Fails unless a text equals the stored text of the test; shows the words that differ.

    `promptls_text(text)`; if a test has several texts, each has a name: `promptls_text(text,
    "name")`. `pytest --promptls-update` stores the texts.
    """
    return StoredText(request.node)
