"""The npm packages, installed from their files."""

import signal
import subprocess

import pytest
from conftest import MISTAKE, PACKAGES


@pytest.fixture
def installed(mistaken):
    """A project with promptls from its files; the packages for other platforms are missing."""
    packages = [next(PACKAGES.glob(f"promptls-{name}.tgz")) for name in ["[0-9]*", "linux-x64-*"]]
    mistaken.run("npm", "init", "--yes")
    mistaken.run("npm", "install", "--offline", "--no-audit", "--no-fund", *packages)
    return mistaken


def test_npx_runs_the_program(installed):
    assert MISTAKE in installed.run("npx", "--no-install", "promptls", "check", status=1)


def test_a_global_installation_has_manual_pages(shell):
    package = next(PACKAGES.glob("promptls-[0-9]*.tgz"))
    options = ["--global", "--prefix", shell.home, "--offline", "--no-audit", "--no-fund", "--omit", "optional"]
    shell.run("npm", "install", *options, package)
    for page in ["promptls.1", "promptls-check.1"]:
        assert (shell.home / "share/man/man1" / page).is_file()


def test_without_a_program_for_the_platform_it_says_so(installed):
    installed.run("rm", "-r", "node_modules/@promptls")
    output = installed.run("npx", "--no-install", "promptls", "check", status=2)
    assert "@promptls/linux-x64 is not installed" in output


def test_who_ends_the_launcher_ends_the_program(installed):
    server = subprocess.Popen(
        ["node", "node_modules/promptls/promptls.js", "lsp"],
        cwd=installed.folder,
        env=installed.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    # It responds, so it runs.
    server.stdin.write(b"Content-Length: 2\r\n\r\n{}")
    server.stdin.flush()
    assert server.stdout.readline().startswith(b"Content-Length")
    server.terminate()
    assert server.wait() == -signal.SIGTERM
    # The program held the other end of this pipe.
    server.stdout.read()
