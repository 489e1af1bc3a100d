"""Results about prompts: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from promptls._internal.errors import EngineError
    from promptls.literals import ProblemCode, Role, RunKind, Severity, VariableType

__all__ = ["Message", "Problem", "Resolution", "Run", "Variable"]


class Message(TypedDict):
    """A message of a chat, in the format of model APIs."""

    role: Role
    content: str


@dataclass(frozen=True)
class Run:
    """A piece of a text that comes from one place of the prompt.

    `text[start:end]` is the piece. `prompt.text[source_start:source_end]` is its source in the
    prompt: the same text, or the placeholder, whose name is `name`. `kind` is `literal`, `value`,
    `escape` or `mixed`.
    """

    start: int
    end: int
    kind: RunKind
    source_start: int
    source_end: int
    name: str | None


@dataclass(frozen=True)
class Problem:
    """A problem in a prompt, its values or its declarations, as reported by `promptls check`.

    `line` and `column` start at 1, and columns count characters. `start` and `end` are character
    offsets in the text of the file. `case` is the affected case, or `None`.

    >>> str(Problem("undefined-placeholder", "error", "`name` has no value", ("name",),
    ...             "letter.adk.prompt", 1, 6, 5, 11))
    'letter.adk.prompt:1:6: error[undefined-placeholder] `name` has no value'
    """

    code: ProblemCode
    severity: Severity
    message: str
    names: tuple[str, ...]
    file: str
    line: int
    column: int
    start: int
    end: int
    case: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.severity}[{self.code}] {self.message}"


@dataclass(frozen=True)
class Resolution:
    """The result of resolving a prompt, which always has a text.

    `error` is the exception that the engine would raise, or `None`. With an error, `text`
    contains everything that could be resolved.
    """

    text: str
    error: EngineError | None
    map: list[Run]
    problems: list[Problem]

    def _repr_html_(self) -> str:
        """The text with coloured values, for notebooks."""
        from promptls._internal.html import html_of

        return html_of(self)


@dataclass(frozen=True)
class Variable:
    """A name that a prompt uses or declares.

    It is `required` if the text is incomplete without its value, or if it is declared so. A name
    is not required if it is optional, is only the condition of a block, or has a default. `type`
    is `None` if any type is allowed.
    """

    name: str
    required: bool
    type: VariableType | None = None
    description: str | None = None
    default: Any = None
    has_default: bool = False


# Users and `help` see them as names of `promptls`.
for _class in (Message, Problem, Resolution, Run, Variable):
    _class.__module__ = "promptls"
