"""The common part of all channels. A channel keeps no state: it queries its registry."""

import shutil
import subprocess
import tempfile
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path


class ChannelError(Exception):
    """A channel cannot continue; the message is the reason."""


class NotReady(ChannelError):
    """Something is missing on this machine: a client, a setting, or a file that is made elsewhere."""


@dataclass(frozen=True)
class Item:
    """A published item, and the files of the release that it consists of."""

    name: str
    version: str
    files: tuple[Path, ...] = ()

    def __str__(self):
        return self.files[0].name if len(self.files) == 1 else f"{self.name} {self.version}"

    def missing(self):
        """Names of files that do not exist; those for macOS are made on a Mac."""
        return [file.name for file in self.files if not file.is_file()]


class Channel(ABC):
    """A place where a release is published, with the client of that place."""

    name: str
    about: str
    # A command that fails if the client is missing or does not work.
    client: list

    def __init__(self, release):
        self.release = release

    @abstractmethod
    def items(self):
        """All items of the release in this channel, in the order of publication."""

    @abstractmethod
    def is_published(self, item):
        """Queries the registry. A channel whose client skips published items may return `False`."""

    @abstractmethod
    def rehearse(self, items, fast):
        """Does everything but the upload. `fast` compiles nothing and allows uncommitted changes."""

    @abstractmethod
    def publish(self, items):
        """Uploads items that are not published, in order."""

    def require_client(self):
        """Raises `NotReady` if the client does not work."""
        works = shutil.which(self.client[0]) and subprocess.run(self.client, capture_output=True).returncode == 0
        if not works:
            raise NotReady(f"`{' '.join(self.client)}` fails here")


def run(*command, **options):
    """Runs a client and shows its output. Raises `ChannelError` if it fails."""
    command = [str(word) for word in command]
    print(f"$ {' '.join(command)}", flush=True)
    if subprocess.run(command, stderr=subprocess.STDOUT, **options).returncode != 0:
        raise ChannelError(f"failed: {' '.join(command)}")


def exists(*command, absent):
    """Whether a registry has an item: whether `command` succeeds.

    `absent` is the client's message for a missing item. Any other failure raises `ChannelError`:
    if a registry does not respond, the item may still exist.
    """
    # In a repository, clients would find its own packages.
    with tempfile.TemporaryDirectory() as nowhere:
        ended = subprocess.run(command, cwd=nowhere, capture_output=True, text=True)
    if ended.returncode != 0 and absent not in ended.stderr:
        raise ChannelError(f"no answer to `{' '.join(command)}`: {ended.stderr.strip()}")
    return ended.returncode == 0
