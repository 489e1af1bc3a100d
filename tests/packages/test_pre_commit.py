"""The hook, as `pre-commit` runs it in a user's repository."""

import json
import shutil
import subprocess
import sys

import pytest
import yaml
from conftest import MISTAKE, PACKAGES, PROFILE, ROOT


@pytest.fixture
def hooked(mistaken):
    """A repository that uses the hook, in the committed state."""
    revision = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    (mistaken.folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {ROOT}\n    rev: {revision}\n    hooks:\n      - id: promptls\n"
    )
    mistaken.run("git", "add", ".")
    # With the profile of the packages, existing builds of dependencies are reused.
    mistaken.env["MATURIN_PEP517_ARGS"] = f"--profile {PROFILE}"
    mistaken.run("pre-commit", "install")
    return mistaken


def check_commits(repository, **env):
    """Commits a mistake, its correction, and inputs without a name that the prompt needs."""

    def commit(message, status=0):
        repository.run("git", "add", ".")
        return repository.run("git", "commit", "--message", message, status=status, **env)

    output = commit("A letter with a mistake", status=1)
    assert "promptls check" in output and "Failed" in output and MISTAKE in output
    (repository.folder / "letter.adk.prompt").write_text("Dear {customer},\n")
    commit("A letter")
    # A change of only the inputs affects the prompts that use them.
    (repository.folder / "letter.adk.inputs.json").write_text('{"client": "Ada"}\n')
    assert "`customer` has no value" in commit("Clients", status=1)


@pytest.mark.skipif(PROFILE == "dev", reason="all crates are compiled again, in another folder")
@pytest.mark.timeout(1800)
def test_a_commit_with_a_mistake_is_refused(hooked):
    check_commits(hooked)


MIRROR = ROOT / "server/packages/pre-commit-mirror"


@pytest.fixture
def mirror(shell, tmp_path):
    """The mirror as a separate repository, and a shell in it."""
    shell.folder = tmp_path / "mirror"
    shutil.copytree(MIRROR, shell.folder)
    shell.run("git", "init", "--quiet", "--initial-branch=main")
    shell.run("git", "add", ".")
    shell.run("git", "commit", "--quiet", "--message", "The mirror")
    return shell


def test_the_mirror_installs_a_wheel(mistaken, mirror, tmp_path):
    mirror.run("git", "tag", "v1")
    mistaken.folder = tmp_path / "work"
    (mistaken.folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {tmp_path / 'mirror'}\n    rev: v1\n    hooks:\n      - id: promptls\n"
    )
    mistaken.run("pre-commit", "install")
    # The wheel is in no registry.
    check_commits(mistaken, PIP_FIND_LINKS=str(PACKAGES))


def test_the_mirror_follows_releases(mirror, tmp_path):
    index = tmp_path / "index.json"
    versions = ["0.1.0", "0.10.0", "0.2.0", "0.3.0rc1", "0.0.9"]
    index.write_text(json.dumps({"versions": versions}))
    call = [sys.executable, "mirror.py", index.as_uri()]
    assert mirror.run(*call) == "added v0.2.0\nadded v0.10.0\n"
    assert mirror.run("git", "tag") == "v0.10.0\nv0.2.0\n"
    for version in ["0.2.0", "0.10.0"]:
        assert f'"promptls=={version}"' in mirror.run("git", "show", f"v{version}:pyproject.toml")
        assert f"rev: v{version}\n" in mirror.run("git", "show", f"v{version}:README.md")
    # Nothing is added twice.
    assert mirror.run(*call) == ""


def test_the_mirror_has_the_hook_of_this_repository():
    def hooks(folder):
        (hook,) = yaml.safe_load((folder / ".pre-commit-hooks.yaml").read_text())
        return hook

    assert hooks(MIRROR) == hooks(ROOT)
