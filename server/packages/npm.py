"""npm packages: one for each platform, with the program, and `promptls`, which starts it.

`promptls` has the others as optional dependencies, and npm installs the one that fits. The
programs for Linux are static, so one of them runs with glibc and musl.
"""

import json
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def platform(target, files, package, out):
    """The package with the program for a platform, and its other files."""
    fields = {"os": [target.os], "cpu": [target.cpu], "preferUnplugged": True}
    return pack(f"@promptls/{target.platform}", package, fields, files, out)


def launcher(targets, manual_pages, package, out):
    """The package that users install."""
    fields = {
        "bin": {"promptls": "promptls.js"},
        "man": [f"./{page.name}" for page in manual_pages],
        "engines": {"node": ">=18"},
        "optionalDependencies": {f"@promptls/{target.platform}": package["version"] for target in targets},
    }
    return pack("promptls", package, fields, [HERE / "npm/promptls.js", *manual_pages], out)


def pack(name, package, fields, files, out):
    """Packs files as the package `name`, with the metadata of the Cargo package and more."""
    folder = out / ".work" / name
    folder.mkdir(parents=True)
    # npm adds the readme automatically, but of licences only a file with exactly that name.
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
        **fields,
    }
    (folder / "package.json").write_text(json.dumps(manifest, indent=2) + "\n")
    packed = subprocess.run(
        ["npm", "pack", "--silent", "--pack-destination", out], cwd=folder, stdout=subprocess.PIPE, check=True
    )
    return out / packed.stdout.decode().split()[-1]
