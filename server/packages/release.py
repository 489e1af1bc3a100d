"""Facts of a release, each from its single source.

Names and version come from Cargo.toml, targets from dist-workspace.toml, checksums from the packages.
"""

import hashlib
import json
import subprocess
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from target import Target

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Release:
    """The release whose packages are in `folder`."""

    folder: Path
    # The base address of archive downloads; empty for the release of the repository.
    download: str = ""

    @cached_property
    def package(self):
        """What Cargo.toml declares for the program: name, version, description, license, repository."""
        return next(it for it in crates() if it["name"] == "promptls")

    @cached_property
    def targets(self):
        """All targets of a release, on any build machine."""
        dist = tomllib.loads((ROOT / "dist-workspace.toml").read_text())["dist"]
        return [Target(rust) for rust in dist["targets"]]

    @property
    def version(self):
        return self.package["version"]

    @property
    def address(self):
        return self.download or f"{self.package['repository']}/releases/download/v{self.version}"

    def archive(self, target):
        return self.folder / f"promptls-{target.rust}{target.archive}"

    @cached_property
    def facts(self):
        """The facts for templates of package managers, as text."""
        # Package managers require a description without an article.
        description = self.package["description"].removeprefix("A ")
        facts = {
            "version": self.version,
            "description": description[0].upper() + description[1:],
            "license": self.package["license"],
            "repository": self.package["repository"],
        }
        for target in self.targets:
            name = target.platform.replace("-", "_")
            archive = self.archive(target)
            facts[f"{name}_url"] = f"{self.address}/{archive.name}"
            facts[f"{name}_sha256"] = sha256(archive)
        return facts


def crates(manifest="Cargo.toml"):
    """The packages of a workspace."""
    return cargo_metadata("--no-deps", "--manifest-path", manifest)["packages"]


def cargo_metadata(*options):
    """The output of `cargo metadata` about packages and their dependencies."""
    command = ["cargo", "metadata", "--format-version", "1", *options]
    return json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
