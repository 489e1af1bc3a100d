"""CPython: `str.format`."""

import sys

from alone import answer
from errors import error_of

if sys.version_info < (3, 11):
    sys.exit("python-format is compared with Python 3.11 or later")


def fill_in(template, inputs):
    try:
        return {"text": template.format(**inputs)}
    except Exception as error:
        return error_of(error)


answer(fill_in)
