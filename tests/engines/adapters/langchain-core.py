"""langchain-core: `PromptTemplate.from_template(...).invoke(...)`."""
# Old versions import `langchain`, if there is such a module.

import sys
from string import Formatter

sys.path[:0] = sys.argv[1:3]

from alone import answer  # noqa: E402
from errors import error_of  # noqa: E402
from langchain_core.prompts import PromptTemplate  # noqa: E402


def refused(template):
    """The number of fields that some version refuses. Which of several is in the message depends on
    hashes."""
    try:
        fields = [field for _, field, _, _ in Formatter().parse(template) if field]
    except ValueError:
        return 0
    return sum(field.isdigit() or any(sign in field for sign in ".[]") for field in fields)


def fill_in(template, inputs):
    try:
        prompt = PromptTemplate.from_template(template)
    except Exception as error:
        # The message for this name is that of another package.
        if "'stop'" in str(error):
            return {"error": {"kind": "declaration"}}
        message = {} if refused(template) > 1 else {"message": str(error)}
        return {"error": {"kind": "engine"} | message}
    missing = sorted(set(prompt.input_variables) - inputs.keys())
    try:
        return {"text": prompt.invoke(inputs).text}
    except KeyError as error:
        if not str(error.args[0]).startswith("Input to PromptTemplate is missing"):
            return error_of(error)
        found = {"kind": "missing", "names": missing}
        # The order of several names is random.
        return {"error": found | ({"message": error.args[0]} if len(missing) == 1 else {})}
    except Exception as error:
        return error_of(error)


answer(fill_in)
