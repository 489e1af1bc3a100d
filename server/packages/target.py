"""A platform, and what installers call it."""

import sys

SYSTEMS = {"linux": "linux", "windows": "win32", "darwin": "darwin"}
PROCESSORS = {"x86_64": "x64", "aarch64": "arm64"}


class Target:
    """`rust` is the name that Cargo, dist and the installers of archives have for it.

    `os` and `cpu` are the words of Node, which npm and VS Code use, too.
    """

    def __init__(self, rust):
        processor, _, system, *_ = rust.split("-")
        self.rust = rust
        self.os = SYSTEMS[system]
        self.cpu = PROCESSORS[processor]
        self.platform = f"{self.os}-{self.cpu}"
        self.program = "promptls.exe" if self.os == "win32" else "promptls"

    def is_built_here(self):
        """zig links for Linux and Windows anywhere; for macOS it takes Apple's SDK, which Macs have."""
        return self.os != "darwin" or sys.platform == "darwin"
