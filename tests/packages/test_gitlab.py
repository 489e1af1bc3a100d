"""The template for GitLab: its commands, with the wheels instead of PyPI. GitLab itself is not
tested."""

import json
import sys

import yaml
from conftest import MISTAKE, PACKAGES, ROOT


def test_its_script_checks_and_reports(mistaken):
    job = yaml.safe_load((ROOT / "server/packages/gitlab/promptls.gitlab-ci.yml").read_text())["promptls"]
    mistaken.run(sys.executable, "-m", "venv", mistaken.home / "venv")
    mistaken.first_on_path(mistaken.home / "venv/bin")
    index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(PACKAGES)}
    output = mistaken.run("sh", "-ec", "\n".join(job["script"]), status=1, **job["variables"], **index)
    assert MISTAKE in output
    report = json.loads((mistaken.folder / job["artifacts"]["reports"]["codequality"]).read_text())
    assert [it["check_name"] for it in report] == ["undefined-placeholder"]
