"""A platform, and what installers call it."""

import platform as machine
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
        self.archive = ".zip" if self.os == "win32" else ".tar.gz"

    def is_built_here(self):
        """zig links for Linux and Windows anywhere; for macOS it takes Apple's SDK, which Macs have."""
        return self.os != "darwin" or sys.platform == "darwin"

    def is_here(self):
        """Whether it is the system and the processor that this runs on."""
        processor = {"AMD64": "x86_64", "arm64": "aarch64"}.get(machine.machine(), machine.machine())
        return SYSTEMS.get(machine.system().lower()) == self.os and PROCESSORS.get(processor) == self.cpu

    def pythons(self):
        """What a library for Python is built for, and how its wheel is tagged. The program in archives
        is static, and runs with any C library; a library needs that of its Python."""
        if self.os != "linux":
            return [(self.rust, [])]
        processor = self.rust.split("-")[0]
        return [
            (f"{processor}-unknown-linux-gnu", ["--compatibility", "manylinux2014"]),
            (f"{processor}-unknown-linux-musl", ["--compatibility", "musllinux_1_2"]),
        ]
