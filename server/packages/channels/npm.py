"""npm: a package for each platform, then `promptls`, which depends on them.

npm supports trusted publishing only for existing packages. So `npm-names` first reserves the names
with empty packages, with the login of a person; afterwards, the workflow needs no token.
"""

import json
import tempfile
from pathlib import Path

from .channel import Channel, Item, exists, run


class Npm(Channel):
    name = "npm"
    about = "the program for each platform, and the package that starts it"
    client = ["npm", "--version"]

    def items(self):
        version, folder = self.release.version, self.release.folder
        platforms = [target.platform for target in self.release.targets]
        # The dependencies of `promptls` must be published before it.
        return [
            *(Item(f"@promptls/{it}", version, (folder / f"promptls-{it}-{version}.tgz",)) for it in platforms),
            Item("promptls", version, (folder / f"promptls-{version}.tgz",)),
        ]

    def is_published(self, item):
        return exists("npm", "view", f"{item.name}@{item.version}", "version", absent="E404")

    def rehearse(self, items, fast):
        self.upload(items, "--dry-run")

    def publish(self, items):
        self.upload(items)

    def upload(self, items, *options):
        for item in items:
            run("npm", "publish", "--access", "public", *options, *item.files)


class NpmNames(Npm):
    """Empty packages that reserve the names of the npm packages."""

    name = "npm-names"
    about = "empty packages that reserve the names, before the first release only"

    def items(self):
        return [Item(item.name, "0.0.0") for item in super().items()]

    def is_published(self, item):
        return exists("npm", "view", item.name, "name", absent="E404")

    def upload(self, items, *options):
        for item in items:
            with tempfile.TemporaryDirectory() as folder:
                manifest = {
                    "name": item.name,
                    "version": item.version,
                    "description": "Reserved for the first release of promptls",
                    "license": f"({self.release.package['license']})",
                }
                Path(folder, "package.json").write_text(json.dumps(manifest))
                run("npm", "publish", "--access", "public", *options, cwd=folder)
