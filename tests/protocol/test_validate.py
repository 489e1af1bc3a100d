"""Tests of the validator: errors that it must find, and messages that it must accept."""

import pytest

from validate import Conversation

START = {"line": 0, "character": 0}
RANGE = {"start": START, "end": {"line": 0, "character": 6}}
PLACE = {"uri": "file:///a", "range": RANGE}
DIAGNOSTIC = {"range": RANGE, "message": "odd", "severity": 1, "code": "x", "source": "promptls"}


def found(*messages, asked=()):
    conversation = Conversation()
    for number, method in enumerate(asked):
        params = {"textDocument": {"uri": "file:///a"}}
        conversation.sent_by_client({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    return [wrong for message in messages for wrong in conversation.judge(message)[1]]


def published(**fields):
    params = {"uri": "file:///a", "diagnostics": [DIAGNOSTIC | fields]}
    return {"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params}


def answer(result, number=0):
    return {"jsonrpc": "2.0", "id": number, "result": result}


def preview(**fields):
    run = {
        "output": [0, 2], "kind": "value", "source": RANGE, "path": "user.name", "value": PLACE,
        "via": [{"fragment": "intro"}, {"each": "users", "item": 0}],
    }
    mixed = {"output": [2, 4], "kind": "mixed", "source": RANGE, "parts": [run]}
    problem = {
        "code": "x", "severity": "hint", "message": "odd", "names": ["a"], "location": PLACE,
        "related": [{"location": PLACE, "message": "here"}],
    }
    return {
        "uri": "file:///a", "version": 1, "dialect": "adk", "case": None,
        "cases": [{
            "name": "default", "uri": "file:///b", "errors": 0, "warnings": 1,
            "resolvedUri": "promptls:resolved/a.txt?prompt=file:///a",
        }],
        "messages": [{"role": "user", "heading": [0, 0], "body": [0, 4]}],
        "text": "Áda!", "error": None, "problems": [problem], "map": [run, mixed], "names": ["a"],
        "stats": {"bytes": 5, "characters": 4, "words": 1, "lines": 1}, "stale": None,
    } | fields


def test_what_is_right_passes():
    assert found(published()) == []
    assert found(answer(None), answer([PLACE], 1), asked=["shutdown", "textDocument/references"]) == []
    changed = {"textDocument": {"uri": "file:///a"}, "version": None}
    changed = {"jsonrpc": "2.0", "method": "promptls/previewChanged", "params": changed}
    assert found(changed, answer(preview()), asked=["promptls/preview"]) == []
    unreadable = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "what?"}}
    assert found(unreadable) == []


@pytest.mark.parametrize("selector", [{}, {"documentSelector": [{"language": "json"}]}])
def test_tokens_may_be_offered_with_a_selector(selector):
    legend = {"legend": {"tokenTypes": [], "tokenModifiers": []}}
    result = {"capabilities": {"semanticTokensProvider": legend | selector}}
    assert found(answer(result), asked=["initialize"]) == []
    result = {"capabilities": {"semanticTokensProvider": legend | selector | {"odd": 1}}}
    assert any("odd" in one for one in found(answer(result), asked=["initialize"]))


@pytest.mark.parametrize(
    ("message", "wrong"),
    [
        (published(severity=9), "severity"),
        (published(colour="red"), "colour is not in the protocol"),
        (published(codeDescription=None), "must not be null"),
        (published(range={"start": START}), "range"),
        ({"jsonrpc": "2.0", "method": "textDocument/publish", "params": {}}, "no such method"),
        ({"unreadable": "hello"}, "no message"),
        (answer(PLACE, 7), "no request has this id"),
        (answer(preview(map=[]) | {"extra": 1}), "extra"),
        (answer(preview(stats={"bytes": "5"})), "stats"),
        (answer(preview(version="1")), "version"),
        (answer(preview(text="Áda")), "behind the text"),
        (answer(preview(case=1)), "case"),
        ({"jsonrpc": "2.0", "id": 0}, "either a result or an error"),
    ],
)
def test_what_is_wrong_is_named(message, wrong):
    assert any(wrong in one for one in found(message, asked=["promptls/preview"]))


def test_questions_of_ours_that_are_answered_are_judged_too():
    conversation = Conversation()
    params = {"textDocument": {"uri": "file:///a"}, "kase": "angry"}
    question = {"jsonrpc": "2.0", "id": 0, "method": "promptls/cases", "params": params}
    conversation.sent_by_client(question)
    assert any("kase" in one for one in conversation.judge(answer(None))[1])


def test_what_a_client_tells_is_judged_too():
    params = {"textDocument": {"uri": "file:///a"}, "position": START}
    moved = {"jsonrpc": "2.0", "method": "promptls/cursor", "params": params}
    assert Conversation().sent_by_client(moved) == []
    extra = moved | {"params": params | {"place": 1}}
    assert any("place" in fault for fault in Conversation().sent_by_client(extra))


def test_options_of_a_registration_are_judged_too():
    watcher = {"globPattern": "**/*.json", "kindd": 1}
    registration = {
        "id": "a", "method": "workspace/didChangeWatchedFiles",
        "registerOptions": {"watchers": [watcher]},
    }
    message = {
        "jsonrpc": "2.0", "id": 1, "method": "client/registerCapability",
        "params": {"registrations": [registration]},
    }
    assert any("kindd" in one for one in found(message))
