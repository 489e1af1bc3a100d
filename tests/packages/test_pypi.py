"""The wheels, as pip takes them."""

import os
import sys
from zipfile import ZipFile

from conftest import MISTAKE, PACKAGES


def test_pip_installs_a_program_and_a_module(mistaken):
    mistaken.run(sys.executable, "-m", "venv", mistaken.home / "venv")
    mistaken.first_on_path(mistaken.home / "venv/bin")
    mistaken.run("pip", "install", "--no-index", "--find-links", PACKAGES, "promptls")
    assert MISTAKE in mistaken.run("promptls", "check", status=1)
    assert MISTAKE in mistaken.run("python", "-m", "promptls", "check", status=1)


def test_the_module_says_where_it_looked(shell):
    shell.run(sys.executable, "-m", "venv", shell.home / "venv")
    shell.first_on_path(shell.home / "venv/bin")
    shell.run("pip", "install", "--no-index", "--find-links", PACKAGES, "promptls")
    os.remove(shell.home / "venv/bin/promptls")
    assert "venv/bin/promptls" in shell.run("python", "-m", "promptls", "check", status=1)


def test_a_wheel_says_what_it_is():
    wheel = next(PACKAGES.glob("promptls-*x86_64.whl"))
    opened = ZipFile(wheel)
    folder = wheel.name.split("-py3")[0] + ".dist-info"
    metadata = opened.read(f"{folder}/METADATA").decode()
    for key in ["Summary", "License", "Project-URL", "Keywords", "Description-Content-Type"]:
        assert f"\n{key}: " in metadata, metadata
    # A static program runs with the C library of any Linux.
    assert {"manylinux_2_17_x86_64", "musllinux_1_1_x86_64"} <= set(wheel.stem.split("-")[-1].split("."))
