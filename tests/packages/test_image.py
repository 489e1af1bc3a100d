"""The image, without Docker: the root file system that server/packages/docker/Dockerfile
describes."""

import json
import os
import tarfile

import pytest
from conftest import PACKAGES, PROFILE, ROOT


@pytest.mark.skipif(PROFILE == "dev", reason="the program of the short form needs the libraries of this machine")
def test_the_image_is_the_program_and_its_licences(mistaken):
    lines = (ROOT / "server/packages/docker/Dockerfile").read_text().splitlines()
    last = lines[len(lines) - lines[::-1].index("FROM scratch") :]
    copied = [line.split()[-1] for line in last if line.startswith("COPY")]
    (start,) = [json.loads(line.removeprefix("ENTRYPOINT")) for line in last if line.startswith("ENTRYPOINT")]
    assert copied == ["/licenses/", *start]

    with tarfile.open(PACKAGES / "promptls-x86_64-unknown-linux-musl.tar.gz") as archive:
        program = archive.extractfile("promptls-x86_64-unknown-linux-musl/promptls").read()
    inside = mistaken.folder / start[0].lstrip("/")
    inside.write_bytes(program)
    inside.chmod(0o755)
    change_root = ["chroot", "."] if os.getuid() == 0 else ["unshare", "--map-root-user", "chroot", "."]
    check = [*change_root, *start, "check", "--format", "sarif", "--output", "/all.sarif"]
    assert mistaken.run(*check, status=1) == ""
    assert "undefined-placeholder" in (mistaken.folder / "all.sarif").read_text()
