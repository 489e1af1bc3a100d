"""Our own messages as types, and the official ones by method.

The official types come from lsprotocol, which makes them from the description of
the protocol. Ours are written here as a client sees them; fields bear the names
that stand in the messages. A field with a default may be left out.
"""

from typing import Any, Literal, Optional, Union

import attrs
from lsprotocol import types as lsp

Severity = Literal["error", "warning", "info", "hint"]
Id = Union[int, str]


@attrs.define
class CaseSummary:
    name: str
    uri: str
    errors: int
    warnings: int
    resolvedUri: str


@attrs.define
class EngineError:
    kind: Literal["missing", "type", "validation", "limit"]
    names: list[str]
    message: str


@attrs.define
class Related:
    location: lsp.Location
    message: str


@attrs.define
class Problem:
    code: str
    severity: Severity
    message: str
    names: list[str]
    location: lsp.Location
    related: list[Related]


@attrs.define
class Via:
    """The way into a fragment, or into a turn of a loop."""

    fragment: Optional[str] = None
    each: Optional[str] = None
    item: Optional[int] = None


@attrs.define
class Run:
    """A stretch of the resolved text, and where it comes from."""

    output: tuple[int, int]
    kind: Literal["literal", "value", "escape", "mixed", "missing", "runtime"]
    source: lsp.Range
    path: Optional[str] = None
    value: Optional[lsp.Location] = None
    via: Optional[list[Via]] = None
    parts: Optional[list["Run"]] = None


@attrs.define
class Message:
    """What one role says in a chat."""

    role: Optional[Literal["system", "developer", "user", "assistant", "tool", "function"]]
    heading: tuple[int, int]
    body: tuple[int, int]


@attrs.define
class Stats:
    bytes: int
    characters: int
    words: int
    lines: int


@attrs.define
class Preview:
    uri: str
    version: Optional[int]
    dialect: str
    case: Optional[str]
    cases: list[CaseSummary]
    text: str
    error: Optional[EngineError]
    problems: list[Problem]
    map: list[Run]
    messages: list[Message]
    names: list[str]
    stats: Stats
    stale: Optional[str]
    task: Optional[str] = None
    resultId: Optional[str] = None


@attrs.define
class TextEdit:
    range: list[int]
    new: str


@attrs.define
class Moved:
    output: int
    line: int


@attrs.define
class MapEdit:
    range: list[int]
    runs: list[Run]
    moved: Moved


@attrs.define
class PreviewEdits:
    text: TextEdit
    map: MapEdit


@attrs.define
class EditedPreview:
    """What changed in the preview that the client has."""

    resultId: str
    uri: str
    version: Optional[int]
    dialect: str
    case: Optional[str]
    cases: list[CaseSummary]
    edits: PreviewEdits
    error: Optional[EngineError]
    problems: list[Problem]
    messages: list[Message]
    names: list[str]
    stats: Stats
    stale: Optional[str]
    task: Optional[str] = None


@attrs.define
class PreviewResponse:
    id: Id
    result: Union[Preview, EditedPreview, None]
    jsonrpc: Literal["2.0"]


@attrs.define
class Share:
    characters: int
    tokens: int


@attrs.define
class PlaceholderSize:
    path: str
    characters: int
    tokens: int
    count: int


@attrs.define
class Until:
    path: Optional[str]
    source: lsp.Range


@attrs.define
class Prefix:
    """How much of the text is the same in all cases."""

    end: int
    tokens: int
    cases: int
    until: Optional[Until]


@attrs.define
class Size:
    version: Optional[int]
    case: Optional[str]
    encoding: str
    encodings: list[str]
    tokens: int
    maxTokens: Optional[int]
    literal: Share
    placeholders: list[PlaceholderSize]
    prefix: Prefix


@attrs.define
class SizeResponse:
    id: Id
    result: Optional[Size]
    jsonrpc: Literal["2.0"]


@attrs.define
class ComparedText:
    case: Optional[str]
    revision: Optional[Literal["HEAD"]]
    text: str
    error: Optional[EngineError]


@attrs.define
class Part:
    """A stretch of both texts."""

    same: bool
    left: tuple[int, int]
    right: tuple[int, int]


@attrs.define
class Comparison:
    left: ComparedText
    right: ComparedText
    parts: list[Part]


@attrs.define
class CompareResponse:
    id: Id
    result: Optional[Comparison]
    jsonrpc: Literal["2.0"]


@attrs.define
class PreviewChangedParams:
    textDocument: lsp.TextDocumentIdentifier
    version: Optional[int]


@attrs.define
class PreviewChangedNotification:
    params: PreviewChangedParams
    method: Literal["promptls/previewChanged"]
    jsonrpc: Literal["2.0"]


@attrs.define
class Cases:
    """The light part of a preview."""

    uri: str
    version: Optional[int]
    case: Optional[str]
    cases: list[CaseSummary]
    resolvedUri: str
    task: Optional[str] = None


@attrs.define
class CasesResponse:
    id: Id
    result: Optional[Cases]
    jsonrpc: Literal["2.0"]


@attrs.define
class FieldProblem:
    severity: Severity
    message: str


@attrs.define
class Field:
    """A value of the inputs that can be edited by itself."""

    keys: list[str]
    path: str
    type: Literal["text", "integer", "number", "boolean", "list", "object", "any"]
    # In the messages, this is `from`.
    from_: Literal["inputs", "default", "file", "runtime", "missing"]
    rules: list[str]
    required: bool
    used: bool
    problems: list[FieldProblem]
    value: Any = None
    location: Optional[lsp.Location] = None
    options: Optional[list[Any]] = None
    description: Optional[str] = None


@attrs.define
class InputsForm:
    case: Optional[str]
    uri: Optional[str]
    fields: list[Field]


@attrs.define
class InputsFormResponse:
    id: Id
    result: Optional[InputsForm]
    jsonrpc: Literal["2.0"]


@attrs.define
class ShownValue:
    """What stands in the place of a placeholder."""

    range: lsp.Range
    text: str
    kind: Literal["value", "missing", "runtime"]


@attrs.define
class ValuesResponse:
    id: Id
    result: Optional[list[ShownValue]]
    jsonrpc: Literal["2.0"]


attrs.resolve_types(Run)

# Everything that a server may send of itself, by method.
SENT = {method: types[0] for method, types in lsp.METHOD_TO_TYPES.items()} | {
    "promptls/previewChanged": PreviewChangedNotification,
}

# The answers, by the method of the question.
ANSWERS = {method: types[1] for method, types in lsp.METHOD_TO_TYPES.items() if types[1]} | {
    "promptls/preview": PreviewResponse,
    "promptls/size": SizeResponse,
    "promptls/cases": CasesResponse,
    "promptls/inputs": InputsFormResponse,
    "promptls/values": ValuesResponse,
    "promptls/compare": CompareResponse,
}

# What the registration of a method carries along.
REGISTRATION_OPTIONS = {
    method: types[3] for method, types in lsp.METHOD_TO_TYPES.items() if types[3]
}
