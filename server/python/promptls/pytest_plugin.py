"""What pytest loads: tests of prompts in their cases (`promptls_cases`), and texts that are stored
(`promptls_text`)."""

import pytest

from promptls import testing
from promptls.stored_texts import StoredTexts, StoredText

STORED = pytest.StashKey[StoredTexts]()


def pytest_addoption(parser):
    parser.getgroup("promptls").addoption(
        "--promptls-update",
        action="store_true",
        help="store the texts that promptls_text is given, and forget those that nobody asks for",
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "promptls_cases(path): the test runs for each prompt below a path, and each case")
    config.stash[STORED] = StoredTexts(config.getoption("promptls_update"))


def pytest_generate_tests(metafunc):
    for mark in metafunc.definition.iter_markers(testing.MARK):
        found = list(testing.find(*mark.args, metafunc.definition.path))
        if not found:
            pytest.fail(f"promptls_cases: there are no prompts at {mark.args[0]}", pytrace=False)
        metafunc.parametrize(
            ("prompt", "case"),
            [(prompt, testing.Case(prompt.cases.get(name, {}), name)) for prompt, name, _ in found],
            ids=[label for _, _, label in found],
        )


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    errors = errors_of(pyfuncitem)
    if errors:
        pytest.fail("\n".join(map(str, errors)), pytrace=False)
    return (yield)


def errors_of(item):
    """The errors of the prompt of a test in its case."""
    mark = item.get_closest_marker(testing.MARK)
    callspec = getattr(item, "callspec", None)
    if mark is None or callspec is None or "prompt" not in callspec.params:
        return []
    prompt, case = callspec.params["prompt"], callspec.params["case"]
    problems = prompt.check() if case.name is None else prompt.check(case=case.name)
    return [problem for problem in problems if problem.severity == "error"]


@pytest.fixture
def promptls_text(request):
    """Fails unless a text is the one that is stored for the test, and shows the words that differ.

    `promptls_text(text)`; of several texts in one test, each is stored as
    `promptls_text(text, "name")`. `pytest --promptls-update` stores them.
    """
    return StoredText(request.config.stash[STORED], request.node)


def pytest_sessionfinish(session):
    session.config.stash[STORED].finish(session)


def pytest_terminal_summary(terminalreporter, config):
    for line in config.stash[STORED].said:
        terminalreporter.write_line(line)
