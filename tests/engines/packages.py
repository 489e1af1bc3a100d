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
    # The packages whose dependencies it runs with, as in `package==1.0`.
    needs: tuple[str, ...] = ()

    @property
    def name(self):
        """The form in a rule: `adk-python@2.13.0`."""
        return f"{self.engine}@{self.version}"

    @property
    def folder(self):
        """The folder where it is installed."""
        return CACHE / "engines" / f"{self.package.replace('/', '+')}-{self.version}"

    @property
    def needed(self):
        """The folder of these packages."""
        return CACHE / "engines" / "+".join(self.needs).replace("==", "-")


def releases(engine, registry, package, adapter, cases, versions, needs=()):
    return [
        Release(engine, registry, package, version, adapter, cases, needs)
        for version in versions.split()
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
    # The Python that runs the comparison; all versions from this one on are alike.
    *releases("python-format", "", "python", "format.py", "format", "3.11.0"),
    *releases(
        "langchain-python", "pypi", "langchain-core", "langchain-core.py", "format",
        "0.1.53 0.2.43 0.3.15 0.3.79 0.3.84 1.0.0 1.0.6 1.0.7 1.8.4",
        # The newest one has a dependency that is in no registry.
        needs=("langchain-core==0.3.84", "langchain-protocol==0.0.20", "uuid-utils==0.14.0"),
    ),
    *releases(
        "langchain-js", "npm", "@langchain/core", "langchain.mjs", "format",
        "0.1.0 0.1.63 0.3.4 0.3.80 1.4.0",
    ),
    *releases(
        "llamaindex-python", "pypi", "llama-index-core", "llamaindex.py", "format",
        "0.11.12 0.14.25",
    ),
    *releases("crewai", "pypi", "crewai", "crewai.py", "format", "0.114.0 1.15.30"),
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
    """Installs a missing release, without its dependencies, and what it needs."""
    if release.registry == "pypi":
        # The required Python version is for other parts of the package.
        requirement = f"{release.package}=={release.version}"
        install_into(release.folder, pip, "--no-deps", "--ignore-requires-python", requirement)
    elif release.registry == "npm":
        install_into(release.folder, unpack, f"{release.package}@{release.version}")
    if release.needs:
        install_into(release.needed, pip, *release.needs)


def install_into(folder, install, *wanted):
    """Calls an installer for a folder, unless it exists."""
    if folder.exists():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        made = Path(scratch, "package")
        install([HERE.parent / "installing", folder.name, "timeout", "300"], made, *wanted)
        # The folder appears only once it is complete; another process may have been faster.
        try:
            made.rename(folder)
        except OSError:
            if not folder.exists():
                raise


def pip(shown, made, *wanted):
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
    subprocess.run([*shown, *command, "--no-compile", "--target", made, *wanted], check=True)


def unpack(shown, made, package):
    scratch = made.parent
    pack = ["npm", "pack", "--silent", "--pack-destination", scratch, package]
    subprocess.run([*shown, *pack], check=True)
    (archive,) = scratch.glob("*.tgz")
    with tarfile.open(archive) as files:
        files.extractall(scratch, filter="data")
