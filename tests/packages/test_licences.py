"""Every file of a release contains the licences of all of its contents, and lists the crates."""

import base64
import csv
import hashlib
import json
import tarfile
from email import message_from_bytes
from zipfile import ZipFile

import pytest
from conftest import PACKAGES, ROOT

ROWS = json.loads((PACKAGES / "manifest.json").read_text())["artefacts"]
OURS = {"LICENSE-APACHE", "LICENSE-MIT"}
THIRD_PARTIES = "THIRD-PARTY-LICENSES.txt"
# The kinds without packages, and the kinds of packages with a program or a library.
PLAIN = {"checksum", "schema"}
BUILT = [row for row in ROWS if row["target"] and row["kind"] not in PLAIN]


def files(row):
    """All files of a package: their bytes by their paths."""
    packed = PACKAGES / row["name"]
    if packed.suffix in {".vsix", ".whl", ".zip"}:
        with ZipFile(packed) as opened:
            return {name: opened.read(name) for name in opened.namelist()}
    with tarfile.open(packed) as opened:
        return {entry.name: opened.extractfile(entry).read() for entry in opened if entry.isfile()}


def named(all_files, name):
    """The only file with this name, in any folder."""
    (content,) = [content for path, content in all_files.items() if path.split("/")[-1] == name]
    return content


def by_name(row):
    return row["name"]


def test_all_kinds_of_files_are_looked_at():
    assert {row["kind"] for row in BUILT} == {"archive", "npm", "pypi", "vscode"}
    assert {row["kind"] for row in ROWS if row not in BUILT} == PLAIN | {"npm", "pypi"}


@pytest.mark.parametrize("row", [row for row in ROWS if row["kind"] not in PLAIN], ids=by_name)
def test_each_package_has_our_licences(row):
    names = {path.split("/")[-1] for path in files(row)}
    # A marketplace accepts one file.
    assert names >= ({"LICENSE.txt"} if row["kind"] == "vscode" else OURS)


@pytest.mark.parametrize("row", BUILT, ids=by_name)
def test_each_package_with_a_program_has_the_licences_of_its_crates(row):
    texts = named(files(row), THIRD_PARTIES).decode()
    assert "Permission is hereby granted" in texts
    # Packages of one target have the same program; the wheel has a library.
    like = next(it for it in BUILT if it["target"] == row["target"] and it["kind"] == "archive")
    of_bill = row if row["kind"] == "pypi" else like
    crates = [it for it in bill(of_bill)["components"] if not it["name"].startswith("promptls")]
    assert [it["name"] for it in crates if f"{it['name']} {it['version']} (" not in texts] == []
    # No more of them than the package contains.
    assert ("windows-sys" in texts) == ("windows" in row["target"])


def bill(row):
    return json.loads(named(files(row), "promptls.cyclonedx.json"))


@pytest.mark.parametrize("row", [row for row in BUILT if row["kind"] in ("archive", "pypi")], ids=by_name)
def test_the_bill_of_materials_names_what_is_inside_for_its_system(row):
    found = bill(row)
    crates = {it["name"] for it in found["components"]}
    assert {"promptls-syntax", "serde", "tokio"} <= crates
    # For another target, a disabled feature, a build script; for Python.
    assert ("windows-sys" in crates) == ("windows" in row["target"])
    assert not crates & {"parquet", "autocfg"}
    assert ("pyo3" in crates) == (row["kind"] == "pypi")
    known = {it["bom-ref"] for it in found["components"]}
    assert all(set(it["dependsOn"]) <= known for it in found["dependencies"])


@pytest.mark.parametrize("row", [row for row in BUILT if row["kind"] == "pypi"], ids=by_name)
def test_a_wheel_lists_the_files_that_it_has(row):
    all_files = files(row)
    listed = csv.reader(named(all_files, "RECORD").decode().splitlines())
    told = {path: (digest, size) for path, digest, size in listed if not path.endswith("/RECORD")}
    there = {path: (digest(content), str(len(content))) for path, content in all_files.items() if not path.endswith("/RECORD")}
    assert told == there
    metadata = message_from_bytes(named(all_files, "METADATA"))
    info = next(path for path in all_files if path.endswith("/METADATA")).removesuffix("METADATA")
    licences = {path.removeprefix(f"{info}licenses/") for path in all_files if path.startswith(f"{info}licenses/")}
    assert set(metadata.get_all("License-File")) == licences == {*OURS, THIRD_PARTIES}


def digest(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


@pytest.mark.parametrize("row", [row for row in ROWS if row["kind"] not in PLAIN], ids=by_name)
def test_no_text_in_a_package_has_a_path_of_this_machine(row):
    large = 1_000_000
    assert [name for name, content in files(row).items() if len(content) < large and str(ROOT).encode() in content] == []


@pytest.mark.parametrize("row", [row for row in ROWS if row["kind"] == "vscode"], ids=by_name)
def test_the_extension_has_the_licences_of_what_is_bundled(row):
    all_files = files(row)
    for bundle, package in [("extension.js", "vscode-languageclient"), ("page.js", "markdown-it")]:
        text = named(all_files, bundle).decode()
        assert "contains:\n\n" in text and f"\n{package} " in text, bundle
