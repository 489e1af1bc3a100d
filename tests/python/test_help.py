"""`help()` shows the public names, and their signatures."""

import inspect
import pydoc
import re

import promptls
import pytest

MODULES = ["datafusion", "literals", "pytest_plugin", "ray", "spark", "testing"]


def shown(thing):
    """The output of `help`, without its emphasis."""
    return pydoc.plain(pydoc.render_doc(thing))


def test_help_of_the_package_names_public_modules_and_names():
    text = shown(promptls)
    sections = dict(re.findall(r"^([A-Z ]+)\n((?:(?:    .*)?\n)+)", text, re.MULTILINE))
    # Other listed names are private.
    listed = {line.strip().removesuffix(" (package)") for line in sections["PACKAGE CONTENTS"].splitlines() if line.strip()}
    assert listed == {"__main__", "_internal", "_promptls", *MODULES}
    assert "_internal" not in sections["CLASSES"] and "_NamesError" not in text
    classes = set(re.findall(r"^    class (\w+)\(", sections["CLASSES"], re.MULTILINE))
    functions = set(re.findall(r"^    (\w+)\(", sections["FUNCTIONS"], re.MULTILINE))
    assert classes | functions | {"__version__"} == set(promptls.__all__)


@pytest.mark.parametrize("name", [name for name in promptls.__all__ if not name.startswith("__")])
def test_a_public_name_is_one_of_the_package_with_a_signature(name):
    thing = getattr(promptls, name)
    # Some exceptions and a `TypedDict` have the constructors of their bases.
    if not (inspect.isclass(thing) and issubclass(thing, (Exception, dict))):
        assert inspect.signature(thing)
    text = shown(thing)
    assert text.splitlines()[0].endswith(" in module promptls")
    methods = [member for member, _ in inspect.getmembers(thing, inspect.isroutine) if not member.startswith("_")]
    for method in methods if name in ("Column", "Prompt") else []:
        assert re.search(rf"^ \|  {method}\([^.]", text, re.MULTILINE), f"{name}.{method}"
