"""The exceptions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from promptls.literals import ErrorKind


class EngineError(Exception):
    """The error that the engine raises instead of sending a prompt.

    `message` is the message of the engine. `names` are the names in it, in the engine's order.
    `kind` is the reason: `missing`, `type`, `validation`, `limit`, `unresolved`, `declaration`
    or `engine`.

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
    """Names of the prompt have no value. It is also a `KeyError`, as for `str.format_map`."""


class ValidationError(EngineError, ValueError):
    """A value has the wrong type, or violates a rule."""


class UnusedValues(TypeError):
    """Values that the prompt does not use, in a call with `strict=True`: `names`. It is also a
    `TypeError`, as for an unexpected argument."""

    def __init__(self, message: str, names: Iterable[str] = ()) -> None:
        super().__init__(message, tuple(names))
        self.message: str = message
        self.names: tuple[str, ...] = tuple(names)

    def __str__(self) -> str:
        return self.message


class LoadError(Exception):
    """A prompt cannot be opened, or was damaged in transit between processes."""


class TableError(ValueError):
    """The data of a table cannot be read: it is invalid, or its reader failed."""


class MissingColumns(KeyError):
    """Columns that the prompt needs are missing in a table: `names`. It is also a `KeyError`."""

    def __init__(self, message: str, names: Iterable[str] = ()) -> None:
        super().__init__(message, tuple(names))
        self.message: str = message
        self.names: tuple[str, ...] = tuple(names)

    def __str__(self) -> str:
        return self.message


# Users and `help` see them as names of `promptls`.
for _class in (EngineError, LoadError, MissingColumns, MissingVariables, TableError, UnusedValues, ValidationError):
    _class.__module__ = "promptls"
