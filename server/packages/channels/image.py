"""The container image: one for both processors of Linux, made from the archives."""

import os

from release import ROOT

from .channel import Channel, Item, exists, run

PLATFORMS = {"x64": "linux/amd64", "arm64": "linux/arm64"}


class Image(Channel):
    """`VERSION` and `latest`. PROMPTLS_IMAGE sets the name of the image for a registry other than
    Docker's."""

    name = "image"
    about = "the container image"
    client = ["docker", "buildx", "inspect"]

    def items(self):
        owner_and_name = "/".join(self.release.package["repository"].split("/")[-2:])
        name = os.environ.get("PROMPTLS_IMAGE", owner_and_name)
        archives = tuple(self.release.archive(target) for target in self.linux())
        return [Item(name, self.release.version, archives)]

    def is_published(self, item):
        return exists("docker", "manifest", "inspect", f"{item.name}:{item.version}", absent="no such manifest")

    def rehearse(self, items, fast):
        self.build(items)

    def publish(self, items):
        self.build(items, "--push")

    def build(self, items, *options):
        platforms = ",".join(PLATFORMS[target.cpu] for target in self.linux())
        dockerfile = ROOT / "server/packages/docker/Dockerfile"
        for item in items:
            tags = [word for tag in (item.version, "latest") for word in ("--tag", f"{item.name}:{tag}")]
            options = ["--platform", platforms, "--file", dockerfile, *tags, *options]
            run("docker", "buildx", "build", *options, self.release.folder)

    def linux(self):
        return [target for target in self.release.targets if target.os == "linux"]
