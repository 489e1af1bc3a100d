"""Prompts of LLMs, filled in as their engines do, byte for byte.

    >>> import promptls
    >>> prompt = promptls.Prompt("Translate {text} into {language}.", engine="adk-python@2.13")
    >>> prompt.render(text="tea", language="French")
    'Translate tea into French.'

`python -m promptls` starts the program.
"""

from promptls._promptls import Column, Prompt, __version__, load_cases
from promptls.errors import EngineError, LoadError, MissingColumns, MissingVariables, ValidationError
from promptls.numbers import WrittenFloat, WrittenInt
from promptls.results import Problem, Resolution, Run, Variable

__all__ = [
    "Column",
    "EngineError",
    "LoadError",
    "MissingColumns",
    "MissingVariables",
    "Problem",
    "Prompt",
    "Resolution",
    "Run",
    "ValidationError",
    "Variable",
    "WrittenFloat",
    "WrittenInt",
    "__version__",
    "load_cases",
]
