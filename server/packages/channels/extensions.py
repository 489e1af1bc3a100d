"""The extension for VS Code, in both marketplaces: a file for each platform."""

import json
from xml.etree import ElementTree
from zipfile import ZipFile

from release import ROOT

from .channel import Channel, ChannelError, Item, run


class Market(Channel):
    """A marketplace. Its client skips published files, and has no dry run."""

    client = ["npx", "--version"]
    # The command that starts the client of the marketplace.
    command: list

    def items(self):
        version, folder = self.release.version, self.release.folder
        platforms = [target.platform for target in self.release.targets]
        return [Item(it, version, (folder / f"promptls-{it}-{version}.vsix",)) for it in platforms]

    def is_published(self, item):
        return False

    def rehearse(self, items, fast):
        """Reads the properties that a marketplace checks before it accepts a file."""
        package = json.loads((ROOT / "editors/vscode/package.json").read_text())
        for item in items:
            expected = {
                "Id": package["name"],
                "Publisher": package["publisher"],
                "Version": item.version,
                "TargetPlatform": item.name,
            }
            found = identity(item.files[0])
            for key, value in expected.items():
                if found.get(key) != value:
                    raise ChannelError(f"{item}: {key} is {found.get(key)}, not {value}")

    def publish(self, items):
        files = [file for item in items for file in item.files]
        run(*self.command, "publish", "--skip-duplicate", "--packagePath", *files)


class Marketplace(Market):
    name = "marketplace"
    about = "the extension, for VS Code"
    command = ["npx", "--no-install", "vsce"]


class OpenVsx(Market):
    name = "open-vsx"
    about = "the extension, for editors made from VS Code"
    # It needs a newer Node than the tests, so it has a lock file of its own.
    folder = ROOT / "server/packages/ovsx"
    command = [folder / "node_modules/.bin/ovsx"]

    def publish(self, items):
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=self.folder)
        super().publish(items)


def identity(extension):
    """The attributes that identify an extension in its manifest."""
    with ZipFile(extension) as opened:
        return ElementTree.fromstring(opened.read("extension.vsixmanifest")).find(".//{*}Identity")
