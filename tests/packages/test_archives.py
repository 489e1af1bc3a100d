"""The files next to the packages match them."""

import hashlib
import json
import os
import sys
import tarfile
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
from conftest import NOT_MADE, PACKAGES, PROFILE, ROOT


def manifest():
    return json.loads((PACKAGES / "manifest.json").read_text())["artefacts"]


def test_the_manifest_has_each_file_as_it_is():
    listed = {row["name"]: (row["size"], row["sha256"]) for row in manifest()}
    there = {file.name: file.read_bytes() for file in PACKAGES.iterdir() if file.name != "manifest.json"}
    assert listed == {name: (len(content), hashlib.sha256(content).hexdigest()) for name, content in there.items()}


def test_each_archive_has_its_checksum_beside_it(shell):
    names = [row["name"] for row in archives()]
    assert len(names) == 5 - len(NOT_MADE)
    shell.folder = PACKAGES
    for archive in names:
        assert shell.run("sha256sum", "--check", f"{archive}.sha256") == f"{archive}: OK\n"


@pytest.mark.parametrize("system", ["linux", "win32"])
def test_equal_files_make_equal_archives(shell, system):
    sys.path.append(str(ROOT / "server/packages"))
    import archives as packing

    made = []
    for time in [1_000_000_000, 2_000_000_000]:
        folder = shell.folder / str(time)
        (folder / "man").mkdir(parents=True)
        for name in ["b", "a", "man/c"]:
            (folder / name).write_text(name)
            os.utime(folder / name, (time, time))
        target = SimpleNamespace(os=system, archive=".packed")
        made.append(packing.make(shell.folder, "archive", target, folder).read_bytes())
    assert made[0] == made[1]


def test_no_package_says_when_it_was_made():
    for row in manifest():
        file = PACKAGES / row["name"]
        if file.suffix in [".gz", ".tgz"]:
            times = {entry.mtime for entry in tarfile.open(file)}
        elif file.suffix in [".vsix", ".whl", ".zip"]:
            times = {entry.date_time for entry in ZipFile(file).infolist()}
        else:
            continue
        assert len(times) == 1, f"{file.name}: {times}"


DOCUMENTS = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "THIRD-PARTY-LICENSES.txt"]
COMPLETIONS = [f"completions/{name}" for name in ["_promptls", "_promptls.ps1"]]
COMPLETIONS += [f"completions/promptls.{shell}" for shell in ["bash", "elv", "fish"]]


def test_each_archive_has_licences_completions_and_manual_pages():
    for row in archives():
        folder, program = f"promptls-{row['target']}/", "promptls"
        if "windows" in row["target"]:
            folder, program = "", "promptls.exe"
        files = [name.removeprefix(folder) for name in names(PACKAGES / row["name"])]
        pages = [name for name in files if name.startswith("man/")]
        assert {"man/promptls.1", "man/promptls-check.1"} <= set(pages)
        assert sorted(set(files) - set(pages)) == sorted([*DOCUMENTS, *COMPLETIONS, program, "promptls.cyclonedx.json"])


def archives():
    return [row for row in manifest() if row["kind"] == "archive"]


def names(archive):
    if archive.suffix == ".zip":
        return ZipFile(archive).namelist()
    return tarfile.open(archive).getnames()


def test_the_extension_has_the_program_of_the_archive():
    with tarfile.open(PACKAGES / "promptls-x86_64-unknown-linux-musl.tar.gz") as archive:
        program = archive.extractfile("promptls-x86_64-unknown-linux-musl/promptls").read()
    extension = next(PACKAGES.glob("promptls-linux-x64-*.vsix"))
    assert ZipFile(extension).read("extension/bin/promptls") == program


@pytest.mark.skipif(PROFILE == "dev", reason="an optimised build is smaller")
def test_the_program_for_linux_has_at_most_25_megabytes():
    archive = tarfile.open(PACKAGES / "promptls-x86_64-unknown-linux-musl.tar.gz")
    sizes = [entry.size for entry in archive if entry.name.endswith("/promptls")]
    assert len(sizes) == 1 and sizes[0] < 25_000_000, sizes
