"""llama-index-core: `format_string`."""

import sys

from alone import answer, import_alone, stand_in
from errors import error_of

for name in ["base.llms.base", "base.llms.types", "utils"]:
    stand_in(f"llama_index.core.{name}")
format_string = import_alone(sys.argv[1], "llama_index.core.prompts.utils").format_string


def fill_in(template, inputs):
    try:
        return {"text": format_string(template, **inputs)}
    except Exception as error:
        return error_of(error)


answer(fill_in)
