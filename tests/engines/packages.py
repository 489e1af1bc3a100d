"""The releases of engines in registries, and their installation: one folder for each."""

import os
import re
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).parent
CACHE = Path(os.environ.get("PROMPTLS_TESTS_CACHE") or Path.home() / ".cache/promptls-tests")


@dataclass(frozen=True)
class Release:
    """A version of an engine."""

    # Its name in `promptls.toml`.
    engine: str
    # Its registry.
    registry: str
    package: str
    version: str
    # The files in `adapters` and `cases` that call it and generate its prompts.
    adapter: str
    cases: str

    @property
    def name(self):
        """The form in a rule: `adk-python@2.13.0`."""
        return f"{self.engine}@{self.version}"

    @property
    def folder(self):
        """The folder where it is installed."""
        return CACHE / "engines" / f"{self.package.replace('/', '+')}-{self.version}"


def releases(engine, registry, package, adapter, cases, versions):
    return [
        Release(engine, registry, package, version, adapter, cases) for version in versions.split()
    ]


# At least one of each range of versions with equal behaviour. Packages with similar names are other
# programs.
RELEASES = [
    *releases(
        "adk-python", "pypi", "google-adk", "adk.py", "adk",
        "1.13.0 1.14.0 1.24.1 1.25.0 1.25.1 2.6.3 2.8.0 2.9.0 2.9.2 2.10.0 2.11.0 2.12.0 2.13.0",
    ),
    *releases(
        "adk-js", "npm", "@google/adk", "adk.mjs", "adk",
        "0.1.2 1.2.0 1.3.0 1.4.0 1.6.0 2.0.0",
    ),
    *releases("agentle-python", "pypi", "agentle", "agentle.py", "agentle", "0.9.76"),
    *releases("langfuse-python", "pypi", "langfuse", "langfuse.py", "langfuse", "5.0.4"),
    *releases(
        "promptpack-langchainjs", "npm", "@promptpack/langchain", "promptpack.mjs", "promptpack",
        "0.1.0",
    ),
]  # fmt: skip


def named(text):
    """The releases for an argument: an engine or a package, optionally with a version, known or
    not, as in `google-adk==2.14.0`, `@google/adk@2.1.0` and `adk-python`."""
    what, version = re.match(r"(@?[^@=]*)(?:==|@)?(.*)", text).groups()
    known = [release for release in RELEASES if what in (release.engine, release.package)]
    if not known:
        names = ", ".join(dict.fromkeys(release.package for release in RELEASES))
        sys.exit(f"`{what}` is no package of an engine; these are: {names}")
    return [replace(known[-1], version=version)] if version else known


def install(release):
    """Installs a missing release, without its dependencies."""
    if release.folder.exists():
        return
    release.folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=release.folder.parent) as scratch:
        installing = [
            HERE.parent / "installing",
            f"{release.package} {release.version}",
            "timeout",
            "300",
        ]
        made = Path(scratch, "package")
        if release.registry == "pypi":
            pip = [
                sys.executable,
                "-m",
                "pip",
                "install",
                "--disable-pip-version-check",
                "--no-deps",
                "--no-compile",
            ]
            # Its required Python version is for its other parts.
            wanted = [
                "--ignore-requires-python",
                "--target",
                made,
                f"{release.package}=={release.version}",
            ]
            subprocess.run([*installing, *pip, *wanted], check=True)
        else:
            pack = ["npm", "pack", "--silent", "--pack-destination", scratch]
            subprocess.run([*installing, *pack, f"{release.package}@{release.version}"], check=True)
            (archive,) = Path(scratch).glob("*.tgz")
            with tarfile.open(archive) as files:
                files.extractall(scratch, filter="data")
        # The folder appears only once it is complete; another process may have been faster.
        try:
            made.rename(release.folder)
        except OSError:
            if not release.folder.exists():
                raise
