"""Texts that tests have stored: a file for each, in `__promptls__` beside the file of the test.

A test is stored under its name, `test_letters.py` with `test_greeting[a.adk.prompt-angry]` in
`__promptls__/test_letters/test_greeting[a.adk.prompt-angry].txt`; what no file name can hold is
written as `%2F`.
"""

from pathlib import Path
from urllib.parse import quote

from promptls._promptls import _changed_lines

FOLDER = "__promptls__"
UPDATE = "pytest --promptls-update"
# What file names may have on every system, and people like to see there.
PLAIN = " []()=,+@#!{}~"


class StoredTexts:
    """The texts of all tests of a run."""

    def __init__(self, updates):
        self.updates = updates
        # What was asked for, by the folder of its test file.
        self.asked = {}
        self.said = []

    def place(self, item, name):
        """Where the text of a test is stored."""
        folder = item.path.parent / FOLDER / item.path.stem
        test = item.nodeid.split("::", 1)[1].replace("::", ".")
        stored = folder / f"{quote(test if name is None else f'{test}.{name}', safe=PLAIN)}.txt"
        self.asked.setdefault(folder, set()).add(stored)
        return stored

    def finish(self, session):
        """Says which texts nobody asked for, or forgets them, where all tests of a file ran."""
        for folder, unasked in self.unasked(session):
            for stored in unasked:
                shown = _shown(stored, session.config.rootpath)
                if self.updates:
                    stored.unlink()
                    self.said.append(f"promptls: {shown} is gone, nobody asked for it")
                else:
                    self.said.append(f"promptls: nobody asked for {shown}; {UPDATE} deletes it")
            if self.updates and folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def unasked(self, session):
        items = getattr(session, "items", [])
        # A test that was left out, or ended before it asked, may have wanted it.
        chosen = session.config.option
        if chosen.keyword or chosen.markexpr or session.testsfailed or session.shouldstop:
            return
        if any("::" in argument for argument in session.config.args):
            return
        for folder in sorted({item.path.parent / FOLDER / item.path.stem for item in items}):
            there = set(folder.glob("*.txt")) if folder.is_dir() else set()
            unasked = sorted(there - self.asked.get(folder, set()))
            if unasked:
                yield folder, unasked


class StoredText:
    """The fixture `promptls_text` of a test."""

    def __init__(self, texts, item):
        self.texts = texts
        self.item = item

    def __call__(self, text, name=None):
        import pytest

        __tracebackhide__ = True
        stored = self.texts.place(self.item, name)
        shown = _shown(stored, self.item.config.rootpath)
        if self.texts.updates:
            stored.parent.mkdir(parents=True, exist_ok=True)
            stored.write_bytes(text.encode())
            return
        try:
            before = stored.read_bytes().decode()
        except FileNotFoundError:
            pytest.fail(f"there is no stored text yet at {shown}; {UPDATE} writes it", pytrace=False)
        if text != before:
            lines = "\n".join(_changed_lines(before, text))
            pytest.fail(f"it is not the text of {shown}; {UPDATE} stores it:\n{lines}", pytrace=False)


def _shown(path, root):
    return Path(path).relative_to(root) if Path(path).is_relative_to(root) else path
