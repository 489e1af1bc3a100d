"""Repositories with problems come to a check in CI, by the commands of the README and nothing else.

Each installs promptls in another way. The number of problems goes down as they are mended and
accepted, and what is new is seen at once.
"""

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import PACKAGES, ROOT


@dataclass
class Repository:
    """A kind of repository: how it comes by the program, and how many problems it begins with."""

    install: str
    problems: int
    # A file, what is wrong in it, what is meant, and another mistake.
    mistake: tuple[str, str, str, str]
    # Names that stay wrong, with a reason.
    accepted: list[str]


AGENT = "You help {user:name?} of {app:team}.\nToday: {task}\n"


def adk(folder):
    """Agents of Google ADK: text files beside the Python that reads them, some with their state."""
    for number in range(40):
        write(folder, f"agents/agent_{number}/instruction.txt", AGENT)
    for number in range(10):
        state = {"user:name": "Ada", "app:team": "Ops", "tsk" if number < 6 else "task": "a letter"}
        write(folder, f"agents/agent_{number}/instruction.inputs.json", json.dumps(state))
    return Repository(
        install="pip",
        problems=6,
        mistake=("agents/agent_0/instruction.inputs.json", "tsk", "task", "tsak"),
        accepted=["task"],
    )


def packs(folder):
    """2,000 packs, a tenth of which misspells a variable."""
    for number in range(2000):
        name = "custmer" if number % 10 == 0 else "customer"
        variables = [{"name": name, "type": "string", "required": True} for name in ["customer", "topic"]]
        prompt = {
            "id": "reply",
            "name": "Reply",
            "version": "1.0.0",
            "system_template": f"You answer {{{{{name}}}}} about {{{{topic}}}}.",
            "variables": variables,
        }
        pack = {
            "id": f"support-{number}",
            "name": "Support",
            "version": "1.0.0",
            "template_engine": {"version": "v1", "syntax": "{{variable}}"},
            "prompts": {"reply": prompt},
        }
        write(folder, f"packs/{number}.pack.json", json.dumps(pack, indent=2))
    return Repository(
        install="npm",
        problems=400,
        mistake=("packs/0.pack.json", "{{custmer}}", "{{customer}}", "{{cutomer}}"),
        accepted=["custmer"],
    )


def java(folder):
    """Resources of a Java program, which ship; the inputs stand with its tests. A rule says so."""
    resources, tests = "src/main/resources/prompts", "src/test/prompts"
    rule = f"""[[prompts]]
files = ["{resources}/*.txt"]
dialect = "agentensemble"
inputs = ["{tests}/{{stem}}*.inputs.json"]
"""
    write(folder, "promptls.toml", rule)
    for number in range(20):
        write(folder, f"{resources}/task{number}.txt", "Research {topic} for {audeince}.\n")
        for case in ["", ".short"]:
            write(folder, f"{tests}/task{number}{case}.inputs.json", '{"topic": "rain", "audience": "children"}')
    return Repository(
        install="tar",
        problems=20,
        mistake=(f"{resources}/task0.txt", "audeince", "audience", "audince"),
        accepted=["audeince"],
    )


@pytest.mark.parametrize("kind", [adk, packs, java])
def test_a_repository_comes_to_a_check_in_ci(shell, kind):
    repository = kind(shell.folder)
    install(shell, repository.install)
    found, count, know, ci = commands("In CI")
    shell.run("git", "init", "--quiet")

    sh(shell, found)
    before = problems(sh(shell, count))
    assert before >= repository.problems
    sh(shell, know)
    assert sh(shell, ci) == ""

    file, wrong, right, new = repository.mistake
    replace(shell.folder / file, wrong, right)
    mended = problems(sh(shell, count))
    assert mended < before
    assert "::error" not in sh(shell, ci)

    config = shell.folder / "promptls.toml"
    rules = config.read_text() if config.exists() else ""
    accepted = json.dumps(repository.accepted)
    config.write_text(f'{rules}\n[[ignore]]\nnames = {accepted}\nreason = "replaced in spring"\n')
    assert problems(sh(shell, count)) < mended
    config.write_text(rules)

    # What is known stays so, and what is new is told.
    replace(shell.folder / file, right, new)
    told = sh(shell, ci, status=1)
    assert 1 <= told.count("\n") <= 3 and "::error" in told, told


def commands(heading):
    """The shell commands under a heading of the README, without what is said of them."""
    section = (ROOT / "README.md").read_text().split(f"# {heading}\n")[1].split("\n## ")[0].split("\n### ")[0]
    (block,) = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return [line.split(" #")[0].strip() for line in block.splitlines()]


def install(shell, how):
    """Installs promptls as the README says, from the packages in a clone."""
    clone = shell.home / "promptls/target"
    clone.mkdir(parents=True)
    (clone / "packages").symlink_to(PACKAGES)
    (command,) = [line for line in commands("From a package") if line.startswith(how)]
    if how == "pip":
        shell.run(sys.executable, "-m", "venv", shell.home / "venv")
        shell.first_on_path(shell.home / "venv/bin")
    where, shell.folder = shell.folder, clone.parent
    sh(shell, command, npm_config_offline="true")
    shell.folder = where
    shell.first_on_path(clone.parent / "node_modules/.bin")
    shell.first_on_path(clone.parent / "promptls-x86_64-unknown-linux-musl")


def sh(shell, command, status=0, **env):
    return shell.run("bash", "-c", command, status=status, **env)


def problems(statistics):
    """The sum of what `--statistics` counts."""
    return sum(int(line.split()[0]) for line in statistics.splitlines() if re.match(r" +\d", line))


def write(folder, name, text):
    file = Path(folder) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def replace(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
