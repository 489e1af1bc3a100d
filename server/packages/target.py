"""A platform, with its names in installers."""

import platform as machine
import sys

SYSTEMS = {"linux": "linux", "windows": "win32", "darwin": "darwin"}
PROCESSORS = {"x86_64": "x64", "aarch64": "arm64"}


class Target:
    """`rust` is its name in Cargo, dist and installers of archives.

    `os` and `cpu` are its names in Node, which npm and VS Code also use.
    """

    def __init__(self, rust):
        processor, _, system, *_ = rust.split("-")
        self.rust = rust
        self.os = SYSTEMS[system]
        self.cpu = PROCESSORS[processor]
        self.platform = f"{self.os}-{self.cpu}"
        self.program = "promptls.exe" if self.os == "win32" else "promptls"
        self.archive = ".zip" if self.os == "win32" else ".tar.gz"

    def is_built_here(self):
        """Whether this machine can link for it: zig links for Linux and Windows on any system, but
        for macOS it needs Apple's SDK, which Macs have."""
        return self.os != "darwin" or sys.platform == "darwin"

    def is_here(self):
        """Whether this machine has its system and processor."""
        processor = {"AMD64": "x86_64", "arm64": "aarch64"}.get(machine.machine(), machine.machine())
        return SYSTEMS.get(machine.system().lower()) == self.os and PROCESSORS.get(processor) == self.cpu

    def pythons(self):
        """The platform of a library for Python, and the tag of its wheel. The program in archives
        is static, and runs with any C library; a Python library needs that of its Python."""
        if self.os != "linux":
            return [(self.rust, [])]
        processor = self.rust.split("-")[0]
        return [
            (f"{processor}-unknown-linux-gnu", ["--compatibility", "manylinux2014"]),
            (f"{processor}-unknown-linux-musl", ["--compatibility", "musllinux_1_2"]),
        ]
