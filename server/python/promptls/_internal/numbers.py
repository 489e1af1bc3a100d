"""Numbers that keep their source form.

Engines in some languages send a number in its source form: `1.50` stays `1.50`. Cases read from
files contain these classes wherever Python would format the number differently. Use them for
other values that must keep their form.

    >>> import json
    >>> import promptls
    >>> values = json.loads('{"price": 1.50}', parse_float=promptls.WrittenFloat)
    >>> values["price"] * 2
    3.0
    >>> promptls.Prompt("It costs {{price}}.", dialect="promptpack").render(values)
    'It costs 1.50.'
"""


from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self


class WrittenFloat(float):
    """A `float` that keeps its source form in a prompt, where the engine does."""

    __slots__ = ("__promptls_written__",)
    __promptls_written__: str

    def __new__(cls, written: str) -> Self:
        number = super().__new__(cls, written)
        number.__promptls_written__ = str(written)
        return number

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return (type(self), (self.__promptls_written__,))


class WrittenInt(int):
    """An `int` that keeps its source form in a prompt, where the engine does."""

    __promptls_written__: str

    def __new__(cls, written: str) -> Self:
        number = super().__new__(cls, _as_python_reads(str(written)), 0)
        number.__promptls_written__ = str(written)
        return number

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return (type(self), (self.__promptls_written__,))


def _as_python_reads(written: str) -> str:
    """Removes leading zeros, which YAML allows and Python does not."""
    sign = "-" if written.startswith("-") else ""
    digits = written.lstrip("+-")
    if digits[:2].lower() in ("0x", "0o"):
        return sign + digits
    return sign + (digits.lstrip("0") or "0")


# Users and `help` see them as names of `promptls`.
for _class in (WrittenFloat, WrittenInt):
    _class.__module__ = "promptls"
