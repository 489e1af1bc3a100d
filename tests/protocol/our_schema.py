"""Validates promptls messages against the schema in `server/protocol/generated`.

Clients should ignore unknown fields. Here, any field outside of the schema is an error: each
type is closed.
"""

import json
from functools import cache, wraps
from hashlib import blake2b
from pathlib import Path

import jsonschema
import jsonschema_rs
from jsonschema.exceptions import best_match

FILE = Path(__file__).parents[2] / "server/protocol/generated/protocol.schema.json"


def closed(schema):
    """The schema without additional properties."""
    for kind in schema["$defs"].values():
        if "properties" in kind or "anyOf" in kind:
            kind["unevaluatedProperties"] = False
    return schema


SCHEMA = closed(json.loads(FILE.read_text(encoding="utf-8")))
METHODS = SCHEMA["methods"]
COMMANDS = SCHEMA["commands"]

SENT = {name for name, method in METHODS.items() if method["sender"] == "server"}
ANSWERED = {name for name, method in METHODS.items() if "result" in method}
TOLD = METHODS.keys() - SENT - ANSWERED

ENVELOPE = {"jsonrpc": {"const": "2.0"}}
ID = {"type": ["integer", "string"]}


def once(find):
    """Decorates a generator of the errors in a JSON value, to run once for equal values. The stories
    start thousands of servers, most of whose messages are equal but for their ids."""
    known = {}

    @wraps(find)
    def found(value, *context):
        key = blake2b(json.dumps(value).encode()).digest(), *context
        if key not in known:
            known[key] = list(find(value, *context))
        return known[key]

    return found


def unnumbered(message):
    """The message with the id 0, if it has a valid id."""
    return {**message, "id": 0} if isinstance(message.get("id"), (int, str)) else message


def wrongs(value, schema):
    """The most relevant error of a value."""
    return wrongs_by_schema(value, json.dumps(schema))


@once
def wrongs_by_schema(value, schema):
    if validator(schema).is_valid(value):
        return
    # The fast validator does not explain which alternative of `anyOf` was meant.
    error = best_match(jsonschema.Draft202012Validator(whole(schema)).iter_errors(value))
    yield f"{error.json_path}: {error.message[:300]}" if error else "$: does not match the schema"


@cache
def validator(schema):
    return jsonschema_rs.Draft202012Validator(whole(schema))


def whole(schema):
    """A schema with the definitions that it refers to."""
    return {"$defs": SCHEMA["$defs"], **json.loads(schema)}


def message(**fields):
    """A message with exactly these fields."""
    fields = ENVELOPE | fields
    return {"properties": fields, "required": list(fields), "additionalProperties": False}


def wrongs_of_sent(said):
    """The errors of a notification, from either side."""
    method = said["method"]
    return wrongs(said, message(method={"const": method}, params=METHODS[method]["params"]))


def wrongs_of_answer(method, answer):
    """The errors of a response of the server."""
    return wrongs(unnumbered(answer), message(id=ID, result=METHODS[method]["result"]))


def wrongs_of_asked(method, params):
    """The errors of params that the server has accepted."""
    if method in ANSWERED:
        yield from wrongs(params, METHODS[method]["params"])
    elif method == "workspace/executeCommand" and params["command"] in COMMANDS:
        yield from wrongs(params["arguments"][0], {"$ref": "#/$defs/CommandArgument"})


def wrongs_of_done(params, result):
    """The errors of the response to a command."""
    if params["command"] in COMMANDS:
        edited = {"anyOf": [{"$ref": "#/$defs/EditedInputs"}, {"type": "null"}]}
        yield from wrongs(result, edited)
