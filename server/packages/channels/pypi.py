"""PyPI: the wheels and the source distribution.

Twine skips published files. In a workflow without a token it uses trusted publishing, which PyPI
allows from the first release on.
"""

import sys

from .channel import Channel, Item, run

# The part of a wheel's tags for each system.
SYSTEMS = {"darwin": "macosx", "linux": "linux", "win32": "win"}


class PyPI(Channel):
    name = "pypi"
    about = "wheels and the source distribution"
    client = [sys.executable, "-m", "twine", "--version"]

    def items(self):
        version = self.release.version
        wheels = sorted(self.release.folder.glob(f"promptls-{version}-*.whl"))
        # The tags are known only once a wheel is built, so a missing system is represented by a
        # file without a name.
        systems = {SYSTEMS[target.os] for target in self.release.targets}
        missing = [it for it in sorted(systems) if not any(it in wheel.stem.split("-")[-1] for wheel in wheels)]
        wheels += [self.release.folder / f"promptls-{version}-*{it}*.whl" for it in missing]
        source = self.release.folder / f"promptls-{version}.tar.gz"
        return [Item("promptls", version, (file,)) for file in [source, *wheels]]

    def is_published(self, item):
        return False

    def rehearse(self, items, fast):
        self.twine("check", items, "--strict")

    def publish(self, items):
        self.twine("upload", items, "--non-interactive", "--skip-existing")

    def twine(self, command, items, *options):
        run(sys.executable, "-m", "twine", command, *options, *(file for item in items for file in item.files))
