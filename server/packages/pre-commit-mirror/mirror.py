"""Adds a commit and a tag for each release of promptls on PyPI that is missing in this repository.

    python mirror.py [INDEX]

INDEX is the address of the package in a simple index, as JSON.
"""

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

INDEX = "https://pypi.org/simple/promptls/"
FILES = ["pyproject.toml", "README.md"]
# Prereleases must be requested explicitly.
RELEASE = re.compile(r"\d+\.\d+\.\d+")


def main(index=INDEX):
    current = re.search(r'"promptls==(.*)"', Path("pyproject.toml").read_text())[1]
    for version in newer(releases(index), current):
        for file in FILES:
            text = Path(file).read_text()
            Path(file).write_text(text.replace(current, version))
        git("commit", "--quiet", "--message", f"promptls {version}", *FILES)
        git("tag", f"v{version}")
        print(f"added v{version}")
        current = version


def releases(index):
    """The versions that have files, in any order."""
    request = urllib.request.Request(index, headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        versions = json.load(response)["versions"]
    return [version for version in versions if RELEASE.fullmatch(version)]


def newer(versions, than):
    """The versions above a version, the lowest first."""
    return sorted((it for it in versions if numbers(it) > numbers(than)), key=numbers)


def numbers(version):
    return [int(part) for part in version.split(".")]


def git(*arguments):
    subprocess.run(["git", *arguments], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
