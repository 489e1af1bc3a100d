"""Publishing without uploads: dry runs, and uploads to a registry that is simulated by a script."""

import json
import sys

import pytest
import yaml
from conftest import PACKAGES, PROFILE, REPOSITORIES, ROOT, VERSION, outcomes


@pytest.mark.timeout(900)
def test_a_dry_run_goes_through_every_channel(publish):
    found = outcomes(publish("--fast"))
    published = {name: outcome for name, outcome in found.items() if outcome.startswith("rehearsed")}
    counts = {name: int(outcome.split()[1].rstrip(",")) for name, outcome in published.items()}
    assert counts.pop("pypi") >= 1
    counts.pop("image", None)
    counts.pop("release-text", None)
    assert counts == {
        "npm-names": 6,
        "crates": 14,
        "crate-datafusion": 1,
        "npm": 6,
        "marketplace": 5,
        "open-vsx": 5,
        **dict.fromkeys(REPOSITORIES, 1),
    }
    # Exactly the channels that cannot be tested here are missing.
    assert set(found) - set(published) <= {"image", "release-text"}


@pytest.mark.skipif(PROFILE == "dev", reason="each crate is compiled, with all that it depends on")
@pytest.mark.timeout(5400)
def test_each_crate_compiles_from_its_package(publish):
    assert outcomes(publish("crates"))["crates"].startswith("rehearsed 14, ")


def test_the_workflows_publish_to_every_channel():
    sys.path.append(str(ROOT / "server/packages"))
    from channels import CHANNELS

    registries = [row["channels"].split() for row in matrix("publish", "publish")["include"]]
    repositories = matrix("announce", "announce")["channel"]
    assert sorted(REPOSITORIES) == sorted(repositories)
    # A person reserves names once; each registry job checks the text of the release.
    published = {"npm-names", "release-text", *repositories, *(name for row in registries for name in row)}
    assert published == {channel.name for channel in CHANNELS}


def matrix(workflow, job):
    text = (ROOT / f".github/workflows/{workflow}.yml").read_text()
    return yaml.safe_load(text)["jobs"][job]["strategy"]["matrix"]


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
    name=$(tar --extract --to-stdout --file "$file" package/package.json | sed -n 's/.*"name": "\\(.*\\)".*/\\1/p')
    echo "$name@{version}" >>published
    ;;
esac
"""


def play_npm(shell, answer="npm error code E404"):
    """A client that replaces npm."""
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


def test_clients_of_other_registries_skip_what_is_published(monkeypatch):
    sys.path.append(str(ROOT / "server/packages"))
    from channels import channel, extensions, pypi

    commands = []
    for module in (extensions, pypi):
        monkeypatch.setattr(module, "run", lambda *command, **options: commands.append(command))
    for registry in [extensions.Marketplace, extensions.OpenVsx, pypi.PyPI]:
        registry(None).publish([channel.Item("promptls", VERSION, ("file",))])
    uploads = [set(command) for command in commands if {"publish", "upload"} & set(command)]
    assert len(uploads) == 3
    assert all({"--skip-duplicate", "--skip-existing"} & upload for upload in uploads), uploads


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
