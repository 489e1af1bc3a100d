"""The steps of the GitHub Action, run as GitHub runs them.

Not tested: GitHub itself, which uploads the report, shows annotations and stores comments. A
script replaces `gh`, and records its calls.
"""

import json
import re
import shutil
import sys
import uuid

import pytest
import yaml
from conftest import MISTAKE, PACKAGES, ROOT

PULL_REQUEST = "${{ github.event.pull_request.number }}"
BOT = "github-actions[bot]"
ARCHIVE = "promptls-x86_64-unknown-linux-musl.tar.gz"


class Runner:
    """Runs the steps of action.yml in a repository, with inputs as in a workflow."""

    def __init__(self, shell):
        self.shell = shell
        self.temp = shell.home / "temp"
        self.temp.mkdir()
        self.releases = shell.home / "releases"
        action = yaml.safe_load((ROOT / "action.yml").read_text())
        self.steps = {step["name"]: step for step in action["runs"]["steps"]}
        self.defaults = {name: it.get("default", "") for name, it in action["inputs"].items()}
        for name in ["GITHUB_PATH", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"]:
            (self.temp / name).write_text("")
            shell.env[name] = str(self.temp / name)
        shell.env |= {
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_REPOSITORY": "ada/letters",
            "RUNNER_TEMP": str(self.temp),
            "RUNNER_OS": "Linux",
            "RUNNER_ARCH": "X64",
        }

    def step(self, name, /, status=0, **inputs):
        """The output of a step; changes of PATH apply to the next ones."""
        step = self.steps[name]
        values = {**self.defaults, **{key.replace("_", "-"): value for key, value in inputs.items()}}
        env = {}
        for key, text in step.get("env", {}).items():
            given = re.fullmatch(r"\$\{\{ inputs\.(.+) \}\}", text)
            env[key] = values[given[1]] if given else text.replace(PULL_REQUEST, "17")
        if "RELEASES" in env:
            assert env["RELEASES"].startswith(f"https://github.com/{env['REPOSITORY']}/")
            env["RELEASES"] = f"file://{self.releases}"
        # The command of GitHub's runner.
        bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
        if "working-directory" in step:
            bash = ["env", "-C", values["working-directory"], *bash]
        printed = self.shell.run(*bash, step["run"], status=status, **env)
        for folder in (self.temp / "GITHUB_PATH").read_text().split():
            self.shell.first_on_path(folder)
        return printed

    def outputs(self):
        """The outputs of the steps."""
        lines = (self.temp / "GITHUB_OUTPUT").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def release(self, version, change=b""):
        """Publishes the packages as a release."""
        folder = self.releases / f"v{version}"
        folder.mkdir(parents=True)
        for name in [ARCHIVE, f"{ARCHIVE}.sha256"]:
            shutil.copy(PACKAGES / name, folder)
        with (folder / ARCHIVE).open("ab") as archive:
            archive.write(change)


@pytest.fixture
def runner(mistaken):
    return Runner(mistaken)


def version():
    return json.loads((PACKAGES / "manifest.json").read_text())["version"]


def test_it_installs_its_own_release_and_annotates(runner):
    runner.release(version())
    log = gh(runner)
    assert "problem-matcher.json" in runner.step("Install promptls")
    output = runner.step("Check the prompts", status=1)
    assert re.search(r"^::error file=letter\.adk\.prompt,line=1,col=7,.*custmer", output, re.MULTILINE), output
    assert runner.outputs() == {"exit-code": "1", "errors": "1", "warnings": "0"}
    verified = "--repo promptls/promptls --signer-workflow promptls/promptls/.github/workflows/release.yml"
    assert f"attestation verify {ARCHIVE} {verified}" in log.read_text()


def test_it_works_in_a_folder(runner):
    runner.step("Install promptls", program=program(runner))
    runner.shell.run("promptls", "check", "--write-baseline", "known.json")
    (runner.shell.folder / "eu").mkdir()
    (runner.shell.folder / "eu/b.adk.prompt").write_text("{a} {b?}\n")
    (runner.shell.folder / "eu/b.adk.inputs.json").write_text("{}\n")
    there = {"working_directory": "eu", "baseline": "../known.json"}
    output = runner.step("Check the prompts", status=1, **there)
    assert "::error file=eu/b.adk.prompt,line=1" in output and "letter" not in output, output
    runner.step("Write the report", sarif="out.sarif", **there)
    assert runner.outputs()["sarif"] == str(runner.shell.folder / "eu/out.sarif")


def test_it_installs_nothing_without_an_attestation(runner):
    runner.release("9.9.9")
    gh(runner, attested=False)
    output = runner.step("Install promptls", status=2, version="9.9.9")
    assert "::error::" in output and "attestation" in output
    assert (runner.temp / "GITHUB_PATH").read_text() == ""
    # A checksum from the workflow is sufficient.
    sha256 = (runner.releases / f"v9.9.9/{ARCHIVE}.sha256").read_text().split()[0]
    runner.step("Install promptls", version="9.9.9", sha256=sha256)


def test_it_takes_the_arguments_of_check(runner):
    runner.step("Install promptls", program=program(runner))
    runner.shell.run("promptls", "check", "--write-baseline", "known.json")
    arguments = {"arguments": "--deny-warnings --quiet", "paths": ". letter.adk.prompt"}
    runner.step("Check the prompts", baseline="known.json", **arguments)
    runner.step("Write the report", sarif="out.sarif")
    report = json.loads((runner.shell.folder / "out.sarif").read_text())
    assert [it["ruleId"] for it in report["runs"][0]["results"]] == ["undefined-placeholder"]


@pytest.mark.parametrize("changed, named", [(b"more", ""), (b"", "0" * 64)])
def test_it_installs_nothing_else_than_the_checksum_says(runner, changed, named):
    gh(runner)
    runner.release("9.9.9", changed)
    output = runner.step("Install promptls", status=2, version="v9.9.9", sha256=named)
    assert "::error::" in output and "checksum" in output
    assert (runner.temp / "GITHUB_PATH").read_text() == ""


def test_a_runner_without_a_program_hears_so(runner):
    runner.shell.env["RUNNER_ARCH"] = "ARM"
    assert "::error::promptls is not built for Linux on ARM" in runner.step("Install promptls", status=2)


def test_it_comments_once_and_then_changes_its_comment(runner):
    runner.step("Install promptls", program=program(runner))
    log = gh(runner)
    (runner.shell.folder / "letter.adk.prompt").write_text("Dear {customer},\n")
    runner.shell.run("git", "commit", "--all", "--quiet", "--message", "A customer")
    runner.step("Compare the prompts", compare_with="HEAD~1")
    posted = log.read_text()
    assert "--method POST repos/ada/letters/issues/17/comments" in posted
    assert "<!-- promptls -->\n" in posted and "letter.adk.prompt" in posted

    # Only a comment of the same user with the same name is the action's own.
    comments = [
        (1, "mallory", "<!-- promptls -->"),
        (2, BOT, "See <!-- promptls -->"),
        (3, BOT, "<!-- promptls eu -->"),
        (4, BOT, "<!-- promptls -->"),
        (5, BOT, "<!-- promptls -->"),
    ]
    for name, updated in [("", 4), ("eu", 3)]:
        log = gh(runner, comments)
        runner.step("Compare the prompts", compare_with="HEAD", name=name)
        assert f"--method PATCH repos/ada/letters/issues/comments/{updated}\n" in in_lines(log)
    log = gh(runner, comments)
    runner.step("Compare the prompts", compare_with="HEAD~1", name="us")
    assert "--method POST" in log.read_text() and "<!-- promptls us -->\n" in log.read_text()


def test_a_name_cannot_end_the_mark(runner):
    runner.step("Install promptls", program=program(runner))
    output = runner.step("Compare the prompts", status=2, compare_with="HEAD", name="a --> b")
    assert "::error::" in output


def test_who_may_not_comment_is_checked_all_the_same(runner):
    runner.step("Install promptls", program=program(runner))
    log = gh(runner, [(4711, BOT, "<!-- promptls -->")])
    # Without the file, the call cannot be recorded, and `gh` fails.
    log.unlink()
    log.mkdir()
    output = runner.step("Compare the prompts", compare_with="HEAD")
    assert "::warning::The comment could not be written" in output
    assert "### promptls" in (runner.temp / "GITHUB_STEP_SUMMARY").read_text()


def test_the_matcher_reads_what_check_prints(runner):
    runner.step("Install promptls", program=program(runner))
    matcher = json.loads((ROOT / "server/packages/action/problem-matcher.json").read_text())
    (pattern,) = matcher["problemMatcher"][0]["pattern"]
    line = runner.shell.run("promptls", "check", "--format", "concise", "--quiet", status=1).strip()
    found = re.match(pattern["regexp"], line)
    problem = {key: found[group] for key, group in pattern.items() if key != "regexp"}
    assert problem == {
        "file": "letter.adk.prompt",
        "line": "1",
        "column": "7",
        "severity": "error",
        "code": "undefined-placeholder",
        "message": MISTAKE,
    }


def program(runner):
    """A program that is already installed."""
    runner.shell.run("tar", "-xzf", PACKAGES / ARCHIVE, "-C", runner.shell.home)
    return str(runner.shell.home / ARCHIVE.removesuffix(".tar.gz") / "promptls")


def in_lines(log):
    """The calls of `gh`, without the text after the path."""
    return re.sub(r" --field body=@-", "", log.read_text())


def gh(runner, comments=(), attested=True):
    """A `gh` with these comments (id, user, text), which records other calls in the returned
    file."""
    folder = runner.shell.home / f"gh-{uuid.uuid4()}"
    folder.mkdir()
    log = folder / "asked"
    log.write_text("")
    listed = [{"id": id, "user": {"login": login}, "body": f"{text}\r\nmore"} for id, login, text in comments]
    comments = f"json.loads({json.dumps(listed)!r})"
    (folder / "filter.py").write_text(
        f"import json, jq, sys\nprint(*jq.compile(sys.argv[1]).input_value({comments}), sep='\\n')\n"
    )
    (folder / "gh").write_text(f"""#!/bin/sh
case "$*" in
"attestation verify"*) echo "$*" >>"{log}"; exit {0 if attested else 1} ;;
*viewer*) echo "{BOT}" ;;
*--paginate*) for last; do :; done; exec "{sys.executable}" "{folder}/filter.py" "$last" ;;
*) (echo "$*" && cat) >>"{log}" ;;
esac
""")
    (folder / "gh").chmod(0o755)
    runner.shell.first_on_path(folder)
    return log
