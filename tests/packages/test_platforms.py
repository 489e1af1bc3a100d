"""The programs in the archives behave the same on their systems as on this one.

arm64 is emulated by qemu, Windows by Wine. For macOS there is only `tests/targets`, which
compiles.
"""

import json
import os
import subprocess
import tarfile
from zipfile import ZipFile

import pytest
from conftest import MISTAKE, NOT_MADE, PACKAGES, ROOT

# For each archive, the command that runs its program, and the path of the folder in its system.
PLATFORMS = {
    "promptls-x86_64-unknown-linux-musl.tar.gz": ([], ""),
    "promptls-aarch64-unknown-linux-musl.tar.gz": ([os.environ["PROMPTLS_QEMU"]], ""),
    "promptls-x86_64-pc-windows-gnu.zip": ([str(ROOT / "tests/packages/wine"), os.environ["PROMPTLS_WINE"]], "/Z:/work"),
}


@pytest.fixture(params=PLATFORMS)
def platform(request, mistaken):
    """The command that runs a program, and its folder in the form of its system."""
    runner, folder = PLATFORMS[request.param]
    if request.param in NOT_MADE.values():
        pytest.skip("the short form does not build for other systems")
    if folder and subprocess.run(["unshare", "--map-root-user", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("Wine needs namespaces, which this system does not allow")
    return [*runner, unpack(request.param, mistaken.folder)], folder or str(mistaken.folder)


def unpack(name, folder):
    """Extracts the program from an archive."""
    if name.endswith(".zip"):
        with ZipFile(PACKAGES / name) as archive:
            archive.extract("promptls.exe", folder)
        return "promptls.exe"
    program = f"{name.removesuffix('.tar.gz')}/promptls"
    with tarfile.open(PACKAGES / name) as archive:
        archive.extract(program, folder)
    return str(folder / program)


def test_it_checks_and_resolves(mistaken, platform):
    program, _ = platform
    assert "promptls 0." in mistaken.run(*program, "--version")
    assert MISTAKE in mistaken.run(*program, "check", status=1)
    (mistaken.folder / "letter.adk.prompt").write_text("Dear {customer},\n")
    assert mistaken.run(*program, "resolve", "letter.adk.prompt").endswith("Dear Ada,\n")


def test_an_editor_hears_of_the_mistake(mistaken, platform):
    program, folder = platform
    document = {
        "uri": f"file://{folder}/letter.adk.prompt",
        "languageId": "prompt-adk",
        "version": 1,
        "text": "Dear {custmer},\n",
    }
    server = subprocess.Popen(
        [*program, "lsp"], cwd=mistaken.folder, env=mistaken.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with server:
        # Wine cannot see processes outside of it, so the editor sends no process id.
        params = {"processId": None, "rootUri": None, "capabilities": {}}
        send(server, {"id": 1, "method": "initialize", "params": params})
        next(it for it in messages(server) if it.get("id") == 1)
        send(server, {"method": "initialized", "params": {}})
        send(server, {"method": "textDocument/didOpen", "params": {"textDocument": document}})
        published = next(it for it in messages(server) if it.get("method") == "textDocument/publishDiagnostics")
        assert [it["message"] for it in published["params"]["diagnostics"]] == [MISTAKE]
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
