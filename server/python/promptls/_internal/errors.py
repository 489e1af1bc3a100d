"""Why there is no text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from promptls.literals import ErrorKind


class EngineError(Exception):
    """What the engine raises instead of sending a prompt.

    `message` is the engine's own, `names` are those that it is about, in the engine's order, and
    `kind` is a word for the reason: `missing`, `type`, `validation`, `limit`, `unresolved`,
    `declaration` or `engine`.

    >>> import promptls
    >>> prompt = promptls.Prompt("Dear {name},", engine="adk-python@2.13", agent="clerk")
    >>> try:
    ...     prompt.render()
    ... except promptls.EngineError as error:
    ...     print(error)
    ...     print(error.kind, error.names)
    Context variable not found: `name` in agent 'clerk'.
    missing ('name',)
    """

    def __init__(self, message: str, kind: ErrorKind = "engine", names: Iterable[str] = ()) -> None:
        super().__init__(message, kind, tuple(names))
        self.message: str = message
        self.kind: ErrorKind = kind
        self.names: tuple[str, ...] = tuple(names)

    def __str__(self) -> str:
        return self.message


class MissingVariables(EngineError, KeyError):
    """Names of the prompt have no value. It is a `KeyError`, too, as for `str.format_map`."""


class ValidationError(EngineError, ValueError):
    """A value is of the wrong type, or breaks a rule."""


class UnusedValues(TypeError):
    """Values that the prompt does not use, in a call with `strict=True`: `names`. It is a `TypeError`, too,
    as for an unexpected argument."""

    def __init__(self, message: str, names: Iterable[str] = ()) -> None:
        super().__init__(message, tuple(names))
        self.message: str = message
        self.names: tuple[str, ...] = tuple(names)

    def __str__(self) -> str:
        return self.message


class LoadError(Exception):
    """A prompt cannot be opened, or did not travel well."""


class TableError(ValueError):
    """The data of a table cannot be read: it is broken, or its reader failed."""


class MissingColumns(KeyError):
    """A table lacks columns that the prompt needs: `names`. It is a `KeyError`, too."""

    def __init__(self, message: str, names: Iterable[str] = ()) -> None:
        super().__init__(message, tuple(names))
        self.message: str = message
        self.names: tuple[str, ...] = tuple(names)

    def __str__(self) -> str:
        return self.message


# Users and `help` see them as names of `promptls`.
for _class in (EngineError, LoadError, MissingColumns, MissingVariables, TableError, UnusedValues, ValidationError):
    _class.__module__ = "promptls"
