"""Packages of npm: one for each platform, with the program, and `promptls`, which starts it.

`promptls` names the others as optional dependencies, and npm installs the one that fits. The
programs for Linux are static, so that one is enough for glibc and musl.
"""

import json
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def platform(target, files, package, out):
    """The package with the program for a platform, and what comes with it."""
    said = {"os": [target.os], "cpu": [target.cpu], "preferUnplugged": True}
    return pack(f"@promptls/{target.platform}", package, said, files, out)


def launcher(targets, package, out):
    """The package that people ask for."""
    said = {
        "bin": {"promptls": "promptls.js"},
        "engines": {"node": ">=18"},
        "optionalDependencies": {f"@promptls/{target.platform}": package["version"] for target in targets},
    }
    return pack("promptls", package, said, [HERE / "npm/promptls.js"], out)


def pack(name, package, said, files, out):
    """Packs files as the package `name`, which says of itself what Cargo says of ours, and more."""
    folder = out / ".work" / name
    folder.mkdir(parents=True)
    # npm adds a readme by itself, and of licences only a file with that name.
    files = [*files, ROOT / "LICENSE-APACHE", ROOT / "LICENSE-MIT"]
    for file in [*files, ROOT / "server/README.md"]:
        shutil.copy(file, folder)
    manifest = {
        "name": name,
        "version": package["version"],
        "description": package["description"],
        "license": f"({package['license']})",
        "repository": {"type": "git", "url": f"git+{package['repository']}.git"},
        "keywords": package["keywords"],
        "files": [file.name for file in files],
        **said,
    }
    (folder / "package.json").write_text(json.dumps(manifest, indent=2) + "\n")
    packed = subprocess.run(
        ["npm", "pack", "--silent", "--pack-destination", out], cwd=folder, stdout=subprocess.PIPE, check=True
    )
    return out / packed.stdout.decode().split()[-1]
