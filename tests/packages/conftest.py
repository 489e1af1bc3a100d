"""What the tests share: the packages, and a repository with a mistake."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = Path(os.environ["PROMPTLS_PACKAGES"])
MISTAKE = "`custmer` has no value; did you mean `customer`?"


class Shell:
    """Runs commands in a folder, in a home where nothing is installed and nothing configured."""

    def __init__(self, folder):
        self.folder = folder / "work"
        self.home = folder / "home"
        self.folder.mkdir()
        self.home.mkdir()
        # How this machine reaches registries, and what is built already.
        keep = ("CARGO_", "CURL_", "PIP_", "REQUESTS_", "RUSTUP_", "SSL_", "http_", "https_", "no_")
        self.env = {
            **{name: value for name, value in os.environ.items() if name.startswith(keep)},
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": str(self.home / "gitconfig"),
        }
        (self.home / "gitconfig").write_text("[user]\nname = Ada\nemail = ada@example.com\n")

    def run(self, *command, status=0, **env):
        """What a command prints, which ends with `status`."""
        ended = subprocess.run(
            [str(it) for it in command],
            cwd=self.folder,
            env={**self.env, **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert ended.returncode == status, f"{command} ended with {ended.returncode}:\n{ended.stdout}"
        return ended.stdout

    def first_on_path(self, folder):
        self.env["PATH"] = f"{folder}{os.pathsep}{self.env['PATH']}"


@pytest.fixture
def shell(tmp_path):
    """A shell in an empty folder."""
    return Shell(tmp_path)


@pytest.fixture
def mistaken(shell):
    """A shell in a repository whose prompt has a mistake."""
    (shell.folder / "letter.adk.prompt").write_text("Dear {custmer},\n")
    (shell.folder / "letter.adk.inputs.json").write_text('{"customer": "Ada"}\n')
    shell.run("git", "init", "--quiet")
    shell.run("git", "add", ".")
    shell.run("git", "commit", "--quiet", "--message", "A letter")
    return shell
