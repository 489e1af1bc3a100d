"""Stored texts of tests: one file for each, in `__promptls__` in the folder of the test file.

A text is stored under the name of its test: that of `test_greeting[a.adk.prompt-angry]` in
`test_letters.py` is `__promptls__/test_letters/test_greeting[a.adk.prompt-angry].txt`.
Characters that are invalid in file names on some system are written as `%2F`.

A test only compares, or requests an update. Files are written and deleted by `StoredTexts`, which
exists once in a run: workers of pytest-xdist send it their requests with the reports of tests.
"""

import os
import secrets
from collections.abc import Generator, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from promptls._promptls import _changed_lines

FOLDER = "__promptls__"
UPDATE = "--promptls-update"
DELETE_UNUSED = "--promptls-delete-unused"
# Characters that are valid and readable in file names on every system.
PLAIN = " []()=,+@#!{}~"

# The texts that a test has requested since its last report, by path: the text to write, or `None`
# for one that is only compared. The keys are strings, because a worker can send these.
Requests = dict[str, str | None]
REQUESTS = pytest.StashKey[Requests]()


class StoredText:
    """The value of the fixture `promptls_text`: `promptls_text(text)`, `promptls_text(text, "name")`."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self._updates = bool(item.config.getoption(UPDATE))

    def __call__(self, text: str, name: str | None = None) -> None:
        __tracebackhide__ = True
        stored = place(self._item, name)
        shown = _shown(stored, self._item.config.rootpath)
        if not is_inside(stored, self._item.config.rootpath):
            pytest.fail(f"{shown} is outside of the project, because a folder on its way is a link", pytrace=False)
        requests = self._item.stash.setdefault(REQUESTS, {})
        if requests.get(str(stored), text) not in (text, None):
            pytest.fail(f"the test has two different texts for {shown}; give each a name", pytrace=False)
        requests[str(stored)] = text if self._updates else None
        if not self._updates:
            _compare(stored, shown, text)


def _compare(stored: Path, shown: Path, text: str) -> None:
    __tracebackhide__ = True
    try:
        before = stored.read_bytes().decode()
    except FileNotFoundError:
        pytest.fail(f"{shown} does not exist; pytest {UPDATE} writes it", pytrace=False)
    if text != before:
        lines = "\n".join(_changed_lines(before, text))
        pytest.fail(f"the text differs from {shown}; pytest {UPDATE} stores it:\n{lines}", pytrace=False)


def place(item: pytest.Item, name: str | None) -> Path:
    """The file of a text of a test."""
    test = item.nodeid.split("::", 1)[1].replace("::", ".")
    file = quote(test if name is None else f"{test}.{name}", safe=PLAIN)
    return folder_of(item.path) / f"{file}.txt"


def folder_of(test_file: Path) -> Path:
    """The folder with the texts of the tests of a file."""
    return test_file.parent / FOLDER / test_file.stem


def is_inside(stored: Path, root: Path) -> bool:
    """False if a link leads from the folder of the tests out of both it and the project. (A stored
    text that is itself a link is replaced, not followed.)"""
    folder = stored.parent.resolve()
    tests = stored.parent.parent.parent.resolve()
    return folder.is_relative_to(tests) or folder.is_relative_to(root.resolve())


class StoredTexts:
    """All stored texts of a run: writes those that tests request, and finds those that are unused.

    A text is unused if the whole file of its test ran in this process, every test in it passed,
    and none requested the text. To detect runs of only a part of a file, however selected, the
    collected tests are compared with the passed ones.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.root: Path = config.rootpath
        self.deletes: bool = bool(config.getoption(DELETE_UNUSED))
        self.requested: set[Path] = set()
        # By test file, the ids of all collected nodes, and of the finished ones.
        self.found: dict[Path, set[str]] = {}
        self.test_files: set[Path] = set()
        self.done: set[str] = set()
        self.not_passed: set[str] = set()
        # The lines to print at the end.
        self.lines: list[str] = []
        self.failed: bool = False

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        # Last, and so innermost: `--lf` removes nodes from the report in its own wrapper.
        report = yield
        if isinstance(collector, (pytest.Module, pytest.Class)):
            nodes = report.result or []
            self.found.setdefault(collector.path, set()).update(node.nodeid for node in nodes)
            if any(isinstance(node, pytest.Item) for node in nodes):
                self.test_files.add(collector.path)
            (self.done if report.passed else self.not_passed).add(collector.nodeid)
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.not_passed.add(report.nodeid)
        elif report.when == "call":
            self.done.add(report.nodeid)
        # Reports are kept until the end of the run, and texts may be long.
        for path, text in report.__dict__.pop(REPORTED, {}).items():
            self.requested.add(Path(path))
            if text is not None:
                self.store(Path(path), text)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        for stored in self.unused():
            shown = _shown(stored, self.root)
            if not self.deletes:
                self.lines.append(f"promptls: {shown} is unused; pytest {DELETE_UNUSED} deletes it")
                continue
            try:
                stored.unlink()
            except OSError as error:
                self.fail(f"cannot delete {shown}: {error.strerror}")
                continue
            self.lines.append(f"promptls: deleted {shown}, which was unused")
            _remove_if_empty(stored.parent)
        if self.deletes and session.config.getoption("numprocesses", None):
            self.lines.append(f"promptls: {DELETE_UNUSED} has no effect in several processes; run it without -n")
        if self.failed and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in self.lines:
            terminalreporter.write_line(line)

    def unused(self) -> Iterator[Path]:
        """Stored texts that a complete run of their file did not request."""
        passed = self.done - self.not_passed
        for test_file in sorted(self.test_files):
            folder = folder_of(test_file)
            if self.found[test_file] <= passed and is_inside(folder / "any", self.root):
                there = {file for file in folder.glob("*.txt") if file.is_file() or file.is_symlink()}
                yield from sorted(there - self.requested)

    def store(self, stored: Path, text: str) -> None:
        """Writes a text atomically."""
        content = text.encode()
        try:
            # The worker has checked this too, but a link may have been created since.
            if not is_inside(stored, self.root):
                raise OSError(0, "it is outside of the project")
            if stored.is_file() and not stored.is_symlink() and stored.read_bytes() == content:
                return
            stored.parent.mkdir(parents=True, exist_ok=True)
            _replace(stored, content)
        except OSError as error:
            self.fail(f"cannot write {_shown(stored, self.root)}: {error.strerror}")

    def fail(self, message: str) -> None:
        """Reports an error at the end of the run, which then fails."""
        self.failed = True
        self.lines.append(f"promptls: {message}")


# The attribute of a report that carries requests; workers send attributes of reports with them.
REPORTED = "promptls_requests"


def _replace(file: Path, content: bytes) -> None:
    temporary = file.with_name(f".tmp{secrets.token_hex(4)}")
    try:
        # `x` follows no link and gives the file the mode of a new file; `tempfile` does not.
        with temporary.open("xb") as opened:
            opened.write(content)
        os.replace(temporary, file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _remove_if_empty(folder: Path) -> None:
    if not any(folder.iterdir()):
        folder.rmdir()


def _shown(path: Path, root: Path) -> Path:
    return path.relative_to(root) if path.is_relative_to(root) else path
