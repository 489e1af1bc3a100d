"""agentle: `Prompt.compile`."""

import re
import sys
import types

from alone import answer, import_alone, stand_in

# It repeats while a text has blocks, which values may insert again and again. No case that
# terminates has this many rounds, or a text this long.
MAX_ROUNDS = 1000
MAX_LENGTH = 1 << 20


class Endless(Exception):
    pass


class Model:
    def __init__(self, **fields):
        self.__dict__.update(fields)


stand_in("rsb.decorators.value_objects", valueobject=lambda model: model)
stand_in("rsb.models.base_model", BaseModel=Model)
engine = import_alone(sys.argv[1], "agentle.prompts.models.prompt")
rounds = 0


def search(pattern, text, flags):
    global rounds
    rounds += 1
    if rounds > MAX_ROUNDS or len(text) > MAX_LENGTH:
        raise Endless
    return re.search(pattern, text, flags)


engine.re = types.SimpleNamespace(search=search, sub=re.sub, DOTALL=re.DOTALL)


def fill_in(template, inputs):
    global rounds
    rounds = 0
    try:
        return {"text": engine.Prompt(content=template).compile(inputs).content}
    except Endless:
        return {"error": {"kind": "limit"}}


answer(fill_in)
