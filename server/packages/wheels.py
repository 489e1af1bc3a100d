"""Adds files to maturin's wheels: the licences of their crates, a bill of materials for these, manual
pages and shell completions.

Licences are in `.dist-info/licenses` (PEP 639), bills in `.dist-info/sboms` (PEP 770). maturin's own
bill contains the crates of all targets, and its build folder. Installers copy `.data/data` into the
folder of the environment, so `man` and shells find its `share` if its `bin` is on the PATH.
"""

import base64
import hashlib
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import zopfli


def small(path):
    """A new zip file. zlib at its highest level needs 3 % more bytes, and a tenth of the time."""
    return zopfli.ZipFile(path, "w", iterations=1)


def quick(path):
    """A new zip file, for a library that is not optimised, and therefore large anyway."""
    return ZipFile(path, "w")


def complete(wheel, folder, create, bill, licences, shared):
    """Writes a wheel into `folder`, with a bill of materials, licences, and the contents of a folder
    `shared`, which go below the prefix of the environment. `create` makes the zip file: `small` or
    `quick`."""
    with ZipFile(wheel) as old:
        files = {entry.filename: (entry, old.read(entry)) for entry in old.infolist()}
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    info = record.removesuffix("/RECORD")
    sample, _ = files.pop(record)

    def add(name, content):
        entry = ZipInfo(name, sample.date_time)
        entry.external_attr = sample.external_attr
        files[name] = (entry, content)

    for name in [name for name in files if name.startswith(f"{info}/sboms/")]:
        files.pop(name)
    add(f"{info}/sboms/{bill.name}", bill.read_bytes())
    add(f"{info}/licenses/{licences.name}", licences.read_bytes())
    for file in sorted(file for file in shared.rglob("*") if file.is_file()):
        add(f"{info.removesuffix('.dist-info')}.data/data/{file.relative_to(shared).as_posix()}", file.read_bytes())
    entry, metadata = files[f"{info}/METADATA"]
    files[f"{info}/METADATA"] = (entry, with_licence(metadata, licences.name))
    rows = [f"{name},{digest(content)},{len(content)}" for name, (_, content) in files.items()]
    add(record, "\n".join([*rows, f"{record},,", ""]).encode())
    out = folder / wheel.name
    with create(out) as new:
        for entry, content in files.values():
            entry.compress_type = ZIP_DEFLATED
            new.writestr(entry, content)
    return out


def with_licence(metadata, name):
    """Metadata with one more field, after those of the other licences."""
    head, body = metadata.split(b"\n\n", 1)
    lines = head.split(b"\n")
    last = max(at for at, line in enumerate(lines) if line.startswith(b"License-File: "))
    lines.insert(last + 1, f"License-File: {name}".encode())
    return b"\n".join(lines) + b"\n\n" + body


def digest(content):
    encoded = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={encoded.decode().rstrip('=')}"
