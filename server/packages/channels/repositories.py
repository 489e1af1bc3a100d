"""Package managers that read git repositories: Homebrew, Scoop, AUR, Nix and winget.

Their files are templates with the facts of the release (`@version@`). They contain the addresses
and checksums of the release's archives, so they come after it.
"""

import os
import re
import subprocess
import tempfile
import urllib.error
import urllib.request
from hashlib import sha256
from pathlib import Path

from release import ROOT

from .channel import Channel, ChannelError, Item, NotReady, run

TEMPLATES = ROOT / "server/packages/templates"


class Repository(Channel):
    """A git repository, whose address is in the environment variable PROMPTLS_NAME_REMOTE."""

    client = ["git", "--version"]
    # The folder of the files in the repository.
    folder = "."
    branch = "main"

    def items(self):
        archives = tuple(self.release.archive(target) for target in self.release.targets)
        return [Item(self.name, self.release.version, archives)]

    def is_published(self, item):
        if not os.environ.get(self.variable()):
            return False
        with tempfile.TemporaryDirectory() as folder:
            return self.has_branch() and not self.changes(Path(folder))

    def rehearse(self, items, fast):
        """Writes the files for inspection, next to the packages."""
        out = self.release.folder.parent / "channels" / self.name
        for file in self.write(out):
            print(f"  {file}")

    def publish(self, items):
        self.remote()
        self.require_archives()
        with tempfile.TemporaryDirectory() as folder:
            if self.changes(Path(folder)):
                title = f"promptls {self.release.version}"
                run("git", "-C", folder, "commit", "--quiet", "--message", title)
                run("git", "-C", folder, "push", "--quiet", "origin", f"HEAD:{self.at(self.branch)}")

    def write(self, folder):
        """Fills in the templates, and returns the files."""
        facts = self.release.facts
        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for template in sorted((TEMPLATES / self.name).iterdir()):
            files.append(folder / template.name)
            files[-1].write_text(re.sub(r"@(\w+)@", lambda found: facts[found[1]], template.read_text()))
        return files

    def changes(self, clone):
        """Clones the repository, writes the files, and returns the changes that git reports."""
        branch = ["--branch", self.at(self.branch)] if self.has_branch() else []
        # winget's repository has a few hundred thousand files.
        small = ["--quiet", "--depth", "1", "--filter", "blob:none", "--sparse"]
        git("clone", *small, *branch, self.remote(), clone)
        folder = self.at(self.folder)
        if folder != ".":
            git("-C", clone, "sparse-checkout", "set", folder)
        self.write(clone / folder)
        git("-C", clone, "add", "--all")
        return git("-C", clone, "status", "--porcelain").stdout

    def has_branch(self):
        return bool(git("ls-remote", "--heads", self.remote(), self.at(self.branch)).stdout)

    def remote(self):
        remote = os.environ.get(self.variable())
        if not remote:
            raise NotReady(f"{self.variable()} does not name its git repository")
        return remote

    def variable(self):
        return f"PROMPTLS_{self.name.upper()}_REMOTE"

    def require_archives(self):
        """Raises `ChannelError` unless the release has the archives in the files."""
        facts = self.release.facts
        for key in [key for key in facts if key.endswith("_url")]:
            try:
                with urllib.request.urlopen(facts[key]) as answer:
                    found = sha256(answer.read()).hexdigest()
            except urllib.error.URLError as error:
                raise ChannelError(f"{facts[key]}: {error.reason}; is the release published?") from error
            if found != facts[key.replace("_url", "_sha256")]:
                raise ChannelError(f"{facts[key]} is another file than that of {self.release.folder}")

    def at(self, place):
        return place.format(version=self.release.version)


class Homebrew(Repository):
    name = "homebrew"
    about = "the formula, in our tap"
    folder = "Formula"


class Scoop(Repository):
    name = "scoop"
    about = "the manifest, in our bucket"
    folder = "bucket"


class Aur(Repository):
    name = "aur"
    about = "promptls-bin, for Arch Linux"
    branch = "master"


class Nix(Repository):
    name = "nix"
    about = "the flake, in our repository for Nix"


class Winget(Repository):
    """A branch of the project's fork; a person opens the pull request from it."""

    name = "winget"
    about = "the manifests, as a branch of our fork"
    folder = "manifests/p/promptls/promptls/{version}"
    branch = "promptls-{version}"


def git(*arguments):
    """Runs git quietly. Raises `ChannelError` with its output if it fails."""
    ended = subprocess.run(["git", *map(str, arguments)], capture_output=True, text=True)
    if ended.returncode != 0:
        raise ChannelError(ended.stderr.strip())
    return ended
