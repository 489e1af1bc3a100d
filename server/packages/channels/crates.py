"""Crates. Cargo orders them by their dependencies, and waits until each is in the index."""

import os
from pathlib import Path

from release import ROOT, cargo_metadata, crates

from .channel import Channel, Item, exists, run


class Crates(Channel):
    """The crates of the workspace."""

    name = "crates"
    about = "the crates of the workspace"
    client = ["cargo", "--version"]
    manifest = "Cargo.toml"

    def items(self):
        # `publish = false` is an empty list of registries.
        return [Item(it["name"], it["version"]) for it in crates(self.manifest) if it["publish"] is None]

    def is_published(self, item):
        crate = f"{item.name}@{item.version}"
        return exists("cargo", "info", "--registry", "crates-io", crate, absent="could not find")

    def rehearse(self, items, fast):
        self.cargo("publish", items, "--dry-run", *(["--no-verify", "--allow-dirty"] if fast else []))

    def publish(self, items):
        self.cargo("publish", items)

    def cargo(self, command, items, *options):
        named = [word for item in items for word in ("--package", item.name)]
        # Each crate is compiled from its package, in a separate workspace. With one target folder
        # for all, shared dependencies are compiled once.
        folder = Path(cargo_metadata("--no-deps")["target_directory"]) / "verified"
        env = {"CARGO_BUILD_BUILD_DIR": str(folder), **os.environ}
        run("cargo", command, "--manifest-path", ROOT / self.manifest, *named, *options, env=env)


class DataFusion(Crates):
    """The crate with its own workspace."""

    name = "crate-datafusion"
    about = "promptls-datafusion, after the other crates"
    manifest = "server/datafusion/Cargo.toml"

    def rehearse(self, items, fast):
        # Before the first release, its dependencies are in no registry, so nothing is resolved.
        self.cargo("package", items, "--no-verify", "--exclude-lockfile", *(["--allow-dirty"] if fast else []))
