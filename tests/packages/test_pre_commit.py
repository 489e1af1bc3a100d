"""The hook, as `pre-commit` runs it in somebody's repository."""

import os
import subprocess

import pytest
from conftest import MISTAKE, ROOT


@pytest.fixture
def hooked(mistaken):
    """A repository that uses our hook, in the state that is committed here."""
    revision = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    (mistaken.folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {ROOT}\n    rev: {revision}\n    hooks:\n      - id: promptls\n"
    )
    mistaken.run("git", "add", ".")
    # It builds the program as this machine does, so what others have built need not be built again.
    mistaken.env.pop("CARGO_PROFILE_DEV_DEBUG", None)
    mistaken.env["MATURIN_PEP517_ARGS"] = f"--profile {os.environ['PROMPTLS_PROFILE']}"
    mistaken.run("pre-commit", "install")
    return mistaken


@pytest.mark.timeout(1800)
def test_a_commit_with_a_mistake_is_refused(hooked):
    told = hooked.run("git", "commit", "--message", "A letter with a mistake", status=1)
    assert "promptls check" in told and "Failed" in told and MISTAKE in told
    (hooked.folder / "letter.adk.prompt").write_text("Dear {customer},\n")
    hooked.run("git", "add", ".")
    hooked.run("git", "commit", "--message", "A letter")
    # A change of inputs alone concerns the prompts that read them.
    (hooked.folder / "letter.adk.inputs.json").write_text('{"client": "Ada"}\n')
    hooked.run("git", "add", ".")
    assert "`customer` has no value" in hooked.run("git", "commit", "--message", "Clients", status=1)
