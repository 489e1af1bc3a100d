"""What is compared: prompts with all that they are resolved with, made at random by Hypothesis."""

from dataclasses import dataclass

# Most of the time goes into making values, so several prompts have the same.
MOST_PROMPTS = 10


@dataclass(frozen=True)
class Cases:
    """Prompts, and texts of JSON: their inputs, and their declarations, if they have any."""

    templates: list[str]
    inputs: str
    declarations: str | None = None
