"""crewai: `interpolate_only`, as the description of a task calls it."""

import sys

from alone import answer, import_alone

interpolate_only = import_alone(sys.argv[1], "crewai.utilities.string_utils").interpolate_only


def fill_in(template, inputs):
    if not inputs:
        return {"text": template}
    try:
        return {"text": interpolate_only(input_string=template, inputs=inputs)}
    except KeyError as error:
        message = f"Missing required template variable '{error.args[0]}' in description"
        return {"error": {"kind": "missing", "message": message}}


answer(fill_in)
