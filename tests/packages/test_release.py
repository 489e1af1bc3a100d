"""The release workflow, as far as it can be tried without GitHub."""

import json
import os
from pathlib import Path

import pytest
from conftest import MISTAKE, PACKAGES, ROOT, Shell


@pytest.fixture
def dist(tmp_path):
    """`dist`, in this repository."""
    (tmp_path / "dist").mkdir()
    shell = Shell(tmp_path / "dist")
    shell.folder = ROOT
    return lambda *arguments: shell.run("dist", *arguments)


def test_the_workflow_is_what_dist_makes(dist):
    dist("generate", "--check")


def test_what_dist_releases_is_what_is_made(dist):
    planned = json.loads(dist("plan", "--output-format=json"))["artifacts"]
    archives = {name for name, it in planned.items() if it["kind"] == "executable-zip"}
    assert len(archives) == 5
    made = {file.name for file in PACKAGES.iterdir()}
    # Macs make the others.
    assert {name for name in archives if "darwin" not in name} == archives & made


def test_its_installer_installs(dist, mistaken):
    dist("build", "--artifacts=global")
    installer = Path(os.environ["CARGO_TARGET_DIR"]) / "distrib/promptls-installer.sh"
    mistaken.run("sh", installer, PROMPTLS_DOWNLOAD_URL=f"file://{PACKAGES}")
    assert MISTAKE in mistaken.run(mistaken.home / ".local/bin/promptls", "check", status=1)
