"""The examples of the documentation run: of classes, methods and modules, and of the README."""

import doctest
import inspect
import pkgutil

import promptls
import pytest

LETTERS = """
from google.adk.agents import Agent
greeting = Agent(name="greeting", instruction="Dear {name},")
farewell = Agent(name="farewell", instruction="Yours, {name}")
"""
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def documented():
    """All documentation with an example, with the names for it."""
    modules = [promptls, promptls._promptls]
    for found in pkgutil.iter_modules(promptls.__path__, "promptls."):
        if found.name not in ("promptls.__main__", "promptls.spark", "promptls.ray"):
            modules.append(__import__(found.name, fromlist=["x"]))
    seen = {}
    for module in modules:
        seen[module.__name__] = module.__doc__
        for name, thing in vars(module).items():
            if getattr(thing, "__module__", "").startswith("promptls") and not inspect.ismodule(thing):
                seen[f"{thing.__module__}.{name}"] = thing.__doc__
                for member, inside in vars(thing).items() if inspect.isclass(thing) else []:
                    seen[f"{thing.__module__}.{name}.{member}"] = getattr(inside, "__doc__", None)
    return {name: text for name, text in seen.items() if text and ">>>" in text}


@pytest.mark.parametrize("name", documented())
def test_examples_run(name, write, program):
    write("letters.py", LETTERS)
    write("support.adk.prompt", "Dear {customer},\n")
    write("support.adk.angry.inputs.json", '{"customer": "Grace"}')
    names = {"promptls": promptls, **{name: getattr(promptls, name) for name in promptls.__all__}}
    test = doctest.DocTestParser().get_doctest(documented()[name], names, name, None, None)
    output = []
    failed = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=output.append).failed
    assert failed == 0, "".join(output)


def test_all_that_is_public_is_documented_and_typed():
    stubs = inspect.getsourcefile(promptls).replace("__init__.py", "_promptls.pyi")
    with open(stubs, encoding="utf-8") as file:
        typed = file.read()
    for name in promptls.__all__:
        thing = getattr(promptls, name)
        if name.startswith("__"):
            continue
        assert thing.__doc__, name
        if hasattr(promptls._promptls, name):
            assert f"class {name}" in typed or f"def {name}" in typed, name
        for member in (it for it in vars(thing) if not it.startswith("_")) if name in ("Prompt", "Column") else []:
            assert f"def {member}(" in typed, f"{name}.{member}"
            assert getattr(thing, member).__doc__, f"{name}.{member}"
