"""The release workflow, as far as it can be tested without GitHub."""

import json
import os
from pathlib import Path

import pytest
from conftest import MISTAKE, NOT_MADE, PACKAGES, ROOT, VERSION, Shell, outcomes


@pytest.fixture
def dist(tmp_path):
    """`dist`, in this repository."""
    (tmp_path / "dist").mkdir()
    shell = Shell(tmp_path / "dist")
    shell.folder = ROOT
    return lambda *arguments: shell.run("dist", *arguments)


def test_the_workflow_is_what_dist_makes_with_fewer_rights(shell):
    shell.run(ROOT / "server/packages/workflow", "--check")


def test_what_dist_releases_is_what_is_made(dist):
    planned = json.loads(dist("plan", "--output-format=json"))["artifacts"]
    archives = {name for name, it in planned.items() if it["kind"] == "executable-zip"}
    assert len(archives) == 5
    made = {file.name for file in PACKAGES.iterdir()}
    assert archives - set(NOT_MADE.values()) == archives & made


def test_its_installer_installs(dist, mistaken):
    dist("build", "--artifacts=global")
    installer = Path(os.environ["CARGO_TARGET_DIR"]) / "distrib/promptls-installer.sh"
    mistaken.run("sh", installer, PROMPTLS_DOWNLOAD_URL=f"file://{PACKAGES}")
    assert MISTAKE in mistaken.run(mistaken.home / ".local/bin/promptls", "check", status=1)


def test_the_text_of_a_release_is_the_section_of_its_version(shell):
    shell.run("git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", "clone")
    shell.folder /= "clone"
    rehearse = [os.environ["PROMPTLS_PUBLISHER"], "-B", "server/packages/publish.py", "--made", ".", "release-text"]
    assert f"has no `## {VERSION}`" in shell.run(*rehearse)
    changelog = shell.folder / "CHANGELOG.md"
    changelog.write_text(f"# Changelog\n\n## {VERSION}\n\n- Something new.\n")
    assert outcomes(shell.run(*rehearse))["release-text"].startswith("rehearsed 1")
    plan = json.loads(shell.run("dist", "plan", "--output-format=json"))
    assert plan["announcement_changelog"] == "- Something new."
