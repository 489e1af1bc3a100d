"""Shared fixtures: the packages, and a repository with a mistake."""

import io
import json
import os
import subprocess
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = Path(os.environ["PROMPTLS_PACKAGES"])
VERSION = json.loads((PACKAGES / "manifest.json").read_text())["version"]
REPOSITORIES = ["homebrew", "scoop", "aur", "nix", "winget"]
PROFILE = os.environ["PROMPTLS_PROFILE"]
# The platforms whose packages are not made here, with their archives: macOS needs a Mac, and the short
# form makes packages for this machine alone.
NOT_MADE = {
    "darwin-arm64": "promptls-aarch64-apple-darwin.tar.gz",
    "darwin-x64": "promptls-x86_64-apple-darwin.tar.gz",
}
if PROFILE == "dev":
    NOT_MADE["linux-arm64"] = "promptls-aarch64-unknown-linux-musl.tar.gz"
    NOT_MADE["win32-x64"] = "promptls-x86_64-pc-windows-gnu.zip"
MISTAKE = "`custmer` has no value; did you mean `customer`?"


class Shell:
    """Runs commands in a folder, with an empty home."""

    def __init__(self, folder):
        self.folder = folder / "work"
        self.home = folder / "home"
        self.folder.mkdir()
        self.home.mkdir()
        # Settings of this machine for registries, and existing builds.
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
        """The output of a command, which must end with `status`."""
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


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The packages, with stand-ins for those that are not made here."""
    folder = tmp_path_factory.mktemp("release") / "packages"
    folder.mkdir()
    for file in PACKAGES.iterdir():
        (folder / file.name).symlink_to(file)
    for platform, archive in NOT_MADE.items():
        stand_in(folder, platform)
        (folder / archive).write_text(platform)
    return folder


def stand_in(folder, platform):
    """The npm and VS Code packages for a platform: their metadata, without a program."""
    with tarfile.open(PACKAGES / f"promptls-linux-x64-{VERSION}.tgz") as package:
        manifest = package.extractfile("package/package.json").read().replace(b"linux-x64", platform.encode())
    entry = tarfile.TarInfo("package/package.json")
    entry.size = len(manifest)
    with tarfile.open(folder / f"promptls-{platform}-{VERSION}.tgz", "w:gz") as package:
        package.addfile(entry, io.BytesIO(manifest))
    with ZipFile(PACKAGES / f"promptls-linux-x64-{VERSION}.vsix") as extension:
        manifest = extension.read("extension.vsixmanifest").replace(b"linux-x64", platform.encode())
    with ZipFile(folder / f"promptls-{platform}-{VERSION}.vsix", "w") as extension:
        extension.writestr("extension.vsixmanifest", manifest)


@pytest.fixture
def publish(shell, made):
    """The command, with these packages."""
    program = [os.environ["PROMPTLS_PUBLISHER"], "-B", ROOT / "server/packages/publish.py", "--made", made]
    return lambda *arguments, **options: shell.run(*program, *arguments, **options)


def outcomes(printed):
    """The table at the end: channels and their results."""
    rows = [line.split(maxsplit=1) for line in printed.rsplit("\n\n", 1)[1].splitlines()]
    return dict(rows)
