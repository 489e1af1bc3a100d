"""The words that arguments and results may be, as types.

Written by a test from the tables of the library: `tests/tests/stories/library/literals.rs`.
"""

from typing import Literal, TypeAlias

__all__ = ["Dialect", "Engine", "ErrorKind", "ProblemCode", "Role", "RunKind", "Severity", "VariableType"]

Dialect: TypeAlias = Literal[
    "agentensemble",
    "adk",
    "entaingine",
    "promptpack",
    "agentle",
    "langfuse",
    "format",
]
"""The values of `dialect`."""

Engine: TypeAlias = Literal[
    "adk-python",
    "adk-java",
    "adk-kotlin",
    "adk-go",
    "adk-js",
    "agentensemble",
    "agentle4j",
    "agentle-python",
    "promptkit-go",
    "promptpack-python",
    "promptpack-python-core",
    "promptpack-langchainjs",
    "langfuse-python",
    "python-format",
    "langchain-python",
    "langchain-python-format",
    "langchain-js",
    "llamaindex-python",
    "crewai",
]
"""Engines without a version. `engine` also takes one with a version, as `adk-python@2.13`, so its type is `Engine | str`."""

ErrorKind: TypeAlias = Literal[
    "missing",
    "type",
    "validation",
    "limit",
    "unresolved",
    "declaration",
    "engine",
]
"""The reason why an engine raises an error: `EngineError.kind`."""

ProblemCode: TypeAlias = Literal[
    "undefined-placeholder",
    "unused-input",
    "undeclared-variable",
    "unused-variable",
    "type-mismatch",
    "invalid-value",
    "invalid-declaration",
    "malformed-placeholder",
    "unsupported-syntax",
    "unclosed-block",
    "stray-closer",
    "mismatched-closer",
    "swallowed-brace",
    "accidental-placeholder",
    "json-braces",
    "escape-hazard",
    "value-reresolved",
    "mode-changed-by-block",
    "fragment-cycle",
    "prompt-reference",
    "unknown-fragment",
    "unknown-crew-member",
    "fragment-hides-variable",
    "limit-exceeded",
    "invalid-inputs",
    "unreadable-file",
    "computed-prompt",
    "invalid-config",
    "dialect-guessed",
    "no-inputs",
    "foreign-front-matter",
    "duplicate-key",
    "ambiguous-sidecar",
    "empty-input",
    "orphan-sidecar",
    "too-many-tokens",
    "differs-from-store",
    "unused-ignore",
    "unused-rule",
    "engine-differs",
    "engine-version-unknown",
    "engine-unpredictable",
]
"""The kind of a problem: `Problem.code`."""

Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool", "function"]
"""The sender of a message: `Message["role"]`."""

RunKind: TypeAlias = Literal["literal", "value", "escape", "mixed"]
"""The kind of a piece of a text: `Run.kind`."""

Severity: TypeAlias = Literal["error", "warning", "info", "hint"]
"""The severity of a problem: `Problem.severity`."""

VariableType: TypeAlias = Literal["string", "number", "boolean", "object", "array"]
"""The declared type of a variable: `Variable.type`."""
