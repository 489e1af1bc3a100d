"""Runs the examples of the book against the program.

Each chapter has its own folder. A fence with a file name is written there, and the commands of each
`console` fence run there, in the order of the page:

    ```prompt support.adk.prompt      a file; a later fence of the same name replaces it
    ```console exit=1                 commands after `$ `, and their output

Other text is checked as well: commands and options must exist, and a toml fence without a file name
that resembles a promptls.toml must be valid.

The last command of a fence ends with 0, or with the value of `exit`. A line `...` stands for any
lines. A fence in a comment is run, but not displayed. UPDATE=1 writes the output of commands into
the chapters. Arguments select chapters; without any, all are run.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "docs/src"
FENCE = re.compile(r"^(```+)([^\n]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
FRESH = "<!-- fresh folder -->"


def main() -> int:
    chapters = [Path(it).resolve() for it in sys.argv[1:]] or sorted(CHAPTERS.rglob("*.md"))
    failed = count = 0
    for chapter in chapters:
        text = chapter.read_text(encoding="utf-8")
        new, commands, problems = run_chapter(text)
        count += commands
        if new != text and os.environ.get("UPDATE"):
            chapter.write_text(new, encoding="utf-8")
        problems += [*unknown_options(text), *invalid_configs(text)]
        for line, problem in sorted(problems):
            failed += 1
            print(f"{chapter.relative_to(ROOT)}:{line}: {problem}", file=sys.stderr)
    print(f"{count} commands of {len(chapters)} chapters ran, {failed} differ")
    return bool(failed)


def run_chapter(text):
    """The text with the output of its commands, their number, and the problems."""
    pieces, problems, commands, end = [], [], 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch).resolve()
        folder, number = home / "example", 0
        folder.mkdir()
        for fence in FENCE.finditer(text):
            if FRESH in text[end : fence.start()]:
                number += 1
                folder = home / f"example-{number}"
                folder.mkdir()
            pieces.append(text[end : fence.start()])
            end = fence.end()
            info, body = fence[2].strip(), fence[3]
            language, _, argument = info.partition(" ")
            if language != "console":
                pieces.append(fence[0])
                if argument:
                    file = folder / argument
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(body, encoding="utf-8")
                continue
            printed, status, wrong = [], 0, []
            for command, wanted in split(body):
                commands += 1
                output, status = run(command, folder, home)
                same = matches(wanted, output)
                printed.append(f"$ {command}\n{wanted if same else output}")
                if not same:
                    wrong.append(f"`{command}` prints:\n{output}")
            expected = int(argument.removeprefix("exit=") or 0)
            if status != expected:
                wrong.append(f"the last command ends with {status}, not with {expected}")
                info = f"console exit={status}" if status else "console"
            line = text.count("\n", 0, fence.start()) + 1
            problems += [(line, problem) for problem in wrong]
            pieces.append(f"{fence[1]}{info}\n{''.join(printed)}{fence[1]}")
    return "".join([*pieces, text[end:]]), commands, problems


def split(body):
    """The commands of a fence, each with its expected output."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        length = next(index for index, line in enumerate(lines) if not line.endswith("\\\n")) + 1
        yield "".join(lines[:length]).removesuffix("\n"), "".join(lines[length:])


NAMED = re.compile(r"(?:^(?:\$ )?|[`|] ?)promptls ([^`\n|]*)", re.MULTILINE)
CONFIG = re.compile(r"^\[(?:\[prompts\]|\[ignore\]|problems|stores\.)", re.MULTILINE)


def unknown_options(text):
    """Unknown commands and options in code spans, tables and shell commands."""
    for named in NAMED.finditer(text):
        try:
            words = shlex.split(named[1], comments=True)
        except ValueError:
            continue  # prose with an apostrophe
        commands = [word for word in words[:1] if re.fullmatch("[a-z]+", word)]
        if commands == ["store"]:
            commands += [word for word in words[1:2] if re.fullmatch("[a-z]+", word)]
        wanted = [word.split("=")[0] for word in words if re.match("--[a-z]", word)]
        line = text.count("\n", 0, named.start(1)) + 1
        known = help_of(*commands)
        if known is None and (wanted or named[0].startswith(("`", "$"))):
            yield line, f"`promptls {named[1]}`: there is no such command"
        for option in wanted:
            if not re.search(rf"{re.escape(option)}\b(?!-)", known or ""):
                yield line, f"`promptls {named[1]}`: there is no option {option}"


@cache
def help_of(*commands):
    done = subprocess.run([os.environ["PROMPTLS_BIN"], *commands, "--help"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def invalid_configs(text):
    for fence in FENCE.finditer(text):
        if fence[2].strip() == "toml" and CONFIG.search(fence[3]):
            with tempfile.TemporaryDirectory() as scratch:
                Path(scratch, "promptls.toml").write_text(fence[3], encoding="utf-8")
                output, status = run("promptls config", scratch, scratch)
            if status:
                yield text.count("\n", 0, fence.start()) + 1, output


def run(command, folder, home):
    environment = {
        "PATH": f"{Path(os.environ['PROMPTLS_BIN']).parent}:{os.environ['PATH']}",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in GIT.items()},
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    output = done.stdout.decode()
    output = re.sub(r"[ \t]+$", "", output, flags=re.MULTILINE)
    return (output if not output or output.endswith("\n") else output + "\n"), done.returncode


GIT = {"NAME": "Ada", "EMAIL": "ada@example.com", "DATE": "2026-01-01T00:00:00Z"}


def matches(wanted, output) -> bool:
    parts = re.split(r"^\.\.\.\n", wanted, flags=re.MULTILINE)
    pattern = r"(?:.*\n)*?".join(re.escape(part) for part in parts)
    return re.fullmatch(pattern, output) is not None


if __name__ == "__main__":
    sys.exit(main())
