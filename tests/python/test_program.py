"""The program inside Python behaves like the program itself."""

import json
import os
import signal
import subprocess
import sys

import pytest

MODULE = [sys.executable, "-m", "promptls"]
MISTAKE = "Dear {custmer},\n"


@pytest.fixture
def mistaken(program, write):
    write("letter.adk.prompt", MISTAKE)
    write("letter.adk.inputs.json", '{"customer": "Ada"}\n')
    return program


def run(*arguments, **options):
    ended = subprocess.run([*MODULE, *arguments], capture_output=True, text=True, encoding="utf-8", **options)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["check"],
        ["check", "--format", "json"],
        ["check", "--color", "always"],
        ["resolve", "letter.adk.prompt"],
        ["vars", "letter.adk.prompt"],
        ["explain", "no-such-code"],
        # Not the help of `check`: the program here has stores, the package does not.
        ["fmt", "--help"],
        ["--no-such-option"],
        ["resolve", "no such file"],
        ["completions", "no-such-shell"],
    ],
    ids=" ".join,
)
def test_each_command_prints_and_ends_as_the_program_does(mistaken, arguments):
    assert run(*arguments) == mistaken.run(*arguments)


def test_it_reads_standard_input_and_names_that_are_no_unicode(program, write):
    arguments = ["resolve", "-", "--dialect", "adk", "--set", "name=Ada"]
    assert run(*arguments, input="Dear {name}")[:2] == (0, "Dear Ada")
    if sys.platform == "linux":
        name = os.fsdecode(b"\xff.adk.prompt")
        write(name, "Dear Ada")
        assert run("resolve", name)[:2] == (0, "Dear Ada")


def test_shells_complete_what_the_program_completes(mistaken):
    words = ["--", "promptls", "resolve", "letter.adk.prompt", "--case", ""]
    variables = {**os.environ, "PROMPTLS_COMPLETE": "bash", "_CLAP_COMPLETE_INDEX": str(len(words) - 2), "_CLAP_IFS": "\n"}
    assert "default" in run(*words, env=variables)[1]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of Unix")
def test_ctrl_c_ends_what_waits(mistaken):
    waiting = subprocess.Popen([*MODULE, "check", "--watch"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with waiting:
        assert waiting.stdout.readline()
        waiting.send_signal(signal.SIGINT)
        rest = waiting.stdout.read()
    assert b"Traceback" not in rest and b"KeyboardInterrupt" not in rest
    assert waiting.returncode in (-signal.SIGINT, 0, 1, 130)


def test_an_editor_talks_to_it(mistaken):
    server = subprocess.Popen([*MODULE, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with server:
        send(server, {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}})
        assert next(it for it in messages(server) if it.get("id") == 1)["result"]
        send(server, {"method": "initialized", "params": {}})
        document = {"uri": (mistaken.folder / "letter.adk.prompt").as_uri(), "languageId": "prompt-adk", "version": 1, "text": MISTAKE}
        send(server, {"method": "textDocument/didOpen", "params": {"textDocument": document}})
        published = next(it for it in messages(server) if it.get("method") == "textDocument/publishDiagnostics")
        assert "`custmer` has no value" in published["params"]["diagnostics"][0]["message"]
        send(server, {"id": 2, "method": "shutdown"})
        assert next(it for it in messages(server) if it.get("id") == 2)["result"] is None
        send(server, {"method": "exit"})
    assert server.returncode == 0


def send(server, message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def messages(server):
    """The messages of the server, until it ends."""
    while header := server.stdout.readline():
        length = int(header.removeprefix(b"Content-Length:"))
        assert server.stdout.readline() == b"\r\n"
        yield json.loads(server.stdout.read(length))
