"""Repositories with problems adopt a check in CI, with only the commands of the book.

Each installs promptls in another way. The number of problems decreases as they are fixed and
accepted, and new problems are reported at once.
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
    """A kind of repository: how it installs the program, and its initial number of problems."""

    install: str
    problems: int
    # The number of problems with a safe fix.
    fixed: int
    # A file, its correct text, and a mistake.
    mistake: tuple[str, str, str]


AGENT = "You help {user:name?} of {app:team}.\nToday: {task}\n"


def adk(folder):
    """Google ADK agents: text files next to the Python code that reads them, some with their
    state."""
    for number in range(40):
        more = "Again: {tsak}\n" if number in (8, 9) else ""
        write(folder, f"agents/agent_{number}/instruction.txt", AGENT + more)
    for number in range(10):
        state = {"user:name": "Ada", "app:team": "Ops", "tsk" if number < 6 else "task": "a letter"}
        write(folder, f"agents/agent_{number}/instruction.inputs.json", json.dumps(state))
    return Repository(
        install="pip",
        problems=8,
        fixed=2,
        mistake=("agents/agent_7/instruction.inputs.json", '"task"', '"tsak"'),
    )


def packs(folder):
    """2,000 packs, a tenth of which misspell a variable."""
    for number in range(2000):
        name = "custmer" if number % 10 == 0 else "customer"
        variables = [{"name": name, "type": "string", "required": True} for name in ["customer", "topic"]]
        topic = "{{ topic }}" if number % 100 == 50 else "{{topic}}"
        prompt = {
            "id": "reply",
            "name": "Reply",
            "version": "1.0.0",
            "system_template": f"You answer {{{{{name}}}}} about {topic}.",
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
        problems=420,
        fixed=20,
        mistake=("packs/1.pack.json", "{{customer}}", "{{cutomer}}"),
    )


def java(folder):
    """Resources of a Java program, which are shipped; the inputs are in its tests, by a rule."""
    resources, tests = "src/main/resources/prompts", "src/test/prompts"
    rule = f"""[[prompts]]
files = ["{resources}/*.txt"]
dialect = "agentensemble"
inputs = ["{tests}/{{stem}}*.inputs.json"]
"""
    write(folder, "promptls.toml", rule)
    for number in range(20):
        slip = "{audience}, and {audince}" if number < 5 else "{audeince}"
        write(folder, f"{resources}/task{number}.txt", f"Research {{topic}} for {slip}.\n")
        for case in ["", ".short"]:
            write(folder, f"{tests}/task{number}{case}.inputs.json", '{"topic": "rain", "audience": "children"}')
    return Repository(
        install="tar",
        problems=20,
        fixed=5,
        mistake=(f"{resources}/task0.txt", "audience", "audince"),
    )


@pytest.mark.parametrize("kind", [adk, packs, java])
def test_a_repository_comes_to_a_check_in_ci(shell, kind):
    repository = kind(shell.folder)
    install(shell, repository.install)
    found, count, fix, know, ci = commands("guide/ci.md", "In short")
    shell.run("git", "init", "--quiet")

    sh(shell, found)
    before = problems(sh(shell, count))
    assert before >= repository.problems
    sh(shell, fix)
    left = problems(sh(shell, count))
    assert 0 < left <= before - repository.fixed
    sh(shell, know)
    assert sh(shell, ci) == ""

    # After accepting the problems, no baseline is needed.
    config = shell.folder / "promptls.toml"
    rules = config.read_text() if config.exists() else ""
    (accept,) = inline("guide/ci.md", "Accept problems", "--add-ignores")
    sh(shell, accept)
    assert "replaced in spring" in config.read_text()
    assert problems(sh(shell, count)) == 0
    config.write_text(rules)

    # Known problems stay unreported, and new ones are reported.
    file, right, wrong = repository.mistake
    replace(shell.folder / file, right, wrong)
    output = sh(shell, ci, status=1)
    assert 1 <= output.count("\n") <= 3 and "::error" in output, output


def section(page, heading):
    """The text of a page of the book below a heading."""
    return (ROOT / "docs/src" / page).read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]


def commands(page, heading):
    """The shell commands below a heading, without their comments."""
    (block,) = re.findall(r"```sh\n(.*?)```", section(page, heading), re.DOTALL)
    return [line.split(" #")[0].strip() for line in block.splitlines()]


def inline(page, heading, option):
    """The commands with an option in the prose there."""
    return [it for it in re.findall(r"`(promptls [^`\n]*)`", section(page, heading)) if option in it]


def install(shell, how):
    """Installs promptls from the packages in a clone, by the commands of the book."""
    clone = shell.home / "promptls/target"
    clone.mkdir(parents=True)
    (clone / "packages").symlink_to(PACKAGES)
    (command,) = [line for line in commands("install.md", "From packages") if line.startswith(how)]
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
    """The sum of the counts of `--statistics`."""
    return sum(int(line.split()[0]) for line in statistics.splitlines() if re.match(r" +\d", line))


def write(folder, name, text):
    file = Path(folder) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def replace(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
