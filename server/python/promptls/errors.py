"""Why there is no text."""


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

    def __init__(self, message, kind="engine", names=()):
        super().__init__(message, kind, tuple(names))
        self.message = message
        self.kind = kind
        self.names = tuple(names)

    def __str__(self):
        return self.message


class MissingVariables(EngineError):
    """Names of the prompt have no value."""


class ValidationError(EngineError):
    """A value is of the wrong type, or breaks a rule."""


class LoadError(Exception):
    """A prompt cannot be opened, or did not travel well."""


class MissingColumns(Exception):
    """A table lacks columns that the prompt needs: `names`."""

    def __init__(self, message, names=()):
        super().__init__(message, tuple(names))
        self.message = message
        self.names = tuple(names)

    def __str__(self):
        return self.message
