"""Publishing without publishing: dry runs, and uploads to registries that are played by a script."""

import hashlib
import io
import json
import os
import re
import subprocess
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest
import tree_sitter_nix
import tree_sitter_ruby
import yaml
from conftest import PACKAGES, ROOT
from tree_sitter import Language, Parser

VERSION = json.loads((PACKAGES / "manifest.json").read_text())["version"]
FOLDER = "promptls-x86_64-unknown-linux-musl"
TEMPLATES = ROOT / "server/packages/templates"
REPOSITORIES = ["homebrew", "scoop", "aur", "nix", "winget"]


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The packages, with stand-ins for those that Macs make."""
    folder = tmp_path_factory.mktemp("release") / "packages"
    folder.mkdir()
    for file in PACKAGES.iterdir():
        (folder / file.name).symlink_to(file)
    for platform in ["darwin-arm64", "darwin-x64"]:
        stand_in(folder, platform)
    for rust in ["aarch64-apple-darwin", "x86_64-apple-darwin"]:
        (folder / f"promptls-{rust}.tar.gz").write_text(rust)
    return folder


def stand_in(folder, platform):
    """The packages of npm and VS Code for a platform: what names it, without a program."""
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
    """The table at the end: channels and what became of them."""
    rows = [line.split(maxsplit=1) for line in printed.rsplit("\n\n", 1)[1].splitlines()]
    return dict(rows)


def test_a_dry_run_goes_through_every_channel(publish):
    found = outcomes(publish("--fast"))
    published = {name: outcome for name, outcome in found.items() if outcome.startswith("rehearsed")}
    counts = {name: int(outcome.split()[1].rstrip(",")) for name, outcome in published.items()}
    assert counts.pop("pypi") >= 1
    counts.pop("image", None)
    counts.pop("release-text", None)
    assert counts == {
        "npm-names": 6,
        "crates": 12,
        "crate-datafusion": 1,
        "npm": 6,
        "marketplace": 5,
        "open-vsx": 5,
        **dict.fromkeys(REPOSITORIES, 1),
    }
    # What cannot be tried here is named, and nothing else.
    assert set(found) - set(published) <= {"image", "release-text"}


def test_an_extension_of_another_version_is_refused(publish, made, tmp_path):
    wrong = tmp_path / "made"
    wrong.mkdir()
    for file in made.iterdir():
        (wrong / file.name).symlink_to(file)
    windows = wrong / f"promptls-win32-x64-{VERSION}.vsix"
    windows.unlink()
    windows.symlink_to(made / f"promptls-linux-x64-{VERSION}.vsix")
    found = outcomes(publish("marketplace", "--made", wrong, status=1))
    assert found["marketplace"].endswith("TargetPlatform is linux-x64, not win32-x64")


NPM = """#!/bin/sh
# A registry in the file `published`; it takes as many packages as `room` has lines.
cd {folder}
case $1 in
view)
    grep --quiet --line-regexp "$2" published && exit
    echo "{answer}" >&2
    exit 1
    ;;
publish)
    for file; do :; done
    test -s room || exit 1
    sed -i 1d room
    tar --extract --to-stdout --file "$file" package/package.json | sed -n 's/.*"name": "\\(.*\\)".*/\\1@{version}/p' >>published
    ;;
esac
"""


def play_npm(shell, answer="npm error code E404"):
    """A client in the place of npm."""
    (shell.home / "bin").mkdir()
    npm = shell.home / "bin/npm"
    npm.write_text(NPM.format(folder=shell.home, answer=answer, version=VERSION))
    npm.chmod(0o755)
    shell.first_on_path(shell.home / "bin")
    for name in ["published", "room"]:
        (shell.home / name).touch()


def test_a_run_that_failed_goes_on_where_it_ended(publish, shell):
    play_npm(shell)
    (shell.home / "room").write_text("\n" * 2)
    assert outcomes(publish("--publish", "npm", status=1))["npm"].startswith("FAILED")
    assert len((shell.home / "published").read_text().splitlines()) == 2
    (shell.home / "room").write_text("\n" * 9)
    assert outcomes(publish("--publish", "npm"))["npm"] == "published 4, 2 already published"
    # The package that depends on the others is the last one.
    published = (shell.home / "published").read_text().splitlines()
    assert len(set(published)) == 6 and published[-1] == f"promptls@{VERSION}"
    (shell.home / "room").write_text("")
    assert outcomes(publish("--publish", "npm"))["npm"] == "published 0, 6 already published"


def test_a_registry_that_does_not_answer_is_an_error(publish, shell):
    play_npm(shell, answer="npm error code ENOTFOUND")
    (shell.home / "room").write_text("\n" * 9)
    assert "ENOTFOUND" in publish("--publish", "npm", status=1)
    assert (shell.home / "published").read_text() == ""


def test_nothing_is_published_while_a_package_is_missing(publish, shell):
    play_npm(shell)
    (shell.home / "room").write_text("\n" * 9)
    assert f"promptls-darwin-x64-{VERSION}.tgz" in publish("--publish", "npm", "--made", PACKAGES, status=1)
    assert (shell.home / "published").read_text() == ""


@pytest.mark.parametrize("channel", REPOSITORIES)
def test_a_repository_gets_its_files_once(publish, shell, made, channel):
    shell.run("git", "init", "--quiet", "--bare", "--initial-branch", "main", "remote")
    shell.run("git", "init", "--quiet", "--initial-branch", "main", "seed")
    shell.run("git", "-C", "seed", "commit", "--quiet", "--allow-empty", "--message", "Begin")
    shell.run("git", "-C", "seed", "push", "--quiet", "../remote", "main")
    remote = {f"PROMPTLS_{channel.upper()}_REMOTE": shell.folder / "remote"}
    arguments = ["--publish", channel, "--download"]
    assert "is the release published?" in publish(*arguments, f"file://{shell.home}", status=1, **remote)
    assert outcomes(publish(*arguments, f"file://{made}", **remote))[channel] == "published 1, 0 already published"
    assert outcomes(publish(*arguments, f"file://{made}", **remote))[channel] == "published 0, 1 already published"
    branch = {"aur": "master", "winget": f"promptls-{VERSION}"}.get(channel, "main")
    files = shell.run("git", "-C", "remote", "ls-tree", "-r", "--name-only", branch).splitlines()
    assert {Path(file).name for file in files} == {file.name for file in (TEMPLATES / channel).iterdir()}
    if channel == "winget":
        assert all(file.startswith(f"manifests/p/promptls/promptls/{VERSION}/") for file in files)


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
    """A folder with the archive for this machine, as a package manager unpacks it."""
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


def test_schemas_are_files_of_the_release_at_their_addresses():
    manifest = json.loads((PACKAGES / "manifest.json").read_text())
    names = {row["name"] for row in manifest["artefacts"] if row["kind"] == "schema"}
    schemas = {name: json.loads((PACKAGES / name).read_text()) for name in names if name.endswith(".schema.json")}
    assert len(schemas) > 10
    bases = {schema["$id"].removesuffix(f"/{name}") for name, schema in schemas.items()}
    assert [base.split("/")[-3:] for base in bases] == [["releases", "latest", "download"]]
    entries = json.loads((PACKAGES / "schemastore.json").read_text())
    addresses = {schema["$id"] for schema in schemas.values()}
    assert {entry["url"] for entry in entries} <= addresses
    patterns = [pattern for entry in entries for pattern in entry["fileMatch"]]
    assert sorted(patterns) == ["*.inputs.json", "*.variables.json", "promptls.toml"]
