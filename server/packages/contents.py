"""The contents of an archive besides the program: documents, licences, completions and manual
pages."""

import json
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

from release import ROOT, cargo_metadata

DOCUMENTS = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "server/README.md"]
BILL = "promptls.cyclonedx.json"
LICENCES = "THIRD-PARTY-LICENSES.txt"
# The completion file for each shell, with the name that distribution packages use.
COMPLETIONS = {
    "bash": "promptls.bash",
    "elvish": "promptls.elv",
    "fish": "promptls.fish",
    "powershell": "_promptls.ps1",
    "zsh": "_promptls",
}
# Where shells search for them below a prefix; the others have no such folder.
BELOW_PREFIX = {
    "bash": "share/bash-completion/completions/promptls",
    "fish": "share/fish/vendor_completions.d/promptls.fish",
    "zsh": "share/zsh/site-functions/_promptls",
}
LICENCE_FILES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)


def shared(folder, program):
    """Writes the files that are the same for all targets. `program` is one that runs on this
    machine."""
    for name in ("completions", "man"):
        (folder / name).mkdir(parents=True)
    for document in DOCUMENTS:
        shutil.copy(ROOT / document, folder)
    for shell, name in COMPLETIONS.items():
        (folder / "completions" / name).write_bytes(printed(program, "completions", shell))
    printed(program, "man", folder / "man")


def below_prefix(shared, folder):
    """Copies completions and manual pages to where they are below a prefix, such as `/usr`."""
    shutil.copytree(shared / "man", folder / "share/man/man1")
    for shell, path in BELOW_PREFIX.items():
        (folder / path).parent.mkdir(parents=True)
        shutil.copy(shared / "completions" / COMPLETIONS[shell], folder / path)


def bill_of_materials(bill, package, rust, folder):
    """Writes a bill of materials (CycloneDX) and licences, both for the contents of a Cargo package
    for a Rust target; returns their paths."""
    crates = crates_of(package, rust)
    bill = narrowed(json.loads(bill), package, rust, crates)
    files = folder / BILL, folder / LICENCES
    # References of the workspace's crates contain the path of this checkout.
    files[0].write_text(json.dumps(bill, indent=2).replace(f"path+file://{ROOT}/", "path+file:///") + "\n")
    files[1].write_text(licences(crates))
    return files


def crates_of(package, rust):
    """Names and versions of all crates of a Cargo package, by its features and its target."""
    options = ["--package", package, "--edges", "normal", "--target", rust, "--prefix", "none"]
    tree = printed("cargo", "tree", "--locked", *options).decode()
    crates = {tuple(line.split()[:2]) for line in tree.splitlines()}
    return {(name, version.removeprefix("v")) for name, version in crates}


def narrowed(bill, package, rust, crates):
    """The bill of one package, without the requirements of other targets and packages of the
    workspace, which maturin also lists.

    Its serial number and its time are omitted, so that equal programs have equal bills.
    """
    components = [bill["metadata"]["component"], *bill["components"]]
    (root,) = (it for it in components if it["name"] == package)
    kept = {it["bom-ref"]: it for it in components if it != root and (it["name"], it["version"]) in crates}
    edges = [it for it in bill["dependencies"] if it["ref"] == root["bom-ref"] or it["ref"] in kept]
    target = {"name": "cdx:rustc:sbom:target:triple", "value": rust}
    return {
        **{key: value for key, value in bill.items() if key != "serialNumber"},
        "metadata": {"component": root, "properties": [target]},
        "components": list(kept.values()),
        "dependencies": [{**it, "dependsOn": [on for on in it.get("dependsOn", []) if on in kept]} for it in edges],
    }


def licences(crates):
    """The licence texts of third-party crates, each text once, after the crates that have it."""
    crates_of = defaultdict(list)
    for package in cargo_metadata("--locked")["packages"]:
        if package["source"] and (package["name"], package["version"]) in crates:
            for text in texts(package):
                crates_of[text].append(f"{package['name']} {package['version']} ({package['license']})")
    notices = sorted(f"{', '.join(sorted(crates))}\n\n{text}" for text, crates in crates_of.items())
    rule = f"\n\n{'-' * 80}\n\n"
    return rule.join(["It contains these crates.", *notices]) + "\n"


def texts(package):
    """The licence texts in the package of a crate."""
    folder = Path(package["manifest_path"]).parent
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and LICENCE_FILES.match(file.name)]
    if files:
        return [file.read_text(errors="replace").strip() for file in files]
    if "MIT" not in package["license"]:
        raise SystemExit(f"{package['name']} comes without the text of its licence, {package['license']}")
    owners = ", ".join(package["authors"]) or f"the authors of {package['name']}"
    return [f"Copyright (c) {owners}\n\nUnder the terms in LICENSE-MIT, from 'Permission is hereby granted' on."]


def printed(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
