"""Validates the server's messages in recorded connections: see `validate`.

Each message is parsed as its type in the protocol, and serialized again. A message that cannot
be parsed is invalid; lost or changed fields are not in the protocol. promptls messages are
validated by their schema. The client's messages determine which response belongs to which
request. Its promptls messages must also match the schema: requests that the server has answered,
and notifications.
"""

import json
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional, Union

import cattrs
from lsprotocol import converters
from lsprotocol import types as lsp

import our_schema

CONVERTER = converters.get_converter()


def command_or_action(value, _):
    """The types parse every value with `command` as a command, but an action may have one, too."""
    is_command = isinstance(value.get("command"), str)
    return CONVERTER.structure(value, lsp.Command if is_command else lsp.CodeAction)


def tokens_provider(value, _):
    """The types require an id in the options of a registration; a selector is sufficient."""
    if value is None:
        return None
    is_registration = "documentSelector" in value or "id" in value
    options = lsp.SemanticTokensRegistrationOptions if is_registration else lsp.SemanticTokensOptions
    return CONVERTER.structure(value, options)


CONVERTER.register_structure_hook(Union[lsp.Command, lsp.CodeAction], command_or_action)
CONVERTER.register_structure_hook(
    Optional[Union[lsp.SemanticTokensOptions, lsp.SemanticTokensRegistrationOptions]], tokens_provider
)

# The standard messages that a server may send, by method; the responses, by the method of the
# request; the options in the registration of a method.
SENT = {method: types[0] for method, types in lsp.METHOD_TO_TYPES.items()}
ANSWERS = {method: types[1] for method, types in lsp.METHOD_TO_TYPES.items() if types[1]}
REGISTRATION_OPTIONS = {
    method: types[3] for method, types in lsp.METHOD_TO_TYPES.items() if types[3]
}

# Fields that lsprotocol omits but JSON-RPC requires: the result of a request without one, and the
# id of a response to an unreadable message.
MAY_BE_NULL = {".result", ".id"}

# The maximum displayed length of an invalid message.
MAX_SHOWN = 1500


class Conversation:
    """A log: the pending requests, and the negotiated position encoding."""

    def __init__(self):
        self.asked_server = {}
        self.asked_client = {}
        self.encoding = "utf-16"

    def sent_by_client(self, message):
        """Records a message of the client; returns the errors of a notification."""
        if "method" in message and "id" in message:
            question = message["method"], message.get("params")
            self.asked_server[json.dumps(message["id"])] = question
        elif "id" in message:
            self.asked_client.pop(json.dumps(message["id"]), None)
        elif message.get("method") in our_schema.TOLD:
            return list(our_schema.wrongs_of_sent(message))
        return []

    def judge(self, message):
        """The name of a message of the server, and its errors."""
        if "unreadable" in message:
            return "unreadable", ["it is no message"]
        if "method" in message:
            return message["method"], list(self.judge_sent(message))
        question = self.asked_server.pop(json.dumps(message.get("id")), (None, None))
        return f"answer to {question[0] or 'nothing'}", list(self.judge_answer(*question, message))

    def judge_sent(self, message):
        method = message["method"]
        if method in our_schema.SENT:
            yield from our_schema.wrongs_of_sent(message)
            return
        if method not in SENT:
            yield "there is no such method"
            return
        yield from wrongs(message, SENT[method])
        if "id" in message:
            key = json.dumps(message["id"])
            if key in self.asked_client:
                yield "the id is that of a question which still waits for an answer"
            self.asked_client[key] = method
        if method == "client/registerCapability":
            for registration in message["params"]["registrations"]:
                # The official type of the message does not define the options.
                options = REGISTRATION_OPTIONS.get(registration["method"])
                if options and registration.get("registerOptions") is not None:
                    yield from wrongs(registration["registerOptions"], options, "registerOptions")

    def judge_answer(self, method, params, message):
        if ("result" in message) == ("error" in message):
            yield "an answer has either a result or an error"
        elif "error" in message:
            if method is None and message.get("id") is not None:
                yield "no request has this id"
            yield from wrongs(message, lsp.ResponseErrorMessage)
        elif method is None:
            yield "no request has this id, or it has a response already"
        elif method in our_schema.ANSWERED:
            yield from our_schema.wrongs_of_asked(method, params)
            wrong = list(our_schema.wrongs_of_answer(method, message))
            yield from wrong or self.judge_result(method, params, message["result"])
        elif method not in ANSWERS:
            yield f"there is no such method as {method}, so there is no result either"
        else:
            wrong = list(wrongs(message, ANSWERS[method]))
            yield from wrong or self.judge_result(method, params, message["result"])

    def judge_result(self, method, params, result):
        """Constraints that types cannot express."""
        if method == "workspace/executeCommand":
            yield from our_schema.wrongs_of_asked(method, params)
            yield from our_schema.wrongs_of_done(params, result)
        elif method == "initialize":
            self.encoding = result["capabilities"].get("positionEncoding", "utf-16")
        elif method == "promptls/preview" and result is not None:
            yield from self.judge_map(result)

    def judge_map(self, preview):
        size = {
            "utf-8": lambda text: len(text.encode()),
            "utf-16": lambda text: len(text.encode("utf-16-le")) // 2,
            "utf-32": len,
        }[self.encoding]
        is_whole = "map" in preview
        at = 0
        for index, run in enumerate(preview["map"] if is_whole else preview["edits"]["map"]["runs"]):
            start, end = run["output"]
            if not at <= start <= end:
                yield f"result.map[{index}].output goes back, or overlaps with the one before"
            at = end
        if is_whole and at > size(preview["text"]):
            yield f"result.map ends at {at}, behind the text"


def wrongs(message, kind, path=""):
    """The errors of a message that should have this type."""
    return wrongs_by_type(our_schema.unnumbered(message), kind, path)


@our_schema.once
def wrongs_by_type(message, kind, path):
    try:
        again = CONVERTER.unstructure(CONVERTER.structure(message, kind), kind)
    except Exception as error:  # Whatever the converter stumbles over is the finding.
        yield from cattrs.transform_error(error, path or "$")
        return
    yield from differences(message, again, path)


def differences(sent, again, path):
    """The fields that were lost or changed by parsing a message as its type."""
    if isinstance(sent, dict) and isinstance(again, dict):
        for key, value in sent.items():
            if key in again:
                yield from differences(value, again[key], f"{path}.{key}")
            elif value is None and f"{path}.{key}" not in MAY_BE_NULL:
                yield f"{path}.{key} may be left out, but must not be null"
            elif value is not None:
                yield f"{path}.{key} is not in the protocol"
    elif isinstance(sent, list) and isinstance(again, (list, tuple)):
        if len(sent) != len(again):
            yield f"{path} has {len(sent)} elements where the protocol has {len(again)}"
        for index, (one, other) in enumerate(zip(sent, again)):
            yield from differences(one, other, f"{path}[{index}]")
    elif sent != again or isinstance(sent, bool) != isinstance(again, bool):
        yield f"{path} is {sent!r}, which the protocol reads as {again!r}"


def logs_in(arguments):
    """The logs of the arguments: files, and the files in folders."""
    for argument in map(Path, arguments):
        if argument.is_dir():
            yield from sorted(argument.rglob("*.jsonl"))
        elif argument.exists():
            yield argument


@dataclass
class Verdict:
    """The messages of a server in a log, by kind, and the errors in all messages: how often each
    occurs, and where it does first."""

    kinds: Counter = field(default_factory=Counter)
    findings: Counter = field(default_factory=Counter)
    first: dict = field(default_factory=dict)

    def __iadd__(self, other):
        self.kinds += other.kinds
        self.findings += other.findings
        self.first = other.first | self.first
        return self


def verdict_on(log):
    conversation, verdict = Conversation(), Verdict()
    with log.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            message = json.loads(line)
            if message.pop("dir") == "in":
                name, found = message.get("method"), conversation.sent_by_client(message)
            else:
                name, found = conversation.judge(message)
                verdict.kinds[name] += 1
            for wrong in found:
                verdict.findings[name, wrong] += 1
                verdict.first.setdefault((name, wrong), (f"{log}:{number}", shown(message)))
    return verdict


def shown(message):
    text = json.dumps(message, ensure_ascii=False)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + " …"


def main(arguments):
    if not arguments:
        sys.exit("tests/protocol/validate: say which logs: files, or folders of them")
    logs = list(logs_in(arguments))
    # The largest first, so that no worker starts one when the others are done.
    by_size = sorted(logs, key=lambda log: -log.stat().st_size)
    with ProcessPoolExecutor() as workers:
        verdicts = dict(zip(by_size, workers.map(verdict_on, by_size, chunksize=8)))
    whole = Verdict()
    for log in logs:
        whole += verdicts[log]

    for (name, wrong), count in whole.findings.items():
        place, message = whole.first[name, wrong]
        print(f"{name}: {wrong} ({count} times)\n  {place}\n  {message}")
    for argument in map(Path, arguments):
        if not any(verdicts[log].kinds for log in logs_in([argument])):
            print(f"{argument}: no server has said anything in there")
            whole.findings[str(argument), "silent"] += 1
    print(f"{whole.kinds.total()} messages of {len(logs)} servers, "
          f"{len(whole.kinds)} kinds, {whole.findings.total()} wrong")
    sys.exit(1 if whole.findings else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
