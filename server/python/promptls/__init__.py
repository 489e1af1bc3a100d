"""Prompts of LLMs, resolved as their engines do, byte for byte.

    >>> import promptls
    >>> prompt = promptls.Prompt("Translate {text} into {language}.", engine="adk-python@2.13")
    >>> prompt.render(text="tea", language="French")
    'Translate tea into French.'

`python -m promptls` starts the program.
"""

# Names are imported at first use, because the program also starts through this module: importing
# `dataclasses` and `typing` would take longer than everything else. Type checkers recognize this
# name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from promptls._promptls import Column, Prompt, __version__, load_cases
    from promptls._internal.errors import (
        EngineError,
        LoadError,
        MissingColumns,
        MissingVariables,
        TableError,
        UnusedValues,
        ValidationError,
    )
    from promptls._internal.numbers import WrittenFloat, WrittenInt
    from promptls._internal.results import Message, Problem, Resolution, Run, Variable

__all__ = [
    "Column",
    "EngineError",
    "LoadError",
    "Message",
    "MissingColumns",
    "MissingVariables",
    "Problem",
    "Prompt",
    "Resolution",
    "Run",
    "TableError",
    "UnusedValues",
    "ValidationError",
    "Variable",
    "WrittenFloat",
    "WrittenInt",
    "__version__",
    "load_cases",
]

# The modules that contain the public names, the fastest to import first.
_MODULES = ("_promptls", "_internal.errors", "_internal.numbers", "_internal.results")


def __getattr__(name: str) -> object:
    if name in __all__:
        from importlib import import_module

        for module in _MODULES:
            found = vars(import_module(f"promptls.{module}"))
            if name in found:
                globals()[name] = found[name]
                return found[name]
    raise AttributeError(f"module 'promptls' has no attribute {name!r}")


# Names that only this module needs; `help` would list its functions.
_HIDDEN = {"TYPE_CHECKING", "_HIDDEN", "_MODULES", "__dir__", "__getattr__"}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__} - _HIDDEN)
