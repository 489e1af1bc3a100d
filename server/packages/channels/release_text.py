"""The text of the release: the section of its version in CHANGELOG.md, which dist puts there."""

import re

from release import ROOT

from .channel import Channel, Item, NotReady


class ReleaseText(Channel):
    """Without the section, dist makes a release without a text, so it is checked before all
    uploads."""

    name = "release-text"
    about = "the section of the version in CHANGELOG.md"
    client = ["git", "--version"]

    def items(self):
        return [Item("CHANGELOG.md", self.release.version)]

    def is_published(self, item):
        return False

    def rehearse(self, items, fast):
        for item in items:
            heading = f"## {item.version}"
            if not re.search(rf"^{re.escape(heading)}\s*$", (ROOT / item.name).read_text(), re.MULTILINE):
                raise NotReady(f"{item.name} has no `{heading}`; take ` (unreleased)` out of its heading")

    def publish(self, items):
        self.rehearse(items, fast=True)
