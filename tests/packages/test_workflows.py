"""Workflows and actions run only code that is pinned by its content, and few of their jobs have
write permissions."""

import re

import pytest
import yaml
from conftest import ROOT

MIRROR = ROOT / "server/packages/pre-commit-mirror"
WORKFLOWS = [*ROOT.glob(".github/workflows/*.yml"), *MIRROR.glob(".github/workflows/*.yml")]
# The jobs that make a release or push a commit.
WRITERS = {("release.yml", "announce"), ("mirror.yml", "mirror")}


@pytest.mark.parametrize("file", [*WORKFLOWS, ROOT / "action.yml"], ids=lambda file: file.name)
def test_actions_are_named_by_their_commits(file):
    uses = re.findall(r"^ *(?:- )?uses: (.*)$", file.read_text(), re.MULTILINE)
    assert uses
    for action in uses:
        # A tag can be moved; the tag in the comment is for readers and update tools.
        assert re.fullmatch(r"\./\S+|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_only_jobs_that_write_may(file):
    workflow = yaml.safe_load(file.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        writes = job.get("permissions", {}).get("contents") == "write"
        assert writes == ((file.name, name) in WRITERS), name


@pytest.mark.parametrize("file", (ROOT / "server/packages").rglob("*.py"), ids=lambda file: file.name)
def test_no_client_of_a_registry_is_run_unseen(file):
    # Without a lock file, a client runs that nothing has seen before.
    text = file.read_text()
    assert not re.search(r"""["'](pipx|uvx)["']""", text)
    for call in re.findall(r'"npx", ("[^"]+")', text):
        assert call in ('"--no-install"', '"--version"'), call


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_nothing_from_the_network_is_run_unseen(file):
    text = file.read_text()
    assert not re.search(r"curl[^\n]*\|\s*(ba)?sh|pipx run|npx ", text)
    for call in re.findall(r"\bpip\"? install[^\n]*", text):
        assert "--require-hashes" in call, call
