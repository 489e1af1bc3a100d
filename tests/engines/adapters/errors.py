"""The errors of Python's formatting, as far as they can be compared."""


def error_of(error):
    """The message of an error; that of a missing key is the key."""
    message = str(error.args[0]) if isinstance(error, KeyError) else str(error)
    return {"error": {"message": message}}
