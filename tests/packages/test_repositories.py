"""Files for package managers that read git repositories: valid in their languages, and matching the
archives."""

import hashlib
import json
import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
import tree_sitter_nix
import tree_sitter_ruby
import yaml
from conftest import PACKAGES, REPOSITORIES, ROOT, VERSION, outcomes
from tree_sitter import Language, Parser

FOLDER = "promptls-x86_64-unknown-linux-musl"
TEMPLATES = ROOT / "server/packages/templates"


@pytest.fixture
def remotes(shell):
    """A git repository for each channel, with one commit."""
    shell.run("git", "init", "--quiet", "--initial-branch", "main", "seed")
    shell.run("git", "-C", "seed", "commit", "--quiet", "--allow-empty", "--message", "Begin")
    for channel in REPOSITORIES:
        shell.run("git", "clone", "--quiet", "--bare", "seed", channel)
    return {f"PROMPTLS_{channel.upper()}_REMOTE": str(shell.folder / channel) for channel in REPOSITORIES}


def test_repositories_get_their_files_once(publish, shell, made, remotes):
    arguments = ["--publish", *REPOSITORIES, "--download", f"file://{made}"]
    for outcome in ["published 1, 0 already published", "published 0, 1 already published"]:
        assert outcomes(publish(*arguments, **remotes)) == dict.fromkeys(REPOSITORIES, outcome)
    for channel in REPOSITORIES:
        branch = {"aur": "master", "winget": f"promptls-{VERSION}"}.get(channel, "main")
        files = shell.run("git", "-C", channel, "ls-tree", "-r", "--name-only", branch).splitlines()
        folder = {"homebrew": "Formula", "scoop": "bucket", "winget": f"manifests/p/promptls/promptls/{VERSION}"}
        expected = [Path(folder.get(channel, "."), file.name) for file in (TEMPLATES / channel).iterdir()]
        assert sorted(map(Path, files)) == sorted(expected)


def test_repositories_wait_for_the_release(publish, shell, remotes):
    arguments = ["--publish", "scoop", "--download", f"file://{shell.home}"]
    assert "is the release published?" in publish(*arguments, status=1, **remotes)
    assert "PROMPTLS_SCOOP_REMOTE does not name" in publish(*arguments, status=1)
    assert shell.run("git", "-C", "scoop", "ls-tree", "-r", "--name-only", "main") == ""


@pytest.fixture(scope="session")
def written(made):
    """The files of all repositories, as a dry run writes them."""
    program = [os.environ["PROMPTLS_PUBLISHER"], "-B", ROOT / "server/packages/publish.py", "--made", made]
    subprocess.run([*program, *REPOSITORIES], stdout=subprocess.DEVNULL, check=True)
    return made.parent / "channels"


def parses_as_ruby(file):
    return parses(tree_sitter_ruby, file)


def parses_as_nix(file):
    return parses(tree_sitter_nix, file)


def parses(grammar, file):
    return not Parser(Language(grammar.language())).parse(file.read_bytes()).root_node.has_error


def parses_as_bash(file):
    return subprocess.run(["bash", "-n", file]).returncode == 0


def parses_as_json(file):
    return json.loads(file.read_text())["version"] == VERSION


def parses_as_yaml(file):
    return yaml.safe_load(file.read_text())["PackageVersion"] == VERSION


def parses_as_srcinfo(file):
    return all(re.fullmatch(r"|\t?\w+ = .+", line) for line in file.read_text().splitlines())


PARSERS = {
    ".rb": parses_as_ruby,
    ".nix": parses_as_nix,
    "PKGBUILD": parses_as_bash,
    ".json": parses_as_json,
    ".yaml": parses_as_yaml,
    ".SRCINFO": parses_as_srcinfo,
}


def test_what_is_written_for_repositories_is_in_their_languages(written):
    files = [file for channel in REPOSITORIES for file in (written / channel).iterdir()]
    assert len(files) == 10
    for file in files:
        assert PARSERS[file.suffix or file.name](file), file
        assert not re.search(r"@\w+@", file.read_text()), file


@pytest.mark.parametrize("channel", REPOSITORIES)
def test_repositories_name_archives_by_their_checksums(written, made, channel):
    text = "\n".join(file.read_text() for file in sorted((written / channel).iterdir()))
    named = re.findall(rf"/releases/download/v{re.escape(VERSION)}/([\w.-]+)", text)
    assert named
    for archive in named:
        assert hashlib.sha256((made / archive).read_bytes()).hexdigest() in text


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory):
    """A folder with the archive for this machine, extracted as by a package manager."""
    folder = tmp_path_factory.mktemp("unpacked")
    tarfile.open(PACKAGES / f"{FOLDER}.tar.gz").extractall(folder, filter="data")
    return folder


def test_the_package_of_arch_installs_what_the_archive_has(shell, unpacked, written):
    script = f"source {written}/aur/PKGBUILD; cd {unpacked}; package"
    shell.run("bash", "-euo", "pipefail", "-c", script, CARCH="x86_64", pkgdir=shell.home)
    assert f"promptls {VERSION}" in shell.run(shell.home / "usr/bin/promptls", "--version")
    for file in ["man/man1/promptls-check.1", "zsh/site-functions/_promptls", "bash-completion/completions/promptls"]:
        assert (shell.home / "usr/share" / file).is_file(), file


def test_the_formula_names_files_of_the_archive(unpacked, written):
    formula = (written / "homebrew/promptls.rb").read_text()
    named = re.findall(r'"([^"]+)"', formula[formula.index("def install") : formula.index("test do")])
    assert len(named) > 8
    assert [name for name in named if not list((unpacked / FOLDER).glob(name))] == []


# What Nix brings for `installPhase`.
STDENV = """
runHook() { :; }
installManPage() { install -Dm644 "$@" -t "$out/man"; }
installShellCompletion() { install -Dm644 "$2" -t "$out/completions"; }
"""


def test_the_derivation_installs_what_the_archive_has(shell, unpacked, written):
    derivation = (written / "nix/promptls.nix").read_text()
    phase = derivation.split("installPhase = ''")[1].split("'';")[0]
    shell.folder = unpacked / FOLDER
    shell.run("bash", "-euc", f"{STDENV}{phase}", out=shell.home)
    assert f"promptls {VERSION}" in shell.run(shell.home / "bin/promptls", "--version")
    assert {"completions", "man", "share"} <= {folder.name for folder in shell.home.iterdir()}
